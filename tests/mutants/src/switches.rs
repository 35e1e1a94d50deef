//! Sources with a switch at each place where a mistake is made.
//!
//! A place becomes `if` the mutant is on, the new text, `else` the old one: in
//! parentheses, unless the old text ends as a statement does. Places may be the same or lie in
//! each other; the old text of the outer one then has the inner switches.

use super::list::{Edit, Mutant};
use super::text::Squeezed;
use super::{Misfit, Problem};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where one mutant is made in a file.
struct Place<'m> {
    span: Range<usize>,
    /// Number of the mutant in the list of all of them.
    number: usize,
    new: &'m str,
}

/// The files that mutants change, with switches; `source` has the text of a file.
pub(crate) fn with_switches<'s>(
    mutants: &[Mutant],
    source: impl Fn(&str) -> Option<&'s str>,
) -> Result<BTreeMap<String, String>, Vec<Problem>> {
    let mut files: BTreeMap<&str, Vec<(usize, &Edit)>> = BTreeMap::new();
    for (number, mutant) in mutants.iter().enumerate() {
        for edit in &mutant.edits {
            files.entry(&edit.file).or_default().push((number, edit));
        }
    }
    let (mut expanded, mut problems) = (BTreeMap::new(), Vec::new());
    for (file, edits) in files {
        let mut refuse = |number: usize, misfit| {
            let (name, file) = (mutants[number].name.clone(), file.to_owned());
            problems.push(Problem::Misfit { name, file, misfit });
        };
        let Some(text) = source(file) else {
            edits.iter().for_each(|&(number, _)| refuse(number, Misfit::NotThere));
            continue;
        };
        let squeezed = Squeezed::new(text);
        let mut places = Vec::new();
        for (number, edit) in edits {
            match locate(text, &squeezed, edit) {
                Ok(span) => places.push(Place { span, number, new: &edit.new }),
                Err(misfit) => refuse(number, misfit),
            }
        }
        match expand(text, &mut places) {
            Ok(text) => _ = expanded.insert(file.to_owned(), text),
            Err((outer, number)) => refuse(number, Misfit::Overlap { other: mutants[outer].name.clone() }),
        }
    }
    if problems.is_empty() { Ok(expanded) } else { Err(problems) }
}

/// The only place of the edit's old text.
fn locate(text: &str, squeezed: &Squeezed, edit: &Edit) -> Result<Range<usize>, Misfit> {
    let old = Squeezed::new(&edit.old);
    let Some(within) = &edit.within else { return only(&squeezed.places(&old)) };
    let around = only(&squeezed.places(&Squeezed::new(within)))?;
    let place = only(&Squeezed::new(&text[around.clone()]).places(&old))?;
    Ok(around.start + place.start..around.start + place.end)
}

fn only(places: &[Range<usize>]) -> Result<Range<usize>, Misfit> {
    match places {
        [place] => Ok(place.clone()),
        [] => Err(Misfit::Unmatched),
        _ => Err(Misfit::Ambiguous { places: places.len() }),
    }
}

/// The text with a switch at each place, or the numbers of two mutants whose places overlap.
fn expand(text: &str, places: &mut [Place<'_>]) -> Result<String, (usize, usize)> {
    // A place comes after those it lies in.
    places.sort_by_key(|place| (place.span.start, Reverse(place.span.end), place.number));
    let mut expanded = Expanded { text, at: 0, out: String::new() };
    let mut open: Vec<&Place<'_>> = Vec::new();
    for place in &*places {
        while let Some(inner) = open.pop_if(|outer| outer.span.end <= place.span.start) {
            expanded.close(inner);
        }
        if let Some(outer) = open.last().filter(|outer| outer.span.end < place.span.end) {
            return Err((outer.number, place.number));
        }
        expanded.open(place);
        open.push(place);
    }
    while let Some(inner) = open.pop() {
        expanded.close(inner);
    }
    Ok(expanded.end())
}

/// A text up to some place, with switches.
struct Expanded<'t> {
    text: &'t str,
    at: usize,
    out: String,
}

impl Expanded<'_> {
    fn open(&mut self, place: &Place<'_>) {
        self.copy_up_to(place.span.start);
        let Place { number, new, .. } = place;
        let parenthesis = if self.is_statement(place) { "" } else { "(" };
        let switch = format!("{parenthesis}if ::ssaphire_mutants_switch::is_on({number}) {{ {new} }} else {{ ");
        self.out.push_str(&switch);
    }

    fn close(&mut self, place: &Place<'_>) {
        self.copy_up_to(place.span.end);
        self.out.push_str(if self.is_statement(place) { " }" } else { " })" });
    }

    fn is_statement(&self, place: &Place<'_>) -> bool {
        self.text[place.span.clone()].ends_with([';', '}'])
    }

    fn copy_up_to(&mut self, end: usize) {
        self.out.push_str(&self.text[self.at..end]);
        self.at = end;
    }

    fn end(mut self) -> String {
        self.copy_up_to(self.text.len());
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::{Edit, Mutant};
    use super::with_switches;

    /// Mutants named A, B, ... of the file `a.rs`: old text, or old text `@` text around it; new text.
    fn mutants(edits: &[(&str, &str)]) -> Vec<Mutant> {
        let edit = |&(old, new): &(&str, &str)| {
            let (within, old) = old.split_once(" @ ").map_or((None, old), |(old, within)| (Some(within), old));
            let (file, within) = ("a.rs".to_owned(), within.map(str::to_owned));
            Edit { file, within, old: old.to_owned(), new: new.to_owned() }
        };
        let mutant = |(name, one): (char, _)| Mutant { name: name.to_string(), edits: vec![edit(one)] };
        ('A'..).zip(edits).map(mutant).collect()
    }

    /// What becomes of the text of `a.rs`, with `on` for the name of the switch.
    #[track_caller]
    fn check(text: &str, edits: &[(&str, &str)], expected: &str) {
        let files = with_switches(&mutants(edits), |file| (file == "a.rs").then_some(text)).unwrap();
        assert_eq!(files["a.rs"].replace("::ssaphire_mutants_switch::is_on", "on"), expected);
    }

    #[track_caller]
    fn check_problems(text: &str, edits: &[(&str, &str)], expected: &[&str]) {
        let problems = with_switches(&mutants(edits), |file| (file == "a.rs").then_some(text)).unwrap_err();
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn statements_and_expressions_get_switches() {
        check("f(); g();", &[("f();", "")], "if on(0) {  } else { f(); } g();");
        check("if a && b { c }", &[("a && b", "a")], "if (if on(0) { a } else { a && b }) { c }");
        check("for x in y {}", &[("for x in y {}", "z();")], "if on(0) { z(); } else { for x in y {} }");
    }

    #[test]
    fn places_that_are_the_same_or_in_each_other_compose() {
        check("a", &[("a", "b"), ("a", "c")], "(if on(0) { b } else { (if on(1) { c } else { a }) })");
        check(
            "f(a, b);",
            &[("a", "b"), ("f(a, b);", ""), ("b", "c")],
            "if on(1) {  } else { f((if on(0) { b } else { a }), (if on(2) { c } else { b })); }",
        );
    }

    #[test]
    fn text_around_tells_places_apart() {
        check("f(a); g(a);", &[("a @ g(a)", "b")], "f(a); g((if on(0) { b } else { a }));");
    }

    #[test]
    fn a_text_that_does_not_fit_is_refused_by_the_name_of_its_mutant() {
        check_problems(
            "f(a); g(a);",
            &[("h(a)", "b"), ("a", "b"), ("a @ g(b)", "b"), ("b @ g(a)", "b")],
            &[
                "mutant `A`: its old text is not in a.rs",
                "mutant `B`: its old text stands in 2 places of a.rs",
                "mutant `C`: its old text is not in a.rs",
                "mutant `D`: its old text is not in a.rs",
            ],
        );
    }

    #[test]
    fn texts_that_overlap_are_refused() {
        check_problems(
            "a + b + c",
            &[("b + c", "c"), ("a + b", "a")],
            &["mutant `A`: its old text overlaps that of `B` in a.rs"],
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_refused() {
        let mut mutants = mutants(&[("a", "b")]);
        mutants[0].edits[0].file = "b.rs".to_owned();
        let problems = with_switches(&mutants, |_| None).unwrap_err();
        assert_eq!(problems[0].to_string(), "mutant `A`: no package that the tests depend on has the file b.rs");
    }
}

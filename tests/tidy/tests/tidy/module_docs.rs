//! Module docs: every file opens with one, and one that names a paper lists
//! where the code departs from it.

use crate::rust::sources;
use crate::tree::{File, Finding, Tree};
use syn::{Attribute, Expr, Lit, Meta};

/// Names by which papers are cited.
const PAPERS: &[&str] = &[
    "Appel",
    "Aycock",
    "Boissinot",
    "Brandis",
    "Braun",
    "Briggs",
    "Buchwald",
    "Choi",
    "Click and Paleczny",
    "Cooper",
    "Cytron",
    "Ferrante",
    "Fischer",
    "Georgiadis",
    "Havlak",
    "Horspool",
    "Lengauer",
    "Paleczny",
    "Ramalingam",
    "Ramsey",
    "Semi-NCA",
    "Sreedhar",
    "Tarjan",
    "Ullrich",
    "Wegman",
    "Zadeck",
];

/// Every file of a crate opens with a doc of what it is.
///
/// A file without an item is a place kept free, and needs none.
pub(crate) fn present(tree: &Tree) -> Vec<Finding> {
    let in_src = sources(tree).filter(|(file, _)| file.path.split('/').any(|part| part == "src"));
    let silent = in_src.filter(|(_, syntax)| !syntax.items.is_empty() && doc(&syntax.attrs).trim().is_empty());
    silent.map(|(file, _)| file.finding(1, "has no module doc")).collect()
}

/// A module doc that names a paper has the heading `# Departures`, with a text.
pub(crate) fn departures(tree: &Tree) -> Vec<Finding> {
    let finding = |file: &File, doc: &str| {
        let paper = PAPERS.iter().find(|paper| names(doc, paper))?;
        let problem = match text_below(doc, "# Departures").as_deref() {
            None => "has no `# Departures`",
            Some("") => "says nothing under `# Departures`",
            Some(_) => return None,
        };
        Some(file.finding(1, format!("names {paper} and {problem}")))
    };
    sources(tree).filter_map(|(file, syntax)| finding(file, &doc(&syntax.attrs))).collect()
}

/// The text of the doc comments among `attributes`.
fn doc(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes {
        if let Meta::NameValue(meta) = &attribute.meta
            && meta.path.is_ident("doc")
            && let Expr::Lit(literal) = &meta.value
            && let Lit::Str(line) = &literal.lit
        {
            text.push_str(&line.value());
            text.push('\n');
        }
    }
    text
}

/// Whether `doc` has `name` as a word of its own.
fn names(doc: &str, name: &str) -> bool {
    let is_edge = |character: Option<char>| !character.is_some_and(|character| character.is_alphanumeric());
    doc.match_indices(name).any(|(start, _)| {
        is_edge(doc[..start].chars().next_back()) && is_edge(doc[start + name.len()..].chars().next())
    })
}

/// The text between `heading` and the next heading.
fn text_below(doc: &str, heading: &str) -> Option<String> {
    let mut lines = doc.lines().map(str::trim).skip_while(|line| *line != heading);
    lines.next()?;
    let text: Vec<_> = lines.take_while(|line| !line.starts_with('#')).collect();
    Some(text.join("\n").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{departures, present};
    use crate::tree::findings;

    #[test]
    fn a_file_without_a_module_doc_is_found() {
        let files = [
            ("a/src/lib.rs", "//! Says what it is.\nfn f() {}"),
            ("a/src/silent.rs", "/// Says what `f` is.\nfn f() {}"),
            ("a/src/blank.rs", "//!\nfn f() {}"),
            ("a/src/free.rs", "#![no_std]"),
            ("a/tests/outside.rs", "fn f() {}"),
        ];
        let expected = ["a/src/silent.rs:1: has no module doc", "a/src/blank.rs:1: has no module doc"];
        assert_eq!(findings(present, &files), expected);
    }

    #[test]
    fn a_paper_without_departures_is_found() {
        let files = [
            ("a.rs", "//! | Braun et al. 2013 | here |\n//!\n//! # Departures\n//! None."),
            ("b.rs", "//! After Cytron's Fig. 11.\n//! # Complexity\n//! O(n)"),
            ("c.rs", "//! Semi-NCA.\n//! # Departures\n//!\n//! # References\n//! Text."),
            ("d.rs", "//! The engines `braun` and `cytron`; Cooperation."),
            ("e.rs", "//! Plain.\n/// After Tarjan.\nfn f() {}"),
        ];
        let expected = [
            "b.rs:1: names Cytron and has no `# Departures`",
            "c.rs:1: names Semi-NCA and says nothing under `# Departures`",
        ];
        assert_eq!(findings(departures, &files), expected);
    }
}

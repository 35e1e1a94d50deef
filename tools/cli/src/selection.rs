//! Which functions of the programs are meant.
//!
//! A module of WebAssembly has two name spaces: what it exports, and what its name section calls functions.
//! `--entry` names one function, as a caller from outside does, so exports come first ([`entry`]). `--function` selects
//! every function with the name in either name space ([`Selector`]).

use crate::diagnostic::{Diagnostic, Failure, listed};
use crate::source::Source;

/// So many names are offered in place of one that is not there.
const MOST_OFFERS: usize = 3;

/// The maximum number of functions listed where a name is ambiguous.
const MOST_LISTED: usize = 10;

/// How alike two names are that may be meant for each other, from 0 to 1.
const ALIKE: f64 = 0.7;

/// Functions wanted, by name or number, in several programs.
pub(crate) struct Selector<'a> {
    wanted: Vec<Wanted<'a>>,
    /// The inputs that were looked through.
    inputs: Vec<String>,
}

struct Wanted<'a> {
    name: &'a str,
    is_found: bool,
    /// Names like this one, the most similar first.
    offers: Vec<(f64, String)>,
}

impl<'a> Selector<'a> {
    /// Wants these functions, or all if there are none.
    pub(crate) fn new(names: &'a [String]) -> Self {
        let wanted = names.iter().map(|name| Wanted { name, is_found: false, offers: Vec::new() });
        Self { wanted: wanted.collect(), inputs: Vec::new() }
    }

    /// The functions of `source`, the program in `input`, that are wanted, ascending.
    pub(crate) fn select(&mut self, input: &str, source: &dyn Source) -> Vec<usize> {
        if self.wanted.is_empty() {
            return source.functions().collect();
        }
        self.inputs.push(input.to_owned());
        let mut selected: Vec<usize> = self.wanted.iter_mut().flat_map(|wanted| wanted.find(source)).collect();
        selected.sort_unstable();
        selected.dedup();
        selected
    }

    /// Whether everything wanted was found in some program.
    ///
    /// # Errors
    /// What was not, with names that may be meant.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let place = match &self.inputs[..] {
            [input] => input.clone(),
            inputs => format!("any of {} inputs", inputs.len()),
        };
        let missing = self.wanted.iter().filter(|wanted| !wanted.is_found);
        let missing: Vec<Diagnostic> = missing.map(|wanted| wanted.complaint("--function", &place)).collect();
        if missing.is_empty() { Ok(()) } else { Err(Failure::Input(missing)) }
    }
}

/// The one function of `source`, the program in `input`, with this name, exports first, or else with this number.
///
/// # Errors
/// If no function has the name, with similar names; or several have it; or the function is imported.
pub(crate) fn entry(input: &str, source: &dyn Source, name: &str) -> Result<usize, Failure> {
    let mut found = source.entries_named(name);
    if found.is_empty() {
        found.extend(numbered(source, name));
    }
    match found[..] {
        [one] if source.functions().contains(&one) => Ok(one),
        [one] => {
            let message = format!("`{name}` is function {one}, which is imported and has no code to run");
            Err(Diagnostic::usage(message).into())
        }
        [] => {
            let mut wanted = Wanted { name, is_found: false, offers: Vec::new() };
            wanted.offer_all(source);
            Err(wanted.complaint("--entry", input).into())
        }
        ref several => {
            let numbers = listed(several.iter().map(ToString::to_string), several.len(), MOST_LISTED, "and");
            let message = format!("`{name}` is the name of functions {numbers}: choose one by its number");
            Err(Diagnostic::usage(message).into())
        }
    }
}

/// The function of `source` with this number.
fn numbered(source: &dyn Source, number: &str) -> Option<usize> {
    number.parse().ok().filter(|number| source.functions().contains(number))
}

impl Wanted<'_> {
    /// By name, own or exported; or else by number.
    fn find(&mut self, source: &dyn Source) -> Vec<usize> {
        let mut found: Vec<usize> = source.functions().filter(|&index| source.name(index) == self.name).collect();
        found.extend(source.exported(self.name).filter(|index| source.functions().contains(index)));
        if found.is_empty() {
            found.extend(numbered(source, self.name));
        }
        if found.is_empty() {
            self.offer_all(source);
        }
        self.is_found |= !found.is_empty();
        found
    }

    fn offer_all(&mut self, source: &dyn Source) {
        source.functions().for_each(|index| self.offer(source.name(index)));
    }

    fn offer(&mut self, name: String) {
        let likeness = strsim::jaro_winkler(self.name, &name);
        if likeness < ALIKE || self.offers.iter().any(|(_, other)| *other == name) {
            return;
        }
        let place = self.offers.partition_point(|(other, _)| *other >= likeness);
        self.offers.insert(place, (likeness, name));
        self.offers.truncate(MOST_OFFERS);
    }

    /// What is wrong with `option`: no function in `place` is meant.
    fn complaint(&self, option: &str, place: &str) -> Diagnostic {
        let names: Vec<String> = self.offers.iter().map(|(_, name)| format!("`{name}`")).collect();
        let offer = if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) };
        Diagnostic::usage(format!("`{option} {}`: no function in {place} has this name or number{offer}", self.name))
    }
}

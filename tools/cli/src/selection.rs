//! Which functions of the programs are meant.

use crate::diagnostic::{Diagnostic, Failure};
use crate::source::Source;

/// So many names are offered in place of one that is not there.
const MOST_OFFERS: usize = 3;

/// How alike two names are that may be meant for each other, from 0 to 1.
const ALIKE: f64 = 0.7;

/// Functions wanted, by name or number, in several programs.
pub(crate) struct Selector<'a> {
    wanted: Vec<Wanted<'a>>,
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
        Self { wanted: wanted.collect() }
    }

    /// The functions of `source` that are wanted, ascending.
    pub(crate) fn select(&mut self, source: &dyn Source) -> Vec<usize> {
        if self.wanted.is_empty() {
            return source.functions().collect();
        }
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
        let missing: Vec<Diagnostic> =
            self.wanted.iter().filter(|wanted| !wanted.is_found).map(Wanted::complaint).collect();
        if missing.is_empty() { Ok(()) } else { Err(Failure::Input(missing)) }
    }
}

impl Wanted<'_> {
    /// By name, or else by number.
    fn find(&mut self, source: &dyn Source) -> Vec<usize> {
        let mut found: Vec<usize> = source.functions().filter(|&index| source.name(index) == self.name).collect();
        if found.is_empty() {
            let number = self.name.parse::<usize>().ok();
            found.extend(number.filter(|number| source.functions().contains(number)));
        }
        if found.is_empty() {
            source.functions().for_each(|index| self.offer(source.name(index)));
        }
        self.is_found |= !found.is_empty();
        found
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

    fn complaint(&self) -> Diagnostic {
        let names: Vec<String> = self.offers.iter().map(|(_, name)| format!("`{name}`")).collect();
        let offer = if names.is_empty() { String::new() } else { format!("; is it {}?", names.join(" or ")) };
        Diagnostic::usage(format!("`{}`: no such function{offer}", self.name))
    }
}

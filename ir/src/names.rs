//! Unique names: what the text format needs to tell things apart.

use std::collections::HashMap;

/// Which names are taken, and by what.
#[derive(Clone, Debug)]
pub(crate) struct Names<T> {
    taken: HashMap<String, T>,
    /// For a name that was wanted more than once: the last suffix given out.
    suffixes: HashMap<String, u32>,
}

impl<T: Copy> Names<T> {
    pub(crate) fn get(&self, name: &str) -> Option<T> {
        self.taken.get(name).copied()
    }

    pub(crate) fn insert(&mut self, name: &str, holder: T) {
        self.taken.insert(name.to_owned(), holder);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.taken.remove(name);
    }

    /// `wanted`, or `wanted_2` and so on where it is taken, by this table or by `also_taken`.
    pub(crate) fn unique(&mut self, wanted: &str, also_taken: impl Fn(&str) -> bool) -> String {
        let is_taken = |name: &str| self.taken.contains_key(name) || also_taken(name);
        if !is_taken(wanted) {
            return wanted.to_owned();
        }
        // Remembering the last suffix keeps a thousand variables of one name from costing a million look-ups.
        let suffix = self.suffixes.entry(wanted.to_owned()).or_insert(1);
        loop {
            *suffix += 1;
            let name = format!("{wanted}_{suffix}");
            if !is_taken(&name) {
                return name;
            }
        }
    }
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { taken: HashMap::new(), suffixes: HashMap::new() }
    }
}

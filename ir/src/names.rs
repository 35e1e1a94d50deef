//! Unique names, as the text format requires them.

use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// Which names are taken, and by what.
#[derive(Clone, Debug)]
pub(crate) struct Names<T>(Option<Box<Tables<T>>>);

/// Most functions need none.
#[derive(Clone, Debug)]
struct Tables<T> {
    taken: HashMap<Arc<str>, T, RandomState>,
    /// For a name that was wanted more than once: the last suffix given out.
    suffixes: HashMap<Arc<str>, u32, RandomState>,
}

impl<T: Copy> Names<T> {
    /// Whether no name is taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|tables| tables.taken.is_empty())
    }

    pub(crate) fn get(&self, name: &str) -> Option<T> {
        self.0.as_ref()?.taken.get(name).copied()
    }

    pub(crate) fn insert(&mut self, name: Arc<str>, holder: T) {
        self.tables().taken.insert(name, holder);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(tables) = &mut self.0 {
            tables.taken.remove(name);
        }
    }

    fn tables(&mut self) -> &mut Tables<T> {
        self.0.get_or_insert_with(|| Box::new(Tables { taken: HashMap::default(), suffixes: HashMap::default() }))
    }

    /// `wanted`, or `wanted_2` and so on where it is taken, by this table or by `also_taken`.
    pub(crate) fn unique(&mut self, wanted: Arc<str>, also_taken: impl Fn(&str) -> bool) -> Arc<str> {
        let Tables { taken, suffixes } = self.tables();
        let is_taken = |name: &str| taken.contains_key(name) || also_taken(name);
        if !is_taken(&wanted) {
            return wanted;
        }
        // Remembering the last suffix keeps a thousand variables of one name from costing a million look-ups.
        let suffix = suffixes.entry(wanted.clone()).or_insert(1);
        loop {
            *suffix += 1;
            let name = format!("{wanted}_{suffix}");
            if !is_taken(&name) {
                return name.into();
            }
        }
    }
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self(None)
    }
}

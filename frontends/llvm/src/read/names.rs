//! Names of local values and of blocks.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// What names mean. Values and blocks are numbered together, but looked up by different words.
pub(super) struct Names<'t, T> {
    known: HashMap<Key<'t>, T, RandomState>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'t> {
    Number(u32),
    Text(&'t str),
}

impl<'t> Key<'t> {
    fn of(name: &'t str) -> Self {
        number_of(name).map_or(Self::Text(name), Self::Number)
    }
}

/// The number that a name without sigil is.
pub(super) fn number_of(name: &str) -> Option<u32> {
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { name.parse().ok() } else { None }
}

impl<'t, T: Copy> Names<'t, T> {
    pub(super) fn new() -> Self {
        Self { known: HashMap::default() }
    }

    /// What a name without sigil means.
    pub(super) fn get(&self, name: &'t str) -> Option<T> {
        self.known.get(&Key::of(name)).copied()
    }

    /// What a number means.
    pub(super) fn get_number(&self, number: u32) -> Option<T> {
        self.known.get(&Key::Number(number)).copied()
    }

    /// Gives a name a meaning; false if it has one.
    pub(super) fn insert(&mut self, name: &'t str, meaning: T) -> bool {
        self.known.insert(Key::of(name), meaning).is_none()
    }

    /// Gives a number a meaning; false if it has one.
    pub(super) fn insert_number(&mut self, number: u32, meaning: T) -> bool {
        self.known.insert(Key::Number(number), meaning).is_none()
    }
}

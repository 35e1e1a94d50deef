//! Names of local values and of blocks.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// What names mean. Values and blocks are numbered together, but looked up by different words.
pub(super) struct Names<'t, T> {
    named: HashMap<&'t str, T, RandomState>,
    /// By number, if that is not far above those before it.
    numbered: Vec<Option<T>>,
    /// By number, all others.
    far: HashMap<u32, T, RandomState>,
}

/// The most numbers without meaning that may lie between two with one.
const GAP: usize = 64;

/// The number that a name without sigil is.
pub(super) fn number_of(name: &str) -> Option<u32> {
    if name.is_empty() {
        return None;
    }
    name.bytes().try_fold(0, |number: u32, byte| {
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

impl<'t, T: Copy> Names<'t, T> {
    pub(super) fn new() -> Self {
        Self { named: HashMap::default(), numbered: Vec::new(), far: HashMap::default() }
    }

    /// What a name without sigil means.
    pub(super) fn get(&self, name: &'t str) -> Option<T> {
        match number_of(name) {
            Some(number) => self.get_number(number),
            None => self.named.get(name).copied(),
        }
    }

    /// What a number means.
    pub(super) fn get_number(&self, number: u32) -> Option<T> {
        match self.numbered.get(number as usize) {
            Some(&Some(meaning)) => Some(meaning),
            _ if self.far.is_empty() => None,
            _ => self.far.get(&number).copied(),
        }
    }

    /// Gives a name a meaning; false if it has one.
    pub(super) fn insert(&mut self, name: &'t str, meaning: T) -> bool {
        match number_of(name) {
            Some(number) => self.insert_number(number, meaning),
            None => self.named.insert(name, meaning).is_none(),
        }
    }

    /// Gives a number a meaning; false if it has one.
    pub(super) fn insert_number(&mut self, number: u32, meaning: T) -> bool {
        let (place, end) = (number as usize, self.numbered.len());
        if self.get_number(number).is_some() {
            return false;
        }
        if place > end + GAP {
            return self.far.insert(number, meaning).is_none();
        }
        if place >= end {
            self.numbered.resize(place + 1, None);
        }
        self.numbered[place] = Some(meaning);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn numbers_far_from_others_are_found() {
        let mut names = Names::new();
        for (number, meaning) in [(0, 'a'), (4_000_000_000, 'b'), (65, 'c'), (1, 'd'), (200, 'e'), (129, 'f')] {
            assert!(names.insert_number(number, meaning) && !names.insert_number(number, 'x'));
        }
        assert!(names.insert("x", 'g') && !names.insert("x", 'g') && !names.insert("200", 'x'));
        let found = ["0", "1", "65", "129", "200", "4000000000", "x", "2", "4000000001", "99999999999", ""];
        let found: Vec<_> = found.map(|name| names.get(name)).into();
        let expected =
            [Some('a'), Some('d'), Some('c'), Some('f'), Some('e'), Some('b'), Some('g'), None, None, None, None];
        assert_eq!(found, expected);
        assert!(names.numbered.len() <= 201);
    }
}

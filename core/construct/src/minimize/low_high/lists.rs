//! Many lists of numbers in one array.

use alloc::vec::Vec;

/// Lists of numbers by key, one behind the other. Rebuilding reuses memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// By key, where its list starts; and one end.
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Becomes the lists of the second numbers of `pairs` by their first ones, in order: a counting sort.
    pub(super) fn rebuild(&mut self, num_keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) {
        self.start.clear();
        // Each start is kept one place further on, and moves into place as its list fills.
        self.start.resize(num_keys + 2, 0);
        for (key, _) in pairs.clone() {
            self.start[key as usize + 2] += 1;
        }
        for key in 2..num_keys + 2 {
            self.start[key] += self.start[key - 1];
        }
        self.items.clear();
        self.items.resize(self.start[num_keys + 1] as usize, 0);
        for (key, item) in pairs {
            let place = &mut self.start[key as usize + 1];
            self.items[*place as usize] = item;
            *place += 1;
        }
    }

    /// The list of `key`.
    #[inline]
    pub(super) fn of(&self, key: u32) -> &[u32] {
        &self.items[self.start[key as usize] as usize..self.start[key as usize + 1] as usize]
    }
}

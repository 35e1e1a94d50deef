//! Many short lists in one piece of memory.
//!
//! A [`Pool`] stores the items of all lists of one kind. A [`Span`] is a list
//! of fixed length in it; a [`List`] may grow: at the end of the pool it grows
//! in place, otherwise it moves to the end and doubles its capacity. The old
//! items become *waste*, which [`Function`](super::Function) removes when there
//! is as much of it as of the rest: appending takes amortized constant time,
//! and memory stays in proportion to the live contents.

use std::mem;
use std::ops::Range;

/// The items of all lists.
#[derive(Clone, Debug)]
pub(crate) struct Pool<T> {
    items: Vec<T>,
    /// Number of items that are in no list.
    waste: usize,
}

/// A list of fixed length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    len: u32,
}

/// A list that may grow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct List {
    start: u32,
    len: u32,
    /// The capacity, in items.
    room: u32,
}

impl Span {
    /// The list of one item.
    #[inline]
    pub(crate) fn one(start: u32) -> Self {
        Self { start, len: 1 }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    /// The first `len` items of it.
    pub(crate) fn truncated(self, len: usize) -> Self {
        Self { start: self.start, len: self.len.min(len as u32) }
    }
}

/// The list may grow from here on.
impl From<Span> for List {
    fn from(span: Span) -> Self {
        Self { start: span.start, len: span.len, room: span.len }
    }
}

impl List {
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Number of items that it takes in the pool.
    pub(crate) fn room(self) -> usize {
        self.room as usize
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end()
    }

    fn end(self) -> usize {
        self.start as usize + self.len as usize
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { items: Vec::new(), waste: 0 }
    }
}

impl<T> Pool<T> {
    /// No items, and room for as many as `other` has.
    pub(crate) fn with_room_of(other: &Self) -> Self {
        Self { items: Vec::with_capacity(other.items.len()), waste: 0 }
    }

    pub(crate) fn all(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn all_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    pub(crate) fn get(&self, list: List) -> &[T] {
        &self.items[list.range()]
    }

    pub(crate) fn get_mut(&mut self, list: List) -> &mut [T] {
        &mut self.items[list.range()]
    }

    pub(crate) fn span(&self, span: Span) -> &[T] {
        &self.items[span.range()]
    }

    pub(crate) fn span_mut(&mut self, span: Span) -> &mut [T] {
        &mut self.items[span.range()]
    }

    /// Whether there is no waste: every item is in a list.
    pub(crate) fn is_dense(&self) -> bool {
        self.waste == 0
    }

    /// Whether there is enough waste to make its removal worthwhile.
    pub(crate) fn is_wasteful(&self) -> bool {
        self.waste > 64 + self.items.len() / 2
    }

    /// Forgets all lists; keeps memory.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.waste = 0;
    }

    /// Moves all lists to a pool without spare capacity; this one is empty then, and keeps its memory.
    pub(crate) fn take(&mut self) -> Self {
        Self { items: taken(&mut self.items), waste: mem::take(&mut self.waste) }
    }

    /// Marks `items` items as waste.
    pub(crate) fn discard(&mut self, items: usize) {
        self.waste += items;
    }

    /// The index of the next item.
    #[inline]
    pub(crate) fn end(&self) -> u32 {
        self.items.len() as u32
    }

    /// Appends an item that belongs to no list yet.
    #[inline]
    pub(crate) fn append(&mut self, item: T) {
        self.items.push(item);
    }

    /// The list of the items appended since the end was at `start`.
    #[inline]
    pub(crate) fn since(&self, start: u32) -> Span {
        Span { start, len: self.end() - start }
    }

    /// [`since`](Self::since), as a list that may grow.
    pub(crate) fn list_since(&self, start: u32) -> List {
        let len = self.end() - start;
        List { start, len, room: len }
    }

    /// A new list of these items.
    #[inline]
    pub(crate) fn add(&mut self, items: impl IntoIterator<Item = T>) -> Span {
        let start = self.end();
        self.items.extend(items);
        self.since(start)
    }

    /// A new list of the results of `item` for these, which are usually one or two.
    #[inline(always)]
    pub(crate) fn add_few<S: Copy>(&mut self, sources: &[S], item: impl Fn(S) -> T) -> Span {
        let start = self.end();
        match *sources {
            [] => return Span::default(),
            [first] => self.items.push(item(first)),
            [first, second] => self.items.extend([item(first), item(second)]),
            _ => self.items.extend(sources.iter().map(|&source| item(source))),
        }
        Span { start, len: sources.len() as u32 }
    }

    /// A new list of these items, which may grow.
    pub(crate) fn add_list(&mut self, items: impl IntoIterator<Item = T>) -> List {
        let start = self.end();
        self.items.extend(items);
        self.list_since(start)
    }

    /// Removes item number `index` from a list.
    pub(crate) fn remove(&mut self, list: &mut List, index: usize) {
        self.items[list.range()][index..].rotate_left(1);
        list.len -= 1;
    }

    /// Keeps the items for which `keep` returns true, in order; it is called once for each position.
    pub(crate) fn retain(&mut self, list: &mut List, mut keep: impl FnMut(usize) -> bool) {
        let items = &mut self.items[list.range()];
        let mut kept = 0;
        for index in 0..items.len() {
            if keep(index) {
                if kept != index {
                    items.swap(kept, index);
                }
                kept += 1;
            }
        }
        list.len = kept as u32;
    }
}

/// Bytes that are many to copy.
const MANY: usize = 2 << 10;
/// Bytes for the items of the next function, at most.
const ROOM: usize = 64 << 10;

/// The contents of a vector, in one without spare capacity; the vector keeps its memory, or gets other memory where handing
/// over costs less than copying.
pub(crate) fn taken<T>(items: &mut Vec<T>) -> Vec<T> {
    if size_of_val(items.as_slice()) >= MANY {
        let room = items.capacity().min(ROOM / size_of::<T>());
        let mut taken = mem::take(items);
        taken.shrink_to_fit();
        *items = Vec::with_capacity(room);
        return taken;
    }
    let mut taken = Vec::with_capacity(items.len());
    taken.append(items);
    taken
}

impl<T: Clone> Pool<T> {
    pub(crate) fn push(&mut self, list: &mut List, item: T) {
        self.insert(list, list.len(), item);
    }

    /// Inserts `item` before number `index`.
    pub(crate) fn insert(&mut self, list: &mut List, index: usize, item: T) {
        assert!(index <= list.len(), "an item is put into a list or at its end");
        if list.len == list.room && list.end() != self.items.len() {
            self.move_to_end(list, &item);
        }
        if list.end() == self.items.len() {
            self.items.push(item);
        } else {
            self.items[list.end()] = item;
        }
        list.len += 1;
        list.room = list.room.max(list.len);
        self.items[list.range()][index..].rotate_right(1);
    }

    /// Moves a list to the end of the pool with twice the capacity; an empty one may be anywhere.
    fn move_to_end(&mut self, list: &mut List, filler: &T) {
        let start = self.end();
        self.items.extend_from_within(list.range());
        self.waste += list.room as usize;
        (list.start, list.room) = (start, 2 * list.len);
        let end = (start + list.room) as usize;
        self.items.resize(end, filler.clone());
    }

    /// Makes the list the last one, so that items appended to the pool belong to it; returns its new start.
    #[inline]
    pub(crate) fn make_last(&mut self, list: List) -> u32 {
        if list.is_empty() {
            self.waste += list.room as usize;
            return self.end();
        }
        if list.end() == self.items.len() {
            return list.start;
        }
        let start = self.end();
        self.items.extend_from_within(list.range());
        self.waste += list.room as usize;
        start
    }

    /// Copies a list from another pool.
    pub(crate) fn take_span(&mut self, from: &Self, span: &mut Span) {
        *span = self.add(from.span(*span).iter().cloned());
    }

    /// Copies a list that may grow from another pool.
    pub(crate) fn take_list(&mut self, from: &Self, list: &mut List) {
        *list = self.add_list(from.get(*list).iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists in a pool, beside vectors that hold the same.
    #[test]
    fn lists_hold_what_vectors_hold() {
        let mut pool = Pool::default();
        let mut lists = [List::default(); 5];
        let mut vectors: [Vec<u32>; 5] = Default::default();
        let mut seed = 1u32;
        for step in 0..5000u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 8) as usize % 5;
            let (list, vector) = (&mut lists[at], &mut vectors[at]);
            let place = (seed >> 16) as usize % (vector.len() + 1);
            match seed >> 29 {
                0 if place < vector.len() => {
                    pool.remove(list, place);
                    vector.remove(place);
                }
                1 if step % 7 == 0 => {
                    pool.retain(list, |index| index % 3 != 0);
                    let mut index = 0;
                    vector.retain(|_| {
                        index += 1;
                        (index - 1) % 3 != 0
                    });
                }
                _ => {
                    pool.insert(list, place, step);
                    vector.insert(place, step);
                }
            }
            for (list, vector) in lists.iter().zip(&vectors) {
                assert_eq!(pool.get(*list), vector);
            }
        }
        assert!(pool.all().len() < 64_000, "room doubles, and no more");
    }

    #[test]
    fn a_list_that_is_left_can_be_gone_on_with() {
        let mut pool = Pool::default();
        let mut first = pool.add_list([1, 2]);
        let second = pool.add_list([3]);
        let start = pool.make_last(first);
        pool.append(4);
        first = pool.list_since(start);
        assert_eq!((pool.get(first), pool.get(second)), (&[1, 2, 4][..], &[3][..]));
        assert_eq!(pool.make_last(first), start, "it is the last one already");
    }
}

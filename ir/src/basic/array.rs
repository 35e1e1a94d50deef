//! Arrays as values: an update never changes an array, but creates another one.
//!
//! The elements are in a trie of sixteen-way nodes, keyed by the digits of the
//! index from the lowest on. An update copies the nodes on its path and shares
//! all others with the previous array; nodes that are not shared are written in
//! place. Consecutive indices fill the trie evenly, and it is never deeper than
//! the sixteen digits of an index, so walking and dropping it need no work
//! list.

use super::machine::mix;
use crate::interp::Content;
use std::fmt;
use std::sync::Arc;

/// An array: the content of each element, which may be undefined.
///
/// Two arrays are equal if they have the same content at every index.
///
/// # Complexity
/// Cloning and identity comparison are O(1); equal arrays are compared element by element, unless they are clones.
/// Reading and [updating](super::Op::Update) an element is O(log *n*) for consecutive indices, and visits sixteen nodes
/// at worst.
#[derive(Clone)]
pub struct Array {
    base: Content<i64>,
    root: Arc<Node>,
    /// The number of elements that differ from the base array.
    num_changed: usize,
    /// The sum of the hashes of the changed elements.
    hash: u64,
}

#[derive(Clone, Default)]
struct Node {
    /// A bit for each digit that has a child.
    present: u16,
    /// The children, by digit.
    children: Vec<Child>,
}

#[derive(Clone)]
enum Child {
    Element(i64, Content<i64>),
    Node(Arc<Node>),
}

/// Bits of a digit.
const BITS: u32 = 4;

impl Array {
    /// The array before any update: undefined, or the one that an opaque call has returned.
    pub(super) fn new(base: Content<i64>) -> Self {
        Self { base, root: Arc::default(), num_changed: 0, hash: 0 }
    }

    /// The base of the array before any update: undefined, or the number of the array that an opaque call has returned.
    pub fn base(&self) -> Content<i64> {
        self.base
    }

    /// The content at `index`.
    pub fn element(&self, index: i64) -> Content<i64> {
        self.root.element(index).unwrap_or_else(|| initial(self.base, index))
    }

    /// The indices of the elements that updates have changed, in ascending order, with their contents.
    ///
    /// # Complexity
    /// O(*n* log *n*) in their number.
    pub fn changed(&self) -> Vec<(i64, Content<i64>)> {
        let mut changed: Vec<_> = self.entries().filter(|&(index, element)| self.is_changed(index, element)).collect();
        changed.sort_unstable_by_key(|&(index, _)| index);
        changed
    }

    /// Whether no element differs from the base array.
    pub(super) fn is_unchanged(&self) -> bool {
        self.num_changed == 0
    }

    /// A hash of all elements.
    pub(super) fn hash(&self) -> u64 {
        mix(self.hash ^ self.base.known().map_or(0, |number| mix(number as u64)))
    }

    /// Stores `element` at `index`.
    pub(super) fn set(&mut self, index: i64, element: Content<i64>) {
        let before = self.root.element(index).unwrap_or_else(|| initial(self.base, index));
        if before == element {
            return;
        }
        if self.is_changed(index, before) {
            self.num_changed -= 1;
            self.hash = self.hash.wrapping_sub(mixed(index, before));
        }
        if self.is_changed(index, element) {
            self.num_changed += 1;
            self.hash = self.hash.wrapping_add(mixed(index, element));
        }
        store(&mut self.root, index, element);
    }

    /// Whether the base array has another content at `index` than `element`.
    fn is_changed(&self, index: i64, element: Content<i64>) -> bool {
        element != initial(self.base, index)
    }

    /// The elements in the trie, in no particular order.
    fn entries(&self) -> impl Iterator<Item = (i64, Content<i64>)> {
        let mut work = vec![self.root.children.iter()];
        std::iter::from_fn(move || {
            loop {
                match work.last_mut()?.next() {
                    Some(&Child::Element(index, element)) => return Some((index, element)),
                    Some(Child::Node(node)) => work.push(node.children.iter()),
                    None => drop(work.pop()),
                }
            }
        })
    }
}

/// The content of a base array at `index`: a small number, if an opaque call has returned the array.
pub(super) fn initial(base: Content<i64>, index: i64) -> Content<i64> {
    match base {
        Content::Undefined => Content::Undefined,
        Content::Known(number) => Content::Known((mix(number as u64 ^ mix(index as u64)) >> 8) as i64 % 32),
    }
}

fn mixed(index: i64, element: Content<i64>) -> u64 {
    mix(mix(index as u64) ^ element.known().map_or(0x5eed, |number| mix(number as u64)))
}

/// The digit of `index` that selects a child of the nodes at this depth.
fn digit(index: i64, depth: u32) -> u32 {
    (index as u64 >> (BITS * depth)) as u32 & ((1 << BITS) - 1)
}

impl Node {
    fn element(&self, index: i64) -> Option<Content<i64>> {
        let (mut node, mut depth) = (self, 0);
        loop {
            match node.children.get(node.place(digit(index, depth)).ok()?)? {
                Child::Element(there, element) => return (*there == index).then_some(*element),
                Child::Node(next) => node = next,
            }
            depth += 1;
        }
    }

    /// The position of the child for a digit, or where to insert it.
    fn place(&self, digit: u32) -> Result<usize, usize> {
        let bit = 1 << digit;
        let place = (self.present & (bit - 1)).count_ones() as usize;
        if self.present & bit == 0 { Err(place) } else { Ok(place) }
    }

    /// A node with a single element.
    fn with(index: i64, element: Content<i64>, depth: u32) -> Self {
        Self { present: 1 << digit(index, depth), children: vec![Child::Element(index, element)] }
    }
}

/// Stores `element` at `index`, copying shared nodes on the path.
fn store(root: &mut Arc<Node>, index: i64, element: Content<i64>) {
    let (mut node, mut depth) = (Arc::make_mut(root), 0);
    loop {
        let place = match node.place(digit(index, depth)) {
            Ok(place) => place,
            Err(place) => {
                node.present |= 1 << digit(index, depth);
                return node.children.insert(place, Child::Element(index, element));
            }
        };
        depth += 1;
        let child = &mut node.children[place];
        if let Child::Element(there, held) = child {
            if *there == index {
                *held = element;
                return;
            }
            // The two indices agree in the digits so far, and differ in a later one.
            *child = Child::Node(Arc::new(Node::with(*there, *held, depth)));
        }
        let Child::Node(next) = child else { return };
        node = Arc::make_mut(next);
    }
}

/// The changed elements by index: `[0: 5, 2: 7]`; after the number of the base array, if there is one.
impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Content::Known(number) = self.base {
            write!(f, "{number}")?;
        }
        f.write_str("[")?;
        for (place, (index, element)) in self.changed().into_iter().enumerate() {
            write!(f, "{}{index}: {element}", if place == 0 { "" } else { ", " })?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        let mut entries = self.entries();
        (self.base, self.num_changed, self.hash) == (other.base, other.num_changed, other.hash)
            && (Arc::ptr_eq(&self.root, &other.root) || entries.all(|(index, element)| other.element(index) == element))
    }
}

impl Eq for Array {}

//! The value that a variable holds at the end of each block of a finished function.

use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, Value};

/// What is known of the value of a variable at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    /// It is the one at the top.
    AsAtTop,
    /// This value, whatever the variable holds at the top.
    Value(Value),
    /// No value of the result.
    Nothing,
}

/// What a variable holds on the paths seen so far: it changes from unknown to a value to nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Unknown,
    Value(Value),
    Nothing,
}

impl Held {
    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, other) => other,
            (this, Self::Unknown) => this,
            (this, other) if this == other => this,
            _ => Self::Nothing,
        }
    }
}

/// By block, the value that a variable holds at the end on every path from `entry`; `None` if there is none.
///
/// `left` has what is known of each block, and `on_entry` is the value of the variable where control enters. Unreachable
/// blocks have no value, and edges from them do not count. O(blocks + edges): each edge is followed at most three times.
pub fn values_at_ends<T: IntoIterator<Item = Block>>(
    entry: Block,
    on_entry: Option<Value>,
    left: &IdMap<Block, AtEnd>,
    targets: impl Fn(Block) -> T,
) -> IdMap<Block, Option<Value>> {
    let mut tops = IdMap::filled(left.len(), Held::Unknown);
    let mut ends = tops.clone();
    let mut work = Vec::new();
    if left.get(entry).is_some() {
        tops[entry] = on_entry.map_or(Held::Nothing, Held::Value);
        work.push(entry);
    }
    while let Some(block) = work.pop() {
        let end = match left[block] {
            AtEnd::AsAtTop => tops[block],
            AtEnd::Value(value) => Held::Value(value),
            AtEnd::Nothing => Held::Nothing,
        };
        if core::mem::replace(&mut ends[block], end) == end {
            continue;
        }
        for target in targets(block) {
            tops[target] = tops[target].meet(end);
            work.push(target);
        }
    }
    ends.values().map(|&end| if let Held::Value(value) = end { Some(value) } else { None }).collect()
}

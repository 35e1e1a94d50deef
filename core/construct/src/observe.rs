//! Each state change of a construction is one event to an observer.
//!
//! `Builder<()>` pays nothing: the calls are empty and vanish. The explorer,
//! the tests and "why is this phi here?" are observers.

use crate::error::Stopped;
use ssaphire_graph::{Block, Value, Variable};

/// Hears every state change of a construction, in order.
pub trait Observer {
    /// Whether the observer does anything with events; where not, none are put together.
    const HEARS: bool = true;

    /// Hears one event.
    ///
    /// * Called: after the change it tells of.
    /// * State: the builder is in the middle of a call.
    /// * May change: the observer.
    fn event(&mut self, event: Event);
}

/// A builder that tells an observer of every state change.
pub trait Observed {
    /// What hears of them.
    type Observer: Observer;

    /// The observer.
    fn observer(&self) -> &Self::Observer;

    /// The observer, to be changed.
    fn observer_mut(&mut self) -> &mut Self::Observer;
}

/// Hears nothing.
impl Observer for () {
    const HEARS: bool = false;

    #[inline(always)]
    fn event(&mut self, _event: Event) {}
}

/// Collects the events.
impl Observer for alloc::vec::Vec<Event> {
    fn event(&mut self, event: Event) {
        self.push(event);
    }
}

/// One state change of a construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Edge number `index` into `to` was added; it leaves `from` by `slot`.
    EdgeAdded {
        /// The block it leaves.
        from: Block,
        /// Its position in the terminator.
        slot: u32,
        /// The block it enters.
        to: Block,
        /// Its position among the incoming edges: its operand index.
        index: u32,
    },
    /// The edge that leaves `from` by `slot` enters `to` and not `before`, and has done so since it was added.
    EdgeRedirected {
        /// The block it leaves.
        from: Block,
        /// Its position in the terminator.
        slot: u32,
        /// The block it entered.
        before: Block,
        /// The block it enters.
        to: Block,
        /// Its position among the incoming edges of `to`: its operand index.
        index: u32,
    },
    /// All accesses of the block are recorded.
    Filled {
        /// The block.
        block: Block,
    },
    /// All incoming edges of the block are known. Comes before its incomplete phis get operands.
    Sealed {
        /// The block.
        block: Block,
    },
    /// The variable was written.
    Write {
        /// Where.
        block: Block,
        /// The variable.
        variable: Variable,
        /// What it holds from here on.
        value: Value,
    },
    /// The variable was read, and the value handed out.
    Read {
        /// Where.
        block: Block,
        /// The variable.
        variable: Variable,
        /// What it holds.
        value: Value,
        /// The number of the read, if the caller gave one.
        site: Option<u32>,
    },
    /// The block is where control enters; without this event block 0 is.
    Entry {
        /// The block.
        block: Block,
    },
    /// So many incoming edges were announced for the block.
    Expected {
        /// The block.
        block: Block,
        /// Number of edges.
        edges: u32,
    },
    /// A hint was given at the loop header; the variables it names follow.
    Hint {
        /// The header.
        header: Block,
    },
    /// The hint at the loop header names the variable.
    HintedWrite {
        /// The header.
        header: Block,
        /// The variable.
        variable: Variable,
    },
    /// The caller said what the variable holds when control enters.
    Initial {
        /// The variable.
        variable: Variable,
        /// What it holds.
        value: Value,
    },
    /// The host was asked what the variable holds where no write reaches.
    Undefined {
        /// The variable.
        variable: Variable,
        /// The host's answer.
        value: Value,
    },
    /// A phi was made in an unsealed block; its operands come when the block is sealed.
    IncompletePhi {
        /// The unsealed block.
        block: Block,
        /// The variable.
        variable: Variable,
        /// The phi.
        phi: Value,
    },
    /// A phi was made at a join.
    PhiMade {
        /// The join.
        block: Block,
        /// The variable.
        variable: Variable,
        /// The phi.
        phi: Value,
    },
    /// A lookup of the variable entered the join without making a phi (`marker`).
    MarkSet {
        /// The join.
        block: Block,
        /// The variable.
        variable: Variable,
    },
    /// The lookup left the join again (`marker`).
    MarkCleared {
        /// The join.
        block: Block,
        /// The variable.
        variable: Variable,
    },
    /// A lookup of the variable found blocks that pass what it holds in a cycle, and has decided them (`scc`).
    ///
    /// Not told of a block by itself.
    Component {
        /// The one of them that was met first.
        block: Block,
        /// The variable.
        variable: Variable,
        /// Number of blocks.
        blocks: u32,
        /// How many of them get a phi next: none if a single value enters.
        phis: u32,
    },
    /// A lookup of the variable, or a seal, has collected what there is to decide at once (`region`).
    ///
    /// Not told of a block by itself. The phis of the region are made next.
    Region {
        /// Where it began.
        block: Block,
        /// The variable.
        variable: Variable,
        /// Number of blocks whose value is open, and of incomplete phis.
        blocks: u32,
    },
    /// The phi got its operand for one incoming edge.
    OperandAdded {
        /// The phi.
        phi: Value,
        /// The incoming edge's position.
        index: u32,
        /// What it stands for now.
        value: Value,
    },
    /// From now on `from` stands for `to`.
    Forwarded {
        /// The value that no longer stands for itself.
        from: Value,
        /// What it stands for.
        to: Value,
        /// Why.
        reason: Reason,
    },
    /// Nothing uses the phi: it is not among the results.
    Dropped {
        /// The phi.
        phi: Value,
    },
    /// The phi is among the results.
    Kept {
        /// The phi.
        phi: Value,
    },
    /// A read that carried a site number may see an undefined variable.
    UndefinedRead {
        /// The number of the read.
        site: u32,
        /// Where.
        block: Block,
        /// The variable.
        variable: Variable,
        /// Whether every path or only some path leaves it undefined.
        certainty: Certainty,
    },
    /// The builder accepts nothing but `clear`.
    Stopped {
        /// Why.
        why: Stopped,
    },
}

/// Why a value stands for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A trivial phi: its operands are itself and at most one other value (Algorithm 3).
    Trivial,
    /// A phi of a block up to which, from its dominator, nothing writes the variable (`auto`).
    Unwritten,
    /// A phi in unreachable code: it merges nothing but itself.
    Unreachable,
    /// A redundant set of phis merges the one value (Algorithm 5).
    Redundant,
    /// The host said so.
    Replaced,
    /// What the read finds was decided when the function was there as a whole, by a constructor that takes it so.
    Decided,
}

/// How sure it is that a read sees an undefined variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// On some path from the entry no definition reaches the read.
    MayBe,
    /// No definition reaches the read: on every path from the entry the variable has not been written, or was last
    /// assigned a copy of a variable that had not.
    Is,
}

/// A read that carried a site number and may see an undefined variable.
///
/// As [`Event::UndefinedRead`] tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndefinedRead {
    /// The number of the read.
    pub site: u32,
    /// Where.
    pub block: Block,
    /// The variable.
    pub variable: Variable,
    /// Whether every path or only some path leaves it undefined.
    pub certainty: Certainty,
}

impl UndefinedRead {
    /// What a builder reports of the read with the number `site`.
    pub const fn new(site: u32, block: Block, variable: Variable, certainty: Certainty) -> Self {
        Self { site, block, variable, certainty }
    }
}

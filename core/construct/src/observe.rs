//! Each state change of a construction is one event to an observer.
//!
//! For `Builder<()>` events cost nothing: the calls are empty, and inlined. The
//! explorer, the tests and "why is this phi here?" are observers.

use crate::error::Stopped;
use ssaphire_graph::{Block, Value, Variable};

/// Receives every state change of a construction, in order.
pub trait Observer {
    /// Whether the observer uses events; if not, the builder creates none.
    const HEARS: bool = true;

    /// Receives one event.
    ///
    /// * Called: after the change that the event describes.
    /// * State: the builder is in the middle of a call.
    /// * May change: the observer.
    fn event(&mut self, event: Event);
}

/// A builder that reports every state change to an observer.
pub trait Observed {
    /// The type of the observer.
    type Observer: Observer;

    /// The observer.
    fn observer(&self) -> &Self::Observer;

    /// The observer, mutably.
    fn observer_mut(&mut self) -> &mut Self::Observer;
}

/// Ignores all events.
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
    /// The edge that leaves `from` by `slot` was redirected from `before` to `to`, as if it had always entered `to`.
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
        /// The block.
        block: Block,
        /// The variable.
        variable: Variable,
        /// Its value from here on.
        value: Value,
    },
    /// The variable was read, and the value returned.
    Read {
        /// The block.
        block: Block,
        /// The variable.
        variable: Variable,
        /// Its value.
        value: Value,
        /// The site number of the read, if the caller gave one.
        site: Option<u32>,
    },
    /// The block was made the entry; without this event, block 0 is the entry.
    Entry {
        /// The block.
        block: Block,
    },
    /// The number of incoming edges was announced for the block.
    Expected {
        /// The block.
        block: Block,
        /// Number of edges.
        edges: u32,
    },
    /// The caller declared the initial value of the variable.
    Initial {
        /// The variable.
        variable: Variable,
        /// Its value.
        value: Value,
    },
    /// The host returned the value that the variable holds where no write reaches.
    Undefined {
        /// The variable.
        variable: Variable,
        /// The value returned.
        value: Value,
    },
    /// A phi was made in a block that is not sealed, or whose dominator is not known yet.
    /// It gets its operands once the block is sealed and, if the engine looks for it, its dominator is found.
    IncompletePhi {
        /// The block.
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
    /// A lookup of the variable found a strongly connected component of blocks, and has decided it (`scc`).
    ///
    /// Not reported for a single block.
    Component {
        /// The block of the component that was visited first.
        block: Block,
        /// The variable.
        variable: Variable,
        /// Number of blocks.
        blocks: u32,
        /// Number of the blocks that get a phi next: 0 if a single value enters the component.
        phis: u32,
    },
    /// A lookup of the variable, or a seal, has collected the blocks and phis to decide together (`region`).
    ///
    /// Not reported for a single block. The phis of the region are made next.
    Region {
        /// The block where it began.
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
        /// The value that the operand resolves to at this point.
        value: Value,
    },
    /// `from` is now forwarded to `to`.
    Forwarded {
        /// The forwarded value.
        from: Value,
        /// The value that it is forwarded to.
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
        /// The site number of the read.
        site: u32,
        /// The block.
        block: Block,
        /// The variable.
        variable: Variable,
        /// Whether every path or only some path leaves it undefined.
        certainty: Certainty,
    },
    /// The builder accepts only `clear`.
    Stopped {
        /// Why.
        why: Stopped,
    },
}

/// Why a value is forwarded to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A trivial phi: its operands are itself and at most one other value (Algorithm 3).
    Trivial,
    /// A phi of a block such that nothing writes the variable between the block's dominator and the block (`auto`).
    Unwritten,
    /// A phi in unreachable code: it merges nothing but itself.
    Unreachable,
    /// A phi of a redundant set, which merges only this value (Algorithm 5).
    Redundant,
    /// The host replaced the value.
    Replaced,
    /// A placeholder for a read, decided at the end by a constructor that works on the complete function.
    Decided,
}

/// Whether a read certainly or possibly sees an undefined variable.
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
/// The same data as [`Event::UndefinedRead`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndefinedRead {
    /// The site number of the read.
    pub site: u32,
    /// The block.
    pub block: Block,
    /// The variable.
    pub variable: Variable,
    /// Whether every path or only some path leaves it undefined.
    pub certainty: Certainty,
}

impl UndefinedRead {
    /// The report of a builder about the read with the site number `site`.
    pub const fn new(site: u32, block: Block, variable: Variable, certainty: Certainty) -> Self {
        Self { site, block, variable, certainty }
    }
}

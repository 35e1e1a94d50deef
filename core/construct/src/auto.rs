//! The default construction: on the fly, with a row of reaching definitions for each node of the dominator tree.
//!
//! | phase | file |
//! |---|---|
//! | reads and writes; a block becomes the current one, and gets a node if it needs one | `access` |
//! | its row is copied from its dominator's | `current_def`; where rows would be large, `history` |
//! | a block is filled | `edges` |
//! | a block is sealed and linked below its dominator | `seal`, `link`, `group`, `waiting`, `heaps`, `dominators`, `jumps` |
//! | its incomplete phis get operands, or wait for an open block above | `seal`, `lookup`, `deferred`, `unwritten` |
//! | what a variable holds at the top of a join | `lookup`; which joins it passes though it shares a bit | `region` |
//! | redundant phis are removed, those that stay are listed | `suspects`, `copies`, `finish` |
//! | what variables hold at the ends of blocks, for debug information | `debug_values` |
//!
//! A read is a load and a test, a write a store. A block gets a *node* of the dominator tree when it needs one: at its
//! first write, or when a variable may have another value than in its dominator. Until then it shares the node of its
//! dominator. Nodes are numbered in the order in which they are created ([`NodeId`](node_id)).
//!
//! Each node has a *row*, with a *cell* for each variable. A cell contains a value, or the name of a node whose *top*
//! has the answer; a read that finds such a name decides it, and creates a phi only if different values meet (Braun et
//! al. 2013, section 3.3: the marker algorithm).
//!
//! # Invariants
//! 1. *A node is newer than its dominators.* A block is linked only below an older node; otherwise it stays a root.
//! 2. *Every path to a block passes the root above it,* whatever edges are added later: all edges of a linked block are
//!    known, and each comes from a block below the same root.
//! 3. *The mask of a linked block has every variable that is written between its dominator and the block.* It is the
//!    union of the variables written by the blocks between the two, as found by climbing from its predecessors; exact
//!    for 64 variables, and a Bloom filter for more.
//! 4. *A cell is right.* If it holds a value, the variable has that value at the end of the block, or the value that
//!    this one is forwarded to. If it names a node, that is the node of the block or dominates it, and the variable has
//!    its value at the top of that node: by 3, nothing was written since.
//! 5. *The cells of a filled block change only to equal values:* from a top to its value, or along forwarding. So
//!    copies of the row stay right, and a block without writes may share the node of its dominator, as long as nothing
//!    is written in between.
//! 6. *No phi is redundant* if its block is linked below its immediate dominator, and its variable shares no bit and
//!    was never assigned a value already in use: it is in the iterated dominance frontier of a write (see `copies`).
//!    `finish` examines only the other phis.
//!
//! Tests compare 1 to 4 with the dominators that `graph` computes, after each seal (`invariants`).
//!
//! # Complexity
//! Memory: at most 64 bytes of rows for each call plus 4 MiB, or a definition for each access, phi and decided join.
//! Time: O(1) for an access that the row answers; with rows, O(variables) for each node, eight cells at a time;
//! without, O(log *n*) for each leap. Climbs take O(1) for each block and edge, beyond that O(log *n*); each operand
//! examined is one step.
//!
//! # Departures
//! Braun et al. 2013 look up definitions block by block, and store one in each. Here a lookup passes a join without
//! following its edges if no write needs a phi there. A removed phi is forwarded, and its users are not rewritten; phis
//! that become trivial by this are left to `minimize`. Blocks that are sealed together are all linked before the phis
//! of any of them get operands. A lookup that reaches unreachable code ends there with the undefined value, and edges
//! known to come from unreachable code are ignored.

mod access;
mod bloom;
mod calls;
mod climber;
mod copies;
mod current_def;
mod debug_values;
mod deferred;
mod dominators;
mod edges;
mod everyday;
mod finish;
mod group;
mod heaps;
mod history;
#[cfg(test)]
mod invariants;
mod jumps;
mod link;
mod lookup;
mod node_id;
mod phis;
mod region;
mod seal;
mod suspects;
#[cfg(test)]
mod tests;
mod unwritten;
mod waiting;

use crate::entry_values::EntryValues;
use crate::error::{CallErrorKind, Stopped};
use crate::host::PhiHost;
use crate::in_use::InUse;
use crate::observe::{Event, Observed, Observer, Reason};
use crate::options::Options;
use crate::protocol::Blocks;
use crate::result::IncomingEdge;
use crate::sited_reads::SitedReads;
use crate::stats::Stats;
use crate::values::{PhiId, Values};
use alloc::vec::Vec;
use bloom::VariableMask;
use node_id::NodeId;
use phis::{Phi, Phis, State};
use ssaphire_graph::{Block, Id, PackedOption, Value, Variable};

/// The builder's own data of a block, besides the protocol's.
#[derive(Clone, Copy, Debug, Default)]
struct BlockOwn {
    /// The variables that may be written between its dominator and its top, once they are known.
    between: VariableMask,
    /// Its node, if it has one: its own, or its dominator's while it shares that.
    node: PackedOption<NodeId>,
    /// Once it is sealed, the node of its dominator, if that is known; before, that of the source of its first edge.
    above: PackedOption<NodeId>,
    /// Its first edge in `joins`, once it is sealed, if it has several edges or had a node before.
    first_edge: u32,
    last_phi: PackedOption<PhiId>,
}

/// The block whose accesses are recorded: it has a node, and is not filled.
#[derive(Clone, Copy, Debug)]
struct Current {
    /// `None` if calls cannot take the fast path.
    block: PackedOption<Block>,
    /// The block, if its node is its own.
    written_block: PackedOption<Block>,
    node: NodeId,
    /// The position of its row in the table of cells.
    row_start: usize,
    /// The variables written since it became the current block.
    written: VariableMask,
}

impl Current {
    const NONE: Self = Self {
        block: PackedOption::NONE,
        written_block: PackedOption::NONE,
        node: NodeId::FIRST,
        row_start: 0,
        written: VariableMask::EMPTY,
    };
}

/// The edges of sealed blocks that have several edges, or had a node before: each block's by operand index.
///
/// Entries from `num_edges` on are left from earlier functions.
#[derive(Clone, Debug, Default)]
struct Joins {
    edges: Vec<IncomingEdge>,
    /// The nodes of the blocks that the edges leave.
    sources: Vec<NodeId>,
    num_edges: usize,
}

impl Joins {
    fn clear(&mut self) {
        self.num_edges = 0;
    }

    /// Makes room for `num_edges` edges of one block; returns its start.
    #[inline]
    fn take(&mut self, num_edges: usize) -> usize {
        let first = self.num_edges;
        self.num_edges += num_edges;
        if self.num_edges > self.sources.len() {
            self.grow();
        }
        first
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let len = self.num_edges + self.num_edges / 2 + 16;
        self.edges.reserve_exact(len - self.edges.len());
        self.sources.reserve_exact(len - self.sources.len());
        self.edges.resize(len, IncomingEdge { source: Block::new(0), slot: 0 });
        self.sources.resize(len, NodeId::FIRST);
    }

    #[inline]
    fn sources(&self, first: usize, num_edges: usize) -> &[NodeId] {
        &self.sources[first..][..num_edges]
    }
}

/// Builds the SSA form of one function after another, while the caller walks it.
///
/// The methods here are the calls that every front end makes. They panic if they are out of order, at the caller's
/// line; the `try_` forms of [`SsaBuilder`](crate::SsaBuilder) return errors. That trait and
/// [`SsaBuilderExt`](crate::SsaBuilderExt) have the other calls, too: late edges, sites, replaced values.
///
/// # Examples
/// See the front page of the crate `ssaphire`.
#[derive(Clone, Debug)]
pub struct Builder<O: Observer = ()> {
    options: Options,
    observer: O,
    stopped: Option<Stopped>,
    blocks: Blocks<BlockOwn>,
    current: Current,
    tree: dominators::Tree,
    defs: current_def::CurrentDef,
    phis: Phis,
    values: Values,
    on_entry: EntryValues,
    copies: copies::Copies,
    in_use: InUse,
    /// Number of variables that `declare_variable` has returned.
    num_declared: u32,
    /// Whether invariant 6 holds for all phis so far, apart from shared bits and values in use.
    is_exact: bool,
    joins: Joins,
    lookup: lookup::Scratch,
    regions: region::Regions,
    /// Number of edges followed needlessly, and of deferred phis that had to be examined.
    num_needless: u64,
    seal: seal::Scratch,
    waiting: waiting::Waiting,
    linking: link::Scratch,
    deferred: deferred::Deferred,
    unwritten: unwritten::Unwritten,
    finish: finish::Scratch,
    sited_reads: SitedReads,
    stats: Stats,
}

impl<O: Observer> Observed for Builder<O> {
    type Observer = O;

    fn observer(&self) -> &O {
        &self.observer
    }

    fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// A builder with the default options.
    pub fn new() -> Self {
        Self::with_options(Options::default())
    }

    /// A builder with the given options.
    pub fn with_options(options: Options) -> Self {
        Self::with_observer(options, ())
    }
}

impl<O: Observer> Builder<O> {
    /// A builder that reports every state change to `observer`.
    pub fn with_observer(options: Options, observer: O) -> Self {
        Self {
            observer,
            stopped: None,
            blocks: Blocks::below(options.ids.blocks),
            current: Current::NONE,
            tree: dominators::Tree::new(options.thresholds),
            defs: current_def::CurrentDef::new(&options),
            phis: Phis::default(),
            values: Values::default(),
            on_entry: EntryValues::default(),
            copies: copies::Copies::default(),
            in_use: InUse::default(),
            num_declared: 0,
            is_exact: true,
            joins: Joins::default(),
            lookup: lookup::Scratch::default(),
            regions: region::Regions::default(),
            num_needless: 0,
            seal: seal::Scratch::default(),
            waiting: waiting::Waiting::default(),
            linking: link::Scratch::default(),
            deferred: deferred::Deferred::default(),
            unwritten: unwritten::Unwritten::default(),
            finish: finish::Scratch::default(),
            sited_reads: SitedReads::default(),
            stats: Stats::default(),
            options,
        }
    }

    #[inline]
    fn running(&self) -> Result<(), Stopped> {
        if self.stopped.is_none() { Ok(()) } else { self.refuse() }
    }

    /// Fails if the builder accepts only `clear`. Out of line, away from the calls that go on.
    #[cold]
    #[inline(never)]
    fn refuse(&self) -> Result<(), Stopped> {
        self.stopped.map_or(Ok(()), Err)
    }

    #[cold]
    fn stop(&mut self, why: Stopped) -> Stopped {
        self.stopped = Some(why);
        self.current = Current::NONE;
        self.seal.queue.unsettle();
        self.observer.event(Event::Stopped { why });
        why
    }

    /// Counts steps against the work budget.
    #[inline]
    fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        self.stats.work += steps;
        match self.options.work_limit {
            Some(limit) if self.stats.work > limit => Err(self.stop(Stopped::OutOfWork { limit })),
            _ => Ok(()),
        }
    }

    fn name_entry(&mut self, entry: Block) -> Result<(), CallErrorKind> {
        self.running()?;
        self.blocks.name_entry(entry, &self.options.ids)?;
        self.observer.event(Event::Entry { block: entry });
        Ok(())
    }

    /// The node of the block, its own or a shared one.
    #[inline]
    fn node_of(&self, block: Block) -> Option<NodeId> {
        self.blocks.find(block)?.own.node.expand()
    }

    /// The host's value for `variable` where no write reaches.
    fn undefined(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Result<Value, Stopped> {
        if let Some(value) = self.on_entry.undefined(variable) {
            return Ok(self.values.resolve(value));
        }
        let value = host.undefined(variable);
        let check = self.in_use.check_undefined(&self.values, &self.options.ids, (value, variable));
        if let Err(error) = check {
            return Err(self.stop(Stopped::Contract(error)));
        }
        if !self.copies.take_fresh(value) {
            self.copies.note_again(variable);
        }
        self.on_entry.set_undefined(variable, value);
        self.values.undefined.insert(value);
        self.observer.event(Event::Undefined { variable, value });
        Ok(self.values.resolve(value))
    }

    fn forward(&mut self, host: &mut dyn PhiHost, from: Value, to: Value, reason: Reason) {
        self.values.set_forward(from, to);
        host.forwarded(from, to);
        self.observer.event(Event::Forwarded { from, to, reason });
    }

    fn make_phi(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        state: State,
    ) -> Result<PhiId, Stopped> {
        let value = host.new_phi(block, variable);
        // A value with a number above all others is not in use.
        if !self.copies.is_plain_write(value) {
            let check = self.in_use.check_phi(&self.values, &self.options.ids, (value, block, variable));
            if let Err(error) = check {
                return Err(self.stop(Stopped::Contract(error)));
            }
            self.copies.take_fresh(value);
        }
        let data = self.blocks.get_mut(block);
        let is_open = data.is_open();
        let phi = PhiId::new(self.phis.table.len());
        let before = data.own.last_phi.replace(phi);
        self.phis.table.push(Phi { value, block, variable, first_operand: 0, before, state, is_returned: false });
        self.values.set_phi(value, phi);
        self.stats.phis_made += 1;
        self.stats.incomplete_phis += u64::from(is_open);
        self.observer.event(match is_open {
            true => Event::IncompletePhi { block, variable, phi: value },
            false => Event::PhiMade { block, variable, phi: value },
        });
        Ok(phi)
    }

    /// Asks the host whether it is strict; if not, release builds stop listing the values in use.
    #[cold]
    fn ask_strictness(&mut self, host: &dyn PhiHost) {
        if !cfg!(debug_assertions) && !host.is_strict() && !self.in_use.ignore() {
            self.copies.pass_new_values_below(self.options.ids.values);
        }
    }
}

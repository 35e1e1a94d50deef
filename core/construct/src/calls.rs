//! The calls by which a function is told, whatever constructs its SSA form.

use crate::error::{
    EdgeError, EntryError, FinishError, InitialError, ReadError, ReplaceError, SealError, Stopped, WriteError, or_panic,
};
use crate::host::PhiHost;
use crate::observe::UndefinedRead;
use crate::options::Options;
use crate::result::Ssa;
use crate::stats::Stats;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, IdError, Value, Variable};

/// What builds the SSA form of one function after another, while the caller walks it.
///
/// The caller names blocks, variables and values by dense ids of its own
/// choosing; memory grows on first mention. Per block: record its
/// accesses with [`write_variable`](Self::write_variable) and
/// [`read_variable`](Self::read_variable), then [`terminate`](Self::terminate)
/// it; [`seal_block`](Self::seal_block) as soon as all edges into it are
/// there. At the end [`finish`](Self::finish) returns the phis.
///
/// # Contract
/// Every value handed out stays valid until the result is written, and may by then stand
/// for another. The entry is block 0 unless [`set_entry`](Self::set_entry)
/// names another; it has no incoming edges. Where there is a `try_x`, the call
/// `x` panics with the words of the error that `try_x` returns;
/// [`finish`](Self::finish), [`announce`](Self::announce) and
/// [`set_entry`](Self::set_entry) have no twin and return theirs.
pub trait SsaBuilder {
    /// How the builder works.
    fn options(&self) -> &Options;

    /// Counters of this function so far.
    fn stats(&self) -> &Stats;

    /// The block where control enters.
    fn entry(&self) -> Block;

    /// Whether no block has been mentioned since the last [`clear`](Self::clear); initial values may have been given.
    fn is_new(&self) -> bool;

    /// The block that the edge leaving `from` by `slot` enters.
    ///
    /// # Complexity
    /// O(slot).
    fn target(&self, from: Block, slot: u32) -> Option<Block>;

    /// Whether all accesses of `block` are recorded.
    fn is_filled(&self, block: Block) -> bool;

    /// The blocks that were mentioned and are not filled, in id order.
    ///
    /// # Complexity
    /// O(*n*).
    fn unfilled_blocks(&self) -> Vec<Block>;

    /// Whether all incoming edges of `block` are known: it was sealed, or as many as it expects are there.
    fn is_sealed(&self, block: Block) -> bool;

    /// Whether `block` is known to be unreachable: sealed without incoming edges, and not the entry.
    ///
    /// Code that only unreachable blocks lead to is found at `finish`.
    fn is_unreachable(&self, block: Block) -> bool;

    /// Why the builder accepts nothing but [`clear`](Self::clear), if it does so.
    fn stopped(&self) -> Option<Stopped>;

    /// After `finish`: the sited reads that may see an undefined variable, in the order of the reads.
    ///
    /// Empty unless [`Options::report_undefined_reads`](crate::Options::report_undefined_reads) is on.
    fn undefined_reads(&self) -> &[UndefinedRead];

    /// Forgets the function and is ready for the next; keeps memory, options and observer.
    fn clear(&mut self);

    /// Changes the [work limit](Options::work_limit), for this function and those after it.
    fn set_work_limit(&mut self, steps: Option<u64>);

    /// Makes `entry` the block where control enters. It must be the first call for a function.
    ///
    /// # Errors
    /// If a block was mentioned before, the entry is not below the [limit](Options::ids), or the builder accepts nothing
    /// but `clear`.
    fn set_entry(&mut self, entry: Block) -> Result<(), EntryError>;

    /// Announces a finished graph: each block is sealed by itself when its last edge has been added.
    ///
    /// Operands then come in the order of the graph's incoming edges, whatever
    /// the order in which blocks are filled. Every block is still to be
    /// terminated, with the targets it has there. Blocks without incoming edges
    /// are sealed at once. Must be the first call for a function.
    ///
    /// # Errors
    /// If a block was mentioned before, or edges enter the entry, or a block is not below the [limit](Options::ids).
    ///
    /// # Complexity
    /// O(*n* + *e*).
    fn announce(&mut self, cfg: &FlatCfg) -> Result<(), EntryError>;

    /// Says that `variable` holds `value` when control enters: a parameter, or a constant the language begins with.
    ///
    /// Costs less than a write in the entry, and nothing for a variable that is
    /// never read. Without it and without a write the variable is undefined.
    ///
    /// # Errors
    /// If the variable has been written in the entry, or looked up there, or
    /// found undefined in unreachable code, or has an initial value; or an id is not below its [limit](Options::ids).
    fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), InitialError>;

    /// Says that `value` has its content before control enters: a constant or a parameter.
    ///
    /// So [`PhiHost::undefined`] may return it even where it was written before. An initial value
    /// ([`set_initial`](Self::set_initial)) is global without this.
    ///
    /// # Errors
    /// If the value is not below the [limit](Options::ids).
    fn try_global(&mut self, value: Value) -> Result<(), IdError>;

    /// From here to the end of `block`, or to its next write, `variable` holds `value` (Algorithm 1).
    ///
    /// A value that a read has handed out makes it a copy. For a judge any other value is made where it is first
    /// written, unless the builder that certifies was told something else.
    ///
    /// # Errors
    /// If the block is filled, or an id is not below its [limit](Options::ids).
    ///
    /// # Complexity
    /// O(1) expected.
    fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), WriteError>;

    /// What `variable` holds at this point of `block`, or at its end if it is filled (Algorithms 1 and 2).
    ///
    /// # Errors
    /// If an id is not below its [limit](Options::ids), the work budget is used up, or the host breaks its contract.
    ///
    /// # Complexity
    /// O(1) expected if the block knows; else one step per block passed, each passed once per variable in sealed code
    /// up to a factor of 16.
    fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, ReadError>;

    /// A read with a number of the caller's, under which it is reported if it may see an undefined variable.
    ///
    /// Several reads may have the same number: each of them is reported.
    ///
    /// See [`undefined_reads`](Self::undefined_reads), [`Event::UndefinedRead`](crate::Event::UndefinedRead) and
    /// [`Options::with_undefined_reads`](crate::Options::with_undefined_reads).
    ///
    /// # Errors
    /// As [`try_read_variable`](Self::try_read_variable).
    fn try_read_variable_at(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: u32,
    ) -> Result<Value, ReadError>;

    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
    ///
    /// # Errors
    /// If the block is filled already, or a target is the entry, sealed, or
    /// has all the edges it expects, or a block is not below the [limit](Options::ids). Then no edge has been added.
    ///
    /// # Complexity
    /// O(targets).
    fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError>;

    /// Terminates every block that is not filled, without targets, in id order: control never leaves it.
    ///
    /// For front ends that make blocks which some programs leave empty, such as the code behind an endless loop or a
    /// label that nothing follows. The host ends the same blocks as unreachable: [`unfilled_blocks`](Self::unfilled_blocks)
    /// names them before.
    ///
    /// # Errors
    /// If the graph was announced, and has targets for such a block; or if the builder has stopped.
    ///
    /// # Complexity
    /// O(*n*).
    fn try_terminate_rest(&mut self) -> Result<(), EdgeError> {
        self.unfilled_blocks().into_iter().try_for_each(|block| self.try_terminate(block, &[]))
    }

    /// Writes `variable` on the edge that leaves the filled block `from` by `slot`: at the head of its target.
    ///
    /// For operations that end their block because they may throw: the result
    /// is there in the normal successor, and the handler sees the variables as
    /// they were before.
    ///
    /// # Errors
    /// If there is no such edge, or its target is not sealed with that edge
    /// alone, or has accesses already (results of the same edge excepted); or an id is not below its
    /// [limit](Options::ids).
    fn try_write_on_edge(&mut self, from: Block, slot: u32, variable: Variable, value: Value)
    -> Result<(), WriteError>;

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
    ///
    /// # Errors
    /// If `from` is not filled, or `to` is the entry, sealed, or has all the edges it expects, or is not below the
    /// [limit](Options::ids).
    fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError>;

    /// Lets the edge that leaves `from` by `slot` enter `to`, as if it had done so from the beginning: what it entered before.
    ///
    /// For translations in one pass that learn later where a branch leads. Incoming edges stay ordered by when they
    /// were added.
    ///
    /// # Errors
    /// If there is no such edge, or the block it enters is sealed or in use, or `to` cannot take an edge. Then nothing
    /// has changed.
    ///
    /// # Complexity
    /// Amortized O(1), plus the incoming edges of `to` that were added after this one: so edges that go from one block
    /// to another are best redirected in the order in which they were added. O(slot) for late edges.
    fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, EdgeError>;

    /// Seals `block`: no edge into it will be added. Its incomplete phis get their operands.
    ///
    /// Seal a block as early as possible: lookups that meet an unsealed block
    /// leave an incomplete phi there. The entry may be sealed, but need not.
    ///
    /// # Errors
    /// If it is sealed already or expects more edges, or is not below the [limit](Options::ids), or the work budget
    /// is used up, or the host breaks its contract.
    ///
    /// # Complexity
    /// One lookup per incomplete phi and incoming edge.
    fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), SealError>;

    /// Seals `blocks`, in that order: no edge into any of them will be added.
    ///
    /// For the blocks by which control enters one irreducible loop, and other
    /// blocks that become ready at once: an engine may then decide their
    /// incomplete phis together (`region` does), and leave out some that it
    /// could not leave out one by one. A block named twice is sealed once.
    ///
    /// # Errors
    /// As [`try_seal_block`](Self::try_seal_block); then no block was sealed unless the builder stopped.
    fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), SealError>;

    /// Seals every mentioned block that is not sealed, in id order.
    ///
    /// Right at the end of a function whose jumps may lead anywhere; costs an
    /// incomplete phi per variable that a lookup carried through an unsealed block.
    ///
    /// # Errors
    /// As [`try_seal_block`](Self::try_seal_block).
    fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), SealError>;

    /// Announces that `block` will have `edges` incoming edges: it is sealed by itself when the last one is there, so
    /// where there are none, at once.
    ///
    /// # Errors
    /// If it is sealed already or has more edges than that, or the graph was announced and says otherwise, or the block is
    /// not below the [limit](Options::ids).
    fn try_expect_edges(&mut self, block: Block, edges: u32) -> Result<(), SealError>;

    /// Promises that in the loop of `header` only `variables` are written.
    ///
    /// A lookup of any other variable then passes the unsealed header without
    /// an incomplete phi, as long as the header has one incoming edge.
    ///
    /// # Contract
    /// The first edge that enters `header` comes from outside of its loop, and
    /// the others come from inside: on every path from `header` back to it by
    /// one of those, nothing but `variables` is written.
    /// A wrong promise gives a wrong result. `finish` finds it where
    /// [`Options::verify_hints`](crate::Options::verify_hints) says so, and the judge does.
    ///
    /// # Errors
    /// If the header is sealed already, or an id is not below its [limit](Options::ids).
    fn try_hint_loop_writes(&mut self, header: Block, variables: &[Variable]) -> Result<(), SealError>;

    /// The host says that `old`, which it wrote, is the same as `new`: it deleted, merged or folded `old`.
    ///
    /// Phis that merge both are found trivial at the latest by `finish`.
    ///
    /// # Errors
    /// If `old` stands for a phi of this builder or for an undefined variable, or an id is not below its
    /// [limit](Options::ids).
    fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError>;

    /// What `value` stands for at the moment.
    fn resolve(&mut self, value: Value) -> Value;

    /// Ends the function: the phis that stay, and what other values stand for.
    ///
    /// Looks first: there is a result only when nothing can go wrong any more, and the host writes it into
    /// its function then. A builder that has seen no call returns a result without phis. Afterwards the builder only accepts [`clear`](Self::clear).
    ///
    /// # Errors
    /// If a block is not sealed or not filled (all of them are listed; the
    /// builder goes on as before), the work budget is used up, or a hint was
    /// wrong.
    ///
    /// # Complexity
    /// O(*n* + *e* + phis made + their operands), plus one dominator computation where `minimize` finds work.
    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError>;

    /// Says that an instruction of `block` makes `value`.
    ///
    /// Nothing is built by that. One that records what it is asked needs it where a value is made in one
    /// block and first written in another: without this or [`try_global`](Self::try_global) a value counts as made
    /// where it is first written, in order of calls, and a right result is refused.
    ///
    /// # Errors
    /// If the block or the value is not below its [limit](Options::ids), and the builder records.
    #[inline]
    fn try_define(&mut self, block: Block, value: Value) -> Result<(), IdError> {
        let _ = (block, value);
        Ok(())
    }

    /// [`try_set_initial`](Self::try_set_initial), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn set_initial(&mut self, variable: Variable, value: Value) {
        or_panic(self.try_set_initial(variable, value));
    }

    /// [`try_global`](Self::try_global), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn global(&mut self, value: Value) {
        or_panic(self.try_global(value));
    }

    /// [`try_define`](Self::try_define), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn define(&mut self, block: Block, value: Value) {
        or_panic(self.try_define(block, value));
    }

    /// [`try_write_variable`](Self::try_write_variable), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn write_variable(&mut self, block: Block, variable: Variable, value: Value) {
        or_panic(self.try_write_variable(block, variable, value));
    }

    /// [`try_read_variable`](Self::try_read_variable), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn read_variable(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        or_panic(self.try_read_variable(host, block, variable))
    }

    /// [`try_read_variable_at`](Self::try_read_variable_at), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn read_variable_at(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable, site: u32) -> Value {
        or_panic(self.try_read_variable_at(host, block, variable, site))
    }

    /// [`try_terminate`](Self::try_terminate), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn terminate(&mut self, block: Block, targets: &[Block]) {
        or_panic(self.try_terminate(block, targets));
    }

    /// [`try_write_on_edge`](Self::try_write_on_edge), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn write_on_edge(&mut self, from: Block, slot: u32, variable: Variable, value: Value) {
        or_panic(self.try_write_on_edge(from, slot, variable, value));
    }

    /// [`try_terminate_rest`](Self::try_terminate_rest), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    fn terminate_rest(&mut self) {
        or_panic(self.try_terminate_rest());
    }

    /// [`try_add_edge`](Self::try_add_edge), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn add_edge(&mut self, from: Block, to: Block) {
        or_panic(self.try_add_edge(from, to));
    }

    /// [`try_redirect_edge`](Self::try_redirect_edge), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Block {
        or_panic(self.try_redirect_edge(from, slot, to))
    }

    /// [`try_seal_block`](Self::try_seal_block), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn seal_block(&mut self, host: &mut dyn PhiHost, block: Block) {
        or_panic(self.try_seal_block(host, block));
    }

    /// [`try_seal_blocks`](Self::try_seal_blocks), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) {
        or_panic(self.try_seal_blocks(host, blocks));
    }

    /// [`try_seal_all_blocks`](Self::try_seal_all_blocks), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn seal_all_blocks(&mut self, host: &mut dyn PhiHost) {
        or_panic(self.try_seal_all_blocks(host));
    }

    /// [`try_expect_edges`](Self::try_expect_edges), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn expect_edges(&mut self, block: Block, edges: u32) {
        or_panic(self.try_expect_edges(block, edges));
    }

    /// [`try_hint_loop_writes`](Self::try_hint_loop_writes), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn hint_loop_writes(&mut self, header: Block, variables: &[Variable]) {
        or_panic(self.try_hint_loop_writes(header, variables));
    }

    /// [`try_replace`](Self::try_replace), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    #[inline]
    fn replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) {
        or_panic(self.try_replace(host, old, new));
    }
}

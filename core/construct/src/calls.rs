//! The calls that describe a function to a builder, whichever engine constructs its SSA form.

mod panicking;

pub use panicking::SsaBuilderExt;
pub(crate) use panicking::or_panic;

use crate::error::{CallError, Stopped};
use crate::host::PhiHost;
use crate::observe::UndefinedRead;
use crate::options::Options;
use crate::recorder::Recorder;
use crate::result::Ssa;
use crate::stats::Stats;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Block, FlatCfg, Value, Variable};

/// Builds the SSA form of one function after another, while the caller walks it.
///
/// The caller names blocks, variables and values by dense ids of its own
/// choosing; memory grows on first mention. Per block: record its
/// accesses with [`try_write_variable`](Self::try_write_variable) and
/// [`try_read_variable`](Self::try_read_variable), then [`try_terminate`](Self::try_terminate)
/// it; [`try_seal_block`](Self::try_seal_block) as soon as all its incoming edges are
/// known. At the end [`finish`](Self::finish) returns the phis.
///
/// This trait is for code that is generic over builders, and for untrusted programs: a call `try_x` returns an error.
/// [`SsaBuilderExt`] has the call `x`, which panics instead, at the caller's line and with the error's message. A
/// [`Builder`](crate::Builder) has the calls that every front end makes as methods of its own.
///
/// # Contract
/// Every value that a read returns stays valid until the result is written, and may have been forwarded to another
/// by then ([`Ssa::resolve`]). The entry is block 0 unless [`set_entry`](Self::set_entry)
/// names another; it has no incoming edges. A refused call has changed nothing, unless the error says that the builder
/// has [stopped](CallError::stopped).
pub trait SsaBuilder {
    /// The options of the builder.
    fn options(&self) -> &Options;

    /// The counters for this function so far.
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

    /// The mentioned blocks that are not filled, in id order.
    ///
    /// # Complexity
    /// O(*n*).
    fn unfilled_blocks(&self) -> Vec<Block>;

    /// Whether all incoming edges of `block` are known: it was sealed, or has as many as in the announced graph.
    fn is_sealed(&self, block: Block) -> bool;

    /// Whether `block` is known to be unreachable: sealed without incoming edges, and not the entry.
    ///
    /// A block that has only unreachable predecessors is found unreachable by `finish`.
    fn is_unreachable(&self, block: Block) -> bool;

    /// A strict dominator of `block`, whatever calls follow, or `None` if none is known.
    ///
    /// For a sealed block with one incoming edge it is the edge's source; an engine may know more. For a block that
    /// only unreachable code leads to, it may be any block.
    fn known_dominator(&self, block: Block) -> Option<Block>;

    /// Why the builder accepts only [`clear`](Self::clear), or `None` if it accepts other calls.
    fn stopped(&self) -> Option<Stopped>;

    /// After `finish`, the [`undefined_reads`](Ssa::undefined_reads) of the result, even once the result is dropped.
    fn undefined_reads(&self) -> &[UndefinedRead];

    /// The message of `error`: its `to_string`, with names in place of ids if the builder has names.
    ///
    /// The calls that panic do so with this message.
    fn describe(&self, error: &dyn fmt::Display) -> String {
        error.to_string()
    }

    /// Forgets the function, and makes the builder ready for the next; keeps memory, options and observer.
    fn clear(&mut self);

    /// Changes the [work limit](Options::work_limit), for this function and those after it.
    fn set_work_limit(&mut self, steps: Option<u64>);

    /// Makes `entry` the block where control enters. It must be the first call for a function.
    ///
    /// # Errors
    /// If a block was mentioned before, the entry is not below the [limit](Options::ids), or the builder accepts
    /// nothing but `clear`.
    fn set_entry(&mut self, entry: Block) -> Result<(), CallError>;

    /// Announces the complete graph: each block is sealed automatically when its last edge has been added.
    ///
    /// Phi operands are then in the order of the graph's incoming edges, whatever
    /// the order in which blocks are filled. Every block still has to be
    /// terminated, with the targets that it has in the graph. Blocks without
    /// incoming edges are sealed at once. Must be the first call for a function.
    ///
    /// # Errors
    /// If a block was mentioned before, or edges enter the entry, or a block is not below the [limit](Options::ids).
    ///
    /// # Complexity
    /// O(*n* + *e*).
    fn announce(&mut self, cfg: &FlatCfg) -> Result<(), CallError>;

    /// The value that `value` is forwarded to so far, or itself.
    fn resolve(&mut self, value: Value) -> Value;

    /// Ends the function, and returns the phis to keep and the values that are forwarded to others.
    ///
    /// A result is final: no later call can fail or change it, and the host writes it into its function. A builder
    /// in which no block was mentioned returns a result without phis. Afterwards the builder accepts only
    /// [`clear`](Self::clear).
    ///
    /// # Errors
    /// If a block is not sealed or not filled (the error lists all of them, and
    /// the builder still accepts calls), or the work budget is used up.
    ///
    /// # Complexity
    /// O(*n* + *e* + phis made + their operands), plus one dominator computation if `minimize` finds work.
    ///
    /// # Examples
    /// ```
    /// use ssaphire::{Block, Builder, CallError, ValueCounter};
    ///
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// ssa.terminate(Block::new(0), &[Block::new(1)]);
    /// ssa.terminate(Block::new(1), &[]);
    /// let error = ssa.finish(&mut host).unwrap_err();
    /// assert_eq!(error.to_string(), "block1: never sealed (incoming edges so far: 1, incomplete phis: 0)");
    /// ssa.seal_block(&mut host, Block::new(1)); // Nothing is lost: seal it and try again.
    /// assert!(ssa.finish(&mut host)?.phis.is_empty());
    /// # Ok::<(), CallError>(())
    /// ```
    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallError>;

    /// The next variable that this call has not returned for the function, from 0 on.
    ///
    /// For front ends without a numbering of their own. One that numbers its variables itself must not mix the two:
    /// the builder does not know which numbers the front end has used.
    ///
    /// # Errors
    /// If there are as many variables as the [limit](Options::ids) allows, or the builder has stopped.
    fn try_declare_variable(&mut self) -> Result<Variable, CallError>;

    /// Declares that `variable` holds `value` when control enters: a parameter, or the language's default constant.
    ///
    /// Costs less than a write in the entry, and nothing for a variable that is
    /// never read. Without it, the variable is undefined where no write reaches.
    ///
    /// # Errors
    /// If the variable has been written in the entry, or looked up there, or
    /// found undefined in unreachable code, or has an initial value already; or an id is not below its
    /// [limit](Options::ids).
    fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), CallError>;

    /// Declares that `value` is defined before control enters: a constant or a parameter.
    ///
    /// So [`PhiHost::undefined`] may return it even if it was written before. An initial value
    /// ([`try_set_initial`](Self::try_set_initial)) is global without this call.
    ///
    /// # Errors
    /// If the value is not below the [limit](Options::ids).
    fn try_global(&mut self, value: Value) -> Result<(), CallError>;

    /// Where the caller records definitions and operations for a certificate; `None` if the builder does not record.
    fn recorder(&mut self) -> Option<&mut dyn Recorder> {
        None
    }

    /// Writes `value` to `variable` at this point of `block`: its definition up to the next write (Braun et al. 2013,
    /// Algorithm 1).
    ///
    /// If a read returned `value`, the write is a copy; otherwise an instruction of `block` is taken to define `value`.
    ///
    /// # Errors
    /// If the block is filled, or an id is not below its [limit](Options::ids).
    ///
    /// # Complexity
    /// O(1) expected.
    fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError>;

    /// The reaching definition of `variable` at this point of `block` (Braun et al. 2013, Algorithms 1 and 2).
    ///
    /// If several definitions reach the block, the builder asks the host for a phi. The value returned is valid until
    /// the result is written, and may have been forwarded to another by then ([`Ssa::resolve`]).
    ///
    /// # Errors
    /// If the block is filled, an id is not below its [limit](Options::ids), the work budget is used up, or the host
    /// breaks its contract.
    ///
    /// # Complexity
    /// O(1) expected if the block has the definition; otherwise one step per block passed. In sealed code, lookups
    /// of a variable pass each block once, up to a factor of 16.
    fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, CallError>;

    /// [`try_read_variable`](Self::try_read_variable) with a site number, which identifies the read in the report if it
    /// may see an undefined variable.
    ///
    /// Several reads may have the same site number: each of them is reported.
    ///
    /// See [`Ssa::undefined_reads`], [`Event::UndefinedRead`](crate::Event::UndefinedRead) and
    /// [`Options::with_undefined_reads`](crate::Options::with_undefined_reads).
    ///
    /// # Errors
    /// As [`try_read_variable`](Self::try_read_variable).
    fn try_read_at_site(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: u32,
    ) -> Result<Value, CallError>;

    /// The value of `variable` at the end of `block`, which is filled: the definition that its outgoing edges carry.
    ///
    /// For code that asks later, such as the arguments of a branch that is built after its block. A `site` identifies
    /// the read as in [`try_read_at_site`](Self::try_read_at_site).
    ///
    /// # Errors
    /// If the block is not filled; otherwise as [`try_read_variable`](Self::try_read_variable).
    ///
    /// # Complexity
    /// That of [`try_read_variable`](Self::try_read_variable).
    fn try_read_at_end(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallError>;

    /// Fills `block` and adds its outgoing edges: the edge by slot *i* enters `targets[i]`.
    ///
    /// A return has no targets; a switch names a target once for each of its slots.
    ///
    /// # Errors
    /// If the block is filled already, or a target is the entry or sealed, or the targets are not those of the
    /// announced graph, or a block is not below the [limit](Options::ids). Then no edge has been added.
    ///
    /// # Complexity
    /// O(targets).
    fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), CallError>;

    /// Writes `variable` at the head of the block that the edge from `from` by `slot` enters; it must be the block's
    /// only incoming edge.
    ///
    /// For terminators with a result, such as an `invoke`: the result is defined in the normal destination only, and
    /// the handler sees the variables as they were before. `from` must be filled.
    ///
    /// # Errors
    /// If there is no such edge, or its target is not a sealed block with that edge as its only incoming edge, or the
    /// target has accesses already (results of the same edge excepted); or an id is not below its
    /// [limit](Options::ids).
    fn try_write_on_edge(&mut self, from: Block, slot: u32, variable: Variable, value: Value) -> Result<(), CallError>;

    /// Adds a late edge: `from` must be filled, and the edge takes the next slot of its terminator.
    ///
    /// # Errors
    /// If `from` is not filled, or `to` is the entry, sealed, or not below the [limit](Options::ids), or the graph was
    /// announced.
    fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), CallError>;

    /// Redirects the edge that leaves `from` by `slot` to `to`, as if it had always entered `to`, and returns its
    /// previous target.
    ///
    /// For one-pass translators that learn the target of a branch later. Incoming edges stay in the order in which they
    /// were added.
    ///
    /// # Errors
    /// If there is no such edge, or the block it enters is sealed or in use, or `to` cannot take an edge. Then nothing
    /// has changed.
    ///
    /// # Complexity
    /// Amortized O(1), plus the incoming edges of `to` that were added after this one: so redirect several edges to one
    /// block in the order in which they were added. O(slot) for late edges.
    fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, CallError>;

    /// Seals `block`: no edge into it will be added. Its incomplete phis get their operands (Braun et al. 2013,
    /// Algorithm 4).
    ///
    /// Seal a block as early as possible: a lookup that reaches an unsealed block
    /// leaves an incomplete phi there. The entry may be sealed, but need not be.
    ///
    /// # Errors
    /// If it is sealed already, or has fewer edges than in the announced graph, or is not below the
    /// [limit](Options::ids), or the work budget is used up, or the host breaks its contract.
    ///
    /// # Complexity
    /// One lookup per incomplete phi and incoming edge.
    fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), CallError>;

    /// Seals `blocks`, in that order: no edge into any of them will be added.
    ///
    /// For the entries of an irreducible loop, and other blocks that become
    /// ready at once: an engine may then decide their incomplete phis together
    /// (`region` does), and remove some that it could not remove one by one.
    /// A block named twice is sealed once.
    ///
    /// # Errors
    /// As [`try_seal_block`](Self::try_seal_block); then no block was sealed unless the builder stopped.
    fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), CallError>;

    /// Seals every mentioned block that is not sealed, in id order.
    ///
    /// For the end of a function with arbitrary jumps; costs an incomplete phi for
    /// each unsealed block and each variable that a lookup carried to it.
    ///
    /// # Errors
    /// As [`try_seal_block`](Self::try_seal_block).
    fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), CallError>;

    /// Replaces `old`, a value that the host wrote, with `new`: for a host that deleted, merged or folded `old`.
    ///
    /// A phi that merges the two is found trivial, in `finish` at the latest.
    ///
    /// # Errors
    /// If `old` is, or is forwarded to, a phi of this builder or an undefined value, or an id is not below its
    /// [limit](Options::ids).
    fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), CallError>;
}

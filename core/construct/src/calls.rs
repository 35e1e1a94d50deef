//! The calls that describe a function to a builder, whichever engine constructs its SSA form.

use crate::error::{
    EdgeError, EntryError, FinishError, InitialError, ReadError, ReplaceError, SealError, Stopped, WriteError, or_panic,
};
use crate::fold::Note;
use crate::host::PhiHost;
use crate::observe::UndefinedRead;
use crate::options::Options;
use crate::result::Ssa;
use crate::stats::Stats;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Block, FlatCfg, IdError, Value, Variable};

/// Builds the SSA form of one function after another, while the caller walks it.
///
/// The caller names blocks, variables and values by dense ids of its own
/// choosing; memory grows on first mention. Per block: record its
/// accesses with [`write_variable`](Self::write_variable) and
/// [`read_variable`](Self::read_variable), then [`terminate`](Self::terminate)
/// it; [`seal_block`](Self::seal_block) as soon as all its incoming edges are
/// known. At the end [`finish`](Self::finish) returns the phis.
///
/// # Contract
/// Every value that a read returns stays valid until the result is written, and may have been forwarded to another
/// by then ([`Ssa::resolve`]). The entry is block 0 unless [`set_entry`](Self::set_entry)
/// names another; it has no incoming edges.
///
/// Most calls have two forms: `x` panics, at the caller's line, with the message of the error that `try_x` returns. For
/// untrusted programs use the second. [`finish`](Self::finish), [`announce`](Self::announce) and
/// [`set_entry`](Self::set_entry) have one form, which returns the error.
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

    /// Whether all incoming edges of `block` are known: it was sealed, or has as many as it expects.
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
    /// If a block was mentioned before, the entry is not below the [limit](Options::ids), or the builder accepts nothing
    /// but `clear`.
    fn set_entry(&mut self, entry: Block) -> Result<(), EntryError>;

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
    fn announce(&mut self, cfg: &FlatCfg) -> Result<(), EntryError>;

    /// The value that `value` is forwarded to so far, or itself.
    fn resolve(&mut self, value: Value) -> Value;

    /// Ends the function, and returns the phis to keep and the values that are forwarded to others.
    ///
    /// A result is final: no later call can fail or change it, and the host writes it into its function. A builder
    /// that has seen no call returns a result without phis. Afterwards the builder accepts only
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
    /// use ssaphire::{Block, Builder, FinishError, SsaBuilder, ValueCounter};
    ///
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// ssa.terminate(Block::new(0), &[Block::new(1)]);
    /// ssa.terminate(Block::new(1), &[]);
    /// let error = ssa.finish(&mut host).unwrap_err();
    /// assert_eq!(error.to_string(), "block1: never sealed (incoming edges so far: 1, incomplete phis: 0)");
    /// ssa.seal_block(&mut host, Block::new(1)); // Nothing is lost: seal it and try again.
    /// assert!(ssa.finish(&mut host)?.phis.is_empty());
    /// # Ok::<(), FinishError>(())
    /// ```
    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError>;

    /// [`set_initial`](Self::set_initial), with an error in place of a panic.
    ///
    /// # Errors
    /// If the variable has been written in the entry, or looked up there, or
    /// found undefined in unreachable code, or has an initial value already; or an id is not below its
    /// [limit](Options::ids).
    fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), InitialError>;

    /// [`global`](Self::global), with an error in place of a panic.
    ///
    /// # Errors
    /// If the value is not below the [limit](Options::ids).
    fn try_global(&mut self, value: Value) -> Result<(), IdError>;

    /// [`define`](Self::define), with an error in place of a panic.
    ///
    /// # Errors
    /// If the block or the value is not below its [limit](Options::ids), and the builder records.
    #[inline]
    fn try_define(&mut self, block: Block, value: Value) -> Result<(), IdError> {
        let _ = (block, value);
        Ok(())
    }

    /// Records an operation of `block` and its outcome.
    ///
    /// [`Folder`](crate::fold::Folder) makes this call. Construction ignores it; a recording builder (`Certified`)
    /// notes it for the judge.
    ///
    /// # Errors
    /// If the block or a value is not below its [limit](Options::ids), and the builder records.
    #[inline]
    fn try_note(&mut self, block: Block, note: Note<'_>) -> Result<(), IdError> {
        let _ = (block, note);
        Ok(())
    }

    /// [`write_variable`](Self::write_variable), with an error in place of a panic.
    ///
    /// # Errors
    /// If the block is filled, or an id is not below its [limit](Options::ids).
    fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), WriteError>;

    /// [`read_variable`](Self::read_variable), with an error in place of a panic.
    ///
    /// # Errors
    /// If an id is not below its [limit](Options::ids), the work budget is used up, or the host breaks its contract.
    fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, ReadError>;

    /// [`read_variable_at`](Self::read_variable_at), with an error in place of a panic.
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

    /// [`terminate`](Self::terminate), with an error in place of a panic.
    ///
    /// # Errors
    /// If the block is filled already, or a target is the entry, sealed, or
    /// has all the edges it expects, or a block is not below the [limit](Options::ids). Then no edge has been added.
    fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError>;

    /// [`terminate_rest`](Self::terminate_rest), with an error in place of a panic.
    ///
    /// # Errors
    /// If the announced graph has targets for such a block, or the builder has stopped.
    fn try_terminate_rest(&mut self) -> Result<(), EdgeError> {
        self.unfilled_blocks().into_iter().try_for_each(|block| self.try_terminate(block, &[]))
    }

    /// [`write_on_edge`](Self::write_on_edge), with an error in place of a panic.
    ///
    /// # Errors
    /// If there is no such edge, or its target is not a sealed block with that edge as its only incoming edge, or the
    /// target has accesses already (results of the same edge excepted); or an id is not below its
    /// [limit](Options::ids).
    fn try_write_on_edge(&mut self, from: Block, slot: u32, variable: Variable, value: Value)
    -> Result<(), WriteError>;

    /// [`add_edge`](Self::add_edge), with an error in place of a panic.
    ///
    /// # Errors
    /// If `from` is not filled, or `to` is the entry, sealed, or has all the edges it expects, or is not below the
    /// [limit](Options::ids).
    fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError>;

    /// [`redirect_edge`](Self::redirect_edge), with an error in place of a panic.
    ///
    /// # Errors
    /// If there is no such edge, or the block it enters is sealed or in use, or `to` cannot take an edge. Then nothing
    /// has changed.
    fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, EdgeError>;

    /// [`seal_block`](Self::seal_block), with an error in place of a panic.
    ///
    /// # Errors
    /// If it is sealed already or expects more edges, or is not below the [limit](Options::ids), or the work budget
    /// is used up, or the host breaks its contract.
    fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), SealError>;

    /// [`seal_blocks`](Self::seal_blocks), with an error in place of a panic.
    ///
    /// # Errors
    /// As [`try_seal_block`](Self::try_seal_block); then no block was sealed unless the builder stopped.
    fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), SealError>;

    /// [`seal_all_blocks`](Self::seal_all_blocks), with an error in place of a panic.
    ///
    /// # Errors
    /// As [`try_seal_block`](Self::try_seal_block).
    fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), SealError>;

    /// [`expect_edges`](Self::expect_edges), with an error in place of a panic.
    ///
    /// # Errors
    /// If the block is sealed already, has more edges than that, or has another number of edges in the announced graph;
    /// or it is not below the [limit](Options::ids).
    fn try_expect_edges(&mut self, block: Block, edges: u32) -> Result<(), SealError>;

    /// [`replace`](Self::replace), with an error in place of a panic.
    ///
    /// # Errors
    /// If `old` is, or is forwarded to, a phi of this builder or an undefined value, or an id is not below its
    /// [limit](Options::ids).
    fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError>;

    /// Declares that `variable` holds `value` when control enters: a parameter, or the language's default constant.
    ///
    /// Costs less than a write in the entry, and nothing for a variable that is
    /// never read. Without it, the variable is undefined where no write reaches.
    ///
    /// # Panics
    /// Where [`try_set_initial`](Self::try_set_initial) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, Value, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let (n, parameter) = (Variable::new(0), host.fresh());
    /// ssa.set_initial(n, parameter);
    /// assert_eq!(ssa.read_variable(&mut host, Block::new(0), n), parameter);
    /// ```
    #[track_caller]
    #[inline]
    fn set_initial(&mut self, variable: Variable, value: Value) {
        let result = self.try_set_initial(variable, value);
        or_panic(self, result);
    }

    /// Declares that `value` is defined before control enters: a constant or a parameter.
    ///
    /// So [`PhiHost::undefined`] may return it even if it was written before. An initial value
    /// ([`set_initial`](Self::set_initial)) is global without this call.
    ///
    /// # Panics
    /// Where [`try_global`](Self::try_global) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, PhiHost, SsaBuilder, Value, Variable};
    /// const ZERO: Value = Value::new(0);
    /// # struct Host;
    /// impl PhiHost for Host {
    ///     fn undefined(&mut self, _: Variable) -> Value { ZERO } // Registers begin as zero.
    ///     // ..
    /// #   fn new_phi(&mut self, _: Block, _: Variable) -> Value { Value::new(1) }
    /// }
    ///
    /// let (mut ssa, [x, y], entry) = (Builder::default(), [0, 1].map(Variable::new), Block::new(0));
    /// ssa.global(ZERO);
    /// ssa.write_variable(entry, x, ZERO);
    /// assert_eq!(ssa.read_variable(&mut Host, entry, y), ZERO);
    /// ```
    #[track_caller]
    #[inline]
    fn global(&mut self, value: Value) {
        let result = self.try_global(value);
        or_panic(self, result);
    }

    /// Declares that an instruction of `block` defines `value`.
    ///
    /// Construction ignores this call. A recording builder (`Certified`) needs it if a value is defined in one
    /// block and first written in another: without this or [`global`](Self::global), the judge takes a value to be
    /// defined where it is first written, in order of calls, and rejects a correct result.
    ///
    /// # Panics
    /// Where [`try_define`](Self::try_define) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Certified, SsaBuilder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Certified::default());
    /// let ([top, next], x) = ([0, 1].map(Block::new), Variable::new(0));
    /// let value = host.fresh();
    /// ssa.define(top, value); // An instruction of `top`, whose result is assigned in `next`.
    /// ssa.terminate(top, &[next]);
    /// ssa.seal_block(&mut host, next);
    /// ssa.write_variable(next, x, value);
    /// ```
    #[track_caller]
    #[inline]
    fn define(&mut self, block: Block, value: Value) {
        let result = self.try_define(block, value);
        or_panic(self, result);
    }

    /// Writes `value` to `variable` at this point of `block`: its definition up to the next write (Braun et al. 2013,
    /// Algorithm 1).
    ///
    /// If a read returned `value`, the write is a copy; otherwise an instruction of `block` is taken to define `value`.
    ///
    /// # Panics
    /// Where [`try_write_variable`](Self::try_write_variable) returns an error.
    ///
    /// # Complexity
    /// O(1) expected.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let (entry, x, sum) = (Block::new(0), Variable::new(0), host.fresh());
    /// ssa.write_variable(entry, x, sum); // x = a + b
    /// assert_eq!(ssa.read_variable(&mut host, entry, x), sum);
    /// ```
    #[track_caller]
    #[inline]
    fn write_variable(&mut self, block: Block, variable: Variable, value: Value) {
        let result = self.try_write_variable(block, variable, value);
        or_panic(self, result);
    }

    /// The reaching definition of `variable` at this point of `block`, or at its end if it is filled (Braun et al. 2013,
    /// Algorithms 1 and 2).
    ///
    /// If several definitions reach the block, the builder asks the host for a phi. The value returned is valid until
    /// the result is written, and may have been forwarded to another by then ([`Ssa::resolve`]).
    ///
    /// # Panics
    /// Where [`try_read_variable`](Self::try_read_variable) returns an error.
    ///
    /// # Complexity
    /// O(1) expected if the block has the definition; otherwise one step per block passed. In sealed code, lookups
    /// of a variable pass each block once, up to a factor of 16.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let ([top, next], x, value) = ([0, 1].map(Block::new), Variable::new(0), host.fresh());
    /// ssa.write_variable(top, x, value);
    /// ssa.terminate(top, &[next]);
    /// ssa.seal_block(&mut host, next);
    /// assert_eq!(ssa.read_variable(&mut host, next, x), value);
    /// ```
    #[track_caller]
    #[inline]
    fn read_variable(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        let result = self.try_read_variable(host, block, variable);
        or_panic(self, result)
    }

    /// [`read_variable`](Self::read_variable) with a site number, which identifies the read in the report if it may see
    /// an undefined variable.
    ///
    /// Several reads may have the same site number: each of them is reported.
    ///
    /// See [`Ssa::undefined_reads`], [`Event::UndefinedRead`](crate::Event::UndefinedRead) and
    /// [`Options::with_undefined_reads`](crate::Options::with_undefined_reads).
    ///
    /// # Panics
    /// Where [`try_read_variable_at`](Self::try_read_variable_at) returns an error.
    ///
    /// # Complexity
    /// That of [`read_variable`](Self::read_variable).
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, Options, SsaBuilder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new(Options::default().with_undefined_reads()));
    /// ssa.read_variable_at(&mut host, Block::new(0), Variable::new(0), 17); // Line 17 reads x, which nothing has written.
    /// ssa.terminate(Block::new(0), &[]);
    /// let result = ssa.finish(&mut host)?;
    /// assert_eq!(result.undefined_reads[0].site, 17);
    /// # Ok::<(), ssaphire::FinishError>(())
    /// ```
    #[track_caller]
    #[inline]
    fn read_variable_at(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable, site: u32) -> Value {
        let result = self.try_read_variable_at(host, block, variable, site);
        or_panic(self, result)
    }

    /// Fills `block` and adds its outgoing edges: the edge by slot *i* enters `targets[i]`.
    ///
    /// A return has no targets; a switch names a target once for each of its slots.
    ///
    /// # Panics
    /// Where [`try_terminate`](Self::try_terminate) returns an error.
    ///
    /// # Complexity
    /// O(targets).
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder};
    /// let mut ssa = Builder::default();
    /// let [top, zero, other] = [0, 1, 2].map(Block::new);
    /// ssa.terminate(top, &[zero, other, other]); // switch n { 0 => .., 1 | 2 => .. }
    /// assert_eq!(ssa.target(top, 2), Some(other));
    /// ```
    #[track_caller]
    #[inline]
    fn terminate(&mut self, block: Block, targets: &[Block]) {
        let result = self.try_terminate(block, targets);
        or_panic(self, result);
    }

    /// Terminates every block that is not filled, without targets, in id order: control never leaves it.
    ///
    /// For front ends that create blocks which some programs leave empty, such as the code after an endless loop or a
    /// label at the end. The host should end the same blocks as unreachable: before this call,
    /// [`unfilled_blocks`](Self::unfilled_blocks) lists them.
    ///
    /// # Panics
    /// Where [`try_terminate_rest`](Self::try_terminate_rest) returns an error.
    ///
    /// # Complexity
    /// O(*n*).
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder};
    /// let mut ssa = Builder::default();
    /// ssa.terminate(Block::new(0), &[Block::new(1)]);
    /// assert_eq!(ssa.unfilled_blocks(), [Block::new(1)]);
    /// ssa.terminate_rest();
    /// assert!(ssa.is_filled(Block::new(1)));
    /// ```
    #[track_caller]
    fn terminate_rest(&mut self) {
        let result = self.try_terminate_rest();
        or_panic(self, result);
    }

    /// Writes `variable` at the head of the block that the edge from `from` by `slot` enters; it must be the block's
    /// only incoming edge.
    ///
    /// For terminators with a result, such as an `invoke`: the result is defined in the normal destination only, and the
    /// handler sees the variables as they were before. `from` must be filled.
    ///
    /// # Panics
    /// Where [`try_write_on_edge`](Self::try_write_on_edge) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let ([call, normal, handler], x) = ([0, 1, 2].map(Block::new), Variable::new(0));
    /// let [before, result] = [host.fresh(), host.fresh()];
    /// ssa.write_variable(call, x, before);
    /// ssa.terminate(call, &[normal, handler]); // x = invoke f() to normal unwind handler
    /// ssa.seal_blocks(&mut host, &[normal, handler]);
    /// ssa.write_on_edge(call, 0, x, result);
    /// assert_eq!(ssa.read_variable(&mut host, normal, x), result);
    /// assert_eq!(ssa.read_variable(&mut host, handler, x), before);
    /// ```
    #[track_caller]
    #[inline]
    fn write_on_edge(&mut self, from: Block, slot: u32, variable: Variable, value: Value) {
        let result = self.try_write_on_edge(from, slot, variable, value);
        or_panic(self, result);
    }

    /// Adds a late edge: `from` must be filled, and the edge takes the next slot of its terminator.
    ///
    /// # Panics
    /// Where [`try_add_edge`](Self::try_add_edge) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder};
    /// let mut ssa = Builder::default();
    /// let [top, first, second] = [0, 1, 2].map(Block::new);
    /// ssa.terminate(top, &[first]); // A computed goto: further labels are met later.
    /// ssa.add_edge(top, second);
    /// assert_eq!(ssa.target(top, 1), Some(second));
    /// ```
    #[track_caller]
    #[inline]
    fn add_edge(&mut self, from: Block, to: Block) {
        let result = self.try_add_edge(from, to);
        or_panic(self, result);
    }

    /// Redirects the edge that leaves `from` by `slot` to `to`, as if it had always entered `to`, and returns its
    /// previous target.
    ///
    /// For one-pass translators that learn the target of a branch later. Incoming edges stay in the order in which they
    /// were added.
    ///
    /// # Panics
    /// Where [`try_redirect_edge`](Self::try_redirect_edge) returns an error.
    ///
    /// # Complexity
    /// Amortized O(1), plus the incoming edges of `to` that were added after this one: so redirect several edges to one
    /// block in the order in which they were added. O(slot) for late edges.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder};
    /// let mut ssa = Builder::default();
    /// let [top, somewhere, end] = [0, 1, 2].map(Block::new);
    /// ssa.terminate(top, &[somewhere]); // break: the end of the loop is not known yet
    /// assert_eq!(ssa.redirect_edge(top, 0, end), somewhere);
    /// ```
    #[track_caller]
    #[inline]
    fn redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Block {
        let result = self.try_redirect_edge(from, slot, to);
        or_panic(self, result)
    }

    /// Seals `block`: no edge into it will be added. Its incomplete phis get their operands (Braun et al. 2013,
    /// Algorithm 4).
    ///
    /// Seal a block as early as possible: a lookup that reaches an unsealed block
    /// leaves an incomplete phi there. The entry may be sealed, but need not be.
    ///
    /// # Panics
    /// Where [`try_seal_block`](Self::try_seal_block) returns an error.
    ///
    /// # Complexity
    /// One lookup per incomplete phi and incoming edge.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let [top, header] = [0, 1].map(Block::new);
    /// ssa.terminate(top, &[header]);
    /// ssa.terminate(header, &[header]);
    /// ssa.seal_block(&mut host, header); // After the back edge.
    /// assert!(ssa.is_sealed(header));
    /// ```
    #[track_caller]
    #[inline]
    fn seal_block(&mut self, host: &mut dyn PhiHost, block: Block) {
        let result = self.try_seal_block(host, block);
        or_panic(self, result);
    }

    /// Seals `blocks`, in that order: no edge into any of them will be added.
    ///
    /// For the entries of an irreducible loop, and other blocks that become
    /// ready at once: an engine may then decide their incomplete phis together
    /// (`region` does), and remove some that it could not remove one by one.
    /// A block named twice is sealed once.
    ///
    /// # Panics
    /// Where [`try_seal_blocks`](Self::try_seal_blocks) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let [top, left, right] = [0, 1, 2].map(Block::new);
    /// ssa.terminate(top, &[left, right]); // Into a loop by either of two labels.
    /// ssa.terminate(left, &[right]);
    /// ssa.terminate(right, &[left]);
    /// ssa.seal_blocks(&mut host, &[left, right]);
    /// ```
    #[track_caller]
    #[inline]
    fn seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) {
        let result = self.try_seal_blocks(host, blocks);
        or_panic(self, result);
    }

    /// Seals every mentioned block that is not sealed, in id order.
    ///
    /// For the end of a function with arbitrary jumps; costs an incomplete phi for
    /// each unsealed block and each variable that a lookup carried to it.
    ///
    /// # Panics
    /// Where [`try_seal_all_blocks`](Self::try_seal_all_blocks) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let [top, label] = [0, 1].map(Block::new);
    /// ssa.terminate(top, &[label]);
    /// ssa.terminate(label, &[label]); // goto label
    /// ssa.seal_all_blocks(&mut host);
    /// assert!(ssa.finish(&mut host).is_ok());
    /// ```
    #[track_caller]
    #[inline]
    fn seal_all_blocks(&mut self, host: &mut dyn PhiHost) {
        let result = self.try_seal_all_blocks(host);
        or_panic(self, result);
    }

    /// Announces that `block` will have `edges` incoming edges: it is sealed automatically when the last one is added,
    /// or at once if there are none.
    ///
    /// # Panics
    /// Where [`try_expect_edges`](Self::try_expect_edges) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder};
    /// let mut ssa = Builder::default();
    /// let [top, header] = [0, 1].map(Block::new);
    /// ssa.expect_edges(header, 2);
    /// ssa.terminate(top, &[header]);
    /// ssa.terminate(header, &[header]);
    /// assert!(ssa.is_sealed(header));
    /// ```
    #[track_caller]
    #[inline]
    fn expect_edges(&mut self, block: Block, edges: u32) {
        let result = self.try_expect_edges(block, edges);
        or_panic(self, result);
    }

    /// Replaces `old`, a value that the host wrote, with `new`: for a host that deleted, merged or folded `old`.
    ///
    /// A phi that merges the two is found trivial, in `finish` at the latest.
    ///
    /// # Panics
    /// Where [`try_replace`](Self::try_replace) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let (entry, x, [a, sum]) = (Block::new(0), Variable::new(0), [(); 2].map(|()| host.fresh()));
    /// ssa.write_variable(entry, x, sum); // x = a + 0
    /// ssa.replace(&mut host, sum, a);
    /// assert_eq!(ssa.read_variable(&mut host, entry, x), a);
    /// ```
    #[track_caller]
    #[inline]
    fn replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) {
        let result = self.try_replace(host, old, new);
        or_panic(self, result);
    }
}

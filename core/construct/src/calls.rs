//! The calls by which a function is told, whatever constructs its SSA form.

use crate::error::{
    EdgeError, EntryError, FinishError, InitialError, ReadError, ReplaceError, SealError, Stopped, WriteError, or_panic,
};
use crate::host::PhiHost;
use crate::observe::UndefinedRead;
use crate::options::Options;
use crate::result::Ssa;
use crate::stats::Stats;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
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
/// names another; it has no incoming edges.
///
/// Most calls have two forms: `x` panics, at the caller's line, with the words of the error that `try_x` returns. For
/// programs that come from strangers use the second. [`finish`](Self::finish), [`announce`](Self::announce) and
/// [`set_entry`](Self::set_entry) have one form and return their errors.
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

    /// After `finish`, the [`undefined_reads`](Ssa::undefined_reads) of the result, for who does not have it any more.
    fn undefined_reads(&self) -> &[UndefinedRead];

    /// The words of an error: as `to_string`, but that a builder which knows names shows them in place of ids.
    ///
    /// The calls that panic do so with these words.
    fn describe(&self, error: &dyn fmt::Display) -> String {
        error.to_string()
    }

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

    /// What `value` stands for at the moment.
    fn resolve(&mut self, value: Value) -> Value;

    /// Ends the function: the phis that stay, and what other values stand for.
    ///
    /// There is a result only when nothing can go wrong any more; the host writes it into its function then. A builder
    /// that has seen no call returns a result without phis. Afterwards the builder accepts nothing but
    /// [`clear`](Self::clear).
    ///
    /// # Errors
    /// If a block is not sealed or not filled (all of them are listed; the
    /// builder goes on as before), the work budget is used up, or a hint was
    /// wrong.
    ///
    /// # Complexity
    /// O(*n* + *e* + phis made + their operands), plus one dominator computation where `minimize` finds work.
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
    /// ssa.seal_block(&mut host, Block::new(1)); // Nothing is lost: mend it and go on.
    /// assert!(ssa.finish(&mut host)?.phis.is_empty());
    /// # Ok::<(), FinishError>(())
    /// ```
    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError>;

    /// [`set_initial`](Self::set_initial), with an error in place of a panic.
    ///
    /// # Errors
    /// If the variable has been written in the entry, or looked up there, or
    /// found undefined in unreachable code, or has an initial value; or an id is not below its [limit](Options::ids).
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
    /// If the graph was announced, and has targets for such a block; or if the builder has stopped.
    fn try_terminate_rest(&mut self) -> Result<(), EdgeError> {
        self.unfilled_blocks().into_iter().try_for_each(|block| self.try_terminate(block, &[]))
    }

    /// [`write_on_edge`](Self::write_on_edge), with an error in place of a panic.
    ///
    /// # Errors
    /// If there is no such edge, or its target is not sealed with that edge
    /// alone, or has accesses already (results of the same edge excepted); or an id is not below its
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
    /// If it is sealed already or has more edges than that, or the graph was announced and says otherwise, or the block is
    /// not below the [limit](Options::ids).
    fn try_expect_edges(&mut self, block: Block, edges: u32) -> Result<(), SealError>;

    /// [`hint_loop_writes`](Self::hint_loop_writes), with an error in place of a panic.
    ///
    /// # Errors
    /// If the header is sealed already, or an id is not below its [limit](Options::ids).
    fn try_hint_loop_writes(&mut self, header: Block, variables: &[Variable]) -> Result<(), SealError>;

    /// [`replace`](Self::replace), with an error in place of a panic.
    ///
    /// # Errors
    /// If `old` stands for a phi of this builder or for an undefined variable, or an id is not below its
    /// [limit](Options::ids).
    fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError>;

    /// Says that `variable` holds `value` when control enters: a parameter, or a constant the language begins with.
    ///
    /// Costs less than a write in the entry, and nothing for a variable that is
    /// never read. Without it and without a write the variable is undefined.
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

    /// Says that `value` is defined before control enters: a constant or a parameter.
    ///
    /// So [`PhiHost::undefined`] may return it even where it was written before. An initial value
    /// ([`set_initial`](Self::set_initial)) is global without this.
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

    /// Says that an instruction of `block` defines `value`.
    ///
    /// Builders that construct take no notice. One that records (`Certified`) needs it where a value is defined in one
    /// block and first written in another: without this or [`global`](Self::global) a value counts as defined
    /// where it is first written, in order of calls, and a right result is refused.
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

    /// From here to the end of `block`, or to its next write there, `variable` holds `value` (Braun et al. 2013,
    /// Algorithm 1).
    ///
    /// A value that a read has returned makes the write a copy; any other counts as defined by an instruction of `block`.
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
    /// Where several definitions reach the block, the host is asked for a phi. The value returned is valid until the
    /// result is written; by then it may stand for another ([`Ssa::resolve`]).
    ///
    /// # Panics
    /// Where [`try_read_variable`](Self::try_read_variable) returns an error.
    ///
    /// # Complexity
    /// O(1) expected if the block knows; else one step per block passed, each passed once per variable in sealed code
    /// up to a factor of 16.
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

    /// A read with a number of the caller's, under which it is reported if it may see an undefined variable.
    ///
    /// Several reads may have the same number: each of them is reported.
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

    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
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
    /// For front ends that make blocks which some programs leave empty, such as the code behind an endless loop or a
    /// label that nothing follows. The host ends the same blocks as unreachable: [`unfilled_blocks`](Self::unfilled_blocks)
    /// names them before.
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

    /// Writes `variable` at the head of the block that the edge from `from` by `slot` enters, which has no other edge.
    ///
    /// For terminators with a result, such as an `invoke`: the result is defined in the normal destination only, and the
    /// handler sees the variables as they were before. `from` is filled.
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

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
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

    /// Lets the edge that leaves `from` by `slot` enter `to`, as if it had done so from the beginning: what it entered
    /// before.
    ///
    /// For translations in one pass that learn later where a branch leads. Incoming edges stay ordered by when they
    /// were added.
    ///
    /// # Panics
    /// Where [`try_redirect_edge`](Self::try_redirect_edge) returns an error.
    ///
    /// # Complexity
    /// Amortized O(1), plus the incoming edges of `to` that were added after this one: so edges that go from one block
    /// to another are best redirected in the order in which they were added. O(slot) for late edges.
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
    /// Seal a block as early as possible: lookups that meet an unsealed block
    /// leave an incomplete phi there. The entry may be sealed, but need not.
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
    /// For the blocks by which control enters one irreducible loop, and other
    /// blocks that become ready at once: an engine may then decide their
    /// incomplete phis together (`region` does), and leave out some that it
    /// could not leave out one by one. A block named twice is sealed once.
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
    /// Right at the end of a function whose jumps may lead anywhere; costs an
    /// incomplete phi per variable that a lookup carried through an unsealed block.
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

    /// Announces that `block` will have `edges` incoming edges: it is sealed by itself when the last one is there, so
    /// where there are none, at once.
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
    /// # Panics
    /// Where [`try_hint_loop_writes`](Self::try_hint_loop_writes) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    /// let ([top, header], [i, n], limit) = ([0, 1].map(Block::new), [0, 1].map(Variable::new), host.fresh());
    /// ssa.write_variable(top, n, limit);
    /// ssa.terminate(top, &[header]);
    /// ssa.hint_loop_writes(header, &[i]);
    /// assert_eq!(ssa.read_variable(&mut host, header, n), limit); // No phi, though a back edge is to come.
    /// ```
    #[track_caller]
    #[inline]
    fn hint_loop_writes(&mut self, header: Block, variables: &[Variable]) {
        let result = self.try_hint_loop_writes(header, variables);
        or_panic(self, result);
    }

    /// The host says that `old`, which it wrote, is the same as `new`: it deleted, merged or folded `old`.
    ///
    /// Phis that merge both are found trivial at the latest by `finish`.
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

//! The calls that panic where a call of `SsaBuilder` returns an error.

use super::SsaBuilder;
use crate::error::CallError;
use crate::host::PhiHost;
use ssaphire_graph::{Block, Value, Variable};

/// The calls of an [`SsaBuilder`], without errors: `x` panics where [`try_x`](SsaBuilder) returns an error.
///
/// The message is the error's, with names in place of ids if the builder has names ([`SsaBuilder::describe`]); the
/// location is the caller's. For programs that are known to be right, such as the output of a front end's own parser.
pub trait SsaBuilderExt: SsaBuilder {
    /// The next variable that this call has not returned for the function.
    ///
    /// # Panics
    /// Where [`try_declare_variable`](SsaBuilder::try_declare_variable) returns an error.
    #[track_caller]
    #[inline]
    fn declare_variable(&mut self) -> Variable {
        let result = self.try_declare_variable();
        or_panic(self, result)
    }

    /// Declares that `variable` holds `value` when control enters.
    ///
    /// # Panics
    /// Where [`try_set_initial`](SsaBuilder::try_set_initial) returns an error.
    #[track_caller]
    #[inline]
    fn set_initial(&mut self, variable: Variable, value: Value) {
        let result = self.try_set_initial(variable, value);
        or_panic(self, result);
    }

    /// Declares that `value` is defined before control enters: a constant or a parameter.
    ///
    /// # Panics
    /// Where [`try_global`](SsaBuilder::try_global) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, PhiHost, SsaBuilderExt, Value, Variable};
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

    /// Writes `value` to `variable` at this point of `block`.
    ///
    /// # Panics
    /// Where [`try_write_variable`](SsaBuilder::try_write_variable) returns an error.
    #[track_caller]
    #[inline]
    fn write_variable(&mut self, block: Block, variable: Variable, value: Value) {
        let result = self.try_write_variable(block, variable, value);
        or_panic(self, result);
    }

    /// The reaching definition of `variable` at this point of `block`.
    ///
    /// # Panics
    /// Where [`try_read_variable`](SsaBuilder::try_read_variable) returns an error.
    #[track_caller]
    #[inline]
    fn read_variable(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        let result = self.try_read_variable(host, block, variable);
        or_panic(self, result)
    }

    /// The reaching definition of `variable`, read at a numbered site.
    ///
    /// # Panics
    /// Where [`try_read_at_site`](SsaBuilder::try_read_at_site) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, Options, SsaBuilderExt, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::with_options(Options::default().with_undefined_reads()));
    /// ssa.read_at_site(&mut host, Block::new(0), Variable::new(0), 17); // Line 17 reads x, which nothing has written.
    /// ssa.terminate(Block::new(0), &[]);
    /// let result = ssa.finish(&mut host)?;
    /// assert_eq!(result.undefined_reads[0].site, 17);
    /// # Ok::<(), ssaphire::CallError>(())
    /// ```
    #[track_caller]
    #[inline]
    fn read_at_site(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable, site: u32) -> Value {
        let result = self.try_read_at_site(host, block, variable, site);
        or_panic(self, result)
    }

    /// The value of `variable` at the end of `block`, which is filled.
    ///
    /// # Panics
    /// Where [`try_read_at_end`](SsaBuilder::try_read_at_end) returns an error.
    #[track_caller]
    #[inline]
    fn read_at_end(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        let result = self.try_read_at_end(host, block, variable, None);
        or_panic(self, result)
    }

    /// Fills `block` and adds its outgoing edges.
    ///
    /// # Panics
    /// Where [`try_terminate`](SsaBuilder::try_terminate) returns an error.
    #[track_caller]
    #[inline]
    fn terminate(&mut self, block: Block, targets: &[Block]) {
        let result = self.try_terminate(block, targets);
        or_panic(self, result);
    }

    /// Writes `variable` on the edge that leaves `from` by `slot`.
    ///
    /// # Panics
    /// Where [`try_write_on_edge`](SsaBuilder::try_write_on_edge) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilderExt, ValueCounter, Variable};
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

    /// Adds a late edge: `from` must be filled.
    ///
    /// # Panics
    /// Where [`try_add_edge`](SsaBuilder::try_add_edge) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, SsaBuilderExt};
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

    /// Redirects the edge that leaves `from` by `slot` to `to`, and returns its previous target.
    ///
    /// # Panics
    /// Where [`try_redirect_edge`](SsaBuilder::try_redirect_edge) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, SsaBuilderExt};
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

    /// Seals `block`: no edge into it will be added.
    ///
    /// # Panics
    /// Where [`try_seal_block`](SsaBuilder::try_seal_block) returns an error.
    #[track_caller]
    #[inline]
    fn seal_block(&mut self, host: &mut dyn PhiHost, block: Block) {
        let result = self.try_seal_block(host, block);
        or_panic(self, result);
    }

    /// Seals `blocks`, in that order.
    ///
    /// # Panics
    /// Where [`try_seal_blocks`](SsaBuilder::try_seal_blocks) returns an error.
    #[track_caller]
    #[inline]
    fn seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) {
        let result = self.try_seal_blocks(host, blocks);
        or_panic(self, result);
    }

    /// Seals every mentioned block that is not sealed, in id order.
    ///
    /// # Panics
    /// Where [`try_seal_all_blocks`](SsaBuilder::try_seal_all_blocks) returns an error.
    #[track_caller]
    #[inline]
    fn seal_all_blocks(&mut self, host: &mut dyn PhiHost) {
        let result = self.try_seal_all_blocks(host);
        or_panic(self, result);
    }

    /// Replaces `old`, a value that the host wrote, with `new`.
    ///
    /// # Panics
    /// Where [`try_replace`](SsaBuilder::try_replace) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilderExt, ValueCounter, Variable};
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

    /// Records that an instruction of `block` defines `value`, if the builder records.
    ///
    /// A recording builder (`Certified`) needs this call if a value is defined in one block and first written in another:
    /// without it or [`global`](Self::global), the judge takes a value to be defined where it is first written, in order
    /// of calls, and rejects a correct result.
    ///
    /// # Errors
    /// As [`Recorder::define`](crate::Recorder::record_definition).
    #[inline]
    fn try_define(&mut self, block: Block, value: Value) -> Result<(), CallError> {
        self.recorder().map_or(Ok(()), |recorder| recorder.record_definition(block, value))
    }

    /// Records that an instruction of `block` defines `value`, if the builder records.
    ///
    /// # Panics
    /// Where [`try_define`](Self::try_define) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Certified, SsaBuilderExt, ValueCounter, Variable};
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
}

impl<B: SsaBuilder + ?Sized> SsaBuilderExt for B {}

/// Returns the result, or panics at the caller's location with the builder's description of the error.
#[track_caller]
#[inline]
pub(crate) fn or_panic<T>(builder: &(impl SsaBuilder + ?Sized), result: Result<T, CallError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic_with(builder, error),
    }
}

/// Out of line and with the error by value, so that the panicking calls are small enough to be inlined.
#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "the caller has nothing to drop")]
fn panic_with(builder: &(impl SsaBuilder + ?Sized), error: CallError) -> ! {
    panic!("{}", builder.describe(&error))
}

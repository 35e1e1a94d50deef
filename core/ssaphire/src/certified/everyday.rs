//! The calls that every front end makes, as methods of the recording builder itself.

use super::Certified;
use ssaphire_construct::{CallError, PhiHost, Ssa, SsaBuilder, SsaBuilderExt};
use ssaphire_graph::{Block, Value, Variable};

/// The calls of [`Builder`](ssaphire_construct::Builder), recorded: see there for each. They panic if they are out of
/// order, at the caller's line.
impl<B: SsaBuilder> Certified<B> {
    /// The next variable that this call has not returned for the function.
    #[track_caller]
    pub fn declare_variable(&mut self) -> Variable {
        SsaBuilderExt::declare_variable(self)
    }

    /// Declares that `variable` holds `value` when control enters.
    #[track_caller]
    pub fn set_initial(&mut self, variable: Variable, value: Value) {
        SsaBuilderExt::set_initial(self, variable, value);
    }

    /// Declares that `value` is defined before control enters: a constant or a parameter.
    #[track_caller]
    pub fn global(&mut self, value: Value) {
        SsaBuilderExt::global(self, value);
    }

    /// Writes `value` to `variable` at this point of `block`.
    #[track_caller]
    #[inline]
    pub fn write_variable(&mut self, block: Block, variable: Variable, value: Value) {
        SsaBuilderExt::write_variable(self, block, variable, value);
    }

    /// The reaching definition of `variable` at this point of `block`.
    #[track_caller]
    #[inline]
    pub fn read_variable(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        SsaBuilderExt::read_variable(self, host, block, variable)
    }

    /// The value of `variable` at the end of `block`, which is filled.
    #[track_caller]
    pub fn read_at_end(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        SsaBuilderExt::read_at_end(self, host, block, variable)
    }

    /// Fills `block` and adds its outgoing edges.
    #[track_caller]
    #[inline]
    pub fn terminate(&mut self, block: Block, targets: &[Block]) {
        SsaBuilderExt::terminate(self, block, targets);
    }

    /// Seals `block`: no edge into it will be added.
    #[track_caller]
    #[inline]
    pub fn seal_block(&mut self, host: &mut dyn PhiHost, block: Block) {
        SsaBuilderExt::seal_block(self, host, block);
    }

    /// Seals `blocks`, in that order.
    #[track_caller]
    pub fn seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) {
        SsaBuilderExt::seal_blocks(self, host, blocks);
    }

    /// Seals every mentioned block that is not sealed, in id order.
    #[track_caller]
    pub fn seal_all_blocks(&mut self, host: &mut dyn PhiHost) {
        SsaBuilderExt::seal_all_blocks(self, host);
    }

    /// Records that an instruction of `block` defines `value`: see [`SsaBuilderExt::define`].
    #[track_caller]
    pub fn define(&mut self, block: Block, value: Value) {
        SsaBuilderExt::define(self, block, value);
    }

    /// Ends the function, and returns the phis to keep and the values that are forwarded to others.
    ///
    /// # Errors
    /// As [`SsaBuilder::finish`].
    pub fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallError> {
        SsaBuilder::finish(self, host)
    }

    /// Forgets the function and its journal.
    pub fn clear(&mut self) {
        SsaBuilder::clear(self);
    }
}

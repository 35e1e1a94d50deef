//! The calls a replay makes, of a builder alone or of one that keeps a journal.

use ssaphire::{Block, Builder, Certified, FinishError, Observer, PhiHost, Ssa, Stats, Value, Variable};

/// A builder that a trace can be replayed through.
///
/// The calls are those of [`Builder`]. A trace was checked when it was made,
/// so none of them can fail; `finish` says so by its result.
pub trait Construction {
    /// See [`Builder::clear`].
    fn clear(&mut self);
    /// An instruction of `block` makes `value`; of use to a journal only.
    fn define(&mut self, block: Block, value: Value);
    /// See [`Builder::write_variable`].
    fn write(&mut self, block: Block, variable: Variable, value: Value);
    /// See [`Builder::read_variable`].
    fn read(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value;
    /// See [`Builder::terminate`].
    fn terminate(&mut self, block: Block, targets: &[Block]);
    /// See [`Builder::seal_block`].
    fn seal(&mut self, host: &mut dyn PhiHost, block: Block);
    /// See [`Builder::hint_loop_writes`].
    fn hint(&mut self, header: Block, variables: &[Variable]);
    /// See [`Builder::finish`].
    ///
    /// # Errors
    /// As there.
    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError>;
    /// See [`Builder::stats`].
    fn stats(&self) -> &Stats;
}

impl<O: Observer> Construction for Builder<O> {
    #[inline]
    fn clear(&mut self) {
        self.clear();
    }
    #[inline]
    fn define(&mut self, _: Block, _: Value) {}
    #[inline]
    fn write(&mut self, block: Block, variable: Variable, value: Value) {
        self.write_variable(block, variable, value);
    }
    #[inline]
    fn read(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        self.read_variable(host, block, variable)
    }
    #[inline]
    fn terminate(&mut self, block: Block, targets: &[Block]) {
        self.terminate(block, targets);
    }
    #[inline]
    fn seal(&mut self, host: &mut dyn PhiHost, block: Block) {
        self.seal_block(host, block);
    }
    #[inline]
    fn hint(&mut self, header: Block, variables: &[Variable]) {
        self.hint_loop_writes(header, variables);
    }
    #[inline]
    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError> {
        self.finish(host)
    }
    fn stats(&self) -> &Stats {
        self.stats()
    }
}

impl<O: Observer> Construction for Certified<O> {
    fn clear(&mut self) {
        self.clear();
    }
    fn define(&mut self, block: Block, value: Value) {
        self.define(block, value);
    }
    fn write(&mut self, block: Block, variable: Variable, value: Value) {
        self.write_variable(block, variable, value);
    }
    fn read(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        self.read_variable(host, block, variable)
    }
    fn terminate(&mut self, block: Block, targets: &[Block]) {
        self.terminate(block, targets);
    }
    fn seal(&mut self, host: &mut dyn PhiHost, block: Block) {
        self.seal_block(host, block);
    }
    fn hint(&mut self, header: Block, variables: &[Variable]) {
        self.hint_loop_writes(header, variables);
    }
    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError> {
        self.finish(host)
    }
    fn stats(&self) -> &Stats {
        self.stats()
    }
}

//! The end of a function in tests: the result is written, checked and compared.

use ssaphire::{CallError, Certified, Observer, PhiHost, Ssa, SsaBuilder, Strict};
use ssaphire_literature::AnyBuilder;

/// A host that writes results.
pub trait Writes: PhiHost {
    /// Takes the result: the last step.
    fn write_result(&mut self, result: &Ssa<'_>);
}

impl<H: Writes> Writes for Strict<H> {
    #[track_caller]
    fn write_result(&mut self, result: &Ssa<'_>) {
        self.inner_mut().write_result(result);
        self.check(result);
    }
}

/// A builder whose result goes into a host at once.
pub trait FinishInto: SsaBuilder {
    /// Finishes, and has the host write the result.
    ///
    /// # Errors
    /// Those of `finish`.
    fn finish_into(&mut self, host: &mut dyn Writes) -> Result<(), CallError>;
}

impl<O: Observer> FinishInto for AnyBuilder<O> {
    fn finish_into(&mut self, host: &mut dyn Writes) -> Result<(), CallError> {
        let result = self.finish(host)?;
        host.write_result(&result);
        Ok(())
    }
}

impl<B: SsaBuilder> FinishInto for Certified<B> {
    fn finish_into(&mut self, host: &mut dyn Writes) -> Result<(), CallError> {
        let result = self.finish(host)?;
        host.write_result(&result);
        self.compare(host);
        Ok(())
    }
}

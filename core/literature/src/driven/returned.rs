//! Checks of the values that the host returns.

use super::{Driven, Strategy};
use ssaphire_construct::Observer;
use ssaphire_construct::PhiHost;
use ssaphire_construct::parts::InCall;
use ssaphire_construct::{Call, CallError, Stopped};
use ssaphire_graph::{Block, Value, Variable};

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Says that `value` has its content before control enters: a constant or a parameter.
    pub(crate) fn try_global(&mut self, value: Value) -> Result<(), CallError> {
        self.options.ids.check_value(value).in_call(Call::Global { value })?;
        self.in_use.note_global(value);
        Ok(())
    }

    /// Asks the host whether the values in use are to be known.
    #[cold]
    pub(crate) fn ask_strictness(&mut self, host: &dyn PhiHost) {
        if !cfg!(debug_assertions) && !host.is_strict() {
            self.in_use.ignore();
        }
    }

    /// Whether the host may have returned `value` for the phi.
    #[inline]
    pub(crate) fn check_phi(&mut self, value: Value, block: Block, variable: Variable) -> Result<(), Stopped> {
        let check = self.in_use.check_phi(&self.values, &self.options.ids, (value, block, variable));
        check.map_err(|error| self.stop(Stopped::Contract(error)))
    }

    /// Whether the host may have returned `value` for the undefined variable.
    pub(crate) fn check_undefined(&mut self, value: Value, variable: Variable) -> Result<(), Stopped> {
        let check = self.in_use.check_undefined(&self.values, &self.options.ids, (value, variable));
        check.map_err(|error| self.stop(Stopped::Contract(error)))
    }
}

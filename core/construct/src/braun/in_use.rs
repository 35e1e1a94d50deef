//! Which values are in use: what a host returns for a phi must not be among them.
//!
//! A value is in use once it was written, named as global, given to `replace`,
//! or returned by the host. Reads hand out no others.
//!
//! Writes have no host with them, so that values are listed from the first
//! call of a function on; the first call that has to ask the host ends that in
//! release builds, unless the host is [strict](PhiHost::is_strict). What is known
//! without the list is refused in all builds: a phi or an undefined value that the host returns as a phi once more.

use super::Builder;
use crate::error::{ContractError, Stopped};
use crate::host::PhiHost;
use crate::observe::Observer;
use ssaphire_graph::{Block, IdError, IdSet, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(super) struct InUse {
    values: IdSet<Value>,
    /// Those available from the entry: `undefined` may return them.
    globals: IdSet<Value>,
    /// Whether nobody asks which values are in use.
    is_ignored: bool,
}

impl InUse {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.globals.clear();
        self.is_ignored = false;
    }

    #[inline]
    pub(super) fn note(&mut self, value: Value) {
        if !self.is_ignored {
            self.values.insert(value);
        }
    }

    pub(super) fn note_global(&mut self, value: Value) {
        if !self.is_ignored {
            self.values.insert(value);
            self.globals.insert(value);
        }
    }

    /// Whether the value may be that of a new phi.
    #[inline]
    fn take_phi(&mut self, value: Value) -> bool {
        self.is_ignored || self.values.insert(value)
    }

    /// Whether the value may be that of an undefined variable.
    fn take_undefined(&mut self, value: Value) -> bool {
        if self.is_ignored {
            return true;
        }
        let is_free = self.values.insert(value) || self.globals.contains(value);
        self.globals.insert(value);
        is_free
    }
}

impl<O: Observer> Builder<O> {
    /// Says that `value` has its content before control enters: a constant or a parameter.
    pub(super) fn try_global(&mut self, value: Value) -> Result<(), IdError> {
        self.options.ids.check_value(value)?;
        self.in_use.note_global(value);
        Ok(())
    }

    /// Asks the host whether the values in use are to be known.
    #[cold]
    pub(super) fn meet(&mut self, host: &dyn PhiHost) {
        if !cfg!(debug_assertions) && !self.in_use.is_ignored && !host.is_strict() {
            self.in_use.clear();
            self.in_use.is_ignored = true;
            self.copies.pass_new_values_below(self.options.ids.values);
        }
    }

    /// Whether the host may have returned `value` for the phi.
    #[inline]
    pub(super) fn check_phi(&mut self, value: Value, block: Block, variable: Variable) -> Result<(), Stopped> {
        self.check_returned(value)?;
        // What would be a phi twice is refused in all builds: nothing could be told of it any more.
        if self.values.is_plain(value) && self.in_use.take_phi(value) {
            return Ok(());
        }
        Err(self.stop(Stopped::Contract(ContractError::PhiInUse { value, block, variable })))
    }

    /// Whether the host may have returned `value` for the undefined variable.
    #[inline]
    pub(super) fn check_undefined(&mut self, value: Value, variable: Variable) -> Result<(), Stopped> {
        self.check_returned(value)?;
        if self.values.phi(value).is_none() && self.in_use.take_undefined(value) {
            return Ok(());
        }
        Err(self.stop(Stopped::Contract(ContractError::UndefinedInUse { value, variable })))
    }

    #[inline]
    fn check_returned(&mut self, value: Value) -> Result<(), Stopped> {
        match self.options.ids.check_value(value) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.stop(Stopped::Contract(ContractError::Id(error)))),
        }
    }
}

//! The values in use: a host must not return one of them for a phi.
//!
//! A value is in use once it was written, named as global, given to `replace`,
//! or returned by the host. Reads return no others.
//!
//! Writes have no access to the host, so values are listed from the first call of a function on. In release builds the
//! first call that has to ask the host ends that, unless the host is [strict](crate::PhiHost::is_strict). All builds
//! refuse values that are known without the list: a phi or an undefined value that the host returns as a phi once more.

use crate::error::ContractError;
use crate::values::Values;
use ssaphire_graph::{Block, IdLimits, IdSet, Value, Variable};

/// The values in use, as long as they are listed.
#[derive(Clone, Debug, Default)]
pub struct InUse {
    values: IdSet<Value>,
    /// Those available from the entry: `undefined` may return them.
    globals: IdSet<Value>,
    /// Whether values in use are no longer listed.
    is_ignored: bool,
}

impl InUse {
    /// Forgets all values; keeps memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.globals.clear();
        self.is_ignored = false;
    }

    /// Notes that the value is in use.
    #[inline]
    pub fn note(&mut self, value: Value) {
        if !self.is_ignored {
            self.values.insert(value);
        }
    }

    /// Notes that the value is in use, and available from the entry.
    pub fn note_global(&mut self, value: Value) {
        if !self.is_ignored {
            self.values.insert(value);
            self.globals.insert(value);
        }
    }

    /// Whether values in use are no longer listed.
    #[inline]
    pub fn is_ignored(&self) -> bool {
        self.is_ignored
    }

    /// Stops listing the values in use; returns whether that was so before.
    pub fn ignore(&mut self) -> bool {
        if self.is_ignored {
            return true;
        }
        self.clear();
        self.is_ignored = true;
        false
    }

    /// Returns whether the value may be that of a new phi, and notes that it is in use.
    #[inline]
    fn take_phi(&mut self, value: Value) -> bool {
        self.is_ignored || self.values.insert(value)
    }

    /// Returns whether the value may be that of an undefined variable, and notes that it is in use.
    fn take_undefined(&mut self, value: Value) -> bool {
        if self.is_ignored {
            return true;
        }
        let is_free = self.values.insert(value) || self.globals.contains(value);
        self.globals.insert(value);
        is_free
    }

    /// Checks that the host may return `value` for the phi.
    ///
    /// All builds refuse a value that would be a phi twice: its two phis could not be distinguished.
    #[inline]
    pub fn check_phi(
        &mut self,
        values: &Values,
        limits: &IdLimits,
        (value, block, variable): (Value, Block, Variable),
    ) -> Result<(), ContractError> {
        limits.check_value(value)?;
        let is_free = values.is_plain(value) && self.take_phi(value);
        if is_free { Ok(()) } else { Err(ContractError::PhiInUse { value, block, variable }) }
    }

    /// Checks that the host may return `value` for the undefined variable.
    pub fn check_undefined(
        &mut self,
        values: &Values,
        limits: &IdLimits,
        (value, variable): (Value, Variable),
    ) -> Result<(), ContractError> {
        limits.check_value(value)?;
        let is_free = values.phi(value).is_none() && self.take_undefined(value);
        if is_free { Ok(()) } else { Err(ContractError::UndefinedInUse { value, variable }) }
    }
}

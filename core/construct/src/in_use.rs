//! Which values are in use: what a host returns for a phi must not be among them.
//!
//! A value is in use once it was written, named as global, given to `replace`,
//! or returned by the host. Reads hand out no others.
//!
//! Writes have no host with them, so that values are listed from the first
//! call of a function on; the first call that has to ask the host ends that in
//! release builds, unless the host is [strict](crate::PhiHost::is_strict). What is known
//! without the list is refused in all builds: a phi or an undefined value that the host returns as a phi once more.

use crate::error::ContractError;
use crate::values::Values;
use ssaphire_graph::{Block, IdLimits, IdSet, Value, Variable};

/// The values in use, as far as somebody asks.
#[derive(Clone, Debug, Default)]
pub struct InUse {
    values: IdSet<Value>,
    /// Those available from the entry: `undefined` may return them.
    globals: IdSet<Value>,
    /// Whether nobody asks which values are in use.
    is_ignored: bool,
}

impl InUse {
    /// Forgets all values; keeps memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.globals.clear();
        self.is_ignored = false;
    }

    /// The value is in use.
    #[inline]
    pub fn note(&mut self, value: Value) {
        if !self.is_ignored {
            self.values.insert(value);
        }
    }

    /// The value is in use, and available from the entry.
    pub fn note_global(&mut self, value: Value) {
        if !self.is_ignored {
            self.values.insert(value);
            self.globals.insert(value);
        }
    }

    /// Whether nobody asks which values are in use.
    #[inline]
    pub fn is_ignored(&self) -> bool {
        self.is_ignored
    }

    /// From now on nobody asks which values are in use: whether it was so before.
    pub fn ignore(&mut self) -> bool {
        if self.is_ignored {
            return true;
        }
        self.clear();
        self.is_ignored = true;
        false
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

    /// Whether the host may have returned `value` for the phi.
    ///
    /// What would be a phi twice is refused in all builds: nothing could be told of it any more.
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

    /// Whether the host may have returned `value` for the undefined variable.
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

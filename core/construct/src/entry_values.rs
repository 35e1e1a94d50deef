//! The values of variables where control enters.

use crate::error::CallErrorKind;
use ssaphire_graph::{IdMap, PackedOption, Value, Variable};

/// The values of variables where control enters: the caller's initial values, and the values that the host returned for
/// undefined variables.
#[derive(Clone, Debug, Default)]
pub struct EntryValues {
    initial: IdMap<Variable, PackedOption<Value>>,
    undefined: IdMap<Variable, PackedOption<Value>>,
}

impl EntryValues {
    /// Forgets the function; keeps memory.
    pub fn clear(&mut self) {
        self.initial.clear();
        self.undefined.clear();
    }

    /// The initial value of the variable, if it has one.
    pub fn initial(&self, variable: Variable) -> Option<Value> {
        self.initial.get(variable)?.expand()
    }

    /// Gives the variable an initial value; `is_held` if it was read or written in the entry already.
    ///
    /// # Errors
    /// If `is_held`, or if the variable has a value on entry already.
    pub fn set_initial(&mut self, variable: Variable, value: Value, is_held: bool) -> Result<(), CallErrorKind> {
        if is_held || self.undefined(variable).is_some() {
            return Err(CallErrorKind::Late);
        }
        if self.initial(variable).is_some() {
            return Err(CallErrorKind::Twice);
        }
        self.initial.grow_to(variable, PackedOption::NONE);
        self.initial[variable] = value.into();
        Ok(())
    }

    /// The value that the host returned for the undefined variable, if it has been asked.
    #[inline]
    pub fn undefined(&self, variable: Variable) -> Option<Value> {
        self.undefined.get(variable)?.expand()
    }

    /// Notes the value that the host returned for the undefined variable.
    pub fn set_undefined(&mut self, variable: Variable, value: Value) {
        self.undefined.grow_to(variable, PackedOption::NONE);
        self.undefined[variable] = value.into();
    }
}

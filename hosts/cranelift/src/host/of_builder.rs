//! The host of a [`FunctionBuilder`](crate::FunctionBuilder): it knows which phis are references.

use super::{CraneliftHost, visit_code};
use crate::context::State;
use crate::error::FinalizeError;
use crate::ids::{self, clif_value, clif_variable};
use crate::undefined;
use cranelift_codegen::ir::Function;
use ssaphire::{Block, PhiHost, Placed, Shown, Ssa, Value, Variable};

pub(crate) struct HostOfBuilder<'a> {
    pub(crate) func: &'a mut Function,
    pub(crate) state: &'a mut State,
}

impl HostOfBuilder<'_> {
    /// Writes the result: see [`CraneliftHost::write`].
    pub(crate) fn write(&mut self, result: &Ssa<'_>) -> Result<(), FinalizeError> {
        self.host().write(result)
    }

    fn host(&mut self) -> CraneliftHost<'_> {
        CraneliftHost { func: self.func, context: &mut self.state.host }
    }
}

impl PhiHost for HostOfBuilder<'_> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        let phi = self.host().new_phi(block, variable);
        if self.state.mapped_variables.contains(clif_variable(variable)) {
            self.state.mapped_values.insert(clif_value(phi));
        }
        phi
    }

    /// Like [`CraneliftHost`]'s, but the entry need not be in the layout yet.
    fn undefined(&mut self, variable: Variable) -> Value {
        let ty = self.state.host.types[clif_variable(variable)];
        let Some(entry) = self.state.entry else { unreachable!("a block was switched to") };
        let zero = undefined::zero(self.func, entry, ty);
        self.state.placed.insert(zero);
        ids::value(zero)
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        visit_code(self.func, &self.state.host, visit)
    }
}

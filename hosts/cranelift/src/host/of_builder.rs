//! The host of a [`FunctionBuilder`](crate::FunctionBuilder): it keeps what went wrong, and which phis are references.

use super::{CraneliftHost, visit_code};
use crate::context::State;
use crate::ids::{self, clif_value, clif_variable};
use crate::undefined;
use cranelift_codegen::ir::Function;
use ssaphire::{Block, Forwarding, HostError, KeptPhis, PhiHost, Placed, Shown, Value, Variable};

pub(crate) struct HostOfBuilder<'a> {
    pub(crate) func: &'a mut Function,
    pub(crate) state: &'a mut State,
}

impl HostOfBuilder<'_> {
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

    /// As the host has it, but the entry need not be in the layout yet.
    fn undefined(&mut self, variable: Variable) -> Value {
        let ty = self.state.host.types[clif_variable(variable)];
        let Some(entry) = self.state.entry else { unreachable!("a block was switched to") };
        ids::value(undefined::zero(self.func, entry, ty))
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        if let Err(error) = self.host().check_room(phis) {
            let refusal = HostError::new(error.to_string());
            self.state.fail(error);
            return Err(refusal);
        }
        self.host().settle(phis, stands_for);
        Ok(())
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        visit_code(self.func, &self.state.host, visit)
    }
}

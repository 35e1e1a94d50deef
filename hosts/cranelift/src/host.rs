//! The host: phis become block parameters.
//!
//! A phi has to be a value at once, and a parameter of its block only if it
//! stays. So it begins as a parameter of a limbo block, which is in no layout;
//! at the end the parameters that stay move to their blocks, and the others
//! become aliases. Nothing is ever taken from the middle of a list.
//!
//! # Complexity
//! O(1) per phi and per operand.

use crate::context::State;
use crate::error::FinalizeError;
use crate::ids::{self, clif_block, clif_value, clif_variable};
use crate::undefined;
use cranelift_codegen::ir::Function;
use cranelift_codegen::ir::function::FunctionStencil;
use ssaphire::{Block, Forwarding, HostError, KeptPhis, PhiHost, Value};

/// Cranelift numbers the parameters of a block with 16 bits.
pub(crate) const MAX_PARAMS: usize = u16::MAX as usize;

pub(crate) struct Host<'a> {
    pub(crate) func: &'a mut Function,
    pub(crate) state: &'a mut State,
}

impl Host<'_> {
    /// Whether every block has room for its parameters.
    fn check_room(&mut self, phis: &KeptPhis<'_>) -> Result<(), HostError> {
        let mut phis = phis.iter().peekable();
        while let Some(first) = phis.next() {
            let mut num_params = self.func.dfg.num_block_params(clif_block(first.block)) + 1;
            while phis.next_if(|phi| phi.block == first.block).is_some() {
                num_params += 1;
            }
            if num_params > MAX_PARAMS {
                let error = FinalizeError::Parameters { block: clif_block(first.block), count: num_params };
                let refusal = HostError::new(error.to_string());
                self.state.fail(error);
                return Err(refusal);
            }
        }
        Ok(())
    }
}

impl PhiHost for Host<'_> {
    fn new_phi(&mut self, _: Block, variable: ssaphire::Variable) -> Value {
        let dfg = &mut self.func.dfg;
        if self.state.limbo.last().is_none_or(|&limbo| dfg.num_block_params(limbo) == MAX_PARAMS) {
            self.state.limbo.push(dfg.make_block());
        }
        let limbo = self.state.limbo[self.state.limbo.len() - 1];
        let variable = clif_variable(variable);
        let phi = dfg.append_block_param(limbo, self.state.types[variable]);
        if self.state.mapped_variables.contains(variable) {
            self.state.mapped_values.insert(phi);
        }
        ids::value(phi)
    }

    fn undefined(&mut self, variable: ssaphire::Variable) -> Value {
        let ty = self.state.types[clif_variable(variable)];
        let Some(entry) = self.state.entry else { unreachable!("a block was switched to") };
        ids::value(undefined::zero(self.func, entry, ty))
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        self.check_room(phis)?;
        let FunctionStencil { dfg, layout, .. } = &mut **self.func;
        for limbo in self.state.limbo.drain(..) {
            dfg.detach_block_params(limbo);
        }
        for phi in phis.iter() {
            dfg.attach_block_param(clif_block(phi.block), clif_value(phi.value));
            for operand in phi.edge_operands() {
                let Some(branch) = layout.last_inst(clif_block(operand.source)) else { continue };
                let (tables, exceptions) = (&mut dfg.jump_tables, &mut dfg.exception_tables);
                let edges = dfg.insts[branch].branch_destination_mut(tables, exceptions);
                edges[operand.slot as usize].append_argument(clif_value(operand.value), &mut dfg.value_lists);
            }
        }
        for (from, to) in stands_for.iter() {
            dfg.change_to_alias(clif_value(from), clif_value(to));
        }
        Ok(())
    }
}

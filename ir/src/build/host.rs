//! A function as the host of a construction.

use crate::dialect::Dialect;
use crate::function::{Arg, Function, List, Phi};
use ssaphire::{Block, Forwarding, HostError, KeptPhis, PhiHost, Uses, Value, Variable};

/// A function as the host of a construction.
pub(super) struct Host<D: Dialect> {
    pub(super) function: Function<D>,
}

impl<D: Dialect> Host<D> {
    fn incoming(&self, block: Block) -> impl Iterator<Item = (Block, u32)> + '_ {
        self.function.block(block).incoming().iter().map(|edge| (edge.source, edge.slot))
    }
}

impl<D: Dialect> PhiHost for Host<D> {
    fn new_phi(&mut self, _block: Block, variable: Variable) -> Value {
        self.function.new_version(variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.function.undefined(variable)
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        self.function.map_uses(|value| stands_for.resolve(value));
        for phi in phis.iter() {
            // The order of the incoming edges is the same here and there: both take edges as blocks are terminated,
            // or as the announced graph has them.
            let operands = List::from_slice(phi.operands);
            debug_assert!(
                phi.edges.iter().map(|edge| (edge.source, edge.slot)).eq(self.incoming(phi.block)),
                "operands are by incoming edge"
            );
            self.function.push_phi(phi.block, Phi { value: phi.value, variable: Some(phi.variable), operands });
        }
        self.function.unbind_params();
        Ok(())
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let insts = self.function.blocks().flat_map(|block| self.function.block(block).insts());
        for arg in insts.flat_map(|inst| &inst.args) {
            if let Arg::Value(value) = *arg {
                visit(value);
            }
        }
        Uses::Visited
    }
}

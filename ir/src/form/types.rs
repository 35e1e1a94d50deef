//! Type checking of phis and instructions.

use super::{FormError, Part};
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, InstRef};
use ssaphire_graph::Block;

impl<D: Syntax> Function<D> {
    /// All parts of phis and instructions that have the wrong type, in block order.
    ///
    /// Needs: every mentioned id exists.
    pub(crate) fn check_types(&self) -> Vec<FormError> {
        let mut errors = Vec::new();
        for block in self.blocks() {
            let data = self.block(block);
            for phi in data.phis().iter() {
                let ty = self.value(phi.value).ty;
                let wrong = |operand: &usize| !D::is_subtype(self.value(phi.operands[*operand]).ty, ty);
                let phi_type = |operand| FormError::PhiType { block, phi: phi.value, operand };
                errors.extend((0..phi.operands.len()).filter(wrong).map(phi_type));
            }
            for (index, inst) in data.insts().iter().enumerate() {
                self.check_inst_types(block, index, inst, &mut errors);
            }
        }
        errors
    }

    fn check_inst_types(&self, block: Block, index: usize, inst: InstRef<'_, D>, errors: &mut Vec<FormError>) {
        let mut check = |is_right: bool, part| {
            if !is_right {
                errors.push(FormError::WrongType { block, index, part });
            }
        };
        match inst.action {
            Action::Copy => {
                for (place, (&dest, &arg)) in inst.results.iter().zip(inst.args).enumerate() {
                    check(D::is_subtype(self.arg_type(arg), self.dest_type(dest)), Part::Arg(place));
                }
            }
            Action::Op(op) => {
                for (place, &arg) in inst.args.iter().enumerate() {
                    let fits = |wanted| D::is_subtype(self.arg_type(arg), &wanted);
                    check(D::arg_type(op, place).is_none_or(fits), Part::Arg(place));
                }
                for (place, &dest) in inst.results.iter().enumerate() {
                    let fits = |made| D::is_subtype(&made, self.dest_type(dest));
                    check(D::result_type(op, place).is_none_or(fits), Part::Result(place));
                }
            }
        }
    }

    fn arg_type(&self, arg: Arg) -> &D::Type {
        match arg {
            Arg::Value(value) => self.value(value).ty,
            Arg::Variable(variable) => self.variable_type(variable),
        }
    }

    fn dest_type(&self, dest: Dest) -> &D::Type {
        match dest {
            Dest::Value(value) => self.value(value).ty,
            Dest::Variable(variable) => self.variable_type(variable),
        }
    }
}

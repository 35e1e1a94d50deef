//! A function as the host of folding.

use super::operators::Glance;
use crate::build::Host;
use crate::dialect::Semantics;
use crate::function::{Action, Arg, Dest, InstData, Span, ValueKind};
use ssaphire::fold::{Applied, FoldHost, Simplified};
use ssaphire::{Block, Operator, PhiHost, Placed, Shown, Uses, Value, Variable};

/// A function that is being built, and what is known of its operations.
pub(crate) struct FoldingHost<'a, D: Semantics> {
    pub(crate) host: &'a mut Host<D>,
    pub(crate) folding: &'a mut super::State<D>,
    /// The type of the result asked for.
    pub(crate) ty: D::Type,
}

impl<D: Semantics> PhiHost for FoldingHost<'_, D> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        self.host.new_phi(block, variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.host.undefined(variable)
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        self.host.visit_code(visit)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.host.visit_uses(visit)
    }
}

impl<D: Semantics> FoldHost for FoldingHost<'_, D> {
    fn is_constant(&self, value: Value) -> bool {
        self.host.function.values.is_constant(value)
    }

    fn is_repeatable(&self, operator: Operator) -> bool {
        self.folding.operators.computes(operator)
    }

    fn exchanged(&self, operator: Operator) -> Option<Operator> {
        self.folding.operators.laws(operator)?.exchanged
    }

    fn evaluate(&mut self, operator: Operator, args: &[Value]) -> Option<Value> {
        let op = self.folding.operators.op(operator)?;
        let constant = |&arg: &Value| match self.host.function.value(arg).kind {
            ValueKind::Constant(constant) => Some(constant.clone()),
            _ => None,
        };
        let args: Option<crate::function::List<D::Constant, 3>> = args.iter().map(constant).collect();
        let result = D::evaluate(op, &args?)?;
        Some(self.host.function.constant(result))
    }

    fn may_see_through(&self, operator: Operator, index: usize, inside: Operator) -> bool {
        self.folding.operators.laws(operator).is_some_and(|laws| laws.may_see(index, inside))
    }

    fn simplify(&mut self, applied: Applied<'_>, args: &mut Vec<Value>) -> Option<Simplified> {
        let through = applied.seen_through.map(|(index, operator, _)| (index, operator));
        let laws = self.folding.operators.laws(applied.operator)?.that_see(through);
        if laws.is_empty() {
            return None;
        }
        let glance = Glance::at(applied.args, |arg| self.host.function.as_constant(arg));
        laws.iter().filter(|law| law.may_apply(&glance)).find_map(|law| {
            args.clear();
            law.apply(&mut self.host.function, applied, args)
        })
    }

    fn chosen_slot(&self, operator: Operator, args: &[Value], num_targets: usize) -> Option<u32> {
        let op = self.folding.operators.op(operator)?;
        let constant = |&arg: &Value| match self.host.function.value(arg).kind {
            ValueKind::Constant(constant) => Some(constant.clone()),
            _ => None,
        };
        let args: Option<Vec<D::Constant>> = args.iter().map(constant).collect();
        D::chosen_slot(op, &args?, num_targets)
    }

    fn append(&mut self, _block: Block, operator: Operator, args: &[Value]) -> Value {
        let Some(op) = self.folding.operators.op(operator).cloned() else {
            unreachable!("operators are numbered here")
        };
        let function = &mut self.host.function;
        let ty = D::result_type(&op, 0).unwrap_or_else(|| self.ty.clone());
        let start = function.code.results.end();
        let result = function.values.push(ValueKind::Result, ty, None);
        let code = &mut function.code;
        code.results.append(Dest::Value(result));
        let args = code.args.add_few(args, Arg::Value);
        code.insts.append(InstData {
            action: Action::Op(op),
            args,
            results: Span::one(start),
            targets: Span::default(),
        });
        result
    }

    fn remove(&mut self, value: Value) {
        self.folding.removed.push(value);
    }
}

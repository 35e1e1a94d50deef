//! A function as the host of a construction.

use crate::dialect::Syntax;
use crate::function::{Arg, Function, PhiData, ValueKind};
use ssaphire::{Block, Forwarding, KeptPhis, PhiHost, Placed, Shown, Ssa, Uses, Value, Variable};

/// A function as the host of a construction.
pub(crate) struct Host<D: Syntax> {
    /// In a box, so that a builder can be moved at little cost.
    pub(crate) function: Box<Function<D>>,
    /// Whether the function gets its edges only from the construction.
    pub(super) connects: bool,
    /// Whether the function is left in variable form.
    pub(super) keeps_variables: bool,
}

impl<D: Syntax> Host<D> {
    /// Writes the result into the function.
    pub(super) fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        if stands_for.iter().len() > 0 {
            self.replace(stands_for);
        }
        if self.connects {
            self.connect(phis);
        }
        self.place(phis);
        if !self.keeps_variables {
            self.function.unbind_params();
        }
    }

    /// Sets the incoming edges of every block, in the order of the construction.
    fn connect(&mut self, phis: &KeptPhis<'_>) {
        let Function { blocks, incoming, .. } = &mut *self.function;
        for block in blocks.keys() {
            blocks[block].incoming = incoming.add_few(phis.incoming(block), |edge| edge).into();
        }
    }

    /// Replaces every used value with the value it is forwarded to; unused ones need no replacement.
    fn replace(&mut self, stands_for: &Forwarding<'_>) {
        let Function { code, operands, .. } = &mut *self.function;
        for arg in code.args.all_mut() {
            if let Arg::Value(value) = arg {
                *value = stands_for.resolve(*value);
            }
        }
        operands.all_mut().iter_mut().for_each(|operand| *operand = stands_for.resolve(*operand));
    }

    /// Inserts the phis that are kept, block by block.
    fn place(&mut self, kept: &KeptPhis<'_>) {
        let Function { blocks, phis, operands, values, .. } = &mut *self.function;
        let (mut last, mut start) = (None, 0);
        for phi in kept.iter() {
            // The order of the incoming edges is the same here and there: that of the construction, or of the announced graph.
            debug_assert_eq!(phi.operands.len(), blocks[phi.block].incoming.len(), "an operand per edge");
            if last != Some(phi.block) {
                start = phis.make_last(blocks[phi.block].phis);
                last = Some(phi.block);
            }
            values.record_mut(phi.value).kind = ValueKind::Phi;
            let operands = operands.add_few(phi.operands, |operand| operand).into();
            phis.append(PhiData { value: phi.value, variable: Some(phi.variable), operands });
            blocks[phi.block].phis = phis.list_since(start);
        }
    }
}

impl<D: Syntax> PhiHost for Host<D> {
    fn new_phi(&mut self, _block: Block, variable: Variable) -> Value {
        self.function.new_version(variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.function.undefined(variable)
    }

    /// Visits arguments by their positions in the pool, which do not change.
    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        let Function { blocks, code, phis, operands, .. } = &*self.function;
        let mut visit_arg = |place: usize| {
            if let Arg::Value(value) = code.args.all()[place] {
                visit(Placed::Use { place: place as u64, value });
            }
        };
        // In ascending order, if the pool contains nothing else.
        if code.args.is_dense() {
            (0..code.args.all().len()).for_each(visit_arg);
        } else {
            let insts = blocks.values().flat_map(|block| code.insts.get(block.insts));
            insts.flat_map(|inst| inst.args.range()).for_each(&mut visit_arg);
        }
        for (block, data) in blocks.iter() {
            for phi in phis.get(data.phis) {
                visit(Placed::Phi { block, value: phi.value, operands: operands.get(phi.operands) });
            }
        }
        Shown::Everything
    }

    /// Visits the uses of values without a definition so far: only these can be phis.
    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let Function { blocks, code, values, .. } = &*self.function;
        let mut visit_arg = |arg: &Arg| {
            if let Arg::Value(value) = *arg
                && values.is_detached(value)
            {
                visit(value);
            }
        };
        if code.args.is_dense() {
            code.args.all().iter().for_each(visit_arg);
            return Uses::Visited;
        }
        let insts = blocks.values().flat_map(|block| code.insts.get(block.insts));
        insts.flat_map(|inst| code.args.span(inst.args)).for_each(&mut visit_arg);
        Uses::Visited
    }
}

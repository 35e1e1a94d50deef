//! Keeps memory in proportion to the live contents.

use crate::dialect::Syntax;
use crate::function::{Code, Function, Pool};

impl<D: Syntax> Function<D> {
    /// Removes the leftovers of edits, if they are more than half of everything.
    ///
    /// The cost is amortized over the edits that left them behind.
    pub(crate) fn compact_if_wasteful(&mut self) {
        let phis = self.phis.is_wasteful() || self.operands.is_wasteful();
        if phis || self.code.is_wasteful() || self.incoming.is_wasteful() {
            self.compact();
        }
    }

    /// Moves everything into block order, without gaps.
    pub(crate) fn compact(&mut self) {
        let (mut code, mut phis) = (Code::<D>::default(), Pool::default());
        let (mut operands, mut incoming) = (Pool::default(), Pool::default());
        for data in self.blocks.values_mut() {
            incoming.take_list(&self.incoming, &mut data.incoming);
            phis.take_list(&self.phis, &mut data.phis);
            for phi in phis.get_mut(data.phis) {
                operands.take_list(&self.operands, &mut phi.operands);
            }
            code.insts.take_list(&self.code.insts, &mut data.insts);
            for inst in code.insts.get_mut(data.insts) {
                code.args.take_span(&self.code.args, &mut inst.args);
                code.results.take_span(&self.code.results, &mut inst.results);
                code.targets.take_span(&self.code.targets, &mut inst.targets);
            }
        }
        (self.code, self.phis, self.operands, self.incoming) = (code, phis, operands, incoming);
    }
}

#[cfg(test)]
mod tests {
    use crate::basic::{Basic, Op, Type};
    use crate::{Arg, Function, Inst};

    #[test]
    fn functions_are_taken_out_of_the_memory_that_they_are_built_in() {
        let build = |function: &mut Function<Basic>, name: &str| {
            function.set_name(name);
            let x = function.add_variable("x", Type::Number);
            let param = function.add_param(x);
            let [a, b] = [(); 2].map(|()| function.create_block());
            let constant = function.constant(7);
            function.set_terminator(a, Inst::op(Op::Branch, [param]).with_targets([b, b]));
            let phi = function.new_value(Some(x), Type::Number);
            function.insert_phi(b, phi, Some(x), |edge| if edge.slot == 0 { param } else { constant });
            function.push_inst(b, Inst::op(Op::Return, [phi]));
        };
        let mut memory = Function::<Basic>::new("");
        let mut taken = Vec::new();
        for name in ["f", "g"] {
            build(&mut memory, name);
            taken.push(memory.take());
            assert_eq!((memory.num_blocks(), memory.num_values(), memory.name()), (0, 0, ""));
        }
        for (mut function, name) in taken.into_iter().zip(["f", "g"]) {
            let mut expected = Function::new("");
            build(&mut expected, name);
            assert_eq!(function, expected);
            assert_eq!(function.constant(7), expected.constant(7), "one value per constant still");
        }
    }

    #[test]
    fn a_function_that_is_edited_for_ever_does_not_grow() {
        let mut function = Function::<Basic>::new("f");
        let [a, b, c] = [(); 3].map(|()| function.create_block());
        let one = function.constant(1);
        function.push_inst(b, Inst::op(Op::Return, [one]));
        function.push_inst(c, Inst::op(Op::Return, [one]));
        for round in 0..10_000 {
            let phi = function.new_value(None, Type::Number);
            function.insert_phi(c, phi, None, |_| one);
            function.insert_inst(c, 0, Inst::op(Op::Print, [Arg::Value(phi), Arg::Value(one)]));
            let target = if round % 2 == 0 { b } else { c };
            function.set_terminator(a, Inst::op(Op::Branch, [one]).with_targets([target, c]));
            function.retain_insts(c, |inst| inst.is_terminator());
            function.retain_phis(c, |_| false);
            if round % 1000 == 0 {
                assert_eq!(function.check_form(), []);
            }
        }
        let code = &function.code;
        let lens =
            [code.insts.end(), code.args.end(), code.targets.end(), function.phis.end(), function.operands.end()];
        assert!(lens.iter().all(|&len| len < 300), "{lens:?}");
        assert!(function.incoming.end() < 300);
    }
}

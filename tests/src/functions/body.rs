//! Random instructions for the blocks of a graph.

use super::graph::Graph;
use super::{Rng, Shape};
use ssaphire::{Block, Variable};
use ssaphire_ir::basic::{Basic, BinaryOp, Call, Op, Type, UnaryOp};
use ssaphire_ir::{Arg, Dest, Function, Inst};

pub(super) fn fill(
    shape: Shape,
    graph: &Graph,
    most_insts: usize,
    num_arrays: usize,
    rng: &mut Rng,
) -> Function<Basic> {
    let mut function = Function::new("random");
    let num_variables = 2 + rng.below(6);
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let variables: Vec<_> =
        names[..num_variables].iter().map(|name| function.add_variable(*name, Type::Number)).collect();
    let arrays: Vec<_> =
        ["p", "q"][..num_arrays].iter().map(|name| function.add_variable(*name, Type::Array)).collect();
    let num_params = rng.below(3);
    for (index, &variable) in variables[..num_params].iter().enumerate() {
        let array = arrays.first().filter(|_| index == 1);
        function.add_param(*array.unwrap_or(&variable));
    }
    let blocks: Vec<_> = graph.iter().map(|_| function.create_block()).collect();
    let mut in_degree = vec![0; graph.len()];
    graph.iter().flatten().for_each(|&target| in_degree[target] += 1);
    let mut body = Body { function, variables, arrays, rng };
    body.initialize(blocks[0]);
    for (&block, targets) in blocks.iter().zip(graph) {
        let count = if shape == Shape::OneBlock { most_insts } else { body.rng.below(most_insts + 1) };
        for _ in 0..count {
            body.inst(block);
        }
        // A call's results need a normal successor that nothing else leads to.
        let can_throw = shape == Shape::Exceptions
            && matches!(targets[..], [normal, handler] if normal != handler && normal != 0 && in_degree[normal] == 1);
        let targets: Vec<_> = targets.iter().map(|&target| blocks[target]).collect();
        if can_throw && body.rng.chance(2, 3) {
            body.protected_call(block, &targets);
        } else {
            body.terminator(block, targets);
        }
    }
    let mut function = body.function;
    function.canonicalize();
    function
}

struct Body<'r> {
    function: Function<Basic>,
    /// Those that hold numbers.
    variables: Vec<Variable>,
    arrays: Vec<Variable>,
    rng: &'r mut Rng,
}

impl Body<'_> {
    /// Most variables get a value at the entry; the others show what undefined ones do.
    fn initialize(&mut self, entry: Block) {
        for variable in self.variables.clone() {
            if self.rng.chance(3, 4) {
                let constant = self.constant();
                self.function.push_inst(entry, Inst::copy(variable, constant));
            }
        }
    }

    fn constant(&mut self) -> Arg {
        let constant = self.rng.below(12) as i64 - 3;
        Arg::Value(self.function.constant(constant))
    }

    fn variable(&mut self) -> Variable {
        self.variables[self.rng.below(self.variables.len())]
    }

    fn array(&mut self) -> Variable {
        self.arrays[self.rng.below(self.arrays.len())]
    }

    /// So many different variables of one type, or as many as there are.
    fn variables(&mut self, count: usize) -> Vec<Variable> {
        let are_arrays = !self.arrays.is_empty() && self.rng.chance(1, 4);
        let rest = if are_arrays { self.arrays.clone() } else { self.variables.clone() };
        self.some_of(rest, count)
    }

    fn some_of(&mut self, mut rest: Vec<Variable>, count: usize) -> Vec<Variable> {
        (0..count.min(rest.len())).map(|_| rest.swap_remove(self.rng.below(rest.len()))).collect()
    }

    fn arg(&mut self) -> Arg {
        if self.rng.chance(1, 5) { self.constant() } else { self.variable().into() }
    }

    /// An argument where an array is as good as a number.
    fn any_arg(&mut self) -> Arg {
        if !self.arrays.is_empty() && self.rng.chance(1, 4) { self.array().into() } else { self.arg() }
    }

    fn inst(&mut self, block: Block) {
        let inst = if !self.arrays.is_empty() && self.rng.chance(1, 3) { self.array_inst() } else { self.plain_inst() };
        self.function.push_inst(block, inst);
    }

    fn array_inst(&mut self) -> Inst<Basic> {
        match self.rng.below(8) {
            0 => Inst::copy(self.array(), self.array()),
            1..4 => Inst::op(Op::Access, [self.array().into(), self.arg()]).with_results([self.variable()]),
            4..7 => {
                let args = [self.array().into(), self.arg(), self.arg()];
                Inst::op(Op::Update, args).with_results([self.array()])
            }
            _ => Inst::op(Op::HiddenUpdate, [self.arg(), self.arg()]).with_results([self.array()]),
        }
    }

    fn plain_inst(&mut self) -> Inst<Basic> {
        match self.rng.below(16) {
            0..3 => Inst::copy(self.variable(), self.variable()),
            3 => {
                let constant = self.constant();
                Inst::copy(self.variable(), constant)
            }
            4 | 5 => self.tuple(),
            6..10 => {
                let op = BinaryOp::ALL[self.rng.below(BinaryOp::ALL.len())];
                Inst::op(Op::Binary(op), [self.arg(), self.arg()]).with_results([self.variable()])
            }
            10 => {
                let op = UnaryOp::ALL[self.rng.below(UnaryOp::ALL.len())];
                Inst::op(Op::Unary(op), [self.arg()]).with_results([self.variable()])
            }
            11 | 12 => self.call(),
            13 if self.rng.chance(1, 8) => Inst::op(Op::Read, [] as [Arg; 0]).with_results([self.variable()]),
            _ => {
                let count = 1 + self.rng.below(3);
                let args: Vec<_> = (0..count).map(|_| self.any_arg()).collect();
                Inst::op(Op::Print, args)
            }
        }
    }

    /// Two or three variables that trade contents, or take constants while the others read them.
    fn tuple(&mut self) -> Inst<Basic> {
        let count = 2 + self.rng.below(2);
        let dests = self.variables(count);
        let turned: Vec<_> = dests.iter().cycle().skip(1).take(dests.len()).copied().collect();
        let pairs = dests.into_iter().zip(turned).map(|(dest, source)| {
            let is_array = self.arrays.contains(&dest);
            let source = if !is_array && self.rng.chance(1, 6) { self.arg() } else { Arg::Variable(source) };
            (Dest::Variable(dest), source)
        });
        let pairs: Vec<_> = pairs.collect();
        Inst::parallel_copy(pairs)
    }

    /// A call with up to two results and up to two variables of each effect.
    fn call(&mut self) -> Inst<Basic> {
        let mut call = Call::new(["f", "g", "choose"][self.rng.below(3)]);
        let returned = self.rng.below(3);
        let (must, maybe) = (self.rng.below(2), self.rng.below(3));
        let all = self.variables.iter().chain(&self.arrays).copied().collect();
        let dests = self.some_of(all, returned + must + maybe);
        let maybe = maybe.min(dests.len());
        let must = must.min(dests.len() - maybe);
        let uses = self.rng.below(2);
        (call.must, call.maybe, call.uses) = (must as u32, maybe as u32, uses as u32);
        let mut args: Vec<_> = (0..self.rng.below(3)).map(|_| self.any_arg()).collect();
        args.extend(dests[dests.len() - maybe..].iter().copied().map(Arg::Variable));
        args.extend((0..uses).map(|_| Arg::Variable(self.variable())));
        Inst::op(Op::Call(call), args).with_results(dests)
    }

    fn protected_call(&mut self, block: Block, targets: &[Block]) {
        let inst = self.call().with_targets(targets.iter().copied());
        self.function.push_inst(block, inst);
    }

    fn terminator(&mut self, block: Block, targets: Vec<Block>) {
        if targets.is_empty() {
            let count = self.rng.below(3);
            let args: Vec<_> = (0..count).map(|_| self.any_arg()).collect();
            return self.function.push_inst(block, Inst::op(Op::Return, args));
        }
        if let [target] = targets[..]
            && self.rng.chance(9, 10)
        {
            return self.function.push_inst(block, Inst::jump(target));
        }
        let condition = self.condition(block);
        let op = if targets.len() == 2 && self.rng.chance(3, 4) { Op::Branch } else { Op::Switch };
        self.function.push_inst(block, Inst::op(op, [condition]).with_targets(targets));
    }

    /// Mostly something that an opaque call has just chosen: sure to be defined, and not the same every time.
    fn condition(&mut self, block: Block) -> Variable {
        let variable = self.variable();
        if self.rng.chance(7, 8) {
            let arg = self.arg();
            let choose = Inst::op(Op::Call(Call::new("choose")), [arg]).with_results([variable]);
            self.function.push_inst(block, choose);
            let modulus = Arg::Value(self.function.constant(4));
            let small = Inst::op(Op::Binary(BinaryOp::Rem), [Arg::Variable(variable), modulus]);
            self.function.push_inst(block, small.with_results([variable]));
        }
        variable
    }
}

//! Loops that run alike, or nearly: what passes over any function hardly ever meet.
//!
//! A loop follows from a recipe, a seed from which numbers are drawn. Two loops of one recipe are the same but for the
//! variables that they write; in some of them, one of the numbers is another one.

use crate::rng::Rng;
use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::{Arg, Basic, Block, Function, Inst, Variable};

/// A function of a few loops, one after the other or one in the other, that prints what they leave.
pub(super) fn function(seed: u64) -> Function<Basic> {
    let mut function = Function::new("alike");
    let outer: Vec<Variable> = ["p", "q"].map(|name| function.add_variable(name, Type::Number)).to_vec();
    for &variable in &outer {
        function.add_param(variable);
    }
    let block = function.create_block();
    let mut rng = Rng::new(seed);
    let recipes = [(); 2].map(|()| rng.next_u64());
    let mut program = Program { function, block, outer, recipes };
    for _ in 0..2 + rng.below(2) {
        program.draw_loop(&mut rng, 0);
        if rng.chance(50) {
            program.compute(&mut rng);
        }
    }
    let args: Vec<Arg> = program.outer.iter().map(|&variable| Arg::Variable(variable)).collect();
    program.push(Inst::op(Op::Print, args));
    program.push(Inst::op(Op::Return, [] as [Arg; 0]));
    program.function.canonicalize();
    program.function
}

/// The numbers of a recipe, one of which may be another one.
struct Draws {
    rng: Rng,
    count: usize,
    changed: Option<usize>,
}

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.count += 1;
        let number = self.rng.below(limit);
        if self.changed == Some(self.count) { (number + 1) % limit } else { number }
    }
}

struct Program {
    function: Function<Basic>,
    /// Where instructions go.
    block: Block,
    /// What later loops may read.
    outer: Vec<Variable>,
    recipes: [u64; 2],
}

impl Program {
    fn push(&mut self, inst: Inst<Basic>) {
        self.function.push_inst(self.block, inst);
    }

    /// A loop of one of the recipes. Control goes on behind it.
    fn draw_loop(&mut self, rng: &mut Rng, depth: usize) {
        let changed = rng.chance(40).then(|| 1 + rng.below(16));
        let mut draws = Draws { rng: Rng::new(self.recipes[rng.below(2)]), count: 0, changed };
        let [count, sum] = ["i", "s"].map(|name| self.function.add_variable(name, Type::Number));
        for variable in [count, sum] {
            let start = self.arg(&mut draws, &[]);
            self.push(Inst::copy(variable, start));
        }
        let [header, body, behind] = [(); 3].map(|()| self.function.create_block());
        self.push(Inst::jump(header));
        self.block = header;
        // Tested before its body, after it, before and perhaps after it, or sometimes in it.
        let tests = draws.below(6);
        if tests.is_multiple_of(2) {
            self.test(&mut draws, count, [body, behind]);
        } else {
            self.push(Inst::jump(body));
        }
        self.block = body;
        let step = self.function.constant(1);
        self.push(Inst::op(Op::Binary(BinaryOp::Add), [Arg::Variable(count), Arg::Value(step)]).with_results([count]));
        self.body(&mut draws, rng, [count, sum], depth);
        if tests == 3 {
            let then = self.function.create_block();
            self.test(&mut draws, sum, [then, header]);
            self.block = then;
        }
        if !tests.is_multiple_of(2) || tests == 2 && draws.below(3) == 0 {
            self.test(&mut draws, count, [header, behind]);
        } else {
            self.push(Inst::jump(header));
        }
        self.block = behind;
        self.outer.extend([count, sum]);
    }

    /// A few statements that change the sum.
    fn body(&mut self, draws: &mut Draws, rng: &mut Rng, [count, sum]: [Variable; 2], depth: usize) {
        for _ in 0..1 + draws.below(2) {
            match draws.below(5) {
                0 if depth < 2 => self.draw_loop(rng, depth + 1),
                1 => {
                    let [then, join] = [(); 2].map(|()| self.function.create_block());
                    self.test(draws, count, [then, join]);
                    self.block = then;
                    self.add(draws, [count, sum]);
                    self.push(Inst::jump(join));
                    self.block = join;
                }
                _ => self.add(draws, [count, sum]),
            }
        }
    }

    fn add(&mut self, draws: &mut Draws, [count, sum]: [Variable; 2]) {
        let op = [BinaryOp::Add, BinaryOp::Mul, BinaryOp::Sub][draws.below(3)];
        let arg = self.arg(draws, &[count]);
        self.push(Inst::op(Op::Binary(op), [Arg::Variable(sum), arg]).with_results([sum]));
    }

    /// Branches to one target or the other.
    fn test(&mut self, draws: &mut Draws, count: Variable, mut targets: [Block; 2]) {
        if draws.below(8) == 0 {
            targets.reverse();
        }
        let condition = self.function.add_variable("c", Type::Number);
        let bound = self.arg(draws, &[]);
        let op = [BinaryOp::Lt, BinaryOp::Le][draws.below(2)];
        self.push(Inst::op(Op::Binary(op), [Arg::Variable(count), bound]).with_results([condition]));
        self.push(Inst::op(Op::Branch, [Arg::Variable(condition)]).with_targets(targets));
    }

    /// A small constant, one of `own`, a parameter, or what a loop has left.
    fn arg(&mut self, draws: &mut Draws, own: &[Variable]) -> Arg {
        match draws.below(6) {
            0 | 1 => Arg::Value(self.function.constant(draws.below(4) as i64)),
            2 if !own.is_empty() => Arg::Variable(own[0]),
            3 => Arg::Variable(self.outer[self.outer.len() - 1 - draws.below(self.outer.len().min(4))]),
            _ => Arg::Variable(self.outer[draws.below(2)]),
        }
    }

    /// Something that follows from what the loops have left.
    fn compute(&mut self, rng: &mut Rng) {
        for _ in 0..2 {
            let left = Arg::Variable(rng.pick(&self.outer));
            let result = self.function.add_variable("r", Type::Number);
            let two = Arg::Value(self.function.constant(2));
            self.push(Inst::op(Op::Binary(BinaryOp::Mul), [left, two]).with_results([result]));
            self.push(Inst::op(Op::Print, [Arg::Variable(result)]));
        }
    }
}

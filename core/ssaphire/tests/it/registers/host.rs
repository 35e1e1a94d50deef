//! The host of construction and folding: values are numbers, and nobody keeps lists of their uses.

use super::code::{Code, Inst, Op, evaluate};
use ssaphire::fold::{Applied, FoldHost, Simplified};
use ssaphire::{Block, Operator, PhiHost, Placed, Shown, Ssa, Uses, Value, Variable};
use std::collections::BTreeMap;

/// The operations that are folded, by the numbers of their operators.
const FOLDED: [Op; 8] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::And, Op::Less, Op::Greater, Op::Branch];

#[derive(Debug, Default)]
pub(crate) struct Host {
    pub(crate) code: Code,
    num_values: usize,
    /// Constants have no instruction before the result is written.
    constants: BTreeMap<i64, Value>,
    numbers: BTreeMap<Value, i64>,
}

impl Host {
    pub(crate) fn value(&mut self) -> Value {
        self.num_values += 1;
        Value::new(self.num_values - 1)
    }

    pub(crate) fn constant(&mut self, number: i64) -> Value {
        if let Some(&value) = self.constants.get(&number) {
            return value;
        }
        let value = self.value();
        self.constants.insert(number, value);
        self.numbers.insert(value, number);
        value
    }

    pub(crate) fn push(&mut self, op: Op, result: Option<Value>, args: &[Value], blocks: &[Block]) {
        let (args, blocks, id) = (args.to_vec(), blocks.to_vec(), self.code.0.last().map_or(0, |last| last.id + 1));
        self.code.0.push(Inst { op, result, args, blocks, id });
    }
}

impl PhiHost for Host {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.constant(0)
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        let mut block = Block::new(0);
        for inst in &self.code.0 {
            match inst.op {
                Op::Head => block = inst.blocks[0],
                Op::Phi => visit(Placed::Phi { block, value: inst.result.expect("a phi"), operands: &inst.args }),
                _ => {
                    for (index, &value) in inst.args.iter().enumerate() {
                        visit(Placed::Use { place: (2 * inst.id + index) as u64, value });
                    }
                }
            }
        }
        Shown::Everything
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.code.0.iter().filter(|inst| inst.op != Op::Phi).flat_map(|inst| &inst.args).for_each(|&arg| visit(arg));
        Uses::Visited
    }
}

impl FoldHost for Host {
    fn is_constant(&self, value: Value) -> bool {
        self.numbers.contains_key(&value)
    }

    fn is_repeatable(&self, _: Operator) -> bool {
        true // Where a division trapped, control does not come by a second time.
    }

    fn exchanged(&self, operator: Operator) -> Option<Operator> {
        match FOLDED[operator.index()] {
            Op::Add | Op::Mul | Op::And => Some(operator),
            Op::Less => Some(number_of(Op::Greater)),
            Op::Greater => Some(number_of(Op::Less)),
            _ => None,
        }
    }

    fn evaluate(&mut self, operator: Operator, args: &[Value]) -> Option<Value> {
        let number = evaluate(FOLDED[operator.index()], self.numbers[&args[0]], self.numbers[&args[1]])?;
        Some(self.constant(number))
    }

    fn simplify(&mut self, applied: Applied<'_>, args: &mut Vec<Value>) -> Option<Simplified> {
        let &[x, y] = applied.args else { return None };
        let (op, numbers) = (FOLDED[applied.operator.index()], [x, y].map(|arg| self.numbers.get(&arg).copied()));
        if let Some((through, inside, &[a, b])) = applied.seen_through {
            return match (op, through, FOLDED[inside.index()]) {
                (Op::Sub, 0, Op::Add) if a == y => Some(Simplified::Value(b)), // (a + b) - a
                // (a + b) - b, (a - b) + b
                (Op::Sub, 0, Op::Add) | (Op::Add, 0, Op::Sub) if b == y => Some(Simplified::Value(a)),
                (Op::Add, 1, Op::Sub) if b == x => Some(Simplified::Value(a)), // b + (a - b)
                _ => None,
            };
        }
        Some(Simplified::Value(match (op, numbers) {
            (Op::Add | Op::Sub, [_, Some(0)]) | (Op::Mul | Op::Div, [_, Some(1)]) => x,
            (Op::Add, [Some(0), _]) | (Op::Mul, [Some(1), _]) => y,
            (Op::Mul | Op::And, [Some(0), _] | [_, Some(0)]) => self.constant(0),
            (Op::Sub | Op::Less | Op::Greater, _) if x == y => self.constant(0),
            (Op::And, _) if x == y => x,
            (Op::Mul, [_, Some(2)]) => {
                args.extend([x, x]);
                return Some(Simplified::Operator(number_of(Op::Add)));
            }
            _ => return None,
        }))
    }

    fn chosen_slot(&self, _: Operator, args: &[Value], _: usize) -> Option<u32> {
        Some(u32::from(self.numbers[&args[0]] == 0))
    }

    fn append(&mut self, _: Block, operator: Operator, args: &[Value]) -> Value {
        let value = self.value();
        self.push(FOLDED[operator.index()], Some(value), args, &[]);
        value
    }

    fn remove(&mut self, value: Value) {
        self.code.0.retain(|inst| inst.result != Some(value));
    }
}

/// The operator of an operation that is folded.
pub(crate) fn number_of(op: Op) -> Operator {
    Operator::new(FOLDED.iter().position(|&folded| folded == op).expect("it is folded"))
}

impl Host {
    /// Takes the result.
    pub(crate) fn write(&mut self, result: &Ssa<'_>) {
        for arg in self.code.0.iter_mut().flat_map(|inst| &mut inst.args) {
            *arg = result.resolve(*arg);
        }
        for phi in result.phis.iter().rev() {
            let sources = phi.edges.iter().map(|edge| edge.source).collect();
            let inst =
                Inst { op: Op::Phi, result: Some(phi.value), args: phi.operands.to_vec(), blocks: sources, id: 0 };
            let head = self.code.body(phi.block).start;
            self.code.0.insert(head, inst);
        }
        for (&number, &value) in self.constants.iter().rev() {
            if self.code.0.iter().any(|inst| inst.args.contains(&value)) {
                let op = Op::Const(number);
                self.code.0.insert(1, Inst { op, result: Some(value), args: vec![], blocks: vec![], id: 0 });
            }
        }
    }
}

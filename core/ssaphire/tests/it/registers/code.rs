//! Register bytecode: one list of instructions, its text, and an interpreter.
//!
//! Register 0 holds the argument when control enters; the others hold zero. Blocks lie one after the other, in id order.

use ssaphire::graph::FlatCfg;
use ssaphire::{Block, CfgError, Value};
use std::fmt;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// The head of the block that it names.
    Head,
    Const(i64),
    Input,
    Move,
    /// An argument for each block that it names, the sources of incoming edges.
    Phi,
    Add,
    Sub,
    Mul,
    Div,
    And,
    Less,
    Greater,
    Print,
    Jump,
    /// To its first block, if its argument is not zero.
    Branch,
    Return,
}

const WORDS: [(&str, Op); 14] = [
    ("input", Op::Input),
    ("move", Op::Move),
    ("phi", Op::Phi),
    ("add", Op::Add),
    ("sub", Op::Sub),
    ("mul", Op::Mul),
    ("div", Op::Div),
    ("and", Op::And),
    ("less", Op::Less),
    ("greater", Op::Greater),
    ("print", Op::Print),
    ("jump", Op::Jump),
    ("branch", Op::Branch),
    ("return", Op::Return),
];

/// `result = op args blocks`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    pub(crate) result: Option<Value>,
    pub(crate) args: Vec<Value>,
    pub(crate) blocks: Vec<Block>,
    /// The same before and after other instructions are inserted.
    pub(crate) id: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) Vec<Inst>);

/// What a run shows to the outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) printed: Vec<i64>,
    pub(crate) end: End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Returned(i64),
    DividedByZero,
    TooLong,
}

impl Code {
    pub(crate) fn parse(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Self(lines.enumerate().map(|(id, line)| parse_line(id, line)).collect())
    }

    pub(crate) fn num_blocks(&self) -> usize {
        self.0.iter().filter(|inst| inst.op == Op::Head).count()
    }

    pub(crate) fn num_values(&self) -> usize {
        let values = self.0.iter().flat_map(|inst| inst.args.iter().chain(&inst.result));
        values.map(|value| value.index() + 1).max().unwrap_or(1)
    }

    /// Where the instructions of the block are, its head left out.
    pub(crate) fn body(&self, block: Block) -> Range<usize> {
        let is_head = |inst: &Inst| inst.op == Op::Head && inst.blocks == [block];
        let start = self.0.iter().position(is_head).map_or(self.0.len(), |head| head + 1);
        let len = self.0[start..].iter().position(|inst| inst.op == Op::Head);
        start..len.map_or(self.0.len(), |len| start + len)
    }

    pub(crate) fn insts(&self, block: Block) -> &[Inst] {
        &self.0[self.body(block)]
    }

    pub(crate) fn targets(&self, block: Block) -> Vec<Block> {
        let last = self.insts(block).last().filter(|inst| matches!(inst.op, Op::Jump | Op::Branch));
        last.map_or_else(Vec::new, |inst| inst.blocks.clone())
    }

    pub(crate) fn cfg(&self) -> Result<FlatCfg, CfgError> {
        let targets: Vec<_> = (0..self.num_blocks()).map(|block| self.targets(Block::new(block))).collect();
        FlatCfg::from_successors(Block::new(0), &targets)
    }

    /// Runs until so many blocks have been entered.
    pub(crate) fn run(&self, argument: i64, max_blocks: usize) -> Run {
        let mut registers = vec![0; self.num_values()];
        registers[0] = argument;
        let (mut printed, mut num_inputs, mut from, mut block) = (Vec::new(), 0, None, Block::new(0));
        for _ in 0..max_blocks {
            let before = registers.clone();
            let mut next = None;
            for inst in self.insts(block) {
                let arg = |index: usize| registers[inst.args[index].index()];
                let result = match inst.op {
                    Op::Head | Op::Print | Op::Jump | Op::Branch | Op::Return => None,
                    Op::Const(number) => Some(number),
                    Op::Input => {
                        num_inputs += 1;
                        Some(num_inputs * 7 % 5 - 1)
                    }
                    Op::Move => Some(arg(0)),
                    Op::Phi => {
                        let edge = inst.blocks.iter().position(|&source| Some(source) == from).expect("an operand");
                        Some(before[inst.args[edge].index()])
                    }
                    op => match evaluate(op, arg(0), arg(1)) {
                        Some(number) => Some(number),
                        None => return Run { printed, end: End::DividedByZero },
                    },
                };
                match inst.op {
                    Op::Print => printed.push(arg(0)),
                    Op::Jump => next = Some(inst.blocks[0]),
                    Op::Branch => next = Some(inst.blocks[usize::from(arg(0) == 0)]),
                    Op::Return => return Run { printed, end: End::Returned(arg(0)) },
                    _ => {}
                }
                if let (Some(number), Some(register)) = (result, inst.result) {
                    registers[register.index()] = number;
                }
            }
            (from, block) = (Some(block), next.expect("a block ends in a terminator"));
        }
        Run { printed, end: End::TooLong }
    }
}

/// What an operation on two numbers gives; `None` if it traps.
pub(crate) fn evaluate(op: Op, x: i64, y: i64) -> Option<i64> {
    match op {
        Op::Add => Some(x.wrapping_add(y)),
        Op::Sub => Some(x.wrapping_sub(y)),
        Op::Mul => Some(x.wrapping_mul(y)),
        Op::Div if y == 0 => None,
        Op::Div => Some(x.wrapping_div(y)),
        Op::And => Some(x & y),
        Op::Less => Some(i64::from(x < y)),
        Op::Greater => Some(i64::from(x > y)),
        _ => None,
    }
}

fn parse_line(id: usize, line: &str) -> Inst {
    let number = |word: &str, prefix: &str| word.strip_prefix(prefix).and_then(|number| number.parse().ok());
    let block = |word: &str| number(word, "block").map(Block::new);
    let register = |word: &str| number(word, "r").map(Value::new);
    if let Some(head) = line.strip_suffix(':').and_then(block) {
        return Inst { op: Op::Head, result: None, args: vec![], blocks: vec![head], id };
    }
    let (result, rest) = line.split_once(" = ").map_or((None, line), |(result, rest)| (register(result), rest));
    let mut words = rest.split(' ');
    let word = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let known = WORDS.iter().find(|(known, _)| *known == word).map(|&(_, op)| op);
    let op = known.unwrap_or_else(|| Op::Const(rest[0].parse().expect("a number")));
    let args = rest.iter().filter_map(|word| register(word)).collect();
    Inst { op, result, args, blocks: rest.iter().filter_map(|word| block(word)).collect(), id }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Inst { op, result, args, blocks, .. } in &self.0 {
            if *op == Op::Head {
                writeln!(f, "{}:", blocks[0])?;
                continue;
            }
            result.iter().try_for_each(|register| write!(f, "r{} = ", register.index()))?;
            match op {
                Op::Const(number) => write!(f, "const {number}")?,
                op => f.write_str(WORDS.iter().find(|(_, known)| known == op).map_or("", |(word, _)| word))?,
            }
            args.iter().try_for_each(|arg| write!(f, " r{}", arg.index()))?;
            blocks.iter().try_for_each(|block| write!(f, " {block}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

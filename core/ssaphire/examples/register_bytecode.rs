//! Register bytecode: mutable registers become values, phis become moves.
//!
//! * Input: a list of instructions over registers; jumps name lines.
//! * Output: the same instructions in blocks, over as many registers as there
//!   are values, each written once. A phi is spelled phi/upsilon: `upsilon` at
//!   the end of a predecessor writes what `phi` at the head of the block takes.
//! * Sealing: none. The graph is known before the first block is filled, so it
//!   is announced, and every block is sealed by itself.
//! * Undefined: registers start as zero.

use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Builder, PhiHost, Ssa, SsaBuilder, Value, Variable};
use std::fmt::{Display, Write};

// ------------------------------------------------------------------ the IR --

/// `result = name operands number`, over registers (`u8`) or values.
#[derive(Clone)]
struct Op<R> {
    name: &'static str,
    result: Option<R>,
    operands: Vec<R>,
    /// A constant, or where to jump.
    number: Option<usize>,
}

impl<R: Display> Op<R> {
    fn is_jump(&self) -> bool {
        matches!(self.name, "goto" | "unless" | "return")
    }

    fn print(&self, text: &mut String) -> std::fmt::Result {
        write!(text, "    ")?;
        if let Some(result) = &self.result {
            write!(text, "{result} = ")?;
        }
        write!(text, "{}", self.name)?;
        self.operands.iter().try_for_each(|operand| write!(text, " {operand}"))?;
        match self.number {
            Some(number) if self.is_jump() => writeln!(text, " block{number}"),
            Some(number) => writeln!(text, " {number}"),
            None => writeln!(text),
        }
    }
}

/// A function: blocks by number. Values need no table of their own, only numbers.
#[derive(Default)]
struct Code {
    blocks: Vec<Vec<Op<Value>>>,
    num_values: usize,
}

impl Code {
    fn value(&mut self) -> Value {
        self.num_values += 1;
        Value::new(self.num_values - 1)
    }
}

// ---------------------------------------------------------------- the host --

impl PhiHost for Code {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value() // No code yet: most of what is asked for here is not needed in the end.
    }

    fn undefined(&mut self, _: Variable) -> Value {
        let value = self.value();
        self.blocks[0].insert(0, Op { name: "const", result: Some(value), operands: vec![], number: Some(0) });
        value
    }
}

impl Code {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        // One sweep over the code: operands may name phis that turned out not to be needed.
        for operand in self.blocks.iter_mut().flatten().flat_map(|op| &mut op.operands) {
            *operand = stands_for.resolve(*operand);
        }
        for phi in phis.iter().rev() {
            let op = Op { name: "phi", result: Some(phi.value), operands: vec![], number: None };
            self.blocks[phi.block.index()].insert(0, op);
        }
        // An upsilon may be passed in vain, on the way to another successor: whoever reads the phi comes by another.
        for upsilon in phis.edge_arguments().upsilons() {
            let block = &mut self.blocks[upsilon.source.index()];
            let end = block.len() - usize::from(block.last().is_some_and(Op::is_jump));
            let op = Op { name: "upsilon", result: Some(upsilon.phi), operands: vec![upsilon.value], number: None };
            block.insert(end, op);
        }
    }
}

/// In tests, `Strict` watches that builder and host keep their contract.
#[cfg(test)]
type Host = ssaphire::Strict<Code>;
#[cfg(not(test))]
type Host = Code;

// ------------------------------------------------- from bytecode to values --

/// Fibonacci: the two moves swap in each round, which is where naive phi elimination goes wrong.
const PROGRAM: &str = "\
r0 = const 0
r1 = const 1
r2 = const 10
r4 = less r3 r2
unless r4 11
r5 = add r0 r1
r0 = move r1
r1 = move r5
r6 = const 1
r3 = add r3 r6
goto 3
return r0";

fn parse(line: &'static str) -> Op<u8> {
    let register = |word: &str| word.strip_prefix('r').and_then(|number| number.parse().ok());
    let (result, rest) = line.split_once(" = ").map_or((None, line), |(result, rest)| (register(result), rest));
    let mut words = rest.split(' ');
    let name = words.next().unwrap_or("");
    let (operands, numbers): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with('r'));
    let number = numbers.first().and_then(|number| number.parse().ok());
    Op { name, result, operands: operands.into_iter().filter_map(register).collect(), number }
}

/// The first line of each block. Block 0 is empty and stands in front of the code, so that a jump to line 0 is ordinary.
fn first_lines(code: &[Op<u8>]) -> Vec<usize> {
    let targets = code.iter().filter(|op| op.is_jump()).filter_map(|op| op.number);
    let after_jumps = (1..code.len()).filter(|&line| code[line - 1].is_jump());
    let mut lines: Vec<usize> = [0].into_iter().chain(targets).chain(after_jumps).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.insert(0, 0);
    lines
}

/// The successors of each block, in the order of its terminator.
fn successors(code: &[Op<u8>], starts: &[usize]) -> Vec<Vec<Block>> {
    let block_at = |line: usize| Block::new(starts.partition_point(|&start| start <= line) - 1);
    let of_block = |block: usize| {
        let end = starts.get(block + 1).copied().unwrap_or(code.len());
        match code[starts[block]..end].last() {
            Some(op) if op.name == "return" => vec![],
            Some(op) if op.name == "goto" => op.number.map(block_at).into_iter().collect(),
            Some(op) if op.name == "unless" => [end].into_iter().chain(op.number).map(block_at).collect(),
            _ => vec![Block::new(block + 1)],
        }
    };
    (0..starts.len()).map(of_block).collect()
}

fn example() -> Result<String, Box<dyn std::error::Error>> {
    let code: Vec<Op<u8>> = PROGRAM.lines().map(parse).collect();
    let starts = first_lines(&code);
    let cfg = FlatCfg::from_successors(Block::new(0), &successors(&code, &starts))?;

    let (mut host, mut ssa) = (Host::default(), Builder::default());
    ssa.announce(&cfg)?;
    for block in cfg.blocks() {
        host.blocks.push(vec![]);
        let end = starts.get(block.index() + 1).copied().unwrap_or(code.len());
        for op in &code[starts[block.index()]..end] {
            let mut read = |&register: &u8| ssa.read_variable(&mut host, block, Variable::new(register.into()));
            let operands: Vec<Value> = op.operands.iter().map(&mut read).collect();
            if let Some(register) = op.result {
                // A move makes no value and leaves no code: two registers hold the same value.
                let value = if op.name == "move" { operands[0] } else { host.value() };
                ssa.write_variable(block, Variable::new(register.into()), value);
                let op = Op { name: op.name, result: Some(value), operands, number: op.number };
                host.blocks[block.index()].extend((op.name != "move").then_some(op));
            } else {
                let number = cfg.targets(block).last().map(|target| target.index());
                host.blocks[block.index()].push(Op { name: op.name, result: None, operands, number });
            }
        }
        ssa.terminate(block, cfg.targets(block));
    }
    let result = ssa.finish(&mut host)?;
    host.write(&result);
    #[cfg(test)]
    host.check(&result);

    let mut text = String::new();
    for (block, ops) in host.blocks.iter().enumerate() {
        writeln!(text, "block{block}:")?;
        ops.iter().try_for_each(|op| op.print(&mut text))?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}

#[test]
fn prints_the_bytecode_over_values() {
    assert_eq!(
        example().unwrap(),
        "\
block0:
    v11 = const 0
block1:
    v0 = const 0
    v1 = const 1
    v2 = const 10
    v3 = upsilon v11
    v6 = upsilon v0
    v7 = upsilon v1
block2:
    v3 = phi
    v6 = phi
    v7 = phi
    v5 = less v3 v2
    unless v5 block4
block3:
    v8 = add v6 v7
    v9 = const 1
    v10 = add v3 v9
    v3 = upsilon v10
    v6 = upsilon v7
    v7 = upsilon v8
    goto block2
block4:
    return v6
"
    );
}

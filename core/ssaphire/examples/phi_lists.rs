//! Phi lists: blocks of instructions, phis first, each operand with the block it comes from.
//!
//! * Input: text with labels and gotos, read line by line, translated as it is read.
//! * Output: an IR in the manner of LLVM's; a value is the number of its instruction.
//! * Sealing: at the end. As long as there is text, a `goto` to any label may follow.
//! * Jumps: code in front of a label falls into it. Code after a `goto` gets a
//!   block that nothing enters, and goes with it in the end.
//! * Undefined: an `undef` of the IR's own.

use ssaphire::{Block, Builder, PhiHost, Ssa, Value, Variable};
use std::fmt::Write;

// ------------------------------------------------------------------ the IR --

/// Constants and `undef` stand in no block: they are printed where they are used.
enum Inst {
    Constant(i64),
    Undef,
    Phi(Vec<(Value, Block)>),
    Op { name: &'static str, operands: Vec<Value>, targets: Vec<Block> },
}

#[derive(Default)]
struct Function {
    /// Index = value.
    insts: Vec<Inst>,
    /// The instructions of each block, in order.
    blocks: Vec<Vec<Value>>,
}

impl Function {
    fn add(&mut self, inst: Inst) -> Value {
        self.insts.push(inst);
        Value::new(self.insts.len() - 1)
    }

    fn operand(&self, value: Value) -> String {
        match &self.insts[value.index()] {
            Inst::Constant(number) => number.to_string(),
            Inst::Undef => "undef".to_owned(),
            Inst::Phi(_) | Inst::Op { .. } => value.to_string(),
        }
    }
}

// ---------------------------------------------------------------- the host --

impl PhiHost for Function {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.add(Inst::Phi(vec![])) // In the table, but in no block yet.
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.add(Inst::Undef)
    }
}

impl Function {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.retain(|_| phis.is_reachable(Block::new(number)));
        }
        for inst in &mut self.insts {
            if let Inst::Op { operands, .. } = inst {
                operands.iter_mut().for_each(|operand| *operand = stands_for.resolve(*operand));
            }
        }
        for phi in phis.iter().rev() {
            // No list names a block that has gone.
            let edges = phi.edge_operands().filter(|operand| phis.is_reachable(operand.source));
            self.insts[phi.value.index()] = Inst::Phi(edges.map(|operand| (operand.value, operand.source)).collect());
            self.blocks[phi.block.index()].insert(0, phi.value);
        }
    }
}

/// In tests, `Strict` watches that builder and host keep their contract.
#[cfg(test)]
type Host = ssaphire::Strict<Function>;
#[cfg(not(test))]
type Host = Function;

// ----------------------------------------------------- from text to values --

/// A jump into a loop: neither of its blocks dominates the other, yet `step` needs no phi. `i` may be undefined.
const PROGRAM: &str = "\
step = 2
flag = less step 3
if flag middle
i = 0
top:
i = add i step
middle:
more = less i 10
if more top
goto end
i = never
end:
return i";

#[derive(Default)]
struct Translator {
    ssa: Builder,
    host: Host,
    /// Index = block; blocks without a label have an empty one.
    labels: Vec<&'static str>,
    /// Index = variable.
    names: Vec<&'static str>,
}

/// The position of `name` in `table`, where it is put if need be.
fn number(table: &mut Vec<&'static str>, name: &'static str) -> usize {
    table.iter().position(|&known| known == name).unwrap_or_else(|| {
        table.push(name);
        table.len() - 1
    })
}

impl Translator {
    fn label(&mut self, label: &'static str) -> Block {
        let block = Block::new(number(&mut self.labels, label));
        self.host.blocks.resize_with(self.labels.len(), Vec::new);
        block
    }

    /// A block that nothing jumps to.
    fn block(&mut self) -> Block {
        self.labels.push("");
        self.host.blocks.resize_with(self.labels.len(), Vec::new);
        Block::new(self.labels.len() - 1)
    }

    fn read(&mut self, block: Block, word: &'static str) -> Value {
        match word.parse() {
            Ok(constant) => self.host.add(Inst::Constant(constant)),
            Err(_) => {
                let variable = Variable::new(number(&mut self.names, word));
                self.ssa.read_variable(&mut self.host, block, variable)
            }
        }
    }

    fn push(&mut self, block: Block, name: &'static str, operands: Vec<Value>, targets: &[Block]) -> Value {
        let value = self.host.add(Inst::Op { name, operands, targets: targets.to_vec() });
        self.host.blocks[block.index()].push(value);
        value
    }

    /// Translates one line at the end of `block`; the next line goes to the block returned.
    fn line(&mut self, block: Block, line: &'static str) -> Block {
        let words: Vec<&str> = line.split(' ').collect();
        let (name, operands, targets) = match words[..] {
            [target, "=", ref source @ ..] => {
                let value = match *source {
                    [operand] => self.read(block, operand),
                    [name, left, right] => {
                        let operands = vec![self.read(block, left), self.read(block, right)];
                        self.push(block, name, operands, &[])
                    }
                    _ => return block,
                };
                let variable = Variable::new(number(&mut self.names, target));
                self.ssa.write_variable(block, variable, value);
                return block;
            }
            ["goto", label] => ("goto", vec![], vec![self.label(label)]),
            ["if", condition, label] => {
                let condition = self.read(block, condition);
                let otherwise = self.block();
                ("if", vec![condition], vec![self.label(label), otherwise])
            }
            ["return", result] => ("return", vec![self.read(block, result)], vec![]),
            _ => ("goto", vec![], vec![self.label(line.trim_end_matches(':'))]), // Falls into it.
        };
        self.push(block, name, operands, &targets);
        self.ssa.terminate(block, &targets);
        match words[0] {
            "goto" | "return" => self.block(), // What follows is dead, unless it is a label.
            _ => targets[targets.len() - 1],
        }
    }
}

fn example() -> Result<String, Box<dyn std::error::Error>> {
    let mut translator = Translator::default();
    let mut block = translator.block();
    for line in PROGRAM.lines() {
        block = translator.line(block, line);
    }
    translator.line(block, "return 0"); // For text that does not end in a jump.
    let Translator { mut ssa, mut host, .. } = translator;
    ssa.seal_all_blocks(&mut host);
    let result = ssa.finish(&mut host)?;
    host.write(&result);
    #[cfg(test)]
    host.check(&result);

    let mut text = String::new();
    for (block, values) in host.blocks.iter().enumerate().filter(|(_, values)| !values.is_empty()) {
        writeln!(text, "block{block}:")?;
        for &value in values {
            match &host.insts[value.index()] {
                Inst::Phi(list) => {
                    let pair = |(value, block): &(Value, Block)| format!("[{}, {block}]", host.operand(*value));
                    let list: Vec<String> = list.iter().map(pair).collect();
                    writeln!(text, "    {value} = phi {}", list.join(", "))?;
                }
                Inst::Op { name, operands, targets } => {
                    let is_terminator = matches!(*name, "goto" | "if" | "return");
                    let words = operands.iter().map(|&operand| host.operand(operand));
                    let words: Vec<String> = words.chain(targets.iter().map(Block::to_string)).collect();
                    let result = if is_terminator { String::new() } else { format!("{value} = ") };
                    writeln!(text, "    {result}{name} {}", words.join(", "))?;
                }
                Inst::Constant(_) | Inst::Undef => {}
            }
        }
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}

#[test]
fn prints_blocks_with_phi_lists() {
    assert_eq!(
        example().unwrap(),
        "\
block0:
    v2 = less 2, 3
    if v2, block2, block1
block1:
    goto block3
block2:
    v10 = phi [undef, block0], [v8, block3]
    v12 = less v10, 10
    if v12, block3, block4
block3:
    v6 = phi [0, block1], [v10, block2]
    v8 = add v6, 2
    goto block2
block4:
    goto block5
block5:
    return v10
"
    );
}

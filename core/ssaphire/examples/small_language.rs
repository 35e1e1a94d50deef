//! A small language, from text to values in one pass: what a real front end meets.
//!
//! * Input: lines of text with `if`, `while`, `break`, `continue`, `return`, `print`, labels and `goto`.
//! * Output: blocks with phi lists. Blocks that no path reaches are dropped.
//! * Jumps: the code after one gets a block that nothing enters. It is built like
//!   any other, so no statement has to know whether it is dead.
//! * Sealing: structured code as soon as a block has its last edge, labels at the end.
//! * Undefined: refused with line and name, by what the builder reports after `finish`.
//! * Judged: [`Certified`] records what is asked, and the judge compares the result with that.

use ssaphire::check::{Mode, Program, validate};
use ssaphire::{Block, Certainty, Certified, Options, PhiHost, Ssa, SsaBuilder, SsaBuilderExt, UndefinedRead, Uses};
use ssaphire::{Value, Variable};
use std::collections::BTreeMap;

// ------------------------------------------------------------------ the IR --

struct Inst {
    name: String,
    result: Option<Value>,
    operands: Vec<Value>,
    /// Where a terminator leads, or where a phi's operands come from.
    blocks: Vec<Block>,
}

#[derive(Default)]
struct Function {
    /// Index = value: how it is written. Parameters and constants stand in no block.
    values: Vec<String>,
    /// Phis first, terminator last; empty if the block was dropped.
    blocks: Vec<Vec<Inst>>,
}

impl Function {
    fn value(&mut self, text: impl Into<String>) -> Value {
        self.values.push(text.into());
        Value::new(self.values.len() - 1)
    }

    fn result(&mut self) -> Value {
        self.value(format!("v{}", self.values.len()))
    }

    fn print(&self) -> String {
        let name = |value: &Value| self.values[value.index()].clone();
        let mut text = String::new();
        for (block, insts) in self.blocks.iter().enumerate().filter(|(_, insts)| !insts.is_empty()) {
            text += &format!("block{block}:\n");
            for inst in insts {
                let result = inst.result.map_or(String::new(), |result| name(&result) + " = ");
                let words: Vec<String> =
                    inst.operands.iter().map(name).chain(inst.blocks.iter().map(Block::to_string)).collect();
                text += &format!("    {result}{} {}\n", inst.name, words.join(" "));
            }
        }
        text
    }
}

// ---------------------------------------------------------------- the host --

impl PhiHost for Function {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.result()
    }

    /// Asked for dead code too, so this is no place to refuse. What stays in the end does not use it.
    fn undefined(&mut self, _: Variable) -> Value {
        self.value("undefined")
    }

    /// The copy `x = y` reads `y` and uses nothing: without this, phis would be kept for such reads.
    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.blocks.iter().flatten().flat_map(|inst| &inst.operands).for_each(|&operand| visit(operand));
        Uses::Visited
    }
}

impl Function {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        for (block, insts) in self.blocks.iter_mut().enumerate().map(|(number, insts)| (Block::new(number), insts)) {
            insts.retain(|_| phis.is_reachable(block));
            for operand in insts.iter_mut().flat_map(|inst| &mut inst.operands) {
                *operand = stands_for.resolve(*operand);
            }
            let phi_insts = phis.in_block(block).map(|phi| {
                // Edges from blocks that are dropped go, and the operands with them.
                let edges = phi.edge_operands().filter(|operand| phis.is_reachable(operand.source));
                let (operands, blocks) = edges.map(|operand| (operand.value, operand.source)).unzip();
                Inst { name: "phi".to_owned(), result: Some(phi.value), operands, blocks }
            });
            insts.splice(0..0, phi_insts);
        }
    }
}

/// In tests, `Strict` watches that builder and host keep their contract.
#[cfg(test)]
type Host = ssaphire::Strict<Function>;
#[cfg(not(test))]
type Host = Function;

// ---------------------------------------------------- from text to values --

/// A `{` without its `}` so far. A stack of these stands for recursion: text may be nested deeper than the machine's stack.
struct Open {
    is_if: bool,
    /// Where a loop begins again.
    header: Option<Block>,
    /// What comes after the `}`: of an `if`, its `else`, or else the join.
    after: Block,
}

struct Compiler<'a> {
    ssa: Certified,
    host: Host,
    /// The block that the next statement belongs to.
    at: Block,
    line: u32,
    open: Vec<Open>,
    /// The library speaks of numbers; names are the front end's to keep.
    variables: BTreeMap<&'a str, Variable>,
    /// The block of each label, and whether the label itself has been met.
    labels: BTreeMap<&'a str, (Block, bool)>,
    constants: BTreeMap<i64, Value>,
}

impl<'a> Compiler<'a> {
    fn block(&mut self) -> Block {
        self.host.blocks.push(vec![]);
        Block::new(self.host.blocks.len() - 1)
    }

    fn seal(&mut self, block: Block) {
        self.ssa.seal_block(&mut self.host, block);
    }

    fn variable(&mut self, name: &'a str) -> Variable {
        let next = Variable::new(self.variables.len());
        *self.variables.entry(name).or_insert(next)
    }

    fn operand(&mut self, word: &'a str) -> Value {
        let Ok(number) = word.parse() else {
            let variable = self.variable(word);
            return self.ssa.read_at_site(&mut self.host, self.at, variable, self.line);
        };
        let constant = *self.constants.entry(number).or_insert_with(|| self.host.value(word));
        self.ssa.global(constant); // For the judge: it is there before any block, wherever it is written first.
        constant
    }

    /// The value of `y` or `y + z`. The first needs no instruction.
    fn expression(&mut self, words: &[&'a str]) -> Result<Value, String> {
        match *words {
            [word] => Ok(self.operand(word)),
            [left, name, right] => {
                let operands = vec![self.operand(left), self.operand(right)];
                let result = self.host.result();
                self.push(name, Some(result), operands, &[]);
                Ok(result)
            }
            _ => Err(format!("`{}` is not an expression", words.join(" "))),
        }
    }

    fn push(&mut self, name: &str, result: Option<Value>, operands: Vec<Value>, blocks: &[Block]) {
        let inst = Inst { name: name.to_owned(), result, operands, blocks: blocks.to_vec() };
        self.host.blocks[self.at.index()].push(inst);
    }

    /// Ends the block and goes on in `next`.
    fn end(&mut self, name: &str, operands: Vec<Value>, targets: &[Block], next: Block) {
        self.push(name, None, operands, targets);
        self.ssa.terminate(self.at, targets);
        self.at = next;
    }

    /// Ends the block and goes on with dead code, unless a label comes: in a block that nothing enters, sealed at once.
    fn jump(&mut self, name: &str, operands: Vec<Value>, targets: &[Block]) {
        let next = self.block();
        self.seal(next);
        self.end(name, operands, targets, next);
    }

    fn statement(&mut self, words: &[&'a str]) -> Result<(), String> {
        match *words {
            [] => {}
            [target, "=", ref source @ ..] => {
                let value = self.expression(source)?; // Before the write: the source may name the target.
                let variable = self.variable(target);
                self.ssa.write_variable(self.at, variable, value);
            }
            ["print", ref what @ ..] => {
                let value = self.expression(what)?;
                self.push("print", None, vec![value], &[]);
            }
            ["if", ref condition @ .., "{"] => {
                let condition = self.expression(condition)?;
                let (then, after) = (self.block(), self.block());
                self.end("if", vec![condition], &[then, after], then);
                self.seal(then);
                self.open.push(Open { is_if: true, header: None, after });
            }
            ["while", ref condition @ .., "{"] => {
                let (header, body, after) = (self.block(), self.block(), self.block());
                self.end("goto", vec![], &[header], header);
                let condition = self.expression(condition)?;
                self.end("if", vec![condition], &[body, after], body);
                self.seal(body); // But not the others: `continue` and `break` lead there.
                self.open.push(Open { is_if: false, header: Some(header), after });
            }
            ["}"] => {
                let Open { header, after, .. } = self.open.pop().ok_or("nothing is open here")?;
                self.end("goto", vec![], &[header.unwrap_or(after)], after);
                header.into_iter().chain([after]).for_each(|block| self.seal(block));
            }
            ["}", "else", "{"] => {
                let innermost = self.open.pop().filter(|open| open.is_if);
                let (otherwise, after) = (innermost.ok_or("no `if` is open here")?.after, self.block());
                self.end("goto", vec![], &[after], otherwise);
                self.seal(otherwise);
                self.open.push(Open { is_if: false, header: None, after });
            }
            ["break"] => self.jump("goto", vec![], &[self.innermost_loop()?.1]),
            ["continue"] => self.jump("goto", vec![], &[self.innermost_loop()?.0]),
            ["return", ref result @ ..] => {
                let value = self.expression(result)?;
                self.jump("return", vec![value], &[]);
            }
            ["goto", label] => {
                let target = self.label(label);
                self.jump("goto", vec![], &[target]);
            }
            [label] if label.ends_with(':') => self.fall_into(label.trim_end_matches(':'))?,
            _ => return Err(format!("`{}` is not a statement", words.join(" "))),
        }
        Ok(())
    }

    /// The header of the innermost loop, and what comes after it.
    fn innermost_loop(&self) -> Result<(Block, Block), String> {
        let mut loops = self.open.iter().rev().filter_map(|open| Some((open.header?, open.after)));
        loops.next().ok_or_else(|| "there is no loop around this".to_owned())
    }

    fn label(&mut self, name: &'a str) -> Block {
        if !self.labels.contains_key(name) {
            let block = self.block();
            self.labels.insert(name, (block, false));
        }
        self.labels[name].0
    }

    /// The code in front of a label goes on behind it; not sealed, since there may be more `goto`.
    fn fall_into(&mut self, label: &'a str) -> Result<(), String> {
        let block = self.label(label);
        if self.labels.insert(label, (block, true)) == Some((block, true)) {
            return Err(format!("label `{label}` stands twice"));
        }
        self.end("goto", vec![], &[block], block);
        Ok(())
    }

    fn finish(mut self) -> Result<Function, String> {
        if !self.open.is_empty() {
            return Err("a `}` is missing".to_owned());
        }
        if let Some((label, _)) = self.labels.iter().find(|(_, (_, is_met))| !is_met) {
            return Err(format!("there is no label `{label}`"));
        }
        self.end("return", vec![], &[], self.at);
        self.ssa.seal_all_blocks(&mut self.host);
        let result = self.ssa.finish(&mut self.host).map_err(|error| error.to_string())?;
        self.host.write(&result);
        #[cfg(test)]
        self.host.check(&result);
        let mut complaints: Vec<_> = self.ssa.undefined_reads().iter().map(|read| self.complaint(read)).collect();
        complaints.dedup(); // A line may read a variable twice.
        if !complaints.is_empty() {
            return Err(complaints.join("\n")); // The result is thrown away: nothing is wrong with it but its source.
        }
        let mut program = Program::new();
        self.ssa.certify(&mut program).map_err(|error| error.to_string())?;
        validate(&program, Mode::Exact).map_err(|violations| format!("{violations:?}"))?;
        Ok(std::mem::take(&mut self.host))
    }

    fn complaint(&self, read: &UndefinedRead) -> String {
        let name = self.variables.iter().find_map(|(name, variable)| (*variable == read.variable).then_some(*name));
        let how = if read.certainty == Certainty::Is { "is" } else { "may be" };
        format!("line {}: `{}` {how} read before it is written", read.site, name.unwrap_or_default())
    }
}

fn compile(parameters: &[&str], text: &str) -> Result<Function, String> {
    let ssa = Certified::with_options(Options::default().with_undefined_reads());
    let (host, open, variables, labels, constants) = Default::default();
    let mut compiler = Compiler { ssa, host, at: Block::new(0), line: 0, open, variables, labels, constants };
    compiler.at = compiler.block();
    for name in parameters {
        let (variable, value) = (compiler.variable(name), compiler.host.value(*name));
        compiler.ssa.try_set_initial(variable, value).map_err(|_| format!("parameter `{name}` stands twice"))?;
    }
    for (line, text) in (1..).zip(text.lines()) {
        compiler.line = line;
        let words: Vec<&str> = text.split_whitespace().collect();
        compiler.statement(&words).map_err(|error| format!("line {line}: {error}"))?;
    }
    compiler.finish()
}

/// Adds even numbers up to `n`, until the sum is large.
const PROGRAM: &str = "\
i = 0
sum = 0
while i < n {
    i = i + 1
    odd = i & 1
    if odd {
        continue
        print never
    }
    sum = sum + i
    if sum > limit {
        break
    } else {
        print sum
    }
}
if sum {
    goto done
}
sum = 1
done:
return sum";

fn main() {
    print!("{}", compile(&["n", "limit"], PROGRAM).map_or_else(|error| error + "\n", |function| function.print()));
}

#[test]
fn prints_the_blocks_that_control_reaches() {
    assert_eq!(
        compile(&["n", "limit"], PROGRAM).unwrap().print(),
        "\
block0:
    goto block1
block1:
    v3 = phi 0 v7 v7 block0 block4 block10
    v10 = phi 0 v10 v11 block0 block4 block10
    v5 = < v3 n
    if v5 block2 block3
block2:
    v7 = + v3 1
    v8 = & v7 1
    if v8 block4 block5
block3:
    v14 = phi v10 v11 block1 block7
    if v14 block11 block12
block4:
    goto block1
block5:
    v11 = + v10 v7
    v13 = > v11 limit
    if v13 block7 block8
block7:
    goto block3
block8:
    print v11
    goto block10
block10:
    goto block1
block11:
    goto block13
block12:
    goto block13
block13:
    v15 = phi v14 1 block11 block12
    return v15
"
    );
}

#[test]
fn a_variable_that_may_be_unwritten_is_refused_by_name() {
    let refuse = |text, expected: &str| assert_eq!(compile(&["n"], text).err().as_deref(), Some(expected), "{text}");
    refuse("print x + x", "line 1: `x` is read before it is written");
    refuse("if n {\nx = 1\n}\nprint x", "line 4: `x` may be read before it is written");
    refuse("while n {\ny = x\nx = 1\n}", "line 2: `x` may be read before it is written"); // Nothing uses `y`.
    refuse(
        "goto in\nback:\nprint x\nin:\nx = x\ngoto back",
        "line 3: `x` is read before it is written\nline 5: `x` is read before it is written",
    );
}

#[test]
fn dead_code_is_no_reason_to_refuse() {
    let accept = |text| assert_eq!(compile(&["n"], text).err(), None, "{text}");
    accept("while n {\nx = 1\ncontinue\nprint never\nprint x\n}");
    accept("x = n\nwhile x {\nbreak\nx = never\n}\nprint x");
    accept("goto on\nx = never\non:\ngoto out\nprint x\nout:");
    accept("return n\nwhile never {\nnever = never + 1\n}\ndead:\ngoto dead");
    // Only dead code falls into the label with `x` unwritten: every path that there is has written it.
    accept("if n {\nx = 1\ngoto out\n}\nx = 2\ngoto out\ny = x\nx = y\nout:\nprint x");
}

#[test]
fn what_is_wrong_with_the_text_is_said() {
    let refuse = |text, expected: &str| assert_eq!(compile(&["n"], text).err().as_deref(), Some(expected), "{text}");
    assert_eq!(compile(&["n", "n"], "").err().as_deref(), Some("parameter `n` stands twice"));
    refuse("continue", "line 1: there is no loop around this");
    refuse("}", "line 1: nothing is open here");
    refuse("while n {\n} else {", "line 2: no `if` is open here");
    refuse("if n {", "a `}` is missing");
    refuse("goto nowhere", "there is no label `nowhere`");
    refuse("a:\na:", "line 2: label `a` stands twice");
    refuse("x = 1 +", "line 1: `1 +` is not an expression");
    refuse("jump", "line 1: `jump` is not a statement");
}

#[test]
fn nesting_may_be_deep() {
    let depth = 10_000;
    let text = ["while n {\nif n {\nbreak\n} else {\n", "n = 1\n}\n}\n"].map(|text| text.repeat(depth)).concat();
    assert_eq!(compile(&["n"], &text).err(), None);
}

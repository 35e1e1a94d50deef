//! Syntax tree: the source itself is the IR, every name in it gets the number of its value.
//!
//! * Input: a tree of assignments, `if` and `while`, walked once.
//! * Output: the source, name by name, with phis where paths meet.
//! * Sealing: structured code knows when a block has all of its edges. The
//!   steps of `if` and `while` below are the recipe to copy.
//! * Undefined: number 0 of the name, as researchers like to write it.

use core::cmp::Reverse;
use ssaphire::{Block, Builder, PhiHost, Ssa, Value, Variable};

// ------------------------------------------------------------------ the IR --

/// A piece of a line of source.
#[derive(Clone, Copy)]
enum Word {
    Text(&'static str),
    Name(Value),
}

/// The annotated source. Per value it keeps what it is called.
#[derive(Default)]
struct Listing {
    lines: Vec<(usize, Vec<Word>)>,
    /// The line in front of which each block's phis stand, and their indent.
    heads: Vec<(usize, usize)>,
    /// Index = value: the variable it belongs to, and which of that variable's values it is.
    values: Vec<(Variable, usize)>,
    /// Index = variable.
    names: Vec<&'static str>,
}

impl Listing {
    fn value(&mut self, variable: Variable, number: usize) -> Value {
        self.values.push((variable, number));
        Value::new(self.values.len() - 1)
    }

    /// Numbers count from 1, those of phis too, needed or not.
    fn next_value(&mut self, variable: Variable) -> Value {
        let number = self.values.iter().filter(|&&(of, number)| of == variable && number > 0).count() + 1;
        self.value(variable, number)
    }

    fn variable(&mut self, name: &'static str) -> Variable {
        let known = self.names.iter().position(|&known| known == name);
        Variable::new(known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }))
    }

    fn print(&self) -> String {
        let word = |word: &Word| match *word {
            Word::Text(text) => text.to_owned(),
            Word::Name(value) => {
                let (variable, number) = self.values[value.index()];
                format!("{}.{number}", self.names[variable.index()])
            }
        };
        let line = |(indent, words): &(usize, Vec<Word>)| {
            let words: Vec<String> = words.iter().map(word).collect();
            format!("{}{}\n", "    ".repeat(*indent), words.join(" "))
        };
        self.lines.iter().map(line).collect()
    }
}

// ---------------------------------------------------------------- the host --

impl PhiHost for Listing {
    fn new_phi(&mut self, _: Block, variable: Variable) -> Value {
        self.next_value(variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.value(variable, 0)
    }
}

impl Listing {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        for word in self.lines.iter_mut().flat_map(|(_, words)| words) {
            if let Word::Name(value) = word {
                *value = stands_for.resolve(*value);
            }
        }
        // From the last line to the first, so that the places of the others stay right.
        // Where several blocks begin in front of one line, the deeper one ends first.
        let mut phis: Vec<_> = phis.iter().collect();
        phis.sort_by_key(|phi| (self.heads[phi.block.index()].0, Reverse(self.heads[phi.block.index()].1)));
        for phi in phis.iter().rev() {
            let (line, indent) = self.heads[phi.block.index()];
            let mut words = vec![Word::Name(phi.value), Word::Text("= phi")];
            words.extend(phi.operands.iter().map(|&operand| Word::Name(operand)));
            self.lines.insert(line, (indent, words));
        }
    }
}

/// In tests, `Strict` watches that builder and host keep their contract.
#[cfg(test)]
type Host = ssaphire::Strict<Listing>;
#[cfg(not(test))]
type Host = Listing;

// ----------------------------------------------------- from tree to values --

/// Names and other words, to keep the tree small: what is a letter is read as a variable.
type Expression = &'static [&'static str];

enum Statement {
    Assign(&'static str, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    While(Expression, Vec<Statement>),
}

/// What is left to do. A stack of it stands for recursion: source may be nested deeper than the machine's stack.
enum Step<'a> {
    Statement(&'a Statement),
    Text(&'static str),
    Indent(isize),
    /// The next statements belong to this block.
    Open(Block),
    /// The open block ends here.
    Goto(Block),
    /// All edges into this block are there.
    Seal(Block),
}

struct Walk<'a> {
    ssa: Builder,
    host: Host,
    open: Block,
    indent: usize,
    /// Last first.
    steps: Vec<Step<'a>>,
}

impl<'a> Walk<'a> {
    fn block(&mut self) -> Block {
        self.host.heads.push((0, 0));
        Block::new(self.host.heads.len() - 1)
    }

    fn open(&mut self, block: Block) {
        self.open = block;
        self.host.heads[block.index()] = (self.host.lines.len(), self.indent);
    }

    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Statement(Statement::Assign(target, source)) => self.assign(target, source),
                Step::Statement(Statement::If(condition, then, otherwise)) => self.if_(condition, then, otherwise),
                Step::Statement(Statement::While(condition, body)) => self.while_(condition, body),
                Step::Text(text) => self.host.lines.push((self.indent, vec![Word::Text(text)])),
                Step::Indent(by) => self.indent = self.indent.saturating_add_signed(by),
                Step::Open(block) => self.open(block),
                Step::Goto(target) => self.ssa.terminate(self.open, &[target]),
                Step::Seal(block) => self.ssa.seal_block(&mut self.host, block),
            }
        }
    }

    fn read(&mut self, expression: Expression) -> Vec<Word> {
        let mut words = Vec::new();
        for &word in expression {
            words.push(if word.starts_with(char::is_alphabetic) {
                let variable = self.host.variable(word);
                Word::Name(self.ssa.read_variable(&mut self.host, self.open, variable))
            } else {
                Word::Text(word)
            });
        }
        words
    }

    fn assign(&mut self, target: &'static str, source: Expression) {
        let mut words = self.read(source); // Before the write: the source may name the target.
        let variable = self.host.variable(target);
        let value = self.host.next_value(variable);
        self.ssa.write_variable(self.open, variable, value);
        words.splice(0..0, [Word::Name(value), Word::Text("=")]);
        self.host.lines.push((self.indent, words));
    }

    fn condition(&mut self, keyword: &'static str, condition: Expression) {
        let mut words = self.read(condition);
        words.insert(0, Word::Text(keyword));
        self.host.lines.push((self.indent, words));
    }

    fn if_(&mut self, condition: Expression, then: &'a [Statement], otherwise: &'a [Statement]) {
        self.condition("if", condition);
        let (first, second, join) = (self.block(), self.block(), self.block());
        self.ssa.terminate(self.open, &[first, second]);
        let mut steps = vec![Step::Seal(first), Step::Seal(second), Step::Indent(1), Step::Open(first)];
        steps.extend(then.iter().map(Step::Statement));
        steps.extend([Step::Goto(join), Step::Indent(-1), Step::Text("else"), Step::Indent(1), Step::Open(second)]);
        steps.extend(otherwise.iter().map(Step::Statement));
        steps.extend([Step::Goto(join), Step::Indent(-1), Step::Seal(join), Step::Open(join)]);
        self.steps.extend(steps.into_iter().rev());
    }

    fn while_(&mut self, condition: Expression, body: &'a [Statement]) {
        let (header, first, after) = (self.block(), self.block(), self.block());
        self.ssa.terminate(self.open, &[header]);
        self.open(header); // Not sealed: the body comes back to it.
        self.condition("while", condition);
        self.ssa.terminate(header, &[first, after]);
        let mut steps = vec![Step::Seal(first), Step::Seal(after), Step::Indent(1), Step::Open(first)];
        steps.extend(body.iter().map(Step::Statement));
        steps.extend([Step::Goto(header), Step::Indent(-1), Step::Seal(header), Step::Open(after)]);
        self.steps.extend(steps.into_iter().rev());
    }
}

/// How long is the road to 1?
fn program() -> Vec<Statement> {
    use Statement::{Assign, If, While};
    let halve_or_more = If(&["n", "% 2"], vec![Assign("n", &["3 *", "n", "+ 1"])], vec![Assign("n", &["n", "/ 2"])]);
    vec![
        Assign("n", &["27"]),
        Assign("limit", &["1000"]),
        While(&["n", "> 1 and", "steps", "<", "limit"], vec![halve_or_more, Assign("steps", &["steps", "+ 1"])]),
        Assign("result", &["steps"]),
    ]
}

fn example() -> Result<String, Box<dyn std::error::Error>> {
    let tree = program();
    let (ssa, host, entry) = (Builder::default(), Host::default(), Block::new(0));
    let steps = tree.iter().map(Step::Statement).rev().collect();
    let mut walk = Walk { ssa, host, open: entry, indent: 0, steps };
    let entry = walk.block();
    walk.open(entry);
    walk.run();
    walk.ssa.terminate(walk.open, &[]);
    let result = walk.ssa.finish(&mut walk.host)?;
    walk.host.write(&result);
    #[cfg(test)]
    walk.host.check(&result);
    Ok(walk.host.print())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}

#[test]
fn prints_the_source_with_numbered_names() {
    assert_eq!(
        example().unwrap(),
        "\
n.1 = 27
limit.1 = 1000
n.2 = phi n.1 n.5
steps.1 = phi steps.0 steps.2
while n.2 > 1 and steps.1 < limit.1
    if n.2 % 2
        n.3 = 3 * n.2 + 1
    else
        n.4 = n.2 / 2
    n.5 = phi n.3 n.4
    steps.2 = steps.1 + 1
result.1 = steps.1
"
    );
}

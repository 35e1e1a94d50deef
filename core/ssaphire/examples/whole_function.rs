//! A whole function: it is there with all its blocks, so one call makes its SSA form.
//!
//! * Input: instructions over variables, shown to the library as a [`VariableForm`].
//! * Output: the same instructions over values, phis first.
//! * Entry: the source begins with a loop, so edges enter its entry. The library
//!   sees one more block in front of it, numbered `num_blocks`; the host adds it.
//! * Sealing: none. All calls of the builder are made by [`construct`].
//! * Undefined: variables start as zero; those that hold a parameter are told so beforehand. The zero stands in
//!   the entry, if something uses it.
//! * Judged twice: what the library decided, and what the host made of it.

use ssaphire::check::{Mode, Program, quality, rules, validate};
use ssaphire::graph::ValueEvent;
use ssaphire::{Access, Block, Certified, Cfg, FormHost, KeptPhi, PhiHost, Ssa, SsaForm};
use ssaphire::{Uses, Value, Variable, VariableForm, WithPreEntry, construct};
use std::fmt::{Display, Write};

// ------------------------------------------------------------------ the IR --

/// An instruction over variables or values.
struct Inst<N> {
    name: &'static str,
    result: Option<N>,
    operands: Vec<N>,
}

struct Function<N> {
    parameters: Vec<N>,
    entry: Block,
    /// Instructions per block, terminator last.
    blocks: Vec<Vec<Inst<N>>>,
    /// Targets per block.
    targets: Vec<Vec<Block>>,
}

impl<N> Function<N> {
    fn names(&self) -> impl Iterator<Item = &N> {
        let insts = || self.blocks.iter().flatten();
        let results = insts().filter_map(|inst| inst.result.as_ref());
        self.parameters.iter().chain(results).chain(insts().flat_map(|inst| &inst.operands))
    }
}

impl<N> Cfg for Function<N> {
    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn entry(&self) -> Block {
        self.entry
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.targets[block.index()].iter().copied()
    }

    /// The order is that of phi operands, so it must be the same each time. A real IR keeps lists.
    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        let blocks = (0..self.num_blocks()).map(Block::new);
        blocks.flat_map(move |from| self.successors(from).filter(move |&to| to == block).map(move |_| from))
    }
}

// -------------------------------------------------------------- the source --

impl Function<Variable> {
    /// The accesses of `block` in order, each with the position of its instruction.
    ///
    /// The library names an access by its position in this list. One function makes both the list and the way back.
    fn places(&self, block: Block) -> impl Iterator<Item = (usize, Access)> {
        self.blocks[block.index()].iter().enumerate().flat_map(|(position, inst)| {
            let accesses: Vec<Access> = match (inst.name, inst.result, &inst.operands[..]) {
                ("copy", Some(to), &[from]) => vec![Access::Copy(to, from)],
                // What a terminator decides by is an access like any other: it is an operand here.
                (_, result, reads) => reads.iter().map(|&v| Access::Read(v)).chain(result.map(Access::Write)).collect(),
            };
            accesses.into_iter().map(move |access| (position, access))
        })
    }
}

impl VariableForm for Function<Variable> {
    fn num_variables(&self) -> usize {
        self.names().map(|variable| variable.index() + 1).max().unwrap_or(0)
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.places(block).map(|(_, access)| access)
    }
}

// ---------------------------------------------------------------- the host --

struct Output {
    function: Function<Value>,
    /// Per block the position of the instruction of each access.
    places: Vec<Vec<usize>>,
    num_values: usize,
    zero: Option<Value>,
}

impl Output {
    /// The instructions of `source`, without operands and results yet.
    fn new(source: &Function<Variable>) -> Self {
        let empty = |inst: &Inst<Variable>| Inst { name: inst.name, result: None, operands: vec![] };
        let mut blocks: Vec<Vec<_>> = source.blocks.iter().map(|insts| insts.iter().map(empty).collect()).collect();
        let (mut targets, mut entry) = (source.targets.clone(), source.entry);
        if WithPreEntry::is_needed(source) {
            blocks.push(vec![Inst { name: "goto", result: None, operands: vec![] }]);
            targets.push(vec![source.entry]);
            entry = Block::new(source.num_blocks());
        }
        let all = (0..source.num_blocks()).map(Block::new);
        let places = all.map(|block| source.places(block).map(|(position, _)| position).collect()).collect();
        let parameters: Vec<_> = (0..source.parameters.len()).map(Value::new).collect();
        let num_values = parameters.len();
        Self { function: Function { parameters, entry, blocks, targets }, places, num_values, zero: None }
    }

    fn value(&mut self) -> Value {
        self.num_values += 1;
        Value::new(self.num_values - 1)
    }

    /// The instruction of access number `index` of `block`.
    fn inst(&mut self, block: Block, index: usize) -> &mut Inst<Value> {
        let position = self.places[block.index()][index];
        &mut self.function.blocks[block.index()][position]
    }
}

impl FormHost for Output {
    fn written(&mut self, block: Block, index: usize, _: Variable) -> Value {
        let value = self.value();
        self.inst(block, index).result = Some(value);
        value
    }

    /// The operands of an instruction come in the order of its accesses.
    fn read(&mut self, block: Block, index: usize, _: Variable, value: Value) {
        self.inst(block, index).operands.push(value);
    }
}

impl PhiHost for Output {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value()
    }

    /// One zero for all variables, made when it is first asked for.
    fn undefined(&mut self, _: Variable) -> Value {
        self.zero.unwrap_or_else(|| {
            let zero = self.value();
            self.zero = Some(zero);
            zero
        })
    }

    /// A copy goes, so it uses nothing: without this, a phi may be kept for it.
    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let staying = self.function.blocks.iter().flatten().filter(|inst| inst.name != "copy");
        staying.flat_map(|inst| &inst.operands).for_each(|&operand| visit(operand));
        Uses::Visited
    }
}

impl Output {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        let Function { blocks, entry, .. } = &mut self.function;
        for (number, insts) in blocks.iter_mut().enumerate() {
            insts.retain(|inst| inst.name != "copy"); // Whoever reads its variable has its value.
            for operand in insts.iter_mut().flat_map(|inst| &mut inst.operands) {
                *operand = stands_for.resolve(*operand);
            }
            let phis = phis.in_block(Block::new(number));
            let inst =
                |phi: KeptPhi<'_>| Inst { name: "phi", result: Some(phi.value), operands: phi.operands.to_vec() };
            insts.splice(0..0, phis.map(inst));
        }
        // Dead code asks for it too: it is put there only if it is needed.
        let mut operands = blocks.iter().flatten().flat_map(|inst| &inst.operands);
        if operands.any(|&operand| Some(operand) == self.zero) {
            blocks[entry.index()].insert(0, Inst { name: "zero", result: self.zero, operands: vec![] });
        }
    }
}

// -------------------------------------------------------------- the judges --

/// The output as it is: what the host made of the result is judged too, not only the result.
impl SsaForm for Function<Value> {
    fn num_values(&self) -> usize {
        self.names().map(|value| value.index() + 1).max().unwrap_or(0)
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.parameters.iter().copied()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.blocks[block.index()].iter().filter(|inst| inst.name == "phi").filter_map(|inst| inst.result)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let inst = self.blocks[block.index()].iter().find(|inst| inst.result == Some(phi));
        inst.into_iter().flat_map(|inst| inst.operands.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.blocks[block.index()].iter().filter(|inst| inst.name != "phi").flat_map(|inst| {
            let uses = inst.operands.iter().copied().map(ValueEvent::Use);
            uses.chain(inst.result.map(ValueEvent::Def))
        })
    }
}

fn convert(source: &Function<Variable>) -> Result<Function<Value>, Box<dyn std::error::Error>> {
    let (mut ssa, mut output) = (Certified::default(), Output::new(source));
    for (&variable, &parameter) in source.parameters.iter().zip(&output.function.parameters) {
        ssa.set_initial(variable, parameter);
    }
    let result = construct(source, &mut output, &mut ssa)?;
    output.write(&result);
    let mut program = Program::new();
    ssa.certify(&mut program)?;
    let mut violations = validate(&program, Mode::Exact).err().unwrap_or_default();
    violations.extend(rules(&output.function));
    violations.extend(quality(&output.function));
    if violations.is_empty() { Ok(output.function) } else { Err(format!("{violations:?}").into()) }
}

// -------------------------------------------------------------- an example --

/// Euclid's algorithm, and how many rounds it takes: `do { (a, b) = (b, a % b); rounds += 1 } while b; return a, rounds`.
fn euclid() -> Function<Variable> {
    let [a, b, rest, rounds] = [0, 1, 2, 3].map(Variable::new);
    let inst =
        |name, result: Option<Variable>, operands: &[Variable]| Inst { name, result, operands: operands.to_vec() };
    let body = vec![
        inst("remainder", Some(rest), &[a, b]),
        inst("copy", Some(a), &[b]),
        inst("copy", Some(b), &[rest]),
        inst("increment", Some(rounds), &[rounds]),
        inst("if", None, &[b]),
    ];
    let blocks = vec![body, vec![inst("return", None, &[a, rounds])]];
    let targets = vec![vec![Block::new(0), Block::new(1)], vec![]];
    Function { parameters: vec![a, b], entry: Block::new(0), blocks, targets }
}

impl<N: Display> Function<N> {
    fn print(&self) -> Result<String, std::fmt::Error> {
        let list = |names: &[N]| names.iter().map(|name| format!(" {name}")).collect::<String>();
        let mut text = format!("enter {} with{}\n", self.entry, list(&self.parameters));
        for (number, insts) in self.blocks.iter().enumerate() {
            writeln!(text, "block{number}:")?;
            for inst in insts {
                let result = inst.result.as_ref().map_or(String::new(), |result| format!("{result} = "));
                writeln!(text, "    {result}{}{}", inst.name, list(&inst.operands))?;
            }
            self.targets[number].iter().try_for_each(|target| writeln!(text, "        -> {target}"))?;
        }
        Ok(text)
    }
}

fn example() -> Result<String, Box<dyn std::error::Error>> {
    let source = euclid();
    Ok(format!("{}\n{}", source.print()?, convert(&source)?.print()?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}

#[test]
fn prints_the_function_over_values_with_a_block_in_front() {
    assert_eq!(
        example().unwrap(),
        "\
enter block0 with x0 x1
block0:
    x2 = remainder x0 x1
    x0 = copy x1
    x1 = copy x2
    x3 = increment x3
    if x1
        -> block0
        -> block1
block1:
    return x0 x3

enter block2 with v0 v1
block0:
    v2 = phi v3 v0
    v3 = phi v4 v1
    v5 = phi v6 v7
    v4 = remainder v2 v3
    v6 = increment v5
    if v4
        -> block0
        -> block1
block1:
    return v3 v6
block2:
    v7 = zero
    goto
        -> block0
"
    );
}

/// `do { (x, y) = (y, x); dead = z } while x`: two variables share the zero, and the phi of `z` has no reader.
#[test]
fn both_judges_accept_a_shared_zero_and_a_dead_copy() {
    let [x, y, z, dead] = [0, 1, 2, 3].map(Variable::new);
    let inst = |name, result, operands: &[Variable]| Inst { name, result, operands: operands.to_vec() };
    let copy = |to, from| inst("copy", Some(to), &[from]);
    let body = vec![copy(dead, x), copy(x, y), copy(y, dead), copy(dead, z), inst("call", Some(z), &[y])];
    let mut blocks = vec![body, vec![inst("return", None, &[])]];
    blocks[0].push(inst("if", None, &[x]));
    let targets = vec![vec![Block::new(0), Block::new(1)], vec![]];
    let source = Function { parameters: vec![x], entry: Block::new(0), blocks, targets };
    let text = convert(&source).unwrap().print().unwrap();
    assert_eq!(text.matches("phi").count(), 2, "{text}");
}

/// `return; loop { x = y }`: the dead copy asks what `y` holds, and is gone in the end.
#[test]
fn a_zero_that_nothing_uses_is_left_out() {
    let [x, y] = [0, 1].map(Variable::new);
    let inst = |name, result, operands: &[Variable]| Inst { name, result, operands: operands.to_vec() };
    let blocks = vec![vec![inst("return", None, &[])], vec![inst("copy", Some(x), &[y]), inst("goto", None, &[])]];
    let targets = vec![vec![], vec![Block::new(1)]];
    let source = Function { parameters: vec![], entry: Block::new(0), blocks, targets };
    let expected = "enter block0 with\nblock0:\n    return\nblock1:\n    goto\n        -> block1\n";
    assert_eq!(convert(&source).unwrap().print().unwrap(), expected);
}

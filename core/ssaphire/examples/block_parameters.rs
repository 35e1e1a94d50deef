//! Block parameters: a phi is a parameter of its block, each edge passes arguments.
//!
//! * Input: a few calls, as a front end would make them.
//! * Output: an IR in the manner of Cranelift's or MLIR's. Two edges may join
//!   the same blocks, here those of a switch: each passes arguments of its own.
//! * Sealing: by hand, each block as soon as its last edge is there.
//! * Undefined: refused. The language wants every variable written before it is
//!   read; whether it was is asked of the builder, never looked for in the result.

use ssaphire::{Block, Builder, Options, PhiHost, Ssa, SsaBuilderExt, UndefinedRead, Value, Variable};
use std::fmt::Write;

// ------------------------------------------------------------------ the IR --

/// One way out of a block, with what it passes to the parameters of its target.
struct Edge {
    target: Block,
    arguments: Vec<Value>,
}

struct Inst {
    name: &'static str,
    /// `None` for a terminator.
    result: Option<Value>,
    operands: Vec<Value>,
}

#[derive(Default)]
struct BasicBlock {
    parameters: Vec<Value>,
    insts: Vec<Inst>,
    edges: Vec<Edge>,
}

#[derive(Default)]
struct Function {
    blocks: Vec<BasicBlock>,
    num_values: usize,
}

impl Function {
    fn value(&mut self) -> Value {
        self.num_values += 1;
        Value::new(self.num_values - 1)
    }
}

// ---------------------------------------------------------------- the host --

impl PhiHost for Function {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value()
    }

    /// No reason to refuse: dead code asks too. A value that nothing makes, since only dead code will be left with it.
    fn undefined(&mut self, _: Variable) -> Value {
        self.value()
    }
}

impl Function {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        for (number, block) in self.blocks.iter_mut().enumerate() {
            if !phis.is_reachable(Block::new(number)) {
                *block = BasicBlock::default(); // Dead code goes, and its edges with what they would pass.
            }
        }
        let insts = self.blocks.iter_mut().flat_map(|block| &mut block.insts);
        insts.flat_map(|inst| &mut inst.operands).for_each(|operand| *operand = stands_for.resolve(*operand));
        for phi in phis.iter() {
            self.blocks[phi.block.index()].parameters.push(phi.value);
        }
        // The pairs are (parameter, argument), in the order of the parameters.
        for (edge, _, pairs) in phis.edge_arguments().iter().filter(|(edge, ..)| phis.is_reachable(edge.source)) {
            let edge = &mut self.blocks[edge.source.index()].edges[edge.slot as usize];
            edge.arguments.extend(pairs.iter().map(|&(_, argument)| argument));
        }
    }
}

/// In tests, `Strict` watches that builder and host keep their contract.
#[cfg(test)]
type Host = ssaphire::Strict<Function>;
#[cfg(not(test))]
type Host = Function;

// ------------------------------------------------------- the front end's part --

struct Front {
    ssa: Builder,
    host: Host,
}

/// The builder speaks of numbers; names are the front end's to keep.
const NAMES: [&str; 2] = ["n", "product"];
const N: Variable = Variable::new(0);
const PRODUCT: Variable = Variable::new(1);

impl Front {
    fn new(num_blocks: usize) -> Self {
        let mut host = Host::default();
        host.blocks.resize_with(num_blocks, BasicBlock::default);
        Self { ssa: Builder::with_options(Options::default().with_undefined_reads()), host }
    }

    fn op(&mut self, block: Block, name: &'static str, operands: Vec<Value>) -> Value {
        let value = self.host.value();
        self.host.blocks[block.index()].insts.push(Inst { name, result: Some(value), operands });
        value
    }

    /// A read is reported by a number of the front end's: here the line of source.
    fn read(&mut self, block: Block, variable: Variable, line: u32) -> Value {
        self.ssa.read_at_site(&mut self.host, block, variable, line)
    }

    /// Ends `block`: the position of a target is the slot of its edge.
    fn end(&mut self, block: Block, name: &'static str, operands: Vec<Value>, targets: &[Block]) {
        let data = &mut self.host.blocks[block.index()];
        data.insts.push(Inst { name, result: None, operands });
        data.edges = targets.iter().map(|&target| Edge { target, arguments: vec![] }).collect();
        self.ssa.terminate(block, targets);
    }

    fn finish(mut self) -> Result<String, String> {
        let result = self.ssa.finish(&mut self.host).map_err(|error| error.to_string())?;
        let name = |read: &UndefinedRead| NAMES[read.variable.index()];
        let complaint = |read: &UndefinedRead| format!("line {}: {} may be unwritten", read.site, name(read));
        let complaints: Vec<String> = result.undefined_reads.iter().map(complaint).collect();
        if !complaints.is_empty() {
            return Err(complaints.join("\n"));
        }
        self.host.write(&result);
        #[cfg(test)]
        self.host.check(&result);
        Ok(print(&self.host))
    }
}

/// The product of the numbers to `n`, without and with its first line.
///
/// ```text
/// 1  product = 1
/// 2  switch n { 0 | 1 => {}, _ => do {
/// 3      product = product * n
/// 4      n = n - 1
/// 5  } while n }
/// 6  return product
/// ```
fn factorial(is_product_written: bool) -> Result<String, String> {
    let [entry, body, exit] = [0, 1, 2].map(Block::new);
    let mut front = Front::new(3);

    let n = front.host.value();
    front.host.blocks[entry.index()].parameters.push(n); // A parameter of the function.
    front.ssa.set_initial(N, n);
    let one = front.op(entry, "const 1", vec![]);
    if is_product_written {
        front.ssa.write_variable(entry, PRODUCT, one);
    }
    front.end(entry, "switch", vec![n], &[exit, exit, body]);

    // Not sealed: the loop comes back to it.
    let operands = vec![front.read(body, PRODUCT, 3), front.read(body, N, 3)];
    let product = front.op(body, "mul", operands);
    front.ssa.write_variable(body, PRODUCT, product);
    let operands = vec![front.read(body, N, 4), one];
    let n = front.op(body, "sub", operands);
    front.ssa.write_variable(body, N, n);
    front.end(body, "if", vec![n], &[body, exit]);
    front.ssa.seal_block(&mut front.host, body);
    front.ssa.seal_block(&mut front.host, exit);

    let result = front.read(exit, PRODUCT, 6);
    front.end(exit, "return", vec![result], &[]);
    front.finish()
}

fn print(function: &Function) -> String {
    let list = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    for (number, block) in function.blocks.iter().enumerate().filter(|(_, block)| !block.insts.is_empty()) {
        let _ = writeln!(text, "block{number}({}):", list(&block.parameters));
        for inst in &block.insts {
            let result = inst.result.map_or(String::new(), |result| format!("{result} = "));
            let _ = writeln!(text, "    {result}{} {}", inst.name, list(&inst.operands));
        }
        for edge in &block.edges {
            let _ = writeln!(text, "        -> {}({})", edge.target, list(&edge.arguments));
        }
    }
    text
}

fn example() -> String {
    let show = |is_product_written| factorial(is_product_written).unwrap_or_else(|error| format!("{error}\n"));
    format!("{}\nWithout the first line:\n{}", show(true), show(false))
}

fn main() {
    print!("{}", example());
}

#[test]
fn prints_blocks_with_parameters_and_refuses_undefined_variables() {
    assert_eq!(
        example(),
        "\
block0(v0):
    v1 = const 1 
    switch v0
        -> block2(v1)
        -> block2(v1)
        -> block1(v1, v0)
block1(v2, v3):
    v4 = mul v2, v3
    v5 = sub v3, v1
    if v5
        -> block1(v4, v5)
        -> block2(v4)
block2(v6):
    return v6

Without the first line:
line 3: product may be unwritten
line 6: product may be unwritten
"
    );
}

/// `do { n = n - n; continue; print product; n = product } while n; return n`: the dead code reads what nothing wrote.
#[test]
fn dead_code_is_no_reason_to_refuse() {
    let [entry, body, condition, dead, exit] = [0, 1, 2, 3, 4].map(Block::new);
    let mut front = Front::new(5);
    let n = front.host.value();
    front.host.blocks[entry.index()].parameters.push(n);
    front.ssa.set_initial(N, n);
    front.end(entry, "goto", vec![], &[body]);

    let operands = vec![front.read(body, N, 1); 2];
    let n = front.op(body, "sub", operands);
    front.ssa.write_variable(body, N, n);
    front.end(body, "goto", vec![], &[condition]); // continue

    front.ssa.seal_block(&mut front.host, dead); // No edge leads here, and none will.
    let product = front.read(dead, PRODUCT, 2);
    front.op(dead, "print", vec![product]);
    front.ssa.write_variable(dead, N, product);
    front.end(dead, "goto", vec![], &[condition]);

    front.ssa.seal_block(&mut front.host, condition);
    let n = front.read(condition, N, 3);
    front.end(condition, "if", vec![n], &[body, exit]);
    front.ssa.seal_block(&mut front.host, body);
    front.ssa.seal_block(&mut front.host, exit);
    let n = front.read(exit, N, 4);
    front.end(exit, "return", vec![n], &[]);
    assert_eq!(
        front.finish().unwrap(),
        "\
block0(v0):
    goto 
        -> block1(v0)
block1(v1):
    v2 = sub v1, v1
    goto 
        -> block2()
block2():
    if v2
        -> block1(v2)
        -> block4()
block4():
    return v2
"
    );
}

/// `product; return n`: nothing in the result shows that `product` was read.
#[test]
fn a_read_that_nothing_uses_is_refused_all_the_same() {
    let entry = Block::new(0);
    let mut front = Front::new(1);
    let n = front.host.value();
    front.ssa.set_initial(N, n);
    front.read(entry, PRODUCT, 1);
    let n = front.read(entry, N, 2);
    front.end(entry, "return", vec![n], &[]);
    assert_eq!(front.finish(), Err("line 1: product may be unwritten".to_owned()));
}

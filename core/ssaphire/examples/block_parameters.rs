//! Block parameters: a phi is a parameter of its block, each edge passes arguments.
//!
//! * Input: a few calls, as a front end would make them.
//! * Output: an IR in the manner of Cranelift's or MLIR's. Two edges may join
//!   the same blocks, here those of a switch: each passes arguments of its own.
//! * Sealing: by hand, each block as soon as its last edge is there.
//! * Undefined: refused. The language wants every variable written before it is read.

use ssaphire::{Block, Builder, FinishError, Forwarding, HostError, KeptPhis, PhiHost, Value, Variable};
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
    /// What stands in for variables that are read before they are written.
    undefined: Vec<(Value, Variable)>,
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

    fn undefined(&mut self, variable: Variable) -> Value {
        let value = self.value();
        self.undefined.push((value, variable));
        value
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        // Look first, then write: a host that refuses has changed nothing.
        let in_code = self.blocks.iter().flat_map(|block| &block.insts).flat_map(|inst| &inst.operands);
        for value in in_code.chain(phis.iter().flat_map(|phi| phi.operands)) {
            let value = stands_for.resolve(*value);
            if let Some((_, variable)) = self.undefined.iter().find(|(undefined, _)| *undefined == value) {
                return Err(HostError::new(format!("{variable} may be read before it is written")));
            }
        }
        let insts = self.blocks.iter_mut().flat_map(|block| &mut block.insts);
        insts.flat_map(|inst| &mut inst.operands).for_each(|operand| *operand = stands_for.resolve(*operand));
        for phi in phis.iter() {
            self.blocks[phi.block.index()].parameters.push(phi.value);
        }
        // The pairs are (parameter, argument), in the order of the parameters.
        for (edge, _, pairs) in phis.edge_arguments().iter() {
            let edge = &mut self.blocks[edge.source.index()].edges[edge.slot as usize];
            edge.arguments.extend(pairs.iter().map(|&(_, argument)| argument));
        }
        Ok(())
    }
}

/// In tests, `Strict` watches that builder and host keep their contract.
#[cfg(test)]
type Host = ssaphire::Strict<Function>;
#[cfg(not(test))]
type Host = Function;

// ------------------------------------------------------- the front end's part --

#[derive(Default)]
struct Front {
    ssa: Builder,
    host: Host,
}

impl Front {
    fn op(&mut self, block: Block, name: &'static str, operands: Vec<Value>) -> Value {
        let value = self.host.value();
        self.host.blocks[block.index()].insts.push(Inst { name, result: Some(value), operands });
        value
    }

    fn read(&mut self, block: Block, variable: Variable) -> Value {
        self.ssa.read_variable(&mut self.host, block, variable)
    }

    /// Ends `block`: the position of a target is the slot of its edge.
    fn end(&mut self, block: Block, name: &'static str, operands: Vec<Value>, targets: &[Block]) {
        let data = &mut self.host.blocks[block.index()];
        data.insts.push(Inst { name, result: None, operands });
        data.edges = targets.iter().map(|&target| Edge { target, arguments: vec![] }).collect();
        self.ssa.terminate(block, targets);
    }
}

const N: Variable = Variable::new(0);
const PRODUCT: Variable = Variable::new(1);

/// `switch n { 0 | 1 => {}, _ => do { product *= n; n -= 1 } while n } return product`, without and with `product = 1`.
fn factorial(is_product_written: bool) -> Result<String, FinishError> {
    let [entry, body, exit] = [0, 1, 2].map(Block::new);
    let mut front = Front::default();
    front.host.blocks.resize_with(3, BasicBlock::default);

    let n = front.host.value();
    front.host.blocks[entry.index()].parameters.push(n); // A parameter of the function.
    front.ssa.write_variable(entry, N, n);
    let one = front.op(entry, "const 1", vec![]);
    if is_product_written {
        front.ssa.write_variable(entry, PRODUCT, one);
    }
    front.end(entry, "switch", vec![n], &[exit, exit, body]);

    // Not sealed: the loop comes back to it.
    let operands = vec![front.read(body, PRODUCT), front.read(body, N)];
    let product = front.op(body, "mul", operands);
    front.ssa.write_variable(body, PRODUCT, product);
    let operands = vec![front.read(body, N), one];
    let n = front.op(body, "sub", operands);
    front.ssa.write_variable(body, N, n);
    front.end(body, "if", vec![n], &[body, exit]);
    front.ssa.seal_block(&mut front.host, body);
    front.ssa.seal_block(&mut front.host, exit);

    let result = front.read(exit, PRODUCT);
    front.end(exit, "return", vec![result], &[]);
    front.ssa.finish(&mut front.host)?;
    Ok(print(&front.host))
}

fn print(function: &Function) -> String {
    let list = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    for (number, block) in function.blocks.iter().enumerate() {
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
    format!("{}\nWithout the first write: {}", show(true), show(false))
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

Without the first write: the host refused the result: x1 may be read before it is written
"
    );
}

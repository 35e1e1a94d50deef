//! Memory form: variables are slots, and promotion replaces loads and deletes stores.
//!
//! * Input and output: one IR, in which a function first keeps its variables in
//!   memory, as front ends for LLVM do. What `mem2reg` does there is done here.
//! * Sealing: none. The function is there as a whole, so its graph is announced.
//! * Undefined: a `poison` of the IR's own.
//! * The values of loads have users already: [`SsaBuilderExt::replace`] says what they
//!   stand for, and [`PhiHost::visit_uses`] keeps phis away that only dead loads asked for.

use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Builder, PhiHost, Ssa, SsaBuilder, SsaBuilderExt, Uses, Value, Variable};
use std::fmt::Write;

// ------------------------------------------------------------------ the IR --

/// An instruction; its number is its value. Operands of `load` and `store` begin with the slot.
struct Inst {
    name: &'static str,
    operands: Vec<Value>,
}

#[derive(Default)]
struct Function {
    /// Index = value.
    insts: Vec<Inst>,
    /// The instructions of each block, in order.
    blocks: Vec<Vec<Value>>,
    /// The targets of each block.
    targets: Vec<Vec<Block>>,
    /// For each value the variable it becomes, if it is a slot that can be promoted.
    promoted: Vec<Option<Variable>>,
}

impl Function {
    fn add(&mut self, name: &'static str, operands: Vec<Value>) -> Value {
        self.insts.push(Inst { name, operands });
        Value::new(self.insts.len() - 1)
    }

    /// Finds the slots of which nothing is known but loads and stores: no address leaves.
    fn find_promotable(&mut self) {
        let mut is_slot: Vec<bool> = self.insts.iter().map(|inst| inst.name == "slot").collect();
        for inst in &self.insts {
            let is_access = matches!(inst.name, "load" | "store");
            let escaping = &inst.operands[usize::from(is_access)..];
            escaping.iter().for_each(|value| is_slot[value.index()] = false);
        }
        let mut variables = (0..).map(Variable::new);
        self.promoted = is_slot.iter().map(|&is| is.then(|| variables.next()).flatten()).collect();
    }

    /// The variable that `value`, if it is a load, a store or a slot, is about.
    fn variable(&self, value: Value) -> Option<Variable> {
        let inst = &self.insts[value.index()];
        let slot = if inst.name == "slot" { Some(&value) } else { inst.operands.first() };
        let is_memory = matches!(inst.name, "slot" | "load" | "store");
        slot.filter(|_| is_memory).and_then(|slot| self.promoted.get(slot.index()).copied().flatten())
    }
}

// ---------------------------------------------------------------- the host --

impl PhiHost for Function {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.add("phi", vec![])
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.add("poison", vec![]) // In no block: printed where it is used.
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let staying = self.blocks.iter().flatten().filter(|&&value| self.variable(value).is_none());
        staying.flat_map(|value| &self.insts[value.index()].operands).for_each(|&operand| visit(operand));
        Uses::Visited
    }
}

impl Function {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        let mut blocks = std::mem::take(&mut self.blocks);
        for block in &mut blocks {
            block.retain(|&value| self.variable(value).is_none()); // Loads, stores and slots go.
        }
        for operand in self.insts.iter_mut().flat_map(|inst| &mut inst.operands) {
            *operand = stands_for.resolve(*operand);
        }
        for phi in phis.iter().rev() {
            self.insts[phi.value.index()].operands = phi.operands.to_vec();
            blocks[phi.block.index()].insert(0, phi.value);
        }
        self.blocks = blocks;
    }
}

/// In tests, `Strict` watches that builder and host keep their contract.
#[cfg(test)]
type Host = ssaphire::Strict<Function>;
#[cfg(not(test))]
type Host = Function;

// ------------------------------------------------- from memory to values --

fn promote(host: &mut Host) -> Result<(), Box<dyn std::error::Error>> {
    host.find_promotable();
    let cfg = FlatCfg::from_successors(Block::new(0), &host.targets)?;
    let mut ssa = Builder::default();
    ssa.announce(&cfg)?;
    for block in cfg.blocks() {
        for value in host.blocks[block.index()].clone() {
            let Some(variable) = host.variable(value) else { continue };
            match host.insts[value.index()].name {
                "load" => {
                    let held = ssa.read_variable(host, block, variable);
                    ssa.replace(host, value, held);
                }
                "store" => ssa.write_variable(block, variable, host.insts[value.index()].operands[1]),
                _ => {}
            }
        }
        ssa.terminate(block, cfg.targets(block));
    }
    let result = ssa.finish(host)?;
    host.write(&result);
    #[cfg(test)]
    host.check(&result);
    Ok(())
}

/// `sum = 0; do { got = call(&buffer); sum += got; dead = sum } while (got); return sum`
fn program() -> Host {
    let mut host = Host::default();
    let push = |host: &mut Host, block: usize, name, operands: &[Value]| {
        let value = host.add(name, operands.to_vec());
        host.blocks.resize_with(3, Vec::new);
        host.blocks[block].push(value);
        value
    };
    let [sum, got, buffer, dead] = [0; 4].map(|block| push(&mut host, block, "slot", &[]));
    let zero = push(&mut host, 0, "zero", &[]);
    push(&mut host, 0, "store", &[sum, zero]);
    push(&mut host, 0, "goto", &[]);

    let called = push(&mut host, 1, "call", &[buffer]);
    push(&mut host, 1, "store", &[got, called]);
    push(&mut host, 1, "load", &[dead]);
    let operands = [sum, got].map(|slot| push(&mut host, 1, "load", &[slot]));
    let added = push(&mut host, 1, "add", &operands);
    push(&mut host, 1, "store", &[sum, added]);
    let value = push(&mut host, 1, "load", &[sum]);
    push(&mut host, 1, "store", &[dead, value]);
    let condition = push(&mut host, 1, "load", &[got]);
    push(&mut host, 1, "if", &[condition]);

    let operands = [sum, got].map(|slot| push(&mut host, 2, "load", &[slot]));
    push(&mut host, 2, "return", &operands);
    let [body, exit] = [1, 2].map(Block::new);
    host.targets = vec![vec![body], vec![body, exit], vec![]];
    host
}

fn print(function: &Function) -> String {
    let mut text = String::new();
    let operand = |value: &Value| match function.insts[value.index()].name {
        "poison" => "poison".to_owned(),
        _ => value.to_string(),
    };
    for (number, block) in function.blocks.iter().enumerate() {
        let _ = writeln!(text, "block{number}:");
        for value in block {
            let inst = &function.insts[value.index()];
            let operands: Vec<String> = inst.operands.iter().map(operand).collect();
            let _ = writeln!(text, "    {value} = {} {}", inst.name, operands.join(", "));
        }
    }
    text
}

fn example() -> Result<String, Box<dyn std::error::Error>> {
    let mut host = program();
    let before = print(&host);
    promote(&mut host)?;
    Ok(format!("before\n\n{before}\nafter\n\n{}", print(&host)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}

#[test]
fn prints_the_function_before_and_after() {
    assert_eq!(
        example().unwrap(),
        "\
before

block0:
    v0 = slot 
    v1 = slot 
    v2 = slot 
    v3 = slot 
    v4 = zero 
    v5 = store v0, v4
    v6 = goto 
block1:
    v7 = call v2
    v8 = store v1, v7
    v9 = load v3
    v10 = load v0
    v11 = load v1
    v12 = add v10, v11
    v13 = store v0, v12
    v14 = load v0
    v15 = store v3, v14
    v16 = load v1
    v17 = if v16
block2:
    v18 = load v0
    v19 = load v1
    v20 = return v18, v19

after

block0:
    v2 = slot 
    v4 = zero 
    v6 = goto 
block1:
    v22 = phi v4, v12
    v7 = call v2
    v12 = add v22, v7
    v17 = if v7
block2:
    v20 = return v12, v7
"
    );
}

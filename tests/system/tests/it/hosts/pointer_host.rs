//! A host whose values are pointers, with use lists, as in LLVM.
//!
//! It interns pointers in a side table. A phi begins as an instruction in no
//! block; at the end it is placed, or replaced in all its uses and erased.

use super::build::{Code, Way, all_ways, build, random_programs};
use super::pointer_ir::{BasicBlock, Function, Kind, Node, Pointer};
use super::programs::{End, Program, by_hand};
use ssaphire::{Block, PhiHost, Placed, Shown, Ssa, Stats, Strict, Uses, Value, Variable};
use std::collections::HashMap;
use std::rc::Rc;

// ---------------------------------------------------------------- the host --

#[derive(Default)]
struct PointerHost {
    function: Function,
    /// Index = value. Keeps nodes alive, so that an address is not given to another.
    nodes: Vec<Pointer>,
    values: HashMap<*const Node, Value>,
}

impl PointerHost {
    fn intern(&mut self, node: Pointer) -> Value {
        let next = Value::new(self.nodes.len());
        let value = *self.values.entry(Rc::as_ptr(&node)).or_insert(next);
        if value == next {
            self.nodes.push(node);
        }
        value
    }

    fn node(&self, value: Value) -> &Pointer {
        &self.nodes[value.index()]
    }

    fn erase(&mut self, value: Value) {
        let node = self.node(value).clone();
        for block in &mut self.function.blocks {
            block.nodes.retain(|each| !Rc::ptr_eq(each, &node));
        }
        node.erase();
    }
}

impl PhiHost for PointerHost {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.intern(Node::new(Kind::Phi, &[]))
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.intern(Node::new(Kind::Poison, &[]))
    }

    /// A use is known by its user and the operand's place.
    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        for (block, node) in self
            .function
            .blocks
            .iter()
            .enumerate()
            .flat_map(|(at, block)| block.nodes.iter().map(move |node| (at, node)))
        {
            let (mut operands, user) = (Vec::new(), self.values[&Rc::as_ptr(node)]);
            node.visit_operands(|operand| operands.push(self.values[&Rc::as_ptr(operand)]));
            if node.kind == Kind::Phi {
                visit(Placed::Phi { block: Block::new(block), value: user, operands: &operands });
                continue;
            }
            for (index, &value) in operands.iter().enumerate() {
                visit(Placed::Use { place: (user.index() as u64) << 32 | index as u64, value });
            }
        }
        Shown::Everything
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        for node in self.function.blocks.iter().flat_map(|block| &block.nodes) {
            node.visit_operands(|operand| visit(self.values[&Rc::as_ptr(operand)]));
        }
        Uses::Visited
    }
}

// ---------------------------------------------------------- the code it takes --

impl PointerHost {
    fn push(&mut self, block: Block, kind: Kind, operands: &[Value]) -> Value {
        let operands: Vec<Pointer> = operands.iter().map(|&operand| self.node(operand).clone()).collect();
        let node = Node::new(kind, &operands);
        self.function.blocks[block.index()].nodes.push(node.clone());
        self.intern(node)
    }
}

impl Code for PointerHost {
    fn take(&mut self, result: &Ssa<'_>) -> Result<(), String> {
        let Ssa { phis, stands_for, .. } = result;
        for phi in phis.iter().rev() {
            let node = self.node(phi.value).clone();
            phi.operands.iter().for_each(|&operand| node.push_operand(self.node(operand)));
            self.function.blocks[phi.block.index()].nodes.insert(0, node);
        }
        for (from, to) in stands_for.iter() {
            self.node(from).replace_all_uses_with(self.node(to));
        }
        for (from, _) in stands_for.iter() {
            self.erase(from);
        }
        for &phi in phis.unused() {
            self.erase(phi);
        }
        for at in 0..self.function.blocks.len() {
            let incoming = phis.incoming(Block::new(at)).iter();
            self.function.blocks[at].incoming =
                incoming.map(|edge| (edge.source.index(), edge.slot as usize)).collect();
        }
        Ok(())
    }

    fn constant(&mut self, _: Block, _: Variable, number: i64) -> Value {
        self.intern(Node::new(Kind::Constant(number), &[]))
    }

    fn add(&mut self, block: Block, variable: Variable, left: Value, right: Value) -> Value {
        let is_narrow = variable.index() % 2 == 1;
        self.push(block, Kind::Add { is_narrow }, &[left, right])
    }

    fn print(&mut self, block: Block, _: Variable, value: Value) {
        self.push(block, Kind::Print, &[value]);
    }

    fn end(&mut self, block: Block, end: &End, value: Option<Value>) {
        let kind = match end {
            End::Goto(_) => Kind::Goto,
            End::If(..) => Kind::If,
            End::Switch(..) => Kind::Switch,
            End::Return => Kind::Return,
        };
        self.push(block, kind, value.as_slice());
        self.function.blocks[block.index()].targets = end.targets().into_iter().map(Block::index).collect();
    }

    /// What adding zero leaves.
    fn simpler(&self, value: Value) -> Option<Value> {
        let [left, right] = [0, 1].map(|index| self.node(value).operand(index));
        let other = match (left.kind, right.kind) {
            (_, Kind::Constant(0)) => left,
            (Kind::Constant(0), _) => right,
            _ => return None,
        };
        self.values.get(&Rc::as_ptr(&other)).copied()
    }
}

/// Builds, checks the use lists, runs; the phis of each block.
#[track_caller]
fn check(name: &str, program: &Program, way: Way) -> (Vec<usize>, Stats) {
    let mut host = Strict::new(PointerHost::default());
    host.function.blocks.resize_with(program.blocks.len(), BasicBlock::default);
    let stats = build(program, &mut host, way).unwrap();
    let function = &host.function;
    function.check();
    let mut phis = host.nodes.iter().filter(|node| node.kind == Kind::Phi);
    assert!(phis.all(|phi| phi.is_erased() || function.contains(phi)), "{name}, {way:?}: a placeholder is left");
    assert_eq!(function.run(200), program.run(None, 200), "{name}, {way:?}");
    let num_phis: Vec<usize> = (0..function.blocks.len()).map(|block| function.num_phis(block)).collect();
    assert_eq!(num_phis.iter().sum::<usize>() as u64, stats.phis_kept, "{name}, {way:?}");
    (num_phis, stats)
}

#[test]
fn programs_by_hand_have_the_phis_they_need() {
    for (name, program, phis) in by_hand() {
        for way in all_ways() {
            assert_eq!(check(name, &program, way).0, phis, "{name}, {way:?}");
        }
    }
}

#[test]
fn random_programs_keep_use_lists_and_do_the_same() {
    let mut sum = Stats::default();
    for (index, (program, way)) in random_programs().enumerate() {
        sum += check(&format!("program {index}"), &program, way).1;
    }
    // All that can become of a placeholder has happened, and of a value the host replaced.
    let fates = [sum.phis_kept, sum.trivial_phis, sum.redundant_phis, sum.dropped_phis, sum.replaced];
    assert!(fates.iter().all(|&times| times > 20), "{fates:?}");
}

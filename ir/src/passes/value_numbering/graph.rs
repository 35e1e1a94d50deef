//! The value graph: what each value is computed by, and from what.
//!
//! A node is a value as those see it that use it. Where loops are told by how they run, a use outside of a loop sees
//! the value that the last iteration left, the *exit value*: a node of its own.

use super::PhiTags;
use super::choice::Choice;
use super::loops::{Loops, Nest, preorder};
use crate::dialect::{Semantics, Syntax};
use crate::function::{Action, Arg, Dest, Function, InstRef};
use crate::passes::versions::Place;
use foldhash::fast::RandomState;
use ssaphire::graph::{DominatorTree, FlatCfg, Id, IdLists, IdMap, LoopForest};
use ssaphire::{Block, Value};
use ssaphire_graph::internal_id;
use std::collections::HashMap;

internal_id!(
    /// Number of a value as it is seen: what is seen where it is defined has the number of the value.
    pub(super) Node, "node"
);

impl Node {
    /// What is seen of `value` in the loops in which it is defined.
    pub(super) fn of(value: Value) -> Self {
        Self::new(value.index())
    }
}

/// Where a value is defined: its block, by preorder of the dominator tree, and its place there, phis and what is
/// defined at the top first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Definition {
    preorder: usize,
    place: usize,
    pub(super) block: Block,
}

/// What is the same for all nodes with one label.
#[derive(PartialEq, Eq, Hash)]
enum Label<'f, O, T> {
    /// Result number so and so of an operation.
    Result(&'f O, usize, &'f T),
    /// A phi of a block.
    Phi(Block, &'f T),
    /// What a branch chooses.
    Choice(&'f O, &'f T),
    /// A phi at the header of a simple loop inside of this one.
    Iteration(Option<Block>, &'f T),
    /// What a simple loop inside of this one leaves when its test takes this slot.
    Exit(Option<Block>, &'f O, u32, &'f T),
    /// What any other loops leave, as seen from inside of this one.
    OtherExit(Value, Option<Block>),
    /// Something that nothing else is.
    Itself(Value),
}

/// The labels that there are, by number.
type Labels<'f, D> = HashMap<Label<'f, <D as Syntax>::Op, <D as Syntax>::Type>, u32, RandomState>;

/// The value graph of a function.
pub(super) struct ValueGraph {
    pub(super) labels: IdMap<Node, u32>,
    pub(super) operands: IdLists<Node, Node>,
    /// What is seen.
    pub(super) value: IdMap<Node, Value>,
    /// By value: where it is defined, if that is in reachable code.
    pub(super) definition: IdMap<Value, Option<Definition>>,
    /// Where exit values are used.
    pub(super) exit_uses: Vec<(Node, Place)>,
    /// The loops, if nodes tell where values are seen.
    pub(super) forest: Option<LoopForest>,
}

impl ValueGraph {
    pub(super) fn of<D: Semantics>(
        function: &Function<D>,
        cfg: &FlatCfg,
        dominators: &DominatorTree,
        tags: PhiTags,
    ) -> Self {
        let graph = Self {
            labels: IdMap::new(),
            operands: IdLists::new(),
            value: function.values().collect(),
            definition: definitions(function, dominators),
            exit_uses: Vec::new(),
            forest: None,
        };
        let mut labeling = Labeling {
            function,
            cfg,
            dominators,
            tags,
            loops: (tags == PhiTags::Loop).then(|| Loops::new(function, cfg, dominators)),
            nest: Nest::default(),
            graph,
            numbers: Labels::<D>::default(),
            operands: Vec::new(),
            exit_values: HashMap::default(),
            conditions: HashMap::default(),
        };
        labeling.label();
        let Labeling { mut graph, operands, loops, .. } = labeling;
        graph.operands.rebuild(graph.labels.len(), operands.into_iter());
        graph.forest = loops.map(|loops| loops.forest);
        graph
    }

    /// Whether what is seen as `node` at its definition is seen so in `block`.
    ///
    /// An exit value is: who sees a congruent one is outside of the loop.
    pub(super) fn is_seen_in(&self, node: Node, block: Block) -> bool {
        let value = self.value[node];
        let Some(forest) = self.forest.as_ref().filter(|_| node == Node::of(value)) else { return true };
        let header = self.definition[value].and_then(|definition| forest.innermost(definition.block));
        header.is_none_or(|header| forest.contains(header, block))
    }
}

/// Where values are defined.
fn definitions<D: Semantics>(function: &Function<D>, dominators: &DominatorTree) -> IdMap<Value, Option<Definition>> {
    let mut definitions = IdMap::filled(function.num_values(), None);
    for (preorder, &block) in dominators.preorder().iter().enumerate() {
        let data = function.block(block);
        let at = |place| Some(Definition { preorder, place, block });
        for dest in function.results_at_top(block) {
            if let Dest::Value(value) = *dest {
                definitions[value] = at(0);
            }
        }
        for phi in data.phis().iter() {
            definitions[phi.value] = at(0);
        }
        for (inst, place) in data.insts().iter().filter(|inst| inst.targets.is_empty()).zip(1..) {
            inst.defined_values().for_each(|value| definitions[value] = at(place));
        }
    }
    definitions
}

/// Labels and operands on the way.
struct Labeling<'f, 'g, D: Semantics> {
    function: &'f Function<D>,
    cfg: &'g FlatCfg,
    dominators: &'g DominatorTree,
    tags: PhiTags,
    /// If exit values count.
    loops: Option<Loops<'f, D>>,
    /// The loops around the block at hand, if they count.
    nest: Nest,
    graph: ValueGraph,
    numbers: Labels<'f, D>,
    operands: Vec<(Node, Node)>,
    /// By value, and loop in which it is seen.
    exit_values: HashMap<(Value, Option<Block>), Node, RandomState>,
    /// By header of a simple loop: what it tests.
    conditions: HashMap<Block, Node, RandomState>,
}

impl<'f, D: Semantics> Labeling<'f, '_, D> {
    fn label(&mut self) {
        for value in self.function.values() {
            let label = self.number(Label::Itself(value));
            self.graph.labels.push(label);
        }
        let exits = self.exits();
        let blocks: Vec<Block> = match &self.loops {
            Some(loops) => preorder(self.dominators, &loops.forest).collect(),
            None => self.dominators.preorder().to_vec(),
        };
        for block in blocks {
            if let Some(loops) = &self.loops {
                self.nest.enter(&loops.forest, block);
            }
            self.phis(block);
            for (index, inst) in self.function.block(block).insts().iter().enumerate() {
                self.inst(block, index, inst);
            }
            self.condition(block);
        }
        for (node, header) in exits {
            let seen = Node::of(self.graph.value[node]);
            self.operands.extend([(node, self.conditions[&header]), (node, seen)]);
        }
    }

    /// Gives all values of simple loops exit values, also those that nobody sees yet: each with the header of its loop.
    fn exits(&mut self) -> Vec<(Node, Block)> {
        let (mut exits, function) = (Vec::new(), self.function);
        for value in function.values() {
            let (Some(loops), Some(definition)) = (&self.loops, self.graph.definition[value]) else { continue };
            let Some(header) = loops.forest.innermost(definition.block) else { continue };
            let Some(simple) = loops.simple(header) else { continue };
            let around = loops.forest.parent(header);
            let label = Label::Exit(around, simple.op, simple.slot, function.value(value).ty);
            exits.push((self.exit_value(value, around, label), header));
        }
        exits
    }

    fn number(&mut self, label: Label<'f, D::Op, D::Type>) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(label).or_insert(next)
    }

    fn phis(&mut self, block: Block) {
        let choice = if self.tags == PhiTags::Block {
            None
        } else {
            Choice::of(self.function, self.cfg, self.dominators, block)
        };
        let around = self.loops.as_ref().and_then(|loops| {
            let simple = loops.simple(block)?;
            Some((loops.forest.parent(block), [simple.entering, simple.back]))
        });
        for (index, phi) in self.function.block(block).phis().iter().enumerate() {
            let ty = self.function.value(phi.value).ty;
            let node = Node::of(phi.value);
            let mut seen = Vec::with_capacity(phi.operands.len());
            for (operand, (&value, &edge)) in phi.operands.iter().zip(self.cfg.incoming(block)).enumerate() {
                let source = self.cfg.source(edge);
                seen.push(self.used(value, source, Place::Operand(block, index, operand)));
            }
            if let Some(Choice { op, condition, edges }) = &choice {
                self.graph.labels[node] = self.number(Label::Choice(op, ty));
                let condition = self.seen(*condition, block);
                self.operands.extend([condition, seen[edges[0]], seen[edges[1]]].map(|operand| (node, operand)));
            } else if let Some((parent, edges)) = around {
                self.graph.labels[node] = self.number(Label::Iteration(parent, ty));
                self.operands.extend(edges.map(|edge| (node, seen[edge])));
            } else {
                self.graph.labels[node] = self.number(Label::Phi(block, ty));
                self.operands.extend(seen.into_iter().map(|operand| (node, operand)));
            }
        }
    }

    fn inst(&mut self, block: Block, index: usize, inst: InstRef<'f, D>) {
        let mut seen = Vec::with_capacity(inst.args.len());
        for (place, arg) in inst.args.iter().enumerate() {
            if let Arg::Value(value) = *arg {
                seen.push(self.used(value, block, Place::Arg(block, index, place)));
            }
        }
        let Action::Op(op) = inst.action else { return };
        if !D::properties(op).computes || !inst.targets.is_empty() || seen.len() < inst.args.len() {
            return;
        }
        for (result, value) in inst.defined_values().enumerate() {
            let node = Node::of(value);
            self.graph.labels[node] = self.number(Label::Result(op, result, self.function.value(value).ty));
            self.operands.extend(seen.iter().map(|&operand| (node, operand)));
        }
    }

    /// Notes what the block tests, if that ends a simple loop.
    fn condition(&mut self, block: Block) {
        let Some(loops) = &self.loops else { return };
        let Some(header) = loops.forest.innermost(block) else { return };
        if let Some(simple) = loops.simple(header).filter(|simple| simple.test == block) {
            let seen = self.seen(simple.condition, block);
            self.conditions.insert(header, seen);
        }
    }

    /// What is seen of `value` at `place`, at the end of `source` on the way to the block at hand, or in it.
    fn used(&mut self, value: Value, source: Block, place: Place) -> Node {
        let node = self.seen(value, source);
        if node != Node::of(value) {
            self.graph.exit_uses.push((node, place));
        }
        node
    }

    /// What is seen of `value` at the end of `source` on the way to the block at hand, or in it.
    fn seen(&mut self, value: Value, source: Block) -> Node {
        let Some(loops) = &self.loops else { return Node::of(value) };
        let Some(Definition { block, .. }) = self.graph.definition[value] else { return Node::of(value) };
        let Some(header) = loops.forest.innermost(block) else { return Node::of(value) };
        let around = self.nest.around(&loops.forest, &[block, source]);
        if around == Some(header) {
            return Node::of(value);
        }
        if let Some(&node) = self.exit_values.get(&(value, around)) {
            return node;
        }
        self.exit_value(value, around, Label::OtherExit(value, around))
    }

    /// A node for what is seen of `value` from inside the loop `around` only.
    fn exit_value(&mut self, value: Value, around: Option<Block>, label: Label<'f, D::Op, D::Type>) -> Node {
        let label = self.number(label);
        let node = self.graph.labels.push(label);
        self.graph.value.push(value);
        self.exit_values.insert((value, around), node);
        node
    }
}

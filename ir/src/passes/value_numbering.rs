//! Global value numbering: of values that are congruent, those that another one dominates are removed.
//!
//! Values are congruent if they are computed by the same operation from congruent values, and phis, if they have the same
//! tag and congruent operands. The tag of a phi is its block; or, if asked for, the condition that controls the join in which
//! it stands, so that phis of two joins are congruent where the same condition chooses between the same values.
//!
//! | Alpern, Wegman and Zadeck 1988 | here |
//! |---|---|
//! | the value graph of the program | `ValueGraph` |
//! | its coarsest partition | [`Congruence`] |
//! | phis by block, by the test of an `if` | [`PhiTags`] |
//! | replacing what is dominated | `replace_dominated` |
//!
//! # Complexity
//! O(*m* log *n*) for *n* values with *m* operands, and sorting the members of classes.
//!
//! # Departures
//! Copies of values are propagated before.

use super::{propagate_copies, remove_redundant_phis};
use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function};
use foldhash::fast::RandomState;
use ssaphire::graph::{CfgError, Congruence, DominatorTree, FlatCfg, IdLists, IdMap};
use ssaphire::{Block, Value};
use std::collections::HashMap;

/// What tells phis with congruent operands apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PhiTags {
    /// The block in which they stand.
    #[default]
    Block,
    /// In a join of two edges that the two ways out of one branch lead to, what that branch decides on; else the block.
    ///
    /// Such a phi has three operands: the condition, and what it chooses from.
    Condition,
}

/// How much [`number_values`] has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Numbered {
    /// Phis that were congruent to others.
    pub phis: usize,
    /// Instructions whose results were congruent to others.
    pub insts: usize,
    /// Copies of values, and phis that stood for one value with them.
    pub copies: usize,
    /// Phis that became redundant.
    pub redundant_phis: usize,
}

/// Removes values of `function` that are congruent to others that dominate them: how much that was.
///
/// Dead phis count: they may be brought to life. So it finds most in a function that is minimal, but not pruned.
///
/// # Errors
/// If the graph breaks its contract.
///
/// # Complexity
/// See the [module](self).
pub fn number_values<D: Dialect>(function: &mut Function<D>, tags: PhiTags) -> Result<Numbered, CfgError> {
    let copies = propagate_copies(function)?;
    let cfg = FlatCfg::new(function)?;
    let dominators = DominatorTree::new(&cfg);
    let mut graph = ValueGraph::of(function, &cfg, &dominators, tags);
    graph.replace_dominated(&dominators);
    let mut report = Numbered { copies, ..Numbered::default() };
    graph.rewrite(function, &mut report);
    report.redundant_phis = remove_redundant_phis(function)?;
    Ok(report)
}

/// Where a value is defined: its block, by preorder of the dominator tree, and its place there, phis and what is
/// defined at the top first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Definition {
    preorder: usize,
    place: usize,
    block: Block,
}

/// What is the same for all values with one label.
#[derive(PartialEq, Eq, Hash)]
enum Label<'f, O, T> {
    /// Result number so and so of an operation.
    Result(&'f O, usize, &'f T),
    /// A phi of a block.
    Phi(Block, &'f T),
    /// What a branch chooses.
    Choice(&'f O, &'f T),
    /// Something that nothing else is.
    Itself(Value),
}

/// The labels that there are, by number.
type Labels<'f, D> = HashMap<Label<'f, <D as Dialect>::Op, <D as Dialect>::Type>, u32, RandomState>;

/// Why control comes to a join by one edge or the other.
struct Choice<'f, D: Dialect> {
    op: &'f D::Op,
    condition: Value,
    /// The operand indices of the edges, by the slot of the branch.
    edges: [usize; 2],
}

struct ValueGraph {
    labels: IdMap<Value, u32>,
    operands: IdLists<Value, Value>,
    /// By value: where it is defined, if that is in reachable code.
    definition: IdMap<Value, Option<Definition>>,
    /// By value: what it is replaced by, or itself.
    stands_for: IdMap<Value, Value>,
}

impl ValueGraph {
    fn of<D: Dialect>(function: &Function<D>, cfg: &FlatCfg, dominators: &DominatorTree, tags: PhiTags) -> Self {
        let mut graph = Self {
            labels: IdMap::new(),
            operands: IdLists::new(),
            definition: IdMap::filled(function.num_values(), None),
            stands_for: function.values().collect(),
        };
        graph.define(function, dominators);
        graph.label(function, cfg, dominators, tags);
        graph
    }

    /// Says where values are defined.
    fn define<D: Dialect>(&mut self, function: &Function<D>, dominators: &DominatorTree) {
        for (preorder, &block) in dominators.preorder().iter().enumerate() {
            let data = function.block(block);
            let at = |place| Some(Definition { preorder, place, block });
            for dest in function.results_at_top(block) {
                if let Dest::Value(value) = *dest {
                    self.definition[value] = at(0);
                }
            }
            for phi in data.phis().iter() {
                self.definition[phi.value] = at(0);
            }
            for (inst, place) in data.insts().iter().filter(|inst| inst.targets.is_empty()).zip(1..) {
                inst.defined_values().for_each(|value| self.definition[value] = at(place));
            }
        }
    }

    /// Gives all values labels and operands.
    fn label<D: Dialect>(&mut self, function: &Function<D>, cfg: &FlatCfg, dominators: &DominatorTree, tags: PhiTags) {
        let mut numbers = Labels::<D>::default();
        let mut number = |label| {
            let next = numbers.len() as u32;
            *numbers.entry(label).or_insert(next)
        };
        self.labels = function.values().map(|value| number(Label::Itself(value))).collect();
        let mut operands = Vec::new();
        for &block in dominators.preorder() {
            let data = function.block(block);
            let choice = choice(function, cfg, dominators, block).filter(|_| tags == PhiTags::Condition);
            for phi in data.phis().iter() {
                let ty = function.value(phi.value).ty;
                let mut push = |operand: Value| operands.push((phi.value, operand));
                if let Some(Choice { op, condition, edges }) = &choice {
                    self.labels[phi.value] = number(Label::Choice(op, ty));
                    push(*condition);
                    edges.iter().for_each(|&edge| push(phi.operands[edge]));
                } else {
                    self.labels[phi.value] = number(Label::Phi(block, ty));
                    phi.operands.iter().for_each(|&operand| push(operand));
                }
            }
            for inst in data.insts().iter() {
                let Action::Op(op) = inst.action else { continue };
                if !D::computes(op) || !inst.targets.is_empty() {
                    continue;
                }
                let args: Option<Vec<Value>> = inst.args.iter().map(value).collect();
                let Some(args) = args else { continue };
                for (index, result) in inst.defined_values().enumerate() {
                    self.labels[result] = number(Label::Result(op, index, function.value(result).ty));
                    operands.extend(args.iter().map(|&arg| (result, arg)));
                }
            }
        }
        self.operands.rebuild(function.num_values(), operands.into_iter());
    }

    /// Replaces each value that a congruent one dominates.
    fn replace_dominated(&mut self, dominators: &DominatorTree) {
        let mut congruence = Congruence::new();
        congruence.rebuild(&self.labels, &self.operands);
        let (mut members, mut above): (Vec<_>, Vec<(Block, Value)>) = (Vec::new(), Vec::new());
        for class in congruence.classes().filter(|class| class.len() > 1) {
            members.clear();
            members.extend(class.iter().filter_map(|&value| Some((self.definition[value]?, value))));
            members.sort_unstable();
            above.clear();
            for &(Definition { block, .. }, value) in &members {
                while above.pop_if(|(other, _)| !dominators.dominates(*other, block)).is_some() {}
                match above.last() {
                    Some(&(_, other)) => self.stands_for[value] = other,
                    None => above.push((block, value)),
                }
            }
        }
    }

    /// Removes what stands for another value, and uses that.
    fn rewrite<D: Dialect>(&self, function: &mut Function<D>, report: &mut Numbered) {
        let stays = |value: Value| self.stands_for.get(value).is_none_or(|&other| other == value);
        for block in function.blocks() {
            function.retain_phis(block, |phi| {
                report.phis += usize::from(!stays(phi.value));
                stays(phi.value)
            });
            function.retain_insts(block, |inst| {
                let is_needed = |dest: &Dest| !matches!(*dest, Dest::Value(value) if !stays(value));
                let stays = inst.results.is_empty() || inst.results.iter().any(is_needed);
                report.insts += usize::from(!stays);
                stays
            });
        }
        function.map_uses(|value| self.stands_for.get(value).copied().unwrap_or(value));
    }
}

fn value(arg: &Arg) -> Option<Value> {
    match *arg {
        Arg::Value(value) => Some(value),
        Arg::Variable(_) => None,
    }
}

/// What decides by which edge control comes to `block`, if that is a branch with two ways, each of which leads to one of
/// its two edges.
fn choice<'f, D: Dialect>(
    function: &'f Function<D>,
    cfg: &FlatCfg,
    dominators: &DominatorTree,
    block: Block,
) -> Option<Choice<'f, D>> {
    let branch = dominators.idom(block)?;
    let terminator = function.block(branch).terminator()?;
    let (Action::Op(op), &[condition], &[_, _]) = (terminator.action, terminator.args, terminator.targets) else {
        return None;
    };
    let edges = cfg.incoming(block);
    if !D::only_branches(op) || edges.len() != 2 {
        return None;
    }
    // The way that leads to an edge: the edge itself, or a block that only this way leads to, and all of which comes from it.
    let index = |way| {
        let target = cfg.target(way);
        let leads =
            |edge| way == edge || cfg.incoming(target) == [way] && dominators.dominates(target, cfg.source(edge));
        edges.iter().position(|&edge| leads(edge))
    };
    let mut ways = cfg.outgoing(branch);
    let edges = [index(ways.next()?)?, index(ways.next()?)?];
    (edges[0] != edges[1]).then_some(Choice { op, condition: value(&condition)?, edges })
}

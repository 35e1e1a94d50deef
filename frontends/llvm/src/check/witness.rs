//! Where a function differs from what it is compared with, and a path on which it does.
//!
//! Both are in SSA form, over the same graph. An instruction with an effect is followed back in both at once: through operations that
//! compute the same, and along one edge at a time through phis, to two values that are not the same. The edges that were taken, with
//! shortest ways between them, are a path from the entry on which the instruction gets another operand.

use crate::dialect::{Constant, Llvm, Op};
use crate::template::constants_in;
use foldhash::fast::RandomState;
use ssaphire::graph::{DominatorTree, FlatCfg, IdMap};
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Dest, Function, InstRef, Semantics, ValueKind};
use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::{HashSet, VecDeque};

/// So many blocks a path has at most; one that is longer is not worth reading.
const LONGEST: usize = 1_000;

/// A difference.
#[derive(Debug)]
pub(super) struct Witness {
    pub(super) block: Block,
    /// The instructions of the block that differ, by place: the one before and the one after.
    pub(super) insts: [Option<usize>; 2],
    /// The values that are not the same; `None` if the instructions themselves are not.
    pub(super) values: Option<[Value; 2]>,
    /// The blocks from the entry to this one, on which that shows; empty if it is too long.
    pub(super) path: Vec<Block>,
}

/// Where a value is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    Global,
    Phi(Block, usize),
    Inst(Block, usize),
}

impl Maker {
    fn home(self) -> Option<Block> {
        match self {
            Self::Global => None,
            Self::Phi(block, _) | Self::Inst(block, _) => Some(block),
        }
    }
}

/// Two values that have to be the same, on the way back from an instruction.
struct Step {
    values: [Value; 2],
    /// Where the later of them is made.
    home: Option<Block>,
    /// The step before, and the source of the edge that was taken from there.
    back: Option<(usize, Option<Block>)>,
}

struct Search<'f> {
    forms: [&'f Function<Llvm>; 2],
    makers: [IdMap<Value, Maker>; 2],
    tree: DominatorTree,
    /// By result of an instruction with an effect before: the one it is after.
    pairs: IdMap<Value, Option<Value>>,
    seen: HashSet<[Value; 2], RandomState>,
    steps: Vec<Step>,
}

/// A difference between two functions; `None` if none is found.
///
/// # Complexity
/// O(*n* log *n*) for functions of size *n*, and a path of some blocks.
pub(super) fn find(before: &Function<Llvm>, after: &Function<Llvm>) -> Option<Witness> {
    if before.num_blocks() != after.num_blocks() {
        return None;
    }
    let mut search = Search::new([before, after])?;
    let blocks: Vec<Block> = after.blocks().filter(|&block| search.tree.is_reachable(block)).collect();
    blocks
        .iter()
        .find_map(|&block| search.pair_effects(block))
        .or_else(|| blocks.iter().find_map(|&block| search.follow_effects(block)))
}

/// A path on which an operand of an instruction before is not the constant that is in its place after, if there is one.
///
/// # Complexity
/// As [`find`].
pub(super) fn path_to_other_than_constant(
    forms: [&Function<Llvm>; 2],
    block: Block,
    places: [usize; 2],
) -> Option<Vec<Block>> {
    let (one, other) = (forms[0].block(block).insts().get(places[0])?, forms[1].block(block).insts().get(places[1])?);
    constants_in(op_of(&one)?.text(), op_of(&other)?.text())?.into_iter().enumerate().find_map(|(hole, text)| {
        let &Arg::Value(operand) = one.args.get(hole)? else { return None };
        let mut after = forms[1].clone();
        let constant = after.constant(Constant::new(&text?));
        let mut search = Search::new([forms[0], &after])?;
        let last = search.follow([operand, constant])?;
        search.path(last, block)
    })
}

fn makers(function: &Function<Llvm>) -> IdMap<Value, Maker> {
    let mut makers = IdMap::filled(function.num_values(), Maker::Global);
    for block in function.blocks() {
        let data = function.block(block);
        (0..).zip(data.phis().iter()).for_each(|(place, phi)| makers[phi.value] = Maker::Phi(block, place));
        for (place, inst) in data.insts().iter().enumerate() {
            for dest in inst.results {
                if let Dest::Value(value) = *dest {
                    makers[value] = Maker::Inst(block, place);
                }
            }
        }
    }
    makers
}

fn op_of<'f>(inst: &InstRef<'f, Llvm>) -> Option<&'f Op> {
    match inst.action {
        Action::Op(op) => Some(op),
        Action::Copy => None,
    }
}

/// Whether an instruction is more than its result.
fn has_effect(inst: &InstRef<'_, Llvm>) -> bool {
    !inst.targets.is_empty()
        || op_of(inst).is_some_and(|op| {
            let properties = Llvm::properties(op);
            properties.has_effect || properties.needs_defined || !properties.computes
        })
}

/// Whether two instructions are the same but for their operands.
fn are_alike(one: &InstRef<'_, Llvm>, other: &InstRef<'_, Llvm>) -> bool {
    let counts = |inst: &InstRef<'_, Llvm>| (inst.args.len(), inst.results.len());
    op_of(one) == op_of(other) && counts(one) == counts(other) && one.targets == other.targets
}

impl<'f> Search<'f> {
    /// `None` if the graph after breaks the contract.
    fn new(forms: [&'f Function<Llvm>; 2]) -> Option<Self> {
        let tree = DominatorTree::new(&FlatCfg::new(forms[1]).ok()?);
        let pairs = IdMap::filled(forms[0].num_values(), None);
        Some(Self { forms, makers: forms.map(makers), tree, pairs, seen: HashSet::default(), steps: Vec::new() })
    }

    /// Pairs the instructions with an effect in a block; the first two that differ, if any do.
    fn pair_effects(&mut self, block: Block) -> Option<Witness> {
        let lists = self.forms.map(|form| effects(form, block));
        for place in 0..lists[0].len().max(lists[1].len()) {
            let mut insts = [0, 1].map(|form: usize| lists[form].get(place).copied());
            let both = insts[0]
                .zip(insts[1])
                .and_then(|(one, other)| Some((self.inst(0, block, one)?, self.inst(1, block, other)?)));
            let Some((one, other)) = both.filter(|(one, other)| are_alike(one, other)) else {
                // In the longer list there is one more.
                match lists[0].len().cmp(&lists[1].len()) {
                    Less => insts[0] = None,
                    Equal => {}
                    Greater => insts[1] = None,
                }
                let both = insts[0].zip(insts[1]);
                let path = both
                    .and_then(|(one, other)| path_to_other_than_constant(self.forms, block, [one, other]))
                    .or_else(|| way(self.forms[1], None, block))
                    .unwrap_or_default();
                return Some(Witness { block, insts, values: None, path });
            };
            for pair in one.results.iter().zip(other.results) {
                if let (&Dest::Value(one), &Dest::Value(other)) = pair {
                    self.pairs[one] = Some(other);
                }
            }
        }
        None
    }

    /// Follows the operands of instructions with an effect back to two that differ, if any do.
    fn follow_effects(&mut self, block: Block) -> Option<Witness> {
        let [before, after] = self.forms.map(|form| effects(form, block));
        for (one, other) in before.into_iter().zip(after) {
            let (inst, inst_after) = (self.inst(0, block, one)?, self.inst(1, block, other)?);
            for values in args_of(&inst, &inst_after) {
                if let Some(last) = self.follow(values) {
                    let path = self.path(last, block).unwrap_or_default();
                    let values = Some(self.steps[last].values);
                    return Some(Witness { block, insts: [Some(one), Some(other)], values, path });
                }
            }
        }
        None
    }

    fn inst(&self, form: usize, block: Block, place: usize) -> Option<InstRef<'f, Llvm>> {
        self.forms[form].block(block).insts().get(place)
    }

    /// Follows two values back. The step with two that differ, if there is one.
    fn follow(&mut self, values: [Value; 2]) -> Option<usize> {
        let mut pending = Vec::new();
        self.step(values, None, &mut pending);
        while let Some(step) = pending.pop() {
            if self.differs(step, &mut pending) {
                return Some(step);
            }
        }
        None
    }

    fn step(&mut self, values: [Value; 2], back: Option<(usize, Option<Block>)>, pending: &mut Vec<usize>) {
        if self.seen.insert(values) {
            let [one, other] = [self.makers[0][values[0]].home(), self.makers[1][values[1]].home()];
            let home = match (one, other) {
                (Some(one), Some(other)) if self.tree.dominates(one, other) => Some(other),
                _ => one.or(other),
            };
            pending.push(self.steps.len());
            self.steps.push(Step { values, home, back });
        }
    }

    /// Whether the values of a step differ by themselves; adds those that they depend on.
    fn differs(&mut self, step: usize, pending: &mut Vec<usize>) -> bool {
        let Step { values, home, .. } = self.steps[step];
        let makers = [self.makers[0][values[0]], self.makers[1][values[1]]];
        match makers {
            [Maker::Global, Maker::Global] => !self.is_same_global(values),
            [Maker::Inst(block, place), Maker::Inst(other_block, other_place)] => {
                let (Some(one), Some(other)) = (self.inst(0, block, place), self.inst(1, other_block, other_place))
                else {
                    return false;
                };
                if has_effect(&one) || !are_alike(&one, &other) {
                    return self.pairs[values[0]] != Some(values[1]);
                }
                for args in args_of(&one, &other) {
                    self.step(args, Some((step, None)), pending);
                }
                false
            }
            _ => {
                // A phi at the later place takes what comes by an edge; what was made above stays.
                let at_home = |maker: Maker| maker.home() == home;
                let is_phi = |maker: Maker| matches!(maker, Maker::Phi(..));
                if makers.iter().any(|&maker| at_home(maker) && !is_phi(maker)) {
                    return true;
                }
                let Some(home) = home else { return true };
                let after: &'f Function<Llvm> = self.forms[1];
                for (slot, edge) in after.block(home).incoming().iter().enumerate() {
                    if self.tree.is_reachable(edge.source) {
                        let come = [0, 1].map(|form| match makers[form] {
                            Maker::Phi(block, place) if block == home => self.operand(form, block, place, slot),
                            _ => Some(values[form]),
                        });
                        let [Some(one), Some(other)] = come else { return true };
                        self.step([one, other], Some((step, Some(edge.source))), pending);
                    }
                }
                false
            }
        }
    }

    fn operand(&self, form: usize, block: Block, place: usize, slot: usize) -> Option<Value> {
        self.forms[form].block(block).phis().get(place)?.operands.get(slot).copied()
    }

    fn is_same_global(&self, [one, other]: [Value; 2]) -> bool {
        match (self.forms[0].value(one).kind, self.forms[1].value(other).kind) {
            (ValueKind::Constant(one), ValueKind::Constant(other)) => one == other,
            (one, other) => one == other,
        }
    }

    /// The path from the entry over the steps up to `last`, to the block of the instruction.
    fn path(&self, last: usize, block: Block) -> Option<Vec<Block>> {
        let mut path = match self.steps[last].home {
            Some(home) => way(self.forms[1], None, home)?,
            None => vec![self.forms[1].entry()],
        };
        let mut step = last;
        while let Some((next, source)) = self.steps[step].back {
            if let (Some(source), Some(home)) = (source, self.steps[next].home) {
                path.extend(way(self.forms[1], path.last().copied(), source)?);
                path.push(home);
            } else if let Some(home) = self.steps[next].home {
                path.extend(way(self.forms[1], path.last().copied(), home)?);
            }
            step = next;
            if path.len() > LONGEST {
                return None;
            }
        }
        path.extend(way(self.forms[1], path.last().copied(), block)?);
        (path.len() <= LONGEST).then_some(path)
    }
}

/// A shortest way from a block, without it, or from the entry, with it.
pub(super) fn way(function: &Function<Llvm>, from: Option<Block>, to: Block) -> Option<Vec<Block>> {
    let start = from.unwrap_or(function.entry());
    let mut way = Vec::new();
    if start != to {
        let mut came_from: IdMap<Block, Option<Block>> = IdMap::filled(function.num_blocks(), None);
        let mut queue = VecDeque::from([start]);
        while came_from[to].is_none() {
            let block = queue.pop_front()?;
            for &target in function.block(block).targets() {
                if target != start && came_from[target].is_none() {
                    came_from[target] = Some(block);
                    queue.push_back(target);
                }
            }
        }
        let mut block = to;
        while block != start {
            way.push(block);
            block = came_from[block]?;
        }
    }
    if from.is_none() {
        way.push(start);
    }
    way.reverse();
    Some(way)
}

/// The places of the instructions of a block that have an effect.
fn effects(form: &Function<Llvm>, block: Block) -> Vec<usize> {
    let insts = form.block(block).insts().iter().enumerate();
    insts.filter(|(_, inst)| has_effect(inst)).map(|(place, _)| place).collect()
}

/// The operands of two instructions, in pairs.
fn args_of(one: &InstRef<'_, Llvm>, other: &InstRef<'_, Llvm>) -> Vec<[Value; 2]> {
    let pairs = one.args.iter().zip(other.args).filter_map(|pair| match pair {
        (&Arg::Value(one), &Arg::Value(other)) => Some([one, other]),
        _ => None,
    });
    pairs.collect()
}

//! Loop-invariant code motion.
//!
//! An operation that depends on its arguments alone, and neither traps nor does anything else, is moved out of all
//! loops in which its arguments do not change: to the *preheader* of the outermost of them, a block that leads to the
//! header alone and that all ways into the loop pass. Where there is none, one is made.
//!
//! In SSA form a moved definition cannot overwrite anything: versions of one variable may be live at once afterwards
//! (Cytron et al. 1991, Fig. 18).
//!
//! # Complexity
//! O(size of the function), times the logarithm of the depth of loops.
//!
//! # Departures
//! The paper shows an example and names no algorithm. A loop with further ways in than its header stays as it is, and
//! so does one whose header is the entry of the function.

mod ancestors;

use super::remove_redundant_phis;
use super::versions::new_version;
use crate::dialect::Semantics;
use crate::edit::Incoming;
use crate::function::{Action, Arg, Dest, Function, IncomingEdge, Inst, InstRef, Phi, PhiRef};
use ancestors::Ancestors;
use ssaphire::graph::{CfgError, DominatorTree, FlatCfg, IdMap, LoopForest};
use ssaphire::{Block, Value};
use std::collections::BTreeMap;

/// Counts of what [`hoist_loop_invariants`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hoisted {
    /// Instructions moved.
    pub insts: usize,
    /// Preheaders created.
    pub preheaders: usize,
    /// Phis created in preheaders, for loops with several entering edges; they may have replaced phis of headers.
    pub phis: usize,
}

/// Moves loop-invariant operations of `function` out of their loops; returns the counts.
///
/// An operation may then be executed where the loop would not have reached it; this is unobservable.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// See the [module](self).
pub fn hoist_loop_invariants<D: Semantics>(function: &mut Function<D>) -> Result<Hoisted, CfgError> {
    let cfg = FlatCfg::new(function)?;
    let dominators = DominatorTree::new(&cfg);
    let loops = LoopForest::new(&cfg, &dominators);
    let mut report = Hoisted::default();
    let moves = Invariants::of(function, &cfg, &loops, &dominators).moves;
    let insts = remove_insts(function, &moves);
    for (header, insts) in insts {
        let preheader = match single_entering_block(function, &loops, header) {
            Some(preheader) => preheader,
            None => make_preheader(function, &loops, header, &mut report),
        };
        for inst in insts {
            let end = function.block(preheader).body().len();
            function.insert(preheader, end, inst);
            report.insts += 1;
        }
    }
    function.compact_if_wasteful();
    if report.phis > 0 {
        remove_redundant_phis(function)?;
    }
    Ok(report)
}

/// By header of the loop that they leave: block and number of instructions, each after those that it depends on.
type Moves = BTreeMap<Block, Vec<(Block, usize)>>;

/// The loop-invariant instructions.
struct Invariants<'l> {
    loops: &'l LoopForest,
    ancestors: Ancestors<'l>,
    /// By header, the depth of the innermost loop around it that no instruction can be hoisted out of; 0 without one.
    held_at: IdMap<Block, usize>,
    /// By value, the innermost loop of its definition, after that has been hoisted.
    loop_of: IdMap<Value, Option<Block>>,
    moves: Moves,
}

impl<'l> Invariants<'l> {
    fn of<D: Semantics>(
        function: &Function<D>,
        cfg: &FlatCfg,
        loops: &'l LoopForest,
        dominators: &DominatorTree,
    ) -> Self {
        let mut invariants = Self {
            loops,
            ancestors: Ancestors::new(loops, cfg.num_blocks()),
            held_at: IdMap::filled(cfg.num_blocks(), 0),
            loop_of: IdMap::filled(function.num_values(), None),
            moves: Moves::new(),
        };
        for header in loops.headers() {
            let may_leave = header != cfg.entry()
                && !loops.is_irreducible(header)
                && entering_edges(function, loops, header).all(|(_, edge)| function.only_branches(edge.source));
            let around = loops.parent(header).map_or(0, |parent| invariants.held_at[parent]);
            invariants.held_at[header] = if may_leave { around } else { loops.depth(header) };
        }
        // In this order, definitions come before their uses, except for uses by phis.
        for &block in dominators.preorder() {
            let innermost = loops.innermost(block);
            let data = function.block(block);
            let at_top = function.results_at_top(block).iter().filter_map(|dest| match *dest {
                Dest::Value(value) => Some(value),
                Dest::Variable(_) => None,
            });
            for value in at_top.chain(data.phis().iter().map(|phi| phi.value)) {
                invariants.loop_of[value] = innermost;
            }
            for (index, inst) in data.insts().iter().enumerate().filter(|(_, inst)| inst.targets.is_empty()) {
                let left = if can_hoist(inst) { invariants.outermost(inst, innermost) } else { None };
                if let Some(header) = left {
                    invariants.moves.entry(header).or_default().push((block, index));
                }
                let place = left.map_or(innermost, |header| loops.parent(header));
                inst.defined_values().for_each(|value| invariants.loop_of[value] = place);
            }
        }
        invariants
    }

    /// The outermost loop around `innermost` that an instruction there can leave.
    fn outermost<D: Semantics>(&self, inst: InstRef<'_, D>, innermost: Option<Block>) -> Option<Block> {
        let args = inst.args.iter().map(|arg| match *arg {
            Arg::Value(value) => self.ancestors.common_depth(self.loop_of[value], innermost),
            Arg::Variable(_) => usize::MAX,
        });
        let depth = args.max().unwrap_or(0).max(self.held_at[innermost?]);
        (depth < self.loops.depth(innermost?)).then(|| self.ancestors.at_depth(innermost, depth + 1)).flatten()
    }
}

/// Whether an instruction can be executed speculatively, where the loop would not have reached it.
fn can_hoist<D: Semantics>(inst: InstRef<'_, D>) -> bool {
    let Action::Op(op) = inst.action else { return false };
    let properties = D::properties(op);
    properties.computes && !properties.has_effect && !inst.results.is_empty()
}

/// Removes the instructions from their blocks, and returns them.
fn remove_insts<D: Semantics>(function: &mut Function<D>, moves: &Moves) -> Vec<(Block, Vec<Inst<D>>)> {
    let inst = |&(block, index): &(Block, usize)| function.block(block).insts().get(index).map(InstRef::to_inst);
    let taken = moves.iter().map(|(&header, places)| (header, places.iter().filter_map(inst).collect())).collect();
    let mut places: Vec<(Block, usize)> = moves.values().flatten().copied().collect();
    places.sort_unstable();
    for of_block in places.chunk_by(|(one, _), (other, _)| one == other) {
        let mut gone = of_block.iter().map(|&(_, index)| index).peekable();
        function.keep_insts(of_block[0].0, |index| gone.next_if_eq(&index).is_none());
    }
    taken
}

/// The edges that lead into the loop of `header` from outside, with their operand indices.
fn entering_edges<'f, D: Semantics>(
    function: &'f Function<D>,
    loops: &'f LoopForest,
    header: Block,
) -> impl Iterator<Item = (usize, IncomingEdge)> + 'f {
    let edges = function.block(header).incoming().iter().copied().enumerate();
    edges.filter(move |(_, edge)| !loops.contains(header, edge.source))
}

/// The source of the only entering edge of a loop, if that block has no other targets.
fn single_entering_block<D: Semantics>(function: &Function<D>, loops: &LoopForest, header: Block) -> Option<Block> {
    let mut entering = entering_edges(function, loops, header).map(|(_, edge)| edge.source);
    let source = entering.next().filter(|_| entering.next().is_none())?;
    (function.block(source).targets().len() == 1).then_some(source)
}

/// Creates a preheader, to which all entering edges of the loop lead. Its phis merge their operands.
fn make_preheader<D: Semantics>(
    function: &mut Function<D>,
    loops: &LoopForest,
    header: Block,
    report: &mut Hoisted,
) -> Block {
    let entering: Vec<(usize, IncomingEdge)> = entering_edges(function, loops, header).collect();
    let phi = |phi: PhiRef<'_>| {
        let operands: Vec<Value> = entering.iter().map(|&(index, _)| phi.operands[index]).collect();
        (phi.value, phi.variable, operands)
    };
    let phis: Vec<_> = function.block(header).phis().iter().map(phi).collect();
    let incoming = function.block(header).incoming().iter().copied().enumerate();
    let mut left: Incoming = incoming.map(|(index, edge)| (edge, Some(index))).collect();
    left.retain(|(edge, _)| loops.contains(header, edge.source));
    let preheader = function.create_block();
    left.insert(0, (IncomingEdge { source: preheader, slot: 0 }, None));
    report.preheaders += 1;

    let edges: Incoming = entering.iter().map(|&(_, edge)| (edge, None)).collect();
    function.replace_incoming(preheader, &edges);
    for (_, edge) in entering {
        function.set_target(edge.source, edge.slot as usize, preheader);
    }
    function.replace_incoming(header, &left);
    for (index, (value, variable, operands)) in phis.into_iter().enumerate() {
        let passed = match operands[..] {
            [first, ref others @ ..] if others.iter().all(|&other| other == first) => first,
            _ => {
                let made = new_version(function, value);
                function.push_phi(preheader, Phi { value: made, variable, operands: operands.into() });
                report.phis += 1;
                made
            }
        };
        function.set_operand(header, index, 0, passed);
    }
    function.insert(preheader, 0, Inst::jump(header));
    preheader
}

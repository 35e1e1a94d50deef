//! Joins of two edges, each of which one way out of a branch leads to.

use crate::dialect::Semantics;
use crate::function::{Action, Arg, Function};
use ssaphire::graph::{DominatorTree, FlatCfg};
use ssaphire::{Block, Value};

/// Why control comes to a join by one edge or the other.
pub(super) struct Choice<'f, D: Semantics> {
    pub(super) op: &'f D::Op,
    pub(super) condition: Value,
    /// The operand indices of the edges, by the slot of the branch.
    pub(super) edges: [usize; 2],
}

impl<'f, D: Semantics> Choice<'f, D> {
    /// What decides by which edge control comes to `block`, if that is a branch with two ways, each of which leads to
    /// one of its two edges.
    pub(super) fn of(
        function: &'f Function<D>,
        cfg: &FlatCfg,
        dominators: &DominatorTree,
        block: Block,
    ) -> Option<Self> {
        let branch = dominators.idom(block)?;
        let terminator = function.block(branch).terminator()?;
        let (Action::Op(op), &[Arg::Value(condition)], &[_, _]) =
            (terminator.action, terminator.args, terminator.targets)
        else {
            return None;
        };
        let edges = cfg.incoming(block);
        if !D::properties(op).only_branches || edges.len() != 2 {
            return None;
        }
        // The way that leads to an edge: the edge itself, or a block that only this way leads to, and all of which
        // comes from it.
        let index = |way| {
            let target = cfg.target(way);
            let leads =
                |edge| way == edge || cfg.incoming(target) == [way] && dominators.dominates(target, cfg.source(edge));
            edges.iter().position(|&edge| leads(edge))
        };
        let mut ways = cfg.outgoing(branch);
        let edges = [index(ways.next()?)?, index(ways.next()?)?];
        (edges[0] != edges[1]).then_some(Self { op, condition, edges })
    }
}

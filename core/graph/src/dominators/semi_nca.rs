//! Semi-NCA: the immediate dominator is a common ancestor in the tree built so far.
//!
//! The immediate dominator of a vertex is the nearest common ancestor, in the
//! dominator tree, of its parent in the depth-first tree and its
//! semidominator (Georgiadis 2005). In preorder, that part of the tree is
//! known already.
//!
//! # Departures
//! The paper climbs from parent to parent, which is quadratic where a long
//! chain ends in a switch that the entry can reach in one step. Here each
//! vertex has a *jump* to one of its dominators, as in the applicative stacks of
//! Myers 1983, and a climb is O(log *n*).

use super::link_eval::LinkEval;
use crate::order::Preorder;
use crate::{FlatCfg, IdMap, Order};

/// What a climb needs of a vertex of the dominator tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The number of dominators above it.
    level: u32,
    /// A dominator above it, or the entry itself. Its level depends on that of the vertex alone.
    jump: Preorder,
}

/// For each vertex that has its immediate dominator.
pub(super) type Steps = IdMap<Preorder, Step>;

pub(super) fn semi_nca(
    cfg: &FlatCfg,
    order: &Order,
    forest: &mut LinkEval,
    steps: &mut Steps,
    idom: &mut IdMap<Preorder, Preorder>,
) {
    forest.begin(order);
    // Backwards, as a semidominator needs those of all larger vertices.
    for vertex in order.numbers().skip(1).rev() {
        forest.find_semi(cfg, order, vertex);
    }
    idom.clear();
    idom.extend(order.parents().values().copied());
    steps.clear();
    steps.push(Step { level: 0, jump: Preorder::ENTRY });
    for vertex in order.numbers().skip(1) {
        // Forwards: the parent has a smaller number, and so have its dominators, which are final by now.
        let dominator = climb(idom, steps, idom[vertex], forest.semi(vertex));
        idom[vertex] = dominator;
        steps.push(step_below(steps, dominator));
    }
}

/// The nearest dominator of `from`, or `from`, that is not below `semi`.
///
/// It is the common ancestor because `semi` is an ancestor of `from` in the
/// depth-first tree: the dominators of `from` up to `semi` dominate `semi`.
#[inline]
fn climb(idom: &IdMap<Preorder, Preorder>, steps: &Steps, from: Preorder, semi: Preorder) -> Preorder {
    let mut dominator = from;
    // Each step leads to a smaller number, and the entry has the least: the loop ends there at the latest.
    while dominator > semi {
        let jump = steps[dominator].jump;
        // All that a jump skips is below its end, and so below `semi`.
        dominator = if jump >= semi { jump } else { idom[dominator] };
    }
    dominator
}

/// Two jumps of the same length in a row make one.
#[inline]
fn step_below(steps: &Steps, dominator: Preorder) -> Step {
    let Step { level, jump } = steps[dominator];
    let above = steps[jump];
    let is_double = level - above.level == above.level - steps[above.jump].level;
    Step { level: level + 1, jump: if is_double { above.jump } else { dominator } }
}

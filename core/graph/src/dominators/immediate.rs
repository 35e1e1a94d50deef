//! Immediate dominators only, without the tree.

use super::iterative::iterative;
use super::lengauer_tarjan::{Buckets, lengauer_tarjan};
use super::link_eval::LinkEval;
use super::semi_nca::{Steps, semi_nca};
use crate::order::Preorder;
use crate::{Block, FlatCfg, Id, IdMap, Order};

/// How dominators are computed. The answer is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Georgiadis 2005: O(*e* log *n*).
    ///
    /// Semidominators take as much by path compression alone (Tarjan and van Leeuwen 1984);
    /// each block then climbs the tree built so far in O(log *n*) steps.
    #[default]
    SemiNca,
    /// Lengauer and Tarjan 1979, simple linking: O(*e* log *n*), and slower than Semi-NCA in practice.
    LengauerTarjan,
    /// Cooper, Harvey and Kennedy 2001: short, and an independent answer to compare with.
    ///
    /// At worst each pass moves one block one step up the tree: at most *n*²
    /// passes of at most *e* walks of length *n*. On a bidirectional path
    /// with two entries about *n* passes are needed: not for large graphs.
    Iterative,
}

/// The immediate dominator of each reachable block.
///
/// The bare result, cheaper than a [`DominatorTree`](crate::DominatorTree): no
/// lists of children, no constant-time [`dominates`](crate::DominatorTree::dominates).
/// Rebuilding reuses memory.
#[derive(Clone, Debug, Default)]
pub struct ImmediateDominators {
    order: Order,
    /// The immediate dominator; the entry is its own.
    idom: IdMap<Preorder, Preorder>,
    forest: LinkEval,
    steps: Steps,
    buckets: Buckets,
}

impl ImmediateDominators {
    /// The immediate dominators of `cfg`, by the default method.
    pub fn new(cfg: &FlatCfg) -> Self {
        let mut dominators = Self::default();
        dominators.rebuild(cfg);
        dominators
    }

    /// Recomputes the immediate dominators for `cfg`, and reuses its memory.
    pub fn rebuild(&mut self, cfg: &FlatCfg) {
        let Self { order, idom, forest, steps, .. } = self;
        order.rebuild(cfg);
        semi_nca(cfg, order, forest, steps, idom);
    }

    /// As [`rebuild`](Self::rebuild), by a method that the caller chooses.
    ///
    /// A program that never calls this contains only the default method.
    pub fn rebuild_by(&mut self, method: Method, cfg: &FlatCfg) {
        let Self { order, idom, forest, buckets, .. } = self;
        match method {
            Method::SemiNca => self.rebuild(cfg),
            Method::LengauerTarjan => {
                order.rebuild(cfg);
                lengauer_tarjan(cfg, order, forest, buckets, idom);
            }
            Method::Iterative => {
                order.rebuild(cfg);
                iterative(cfg, order, idom);
            }
        }
    }

    /// The depth-first orders the dominators were computed with.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The immediate dominator of `block`, or `None` for the entry and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        let number = Preorder::new(self.order.preorder_index(block)?);
        self.number(number).map(|idom| self.order.block(idom))
    }

    /// Every reachable block but the entry with its immediate dominator, in depth-first preorder.
    ///
    /// A block comes after all its dominators, so data can be passed down the
    /// dominator tree in this order.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (Block, Block)> + '_ {
        let blocks = self.order.preorder().iter().zip(self.idom.values()).skip(1);
        blocks.map(|(&block, &idom)| (block, self.order.block(idom)))
    }

    /// The immediate dominator by number, or `None` for the entry.
    #[inline]
    pub(super) fn number(&self, number: Preorder) -> Option<Preorder> {
        (number != Preorder::ENTRY).then(|| self.idom[number])
    }
}

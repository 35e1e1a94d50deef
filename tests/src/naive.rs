//! The definitions, without clever algorithms: tests compare everything else with them.
//!
//! Each function states one definition of the papers and follows it by
//! deletion, search or enumeration. They are for small, well-formed inputs,
//! and for reading.
//!
//! | paper | definition | here |
//! |---|---|---|
//! | Braun et al. 2013, section 4 | dominates, strictly, immediately | [`dominates`], [`strictly_dominates`], [`idom`] |
//! | Cytron et al. 1991, section 4.2 | dominance frontier, iterated | [`dominance_frontier`], [`iterated_frontier`] |
//! | Braun, Definition 1; Cytron, section 2 | converging paths | [`paths_converge`] |
//! | Cytron, section 4.3 | join sets J and J+ | [`join`], [`iterated_join`] |
//! | Braun, Definition 2 | necessary phi | [`is_necessary`], [`minimal_placement`] |
//! | Braun, Definition 3 (Hecht and Ullman) | reducible | [`is_reducible`] |
//! | Braun, Definition 4 | SSA property | [`ssa_property_violations`] |
//! | Choi et al. 1991 | live variable, pruned placement | [`is_live_in`], [`pruned_placement`] |
//! | Braun, section 2.2 | trivial phi | [`trivial_phis`] |
//! | Braun, section 3.2 | redundant set of phis | [`is_redundant_set`], [`redundant_phis`] |
//! | Braun, section 4 | pruned SSA form | [`dead_phis`] |
//! | none: the Coq prototype of certificates, `Validator.v` | equivalence to the source | [`wrong_uses()`] |
//! | none: [`folds`](ssaphire::check::judge()) | claims about operations | [`wrong_applications()`] |
//!
//! Conventions, as in `ssaphire-check`:
//! - A block no path from the entry reaches takes no part: it dominates nothing, nothing dominates it, no path starts
//!   in it. Nothing else can lead from it to a reachable block but edges, and those are ignored.
//! - Two edges between the same blocks are one way for a path, and two operands for a phi.
//! - A self-loop is a path of one edge and a cycle of one block.
//! - The entry may have incoming edges. Where definitions matter, every variable counts as defined before the entry,
//!   not in it, so that such edges meet that definition.
//!
//! # Complexity
//! Stated for each function; in the usual letters.
//!
//! # Departures
//! None, but for the conventions above.

mod convergence;
mod dominance;
mod liveness;
mod phis;
mod placement;
mod reducibility;
mod ssa_property;
mod wrong_applications;
mod wrong_uses;

pub use convergence::{iterated_join, join, paths_converge};
pub use dominance::{
    dominance_frontier, dominates, dominators, idom, is_reachable, iterated_frontier, strictly_dominates,
};
pub use liveness::is_live_in;
pub use phis::{MAX_PHIS, dead_phis, is_redundant_set, redundant_phis, trivial_phis};
pub use placement::{definitions, is_necessary, minimal_placement, pruned_placement};
pub use reducibility::is_reducible;
pub use ssa_property::ssa_property_violations;
pub use wrong_applications::wrong_applications;
pub use wrong_uses::wrong_uses;

use ssaphire::graph::{Block, Cfg};

/// All blocks, in id order.
fn blocks<G: Cfg>(cfg: &G) -> impl Iterator<Item = Block> + use<G> {
    (0..cfg.num_blocks()).map(Block::new)
}

/// By block: whether a path, perhaps without edges, leads to it from one of `starts` past no block `without`.
fn reached_from(cfg: &impl Cfg, starts: &[Block], without: Option<Block>) -> Vec<bool> {
    let mut reached = vec![false; cfg.num_blocks()];
    let mut work = starts.to_vec();
    while let Some(block) = work.pop() {
        if Some(block) != without && !reached[block.index()] {
            reached[block.index()] = true;
            work.extend(cfg.successors(block));
        }
    }
    reached
}

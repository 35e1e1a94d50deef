//! Removing redundant sets of phis, after construction or on finished SSA.
//!
//! A set of phis is redundant if its operands are in the set but for one value:
//! all of them are that value. A trivial phi is the set of one. Without
//! redundant sets a program is *irredundant*, and so minimal in Cytron's
//! sense if every variable is written before it is read (Braun et al. 2013,
//! Lemma 3 and Theorem 1).
//!
//! | here | result |
//! |---|---|
//! | [`Minimizer::dominated`] | one dominator computation on the value graph |
//! | [`Minimizer::components`] | Algorithm 5: strongly connected components, again and again |
//! | [`LowHigh::order`] | an order of the values that proves that no set is redundant |
//! | [`LiveRanks::rank`] | ranks that prove that each phi is needed |
//!
//! The first two leave the same phis; the second is the paper's, and quadratic where
//! components nest. They differ on phis into which no value flows at all
//! (unreachable code): the first ignores what such a phi would contribute,
//! the second counts it as a value.
//!
//! # Departures
//! See [`Minimizer::dominated`], [`Minimizer::components`] and [`LowHigh`], each in a file of its own.

mod components;
mod dominated;
mod live_ranks;
mod low_high;
mod phi_graph;

pub use components::Rounds;
pub use dominated::Minimizer;
pub use live_ranks::{DeadPhi, LiveRank, LiveRanks};
pub use low_high::{LowHigh, Unordered};
pub use phi_graph::PhiGraph;

use alloc::vec::Vec;
use ssaphire_graph::{Block, CfgError, FlatCfg, Order, SsaForm, Value};

/// A phi that is not needed, and the value it stands for; `None` if no value flows into it.
///
/// The value is not itself replaced.
pub type Replacement = (Value, Option<Value>);

/// The redundant phis of `form`, with the values they stand for; operands on edges from unreachable blocks are
/// ignored.
///
/// The caller rewrites the uses of each phi and removes it; the phis left are irredundant.
///
/// # Errors
/// If the graph breaks its contract.
///
/// # Complexity
/// O(*n* + *e* + operands), plus a dominator computation over the phis that the fast path leaves.
pub fn redundant_phis(form: &impl SsaForm) -> Result<Vec<Replacement>, CfgError> {
    Ok(Minimizer::default().dominated(&PhiGraph::of(form)?).to_vec())
}

/// The phis of `form` that Algorithm 5 finds redundant, with the values they stand for.
///
/// # Errors
/// If the graph breaks its contract.
///
/// # Complexity
/// O(operands) per level of nested components, of which there may be as many as phis.
pub fn redundant_components(form: &impl SsaForm) -> Result<Vec<Replacement>, CfgError> {
    Ok(Minimizer::default().components(&PhiGraph::of(form)?).to_vec())
}

impl PhiGraph {
    /// The phis of the reachable blocks of `form`, with their operands on edges from reachable blocks.
    ///
    /// # Errors
    /// If the graph breaks its contract.
    pub fn of(form: &impl SsaForm) -> Result<Self, CfgError> {
        let cfg = FlatCfg::new(form)?;
        let order = Order::new(&cfg);
        let mut graph = Self::default();
        for block in cfg.blocks().filter(|&block| order.is_reachable(block)) {
            graph.push_block(form, &cfg, &order, block);
        }
        Ok(graph)
    }

    fn push_block(&mut self, form: &impl SsaForm, cfg: &FlatCfg, order: &Order, block: Block) {
        for phi in form.phis(block) {
            self.begin_phi(phi);
            for (operand, &edge) in form.operands(block, phi).zip(cfg.incoming(block)) {
                if order.is_reachable(cfg.source(edge)) {
                    self.push_operand(operand);
                }
            }
        }
    }
}

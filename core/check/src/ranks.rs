//! Two claims about quality that one pass over the phis confirms.
//!
//! **Minimal**: the values have numbers such that every phi has one operand
//! numbered below it and one above. A set of phis that merges a single outer
//! value has a least and a greatest member; the least one needs an operand
//! below it and the greatest one an operand above it, and both would be the outer
//! value. So no such set exists, and no phi is trivial.
//!
//! **Pruned**: every phi has a rank and a user. Rank 0 has a use that is not a
//! phi; a greater rank is an operand of a phi with a smaller one. So a chain of
//! users leads from every phi to such a use.
//!
//! Phis of unreachable blocks are not judged, and operands for edges from
//! unreachable blocks do not count, nor do uses there.
//!
//! | Coq prototype, `Minimal.v` | here |
//! |---|---|
//! | `minimal_ok`, `between` | [`Ranks::is_minimal`] |
//! | `pruned_ok` | [`Ranks::is_pruned`] |
//!
//! # Complexity
//! O(*n* + *e* + events + operands).
//!
//! # Departures
//! A value without number has no default: it is refused. Users are confirmed
//! from their own operand lists, so that many phis may name one large user.

use crate::program::{Program, ProgramEvent, ProgramPhi, Rank};
use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, IdMap, IdSet, SsaForm, Value};

/// Memory for judging claims about quality.
#[derive(Debug, Default)]
pub(crate) struct Ranks {
    number: IdMap<Value, Option<u32>>,
    rank: IdMap<Value, Option<Rank>>,
    /// Values with a use that is not a phi.
    used: IdSet<Value>,
    /// Phis that are an operand of the user they name.
    confirmed: IdSet<Value>,
}

/// The reachable phis of the result, with their blocks.
fn phis<'a>(program: &'a Program, tree: &'a DominatorTree) -> impl Iterator<Item = (Block, ProgramPhi)> + 'a {
    let blocks = program.blocks().filter(|&block| tree.is_reachable(block));
    let of_block = |block| program.phi_list(block).iter().filter(|phi| !phi.is_dropped).map(move |&phi| (block, phi));
    blocks.flat_map(of_block)
}

/// The operands of `phi` for edges from reachable blocks.
fn operands<'a>(program: &'a Program, tree: &'a DominatorTree, phi: ProgramPhi) -> impl Iterator<Item = Value> + 'a {
    let operands = program.operand_list(phi).iter().zip(program.incoming(phi.block));
    operands.filter(|&(_, &source)| tree.is_reachable(source)).map(|(&operand, _)| operand)
}

impl Ranks {
    /// Whether the numbers prove that no set of phis is redundant, or `None` if none are given.
    pub(crate) fn is_minimal(
        &mut self,
        program: &Program,
        tree: &DominatorTree,
        violations: &mut Vec<Violation>,
    ) -> Option<bool> {
        if phis(program, tree).next().is_none() {
            return Some(true);
        }
        if program.number_list().is_empty() {
            return None;
        }
        let before = violations.len();
        self.number.reset(program.num_values(), None);
        for &(value, number) in program.number_list() {
            if self.number[value].replace(number).is_some() {
                violations.push(Violation::NumberedTwice { value });
            }
        }
        for (block, phi) in phis(program, tree) {
            violations.extend(self.check_number(program, tree, block, phi));
        }
        Some(violations.len() == before)
    }

    fn check_number(
        &self,
        program: &Program,
        tree: &DominatorTree,
        block: Block,
        phi: ProgramPhi,
    ) -> Option<Violation> {
        let unnumbered = |value| Some(Violation::Unnumbered { block, phi: phi.value, value });
        let Some(own) = self.number[phi.value] else { return unnumbered(phi.value) };
        let (mut is_below, mut is_above) = (false, false);
        for operand in operands(program, tree, phi) {
            let Some(number) = self.number[operand] else { return unnumbered(operand) };
            is_below |= number < own;
            is_above |= number > own;
        }
        (!is_below || !is_above).then_some(Violation::BadNumber { block, phi: phi.value })
    }

    /// Whether the ranks prove that a use other than phis needs every phi, or `None` if none are given.
    pub(crate) fn is_pruned(
        &mut self,
        program: &Program,
        tree: &DominatorTree,
        violations: &mut Vec<Violation>,
    ) -> Option<bool> {
        if phis(program, tree).next().is_none() {
            return Some(true);
        }
        if program.rank_list().is_empty() {
            return None;
        }
        let before = violations.len();
        self.rank.reset(program.num_values(), None);
        for &rank in program.rank_list() {
            if self.rank[rank.phi].replace(rank).is_some() {
                violations.push(Violation::RankedTwice { phi: rank.phi });
            }
        }
        self.collect_uses(program, tree);
        for (block, phi) in phis(program, tree) {
            violations.extend(self.check_rank(block, phi.value));
        }
        Some(violations.len() == before)
    }

    fn collect_uses(&mut self, program: &Program, tree: &DominatorTree) {
        self.used.clear();
        self.confirmed.clear();
        for block in program.blocks().filter(|&block| tree.is_reachable(block)) {
            for &event in program.event_list(block) {
                if let ProgramEvent::Use { value, .. } = event {
                    self.used.insert(value);
                }
            }
        }
        for (_, user) in phis(program, tree) {
            let Some(Rank { rank, .. }) = self.rank[user.value] else { continue };
            for operand in operands(program, tree, user) {
                if self.rank[operand].is_some_and(|given| given.user == Some(user.value) && rank < given.rank) {
                    self.confirmed.insert(operand);
                }
            }
        }
    }

    fn check_rank(&self, block: Block, phi: Value) -> Option<Violation> {
        let Some(Rank { rank, user, .. }) = self.rank[phi] else { return Some(Violation::Unranked { block, phi }) };
        let is_right = match user {
            Some(_) => self.confirmed.contains(phi),
            None => rank == 0 && self.used.contains(phi),
        };
        (!is_right).then_some(Violation::BadRank { block, phi, user })
    }
}

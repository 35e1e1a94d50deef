//! The two rules of Aycock and Horspool: a phi that merges one definition and itself stands for that definition.
//!
//! Applied until no phi is left that they apply to. Each phi watches two
//! operands that differ from each other and from it; as long as they do, no
//! rule applies. Only when a watched phi goes are its watchers looked at.
//!
//! # Complexity
//! O(operands), plus for each phi that goes the operands of the phis that watched it.
//!
//! # Departures
//! Aycock and Horspool sweep over all phis again and again. What is left is the
//! same: which phis go does not depend on the order.
//! Operands that find nothing (edges from unreachable blocks) do not count.

use super::solution::{Definition, Numbering, Solution};
use super::{Budget, Unsolved};
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, PackedOption, internal_id};

/// Leaves out the phis to which the rules apply.
pub(super) fn apply(solution: &mut Solution, budget: &mut Budget) -> Result<(), Unsolved> {
    let mut rules = Rules::new(solution);
    rules.run(budget)?;
    let Rules { mut meanings, num_scanned, .. } = rules;
    for phi in 0..meanings.len() {
        meanings[phi] = resolve(solution.numbering, &mut meanings, solution.numbering.phi(phi as u32));
    }
    solution.num_scanned += num_scanned;
    solution.keep(&meanings);
    Ok(())
}

/// What a definition stands for. Halves the path on the way: a union-find over numbers most of which are no phis and
/// stand for themselves, so that only phis have a place in it.
pub(super) fn resolve(numbering: Numbering, meanings: &mut [Definition], definition: Definition) -> Definition {
    let mut at = definition;
    while let Some(phi) = numbering.as_phi(at) {
        let next = meanings[phi as usize];
        if next == at {
            break;
        }
        if let Some(over) = numbering.as_phi(next) {
            meanings[phi as usize] = meanings[over as usize];
        }
        at = next;
    }
    at
}

internal_id!(
    /// Number of an entry in a list of phis that watch.
    WatcherId, "watcher"
);

struct Rules<'s> {
    solution: &'s Solution,
    /// By phi: what it stands for; itself, at first.
    meanings: Vec<Definition>,
    /// By phi: the first of the phis that watch it, as an entry of `watchers`.
    first_watcher: Vec<PackedOption<WatcherId>>,
    /// A phi that watches, and the next entry of the same list.
    watchers: IdMap<WatcherId, (u32, PackedOption<WatcherId>)>,
    work: Vec<u32>,
    num_scanned: u64,
}

impl<'s> Rules<'s> {
    fn new(solution: &'s Solution) -> Self {
        let num_phis = solution.phis.len();
        Self {
            solution,
            meanings: (0..num_phis as u32).map(|phi| solution.numbering.phi(phi)).collect(),
            first_watcher: alloc::vec![PackedOption::NONE; num_phis],
            watchers: IdMap::new(),
            work: (0..num_phis as u32).rev().collect(),
            num_scanned: 0,
        }
    }

    fn run(&mut self, budget: &mut Budget) -> Result<(), Unsolved> {
        while let Some(phi) = self.work.pop() {
            let itself = self.solution.numbering.phi(phi);
            if self.meanings[phi as usize] != itself {
                continue;
            }
            let scanned = self.num_scanned;
            let (one, other) = self.two_operands(phi);
            budget.spend(1 + self.num_scanned - scanned)?;
            match (one, other) {
                (Some(one), Some(other)) => {
                    self.watch(phi, one);
                    self.watch(phi, other);
                }
                (Some(one), None) => {
                    self.meanings[phi as usize] = one;
                    self.queue_watchers(phi);
                }
                // It merges only itself: no path from the entry leads there.
                (None, _) => {}
            }
        }
        Ok(())
    }

    /// Two operands that differ from each other and from the phi, as far as there are.
    fn two_operands(&mut self, phi: u32) -> (Option<Definition>, Option<Definition>) {
        let numbering = self.solution.numbering;
        let mut one = None;
        for &operand in self.solution.operands(phi) {
            self.num_scanned += 1;
            let operand = resolve(numbering, &mut self.meanings, operand);
            if operand == Numbering::NOTHING || operand == numbering.phi(phi) || one == Some(operand) {
                continue;
            }
            if one.is_some() {
                return (one, Some(operand));
            }
            one = Some(operand);
        }
        (one, None)
    }

    fn watch(&mut self, phi: u32, operand: Definition) {
        // What is no phi never stands for anything else.
        if let Some(watched) = self.solution.numbering.as_phi(operand) {
            let first = &mut self.first_watcher[watched as usize];
            *first = self.watchers.push((phi, *first)).into();
        }
    }

    /// Queues the phis that watched this one.
    fn queue_watchers(&mut self, phi: u32) {
        let mut entry = core::mem::take(&mut self.first_watcher[phi as usize]);
        while let Some(&(watcher, next)) = self.watchers.find(entry) {
            self.work.push(watcher);
            entry = next;
        }
    }
}

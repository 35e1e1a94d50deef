//! Ranks that prove every phi needed by something that is no phi.
//!
//! A phi of rank 0 has a use that is no phi; any other is an operand of a phi of
//! smaller rank, its *user*. So a chain of users leads from each phi to such a use.
//! The rank is the length of the shortest chain: a breadth-first search from the
//! uses over operands.
//!
//! # Complexity
//! O(uses + operands).

use super::PhiGraph;
use super::phi_graph::PhiNumber;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{IdMap, PackedOption, Value};

/// Why one phi is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiveRank {
    /// The phi.
    pub phi: Value,
    /// Its rank: 0 if it has a use that is no phi.
    pub rank: u32,
    /// A phi of smaller rank that has it as an operand, or `None` for rank 0.
    pub user: Option<Value>,
}

/// A phi that is used only by phis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadPhi {
    /// The phi.
    pub phi: Value,
}

impl fmt::Display for DeadPhi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: used only by phis", self.phi)
    }
}

impl core::error::Error for DeadPhi {}

/// Finds ranks; keeps its memory from one graph to the next.
#[derive(Clone, Debug, Default)]
pub struct LiveRanks {
    /// By value, the number of its phi until that has a rank; none between calls.
    unranked: IdMap<Value, PackedOption<PhiNumber>>,
    /// The phis that have a rank, in the order of `ranks`.
    reached: Vec<PhiNumber>,
    ranks: Vec<LiveRank>,
}

impl LiveRanks {
    /// The ranks of all phis of the graph; `uses` are the values with a use that is not a phi.
    ///
    /// Smaller ranks come first. A value may be used any number of times, and need not be a phi.
    ///
    /// # Errors
    /// If a phi is not needed: the first such phi of the graph.
    pub fn rank(&mut self, graph: &PhiGraph, uses: impl IntoIterator<Item = Value>) -> Result<&[LiveRank], DeadPhi> {
        self.reached.clear();
        self.ranks.clear();
        for (number, phi) in graph.numbered() {
            self.unranked.grow_to(phi, PackedOption::NONE);
            self.unranked[phi] = number.into();
        }
        for value in uses {
            self.reach(value, 0, None);
        }
        let mut next = 0;
        while let Some(&user) = self.reached.get(next) {
            let rank = self.ranks[next].rank + 1;
            for &operand in graph.operands_of(user) {
                self.reach(operand, rank, Some(graph.phi(user)));
            }
            next += 1;
        }
        // Before the numbers are dropped: a phi that still has one was not reached.
        let dead = graph.phis().iter().copied().find(|&phi| self.unranked[phi].is_some());
        for &phi in graph.phis() {
            self.unranked[phi] = PackedOption::NONE;
        }
        dead.map_or(Ok(&self.ranks), |phi| Err(DeadPhi { phi }))
    }

    fn reach(&mut self, value: Value, rank: u32, user: Option<Value>) {
        // Taken, so that each phi is reached once: in a breadth-first search, first by a shortest chain.
        let Some(number) = self.unranked.get_mut(value).and_then(|number| core::mem::take(number).expand()) else {
            return;
        };
        self.reached.push(number);
        self.ranks.push(LiveRank { phi: value, rank, user });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Phi `i` is value `i`; other numbers are values from outside.
    fn graph(phis: &[&[usize]]) -> PhiGraph {
        let mut graph = PhiGraph::default();
        for (phi, operands) in phis.iter().enumerate() {
            graph.begin_phi(Value::new(phi));
            operands.iter().for_each(|&operand| graph.push_operand(Value::new(operand)));
        }
        graph
    }

    /// Phi, rank, user.
    type Expected<'a> = &'a [(usize, u32, Option<usize>)];

    #[track_caller]
    fn check(phis: &[&[usize]], uses: &[usize], expected: Result<Expected<'_>, usize>) {
        let mut ranks = LiveRanks::default();
        let expected = expected.map_err(|phi| DeadPhi { phi: Value::new(phi) }).map(|expected| {
            let rank = |&(phi, rank, user): &(_, _, Option<usize>)| LiveRank {
                phi: Value::new(phi),
                rank,
                user: user.map(Value::new),
            };
            expected.iter().map(rank).collect::<Vec<_>>()
        });
        for _ in 0..2 {
            let found = ranks.rank(&graph(phis), uses.iter().map(|&value| Value::new(value)));
            assert_eq!(found, expected.as_deref().map_err(|&dead| dead));
        }
    }

    #[test]
    fn ranks_are_shortest_ways_to_a_use() {
        check(&[&[1, 9], &[2, 8], &[7, 9]], &[0], Ok(&[(0, 0, None), (1, 1, Some(0)), (2, 2, Some(1))]));
        check(&[&[1, 9], &[2, 8], &[7, 9]], &[0, 2], Ok(&[(0, 0, None), (2, 0, None), (1, 1, Some(0))]));
    }

    #[test]
    fn a_phi_and_its_repeated_operands_are_ranked_once() {
        check(&[&[0, 1, 1, 9], &[0, 9]], &[0, 0, 9, 77], Ok(&[(0, 0, None), (1, 1, Some(0))]));
    }

    #[test]
    fn a_cycle_that_nothing_else_uses_is_dead() {
        check(&[&[8, 9], &[2, 9], &[1, 8]], &[0, 9], Err(1));
        check(&[], &[3], Ok(&[]));
    }
}

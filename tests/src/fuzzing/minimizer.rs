//! Any graph of phis: both ways to minimize against the definition.

use crate::choices::Choices;
use ssaphire::Value;
use ssaphire::minimize::{DeadPhi, LiveRank, LiveRanks, LowHigh, Minimizer, PhiGraph, Replacement, Unordered};
use std::cmp::Ordering;

/// The most phis of a graph.
const PHIS: usize = 40;

/// The redundant phis are found, and what they stand for.
///
/// # Panics
/// If they are not.
pub fn check(bytes: &[u8]) {
    let phis = decode(bytes);
    let graph = phis.graph();
    let mut minimizer = Minimizer::default();
    let found = sorted(minimizer.dominated(&graph));
    assert_eq!(found, phis.redundant(), "dominated: {phis:?}");
    // Algorithm 5 counts what flows out of phis into which nothing flows; without those both are the same.
    minimizer.components(&graph);
    let reached = phis.without_unreached();
    assert_eq!(sorted(minimizer.components(&reached.graph())), reached.redundant(), "components: {phis:?}");
    let left = phis.rewritten(&found);
    assert_eq!(minimizer.dominated(&left.graph()), [], "what is left is irredundant: {phis:?}");
    let mut low_high = LowHigh::default();
    match low_high.order(&graph) {
        Ok(_) => assert_eq!(found, [], "what has an order is irredundant: {phis:?}"),
        Err(Unordered::Dominated { phi, .. } | Unordered::Unreached { phi }) => {
            assert!(found.iter().any(|&(redundant, _)| redundant == phi), "{phi} has a place: {phis:?}");
        }
        Err(error) => panic!("{error}: {phis:?}"),
    }
    let order = low_high.order(&left.graph()).map(<[Value]>::to_vec);
    assert!(order.is_ok_and(|order| left.are_between(&order)), "what is left has an order: {phis:?}");
    let mut ranks = LiveRanks::default();
    let half = Phis(phis.0[..phis.0.len() / 2].to_vec());
    for (phis, step) in [(&phis, 3), (&half, 1), (&left, 3)] {
        let uses: Vec<Value> = phis.0.iter().map(|&(phi, _)| phi).step_by(step).collect();
        phis.check_ranks(&uses, ranks.rank(&phis.graph(), uses.iter().copied()));
    }
}

/// Phis by value.
#[derive(Clone, Debug)]
struct Phis(Vec<(Value, Vec<Value>)>);

fn decode(bytes: &[u8]) -> Phis {
    let mut choices = Choices::new(bytes);
    let (order, num_outer) = (choices.below(3), 1 + choices.below(4));
    let mut rows = Vec::new();
    while !choices.is_empty() && rows.len() < PHIS {
        let operands: Vec<usize> = (0..choices.below(5)).map(|_| choices.below(256)).collect();
        rows.push(operands);
    }
    let num_values = rows.len() + num_outer;
    let value = |index: usize| match order {
        0 => Value::new(index),
        1 => Value::new(num_values - 1 - index),
        _ => Value::new(3 * index + 1),
    };
    let operands = |list: &Vec<usize>| list.iter().map(|&operand| value(operand % num_values)).collect();
    Phis(rows.iter().enumerate().map(|(phi, list)| (value(phi), operands(list))).collect())
}

fn sorted(found: &[Replacement]) -> Vec<Replacement> {
    let mut found = found.to_vec();
    found.sort_unstable();
    found
}

impl Phis {
    fn graph(&self) -> PhiGraph {
        let mut graph = PhiGraph::default();
        for (phi, operands) in &self.0 {
            graph.begin_phi(*phi);
            operands.iter().for_each(|&operand| graph.push_operand(operand));
        }
        graph
    }

    /// The largest set of phis whose operands are in the set or `outer`.
    fn merging(&self, outer: Option<Value>) -> Vec<Value> {
        let mut set: Vec<Value> = self.0.iter().map(|(phi, _)| *phi).filter(|&phi| Some(phi) != outer).collect();
        loop {
            let is_in = |value: &Value| Some(*value) == outer || set.contains(value);
            let stays = |phi: &Value| self.operands(*phi).iter().all(is_in);
            let left: Vec<Value> = set.iter().copied().filter(stays).collect();
            if left.len() == set.len() {
                return left;
            }
            set = left;
        }
    }

    fn operands(&self, phi: Value) -> &[Value] {
        self.0.iter().find(|(other, _)| *other == phi).map_or(&[], |(_, operands)| operands)
    }

    /// Without phis into which no value flows.
    fn without_unreached(&self) -> Self {
        let unreached = self.merging(None);
        let is_reached = |value: &Value| !unreached.contains(value);
        let row = |(phi, operands): &(Value, Vec<Value>)| {
            is_reached(phi).then(|| (*phi, operands.iter().copied().filter(is_reached).collect()))
        };
        Self(self.0.iter().filter_map(row).collect())
    }

    /// By definition: members of sets that merge one value, which is in no such set itself; and where nothing flows in.
    fn redundant(&self) -> Vec<Replacement> {
        let reached = self.without_unreached();
        let mut values: Vec<Value> =
            reached.0.iter().flat_map(|(phi, list)| list.iter().chain([phi])).copied().collect();
        values.sort_unstable();
        values.dedup();
        let sets: Vec<(Value, Vec<Value>)> =
            values.iter().map(|&value| (value, reached.merging(Some(value)))).collect();
        let stays = |value: Value| sets.iter().all(|(_, set)| !set.contains(&value));
        let mut redundant: Vec<Replacement> = self.merging(None).into_iter().map(|phi| (phi, None)).collect();
        for &(phi, _) in reached.0.iter().filter(|(phi, _)| !stays(*phi)) {
            let mut outer = sets.iter().filter(|(outer, set)| set.contains(&phi) && stays(*outer));
            redundant.push((phi, outer.next().map(|&(outer, _)| outer)));
            assert!(outer.next().is_none(), "{phi} stands for one value: {self:?}");
        }
        redundant.sort_unstable();
        redundant
    }

    /// The phis needed have ranks by definition, or the first that is not needed is named.
    fn check_ranks(&self, uses: &[Value], found: Result<&[LiveRank], DeadPhi>) {
        let mut ranked: Vec<(Value, u32)> = Vec::new();
        for rank in 0.. {
            let is_user = |user: Value| ranked.contains(&(user, rank - 1));
            let is_needed = |phi: Value| match rank {
                0 => uses.contains(&phi),
                _ => self.0.iter().any(|(user, operands)| is_user(*user) && operands.contains(&phi)),
            };
            let is_new = |phi: &Value| !ranked.iter().any(|(other, _)| other == phi) && is_needed(*phi);
            let new: Vec<Value> = self.0.iter().map(|&(phi, _)| phi).filter(is_new).collect();
            if new.is_empty() {
                break;
            }
            ranked.extend(new.into_iter().map(|phi| (phi, rank)));
        }
        let dead = self.0.iter().find(|(phi, _)| !ranked.iter().any(|(other, _)| other == phi));
        match found {
            Ok(found) => {
                let mut pairs: Vec<(Value, u32)> = found.iter().map(|found| (found.phi, found.rank)).collect();
                pairs.sort_unstable();
                ranked.sort_unstable();
                assert_eq!((pairs, dead), (ranked, None), "ranks: {self:?}");
            }
            Err(DeadPhi { phi, .. }) => assert_eq!(Some(phi), dead.map(|&(phi, _)| phi), "not needed: {self:?}"),
        }
    }

    /// Whether each phi has an operand before it, and one after it.
    fn are_between(&self, order: &[Value]) -> bool {
        let place = |value: Value| order.iter().position(|&other| other == value);
        self.0.iter().all(|&(phi, ref operands)| {
            let has = |side: Ordering| operands.iter().any(|&operand| place(operand).cmp(&place(phi)) == side);
            operands.iter().all(|&operand| place(operand).is_some()) && has(Ordering::Less) && has(Ordering::Greater)
        })
    }

    /// Without the redundant phis, which other values stand for.
    fn rewritten(&self, redundant: &[Replacement]) -> Self {
        let stands_for = |value: Value| redundant.iter().find(|&&(phi, _)| phi == value).map(|&(_, value)| value);
        let left = self.0.iter().filter(|&&(phi, _)| stands_for(phi).is_none());
        let resolve = |&operand: &Value| stands_for(operand).unwrap_or(Some(operand));
        Self(left.map(|(phi, operands)| (*phi, operands.iter().filter_map(resolve).collect())).collect())
    }
}

//! A slow way to an order, by which orders exist: merge a phi into an operand, order the rest, take it apart.

use crate::families::{Family, Rng};
use crate::graph::Graph;
use ssaphire_construct::minimize::LowHigh;
use ssaphire_graph::Value;

/// One phi merged into an operand.
struct Merged {
    phi: usize,
    into: usize,
    /// Its other operands.
    others: Vec<usize>,
}

/// The phis that are left, by value, with their operands.
type Rest = Vec<(usize, Vec<usize>)>;

/// A phi with an operand into which it can be merged such that the rest has no redundant set.
fn merge_one(num_values: usize, len: usize, rest: &Rest) -> Option<(Merged, Rest)> {
    for (place, (phi, operands)) in rest.iter().enumerate() {
        for &into in operands {
            let mut merged = rest.clone();
            merged.remove(place);
            for (_, operands) in &mut merged {
                operands.iter_mut().filter(|operand| *operand == phi).for_each(|operand| *operand = into);
            }
            merged.iter_mut().for_each(|(phi, operands)| operands.retain(|operand| operand != phi));
            if !has_redundant_set(num_values, len, &merged) {
                let others = operands.iter().copied().filter(|&operand| operand != into).collect();
                return Some((Merged { phi: *phi, into, others }, merged));
            }
        }
    }
    None
}

fn has_redundant_set(num_values: usize, len: usize, rest: &Rest) -> bool {
    // A phi that was merged is nobody's operand; two outer values keep it out of every set.
    let mut phis = vec![vec![0, 1]; len - num_values];
    for (phi, operands) in rest {
        phis[phi - num_values].clone_from(operands);
    }
    Graph { num_values, phis }.has_redundant_set()
}

/// An order of a graph with two values at least and without a redundant set, by the slow way.
fn order_by_contraction(graph: &Graph) -> Option<Vec<Value>> {
    let mut rest: Rest = graph.phis().map(|(phi, operands)| (phi, operands.to_vec())).collect();
    rest.iter_mut().for_each(|(phi, operands)| operands.retain(|operand| operand != phi));
    let mut merged = Vec::new();
    while !rest.is_empty() {
        let (one, smaller) = merge_one(graph.num_values, graph.len(), &rest)?;
        merged.push(one);
        rest = smaller;
    }
    let mut order: Vec<usize> = (0..graph.num_values).collect();
    for Merged { phi, into, others } in merged.into_iter().rev() {
        let place = |value| order.iter().position(|&other| other == value);
        let beside = place(into)?;
        // Operands that were merged later than `phi` are in the list already; there is another one than `into`.
        let towards = others.iter().find_map(|&other| place(other))?;
        order.insert(if towards > beside { beside + 1 } else { beside }, phi);
    }
    Some(order.into_iter().map(Value::new).collect())
}

#[test]
fn both_ways_find_an_order_of_every_graph_without_a_redundant_set() {
    let (mut low_high, mut rng, mut num_ordered) = (LowHigh::default(), Rng(7), 0);
    for round in 0..2_000 {
        let family = Family::ALL[round % Family::ALL.len()];
        let (num_values, num_phis) = (2 + rng.below(3), 2 + rng.below(6));
        let graph = family.graph(num_values, num_phis, &mut rng);
        let slow = order_by_contraction(&graph);
        let fast = low_high.order(&graph.to_phi_graph());
        assert_eq!(slow.is_some(), !graph.has_redundant_set(), "{graph:?}");
        assert_eq!(slow.is_some(), fast.is_ok(), "{graph:?}");
        if let (Some(slow), Ok(fast)) = (slow, fast) {
            assert!(graph.is_ordered(&slow), "{slow:?} {graph:?}");
            assert!(graph.is_ordered(fast), "{fast:?} {graph:?}");
            num_ordered += 1;
        }
    }
    assert!(num_ordered > 500, "{num_ordered}");
}

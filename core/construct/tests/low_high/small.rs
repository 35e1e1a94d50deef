//! Every small phi graph: ordered if no set of phis is redundant, or refused with a right witness.

use crate::families::{Family, Rng};
use crate::graph::Graph;
use ssaphire_construct::minimize::{LowHigh, Minimizer, Unordered};

/// All sets of 2 to `most` of the values below `len` other than `phi`.
fn operand_sets(len: usize, phi: usize, most: u32) -> Vec<Vec<usize>> {
    let sets = (0..1_u32 << len).filter(|set| (2..=most).contains(&set.count_ones()) && set >> phi & 1 == 0);
    sets.map(|set| (0..len).filter(|value| set >> value & 1 != 0).collect()).collect()
}

/// Calls `check` on every graph of that size whose phis have sets of 2 to `most` operands.
fn for_each(num_values: usize, num_phis: usize, most: u32, mut check: impl FnMut(&Graph)) {
    let len = num_values + num_phis;
    let choices: Vec<_> = (num_values..len).map(|phi| operand_sets(len, phi, most)).collect();
    let mut chosen = vec![0; num_phis];
    loop {
        let phis = choices.iter().zip(&chosen).map(|(choices, &choice): (_, &usize)| choices[choice].clone());
        check(&Graph { num_values, phis: phis.collect() });
        let Some(next) = (0..num_phis).find(|&phi| chosen[phi] + 1 < choices[phi].len()) else { return };
        chosen[..next].fill(0);
        chosen[next] += 1;
    }
}

/// Orders graphs, and compares the answers with definitions. Counts those that were ordered.
#[derive(Default)]
struct Comparison {
    low_high: LowHigh,
    minimizer: Minimizer,
    num_graphs: usize,
    num_ordered: usize,
}

impl Comparison {
    fn check(&mut self, graph: &Graph) {
        self.num_graphs += 1;
        let phi_graph = graph.to_phi_graph();
        let is_redundant = graph.has_redundant_set();
        let replaced = self.minimizer.dominated(&phi_graph);
        assert_eq!(!replaced.is_empty(), is_redundant, "{graph:?}");
        match self.low_high.order(&phi_graph) {
            Ok(order) => {
                self.num_ordered += 1;
                assert!(!is_redundant && graph.is_ordered(order), "{order:?} {graph:?}");
            }
            Err(Unordered::Dominated { phi, value }) => {
                assert!(replaced.iter().any(|&(replaced, _)| replaced == phi), "{phi} {graph:?}");
                check_witness(graph, phi.index(), value.index());
            }
            Err(Unordered::Unreached { phi }) => {
                assert!(replaced.contains(&(phi, None)), "{phi} {graph:?}");
                assert!(!graph.reached(None)[phi.index()], "{phi} {graph:?}");
            }
            Err(error) => panic!("{error}: {graph:?}"),
        }
    }
}

/// `value` is the immediate dominator of `phi`: it strictly dominates it, and whatever else does dominates `value`.
#[track_caller]
fn check_witness(graph: &Graph, phi: usize, value: usize) {
    assert!(graph.strictly_dominates(value, phi), "{value} {phi} {graph:?}");
    let others = (0..graph.len()).filter(|&other| other != value && graph.strictly_dominates(other, phi));
    for other in others {
        assert!(graph.strictly_dominates(other, value), "{value} {phi} {graph:?}");
    }
}

#[track_caller]
fn check_all(num_values: usize, num_phis: usize, most: u32, expected: (usize, usize)) {
    let mut comparison = Comparison::default();
    for_each(num_values, num_phis, most, |graph| comparison.check(graph));
    assert_eq!((comparison.num_graphs, comparison.num_ordered), expected);
}

#[test]
fn every_graph_of_two_values_and_three_phis() {
    check_all(2, 3, 3, (1_000, 828));
}

#[test]
fn every_graph_of_two_values_and_four_phis() {
    check_all(2, 4, 3, (160_000, 130_070));
}

#[test]
fn every_graph_of_three_values_and_three_phis() {
    check_all(3, 3, 4, (15_625, 15_201));
}

/// Repeated operands and phis among their own operands change nothing.
#[test]
fn random_graphs_of_every_family() {
    let mut comparison = Comparison::default();
    let mut rng = Rng(1);
    for round in 0..12_000 {
        let (num_values, num_phis) = (2 + rng.below(4), 2 + rng.below(9));
        let mut graph = Family::ALL[round % Family::ALL.len()].graph(num_values, num_phis, &mut rng);
        for phi in 0..graph.phis.len() {
            let extra = if rng.below(2) == 0 { graph.num_values + phi } else { graph.phis[phi][0] };
            if rng.below(3) == 0 {
                graph.phis[phi].push(extra);
            }
        }
        comparison.check(&graph);
        comparison.check(&graph.minimized().unwrap_or(graph));
    }
    assert!(comparison.num_ordered > 8_000, "{}", comparison.num_ordered);
}

#[test]
fn a_graph_without_phis_is_ordered_and_a_phi_without_operands_is_not() {
    let graph = |phis: &[&[usize]]| Graph { num_values: 2, phis: phis.iter().map(|&phi| phi.to_vec()).collect() };
    let mut low_high = LowHigh::default();
    assert_eq!(low_high.order(&graph(&[]).to_phi_graph()), Ok([].as_slice()));
    for lonely in [graph(&[&[]]), graph(&[&[2]]), graph(&[&[3], &[2]])] {
        let error = low_high.order(&lonely.to_phi_graph()).unwrap_err();
        assert_eq!(error.to_string(), "v2: no value flows into it");
    }
    let error = low_high.order(&graph(&[&[0, 3], &[2, 3]]).to_phi_graph()).unwrap_err();
    assert_eq!(error.to_string(), "v2: redundant, always equal to v0");
}

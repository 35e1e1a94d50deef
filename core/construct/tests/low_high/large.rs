//! Large phi graphs on a small stack, in steps that grow with their size.

use crate::families::{Family, Rng};
use crate::graph::Graph;
use ssaphire_construct::minimize::{LiveRanks, LowHigh};
use ssaphire_graph::Value;
use std::thread;

const STACK: usize = 256 * 1024;

/// Runs `check` on a small stack.
fn on_a_small_stack(check: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(check).expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// A graph of that family without redundant phis.
fn minimized(family: Family, num_phis: usize) -> Graph {
    let num_values = if family == Family::Uniform { 2 + num_phis / 50 } else { 2 };
    let mut graph = family.graph(num_values, num_phis, &mut Rng(5));
    if family == Family::Uniform {
        // What no value would reach is given one.
        let num_values = graph.num_values;
        graph
            .phis
            .iter_mut()
            .enumerate()
            .filter(|(phi, _)| phi % 7 == 0)
            .for_each(|(phi, it)| it.push(phi % num_values));
    }
    graph.minimized().expect("values flow into all phis")
}

/// Orders the graph: steps that are not bounded by the operands, by operand.
fn steps_per_operand(low_high: &mut LowHigh, graph: &Graph) -> f64 {
    let phi_graph = graph.to_phi_graph();
    let order = low_high.order(&phi_graph).unwrap();
    assert!(graph.is_ordered(order));
    low_high.steps() as f64 / phi_graph.num_operands() as f64
}

/// From a thousand phis to a hundred thousand the logarithm grows by two thirds; a step per phi would be a hundredfold.
#[test]
fn steps_grow_as_the_operands_do_and_a_logarithm() {
    on_a_small_stack(|| {
        let mut low_high = LowHigh::default();
        for family in Family::ALL {
            let [small, large] =
                [1_000, 100_000].map(|num_phis| steps_per_operand(&mut low_high, &minimized(family, num_phis)));
            assert!(large <= 2.0 * small && large < 8.0, "{family:?}: {small:.2}, then {large:.2}");
        }
    });
}

#[test]
fn a_hundred_thousand_phis_in_a_line() {
    on_a_small_stack(|| {
        let graph = Family::Ladder.graph(2, 100_000, &mut Rng(0));
        let mut low_high = LowHigh::default();
        assert!(graph.is_ordered(low_high.order(&graph.to_phi_graph()).unwrap()));
        let last = Value::new(graph.len() - 1);
        let mut live = LiveRanks::default();
        assert_eq!(live.rank(&graph.to_phi_graph(), [last]).unwrap().last().unwrap().rank, 99_999);
        // One operand less, and all of them stand for the other value.
        let mut redundant = graph;
        redundant.phis.last_mut().unwrap().pop();
        assert!(low_high.order(&redundant.to_phi_graph()).is_err());
    });
}

#[test]
fn one_phi_of_a_hundred_thousand_operands_used_by_as_many_phis() {
    on_a_small_stack(|| {
        let mut phis = vec![(0..100_000).collect::<Vec<_>>()];
        phis.extend((0..100_000).map(|value| vec![100_000, value]));
        let graph = Graph { num_values: 100_000, phis };
        assert!(graph.is_ordered(LowHigh::default().order(&graph.to_phi_graph()).unwrap()));
    });
}

/// The same graph gives the same order, whatever the memory was used for before.
#[test]
fn memory_that_was_used_changes_nothing() {
    let mut low_high = LowHigh::default();
    for family in Family::ALL {
        for num_phis in [400, 9] {
            let graph = minimized(family, num_phis).to_phi_graph();
            let used = low_high.order(&graph).map(<[Value]>::to_vec);
            assert_eq!(used, LowHigh::default().order(&graph).map(<[Value]>::to_vec));
        }
    }
}

#[test]
fn graphs_of_hundreds_of_phis() {
    let (mut low_high, mut rng, mut num_phis) = (LowHigh::default(), Rng(3), 0);
    for round in 0..700 {
        let family = Family::ALL[round % Family::ALL.len()];
        let (num_values, wanted) = (2 + rng.below(20), 50 + rng.below(500));
        let Some(graph) = family.graph(num_values, wanted, &mut rng).minimized() else { continue };
        assert!(graph.is_ordered(low_high.order(&graph.to_phi_graph()).unwrap()), "{graph:?}");
        num_phis += graph.phis.len();
    }
    assert!(num_phis > 50_000, "{num_phis}");
}

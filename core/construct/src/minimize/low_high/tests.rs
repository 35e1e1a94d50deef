//! What becomes of an order if a step goes wrong: it fails its own test.

use super::*;

/// Random graphs of `num_phis` phis with two operands or three, in which no phi is redundant.
fn irredundant_graphs(num_values: usize, num_phis: usize, wanted: usize) -> Vec<PhiGraph> {
    let mut state = 1_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let (mut graphs, mut low_high) = (Vec::new(), LowHigh::default());
    while graphs.len() < wanted {
        let mut graph = PhiGraph::default();
        for phi in 0..num_phis {
            graph.begin_phi(Value::new(num_values + phi));
            for _ in 0..2 + below(2) {
                graph.push_operand(Value::new(below(num_values + num_phis)));
            }
        }
        match low_high.order(&graph) {
            Ok(_) => graphs.push(graph),
            Err(Unordered::NotBetween { phi }) => panic!("{phi}: {graph:?}"),
            Err(_) => {}
        }
    }
    graphs
}

/// Orders the graph with a mistake after each of the steps.
fn order_with(
    low_high: &mut LowHigh,
    graph: &PhiGraph,
    after_separating: impl Fn(&mut LowHigh),
    after_coloring: impl Fn(&mut LowHigh),
    after_peeling: impl Fn(&mut LowHigh),
) -> bool {
    low_high.nodes.rebuild(graph);
    low_high.anchors.spread(&low_high.nodes);
    low_high.insertion.begin(low_high.nodes.len());
    low_high.insert_anchored();
    low_high.separate().unwrap();
    after_separating(low_high);
    low_high.trees.color(&low_high.search, &low_high.semidominators);
    after_coloring(low_high);
    low_high.peel.run(&low_high.search, &mut low_high.trees);
    after_peeling(low_high);
    low_high.insert_peeled();
    low_high.number().is_ok()
}

/// The share of graphs, in percent, whose order is refused if one step makes a mistake.
fn refused(with_mistake: impl Fn(&mut LowHigh, &PhiGraph) -> bool) -> usize {
    let graphs = irredundant_graphs(3, 14, 1_000);
    let mut low_high = LowHigh::default();
    let refused = graphs.iter().filter(|graph| !with_mistake(&mut low_high, graph)).count();
    // Whatever the mistake was, the memory is as good as new.
    assert!(graphs.iter().all(|graph| low_high.order(graph).is_ok()));
    refused * 100 / graphs.len()
}

const NOTHING: fn(&mut LowHigh) = |_| {};

#[test]
fn without_a_mistake_nothing_is_refused() {
    assert_eq!(refused(|low_high, graph| order_with(low_high, graph, NOTHING, NOTHING, NOTHING)), 0);
}

#[test]
fn trees_of_one_color_each_are_refused() {
    let forget = |low_high: &mut LowHigh| low_high.semidominators.forget_relatives();
    assert!(refused(|low_high, graph| order_with(low_high, graph, forget, NOTHING, NOTHING)) > 0);
}

#[test]
fn a_wrong_color_is_refused() {
    let swap = |low_high: &mut LowHigh| {
        if let Some(phi) = low_high.search.phis().last() {
            low_high.trees.swap(phi);
        }
    };
    assert!(refused(|low_high, graph| order_with(low_high, graph, NOTHING, swap, NOTHING)) > 0);
}

#[test]
fn the_wrong_side_is_refused() {
    let swap = |low_high: &mut LowHigh| {
        for peeled in low_high.peel.peeled_mut() {
            core::mem::swap(&mut peeled.beside, &mut peeled.towards);
        }
    };
    assert!(refused(|low_high, graph| order_with(low_high, graph, NOTHING, NOTHING, swap)) > 30);
}

#[test]
fn a_phi_that_was_left_out_is_refused() {
    let graphs = irredundant_graphs(3, 14, 100);
    let mut low_high = LowHigh::default();
    for graph in &graphs {
        low_high.nodes.rebuild(graph);
        low_high.anchors.spread(&low_high.nodes);
        low_high.insertion.begin(low_high.nodes.len());
        low_high.insert_anchored();
        let is_complete = low_high.anchors.order().len() == low_high.nodes.len();
        assert_eq!(low_high.number().is_ok(), is_complete);
    }
}

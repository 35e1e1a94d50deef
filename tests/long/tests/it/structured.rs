//! Structured programs of every graph of five blocks, and of large graphs on a small stack.

use ssaphire::destruct::structure::{Irreducible, Options, Report, structure};
use ssaphire::graph::FlatCfg;
use ssaphire_tests::fuzzing::random_bytes;
use ssaphire_tests::fuzzing::structured::{Counts, check, check_slot_orders};
use ssaphire_tests::small::wide_graphs;
use ssaphire_tests::{Part, Rng, graphs, structured};
use std::thread;

#[test]
fn every_graph_of_five_blocks_with_two_slots_each() {
    let (graphs, part) = (&wide_graphs(5).0, Part::of_environment());
    let half = |half: usize| {
        let mut sum = Counts::default();
        for graph in part.cases(0..graphs.len() as u64).skip(half).step_by(2) {
            let counts = check_slot_orders(&graphs[graph as usize]);
            sum.graphs += counts.graphs;
            sum.irreducible += counts.irreducible;
            sum.copies += counts.copies;
        }
        sum
    };
    let [one, other] = thread::scope(|scope| {
        let halves = [0, 1].map(|place| scope.spawn(move || half(place)));
        halves.map(|half| half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let counts = [one.graphs + other.graphs, one.irreducible + other.irreducible, one.copies + other.copies];
    assert_eq!(graphs.len(), 35_451);
    if part.is_whole() {
        assert_eq!(counts, [356_806, 120_900, 222_020]);
    } else {
        assert!(counts[0] as u64 > part.at_least(300_000), "{counts:?}");
    }
}

#[test]
fn random_graphs_by_bytes() {
    Part::of_environment().cases(4_000..200_000).for_each(|seed| check(&random_bytes(seed)));
}

/// The report on the graph, whose program was printed, read and walked on a small stack.
fn structured_on_a_small_stack(cfg: FlatCfg, irreducible: Irreducible) -> Report {
    let run = move || {
        let structured = structure(&cfg, Options::default().with_irreducible(irreducible));
        structured::check(&cfg, &structured.to_string()).unwrap();
        // Each round of copying looks at all edges.
        let max_ratio = if irreducible == Irreducible::Dispatch { 24 } else { 48 };
        let size = cfg.num_blocks() + cfg.num_edges() + structured.report().num_copies;
        assert!(structured.report().work <= max_ratio * size as u64, "{} {size}", structured.report().work);
        assert!(structured.steps().len() <= 8 * size, "{} {size}", structured.steps().len());
        structured.report().clone()
    };
    let thread = thread::Builder::new().stack_size(256 * 1024).spawn(run).expect("a thread can be started");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Neither a copy nor a dispatcher is made.
#[track_caller]
fn check_reducible(cfg: FlatCfg) {
    let report = structured_on_a_small_stack(cfg, Irreducible::Split { limit: 0 });
    assert_eq!(report.regions, []);
}

#[test]
fn a_million_blocks_in_a_line() {
    check_reducible(graphs::line(1_000_000));
}

#[test]
fn a_million_choices_in_each_other() {
    check_reducible(graphs::nested_choices(1_000_000));
}

#[test]
fn a_hundred_thousand_loops_in_each_other() {
    check_reducible(graphs::nested_loops(100_000));
    check_reducible(graphs::leaving_choices(100_000, true));
}

#[test]
fn a_switch_of_a_hundred_thousand_arms() {
    check_reducible(graphs::switch(100_000));
}

#[test]
fn a_million_blocks_at_random() {
    check_reducible(graphs::reducible(1_000_000, &mut Rng::new(1)));
}

#[test]
fn large_irreducible_graphs() {
    for irreducible in [Irreducible::Dispatch, Irreducible::Split { limit: 1_000_000 }] {
        let row = structured_on_a_small_stack(graphs::irreducible_row(100_000), irreducible);
        assert_eq!((row.regions.len(), row.limit_reached), (100_000, false));
        let path = structured_on_a_small_stack(graphs::open_path(100_000), irreducible);
        assert_eq!((path.regions.is_empty(), path.limit_reached), (false, irreducible != Irreducible::Dispatch));
        structured_on_a_small_stack(graphs::digraph(300_000, &mut Rng::new(1)), irreducible);
    }
}

//! Steps against the bounds of Braun et al. 2013, section 4.1, on functions that reach them.
//!
//! With *B* blocks, *E* edges and *V* variables:
//!
//! | section 4.1 | here |
//! |---|---|
//! | "Θ(B) φ functions with Θ(E) operands for each variable": Ω((B + E)·V) | any engine keeps so many, [`loops_that_write_need_a_phi_each`] |
//! | "at most O(B·V) φ functions" | at most one is made per join and variable, [`check_construction`] |
//! | "at most O(E·V) recursive requests at block predecessors" | at most one operand per edge and variable |
//! | "O(B²·V²) checks" | each phi removed has each phi checked at most, [`check_triviality`] |
//! | "the number of checks amortizes the time for checking" | two operands per check, and each operand twice |
//! | "at most B·V iterations" of Algorithm 5, each "in O((B + E)·V)" | at most one round per phi, and each operand twice per round |
//!
//! Bounds that are the paper's alone are asserted for the engines that are: `scc` walks the rest of a component again
//! and `auto` may look up by other means. Those of the result hold for whoever made it.
//!
//! # Departures
//! None.

use ssaphire::minimize::{Minimizer, PhiGraph, Rounds};
use ssaphire::{Certified, SsaBuilder, Stats};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::{Built, Case, Plan, TestHost, drive, families};

/// Sizes in three steps, and how many variables there are.
const SIZES: [(usize, usize); 3] = [(100, 10), (1_000, 1), (1_000, 10)];

/// Algorithms 1 to 4, with or without marks, users and watches.
fn is_the_papers(engine: Engine) -> bool {
    matches!(engine.name(), "marker" | "braun" | "braun-operand" | "braun-watched")
}

/// The paper's letters.
#[derive(Clone, Copy, Debug)]
struct Size {
    b: u64,
    e: u64,
    v: u64,
}

impl Size {
    fn of(case: &Case) -> Self {
        let edges: usize = case.blocks().map(|block| case.cfg.targets(block).len()).sum();
        Self { b: case.blocks().len() as u64, e: edges as u64, v: case.num_variables as u64 }
    }
}

/// Builds the function in the order of its blocks, each sealed as soon as it can be; checks the bounds.
fn build(case: &Case, engine: Engine) -> (Stats, TestHost) {
    let (mut ssa, mut host) = (Certified::with_builder(AnyBuilder::new(engine)), TestHost::default());
    ssa.set_recording(false);
    drive(case, &Plan::in_order(case.blocks().collect()), &mut host, &mut ssa).unwrap();
    check_construction(engine, Size::of(case), ssa.stats());
    check_triviality(engine, ssa.stats());
    (*ssa.stats(), host)
}

/// O(*B*·*V*) phis and O(*E*·*V*) requests.
#[track_caller]
fn check_construction(engine: Engine, Size { b, e, v }: Size, stats: &Stats) {
    // The mapping from block and variable to value holds one phi each, ever.
    assert!(stats.phis_made <= b * v, "{engine}: {stats:?}");
    assert!(stats.phis_kept <= stats.phis_made, "{engine}: {stats:?}");
    // Each phi has an operand per edge into its block.
    assert!(stats.operands_added <= e * v, "{engine}: {stats:?}");
    assert!(stats.operands_kept <= stats.operands_added, "{engine}: {stats:?}");
    assert!(stats.lookups <= stats.reads + e * v, "{engine}: {stats:?}");
    if is_the_papers(engine) {
        // `marker` enters a join a second time to find its mark, and makes the phi then.
        let times = if engine == Engine::Marker { 2 } else { 1 };
        assert!(stats.joins_entered <= times * b * v, "{engine}: {stats:?}");
        // A read or a request for an operand passes 16 blocks of a chain at most before one that has stored the value,
        // or blocks that nobody has passed before.
        assert!(stats.lookup_steps <= 17 * (stats.lookups + e * v), "{engine}: {stats:?}");
    }
}

/// O(*B*²·*V*²) checks of O(1) each.
#[track_caller]
fn check_triviality(engine: Engine, stats: &Stats) {
    // One check when a phi has its operands; then, whenever one is removed, one for each that uses it or, in
    // `braun-operand`, for the one it stood for.
    let others = if engine == Engine::BraunOperand { 1 } else { stats.phis_made };
    assert!(stats.triviality_checks <= stats.phis_made + stats.trivial_phis * others, "{engine}: {stats:?}");
    // Both witnesses of a phi only move forward, to the end of its operands at most.
    let scanned = 2 * stats.triviality_checks + 2 * stats.operands_added + stats.phis_made;
    assert!(stats.operands_scanned <= scanned, "{engine}: {stats:?}");
}

fn for_each_size(case: impl Fn(usize, usize) -> Case, check: impl Fn(Engine, Size, Stats)) {
    for (size, num_variables) in SIZES {
        let case = case(size, num_variables);
        for &engine in Engine::ON_THE_FLY {
            check(engine, Size::of(&case), build(&case, engine).0);
        }
    }
}

/// The lower bound, of any construction: all but the two blocks that are no loop have a phi of each variable.
#[test]
pub(crate) fn loops_that_write_need_a_phi_each() {
    for_each_size(
        |size, num_variables| families::self_loops(size, num_variables, true, true),
        |engine, Size { b, e, v }, stats| {
            assert_eq!(stats.phis_kept, (b - 2) * v, "{engine}");
            assert_eq!(stats.operands_kept, (e - 1) * v, "{engine}");
            // Nothing is made in vain, and each phi is checked once: it is right at once.
            assert_eq!(stats.phis_made, stats.phis_kept, "{engine}");
            assert!(stats.triviality_checks <= stats.phis_made, "{engine}: {stats:?}");
        },
    );
}

/// The upper bounds: lookups from the end enter every join, and request along every edge but one, for nothing.
#[test]
pub(crate) fn loops_that_do_nothing_are_all_entered() {
    for_each_size(
        |size, num_variables| families::self_loops(size, num_variables, false, false),
        |engine, Size { b, e, v }, stats| {
            assert_eq!(stats.phis_kept, 0, "{engine}");
            match is_the_papers(engine) {
                true => {
                    // `marker` saves phis where no edge leads back only.
                    assert_eq!(stats.phis_made, (b - 2) * v, "{engine}");
                    assert_eq!(stats.operands_added, (e - 1) * v, "{engine}");
                    assert!(stats.joins_entered >= (b - 2) * v, "{engine}: {stats:?}");
                    assert!(stats.lookup_steps >= (e - 1) * v, "{engine}: {stats:?}");
                    assert_eq!(stats.trivial_phis, stats.phis_made, "{engine}");
                }
                false if ["scc", "region"].contains(&engine.name()) => assert_eq!(stats.phis_made, 0, "{engine}"),
                false => {}
            }
        },
    );
}

/// The upper bound in open loops, where a phi has to be made before it can be known to be for nothing.
#[test]
pub(crate) fn loops_that_read_while_open_have_a_phi_each_for_a_while() {
    for_each_size(
        |size, num_variables| families::self_loops(size, num_variables, true, false),
        |engine, Size { b, v, .. }, stats| {
            assert_eq!(stats.phis_kept, 0, "{engine}");
            if is_the_papers(engine) {
                assert_eq!(stats.incomplete_phis, (b - 2) * v, "{engine}");
                assert_eq!(stats.trivial_phis, (b - 2) * v, "{engine}");
            }
        },
    );
}

/// The bound on checks: where users are told, as many are as phis are removed times phis that stay.
#[test]
pub(crate) fn users_that_are_handed_on_are_checked_each_time() {
    for size in [50, 100, 200] {
        let case = families::enclosed_switch(size, size);
        let Size { b, .. } = Size::of(&case);
        for &engine in Engine::ON_THE_FLY {
            let (stats, _) = build(&case, engine);
            assert_eq!(stats.phis_kept, size as u64, "{engine}");
            match engine.name() {
                // B is 6 per size.
                "marker" | "braun" => assert!(stats.triviality_checks >= b * b / 40, "{engine}: {stats:?}"),
                "braun-operand" => assert!(stats.triviality_checks <= 3 * b, "{engine}: {stats:?}"),
                _ => {}
            }
        }
    }
}

/// What Algorithm 5 counts on the phis of a function, which are all needed.
fn rounds(case: &Case) -> (Size, Rounds, u64) {
    let (stats, host) = build(case, Engine::default());
    let graph = PhiGraph::of(&Built::new(case, &host)).unwrap();
    assert_eq!(graph.phis().len() as u64, stats.phis_kept);
    let mut minimizer = Minimizer::default();
    assert_eq!(minimizer.components(&graph), []);
    let rounds = minimizer.rounds();
    let size = Size::of(case);
    assert!(rounds.rounds <= stats.phis_kept + 1, "{rounds:?}");
    assert!(rounds.rounds <= size.b * size.v, "{rounds:?}");
    assert!(rounds.operands_scanned <= 2 * rounds.rounds * stats.operands_kept, "{rounds:?}");
    (size, rounds, stats.operands_kept)
}

/// The bound on rounds: each takes the two ends of what is left.
#[test]
pub(crate) fn a_path_both_ways_is_taken_apart_from_its_ends() {
    for len in [100, 200, 400] {
        let (size, rounds, operands) = rounds(&families::two_way_path(len, 1, true));
        assert!(rounds.rounds >= size.b / 2 - 1, "{rounds:?}");
        // The sum of an arithmetic series, of components and of what flows into them.
        assert!(rounds.operands_scanned >= rounds.rounds * operands * 9 / 10, "{rounds:?}");
    }
}

/// Reducible graphs nest as deep as their loops do, and no deeper.
#[test]
pub(crate) fn loops_in_a_row_take_one_round() {
    let (_, found, operands) = rounds(&families::self_loops(1_000, 10, true, true));
    assert_eq!(found.rounds, 1);
    assert_eq!(found.operands_scanned, 2 * operands);
}

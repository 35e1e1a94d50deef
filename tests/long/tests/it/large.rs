//! Large functions on a small stack, in time and memory that grow with their size.

use ssaphire::check::{Judge, Mode, Program, QualityCheck};
use ssaphire::{Block, Certified, Options, SsaBuilder, Stats};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::{Case, Plan, TestHost, drive, drive_sealed, families};
use std::thread;

const STACK: usize = 256 * 1024;

/// Runs `check` on a small stack.
pub(crate) fn on_a_small_stack(check: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(check).expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Builds `case` in the order of its blocks and judges it: what was counted.
fn build(case: &Case, builder: AnyBuilder) -> Stats {
    let stats = build_slowly(case, builder);
    check_steps(&stats, case.num_variables as u64);
    stats
}

/// The same, however many steps that takes.
fn build_slowly(case: &Case, builder: AnyBuilder) -> Stats {
    let (mut ssa, mut host, mut program) = (Certified::with_builder(builder), TestHost::default(), Program::new());
    let plan = Plan::in_order(case.blocks().collect());
    drive(case, &plan, &mut host, &mut ssa).unwrap();
    drop(host);
    let stats = *ssa.stats();
    ssa.certify(&mut program).unwrap();
    drop(ssa);
    let verdict = Judge::new().judge(&program, Mode::Exact);
    assert_eq!(verdict.violations, []);
    assert_eq!(QualityCheck::default().findings(&program), []);
    check_counters(&stats, case.num_variables as u64);
    stats
}

fn size(stats: &Stats) -> u64 {
    stats.blocks + stats.edges + stats.reads + stats.writes
}

/// No counter grows faster than the function does, per variable.
#[track_caller]
fn check_steps(stats: &Stats, num_variables: u64) {
    check_counters(stats, num_variables);
    assert!(stats.work <= 8 * size(stats) * num_variables, "{stats:?}");
}

/// The same but for the number of all steps.
#[track_caller]
fn check_counters(stats: &Stats, num_variables: u64) {
    let size = size(stats);
    assert!(stats.lookup_steps <= 2 * size * num_variables, "{stats:?}");
    assert!(stats.phis_made <= size * num_variables, "{stats:?}");
    assert!(stats.operands_scanned <= 8 * (stats.operands_added + stats.phis_made), "{stats:?}");
}

fn for_each_engine(case: &Case, check: impl Fn(Engine, Stats)) {
    for &engine in Engine::ON_THE_FLY {
        check(engine, build(case, AnyBuilder::new(engine)));
    }
}

#[test]
fn a_million_blocks_in_a_line() {
    on_a_small_stack(|| {
        for_each_engine(&families::chain(1_000_000), |engine, stats| {
            // The row of `auto` has the answer.
            let num_steps = if engine == Engine::Auto { 0 } else { 1_000_000 };
            assert_eq!((stats.phis_made, stats.lookup_steps), (0, num_steps), "{engine}");
        });
    });
}

#[test]
fn reads_along_a_line_backwards_walk_a_bounded_way_each() {
    on_a_small_stack(|| {
        let (mut ssa, mut host) = (Certified::default(), TestHost::default());
        ssa.set_recording(false);
        let case = families::chain(100_000);
        host.begin(&case);
        for block in case.blocks() {
            ssa.terminate(block, case.cfg.targets(block));
            case.cfg.targets(block).iter().for_each(|&target| ssa.seal_block(&mut host, target));
        }
        for block in case.blocks().rev() {
            ssa.read_at_end(&mut host, block, ssaphire::Variable::new(0));
        }
        assert!(ssa.stats().lookup_steps <= 17 * 100_000, "{:?}", ssa.stats());
    });
}

#[test]
fn a_million_choices_in_a_row() {
    on_a_small_stack(|| {
        let case = families::ladder(100_000, 1);
        for_each_engine(&case, |engine, stats| assert_eq!(stats.phis_kept, 100_000, "{engine}"));
        assert_eq!(build(&families::ladder(1_000_000, 1), AnyBuilder::default()).phis_kept, 1_000_000);
    });
}

#[test]
fn a_million_choices_in_a_row_with_ten_variables() {
    on_a_small_stack(|| {
        let case = families::ladder(30_000, 10);
        for_each_engine(&case, |engine, stats| assert_eq!(stats.phis_kept, 30_000, "{engine}"));
        // Not judged: that takes an obligation per block and variable.
        let (mut ssa, case) = (Certified::default(), families::ladder(1_000_000, 10));
        ssa.set_recording(false);
        drive(&case, &Plan::in_order(case.blocks().collect()), &mut TestHost::default(), &mut ssa).unwrap();
        // Each choice writes one of the variables; `marker` makes no other phi.
        assert_eq!((ssa.stats().phis_kept, ssa.stats().phis_made), (1_000_000, 1_000_000));
        check_steps(ssa.stats(), 10);
    });
}

#[test]
fn a_hundred_thousand_nested_loops() {
    on_a_small_stack(|| {
        let case = families::nest(100_000);
        for_each_engine(&case, |engine, stats| assert_eq!(stats.phis_kept, 100_000, "{engine}"));
    });
}

#[test]
fn a_choice_of_a_hundred_thousand_arms() {
    on_a_small_stack(|| {
        let case = families::fan_in(100_000, 1);
        for_each_engine(&case, |engine, stats| {
            assert_eq!((stats.phis_kept, stats.operands_kept), (1, 100_000), "{engine}");
        });
    });
}

#[test]
fn ten_thousand_incoming_edges_with_a_hundred_variables() {
    on_a_small_stack(|| {
        let case = families::fan_in(10_000, 100);
        for_each_engine(&case, |engine, stats| {
            assert_eq!((stats.phis_kept, stats.operands_kept), (100, 1_000_000), "{engine}");
        });
    });
}

#[test]
fn an_irreducible_ladder_of_a_hundred_thousand_blocks() {
    on_a_small_stack(|| {
        // The default engine tries to link all blocks together, and gives that up.
        let max_work = |engine, stats: &Stats| size(stats) * if engine == Engine::Auto { 8 + 64 } else { 8 };
        for (num_reads, differs) in [(1, false), (10, true)] {
            let case = families::two_way_path(100_000, num_reads, differs);
            for &engine in Engine::ON_THE_FLY {
                let stats = build_slowly(&case, AnyBuilder::new(engine));
                assert_eq!(stats.phis_kept, if differs { 100_000 } else { 0 }, "{engine}");
                assert!(stats.redundant_phis > 0 || differs, "{engine}: {stats:?}");
                assert!(stats.work <= max_work(engine, &stats), "{engine}: {stats:?}");
            }
        }
    });
}

#[test]
fn the_order_of_filling_does_not_matter_for_size() {
    on_a_small_stack(|| {
        let case = families::nest(50_000);
        let orders: [Vec<Block>; 2] = [case.blocks().rev().collect(), {
            let (even, odd): (Vec<Block>, Vec<Block>) = case.blocks().partition(|block| block.index() % 2 == 0);
            even.into_iter().chain(odd).collect()
        }];
        for order in orders {
            let (mut ssa, mut host) = (Certified::default(), TestHost::default());
            drive(&case, &Plan::in_order(order), &mut host, &mut ssa).unwrap();
            assert_eq!(ssa.stats().phis_kept, 50_000);
            check_steps(ssa.stats(), 1);
        }
    });
}

/// Told graph first, then read at the end of one block: what was counted.
fn read_sealed(engine: Engine, case: &Case, read: usize) -> Stats {
    let mut ssa = Certified::with_builder(AnyBuilder::with_options(engine, Options::default().with_minimize(false)));
    ssa.set_recording(false);
    drive_sealed(case, [Block::new(read)], &mut TestHost::default(), &mut ssa).unwrap();
    *ssa.stats()
}

#[test]
fn sealed_code_of_a_million_blocks_needs_no_stack() {
    on_a_small_stack(|| {
        for &engine in Engine::ON_THE_FLY {
            let stats = read_sealed(engine, &families::chain(1_000_000), 999_999);
            // The row of `auto` has the answer.
            let num_steps = if engine == Engine::Auto { 0 } else { 1_000_000 };
            assert_eq!((stats.phis_made, stats.lookup_steps), (0, num_steps), "{engine}");
            let stats = read_sealed(engine, &families::ladder(300_000, 1), 900_000);
            assert_eq!(stats.phis_kept, 300_000, "{engine}");
        }
    });
}

#[test]
fn a_large_component_is_decided_at_once_without_a_phi() {
    on_a_small_stack(|| {
        let case = families::two_way_path(500_000, 1, false);
        for engine in [Engine::Scc, Engine::Region] {
            let stats = read_sealed(engine, &case, 2);
            assert_eq!((stats.phis_made, stats.lookup_steps), (0, 1_000_002), "{engine}");
        }
    });
}

/// Where components nest deeply `scc` is quadratic: that is counted on small graphs.
#[test]
fn deeply_nested_components_cost_region_a_step_for_each_edge() {
    on_a_small_stack(|| {
        let stats = read_sealed(Engine::Region, &families::two_way_path(300_000, 1, true), 2);
        assert_eq!((stats.phis_made, stats.phis_kept, stats.lookup_steps), (300_000, 300_000, 600_001));
        assert!(stats.work <= 9 * 300_000, "{stats:?}");
        let stats = read_sealed(Engine::Region, &families::nest(200_000), 400_001);
        assert_eq!((stats.phis_made, stats.phis_kept), (200_000, 200_000));
        assert!(stats.lookup_steps <= 3 * 200_000 + 2, "{stats:?}");
    });
}

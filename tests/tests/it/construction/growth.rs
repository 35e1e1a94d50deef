//! How often the default engine decides joins, in both arrivals: block by block, and as a complete graph.

use ssaphire::{Block, Certified, Options, SsaBuilder, Stats, Thresholds, fill_order};
use ssaphire_tests::{Case, Filling, Plan, Sealing, TestHost, drive, families};

/// The counters of the default engine for the case.
fn counted(case: &Case, plan: &Plan) -> Stats {
    counted_with(Thresholds::DEFAULT, case, plan)
}

/// The same, rows being given up at once.
fn counted_without_rows(case: &Case, sealing: Sealing) -> Stats {
    let mut thresholds = Thresholds::DEFAULT;
    thresholds.row_events = Some(0);
    counted_with(thresholds, case, &Plan { sealing, ..Plan::in_order(fill_order(&case.cfg)) })
}

fn counted_with(thresholds: Thresholds, case: &Case, plan: &Plan) -> Stats {
    let mut ssa = Certified::with_options(Options::default().with_thresholds(thresholds));
    ssa.set_recording(false);
    drive(case, plan, &mut TestHost::default(), &mut ssa).expect("the case is a function");
    *ssa.stats()
}

/// Each test writes a variable that shares its bit with every 64th of the others, before its block is sealed.
#[test]
pub(crate) fn a_line_of_blocks_begun_before_they_are_sealed_is_passed_at_once() {
    let num_variables = 1_000;
    let case = families::empty_defined(num_variables);
    for sealing in [Sealing::Immediate, Sealing::Announced] {
        let stats = counted(&case, &Plan::new(&case, Filling::ReversePostorder, sealing, 0));
        let num_joins = stats.joins_entered as usize;
        assert!(num_joins < num_variables + num_variables / 32, "{sealing:?}: {num_joins} joins");
    }
}

/// Of as many variables as the join has edges, each 64th shares its bit with the one that is written in between.
#[test]
pub(crate) fn a_wide_join_looks_along_its_edges_for_few_of_the_variables_that_share_a_bit() {
    for num_variables in [2_000, 8_000] {
        let case = families::empty_defined(num_variables);
        for sealing in [Sealing::Immediate, Sealing::Announced] {
            let stats = counted(&case, &Plan::new(&case, Filling::ReversePostorder, sealing, 0));
            let num_steps = stats.work as usize;
            assert!(num_steps < 40 * num_variables, "{sealing:?}, {num_variables}: {num_steps} steps");
        }
    }
}

/// The headers of the loops are linked long after the join of the tests has got its edges: from the last to the first, as
/// in reverse post-order, or from the first to the last.
#[test]
pub(crate) fn a_join_below_loops_that_are_linked_last_is_linked_with_them() {
    for num_tests in [1_000, 4_000] {
        let case = families::loops_before_tests(num_tests, false);
        let reverse_postorder = Plan::new(&case, Filling::ReversePostorder, Sealing::Immediate, 0).order;
        let mut ascending = reverse_postorder.clone();
        // Blocks 3, 7, 11 .. are the bodies; the second of them to the last one stand side by side.
        let is_body = |block: &Block| block.index() % 4 == 3 && (7..4 * num_tests).contains(&block.index());
        let first = ascending.iter().position(is_body).expect("there are loops");
        ascending[first..first + num_tests - 1].sort_unstable();
        for order in [reverse_postorder, ascending] {
            for sealing in [Sealing::Immediate, Sealing::Announced] {
                let stats = counted(&case, &Plan { sealing, ..Plan::in_order(order.clone()) });
                let num_steps = stats.work as usize;
                assert!(num_steps < 100 * num_tests, "{sealing:?}, {num_tests}: {num_steps} steps");
            }
        }
    }
}

/// Whichever way the tests are turned: in reverse post-order the second way makes a phi for each variable and loop.
#[test]
pub(crate) fn loops_of_a_complete_function_are_filled_before_what_follows_them() {
    for (num_tests, passes_first) in [(1_000, false), (1_000, true), (4_000, true)] {
        let case = families::loops_before_tests(num_tests, passes_first);
        for sealing in [Sealing::Immediate, Sealing::Announced] {
            let stats = counted(&case, &Plan { sealing, ..Plan::in_order(fill_order(&case.cfg)) });
            let (num_steps, num_phis) = (stats.work as usize, stats.phis_made as usize);
            assert!(num_steps < 100 * num_tests, "{sealing:?}, {num_tests}: {num_steps} steps");
            assert!(num_phis < 4 * num_tests, "{sealing:?}, {num_tests}: {num_phis} phis");
        }
    }
}

/// No block waits for the edge that an unreachable block has into it.
#[test]
pub(crate) fn unreachable_blocks_of_a_complete_function_are_filled_first() {
    let case = families::dead_ways_in(1_000);
    for sealing in [Sealing::Immediate, Sealing::Announced] {
        let stats = counted(&case, &Plan { sealing, ..Plan::in_order(fill_order(&case.cfg)) });
        assert_eq!(stats.phis_made, 0, "{sealing:?}");
    }
}

/// In both arrivals, the case makes at most `max_phis`, and takes fewer than `max_steps`.
#[track_caller]
fn check(case: &Case, order: &[Block], max_phis: usize, max_steps: usize) {
    for sealing in [Sealing::Immediate, Sealing::Announced] {
        let stats = counted(case, &Plan { sealing, ..Plan::in_order(order.to_vec()) });
        assert!(stats.phis_made as usize <= max_phis, "{sealing:?}: {} phis", stats.phis_made);
        assert!((stats.work as usize) < max_steps, "{sealing:?}: {} steps", stats.work);
    }
}

/// They are linked below the header of the loop around them, before that is sealed.
#[test]
pub(crate) fn irreducible_loops_within_a_loop_are_passed_at_once() {
    for num_loops in [1_000, 4_000] {
        let case = families::two_ways_in_within_a_loop(num_loops);
        // One phi in the loop, and one in the loop around it, until each is sealed.
        check(&case, &fill_order(&case.cfg), 2 * num_loops, 200 * num_loops);
    }
}

/// Nothing is looked up along the edges of blocks that wait for one another.
#[test]
pub(crate) fn ways_into_a_loop_are_linked_together() {
    for num_ways in [1_000, 4_000] {
        let case = families::ways_into_a_ring(num_ways);
        check(&case, &fill_order(&case.cfg), num_ways, 50 * num_ways);
    }
}

/// Each header waits for those within its loop, and is looked at again only when it is its turn.
#[test]
pub(crate) fn loops_with_one_latch_are_linked_from_the_innermost_one_out() {
    for num_loops in [1_000, 4_000] {
        let case = families::loops_with_one_latch(num_loops);
        let mut late = Plan::in_order(fill_order(&case.cfg));
        late.sealing = Sealing::AtEnd;
        for plan in [
            late.clone(),
            Plan { sealing: Sealing::Immediate, ..late.clone() },
            Plan { sealing: Sealing::Announced, ..late },
        ] {
            let stats = counted(&case, &plan);
            assert!(stats.phis_made as usize <= num_loops, "{:?}: {} phis", plan.sealing, stats.phis_made);
            assert!((stats.work as usize) < 30 * num_loops, "{:?}: {} steps", plan.sealing, stats.work);
        }
    }
}

/// They wait for one another in one long chain.
#[test]
pub(crate) fn blocks_that_each_lead_to_all_are_linked_together() {
    for num_blocks in [20, 50, 100] {
        let case = families::threaded(num_blocks, 10);
        check(&case, &fill_order(&case.cfg), num_blocks, 16 * case.cfg.num_edges());
    }
}

/// What a block of the ring writes comes to the next one in the order of filling in the last round of as many as there are blocks.
#[test]
pub(crate) fn a_loop_that_takes_many_rounds_is_given_up() {
    for num_ways in [1_000, 4_000] {
        let mut case = families::ways_into_a_ring(num_ways);
        case.accesses.iter_mut().skip(1).for_each(Vec::clear);
        case.write(1, 0);
        case.read(num_ways + 1, 1);
        let order: Vec<Block> =
            [0].into_iter().chain((1..=num_ways).rev()).chain([num_ways + 1]).map(Block::new).collect();
        check(&case, &order, 2 * num_ways, 200 * num_ways);
    }
}

/// It is deferred from loop to loop, together with all others.
#[test]
pub(crate) fn what_a_nest_only_reads_gets_a_phi_in_the_innermost_loop() {
    for depth in [1_000, 4_000] {
        for case in [families::reading_nest(depth, 0), families::two_ways_into_each_of_a_nest(depth, 0)] {
            check(&case, &fill_order(&case.cfg), 2 * depth, 100 * depth);
        }
    }
}

/// A variable that is written does not keep back those that share no bit with it.
#[test]
pub(crate) fn what_a_nest_writes_gets_a_phi_in_each_loop() {
    let (depth, num_bits) = (640, 64);
    for sealing in [Sealing::Immediate, Sealing::Announced] {
        let stats = counted_without_rows(&families::reading_nest(depth, 1), sealing);
        let (num_phis, num_shared) = (stats.phis_made as usize, depth / num_bits);
        assert!(num_phis <= depth * (num_shared + 2), "{sealing:?}: {num_phis} phis");
    }
}

/// Each loop writes a variable that shares its bit with others: those that it does not write are deferred all the same.
#[test]
pub(crate) fn what_the_loops_of_a_nest_count_gets_a_phi_in_each() {
    for depth in [1_000, 4_000] {
        let reading = families::nest_that_reads_its_counts(depth);
        let mut writing = reading.clone();
        for level in 0..depth {
            let test = 2 * depth - level;
            writing.accesses[test].clear();
            writing.write(test, level);
        }
        for (name, case) in [("counts", &reading), ("is set", &writing)] {
            for sealing in [Sealing::Immediate, Sealing::Announced, Sealing::AtEnd] {
                let (max_phis, max_steps) = if sealing == Sealing::AtEnd { (3, 60) } else { (2, 50) };
                // Rows are given up before the first call, or once all counts have been read.
                for row_events in [0, 3 * depth as u64] {
                    let mut thresholds = Thresholds::DEFAULT;
                    thresholds.row_events = Some(row_events);
                    let plan = Plan { sealing, ..Plan::in_order(fill_order(&case.cfg)) };
                    let stats = counted_with(thresholds, case, &plan);
                    let about = format!("{name}, {sealing:?}, {depth}, {row_events}");
                    assert!(stats.phis_made as usize <= max_phis * depth, "{about}: {} phis", stats.phis_made);
                    assert!((stats.work as usize) < max_steps * depth, "{about}: {} steps", stats.work);
                }
            }
        }
    }
}

/// Variables that loops write share their bits with those that are only read, at depths on both sides of the one from which
/// on rows are given up by size.
#[test]
pub(crate) fn variables_that_share_bits_in_a_nest_take_few_steps_at_any_depth() {
    for depth in [100, 250, 500, 1_000, 2_000] {
        let cases = [
            families::nest_that_reads_its_counts(depth),
            families::nest_that_writes_half(depth),
            families::two_ways_into_each_of_a_nest(depth, 64),
        ];
        for (number, case) in cases.iter().enumerate() {
            for sealing in [Sealing::Immediate, Sealing::Announced] {
                let stats = counted(case, &Plan { sealing, ..Plan::in_order(fill_order(&case.cfg)) });
                let about = format!("{number}, {sealing:?}, {depth}");
                let (max_phis, max_steps) = [(30, 100), (100, 500), (150, 800)][number];
                assert!(stats.phis_made as usize <= max_phis * depth, "{about}: {} phis", stats.phis_made);
                assert!((stats.work as usize) < max_steps * depth, "{about}: {} steps", stats.work);
            }
        }
    }
}

#[test]
pub(crate) fn reads_in_unreachable_blocks_of_a_complete_function_look_for_nothing() {
    let case = families::dead_tangle(4_000);
    let stats = counted(&case, &Plan { sealing: Sealing::Announced, ..Plan::in_order(fill_order(&case.cfg)) });
    assert_eq!(stats.phis_made, 0);
    assert!((stats.work as usize) < 10 * case.cfg.num_blocks(), "{} steps", stats.work);
}

/// Most headers above a read belong to loops that were complete before the block that reads was begun; each of them was
/// linked before the loop around it was.
#[test]
pub(crate) fn complete_loops_are_passed_together() {
    for depth in [1_000, 4_000] {
        for sealing in [Sealing::Immediate, Sealing::Announced] {
            let stats = counted_without_rows(&families::counting_nest(depth), sealing);
            assert!((stats.work as usize) < 100 * depth, "{sealing:?}, {depth}: {} steps", stats.work);
            assert_eq!(stats.phis_made as usize, depth, "{sealing:?}, {depth}");
        }
    }
}

/// Wherever the variable has been read last, that block dominates none of those that read it next.
#[test]
pub(crate) fn reads_in_arms_are_passed_once() {
    for num_choices in [1_000, 4_000] {
        for sealing in [Sealing::Immediate, Sealing::Announced] {
            let stats = counted_without_rows(&families::reading_arms(num_choices), sealing);
            assert!((stats.work as usize) < 50 * num_choices, "{sealing:?}, {num_choices}: {} steps", stats.work);
        }
    }
}

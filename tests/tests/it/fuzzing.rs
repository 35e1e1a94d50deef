//! The targets of `fuzz/` that take the core and the reference IR, on a few inputs that follow from seeds.

use ssaphire::Block;
use ssaphire_ir::memory::Promotion;
use ssaphire_ir::passes::{PhiTags, ThreadingOptions, number_values, thread_jumps};
use ssaphire_tests::fuzzing::passes::{self, Step, Tally};
use ssaphire_tests::fuzzing::{
    TARGETS, Target, applications, calls, congruence, construction, cps, folding, leaving, memory, minimizer,
    random_bytes, renaming, repair, rows, whole,
};
use ssaphire_tests::{Choices, seeds, share};

/// Gives a target inputs of up to 300 bytes.
fn run(target: Target, num_inputs: u64) {
    seeds(0..num_inputs).for_each(|seed| target(&random_bytes(seed)));
}

#[test]
fn anything_said_of_operations() {
    let (mut accepted, mut refused) = ([0; 4], 0);
    for seed in 0..1_500 {
        let found = applications::grow(&random_bytes(seed));
        accepted.iter_mut().zip(found.accepted).for_each(|(sum, count)| *sum += count);
        refused += found.refused;
    }
    assert!(accepted.iter().all(|&count| count > 100) && refused > 4_000, "{accepted:?} {refused}");
}

#[test]
fn mutants_of_what_is_said_of_operations_are_judged_by_definition() {
    let mut counts = [0; 2];
    for seed in 0..300 {
        let found = applications::mutate(&random_bytes(seed), 20);
        counts.iter_mut().zip(found).for_each(|(sum, count)| *sum += count);
    }
    assert!(counts[0] > 300 && counts[1] > 1_000, "{counts:?}");
}

#[test]
fn any_calls() {
    run(calls::check, 300);
}

#[test]
fn any_construction() {
    run(construction::check, 70);
}

#[test]
fn any_function_as_continuations() {
    run(cps::check, 150);
}

#[test]
fn any_program_is_folded() {
    run(folding::check, 400);
}

#[test]
fn any_nodes() {
    run(congruence::check, 2_000);
}

#[test]
fn any_function_in_memory_form() {
    let (mut sum, mut num_repeated) = (Promotion::default(), 0);
    for seed in 0..800 {
        let promotion = memory::check_function(&memory::decode(&random_bytes(seed)));
        num_repeated += usize::from(promotion.rounds > 1);
        sum += &promotion;
    }
    let kinds = [sum.unused, sum.single_store, sum.single_block, sum.general, sum.phis_placed, sum.phis_folded];
    assert!(kinds.iter().all(|&count| count > 20) && num_repeated > 20, "{kinds:?} {num_repeated}");
}

#[test]
fn any_function_leaves_ssa_form() {
    let mut sum = leaving::Tally::default();
    for seed in seeds(0..120) {
        let tally = leaving::tally(&random_bytes(seed));
        for method in 0..4 {
            sum.copies[method] += tally.copies[method];
            sum.split_edges[method] += tally.split_edges[method];
            sum.tied[method] += tally.tied[method];
        }
    }
    let [naive, per_variable, coloring, coalescing] = sum.copies;
    assert!(naive > 4 * coloring && naive > 4 * per_variable && coloring.min(per_variable) > coalescing, "{sum:?}");
    assert!(
        sum.split_edges.iter().all(|&edges| edges > share(50))
            && sum.tied.iter().all(|&copies| copies > share(100) as u64),
        "{sum:?}"
    );
}

#[test]
fn any_graph_of_phis() {
    run(minimizer::check, 400);
}

#[test]
fn any_passes() {
    run(passes::check, 300);
}

#[test]
fn each_step_finds_something_to_do() {
    let mut tally = Tally::default();
    seeds(0..100).for_each(|number| tally.add(number));
    for (index, [taken, changed, changes]) in tally.steps.into_iter().enumerate() {
        let step = Step::number(index, 0);
        assert!(
            taken >= share(100) && changed > share(5) && changes > share(25),
            "{step}: {changes}, by {changed} of {taken}"
        );
    }
}

#[test]
fn any_lists_are_renamed() {
    let [mut phis, mut fronts, mut unreachable, mut repeated, mut results] = [0; 5];
    for seed in 0..150 {
        let lists = renaming::decode(&random_bytes(seed));
        let form = renaming::check_lists(&lists);
        phis += form.phis().count();
        fronts += usize::from(form.pre_entry().is_some());
        unreachable += usize::from(lists.case.reachable().contains(&false));
        let is_repeated = |targets: &[Block]| targets.iter().enumerate().any(|(at, to)| targets[..at].contains(to));
        repeated += usize::from(lists.case.blocks().any(|block| is_repeated(lists.case.cfg.targets(block))));
        results += lists.num_results;
    }
    let counts = [phis, fronts, unreachable, repeated, results];
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
}

/// With room for copies, nothing is left to thread, but in a loop that is known to go on for ever: its copies use up any room.
#[test]
fn jumps_are_threaded_until_there_is_none() {
    let options = ThreadingOptions { max_growth: 200, max_operands: usize::MAX, ..ThreadingOptions::default() };
    let (mut rounds, mut edges, mut endless) = (0, 0, 0);
    // In the last one a loop brings back what is known only after another thread.
    for seed in (0..400).chain([1256]) {
        let mut function = passes::decode(&mut Choices::new(&random_bytes(seed)));
        let report = thread_jumps(&mut function, options).expect("the graph keeps its contract");
        (rounds, edges) = (rounds.max(report.rounds), edges + report.edges);
        if report.rounds > 2 {
            eprintln!("seed {seed} {report:?}");
        }
        if report.copies >= options.max_growth {
            endless += 1;
            continue;
        }
        let again = thread_jumps(&mut function, options).expect("the graph keeps its contract");
        assert_eq!(again.edges, 0, "seed {seed}: after {report:?}\n{function}");
    }
    assert!(rounds >= 3 && edges > 500 && endless <= 2, "{rounds} {edges} {endless}");
}

#[test]
fn loops_that_run_alike_are_found() {
    let exit_uses: usize = (0..400)
        .map(|seed| {
            let mut function = passes::decode(&mut Choices::new(&random_bytes(seed)));
            number_values(&mut function, PhiTags::Loop).expect("the graph keeps its contract").exit_uses
        })
        .sum();
    assert!(exit_uses > 50, "{exit_uses}");
}

#[test]
fn linking_given_up_at_every_moment() {
    run(rows::check_links, 500);
}

#[test]
fn rows_given_up_at_every_moment() {
    run(rows::check, 100);
    // Linking is given up in the middle of a group.
    [2_452, 5_238, 227_842].into_iter().for_each(|seed| rows::check(&random_bytes(seed)));
}

#[test]
fn any_repair() {
    run(repair::check, 3_000);
}

#[test]
fn any_whole_function() {
    run(whole::check, 50);
}

#[test]
fn few_bytes_make_small_inputs() {
    for (_, target) in TARGETS {
        target(&[]);
        seeds(0..256).for_each(|byte| target(&[byte as u8]));
    }
    assert_eq!(construction::decode(&[]).case.cfg.num_blocks(), 1);
}

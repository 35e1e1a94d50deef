//! The targets of `fuzz/` that take the core and the reference IR, on many inputs that follow from seeds.

use ssaphire_tests::Part;
use ssaphire_tests::fuzzing::{
    Target, applications, calls, construction, cps, leaving, memory, minimizer, passes, random_bytes, renaming, whole,
};

/// Gives a target inputs of up to 300 bytes.
fn run(target: Target, num_inputs: u64) {
    Part::of_environment().cases(0..num_inputs).for_each(|seed| target(&random_bytes(seed)));
}

/// 100,000 mutants.
#[test]
fn mutants_of_what_is_said_of_operations_are_judged_by_definition() {
    let mut counts = [0; 2];
    for seed in 0..5_000 {
        let found = applications::mutate(&random_bytes(seed), 20);
        counts.iter_mut().zip(found).for_each(|(sum, count)| *sum += count);
    }
    assert!(counts[0] > 5_000 && counts[1] > 20_000, "{counts:?}");
}

#[test]
fn any_calls() {
    run(calls::check, 1_500);
}

#[test]
fn any_construction() {
    run(construction::check, 700);
}

#[test]
fn any_function_as_continuations() {
    run(cps::check, 4_000);
}

#[test]
fn any_function_in_memory_form() {
    run(memory::check, 4_000);
}

#[test]
fn any_function_leaves_ssa_form() {
    run(leaving::check, 5_000);
}

#[test]
fn any_graph_of_phis() {
    run(minimizer::check, 4_000);
}

/// `cargo xtask passes` takes more of them.
#[test]
fn any_passes_on_functions_of_all_shapes() {
    let mut tally = passes::Tally::default();
    let part = Part::of_environment();
    part.cases(0..5_000).for_each(|number| tally.add(number));
    assert!(tally.steps.iter().all(|&[_, changed, _]| changed as u64 > part.at_least(200)), "{tally}");
}

#[test]
fn any_lists_are_renamed() {
    run(renaming::check, 20_000);
}

#[test]
fn any_whole_function() {
    run(whole::check, 400);
}

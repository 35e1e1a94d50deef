//! The targets of `fuzz/` that take the core and the reference IR, on many inputs that follow from seeds.

use ssaphire_tests::fuzzing::{Target, calls, construction, memory, minimizer, random_bytes, whole};

/// Gives a target inputs of up to 300 bytes.
fn run(target: Target, num_inputs: u64) {
    (0..num_inputs).for_each(|seed| target(&random_bytes(seed)));
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
fn any_function_in_memory_form() {
    run(memory::check, 4_000);
}

#[test]
fn any_graph_of_phis() {
    run(minimizer::check, 4_000);
}

#[test]
fn any_whole_function() {
    run(whole::check, 400);
}

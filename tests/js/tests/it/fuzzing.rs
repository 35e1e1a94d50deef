//! The target of `fuzz/` that takes JavaScript, on inputs that follow from seeds.

use ssaphire_js_tests::fuzzing::TARGETS;
use ssaphire_js_tests::random::generate_from;
use ssaphire_tests::fuzzing::random_bytes;
use std::collections::BTreeSet;

#[test]
fn any_program() {
    for (_, target) in TARGETS {
        (0..30).for_each(|seed| target(&random_bytes(seed)));
    }
}

#[test]
fn few_bytes_make_small_programs() {
    for (_, target) in TARGETS {
        target(&[]);
        (0..=255).step_by(5).for_each(|byte| target(&[byte]));
    }
    let programs: BTreeSet<String> = (0..50).map(|seed| generate_from(&random_bytes(seed))).collect();
    assert!(programs.len() == 50 && generate_from(&[]).lines().count() < 60);
}

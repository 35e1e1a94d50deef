//! What every result has to be, on a few random functions of each shape. `ssaphire-long-tests` has many.

use ssaphire_literature::Engine;
use ssaphire_tests::{Court, Sealing, Shape, TestCase, seeds};

#[test]
fn every_engine_builds_what_the_judge_accepts() {
    let seeds = seeds(0..6);
    let mut court = Court::new();
    for (seed, shape) in seeds.clone().flat_map(|seed| Shape::ALL.map(|shape| (seed, shape))) {
        court.try_all(&TestCase::random(shape, seed % 2 == 0, seed));
    }
    assert_eq!(court.num_built, seeds.count() * Shape::ALL.len() * Sealing::ALL.len() * Court::NUM_BUILDERS);
}

/// Whatever the entry and others write is one value, in whatever order.
#[test]
fn the_default_engine_makes_no_phi_of_one_value() {
    let mut court = Court::of(&[Engine::default()]);
    for (seed, shape) in seeds(0..60).flat_map(|seed| Shape::ALL.map(|shape| (seed, shape))) {
        court.try_all(&TestCase::repeating(shape, seed));
    }
}

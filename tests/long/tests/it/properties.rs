//! What every result has to be, on random functions.

use ssaphire::check::{Judge, Mode, Program, isomorphic_by, quality};
use ssaphire::{Certified, construct};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::Writes;
use ssaphire_tests::{Built, Court, Part, Rng, Sealing, Shape, TestCase, TestHost, generate, is_reducible, walk};

fn check_many(has_copies: bool) {
    let mut court = Court::new();
    let seeds = Part::of_environment().cases(0..300);
    for seed in seeds.clone() {
        for shape in Shape::ALL {
            court.try_all(&TestCase::random(shape, has_copies, seed));
        }
    }
    assert_eq!(court.num_built, seeds.count() * Shape::ALL.len() * Sealing::ALL.len() * Court::NUM_BUILDERS);
}

#[test]
fn every_engine_builds_what_the_judge_accepts() {
    check_many(false);
}

#[test]
fn every_engine_builds_what_the_judge_accepts_with_copies() {
    check_many(true);
}

#[test]
fn whole_functions_are_built_in_one_call_whatever_enters_their_entry() {
    let (mut host, mut program, mut judge) = (TestHost::default(), Program::new(), Judge::new());
    for seed in Part::of_environment().cases(0..400) {
        for shape in Shape::ALL {
            let mut rng = Rng::new(seed);
            let case = generate(shape, true, &mut rng);
            // What is built: the same function, with a block in front where it is needed.
            let view = case.with_pre_entry();
            let mut first: Option<Built> = None;
            for &engine in Engine::ALL {
                if engine == Engine::Structured && !is_reducible(&view.cfg) {
                    continue;
                }
                let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
                host.begin(&case);
                let result = construct(&case, &mut host, &mut ssa).unwrap();
                host.write_result(&result);
                let built = Built::new(&view, &host);
                ssa.certify(&mut program).unwrap();
                assert_eq!(judge.judge(&program, Mode::Exact).violations, [], "{engine}: {case:?}");
                assert_eq!(quality(&built), [], "{engine}: {case:?}");
                walk::random_walks(&view, &built, 3, &mut rng).unwrap();
                let first = first.get_or_insert_with(|| built.clone());
                isomorphic_by(first, &built, |one, other| first.same_undefined(one, &built, other)).unwrap();
            }
        }
    }
}

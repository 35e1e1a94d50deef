//! Every engine on random functions of every shape: judged, run before and after, and compared with each other.

use ssaphire::Certified;
use ssaphire::check::{Judge, Mode, Program, isomorphic_by, quality, rules};
use ssaphire::graph::FlatCfg;
use ssaphire_ir::basic::{BasicMachine, behavior};

use ssaphire_ir::interp::Limits;
use ssaphire_ir::text::{PrintOptions, to_string};
use ssaphire_ir::{Basic, Function, to_ssa, to_ssa_in_order};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::functions::{self, Shape};
use ssaphire_tests::{Part, is_reducible};
use std::ops::Range;

const SEEDS: Range<u64> = 0..150;

struct Built {
    engine: Engine,
    function: Function<Basic>,
    program: Program,
}

fn build(source: &Function<Basic>, engine: Engine, ssa: &mut Certified<AnyBuilder>) -> Built {
    let function = to_ssa(source, ssa).unwrap_or_else(|error| panic!("{engine}: {error}"));
    let mut program = Program::new();
    ssa.certify(&mut program).unwrap();
    Built { engine, function, program }
}

/// The engines that take the function.
fn engines(source: &Function<Basic>) -> impl Iterator<Item = (usize, Engine)> + use<> {
    let is_reducible = is_reducible(&FlatCfg::new(source).unwrap());
    let engines = Engine::ALL.iter().copied().enumerate();
    engines.filter(move |(_, engine)| is_reducible || engine.takes_any_graph())
}

/// Builds `source` with every engine and hands each result, with words that name the case, to `check`.
#[track_caller]
fn for_each_engine(
    shape: Shape,
    seed: u64,
    builders: &mut [Certified<AnyBuilder>],
    mut check: impl FnMut(&[Built], &str),
) {
    let size = 1 + (seed as usize * 7) % 24;
    let source = functions::generate(shape, size, seed);
    let case = format!("{shape:?}, size {size}, seed {seed}:\n{}", to_string(&source, PrintOptions::default()));
    let built: Vec<Built> =
        engines(&source).map(|(place, engine)| build(&source, engine, &mut builders[place])).collect();
    check(&built, &case);
}

fn builders() -> Vec<Certified<AnyBuilder>> {
    Engine::ALL.iter().map(|&engine| Certified::with_builder(AnyBuilder::new(engine))).collect()
}

fn for_each_case(check: impl Fn(&[Built], &str)) {
    let mut builders = builders();
    for &shape in Shape::ALL {
        for seed in Part::of_environment().cases(SEEDS) {
            for_each_engine(shape, seed, &mut builders, &check);
        }
    }
}

#[test]
fn the_judge_accepts_every_result() {
    for_each_case(|results, case| {
        for Built { engine, function, program } in results {
            let verdict = Judge::new().judge(program, Mode::Exact);
            assert_eq!(verdict.violations, [], "{engine} on {case}");
            assert_eq!(rules(function), [], "{engine} on {case}");
            assert_eq!(quality(function), [], "{engine} on {case}");
            assert_eq!(function.check_form(), [], "{engine} on {case}");
        }
    });
}

#[test]
fn a_function_behaves_the_same_before_and_after() {
    let limits = Limits { steps: 2_000, ..Limits::default() };
    let mut builders = builders();
    for &shape in Shape::ALL {
        for seed in Part::of_environment().cases(SEEDS) {
            let source = functions::generate(shape, 1 + (seed as usize * 7) % 24, seed);
            let args = vec![3; source.params().len()];
            let machine = || BasicMachine::new(seed, vec![5, 0, 1, 2, 0, 7, 1]);
            let before = behavior(&source, &args, machine(), limits);
            for (place, engine) in engines(&source) {
                let ssa = &mut builders[place];
                let after = behavior(&to_ssa(&source, ssa).unwrap(), &args, machine(), limits);
                assert!(after.agrees_with(&before), "{engine}, {shape:?}, seed {seed}:\n{before}\n{after}");
            }
        }
    }
}

/// Without redundant sets of phis the answer is one, up to names: also where variables are copied.
#[test]
fn engines_agree_when_minimized() {
    for_each_case(|results, case| {
        for other in &results[1..] {
            let same = isomorphic_by(&results[0].function, &other.function, |_, _| true);
            assert_eq!(same, Ok(()), "{} on {case}", other.engine);
        }
    });
}

#[test]
fn the_order_in_which_blocks_are_filled_changes_no_meaning() {
    let mut builders = builders();
    for &shape in Shape::ALL {
        for seed in Part::of_environment().cases(SEEDS) {
            let source = functions::generate(shape, 1 + (seed as usize * 7) % 24, seed);
            for (place, engine) in engines(&source) {
                let ssa = &mut builders[place];
                let backwards = to_ssa_in_order(&source, ssa, |blocks| blocks.into_iter().rev().collect()).unwrap();
                let mut program = Program::new();
                ssa.certify(&mut program).unwrap();
                let verdict = Judge::new().judge(&program, Mode::Exact);
                assert_eq!(verdict.violations, [], "{engine}, {shape:?}, seed {seed}");
                assert_eq!(quality(&backwards), [], "{engine}, {shape:?}, seed {seed}");
            }
        }
    }
}

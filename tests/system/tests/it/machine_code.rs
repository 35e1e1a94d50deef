//! Random programs and functions, compiled and interpreted.

use crate::compared::{Ends, compare};
use ssaphire::Certified;
use ssaphire_ir::{Basic, Function, to_ssa};
use ssaphire_jit::Options;
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::functions::{self, Shape};
use ssaphire_tests::programs::{self, Shape as WhileShape};

fn ssa(engine: Engine) -> Certified<AnyBuilder> {
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    ssa.set_recording(false);
    ssa
}

#[test]
fn random_while_programs_run_as_they_are_interpreted() {
    let mut ends = Ends::new();
    for seed in 0..600 {
        let shape = WhileShape::ALL[seed as usize % 3];
        let engine = Engine::ALL[seed as usize % Engine::ALL.len()];
        let engine = if engine.takes_any_graph() { engine } else { Engine::Pruned };
        let source = programs::generate(shape, 10 + seed as usize % 40, seed);
        let parsed = ssaphire_while::parse(&source, &ssaphire_while::Options::default()).unwrap();
        let mut ssa = ssa(engine);
        let functions: Vec<Function<Basic>> = (0..parsed.functions().len())
            .map(|index| ssaphire_while::build(&parsed, index, &mut ssa).unwrap().function)
            .collect();
        let options = if seed % 8 == 0 { Options::default() } else { Options::quick() };
        compare(&format!("{shape:?} {seed}"), &functions, &options, &mut ends);
    }
    for end in ["returned", "returned undefined", "steps", "frames", "division", "undefined"] {
        assert!(ends.get(end).is_some_and(|&count| count > 10), "{ends:?}");
    }
}

#[test]
fn random_graphs_run_as_they_are_interpreted() {
    let mut ends = Ends::new();
    for &shape in Shape::ALL {
        for seed in 0..120 {
            let function = functions::generate(shape, 4 + seed as usize % 20, seed);
            let function = to_ssa(&function, &mut ssa(Engine::default())).unwrap();
            compare(&format!("{shape:?} {seed}"), &[function], &Options::quick(), &mut ends);
        }
    }
    for end in ["returned", "steps", "undefined", "input"] {
        assert!(ends.get(end).is_some_and(|&count| count > 20), "{ends:?}");
    }
}

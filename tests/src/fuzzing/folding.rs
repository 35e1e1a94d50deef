//! Any While program, folded while any engine builds it: accepted, and does what it did.

use crate::choices::Choices;
use crate::programs::{self, Shape};
use ssaphire::Certified;
use ssaphire::check::Mode;
use ssaphire::fold::{FoldOptions, FoldStats};
use ssaphire_ir::basic::{BasicMachine, behavior_of};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::interp::Limits;
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_ir::{Basic, Function};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_while::{Calls, Program, build_folded, interpret, parse};

/// The program is folded as the bytes say, and judged; and it refines what it was.
///
/// # Panics
/// If it does not, or is refused.
pub fn check(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let shape = choices.pick(Shape::ALL);
    let size = 1 + choices.below(40);
    let mut options = if choices.chance(60) { FoldOptions::ALL } else { options_of(choices.below(32)) };
    if choices.chance(25) {
        let (entries, dominators) = (choices.below(3) as u32, choices.below(3) as u32);
        (options.thresholds.entries, options.thresholds.dominators) = (entries, dominators);
    }
    let takes_shape = |engine: &Engine| shape != Shape::Gotos || engine.takes_any_graph();
    let engines: Vec<Engine> = Engine::ALL.iter().copied().filter(takes_shape).collect();
    let engine = if choices.chance(60) { Engine::Auto } else { choices.pick(&engines) };
    let seed = bytes.iter().fold(0, |seed: u64, &byte| seed.rotate_left(8) ^ u64::from(byte));
    let is_strict = shape == Shape::Strict;
    let parse_options = if is_strict { ssaphire_while::Options::strict() } else { ssaphire_while::Options::default() };
    let source = programs::generate(shape, size, seed);
    let program = parse(&source, &parse_options).unwrap_or_else(|errors| panic!("{}\n{source}", errors[0]));
    let functions = build_all(&program, engine, options).0;
    for (seed, args) in [(seed, [3, -2]), (seed ^ 1, [0, 1])] {
        let machine = || BasicMachine::new(seed, vec![4, 1, 0, 7, 2, 9, -3, 5]);
        let args = &args[..program.functions()[0].params.len()];
        let direct = interpret(&program, 0, args, machine(), Limits::default(), Calls::Direct);
        let folded = behavior_of(&functions, 0, args, machine().with_functions(&functions), Limits::default());
        assert!(folded.refines(&direct), "{engine} {options:?}\n{source}\n{}\n{direct}\n{folded}", functions[0]);
    }
}

/// Options by the bits of a number.
fn options_of(bits: usize) -> FoldOptions {
    let has = |bit: usize| bits & (1 << bit) != 0;
    let mut options = FoldOptions::NONE;
    (options.constants, options.identities, options.common) = (has(0), has(1), has(2));
    (options.branches, options.late) = (has(3), has(4));
    options
}

/// The functions of the program, folded, and what was folded in the last one.
fn build_all(program: &Program, engine: Engine, options: FoldOptions) -> (Vec<Function<Basic>>, FoldStats) {
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    let (mut folding, mut inspector) = (Folding::new(options), Inspector::default());
    // What is redundant when instructions are gone is left to passes, unless nothing is.
    let is_minimal = engine == Engine::Auto;
    let demands = Demands { mode: Mode::Exact, irredundant: is_minimal, pruned: is_minimal };
    let build = |index| {
        ssa.clear();
        let built = build_folded(program, index, &mut ssa, &mut folding).expect("there is no limit");
        let judgement = inspector.judge_folded(&built.function, &mut ssa, &folding, demands);
        assert_eq!(judgement.refusals, [], "{engine} {options:?}\n{program}\n{}", built.function);
        assert_eq!(ssa.num_trusted(), 0, "{engine} {options:?}\n{program}");
        built.function
    };
    let functions = (0..program.functions().len()).map(build).collect();
    (functions, *folding.stats())
}

/// The first function of `source`, folded by the default engine and accepted, and what was folded.
///
/// # Panics
/// If it is refused.
pub fn folded(source: &str) -> (String, FoldStats) {
    let program = parse(source, &ssaphire_while::Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let (functions, stats) = build_all(&program, Engine::Auto, FoldOptions::ALL);
    (functions[0].to_string(), stats)
}

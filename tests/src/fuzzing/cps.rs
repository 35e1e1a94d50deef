//! Any function as continuations: it does what its SSA form does, its parameters are the phis, and all it mentions is in scope.

mod text;

use crate::choices::Choices;
use crate::functions;
use crate::programs::{self, Shape};
use ssaphire::check::{Mode, Program as Certificate, validate};
use ssaphire::fold::FoldOptions;
use ssaphire::{Block, Certified, SsaBuilder};
use ssaphire_ir::basic::{BasicMachine, Datum, Observation};
use ssaphire_ir::cps::{Continuation, Cps, Layout, Nesting, interp, to_string};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::interp::{Content, Interpreter, Limits, Trap};
use ssaphire_ir::{Basic, Function, to_ssa};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_while::{Program, build, build_cps, build_folded, parse};

/// The continuations of a program, made in both ways, and of a function of the reference IR keep the property.
///
/// # Panics
/// If they do not.
pub fn check(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let seed = bytes.iter().fold(0, |seed: u64, &byte| seed.rotate_left(8) ^ u64::from(byte));
    if choices.chance(50) {
        let shape = choices.pick(functions::Shape::ALL);
        let size = 1 + choices.below(24);
        check_function(shape, size, seed);
    } else {
        let shape = choices.pick(Shape::ALL);
        let size = 1 + choices.below(40);
        let takes_shape = |engine: &Engine| shape != Shape::Gotos || engine.takes_any_graph();
        let engines: Vec<Engine> = Engine::ALL.iter().copied().filter(takes_shape).collect();
        let engine = if choices.chance(60) { Engine::Auto } else { choices.pick(&engines) };
        let fold = choices.chance(40).then_some(FoldOptions::ALL);
        check_program(&program(shape, size, seed), engine, fold, seed);
    }
}

/// A random program.
///
/// # Panics
/// If it is not valid.
pub fn program(shape: Shape, size: usize, seed: u64) -> Program {
    let is_strict = shape == Shape::Strict;
    let options = if is_strict { ssaphire_while::Options::strict() } else { ssaphire_while::Options::default() };
    let source = programs::generate(shape, size, seed);
    parse(&source, &options).unwrap_or_else(|errors| panic!("{}\n{source}", errors[0]))
}

/// The continuations of a random function of the reference IR keep the property.
///
/// # Panics
/// If they do not.
pub fn check_function(shape: functions::Shape, size: usize, seed: u64) {
    let mut ssa: Certified = Certified::default();
    let function = to_ssa(&functions::generate(shape, size, seed), &mut ssa).expect("there is no limit");
    let cps = Cps::of(&function).expect("the function is in SSA form");
    check_form(&cps, &function);
    let args = vec![seed as i64 % 7; function.params().len()];
    check_runs(&[cps], &[function], &args, seed);
}

/// The continuations of a program keep the property, whether they are made while it is built or from its SSA form.
///
/// # Panics
/// If they do not.
pub fn check_program(program: &Program, engine: Engine, fold: Option<FoldOptions>, seed: u64) {
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    let (mut functions, mut continuations) = (Vec::new(), Vec::new());
    for index in 0..program.functions().len() {
        let function = ssa_form(program, index, &mut ssa, fold);
        let mut folding = fold.map(Folding::new);
        let built = build_cps(program, index, &mut ssa, folding.as_mut()).expect("there is no limit");
        if fold.is_none() {
            let mut certificate = Certificate::new();
            ssa.certify(&mut certificate).expect("the function fits a certificate");
            assert_eq!(validate(&certificate, Mode::Exact), Ok(()), "{engine}\n{program}");
        }
        let converted = Cps::of(&function).expect("the function is in SSA form");
        assert!(built == converted, "{engine}\n{program}\n{function}\n{}", to_string(&built, Layout::Flat));
        check_form(&built, &function);
        functions.push(function);
        continuations.push(built);
    }
    let args: Vec<i64> = [3, -2].into_iter().cycle().take(program.functions()[0].params.len()).collect();
    check_runs(&continuations, &functions, &args, seed);
}

fn ssa_form<B: SsaBuilder>(
    program: &Program,
    index: usize,
    ssa: &mut Certified<B>,
    fold: Option<FoldOptions>,
) -> Function<Basic> {
    let built = match fold.map(Folding::new) {
        Some(mut folding) => build_folded(program, index, ssa, &mut folding),
        None => build(program, index, ssa),
    };
    built.expect("there is no limit").function
}

/// Parameters are phis, all is in scope where it is mentioned, and the text says so.
///
/// # Panics
/// If that is not so.
pub fn check_form(cps: &Cps<Basic>, function: &Function<Basic>) {
    let nesting = Nesting::new(cps);
    assert_eq!(nesting.broken_rules(cps), [], "{function}");
    check_definers(cps, &nesting);
    check_params(cps, function);
    let nested = to_string(cps, Layout::Nested);
    text::check(&nested);
    let lines = |text: &str| {
        let mut words: Vec<&str> = text.split_whitespace().filter(|&word| word != "let" && word != "in").collect();
        words.sort_unstable();
        words.concat()
    };
    let flat = to_string(cps, Layout::Flat);
    assert_eq!(lines(&nested).len(), lines(&flat).len(), "both say the same\n{nested}\n{flat}");
}

/// By definition: a continuation is defined in the last one without which it cannot be entered.
fn check_definers(cps: &Cps<Basic>, nesting: &Nesting) {
    let entered_without = |without: Option<Continuation>| {
        let mut is_entered = vec![false; cps.num_continuations()];
        let mut work = vec![Continuation::BODY];
        while let Some(of) = work.pop() {
            if Some(of) != without && !std::mem::replace(&mut is_entered[of.index()], true) {
                work.extend(cps.tail(of).continuations);
            }
        }
        is_entered
    };
    assert!(entered_without(None).iter().all(|&is_entered| is_entered), "what nothing enters is left out");
    let dominated: Vec<Vec<bool>> = cps
        .continuations()
        .map(|of| entered_without(Some(of)).into_iter().map(|is_entered| !is_entered).collect())
        .collect();
    for of in cps.continuations().skip(1) {
        let above: Vec<_> =
            cps.continuations().filter(|other| *other != of && dominated[other.index()][of.index()]).collect();
        let last = above.iter().find(|one| above.iter().all(|other| dominated[other.index()][one.index()]));
        assert_eq!(nesting.definer(of), last.copied(), "{of}");
        let definer = nesting.definer(of).expect("the body is above");
        assert_eq!(nesting.group(definer).iter().filter(|&&other| other == of).count(), 1, "{of}");
    }
}

/// The blocks that the entry reaches.
fn reachable(function: &Function<Basic>) -> Vec<bool> {
    let mut is_reachable = vec![false; function.num_blocks()];
    let mut work = vec![function.entry()];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut is_reachable[block.index()], true) {
            work.extend(function.block(block).targets());
        }
    }
    is_reachable
}

/// Each block that is reached has a continuation whose parameters are its phis, by variable, with their types; and that is all
/// of them.
fn check_params(cps: &Cps<Basic>, function: &Function<Basic>) {
    let is_reachable = reachable(function);
    let mut num_phis = 0;
    let heads: Vec<(Block, Continuation)> = cps
        .continuations()
        .filter_map(|of| cps.origin(of).filter(|&(_, index)| index == 0).map(|(block, _)| (block, of)))
        .collect();
    for block in function.blocks() {
        let found: Vec<Continuation> = heads.iter().filter(|head| head.0 == block).map(|head| head.1).collect();
        assert_eq!(found.len(), usize::from(is_reachable[block.index()]), "{block}\n{function}");
        let Some(&of) = found.first() else { continue };
        let phis = function.block(block).phis();
        num_phis += phis.len();
        if !phis.is_empty() {
            let mut expected: Vec<_> = phis.iter().map(|phi| phi.variable).collect();
            expected.sort_by_key(|variable| (variable.is_none(), *variable));
            let expected: Vec<_> =
                expected.into_iter().map(|name| name.map(|name| function.variable_name(name))).collect();
            let params: Vec<_> = cps.params(of).iter().map(|&param| cps.variable_name(param)).collect();
            assert_eq!(params, expected, "{block}\n{function}");
        }
    }
    assert_eq!(cps.num_params(), num_phis, "{function}");
}

/// A run: what was seen, how it ended, and after how many operations.
type Ran = (Vec<Observation>, Result<Vec<Content<Datum>>, Trap>, u64);

/// Both forms do the same: the same trace, the same results or the same trap at the same place, in as many steps.
fn check_runs(continuations: &[Cps<Basic>], functions: &[Function<Basic>], args: &[i64], seed: u64) {
    for steps in [100_000, seed % 50] {
        let limits = Limits { steps, ..Limits::default() };
        for are_direct in [true, false] {
            let expected = run_ssa(functions, args, seed, limits, are_direct);
            let found = run_cps(continuations, functions, args, seed, limits, are_direct);
            assert_eq!(found, expected, "{}\n{}", functions[0], to_string(&continuations[0], Layout::Flat));
        }
    }
}

fn machine(functions: &[Function<Basic>], seed: u64, are_direct: bool) -> BasicMachine {
    let machine = BasicMachine::new(seed, vec![4, 1, 0, 7, 2, 9, -3, 5]);
    if are_direct { machine.with_functions(functions) } else { machine }
}

fn contents(args: &[i64]) -> Vec<Content<Datum>> {
    args.iter().map(|&arg| Content::Known(Datum::Number(arg))).collect()
}

fn run_ssa(functions: &[Function<Basic>], args: &[i64], seed: u64, limits: Limits, are_direct: bool) -> Ran {
    let mut machine = machine(functions, seed, are_direct);
    let mut interpreter = Interpreter::new(functions, limits);
    let outcome = interpreter.run(&mut machine, 0, contents(args));
    (machine.trace().to_vec(), outcome, interpreter.steps())
}

fn run_cps(
    continuations: &[Cps<Basic>],
    functions: &[Function<Basic>],
    args: &[i64],
    seed: u64,
    limits: Limits,
    are_direct: bool,
) -> Ran {
    let mut machine = machine(functions, seed, are_direct);
    let mut interpreter = interp::Interpreter::new(continuations, limits);
    let outcome = interpreter.run(&mut machine, 0, contents(args));
    (machine.trace().to_vec(), outcome, interpreter.steps())
}

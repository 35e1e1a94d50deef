//! Generated modules with all that is on by default: every function is built and judged.

use crate::smith;
use ssaphire::Certified;
use ssaphire::check::{Judge, Mode, Program, QualityCheck, Rules};
use ssaphire_ir::{Action, Function, text};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Module, Opcode, TranslateOptions, Translator, Wasm};
use std::collections::BTreeSet;
use wasm_smith::Config;

/// Modules, of seeds from 1.
const MODULES: u64 = 1_000;

/// Of so many modules two are built with all engines, and printed and parsed back.
const SAMPLE: u64 = 20;

#[derive(Debug, Default)]
struct Counts {
    modules: u32,
    functions: u32,
    blocks: usize,
    phis: usize,
    /// Builds with another engine than the default one.
    again: u32,
    /// Functions that were printed and parsed back.
    parsed: u32,
}

/// Operators that were met.
type Opcodes = BTreeSet<Opcode>;

#[test]
fn generated_modules_are_built_and_judged() {
    let (counts, opcodes) = check((1..=MODULES).filter(|seed| !is_guarded(*seed)));
    println!("{counts:?}, {} operators", opcodes.len());
    assert!(counts.functions > 12_000 && counts.phis > 400, "{counts:?}");
    assert!(opcodes.len() > 500, "{opcodes:?}");
}

#[test]
fn generated_modules_that_guard_what_could_trap_are_built_and_judged() {
    let (counts, opcodes) = check((1..=MODULES).filter(|seed| is_guarded(*seed)));
    println!("guarded: {counts:?}, {} operators", opcodes.len());
    assert!(counts.functions > 12_000 && counts.phis > 20_000, "{counts:?}");
    assert!(opcodes.len() > 250, "{opcodes:?}");
}

fn check(seeds: impl Iterator<Item = u64>) -> (Counts, Opcodes) {
    let (mut counts, mut opcodes) = (Counts::default(), Opcodes::new());
    for seed in seeds {
        let module = smith::module(seed, config(seed), None);
        let is_sample = seed % SAMPLE < 2;
        for &engine in Engine::ALL {
            if is_sample || engine == Engine::default() {
                let place = format!("seed {seed}: {engine}");
                let functions = build(&module, engine, &place, &mut counts);
                opcodes.extend(functions.iter().flat_map(operators));
                if is_sample {
                    functions.iter().for_each(|function| parse_back(function, &place));
                    counts.parsed += functions.len() as u32;
                }
            }
        }
        counts.modules += 1;
    }
    (counts, opcodes)
}

/// Whether the code of a seed guards what could trap by branches of its own, so that it has more blocks and phis.
fn is_guarded(seed: u64) -> bool {
    seed % 2 == 1
}

/// All that is on by default, in functions of some size.
///
/// Code that nobody wrote mostly ends after a few operators, where it branches away, returns or traps.
fn config(seed: u64) -> Config {
    Config {
        min_types: 5,
        max_types: 20,
        max_imports: 10,
        min_funcs: 30,
        max_funcs: 60,
        max_instructions: 1_000,
        max_memories: 3,
        max_tables: 3,
        // What other sections take from a seed is not left for code.
        max_globals: 10,
        max_exports: 10,
        max_tags: 3,
        max_data_segments: 5,
        max_element_segments: 5,
        max_elements: 10,
        disallow_traps: is_guarded(seed),
        ..Config::default()
    }
}

/// The functions of a module, which the judge has accepted.
fn build(module: &Module, engine: Engine, place: &str, counts: &mut Counts) -> Vec<Function<Wasm>> {
    let mut translator = Translator::new(module, TranslateOptions::default());
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    let (mut judge, mut rules, mut quality) = (Judge::new(), Rules::new(), QualityCheck::default());
    let mut program = Program::new();
    let mut functions = Vec::new();
    for index in module.defined_functions() {
        let function = translator.translate(index, &mut ssa).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(function.check_form(), [], "{place}: {function}");
        assert_eq!(rules.check(&function), [], "{place}: {function}");
        assert_eq!(quality.findings(&function), [], "{place}: {function}");
        program.clear();
        ssa.certify(&mut program).unwrap_or_else(|error| panic!("{place}: {error}: {function}"));
        let verdict = judge.judge(&program, Mode::Exact);
        assert_eq!(verdict.violations, [], "{place}: {function}");
        assert!(verdict.equivalent && verdict.structurally_valid, "{place}: {verdict}");
        if engine == Engine::default() {
            counts.functions += 1;
            counts.blocks += program.blocks().len();
            counts.phis += program.num_phis();
        } else {
            counts.again += 1;
        }
        functions.push(function);
    }
    functions
}

fn operators(function: &Function<Wasm>) -> impl Iterator<Item = Opcode> {
    let insts = function.blocks().flat_map(|block| function.block(block).insts().iter());
    insts.filter_map(|inst| match inst.action {
        Action::Op(op) => Some(op.opcode),
        Action::Copy => None,
    })
}

fn parse_back(function: &Function<Wasm>, place: &str) {
    let printed = function.to_string();
    let parsed = text::parse::<Wasm>(&printed).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(parsed, *function, "{place}: {printed}");
}

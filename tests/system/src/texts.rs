//! Any text, or bytes that are none, for everything that reads: no panic, errors with a place, and what is right is built.
//!
//! Every reader is given every input, so that the files of `corpus/` are good inputs to begin with.

use crate::modules;
use ssaphire::check::{Mode, Program, Verdict, certificate, isomorphic, judge, quality, rules};
use ssaphire::{CallErrorKind, Certified, Options};
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::memory::Memory;
use ssaphire_ir::text::{NameStyle, Outline, PhiStyle, PrintOptions, SyntaxErrors};
use ssaphire_ir::{Basic, BuildError, Dialect, Function, json, text, to_ssa};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::corpus;
use ssaphire_wasm::Wasm;
use ssaphire_while::{Calls, interpret};
use std::fmt::Display;

/// Steps allowed per function.
const WORK: u64 = 1 << 16;

/// The greatest number in a certificate: the judge keeps some words per id.
const GREATEST_ID: u32 = 1 << 10;

/// How long a program is run.
const LIMITS: Limits = Limits { steps: 500, frames: 4 };

/// Every reader reads, or refuses, the bytes.
///
/// # Panics
/// If one does neither.
pub fn check(bytes: &[u8]) {
    check_module(bytes);
    let text = String::from_utf8_lossy(bytes);
    check_certificate(&text);
    check_functions(&text);
    check_while(&text);
}

fn machine() -> BasicMachine {
    BasicMachine::new(1, vec![3, 0, -1, 7])
}

fn certified(engine: Engine) -> Certified<AnyBuilder> {
    Certified::with_builder(AnyBuilder::with_options(engine, Options::default().with_work_limit(WORK)))
}

/// A place counted from 1, in the text or right after it.
#[track_caller]
fn check_place(text: &str, line: usize, column: usize, error: &dyn Display) {
    let num_columns = text.lines().nth(line.saturating_sub(1)).unwrap_or("").chars().count();
    let is_there = (1..=text.lines().count() + 1).contains(&line) && (1..=num_columns + 1).contains(&column);
    assert!(is_there, "{error}\nis at no place of\n{text}");
    assert!(!error.to_string().is_empty());
}

fn check_module(bytes: &[u8]) {
    match ssaphire_wasm::load(bytes) {
        Ok(module) => {
            // A work budget that is used up is no finding.
            let _ = modules::functions(&module, &mut certified(Engine::default()));
        }
        Err(ssaphire_wasm::Error::Binary { offset, message }) => {
            assert!(offset <= bytes.len() as u64, "{message}: at {offset} of {}", bytes.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn check_certificate(text: &str) {
    for program in certificate::Reader::with_limit(text.lines(), GREATEST_ID) {
        let (name, program) = match program {
            Ok(program) => program,
            Err(error) => return check_place(text, error.line, error.column, &error),
        };
        let mut written = String::new();
        certificate::write(&mut written, [(name.as_str(), &program)]).expect("a string takes all");
        let read = certificate::Reader::new(written.lines()).next();
        assert_eq!(read, Some(Ok((name, program.clone()))), "{written}");
        let exact = judge(&program, Mode::Exact);
        if exact.equivalent {
            assert!(judge(&program, Mode::Refine).equivalent, "exact, but no refinement: {written}");
        }
        if exact.structurally_valid {
            check_findings(&program, &exact);
        }
    }
}

/// What a proof shows is what is found without it.
fn check_findings(program: &Program, verdict: &Verdict) {
    let is_found = |rule: &[&str]| quality(program).iter().any(|finding| rule.contains(&finding.rule()));
    if verdict.minimal == Some(true) {
        assert!(!is_found(&["trivial-phi", "redundant-phi"]), "shown to be minimal: {program:?}");
    }
    if verdict.pruned == Some(true) {
        assert!(!is_found(&["dead-phi"]), "shown to be pruned: {program:?}");
    }
    if let Err(difference) = isomorphic(program, program) {
        panic!("{difference}: {program:?}");
    }
}

fn check_functions(text: &str) {
    if let Err(error) = corpus::parse(text) {
        assert!(!error.to_string().is_empty());
    }
    let outline = match Outline::new(text) {
        Ok(outline) => outline,
        Err(errors) => return check_errors(text, &errors),
    };
    for function in outline.functions() {
        match function.parse::<Basic>() {
            Ok(read) => check_read(text, &read, function.parse_valid()),
            Err(errors) => check_errors(text, &errors),
        }
        let _ = function.parse::<Wasm>().map(|read| check_printed(&read));
        let _ = function.parse::<Memory<Basic>>().map(|read| check_printed(&read));
    }
}

fn check_errors(text: &str, SyntaxErrors { errors }: &SyntaxErrors) {
    assert!(!errors.is_empty(), "{text}");
    // Lines and columns are counted behind a byte-order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    errors.iter().for_each(|error| check_place(text, error.line, error.column, error));
}

/// A function that is well formed is valid just where the judge finds no rule broken, and no phi is in the entry.
fn check_read(text: &str, function: &Function<Basic>, valid: Result<Function<Basic>, SyntaxErrors>) {
    let keeps_rules = rules(function).is_empty() && function.block(function.entry()).phis().is_empty();
    match valid {
        Ok(valid) => assert!(keeps_rules && valid == *function, "{function}"),
        Err(errors) => {
            assert!(!keeps_rules, "{errors}\n{function}");
            check_errors(text, &errors);
        }
    }
    check_function(function);
}

fn check_function(function: &Function<Basic>) {
    check_printed(function);
    // What a value holds before its definition is nothing that can be compared.
    if !function.check_form().is_empty() || !rules(function).is_empty() {
        return;
    }
    let before = run(function);
    // Phis of the source stay as they are.
    let has_phis = function.blocks().any(|block| !function.block(block).phis().is_empty());
    for &engine in Engine::ALL {
        let mut ssa = certified(engine);
        match to_ssa(function, &mut ssa) {
            Ok(built) => {
                check_built(&built, &mut ssa);
                assert!(has_phis || quality(&built).is_empty(), "{engine}: {built}");
                assert!(before.agrees_with(&run(&built)), "{engine}: {function}\nis built as\n{built}");
            }
            Err(error) => check_refusal(&error, function),
        }
    }
}

/// What is printed is what is parsed, however phis are spelled; and the JSON is written to its end.
pub(super) fn check_printed<D: Dialect>(function: &Function<D>) {
    for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
        let printed = text::to_string(function, PrintOptions { phis, names: NameStyle::Source });
        match text::parse::<D>(&printed) {
            Ok(read) => assert!(read == *function, "{printed}\nis read as\n{read}"),
            Err(errors) => panic!("{printed}\n{errors}"),
        }
    }
    assert!(json::to_string(function).ends_with("]}]}"), "{function}");
}

fn check_built(built: &Function<Basic>, ssa: &mut Certified<AnyBuilder>) {
    let mut program = Program::new();
    ssa.certify(&mut program).unwrap_or_else(|error| panic!("{error}: {built}"));
    assert_eq!(judge(&program, Mode::Exact).violations, [], "{built}");
    assert_eq!(built.check_form(), [], "{built}");
    check_printed(built);
}

/// Only a work budget, and gotos where an engine takes none, are reasons to refuse a function that is well formed.
fn check_refusal(error: &BuildError, function: &dyn Display) {
    let is_such = matches!(&error, BuildError::Call(error) if matches!(error.kind(), CallErrorKind::Irreducible { .. }))
        || error.to_string().contains("work");
    assert!(is_such, "{error}\n{function}");
}

fn run(function: &Function<Basic>) -> Behavior {
    behavior(function, &vec![2; function.params().len()], machine(), LIMITS)
}

fn check_while(text: &str) {
    let program = match ssaphire_while::parse(text, &ssaphire_while::Options::default()) {
        Ok(program) => program,
        Err(errors) => {
            assert!(!errors.is_empty(), "{text}");
            return errors.iter().for_each(|error| check_place(text, error.place.line, error.place.column, error));
        }
    };
    let printed = program.to_string();
    let again = ssaphire_while::parse(&printed, &ssaphire_while::Options::default());
    assert!(again.is_ok_and(|again| again == program), "{text}\nis printed as\n{printed}");
    for (index, function) in program.functions().iter().enumerate() {
        let args = vec![2; function.params.len()];
        let before = interpret(&program, index, &args, machine(), LIMITS, Calls::Opaque);
        let mut ssa = certified(Engine::default());
        match ssaphire_while::build(&program, index, &mut ssa) {
            Ok(built) => {
                check_built(&built.function, &mut ssa);
                assert_eq!(quality(&built.function), [], "{}", built.function);
                let after = run(&built.function);
                assert!(before.agrees_with(&after), "{program}\nis built as\n{}", built.function);
            }
            Err(error) => check_refusal(&error, &program),
        }
    }
}

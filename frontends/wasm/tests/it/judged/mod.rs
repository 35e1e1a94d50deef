//! Functions that every engine has built and the judge has accepted.

#[path = "../../../../../ir/tests/it/support/json_form.rs"]
mod json_form;

use json_form::json_says;
use ssaphire::Certified;
use ssaphire::check::{Mode, Program, judge, quality};
use ssaphire_ir::memory::to_memory;
use ssaphire_ir::text::{self, NameStyle, PhiStyle, PrintOptions};
use ssaphire_ir::{Function, Syntax};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Module, TranslateOptions, Translator, Wasm, load};

/// The module that `wat` spells.
#[track_caller]
pub(crate) fn module(wat: &str) -> Module {
    load(wat).unwrap_or_else(|error| panic!("{error}"))
}

/// The functions of a module, as the default engine builds them.
///
/// All engines build them; all results are accepted.
#[track_caller]
pub(crate) fn functions(module: &Module) -> Vec<Function<Wasm>> {
    let mut built: Vec<_> =
        Engine::ALL.iter().map(|&engine| build(module, engine, TranslateOptions::default())).collect();
    let functions = std::mem::take(&mut built[0]);
    functions.iter().for_each(check_written);
    functions
}

/// What the function and its memory form are written as, in every way, is the function.
#[track_caller]
fn check_written(function: &Function<Wasm>) {
    let slots = to_memory(function);
    for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
        check_spelling(function, phis);
        check_spelling(&slots, phis);
    }
    json_says(function);
    json_says(&slots);
}

#[track_caller]
fn build(module: &Module, engine: Engine, options: TranslateOptions) -> Vec<Function<Wasm>> {
    let mut translator = Translator::new(module, options);
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    let functions = module.defined_functions().map(|index| {
        let function = translator.translate(index, &mut ssa).unwrap_or_else(|error| panic!("{engine}: {error}"));
        let mut program = Program::new();
        ssa.certify(&mut program).unwrap_or_else(|error| panic!("{engine}: {error}"));
        assert_eq!(judge(&program, Mode::Exact).violations, [], "{engine}: {function}");
        assert_eq!(quality(&function), [], "{engine}: {function}");
        assert_eq!(function.check_form(), [], "{engine}: {function}");
        check_spelling(&function, PhiStyle::List);
        function
    });
    functions.collect()
}

/// What is printed is what is parsed.
#[track_caller]
fn check_spelling<D: Syntax>(function: &Function<D>, phis: PhiStyle) {
    let printed = text::to_string(function, PrintOptions { phis, names: NameStyle::Source });
    let parsed = text::parse::<D>(&printed).unwrap_or_else(|errors| panic!("{printed}\n{errors}"));
    assert!(parsed == *function, "{printed}\nis read as\n{parsed}");
}

/// Checks the SSA form of the last function of a module with these fields.
#[track_caller]
pub(crate) fn check(fields: &str, expected: &str) {
    let functions = functions(&module(&format!("(module {fields})")));
    let text = functions.last().map(ToString::to_string).unwrap_or_default();
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(text.trim()), lines(expected.trim()), "{text}");
}

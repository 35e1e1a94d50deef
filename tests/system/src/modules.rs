//! Any valid module: every function of it is built, and judged.

use crate::texts;
use arbitrary::Unstructured;
use ssaphire::check::{Judge, Mode, Program, quality};
use ssaphire::{Certified, SsaBuilder};
use ssaphire_ir::Function;
use ssaphire_ir::cps::{Cps, Nesting};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Module, TranslateOptions, Translator, Wasm};
use wasm_smith::Config;

/// The functions of the module that the bytes describe are built right, by every engine.
///
/// # Panics
/// If one is not.
pub fn check(bytes: &[u8]) {
    check_generated(bytes);
}

/// The same: how many functions there were.
///
/// # Panics
/// If one is not built right.
pub fn check_generated(bytes: &[u8]) -> usize {
    let Ok(generated) = wasm_smith::Module::new(small(), &mut Unstructured::new(bytes)) else { return 0 };
    let module = Module::parse(generated.to_bytes()).unwrap_or_else(|error| panic!("a valid module: {error}"));
    for &engine in Engine::ALL {
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        functions(&module, &mut ssa).unwrap_or_else(|error| panic!("{engine}: {error}"));
    }
    module.defined_functions().len()
}

/// Little beside functions, so that most of the bytes are for their bodies.
fn small() -> Config {
    Config {
        max_data_segments: 0,
        max_element_segments: 1,
        max_exports: 1,
        max_funcs: 3,
        max_globals: 2,
        max_imports: 1,
        max_instructions: 100,
        max_memories: 1,
        max_tables: 1,
        max_types: 4,
        min_funcs: 1,
        min_types: 1,
        ..Config::default()
    }
}

/// Builds, judges, prints and parses the functions of a module.
///
/// # Errors
/// The first function that was not built.
///
/// # Panics
/// If a result is wrong.
pub fn functions<B: SsaBuilder>(module: &Module, ssa: &mut Certified<B>) -> Result<(), ssaphire_wasm::FunctionError> {
    let mut translator = Translator::new(module, TranslateOptions::default());
    let (mut program, mut judge) = (Program::new(), Judge::new());
    for index in module.defined_functions() {
        let function = translator.translate(index, ssa)?;
        ssa.certify(&mut program).unwrap_or_else(|error| panic!("{error}: {function}"));
        assert_eq!(judge.judge(&program, Mode::Exact).violations, [], "{function}");
        assert_eq!((quality(&function), function.check_form()), (vec![], vec![]), "{function}");
        texts::check_printed(&function);
        check_continuations(&function);
    }
    Ok(())
}

/// All that the continuations of the function mention is in scope, and the phis of the blocks that they were made of are their parameters.
fn check_continuations(function: &Function<Wasm>) {
    let cps = Cps::of(function).unwrap_or_else(|error| panic!("{error}: {function}"));
    assert_eq!(Nesting::new(&cps).broken_rules(&cps), [], "{function}");
    let origins = cps.continuations().filter_map(|of| cps.origin(of)).filter(|&(_, index)| index == 0);
    let num_phis: usize = origins.map(|(block, _)| function.block(block).phis().len()).sum();
    assert_eq!(cps.num_params(), num_phis, "{function}");
}

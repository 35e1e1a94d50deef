//! Our front end, with the default engine.

use super::{Outcome, Refused};
use ssaphire::{Certified, Options};
use ssaphire_ir::Function;
use ssaphire_wasm::{Module, TranslateOptions, Translator, Wasm};

/// The SSA form of every function, all of them at once.
pub(super) fn translate_and_keep(bytes: &[u8]) -> Result<Vec<Function<Wasm>>, Refused> {
    let mut functions = Vec::new();
    each(bytes, |function| functions.push(function))?;
    Ok(functions)
}

/// The SSA form of every function, one at a time.
pub(super) fn translate(bytes: &[u8]) -> Result<Outcome, Refused> {
    let mut outcome = Outcome::default();
    each(bytes, |function| add(&mut outcome, &function))?;
    Ok(outcome)
}

pub(super) fn count(functions: &[Function<Wasm>]) -> Outcome {
    let mut outcome = Outcome::default();
    functions.iter().for_each(|function| add(&mut outcome, function));
    outcome
}

fn each(bytes: &[u8], mut take: impl FnMut(Function<Wasm>)) -> Result<(), Refused> {
    let module = Module::parse_without_bodies(bytes).map_err(Refused::new)?;
    let mut ssa = Certified::new(Options::default());
    ssa.set_recording(false);
    let mut options = TranslateOptions::default();
    // What the values are called makes no difference here, nor does `waffle` number them anew.
    options.canonical = false;
    let mut translator = Translator::new(&module, options);
    for index in module.defined_functions() {
        take(translator.translate(index, &mut ssa).map_err(Refused::new)?);
    }
    Ok(())
}

fn add(outcome: &mut Outcome, function: &Function<Wasm>) {
    outcome.functions += 1;
    outcome.blocks += function.num_blocks() as u64;
    outcome.phis += function.blocks().map(|block| function.block(block).phis().len() as u64).sum::<u64>();
}

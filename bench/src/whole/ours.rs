//! Our front end, with the default engine.

use super::{Outcome, Refused};
use ssaphire::Certified;
use ssaphire_ir::Function;
use ssaphire_wasm::{FunctionError, Module, TranslateOptions, Translator, Wasm};

/// The SSA form of every function, all of them at once.
pub(super) fn translate_and_keep(bytes: &[u8]) -> Result<Vec<Function<Wasm>>, Refused> {
    let mut functions = Vec::new();
    each(bytes, |translator, index, ssa| {
        functions.push(translator.translate(index, ssa)?);
        Ok(())
    })?;
    Ok(functions)
}

/// The SSA form of every function, one at a time.
pub(super) fn translate(bytes: &[u8]) -> Result<Outcome, Refused> {
    let mut outcome = Outcome::default();
    each(bytes, |translator, index, ssa| {
        add(&mut outcome, translator.translate_in_place(index, ssa)?);
        Ok(())
    })?;
    Ok(outcome)
}

pub(super) fn count(functions: &[Function<Wasm>]) -> Outcome {
    let mut outcome = Outcome::default();
    functions.iter().for_each(|function| add(&mut outcome, function));
    outcome
}

fn each(
    bytes: &[u8],
    mut translate: impl FnMut(&mut Translator<'_>, u32, &mut Certified) -> Result<(), FunctionError>,
) -> Result<(), Refused> {
    let module = Module::parse_without_bodies(bytes).map_err(Refused::new)?;
    let mut ssa = Certified::new();
    ssa.set_recording(false);
    let mut options = TranslateOptions::default();
    // What the values are called makes no difference here, nor does `waffle` number them anew.
    options.canonical = false;
    let mut translator = Translator::new(&module, options);
    module.defined_functions().try_for_each(|index| translate(&mut translator, index, &mut ssa)).map_err(Refused::new)
}

fn add(outcome: &mut Outcome, function: &Function<Wasm>) {
    outcome.functions += 1;
    outcome.blocks += function.num_blocks() as u64;
    outcome.phis += function.blocks().map(|block| function.block(block).phis().len() as u64).sum::<u64>();
}

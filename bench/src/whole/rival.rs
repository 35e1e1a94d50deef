//! `waffle`, on one thread.

use super::{Outcome, Refused};
use waffle::entity::EntityVec;
use waffle::{FrontendOptions, Func, FuncDecl, Module};

/// Reads a module and brings every function into SSA form.
pub(super) fn expand(bytes: &[u8]) -> Result<Module<'_>, Refused> {
    let mut module = Module::from_wasm_bytes(bytes, &FrontendOptions::default()).map_err(Refused::new)?;
    module.expand_all_funcs().map_err(Refused::new)?;
    Ok(module)
}

pub(super) fn count(module: &Module<'_>) -> Outcome {
    let functions: &EntityVec<Func, FuncDecl<'_>> = &module.funcs;
    let mut outcome = Outcome::default();
    for (_, function) in functions.entries() {
        let FuncDecl::Body(_, _, body) = function else { continue };
        outcome.functions += 1;
        for (block, data) in body.blocks.entries() {
            outcome.blocks += 1;
            if block != body.entry {
                outcome.phis += data.params.len() as u64;
            }
        }
    }
    outcome
}

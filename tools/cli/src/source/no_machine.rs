//! In place of [`machine`](super::machine) where the command is built without machine code: refusals.

use super::{NotRun, Ran, Run};
use ssaphire_ir::{Basic, Function};
use ssaphire_wasm::{Module, Number};

const REFUSAL: &str = "`--jit` requires the feature `jit`: cargo build --package ssaphire-cli --features jit";

pub(super) fn run_basic(_: &[Function<Basic>], _: &Run<'_>) -> Result<Ran, NotRun> {
    Err(NotRun::new(REFUSAL))
}

pub(super) fn run_module(_: &Module, _: &Run<'_>, _: &[Number]) -> Result<Result<Vec<Number>, String>, NotRun> {
    Err(NotRun::new(REFUSAL))
}

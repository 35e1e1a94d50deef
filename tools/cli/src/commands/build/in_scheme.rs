//! `ssaphire build --emit scheme`: what stands around the functions of a program.

use super::super::run::MAIN;
use crate::input::Input;
use ssaphire_ir::cps::scheme;
pub(super) use ssaphire_ir::cps::scheme::RUNTIME;

/// The end of a program: it runs the function called `main`, or the first one.
pub(super) fn start(input: &Input) -> String {
    let mut names = input.functions.iter().map(|&index| input.source.name(index));
    let first = names.next().unwrap_or_default();
    let name = if names.any(|name| name == MAIN) { MAIN } else { &first };
    let mut text = String::new();
    // A string takes everything.
    let _ = scheme::start(name, &mut text);
    text
}

//! A function in React Compiler's HIR, after all stages.

use ssaphire_js::source::{SourceKind, with_types};
use ssaphire_react::{Roots, Stage, Style, ZeroSigns, lower, print, run_to};

const SOURCE: &str = "function f(a) { let x = 1; if (a) { x = 2; } return x + 1; }";

/// The function has a phi.
pub(crate) fn check() -> Result<(), String> {
    let roots = with_types(SOURCE, SourceKind::SCRIPT, |parsed| lower(&parsed, Roots::TopLevel));
    let root = roots.map_err(|error| error.to_string())?.pop().ok_or("no function")?;
    let mut function = root.hir.map_err(|error| error.reason)?;
    run_to(&mut function, Stage::ConstantPropagation, ZeroSigns::Distinct).map_err(|error| error.reason)?;
    let text = print(&function, Style::React100);
    if text.matches(": phi(").count() == 1 { Ok(()) } else { Err(text) }
}

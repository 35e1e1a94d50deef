//! Texts before and after a pass.

pub(crate) mod json_form;
mod memory_run;
mod spelled;

pub(crate) use memory_run::memory_behavior;
pub(crate) use spelled::check_spellings;

use ssaphire::check;
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function};

/// Reads a function in SSA form, or with variables.
pub(crate) fn read(source: &str) -> Function<Basic> {
    let function = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(check::rules(&function), []);
    function
}

/// What `pass` makes of `source` is `expected`, but for variables that nothing is a version of any more.
#[track_caller]
pub(crate) fn check_pass<T>(source: &str, expected: &str, pass: impl Fn(&mut Function<Basic>) -> T) -> T {
    let mut function = read(source);
    let result = pass(&mut function);
    assert_eq!(function.check_form(), []);
    assert_eq!(check::rules(&function), []);
    function.canonicalize();
    let text = function.to_string();
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.starts_with("var ")).map(str::to_owned).collect()
    };
    assert_eq!(lines(&text), lines(&read(expected).to_string()), "\n{text}");
    result
}

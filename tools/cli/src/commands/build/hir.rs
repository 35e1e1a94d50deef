//! `ssaphire build --emit hir`: functions in the HIR of React Compiler.

use super::super::Status;
use super::wrong;
use crate::arguments::BuildArguments;
use crate::console::Console;
use crate::diagnostic::{Failure, counted, plain};
use crate::input::Input;
use std::io::Write;

/// Which form of the HIR is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HirForm {
    /// That of one stage, by its number in the order of the compiler.
    Stage(usize),
    /// As it is lowered, and in SSA form beside that.
    Diff,
}

/// What is written, if it is the HIR.
pub(super) fn form(arguments: &BuildArguments) -> Result<HirForm, Failure> {
    if !arguments.input.functions.is_empty() {
        return Err(wrong("`--function` conflicts with `--emit hir`, because nested functions share their numbers"));
    }
    if arguments.diff {
        return Ok(HirForm::Diff);
    }
    Ok(HirForm::Stage(arguments.stage.unwrap_or_default()))
}

/// Writes all functions of all inputs; those that have no HIR are findings.
pub(super) fn run(inputs: &[Input], form: HirForm, is_quiet: bool, console: &mut Console) -> Result<Status, Failure> {
    let (mut written, mut missing) = (0, 0);
    for (number, input) in inputs.iter().enumerate() {
        if inputs.len() > 1 {
            let gap = if number == 0 { "" } else { "\n" };
            writeln!(console.output, "{gap}; {}", plain(&input.name))?;
        }
        for answer in input.source.hir(form).map_err(Failure::Input)? {
            match answer {
                Ok(text) => {
                    if written > 0 {
                        writeln!(console.output)?;
                    }
                    writeln!(console.output, "{text}")?;
                    written += 1;
                }
                Err(problem) => {
                    console.error(&problem);
                    missing += 1;
                }
            }
        }
    }
    console.output.flush()?;
    if !is_quiet {
        let missing = if missing == 0 { String::new() } else { format!(", {missing} that React Compiler rejects") };
        console.note(&format!("{} at the top{missing}", counted(written, "function")));
    }
    Ok(Status::finding_if(missing > 0))
}

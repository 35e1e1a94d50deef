//! Table 2 of Braun et al. 2013 for `ssaphire opt` and `opt -passes=mem2reg`: the instructions that each executes.
//!
//! # Departures
//! In the paper both constructions are part of a compiler. Here both are processes that read text and write text, so that
//! parsing and printing count, and for ours its judge.

use super::programs::Program;
use super::{Comparison, Unit, counts};
use crate::failure::Failure;
use crate::workspace::could_not_start;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The head of the table.
pub(super) const HEAD: &str =
    "program              file                     bytes   promoted   ssaphire: insts        opt: insts  ratio";

/// What was measured on a file.
pub(super) struct Row {
    file: String,
    bytes: u64,
    /// Slots and accesses that are gone.
    promoted: u64,
    by_us: u64,
    by_mem2reg: u64,
}

/// Measures the file of a program that is the largest in LLVM IR.
pub(super) fn measure(program: &Program, comparison: &Comparison<'_>) -> Result<Option<Row>, Failure> {
    let sources = comparison.files(program)?;
    let mut largest: Option<(u64, &PathBuf, [PathBuf; 3])> = None;
    for source in &sources.files {
        let paths = comparison.compile(Unit { program, folder: &sources.folder, source, flags: &[] })?;
        let bytes = fs::metadata(&paths[0]).map_err(Failure::file(&paths[0]))?.len();
        if largest.as_ref().is_none_or(|(most, ..)| *most < bytes) {
            largest = Some((bytes, source, paths));
        }
    }
    let Some((bytes, source, [before, by_mem2reg, by_us])) = largest else { return Ok(None) };
    let out = comparison.folder.join("callgrind.out");
    let mut ours = comparison.ours_on(&before);
    let num_by_us = executed(ours.arg("-o").arg(&by_us), &out)?;
    let num_by_mem2reg = executed(&comparison.tools.opt_command("mem2reg", &before, &by_mem2reg), &out)?;
    let promoted = counts::count(&before)?.memory.saturating_sub(counts::count(&by_us)?.memory);
    let file = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some(Row { file, bytes, promoted, by_us: num_by_us, by_mem2reg: num_by_mem2reg }))
}

impl Row {
    /// Its line in the table.
    pub(super) fn line(&self, name: &str) -> String {
        let ratio = 100.0 * self.by_us as f64 / self.by_mem2reg.max(1) as f64;
        let Self { file, bytes, promoted, by_us, by_mem2reg } = self;
        format!("{name:20} {file:20} {bytes:>9} {promoted:>10} {by_us:>17} {by_mem2reg:>17} {ratio:5.1}%")
    }
}

/// The instructions that a command executes, by callgrind.
pub(super) fn executed(command: &Command, out: &Path) -> Result<u64, Failure> {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", out.display()));
    valgrind.arg(command.get_program()).args(command.get_args());
    valgrind.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let result = valgrind.output().map_err(|error| could_not_start("valgrind", error))?;
    if !result.status.success() {
        return Err(Failure::command(format!("{valgrind:?}"), &result));
    }
    let text = fs::read_to_string(out).map_err(Failure::file(out))?;
    let problem = "no line `totals:` or `summary:`".to_owned();
    total(&text).ok_or(Failure::Answer { command: "valgrind --tool=callgrind".to_owned(), problem })
}

/// The total of a file by callgrind.
fn total(text: &str) -> Option<u64> {
    let line = |name| text.lines().find_map(|line| line.strip_prefix(name));
    line("totals:").or_else(|| line("summary:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn totals_are_read() {
        assert_eq!(total("version: 1\nevents: Ir\n\ntotals: 1234\n"), Some(1234));
        assert_eq!(total("summary: 56\n"), Some(56));
        assert_eq!(total("fn=(1) main\n"), None);
    }
}

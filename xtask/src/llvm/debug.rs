//! Variables that a debugger finds, in machine code from what mem2reg writes and from what we write.
//!
//! `llvm-dwarfdump --statistics` says of an object how many variables of the source have a location, and for how many of
//! the bytes of their scopes. Records that are lost or wrong show as fewer of them. The figures of two promotions are not
//! equal: the phis of a block come in another order, so `llc` places other copies and the scopes have other lengths, and a
//! variable with the contents of another keeps its location a few instructions more or less.

use super::programs::Program;
use super::{Comparison, Unit};
use crate::failure::Failure;
use crate::workspace::could_not_start;
use serde_json::Value;
use std::ops::AddAssign;
use std::path::Path;

/// A level of optimization in `llc`.
struct Level {
    option: &'static str,
    /// How much less coverage than mem2reg's is accepted, in percentage points.
    tolerance: f64,
}

/// Without passes, what was written shows; with them, what is left of it.
///
/// With them, coverage depends on the order of phis: shuffled in mem2reg's own file, those of `decompress.c` of bzip2 have given
/// 74.8 to 77.1 % by LLVM 19, where mem2reg's order gives 77.4 % and ours 76.2 %.
static LEVELS: [Level; 2] = [Level { option: "-O0", tolerance: 0.1 }, Level { option: "-O2", tolerance: 1.5 }];

/// The head of the table.
pub(super) const HEAD: &str = "program             level  mem2reg: variables  with location  coverage   ssaphire: variables  with location  coverage";

/// Of a hundred variables, how many may be without location beyond those of mem2reg's.
const VARIABLES_TOLERANCE: f64 = 0.1;

/// What the objects of a program say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Coverage {
    variables: u64,
    located: u64,
    bytes: u64,
    covered: u64,
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.variables += other.variables;
        self.located += other.located;
        self.bytes += other.bytes;
        self.covered += other.covered;
    }
}

impl Coverage {
    /// The share of variables with a location, in percent.
    fn of_variables(&self) -> f64 {
        100.0 * self.located as f64 / self.variables.max(1) as f64
    }

    /// The share of bytes in scopes where variables have a location, in percent.
    fn of_bytes(&self) -> f64 {
        100.0 * self.covered as f64 / self.bytes.max(1) as f64
    }

    fn columns(&self) -> String {
        format!("{:>9}  {:>13}  {:>7.2}%", self.variables, self.located, self.of_bytes())
    }

    /// Whether it is as good as mem2reg's, but for some percentage points of coverage.
    fn is_like(&self, by_mem2reg: &Self, tolerance: f64) -> bool {
        self.of_variables() >= by_mem2reg.of_variables() - VARIABLES_TOLERANCE
            && self.of_bytes() >= by_mem2reg.of_bytes() - tolerance
    }
}

/// The coverage of a program by level, of mem2reg's files and of ours.
pub(super) struct Row([[Coverage; 2]; 2]);

impl Row {
    /// Compiles, promotes and measures the files of a program.
    pub(super) fn measure(program: &Program, comparison: &Comparison<'_>) -> Result<Self, Failure> {
        let mut row = Self(<_>::default());
        let sources = comparison.files(program)?;
        for source in &sources.files {
            let [_, by_mem2reg, by_us] =
                comparison.promote(Unit { program, folder: &sources.folder, source, flags: &["-g"] })?;
            for (sums, level) in row.0.iter_mut().zip(&LEVELS) {
                for (sum, file) in sums.iter_mut().zip([&by_mem2reg, &by_us]) {
                    *sum += coverage(file, level.option, comparison)?;
                }
            }
        }
        Ok(row)
    }

    /// Its lines in the table, each with whether ours is as good as mem2reg's.
    pub(super) fn lines(&self, name: &str) -> [(String, bool); 2] {
        let line = |level: &Level, [by_mem2reg, by_us]: [Coverage; 2]| {
            let (one, other) = (by_mem2reg.columns(), by_us.columns());
            let line = format!("{name:20}{:5}  {one:>43}   {other:>44}", level.option);
            (line, by_us.is_like(&by_mem2reg, level.tolerance))
        };
        let [zero, two] = self.0;
        [line(&LEVELS[0], zero), line(&LEVELS[1], two)]
    }
}

fn coverage(file: &Path, level: &str, comparison: &Comparison<'_>) -> Result<Coverage, Failure> {
    let object = file.with_extension("o");
    comparison.tools.compile_ir(file, level, &object)?;
    let mut command = comparison.tools.command("llvm-dwarfdump");
    let result = command.arg("--statistics").arg(&object).output();
    let result = result.map_err(|error| could_not_start("llvm-dwarfdump", error))?;
    let json: Result<Value, _> = serde_json::from_slice(&result.stdout);
    let statistics = json.map_err(|error| error.to_string()).and_then(|json| read(&json));
    statistics.map_err(|problem| Failure::Answer { command: "llvm-dwarfdump --statistics".to_owned(), problem })
}

fn read(json: &Value) -> Result<Coverage, String> {
    let number = |name: &str| json[name].as_u64().ok_or_else(|| format!("no number `{name}`"));
    Ok(Coverage {
        variables: number("#source variables")?,
        located: number("#source variables with location")?,
        bytes: number("sum_all_variables(#bytes in parent scope)")?,
        covered: number("sum_all_variables(#bytes in parent scope covered by DW_AT_location)")?,
    })
}

#[cfg(test)]
mod tests {
    use super::Coverage;

    #[test]
    fn lost_variables_and_lost_bytes_are_found() {
        let good = Coverage { variables: 100, located: 100, bytes: 1000, covered: 800 };
        assert!(good.is_like(&good, 0.5));
        assert!(Coverage { covered: 796, ..good }.is_like(&good, 0.5));
        assert!(!Coverage { covered: 700, ..good }.is_like(&good, 0.5));
        assert!(!Coverage { located: 99, ..good }.is_like(&good, 0.5));
    }
}

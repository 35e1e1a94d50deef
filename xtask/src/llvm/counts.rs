//! Instructions, memory operations and phis of programs, promoted by us and by `mem2reg`.

use super::programs::Program;
use super::{Comparison, Unit, execute};
use crate::failure::Failure;
use crate::workspace::could_not_start;
use std::fs;
use std::ops::AddAssign;
use std::path::Path;
use std::process::Command;

/// What is counted in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    instructions: u64,
    pub(super) memory: u64,
    phis: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.memory += other.memory;
        self.phis += other.phis;
    }
}

/// What was found about a program by one version.
#[derive(Default)]
pub(super) struct Row {
    before: Counts,
    by_mem2reg: Counts,
    by_us: Counts,
    /// Files whose counts differ.
    pub(super) differing: Vec<String>,
    /// Functions of mem2reg's that were accepted.
    accepted: u64,
    /// Those of them of which the judge has accepted a certificate.
    certified: u64,
    /// What was not accepted.
    pub(super) refused: Vec<String>,
    /// Whether it does the same built from our files, if it was executed.
    pub(super) is_same: Option<bool>,
}

/// The head of the table.
pub(super) const HEAD: &str = "program     before: insts  memory    phis   mem2reg: insts  memory    phis   ssaphire: insts  memory    phis  ratio  accepted  certified  executed";

/// Compiles and promotes the files of a program, judges and executes it.
pub(super) fn compare(program: &Program, comparison: &Comparison<'_>) -> Result<Row, Failure> {
    let mut row = Row::default();
    let (mut files, mut our_files) = (Vec::new(), Vec::new());
    let sources = comparison.files(program)?;
    for source in &sources.files {
        let [before, by_mem2reg, by_us] =
            comparison.promote(Unit { program, folder: &sources.folder, source, flags: &[] })?;
        comparison.tools.opt("verify", &by_us, &by_us.with_extension("verified"))?;
        let (one, other) = (count(&by_mem2reg)?, count(&by_us)?);
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        if one != other {
            row.differing.push(format!("{stem}: {one:?} by mem2reg, {other:?} by us"));
        }
        row.before += count(&before)?;
        row.by_mem2reg += one;
        row.by_us += other;
        row.judge(&stem, &before, &by_mem2reg, comparison)?;
        files.push(before);
        our_files.push(by_us);
    }
    if let Some(source) = sources.largest()? {
        row.is_same = execute::is_same(program, [&files, &our_files], source, comparison.tools, &comparison.folder)?;
    }
    Ok(row)
}

impl Row {
    /// Asks `ssaphire check` about mem2reg's functions of a file.
    fn judge(&mut self, stem: &str, before: &Path, after: &Path, comparison: &Comparison<'_>) -> Result<(), Failure> {
        let certificates = after.with_extension("cert");
        let mut command = Command::new(comparison.ours);
        command.args(["check", "--json", &comparison.version_option(), "--certify"]).arg(&certificates);
        let json = answer(command.args([before, after]))?;
        let pair = &json["promotions"][0];
        let [refused, uncertified, unchanged] =
            ["refused", "uncertified", "unchanged"].map(|key| pair[key].as_array().map_or(&[][..], Vec::as_slice));
        let accepted = pair["accepted"].as_u64().unwrap_or(0);
        self.accepted += accepted;
        self.refused.extend(refused.iter().map(|one| format!("{stem}: {}: {}", one["function"], one["message"])));

        let mut command = Command::new(comparison.ours);
        let judged = answer(command.args(["check", "--json", "--refine", "--certificate"]).arg(&certificates))?;
        let programs = judged["programs"].as_array().map_or(&[][..], Vec::as_slice);
        let wrong = programs.iter().filter(|program| program["accepted"] != true);
        self.refused.extend(wrong.map(|program| format!("{stem}: certificate of {}", program["name"])));
        let num_without = uncertified.len() + unchanged.len();
        self.certified += accepted - (num_without as u64).min(accepted);
        Ok(())
    }

    /// Its line in the table.
    pub(super) fn line(&self, name: &str) -> String {
        let counts = |counts: &Counts| format!("{:>9} {:>7} {:>7}", counts.instructions, counts.memory, counts.phis);
        let ratio = 100.0 * self.by_us.instructions as f64 / self.before.instructions.max(1) as f64;
        format!(
            "{name:10} {:>25}  {:>26}  {:>26} {ratio:5.1}% {:>9} {:>10}  {}",
            counts(&self.before),
            counts(&self.by_mem2reg),
            counts(&self.by_us),
            self.accepted,
            self.certified,
            match self.is_same {
                None => "-",
                Some(true) => "the same",
                Some(false) => "OTHER",
            }
        )
    }
}

/// What a command of ours prints as JSON.
fn answer(command: &mut Command) -> Result<serde_json::Value, Failure> {
    let output = command.output().map_err(|error| could_not_start("ssaphire", error))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure::Answer { command: "ssaphire check".to_owned(), problem: error.to_string() })
}

/// Counts the instructions of a file.
pub(super) fn count(path: &Path) -> Result<Counts, Failure> {
    Ok(count_text(&fs::read_to_string(path).map_err(Failure::file(path))?))
}

fn count_text(text: &str) -> Counts {
    let mut counts = Counts::default();
    let mut is_body = false;
    for line in text.lines() {
        if line.starts_with("define ") || line == "}" {
            is_body = line != "}";
            continue;
        }
        // Cases of a switch, clauses and records stand further to the right.
        let is_inst = is_body && line.starts_with("  ") && !line.starts_with("   ") && !line.starts_with("  ]");
        if is_inst {
            let after = line.split_once(" = ").map_or(line.trim_start(), |(_, after)| after);
            let is_memory = ["alloca ", "load ", "store "].iter().any(|word| after.starts_with(word));
            counts +=
                Counts { instructions: 1, memory: u64::from(is_memory), phis: u64::from(after.starts_with("phi ")) };
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::{Counts, count_text};

    #[test]
    fn instructions_are_counted_and_nothing_else() {
        let text = "@g = global i32 0\ndefine void @f() {\n  %s = alloca i32\n  store i32 1, ptr %s\n    #dbg_value(i32 1, !1)\n  \
                    switch i32 %x, label %a [\n    i32 1, label %a\n  ]\n\na:\n  %p = phi i32 [ 1, %0 ]\n  ret void\n}\n";
        assert_eq!(count_text(text), Counts { instructions: 5, memory: 2, phis: 1 });
    }
}

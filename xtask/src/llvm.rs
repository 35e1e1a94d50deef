//! `cargo xtask llvm`: programs in C and Fortran, compiled by several versions of LLVM and promoted by us and by `mem2reg`.
//!
//! Each version of LLVM comes from Debian's packages, unpacked below `target/llvm` and not installed; the programs are the
//! sources of crates that compile them. For each file our result is verified by that version's `opt`, mem2reg's is judged by
//! `ssaphire check`, and instructions, memory operations and phis of both are counted.

mod execute;
mod programs;
mod tools;

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use programs::Program;
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::Command;
use tools::Tools;

/// The versions that are compared where none is named: of typed and opaque pointers, debug intrinsics and records.
const VERSIONS: [u32; 4] = [14, 16, 19, 22];

/// What is counted in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    instructions: u64,
    memory: u64,
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
struct Row {
    before: Counts,
    by_mem2reg: Counts,
    by_us: Counts,
    /// Files whose counts differ.
    differing: Vec<String>,
    /// Functions of mem2reg's that were accepted.
    accepted: u64,
    /// What was not.
    refused: Vec<String>,
    /// Whether it does the same built from our files, if it was executed.
    is_same: Option<bool>,
}

/// Compares all programs by the versions named, or by all.
pub(crate) fn run(workspace: &Workspace, versions: &[u32]) -> Result<(), Failure> {
    let versions = if versions.is_empty() { &VERSIONS[..] } else { versions };
    let folder = workspace.root().join("target").join("llvm");
    let ours = build_command(workspace)?;
    let sources = programs::bring(workspace, &folder.join("sources"))?;
    let mut num_refused = 0;
    for &version in versions {
        let tools = Tools::bring(version, &folder)?;
        println!("LLVM {version}\n{HEAD}");
        for program in programs::PROGRAMS.iter().filter(|program| tools.knows(program.language)) {
            let row = compare(program, &sources, &tools, &ours, &folder.join(version.to_string()))?;
            println!("{}", row.line(program.name));
            row.refused.iter().for_each(|line| println!("  refused: {line}"));
            row.differing.iter().for_each(|file| println!("  other counts: {file}"));
            num_refused += row.refused.len() + usize::from(row.is_same == Some(false));
        }
        println!();
    }
    if num_refused == 0 { Ok(()) } else { Err(Failure::Refused { refused: num_refused, programs: versions.len() }) }
}

const HEAD: &str = "program     before: insts  memory    phis   mem2reg: insts  memory    phis   ssaphire: insts  memory    phis  ratio  accepted  executed";

impl Row {
    fn line(&self, name: &str) -> String {
        let counts = |counts: &Counts| format!("{:>9} {:>7} {:>7}", counts.instructions, counts.memory, counts.phis);
        let ratio = 100.0 * self.by_us.instructions as f64 / self.before.instructions.max(1) as f64;
        format!(
            "{name:10} {:>25}  {:>26}  {:>26} {ratio:5.1}% {:>9}  {}",
            counts(&self.before),
            counts(&self.by_mem2reg),
            counts(&self.by_us),
            self.accepted,
            match self.is_same {
                None => "-",
                Some(true) => "the same",
                Some(false) => "OTHER",
            }
        )
    }
}

/// The command, built with LLVM IR.
fn build_command(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--locked", "--package", "ssaphire-cli", "--features", "llvm"]);
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if !status.success() {
        return Err(Failure::step("build", status));
    }
    Ok(workspace.root().join("target").join("release").join("ssaphire"))
}

/// Compiles and promotes the files of a program.
fn compare(program: &Program, sources: &Path, tools: &Tools, ours: &Path, folder: &Path) -> Result<Row, Failure> {
    fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    let mut row = Row::default();
    let (mut files, mut our_files) = (Vec::new(), Vec::new());
    let all_sources = program.files(sources)?;
    for source in &all_sources {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let [before, by_mem2reg, by_us] =
            ["", ".mem2reg", ".ours"].map(|kind| folder.join(format!("{}-{stem}{kind}.ll", program.name)));
        tools.compile(program.language, source, program.flags, &before)?;
        tools.opt("mem2reg", &before, &by_mem2reg)?;
        let version = format!("--llvm-version={}", tools.version());
        output(Command::new(ours).args(["opt", "-q", &version]).arg(&before).arg("-o").arg(&by_us))?;
        tools.opt("verify", &by_us, &by_us.with_extension("verified"))?;
        let (one, other) = (count(&by_mem2reg)?, count(&by_us)?);
        if one != other {
            row.differing.push(format!("{stem}: {one:?} by mem2reg, {other:?} by us"));
        }
        row.before += count(&before)?;
        row.by_mem2reg += one;
        row.by_us += other;
        let judged = Command::new(ours).args(["check", "--json", &version]).args([&before, &by_mem2reg]).output();
        let judged = judged.map_err(|error| could_not_start("ssaphire", error))?;
        let json: serde_json::Value = serde_json::from_slice(&judged.stdout)
            .map_err(|error| Failure::Answer { command: "ssaphire check".to_owned(), problem: error.to_string() })?;
        let pair = &json["promotions"][0];
        row.accepted += pair["accepted"].as_u64().unwrap_or(0);
        let refused = pair["refused"].as_array().into_iter().flatten();
        row.refused.extend(refused.map(|one| format!("{stem}: {}: {}", one["function"], one["message"])));
        files.push(before);
        our_files.push(by_us);
    }
    if let Some(source) = all_sources.first() {
        row.is_same = execute::is_same(program, [&files, &our_files], source, tools, folder)?;
    }
    Ok(row)
}

/// Runs a command that has to succeed.
fn output(command: &mut Command) -> Result<(), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| could_not_start(&name, error))?;
    if output.status.success() { Ok(()) } else { Err(Failure::command(format!("{command:?}"), &output)) }
}

/// Counts the instructions of a file.
fn count(path: &Path) -> Result<Counts, Failure> {
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

//! `cargo xtask llvm`: programs in C and Fortran, compiled by several versions of LLVM and promoted by us and by `mem2reg`.
//!
//! Each version of LLVM comes from Debian's packages, unpacked below `target/llvm` and not installed; the programs are the
//! sources of crates that compile them, and source packages of Debian. For each file our result is verified by that version's `opt`, mem2reg's is judged by
//! `ssaphire check`, and instructions, memory operations and phis of both are counted.

mod counts;
mod crates;
mod debian;
mod debug;
mod execute;
mod hostile;
mod instructions;
mod programs;
mod tools;

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use programs::{Language, Origin, Program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tools::Tools;

/// The versions that are compared where none is named: of typed and opaque pointers, debug intrinsics and records.
const VERSIONS: [u32; 4] = [14, 16, 19, 22];

/// Arguments of `cargo xtask llvm`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The versions of LLVM; where none is named, 14, 16, 19 and 22
    versions: Vec<u32>,
    /// Only this program; may be given several times
    #[arg(long, value_name = "NAME", value_parser = programs::named)]
    program: Vec<&'static Program>,
    /// Count the instructions that `opt` and `ssaphire opt` execute on the largest file of each program: takes valgrind, and minutes
    #[arg(long, conflicts_with = "debug")]
    instructions: bool,
    /// Compile programs in C with `-g`, and compare the variables that have a location in machine code: takes minutes
    #[arg(long)]
    debug: bool,
    /// Promote files that no compiler writes, all small ones and the largest: takes valgrind, 4 GB of memory, and minutes
    #[arg(long, conflicts_with_all = ["versions", "program", "instructions", "debug"])]
    hostile: bool,
}

/// Programs of a version of LLVM, our command, and the folder for what they write.
struct Comparison<'a> {
    workspace: &'a Workspace,
    tools: &'a Tools,
    ours: &'a Path,
    folder: PathBuf,
}

/// A file of a program, and how it is compiled.
#[derive(Clone, Copy)]
struct Unit<'a> {
    program: &'a Program,
    /// The folder of the program's sources.
    folder: &'a Path,
    source: &'a Path,
    /// What the compiler is told besides the flags of the program.
    flags: &'a [&'a str],
}

/// The sources of a program.
struct Sources {
    folder: PathBuf,
    files: Vec<PathBuf>,
}

/// Compares programs by versions of LLVM.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<(), Failure> {
    let versions = if arguments.versions.is_empty() { &VERSIONS[..] } else { &arguments.versions };
    let all: Vec<&Program> = programs::PROGRAMS.iter().collect();
    let programs = if arguments.program.is_empty() { &all[..] } else { &arguments.program };
    let folder = llvm_folder(workspace);
    let ours = build_command(workspace)?;
    if arguments.hostile {
        return match hostile::run(workspace, &ours, &folder)? {
            0 => Ok(()),
            refused => Err(Failure::Refused { refused, programs: hostile::NUM_FAMILIES }),
        };
    }
    let mut num_refused = 0;
    for &version in versions {
        let tools = Tools::bring(version, &folder)?;
        let folder = folder.join(version.to_string());
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        let comparison = Comparison { workspace, tools: &tools, ours: &ours, folder };
        let programs = programs.iter().filter(|program| tools.knows(program.language));
        println!("LLVM {version}");
        let print = match arguments {
            Arguments { instructions: true, .. } => print_instructions,
            Arguments { debug: true, .. } => print_debug,
            _ => print_counts,
        };
        num_refused += print(&programs.copied().collect::<Vec<_>>(), &comparison)?;
        println!();
    }
    if num_refused == 0 {
        Ok(())
    } else {
        Err(Failure::Refused { refused: num_refused, programs: versions.len() * programs.len() })
    }
}

/// Compares counts, and returns how many functions or programs failed.
fn print_counts(programs: &[&Program], comparison: &Comparison<'_>) -> Result<usize, Failure> {
    let mut num_refused = 0;
    println!("{}", counts::HEAD);
    for program in programs {
        let row = counts::compare(program, comparison)?;
        println!("{}", row.line(&comparison.name(program)?));
        row.refused.iter().for_each(|line| println!("  refused: {line}"));
        row.differing.iter().for_each(|file| println!("  other counts: {file}"));
        num_refused += row.refused.len() + usize::from(row.is_same == Some(false));
    }
    Ok(num_refused)
}

/// Compares executed instructions; nothing can fail.
fn print_instructions(programs: &[&Program], comparison: &Comparison<'_>) -> Result<usize, Failure> {
    println!("{}", instructions::HEAD);
    for program in programs {
        if let Some(row) = instructions::measure(program, comparison)? {
            println!("{}", row.line(&comparison.name(program)?));
        }
    }
    Ok(0)
}

/// Compares variables with locations, and returns how many programs have fewer by ours.
fn print_debug(programs: &[&Program], comparison: &Comparison<'_>) -> Result<usize, Failure> {
    let mut num_fewer = 0;
    println!("{}", debug::HEAD);
    for program in programs.iter().filter(|program| program.language == Language::C) {
        for (line, is_like) in debug::Row::measure(program, comparison)?.lines(&comparison.name(program)?) {
            println!("{line}{}", if is_like { "" } else { "  FEWER" });
            num_fewer += usize::from(!is_like);
        }
    }
    Ok(num_fewer)
}

impl Comparison<'_> {
    /// The sources of a program, which are fetched if they are not there.
    fn files(&self, program: &Program) -> Result<Sources, Failure> {
        let folder = llvm_folder(self.workspace);
        let folder = match &program.origin {
            Origin::Crate => crates::bring(self.workspace, &folder.join("sources"))?,
            Origin::Debian(package) => package.bring(&folder.join("debian"))?,
        };
        Ok(Sources { files: program.files(&folder)?, folder })
    }

    /// A program's name, with its version if that is not pinned; its sources have been brought.
    fn name(&self, program: &Program) -> Result<String, Failure> {
        Ok(match &program.origin {
            Origin::Crate => program.name.to_owned(),
            Origin::Debian(package) => {
                let version = package.version(&llvm_folder(self.workspace).join("debian"))?;
                format!("{} {version}", program.name)
            }
        })
    }

    /// Compiles a source; the files before promotion, by mem2reg and by us, of which the last two are not
    /// written yet.
    fn compile(&self, unit: Unit<'_>) -> Result<[PathBuf; 3], Failure> {
        let stem = unit.source.file_stem().unwrap_or_default().to_string_lossy();
        let paths = ["", ".mem2reg", ".ours"]
            .map(|kind| self.folder.join(format!("{}-{stem}{}{kind}.ll", unit.program.name, unit.flags.concat())));
        self.tools.compile(unit, &paths[0])?;
        Ok(paths)
    }

    /// Compiles a source and promotes it: the files before, by mem2reg and by us.
    fn promote(&self, unit: Unit<'_>) -> Result<[PathBuf; 3], Failure> {
        let paths = self.compile(unit)?;
        let [before, by_mem2reg, by_us] = &paths;
        self.tools.opt("mem2reg", before, by_mem2reg)?;
        output(self.ours_on(before).arg("-o").arg(by_us))?;
        Ok(paths)
    }

    /// Our promotion of a file.
    fn ours_on(&self, before: &Path) -> Command {
        let mut command = Command::new(self.ours);
        command.args(["opt", "-q", &self.version_option()]).arg(before);
        command
    }

    fn version_option(&self) -> String {
        format!("--llvm-version={}", self.tools.version())
    }
}

impl Sources {
    /// The largest file.
    fn largest(&self) -> Result<Option<&Path>, Failure> {
        let mut largest: Option<(u64, &Path)> = None;
        for file in &self.files {
            let size = fs::metadata(file).map_err(Failure::file(file))?.len();
            if largest.is_none_or(|(other, _)| other < size) {
                largest = Some((size, file));
            }
        }
        Ok(largest.map(|(_, file)| file))
    }
}

/// The folder for everything that is fetched and written.
fn llvm_folder(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target").join("llvm")
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

/// Runs a command that has to succeed.
fn output(command: &mut Command) -> Result<(), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| could_not_start(&name, error))?;
    if output.status.success() { Ok(()) } else { Err(Failure::command(format!("{command:?}"), &output)) }
}

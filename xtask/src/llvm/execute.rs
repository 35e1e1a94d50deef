//! Programs that are built from what we write do what they do without us.

use super::programs::Program;
use super::tools::Tools;
use crate::failure::Failure;
use crate::workspace::could_not_start;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// How a program is executed.
pub(super) struct Execution {
    /// A further file in C with a `main`, if the program has none.
    pub(super) driver: Option<(&'static str, &'static str)>,
    pub(super) arguments: &'static [&'static str],
    /// The arguments with which it makes its input of its output.
    pub(super) back: Option<&'static [&'static str]>,
    /// Files that are programs of their own.
    pub(super) left_out: &'static [&'static str],
    /// The contents of standard input; `None` for a source of the program.
    pub(super) input: Option<&'static str>,
    /// What it is linked with, as the linker is told.
    pub(super) libraries: &'static [&'static str],
}

/// Links the files of a program before and after, executes both, and says whether they have printed the same, and
/// what they were given after the way back.
pub(super) fn is_same(
    program: &Program,
    files: [&[PathBuf]; 2],
    source: &Path,
    tools: &Tools,
    folder: &Path,
) -> Result<Option<bool>, Failure> {
    let Some(execution) = &program.execution else { return Ok(None) };
    let input = folder.join(format!("{}.input", program.name));
    match execution.input {
        Some(text) => fs::write(&input, text).map_err(Failure::file(&input))?,
        None => drop(fs::copy(source, &input).map_err(Failure::file(source))?),
    }
    let mut outputs = Vec::new();
    let mut is_back = true;
    for (files, name) in files.into_iter().zip(["before", "ours"]) {
        let built = folder.join(format!("{}.{name}", program.name));
        link(execution, files, tools, &built)?;
        let output = execute(&built, execution.arguments, &input)?;
        if let Some(arguments) = execution.back {
            let written = folder.join(format!("{}.{name}.output", program.name));
            fs::write(&written, &output.stdout).map_err(Failure::file(&written))?;
            let original = fs::read(&input).map_err(Failure::file(&input))?;
            is_back &= execute(&built, arguments, &written)?.stdout == original;
        }
        outputs.push(output);
    }
    let [before, ours] = &outputs[..] else { return Ok(None) };
    let is_same = before.status.success() && before.status == ours.status && before.stdout == ours.stdout;
    Ok(Some(is_same && is_back && !before.stdout.is_empty()))
}

fn link(execution: &Execution, files: &[PathBuf], tools: &Tools, target: &Path) -> Result<(), Failure> {
    let mut command = Command::new("cc");
    let is_left_out = |file: &&PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        execution.left_out.iter().any(|left_out| name.contains(left_out))
    };
    for file in files.iter().filter(|file| !is_left_out(file)) {
        let object = file.with_extension("o");
        tools.compile_ir(file, "-O0", &object)?;
        command.arg(object);
    }
    if let Some((name, text)) = execution.driver {
        let driver = target.with_file_name(name);
        fs::write(&driver, text).map_err(Failure::file(&driver))?;
        command.arg(driver);
    }
    super::output(command.arg("-o").arg(target).args(["-lm", "-ldl", "-lpthread"]).args(execution.libraries))
}

fn execute(built: &Path, arguments: &[&str], input: &Path) -> Result<Output, Failure> {
    let mut command = Command::new(built);
    let input = File::open(input).map_err(Failure::file(input))?;
    command.args(arguments).stdin(input).stderr(Stdio::null());
    command.output().map_err(|error| could_not_start(&built.display().to_string(), error))
}

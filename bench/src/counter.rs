//! The program that counts allocations, and what it says.

use crate::failure::Failure;
use crate::measure::{self, Memory};
use crate::subject::Subject;
use crate::trace::Trace;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the program that counts.
const PROGRAM: &str = "ssaphire-bench-counting";

/// What a first replay takes from the heap, and how often a second one allocates; `None` where nothing counts.
pub fn count(subject: Subject, trace: &Trace) -> Option<(Memory, u64)> {
    let (mut replayer, first) = measure::memory(|| {
        let mut replayer = subject.start();
        replayer.replay(trace);
        replayer
    });
    let ((), second) = measure::memory(|| replayer.replay(trace));
    Some((first?, second?.allocations))
}

/// The program that counts, which lies beside this one.
///
/// # Errors
/// If this one cannot be found.
pub fn program() -> Result<PathBuf, Failure> {
    let this = std::env::current_exe().map_err(Failure::file(Path::new(PROGRAM)))?;
    Ok(this.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)))
}

/// The same from the program that counts, which lies beside this one; the trace is in the file `words`.
///
/// # Errors
/// If that program is not there, fails, or answers in another form.
pub fn ask(subject: Subject, words: &Path) -> Result<(Memory, u64), Failure> {
    let program = program()?;
    let mut command = Command::new(&program);
    command.args(["memory", subject.name()]).arg(words);
    let output = command.output().map_err(Failure::file(&program))?;
    let failure = |message: String| Failure::Program { program: PROGRAM.to_owned(), message };
    if !output.status.success() {
        return Err(failure(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u64> = text.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    match *numbers {
        [peak, allocations, steady] => Ok((Memory { peak, allocations }, steady)),
        _ => Err(failure(format!("its answer is `{}`", text.trim()))),
    }
}

//! Runs in processes of their own, with limits on time and memory.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From beginning to end.
    pub time: Duration,
    /// KiB of address space.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(20), memory: 16_000_000 }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself: what it printed.
    Done(String),
    /// It was stopped after that time.
    OutOfTime(Duration),
    /// It asked for more memory than it may have.
    OutOfMemory,
    /// It gave up: the first line of what it said.
    Failed(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(_) => f.write_str("done"),
            Self::OutOfTime(limit) => write!(f, "no result in {} s", limit.as_secs()),
            Self::OutOfMemory => f.write_str("out of memory"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

/// The program that is running, or its twin that counts allocations.
///
/// # Errors
/// If this program cannot be found.
pub(crate) fn program(counts: bool) -> io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    let name = if counts { "ssaphire-bench-counting" } else { "ssaphire-bench" };
    let twin = this.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(if twin.is_file() { twin } else { this })
}

/// Runs `program` with those arguments and limits.
///
/// # Errors
/// If it cannot be started or waited for.
pub(crate) fn run(program: &Path, arguments: &[String], limits: Limits) -> io::Result<Ending> {
    // The limit on memory is the shell's; where there is no such limit, the run goes on without.
    let script = format!("ulimit -v {} 2>/dev/null; exec \"$0\" \"$@\"", limits.memory);
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(program).args(arguments);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let Some(status) = wait(&mut child, limits.time)? else { return Ok(Ending::OutOfTime(limits.time)) };
    // What a run prints fits the buffer of a pipe, so it has not waited for a reader.
    let (output, said) = (read(child.stdout.take())?, read(child.stderr.take())?);
    Ok(ending(status, output, &said))
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(2));
    }
}

fn read(from: Option<impl Read>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        from.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn ending(status: ExitStatus, output: String, said: &str) -> Ending {
    if status.success() {
        return Ending::Done(output);
    }
    if said.contains("memory allocation of") || said.contains("capacity overflow") {
        return Ending::OutOfMemory;
    }
    // The first line of a panic says where, the second one why.
    let panicked = said.lines().skip_while(|line| !line.contains("panicked at")).nth(1);
    Ending::Failed(panicked.map_or_else(|| status.to_string(), |why| format!("panic: {why}")))
}

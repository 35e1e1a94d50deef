//! Programs run in node: processes that live long, and get one job after the other.

mod answer;

pub use answer::{Answer, Phase};

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long one job may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Realms stay in memory, some of them for ever, so that a process is replaced after so many jobs.
const JOBS_OF_ONE_PROCESS: usize = 1500;

/// The version of node as it prints it, or `None` where there is none that can be used.
pub fn version() -> Option<String> {
    let output = Command::new("node").arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The text of the programs that run in node, for what remembers their answers.
pub const WORKER: &str = concat!(include_str!("node/worker.js"), include_str!("node/logger.js"));

fn worker_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/node/worker.js")
}

/// A process that runs one job at a time, and is replaced when it hangs or dies.
#[derive(Debug, Default)]
pub struct Node {
    running: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<io::Result<String>>,
    jobs_left: usize,
}

impl Node {
    /// The answer to `job`.
    ///
    /// # Errors
    /// If node cannot be started. That it hangs or dies is an answer.
    pub fn run(&mut self, job: &Value) -> io::Result<Answer> {
        let process = match self.running.take().filter(|process| process.jobs_left > 0) {
            Some(process) => process,
            None => Process::start()?,
        };
        let process = self.running.insert(process);
        process.jobs_left -= 1;
        let line = process.ask(&format!("{job}\n"));
        let answer = line.and_then(|line| Answer::from_line(&line));
        Ok(answer.unwrap_or_else(|phase| {
            self.running = None;
            Answer::without_words(phase)
        }))
    }
}

impl Process {
    fn start() -> io::Result<Self> {
        let mut command = Command::new("node");
        command.args(["--no-warnings", "--experimental-vm-modules", "--max-old-space-size=2048"]).arg(worker_file());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("node has no standard input and output"));
        };
        let (sender, answers) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, answers, jobs_left: JOBS_OF_ONE_PROCESS })
    }

    /// The line that answers `line`, or the phase that stands for its absence.
    fn ask(&mut self, line: &str) -> Result<String, Phase> {
        self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush()).map_err(|_| Phase::Died)?;
        match self.answers.recv_timeout(PATIENCE) {
            Ok(Ok(line)) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Phase::Hung),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(Phase::Died),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! Test programs, which run one test at a time in a process of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// As in the switch: the number of the mutant that is on in a process.
const ON: &str = "SSAPHIRE_MUTANT";

/// As in the switch: the file to which a process writes the mutants that it reaches.
const TRACE: &str = "SSAPHIRE_MUTANTS_TRACE";

/// No test of correct sources takes as long.
const PATIENCE: Duration = Duration::from_secs(600);

/// A mutant that takes a test this many times as long as the correct sources, and some seconds more, hangs.
const MAX_RATIO: u32 = 20;

/// These seconds: processes may have to wait for each other.
const MIN_PATIENCE: Duration = Duration::from_secs(15);

/// What a test of the correct sources does.
pub(crate) struct Trace {
    /// The mutants that it reaches.
    pub(crate) reached: Vec<usize>,
    took: Duration,
}

/// A test program.
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// Where it runs.
    pub(crate) folder: PathBuf,
}

/// How a test ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Passes,
    Fails,
    /// By a signal: the stack overflows, or the program aborts.
    Dies,
    Hangs,
}

impl Program {
    /// The names of its tests.
    pub(crate) fn tests(&self) -> Vec<String> {
        let output = self.command().args(["--list", "--format", "terse"]).output().expect("the program can be run");
        let lines = String::from_utf8_lossy(&output.stdout);
        lines.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
    }

    /// How a test ends with the mutant on.
    pub(crate) fn run(&self, test: &str, mutant: usize, correct: &Trace) -> End {
        end(self.one(test).env(ON, mutant.to_string()), MAX_RATIO * correct.took + MIN_PATIENCE)
    }

    /// What a test does in the correct sources.
    ///
    /// # Panics
    /// If it fails.
    pub(crate) fn trace(&self, test: &str) -> Trace {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace");
        fs::write(&file, "").expect("the folder can be written to");
        let start = Instant::now();
        let end = end(self.one(test).env(TRACE, &file), PATIENCE);
        let took = start.elapsed();
        assert!(end == End::Passes, "correct sources fail {test} of {}", self.path.display());
        let numbers = fs::read_to_string(&file).expect("it has just been written");
        Trace { reached: numbers.lines().filter_map(|number| number.parse().ok()).collect(), took }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder);
        command
    }

    fn one(&self, test: &str) -> Command {
        let mut command = self.command();
        command.args(["--exact", test]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// How the process of this command ends, which is given `patience`.
fn end(command: &mut Command, patience: Duration) -> End {
    let mut process = command.spawn().expect("the program can be run");
    let start = Instant::now();
    loop {
        if let Some(status) = process.try_wait().expect("it is waited for here alone") {
            return match status.code() {
                Some(0) => End::Passes,
                Some(_) => End::Fails,
                None => End::Dies,
            };
        }
        if start.elapsed() > patience {
            process.kill().expect("it can be killed");
            process.wait().expect("it has been killed");
            return End::Hangs;
        }
        sleep(Duration::from_millis(1));
    }
}

//! Runs steps, two at a time: each after those that it needs, and no two in one build folder.

use super::steps::{Step, Work};
use super::{PART, tests};
use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// The number of steps that run at the same time.
const NUM_WORKERS: usize = 2;

/// What a step did.
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) seconds: f64,
    /// Tests that have passed.
    pub(crate) num_passed: usize,
    /// Why tests were skipped.
    pub(crate) skipped: Vec<String>,
}

/// Which steps have begun and ended.
#[derive(Default)]
struct Progress {
    has_begun: Vec<bool>,
    has_ended: Vec<bool>,
    outcomes: Vec<Outcome>,
    failure: Option<Failure>,
}

/// Runs all steps; what they did, in the order in which they ended.
pub(crate) fn run(workspace: &Workspace, steps: &[Step], part: Option<&str>) -> Result<Vec<Outcome>, Failure> {
    let logs = logs(workspace);
    fs::create_dir_all(&logs).map_err(Failure::file(&logs))?;
    let no = vec![false; steps.len()];
    let progress = Progress { has_begun: no.clone(), has_ended: no, ..Progress::default() };
    let (progress, has_changed) = (Mutex::new(progress), Condvar::new());
    let work = || {
        while let Some(number) = take(steps, &progress, &has_changed) {
            let result = run_step(workspace, &steps[number], part, &logs);
            let mut progress = lock(&progress);
            progress.has_ended[number] = true;
            match result {
                Ok(outcome) => progress.outcomes.push(outcome),
                Err(failure) => progress.failure = progress.failure.take().or(Some(failure)),
            }
            has_changed.notify_all();
        }
    };
    thread::scope(|scope| (0..NUM_WORKERS).for_each(|_| drop(scope.spawn(work))));
    let progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.failure.map_or(Ok(progress.outcomes), Err)
}

/// The folder of logs.
pub(super) fn logs(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target").join("ci")
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next step that can begin; `None` if all have begun or one has failed.
fn take(steps: &[Step], progress: &Mutex<Progress>, has_changed: &Condvar) -> Option<usize> {
    let mut progress = lock(progress);
    loop {
        if progress.failure.is_some() || progress.has_begun.iter().all(|&has_begun| has_begun) {
            return None;
        }
        if let Some(number) = ready(steps, &progress.has_begun, &progress.has_ended) {
            progress.has_begun[number] = true;
            return Some(number);
        }
        progress = has_changed.wait(progress).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The first step that has not begun, needs none that has not ended, and builds where no other step does.
fn ready(steps: &[Step], has_begun: &[bool], has_ended: &[bool]) -> Option<usize> {
    let runs = |number: &usize| has_begun[*number] && !has_ended[*number];
    let is_busy =
        |folder: &'static str| (0..steps.len()).filter(runs).any(|number| steps[number].folders.contains(&folder));
    let has_all = |step: &Step| {
        let ended =
            |need: &&str| steps.iter().zip(has_ended).all(|(step, &has_ended)| step.name != **need || has_ended);
        step.needs.iter().all(ended)
    };
    (0..steps.len()).find(|&number| {
        let step = &steps[number];
        !has_begun[number] && has_all(step) && !step.folders.iter().any(|&folder| is_busy(folder))
    })
}

/// Runs one step, and prints what came of it.
fn run_step(workspace: &Workspace, step: &Step, part: Option<&str>, logs: &Path) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let path = logs.join(step.name.replace(' ', "-")).with_extension("log");
    let mut log = File::create(&path).map_err(Failure::file(&path))?;
    let mut failed = None;
    for (line, mut command) in commands(workspace, step, logs)? {
        writeln!(log, "$ {line}").map_err(Failure::file(&path))?;
        let copy = || log.try_clone().map_err(Failure::file(&path));
        if step.messages.is_none() {
            command.stdout(copy()?);
        }
        command.stderr(copy()?).envs(step.variables.iter().map(|(name, value)| (name, value)));
        command.envs(part.map(|part| (PART, part)));
        let status = command.status().map_err(|error| could_not_start(&line, error))?;
        if !status.success() {
            failed = Some(status);
            break;
        }
    }
    let bytes = fs::read(&path).map_err(Failure::file(&path))?;
    let text = String::from_utf8_lossy(&bytes);
    finish(step, &text, start.elapsed().as_secs_f64(), failed)
}

/// Prints the line of a step that has ended, and its log if it has failed.
fn finish(step: &Step, log: &str, seconds: f64, failed: Option<ExitStatus>) -> Result<Outcome, Failure> {
    let Step { name, .. } = step;
    if let Some(status) = failed {
        println!("== {name}: FAILED after {seconds:.1} s\n{log}");
        return Err(Failure::step(name, status));
    }
    let num_passed = num_passed(log);
    let tests = if num_passed == 0 { String::new() } else { format!(", {num_passed} tests passed") };
    println!("== {name}: ok, {seconds:.1} s{tests}");
    Ok(Outcome { name: name.clone(), seconds, num_passed, skipped: skipped(log) })
}

/// The commands of a step, each with what to call it in the log.
fn commands(workspace: &Workspace, step: &Step, logs: &Path) -> Result<Vec<(String, Command)>, Failure> {
    let mut command = match &step.work {
        Work::Cargo(_) => workspace.cargo(),
        Work::Xtask(_) => Command::new(std::env::current_exe().map_err(Failure::file(Path::new("xtask")))?),
        Work::Other(program, _) => Command::new(program),
        Work::Tests { package, arguments } => {
            let mut programs = tests::programs(&messages(logs))?;
            let programs = programs.remove(package).unwrap_or_default();
            return Ok(programs.iter().map(|program| test(program, arguments)).collect());
        }
    };
    command.args(step.work.arguments()).current_dir(workspace.root());
    if let Some(name) = step.messages {
        let path = logs.join(name);
        command.stdout(File::create(&path).map_err(Failure::file(&path))?);
    }
    Ok(vec![(step.line(), command)])
}

fn test(program: &tests::Program, arguments: &[String]) -> (String, Command) {
    let mut command = Command::new(&program.path);
    command.args(arguments).env("CARGO_MANIFEST_DIR", &program.folder).current_dir(&program.folder);
    (format!("{} {}", program.path.display(), arguments.join(" ")), command)
}

/// Where the build of the test programs leaves its messages.
fn messages(logs: &Path) -> PathBuf {
    logs.join(super::steps::MESSAGES)
}

/// Tests that have passed, by what `cargo test` prints of each program.
fn num_passed(log: &str) -> usize {
    let counts = log.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split_once(" passed"));
    counts.filter_map(|(count, _)| count.parse::<usize>().ok()).sum()
}

/// The reasons of tests that were skipped, each once.
fn skipped(log: &str) -> Vec<String> {
    let reasons = log.lines().filter_map(|line| line.split_once("skipped: ").map(|(_, reason)| reason.to_owned()));
    let mut reasons: Vec<String> = reasons.collect();
    reasons.sort();
    reasons.dedup();
    reasons
}

#[cfg(test)]
mod unit_tests {
    use super::{num_passed, ready, skipped};
    use crate::ci::steps::{Step, Work};

    fn step(name: &str, needs: &[&'static str], folders: &[&'static str]) -> Step {
        let work = Work::Xtask(Vec::new());
        Step { needs: needs.to_vec(), folders: folders.to_vec(), ..Step::new(name, work) }
    }

    #[test]
    fn a_step_waits_for_what_it_needs_and_for_its_folder() {
        let steps = [
            step("build", &[], &["thorough"]),
            step("tests", &["build"], &[]),
            step("lints", &[], &["debug"]),
            step("docs", &[], &["debug"]),
            step("absent", &["no such step"], &[]),
        ];
        let ready =
            |begun: [u8; 5], ended: [u8; 5]| ready(&steps, &begun.map(|one| one == 1), &ended.map(|one| one == 1));
        assert_eq!(ready([0; 5], [0; 5]), Some(0));
        assert_eq!(ready([1, 0, 0, 0, 0], [0; 5]), Some(2));
        // The tests wait for the build, and the docs for the lints.
        assert_eq!(ready([1, 0, 1, 0, 0], [0; 5]), Some(4));
        assert_eq!(ready([1, 0, 1, 0, 1], [0; 5]), None);
        assert_eq!(ready([1, 0, 1, 0, 1], [1, 0, 0, 0, 0]), Some(1));
        assert_eq!(ready([1, 1, 1, 0, 1], [1, 0, 1, 0, 0]), Some(3));
    }

    #[test]
    fn logs_are_read() {
        let log = "test result: ok. 2 passed; 0 failed\ntest a ... skipped: no node\nskipped: no node\n\
                   test result: ok. 15 passed; 0 failed\n";
        assert_eq!(num_passed(log), 17);
        assert_eq!(skipped(log), ["no node"]);
    }
}

//! `cargo xtask ci`: everything that CI checks, on any machine; needs a network for nothing that is already fetched.
//!
//! A [`Step`](steps::Step) is one command with a log of its own below `target/ci`. Two steps run at a time
//! ([`schedule`]). The test programs of all packages that a plain `cargo test` leaves out come from one build
//! ([`tests`]), so that every package is compiled with one set of features.
//!
//! Tests that take minutes run on one part of their seeds, which the hash of the commit chooses, as it chooses which of the
//! other projects' sources are compiled; `--long` runs everything in full. A step that a machine cannot run is listed as skipped in the last lines.

pub(crate) mod schedule;
pub(crate) mod steps;
mod tests;

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use clap::Args;
use schedule::Outcome;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The number of parts that long tests have; a commit is checked on one of them.
const NUM_PARTS: u64 = 24;

/// Under this variable, tests that take minutes take the part that it names.
pub(crate) const PART: &str = "SSAPHIRE_PART";

#[derive(Args)]
pub(crate) struct Arguments {
    /// Run all long tests in full, which takes hours
    #[arg(long)]
    long: bool,
    /// Run only this step and the builds that it needs; the option can be repeated
    #[arg(long = "only", value_name = "STEP")]
    only: Vec<String>,
    /// List the steps instead of running them
    #[arg(long)]
    list: bool,
    /// Take the K-th of N parts of the long tests, instead of the one that the commit chooses
    #[arg(long, value_name = "K/N", conflicts_with = "long")]
    part: Option<String>,
}

/// Runs the steps and prints a line for each; the first that fails ends the run with its log and its status.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<(), Failure> {
    let turn = (!arguments.long && arguments.only.is_empty() && !arguments.list).then(|| number_of(&head(workspace)));
    let steps = steps::all(workspace, arguments.long, turn)?;
    let steps = steps::only(steps, &arguments.only)?;
    if arguments.list {
        steps.iter().for_each(|step| println!("{:<32} {}", step.name, step.line()));
        return Ok(());
    }
    for target in steps::TARGETS.iter().filter(|target| steps.iter().any(|step| step.line().contains(**target))) {
        require_target(target)?;
    }
    let part = match (&arguments.part, arguments.long) {
        (Some(part), _) => Some(part.clone()),
        (None, true) => None,
        (None, false) => Some(part_of(&head(workspace), NUM_PARTS)),
    };
    if let Some(part) = &part {
        println!("long tests: part {part}");
    }
    let start = Instant::now();
    let outcomes = schedule::run(workspace, &steps, part.as_deref())?;
    report(&outcomes, start.elapsed().as_secs_f64());
    Ok(())
}

fn require_target(target: &str) -> Result<(), Failure> {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", target]).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| could_not_start("rustc", error))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    Err(Failure::Missing { what: format!("target {target}"), remedy: format!("run `rustup target add {target}`") })
}

/// The hash of the commit, or nothing outside of a checkout.
pub(crate) fn head(workspace: &Workspace) -> String {
    let mut command = Command::new("git");
    command.args(["rev-parse", "HEAD"]).current_dir(workspace.root());
    command.output().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// The part of `num_parts` that a commit is checked on, as `K/N`.
pub(crate) fn part_of(hash: &str, num_parts: u64) -> String {
    format!("{}/{num_parts}", 1 + number_of(hash) % num_parts)
}

/// The first digits of a hash.
fn number_of(hash: &str) -> u64 {
    hash.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

/// Where the build of the test programs leaves its messages.
pub(crate) fn messages(workspace: &Workspace) -> PathBuf {
    schedule::logs(workspace).join(steps::MESSAGES)
}

/// The longest steps first, then what was skipped.
pub(crate) fn report(outcomes: &[Outcome], seconds: f64) {
    let mut longest: Vec<&Outcome> = outcomes.iter().collect();
    longest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    println!("\n{:<32} {:>8} {:>8}", "step", "seconds", "tests");
    for outcome in &longest {
        println!("{:<32} {:>8.1} {:>8}", outcome.name, outcome.seconds, outcome.num_passed);
    }
    let num_passed: usize = outcomes.iter().map(|outcome| outcome.num_passed).sum();
    println!("{:<32} {seconds:>8.1} {num_passed:>8}", "all, two at a time");
    for outcome in outcomes {
        outcome.skipped.iter().for_each(|reason| println!("skipped in {}: {reason}", outcome.name));
    }
}

#[cfg(test)]
mod unit_tests {
    use super::part_of;

    #[test]
    fn a_commit_chooses_a_part() {
        assert_eq!(part_of("00000000aaaaaaaa", 12), "1/12");
        assert_eq!(part_of("0000000bffffffff", 12), "12/12");
        assert_eq!(part_of("", 12), "1/12");
    }
}

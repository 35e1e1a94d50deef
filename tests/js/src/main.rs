//! The long commands: all of test262, many random programs.

use clap::{Parser, Subcommand};
use ssaphire_js_tests::Transformation;
use ssaphire_js_tests::node;
use ssaphire_js_tests::random::{Difference, explanation, generate, search, smallest};
use ssaphire_js_tests::test262::{CHECKOUT, Cache, Exceptions, Suite, record, run_all};
use ssaphire_js_tests::workspace;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

/// Compares JavaScript programs before and after the round trip through SSA form
#[derive(Parser)]
#[command(arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the language's tests of test262, from the checkout that SSAPHIRE_TEST262 names
    Test262(Test262),
    /// Run random programs
    Random(Random),
}

#[derive(clap::Args)]
struct Random {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    count: u64,
    /// The seed of the first; the others follow
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What is done to each program; more than one may be named
    #[arg(long = "by", value_name = "NAME", value_parser = Transformation::named,
          default_values = ["without-passes", "with-passes"])]
    transformations: Vec<Transformation>,
    /// For how many programs that differ in one way a smaller one is looked for
    #[arg(long, value_name = "N", default_value_t = 1)]
    shrink: usize,
    /// Print the program of the seed, and nothing else
    #[arg(long)]
    print: bool,
    /// Threads, each with a process of node; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

#[derive(clap::Args)]
struct Test262 {
    /// Run so many tests only, spread over all of them
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Run the tests whose path contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// What is done to each test; more than one may be named
    #[arg(long = "by", value_name = "NAME", value_parser = Transformation::named,
          default_values = ["without-passes", "with-passes"])]
    transformations: Vec<Transformation>,
    /// Print each failure, and not only write it to target/test262/failures.txt
    #[arg(long)]
    list: bool,
    /// Write the record of a full run
    #[arg(long, conflicts_with_all = ["sample", "filter"])]
    record: bool,
    /// Forget what is known of the tests as they are
    #[arg(long)]
    again: bool,
    /// Threads, each with a process of node; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Test262(arguments) => test262(&arguments),
        Command::Random(arguments) => random(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| thread::available_parallelism().map_or(2, usize::from))
}

/// Whether all random programs log the same before and after.
fn random(arguments: &Random) -> io::Result<bool> {
    if arguments.print {
        print!("{}", generate(arguments.seed));
        return Ok(true);
    }
    std::panic::set_hook(Box::new(|_| {}));
    let mut is_fine = true;
    for &transformation in &arguments.transformations {
        let seeds = arguments.seed..arguments.seed + arguments.count;
        let findings = search(seeds, transformation, threads(arguments.jobs))?;
        let useless = &findings.useless;
        let explained = |(seed, _): &(u64, Difference)| explanation(*seed).is_some();
        let (explained, different): (Vec<_>, Vec<_>) = findings.different.into_iter().partition(explained);
        is_fine &= different.is_empty();
        println!(
            "{}: {} programs the same, with {} lines; {} useless; {} different, and {} with an explanation",
            transformation.name(),
            findings.same,
            findings.lines,
            useless.len(),
            different.len(),
            explained.len()
        );
        for (seed, _) in &explained {
            println!("seed {seed}: {}", explanation(*seed).unwrap_or_default());
        }
        for (seed, answer) in useless.iter().take(arguments.shrink) {
            println!("seed {seed} is useless: {answer}");
        }
        for (seed, difference) in &different {
            println!("seed {seed} {difference}");
        }
        for (index, (seed, difference)) in different.iter().enumerate() {
            let before = different[..index].iter().filter(|(_, other)| other.is_like(difference)).count();
            if before < arguments.shrink
                && let Some((program, difference)) = smallest(*seed, transformation)?
            {
                println!("seed {seed}, made smaller, {difference}\n{program}");
            }
        }
    }
    Ok(is_fine)
}

/// Where the record is.
fn record_file() -> PathBuf {
    workspace().join("tests/js/records/test262.txt")
}

/// Whether every test that passes as it is passes, but for the exceptions of the record.
fn test262(arguments: &Test262) -> io::Result<bool> {
    let suite = Suite::from_environment().unwrap_or_else(|| Err(io::Error::other(format!("{CHECKOUT} is not set"))))?;
    let node = node::version().ok_or_else(|| io::Error::other("there is no node"))?;
    let revision = suite.revision();
    let folder = workspace().join("target/test262");
    let mut cache = Cache::open(&folder, &[&node, &revision, node::WORKER])?;
    if arguments.again {
        cache.clear();
    }
    // A panic is a finding, and is shown as one.
    std::panic::set_hook(Box::new(|_| {}));
    let jobs = threads(arguments.jobs);
    let what = (arguments.filter.as_str(), arguments.sample);
    let report = run_all(&suite, &mut cache, &arguments.transformations, what, jobs)?;
    cache.save()?;
    fs::write(folder.join("failures.txt"), report.list())?;
    print!("{}\n{}", report.table(), report.reasons());
    if arguments.list {
        print!("\n{}", report.list());
    }
    let before = fs::read_to_string(record_file()).unwrap_or_default();
    let exceptions = Exceptions::of(&before).map_err(io::Error::other)?;
    if arguments.record {
        fs::write(record_file(), record(&report, &revision, &node, &exceptions))?;
    }
    Ok(report.failures().iter().all(|(verdict, ..)| exceptions.get(&verdict.name).is_some()))
}

//! All of test262.

use super::threads;
use ssaphire_js_tests::node;
use ssaphire_js_tests::test262::{CHECKOUT, Cache, Exceptions, Suite, record, run_all};
use ssaphire_js_tests::{Transformation, workspace};
use std::fs;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Test262 {
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

/// Where the record is.
fn record_file() -> PathBuf {
    workspace().join("tests/js/records/test262.txt")
}

/// Whether every test that passes as it is passes, but for the exceptions of the record.
pub(crate) fn run(arguments: &Test262) -> io::Result<bool> {
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

//! The tests that packages of npm come with.

use super::threads;
use ssaphire_js_tests::own_tests::{is_test, run_all};
use ssaphire_js_tests::packages::{TESTED, transform_list};
use ssaphire_js_tests::{Transformation, node, workspace};
use std::fs;
use std::io;

#[derive(clap::Args)]
pub(crate) struct OwnTests {
    /// What is done to each file; more than one may be named
    #[arg(long = "by", value_name = "NAME", value_parser = Transformation::named,
          default_values = ["as-opt", "keeping", "with-passes"])]
    transformations: Vec<Transformation>,
    /// Write the record
    #[arg(long)]
    record: bool,
    /// Threads; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// Whether each test prints the same before and after.
pub(crate) fn run(arguments: &OwnTests) -> io::Result<bool> {
    TESTED.install()?;
    std::panic::set_hook(Box::new(|_| {}));
    let (mut is_fine, mut record) = (true, String::from(HEAD));
    let mut told = |line: String| {
        println!("{line}");
        record += &line;
        record.push('\n');
    };
    told(format!("node {}", node::version().unwrap_or_default()));
    for (number, &transformation) in arguments.transformations.iter().enumerate() {
        let by = transformation.name();
        let files = transform_list(TESTED, transformation, is_test, threads(arguments.jobs))?;
        told(format!("{by}: {} files written, {} unchanged", files.written, files.unchanged));
        for (file, why) in &files.refused {
            told(format!("{by}: refused {file}: {}", why.lines().next().unwrap_or_default()));
        }
        let outcomes = run_all(transformation, threads(arguments.jobs))?;
        if number == 0 {
            told(format!("packages {}", outcomes.packages.join(" ")));
        }
        for file in &outcomes.different {
            told(format!("{by}: {file} prints something else"));
        }
        let (same, files, assertions) = (outcomes.same, outcomes.files, outcomes.assertions);
        let num_packages = outcomes.packages.len();
        told(format!(
            "{by}: {same} of {files} files of tests of {num_packages} packages, with {assertions} assertions"
        ));
        is_fine &= same == files;
    }
    if arguments.record {
        fs::write(workspace().join("tests/js/records/own-tests.txt"), record)?;
    }
    Ok(is_fine)
}

const HEAD: &str = "\
# Packages of npm that come with tests, whose files were all transformed, but for the tests: what these print is the same.
# `cargo run -p ssaphire-js-tests -- own-tests --record` writes this file.
";

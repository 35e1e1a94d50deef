//! Packages of npm.

use super::threads;
use ssaphire_js_tests::node;
use ssaphire_js_tests::packages::{self, Files};
use ssaphire_js_tests::programs::first_difference;
use ssaphire_js_tests::{Transformation, workspace};
use std::fs;
use std::io;

#[derive(clap::Args)]
pub(crate) struct Packages {
    /// What is done to each file; more than one may be named
    #[arg(long = "by", value_name = "NAME", value_parser = Transformation::named,
          default_values = ["keeping", "with-passes"])]
    transformations: Vec<Transformation>,
    /// Write the record
    #[arg(long)]
    record: bool,
    /// Threads; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// Whether each package does the same before and after.
pub(crate) fn run(arguments: &Packages) -> io::Result<bool> {
    packages::install()?;
    std::panic::set_hook(Box::new(|_| {}));
    let names = packages::names()?;
    let (mut is_fine, mut record) = (true, String::from(HEAD));
    let mut told = |line: String| {
        println!("{line}");
        record += &line;
        record.push('\n');
    };
    told(format!("node {}\npackages {}", node::version().unwrap_or_default(), names.join(" ")));
    for &transformation in &arguments.transformations {
        let files = packages::transform(transformation, threads(arguments.jobs))?;
        let by = transformation.name();
        let Files { written, unchanged, with_helpers, helpers, refused } = files;
        told(format!("{by}: {written} files written, {unchanged} unchanged, {with_helpers} with helpers"));
        let mut helpers: Vec<(usize, String)> = helpers.into_iter().map(|(name, number)| (number, name)).collect();
        helpers.sort_unstable_by(|one, other| other.cmp(one));
        let helpers: Vec<String> = helpers.iter().map(|(number, name)| format!("{name} {number}")).collect();
        told(format!("{by}: helpers {}", helpers.join(", ")));
        for (file, why) in refused {
            told(format!("{by}: refused {file}: {}", why.lines().next().unwrap_or_default()));
        }
        let mut same = 0;
        for name in &names {
            let before = packages::run(name, Transformation::Identity)?;
            let after = packages::run(name, transformation)?;
            match first_difference(&before, &after) {
                None if !before.contains("failed: ") => same += 1,
                None => told(format!("{by}: {name} fails as it is: {before}")),
                Some((before, after)) => told(format!("{by}: {name} prints {after} and not {before}")),
            }
        }
        is_fine &= same == names.len();
        told(format!("{by}: {same} of {} packages do the same", names.len()));
    }
    if arguments.record {
        fs::write(workspace().join("tests/js/records/packages.txt"), record)?;
    }
    Ok(is_fine)
}

const HEAD: &str = "\
# Packages of npm, whose files were all transformed: what they do when they are used as by packages/workloads.js.
# `cargo run -p ssaphire-js-tests -- packages --record` writes this file.
";

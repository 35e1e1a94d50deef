//! The test suites of other tools.

use super::threads;
use ssaphire_js_tests::Transformation;
use ssaphire_js_tests::compare::Comparison;
use ssaphire_js_tests::suites;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Suite {
    /// A checkout of UglifyJS, terser or esbuild
    #[arg(value_name = "FOLDER")]
    root: PathBuf,
    /// Run the tests whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// What is done to each program; more than one may be named
    #[arg(long = "by", value_name = "NAME", value_parser = Transformation::named,
          default_values = ["without-passes", "with-passes", "keeping"])]
    transformations: Vec<Transformation>,
    /// Print the programs that node refuses or that do not end, too
    #[arg(long)]
    useless: bool,
    /// Print the programs that differ, and not only their names
    #[arg(long)]
    programs: bool,
    /// Threads, each with a process of node; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// Whether the inputs of another tool's tests do the same before and after.
pub(crate) fn run(arguments: &Suite) -> io::Result<bool> {
    let mut snippets = suites::snippets(&arguments.root)?;
    snippets.retain(|snippet| snippet.name.contains(&arguments.filter));
    std::panic::set_hook(Box::new(|_| {}));
    let outcomes = suites::run_all(&snippets, &arguments.transformations, threads(arguments.jobs))?;
    let mut is_fine = true;
    for &transformation in &arguments.transformations {
        let (mut same, mut useless, mut different) = (0, 0, 0);
        for (number, _, outcome) in outcomes.iter().filter(|(_, by, _)| *by == transformation) {
            let snippet = &snippets[*number];
            let told = match outcome {
                Comparison::Same(_) => {
                    same += 1;
                    continue;
                }
                Comparison::Useless(answer) => {
                    useless += 1;
                    arguments.useless.then(|| format!("useless: {answer}"))
                }
                Comparison::Different(difference) => {
                    different += 1;
                    Some(difference.to_string())
                }
            };
            if let Some(told) = told {
                println!("{}: {} {told}", transformation.name(), snippet.name);
                if arguments.programs {
                    println!("{}\n", snippet.text);
                }
            }
        }
        is_fine &= different == 0;
        println!("{}: {same} the same, {different} different; {useless} useless", transformation.name());
    }
    Ok(is_fine)
}

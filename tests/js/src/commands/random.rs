//! Many random programs.

use super::threads;
use ssaphire_js_tests::Transformation;
use ssaphire_js_tests::compare::{Difference, Make};
use ssaphire_js_tests::random::{self, Findings, explanation, search, smallest};
use ssaphire_js_tests::syntax;
use std::io;

/// After so many programs, it is said how far the command has come.
const AT_A_TIME: u64 = 2_000;

#[derive(clap::Args)]
pub(crate) struct Random {
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
    /// Random syntax trees in place of programs that make sense
    #[arg(long)]
    trees: bool,
    /// Print the program of the seed, and nothing else
    #[arg(long)]
    print: bool,
    /// Threads, each with a process of node; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// Whether all random programs log the same before and after.
pub(crate) fn run(arguments: &Random) -> io::Result<bool> {
    let make: Make = if arguments.trees { syntax::program_of } else { random::program_of };
    if arguments.print {
        print!("{}", make(arguments.seed).0);
        return Ok(true);
    }
    std::panic::set_hook(Box::new(|_| {}));
    let mut is_fine = true;
    for &transformation in &arguments.transformations {
        let seeds = arguments.seed..arguments.seed + arguments.count;
        let mut findings = Findings::default();
        for start in seeds.clone().step_by(AT_A_TIME as usize) {
            let some = start..seeds.end.min(start + AT_A_TIME);
            findings.add(search(make, some.clone(), transformation, threads(arguments.jobs))?);
            let (done, different) = (some.end - seeds.start, findings.different.len());
            eprintln!("{}: {done} of {}, {different} different", transformation.name(), arguments.count);
        }
        let useless = &findings.useless;
        let explained = |(seed, _): &(u64, Difference)| !arguments.trees && explanation(*seed).is_some();
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
                && let Some((program, difference)) = smallest(make, *seed, transformation)?
            {
                println!("seed {seed}, made smaller, {difference}\n{program}");
            }
        }
    }
    Ok(is_fine)
}

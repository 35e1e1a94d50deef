//! Time and size before and after.

use super::threads;
use ssaphire_js_tests::{Transformation, packages, speed};
use std::io;

#[derive(clap::Args)]
pub(crate) struct Speed {
    /// What is done to each file
    #[arg(long, value_name = "NAME", value_parser = Transformation::named, default_value = "as-opt")]
    by: Transformation,
    /// Measure each program so many times before and after
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Measure the programs whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Measure the sizes of files instead
    #[arg(long)]
    sizes: bool,
}

/// Whether each program returns the same, and each file that is written twice is the same.
pub(crate) fn run(arguments: &Speed) -> io::Result<bool> {
    packages::install()?;
    if arguments.sizes {
        return sizes(arguments.by);
    }
    packages::transform(arguments.by, threads(None))?;
    speed::prepare(arguments.by)?;
    let (mut is_fine, mut ratios) = (true, Vec::new());
    println!("{:24} {:>10} {:>10} {:>6}", "program", "before", "after", "ratio");
    for name in speed::names()?.iter().filter(|name| name.contains(&arguments.filter)) {
        let times = speed::measure(name, arguments.by, arguments.rounds)?;
        let ratio = times.after / times.before;
        println!("{name:24} {:>8.4}ms {:>8.4}ms {ratio:>6.2}", times.before, times.after);
        if !times.is_same {
            println!("{name} returns something else");
        }
        is_fine &= times.is_same;
        ratios.push(ratio);
    }
    let slower = ratios.iter().filter(|&&ratio| ratio > 1.1).count();
    println!("median {:.2}; {slower} of {} above 1.10", median(&mut ratios), ratios.len());
    Ok(is_fine)
}

fn sizes(by: Transformation) -> io::Result<bool> {
    let mut ratios: [Vec<f64>; 3] = Default::default();
    let mut is_fine = true;
    println!("{:52} {:>17} {:>6} {:>17} {:>6} {:>17} {:>6}", "file", "lines", "", "bare", "", "packed", "");
    for sizes in speed::sizes(by)? {
        let mut line = format!("{:52}", sizes.file);
        for ([before, after], ratios) in [sizes.lines, sizes.bare, sizes.packed].into_iter().zip(&mut ratios) {
            let ratio = after as f64 / before as f64;
            line += &format!(" {before:>8} {after:>8} {ratio:>6.3}");
            ratios.push(ratio);
        }
        println!("{line}{}", if sizes.is_stable { "" } else { " another one the second time" });
        is_fine &= sizes.is_stable;
    }
    let [lines, bare, packed] = ratios.map(|mut ratios| median(&mut ratios));
    println!("median: lines {lines:.3}, bare {bare:.3}, packed {packed:.3}");
    Ok(is_fine)
}

fn median(ratios: &mut [f64]) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(1.0)
}

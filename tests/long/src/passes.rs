//! The command `passes`: each pass, and sequences of them, on many random functions of all shapes.
//!
//! After each step the function keeps the rules of SSA form and does what it did. A function follows from its number, and
//! what is counted does not depend on how many threads there are. What is found wrong is a panic that shows the function.

use clap::Args;
use ssaphire_tests::fuzzing::passes::Tally;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// What to run.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many functions to take
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    functions: u64,
    /// Number of the first one
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    first: u64,
    /// Number of threads; one per processor where none is given
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZeroUsize>,
}

/// Takes all functions: a line for each pass.
pub(crate) fn run(arguments: &Arguments) {
    let threads = arguments.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let start = Instant::now();
    let tally = survey(arguments.first, arguments.functions, threads);
    println!("{tally}, {:.1} seconds", start.elapsed().as_secs_f64());
}

/// What was done to so many functions from number `first` on.
fn survey(first: u64, functions: u64, threads: usize) -> Tally {
    let (next, end) = (AtomicU64::new(first), first.saturating_add(functions));
    let work = || {
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return tally;
            }
            tally.add(number);
        }
    };
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            tally += worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    tally
}

#[cfg(test)]
mod tests {
    use super::survey;

    #[test]
    fn parts_and_threads_add_up() {
        let mut sum = survey(0, 20, 1);
        sum += survey(20, 10, 2);
        assert_eq!(sum, survey(0, 30, 3));
        assert_eq!(sum.functions, 30);
    }
}

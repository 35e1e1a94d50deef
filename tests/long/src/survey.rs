//! Many random functions, by threads that take one after another.
//!
//! A function follows from its number, and the totals do not depend on the number of threads. A function that fails is
//! a panic that shows it.

use clap::Args;
use std::num::NonZeroUsize;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Which functions to take.
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

impl Arguments {
    /// The total of `count` over all functions.
    pub(crate) fn survey<T: Default + AddAssign + Send>(&self, count: fn(&mut T, u64)) -> T {
        let threads = self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        survey(self.first, self.functions, threads, count)
    }
}

/// The total of `count` over `functions` functions from number `first` on.
pub(crate) fn survey<T: Default + AddAssign + Send>(
    first: u64,
    functions: u64,
    threads: usize,
    count: fn(&mut T, u64),
) -> T {
    let (next, end) = (AtomicU64::new(first), first.saturating_add(functions));
    let work = || {
        let mut total = T::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return total;
            }
            count(&mut total, number);
        }
    };
    let mut total = T::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            total += worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    total
}

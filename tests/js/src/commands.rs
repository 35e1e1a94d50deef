//! The long commands, each with its arguments.

pub(crate) mod own_tests;
pub(crate) mod packages;
pub(crate) mod random;
pub(crate) mod speed;
pub(crate) mod suite;
pub(crate) mod test262;

use std::thread;

fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| thread::available_parallelism().map_or(2, usize::from))
}

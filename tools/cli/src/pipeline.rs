//! Work on many functions in parallel, with answers in order.

use rayon::prelude::*;
use rayon::{ThreadPoolBuilder, current_num_threads};
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Functions that are worked on before their answers are taken, for each thread.
const ROUND: usize = 128;

/// Parts of a round, for each thread: some functions take longer than others.
const PARTS: usize = 16;

/// The threads of this process.
pub(crate) struct Pipeline {
    threads: usize,
}

impl Pipeline {
    /// With so many threads, or as many as there are processors. To be made once, before anything is read.
    pub(crate) fn new(threads: Option<NonZero<u16>>) -> Self {
        // Number 0 is as many as there are processors. Where the system has no more threads, one is enough.
        let threads = threads.map_or(0, |threads| usize::from(threads.get()));
        let built = ThreadPoolBuilder::new().num_threads(threads).build_global();
        Self { threads: if built.is_ok() { current_num_threads() } else { 1 } }
    }

    /// Calls `work` for each item on some thread, and `take` with each answer in the order of the items.
    ///
    /// The answers are the same for any number of threads. A worker is made
    /// by `new_worker` for each thread, and keeps its memory from item to item;
    /// at no time are there more than a few hundred answers for each thread.
    ///
    /// # Errors
    /// The first one of `take`, which ends the work.
    pub(crate) fn run<W: Send, R: Send, E>(
        &self,
        items: &[usize],
        new_worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, usize) -> R + Sync,
        mut take: impl FnMut(usize, R) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.threads == 1 {
            let mut worker = new_worker();
            return items.iter().try_for_each(|&item| take(item, work(&mut worker, item)));
        }
        let idle = Mutex::new(Vec::new());
        let answer = |part: &[usize]| -> Vec<R> {
            let worker = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut worker = worker.unwrap_or_else(&new_worker);
            let answers = part.iter().map(|&item| work(&mut worker, item)).collect();
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            answers
        };
        for round in items.chunks(ROUND * self.threads) {
            let part_len = round.len().div_ceil(self.threads * PARTS).max(1);
            let answers: Vec<Vec<R>> = round.par_chunks(part_len).map(answer).collect();
            round.iter().zip(answers.into_iter().flatten()).try_for_each(|(&item, answer)| take(item, answer))?;
        }
        Ok(())
    }
}

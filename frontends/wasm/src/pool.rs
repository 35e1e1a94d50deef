//! Threads that share the work on many items, with the results in order.
//!
//! A pool requests threads from the system when there is work to share. If the
//! system refuses, the calling thread does everything.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt;
use std::num::NonZero;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// The number of items per thread that are processed before their results are taken.
const ROUND: usize = 128;

/// The number of parts of a round per thread: some items take longer than others.
const PARTS: usize = 16;

/// A lazily started set of worker threads.
pub struct Pool {
    threads: usize,
    /// The threads, once requested; `None` if the calling thread works alone.
    pool: OnceLock<Option<ThreadPool>>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Default for Pool {
    /// One thread per processor.
    fn default() -> Self {
        Self::of_machine(None)
    }
}

impl Pool {
    /// A pool of `threads` threads; 0 counts as 1.
    pub fn new(threads: usize) -> Self {
        Self { threads: threads.max(1), pool: OnceLock::new() }
    }

    /// One thread per processor, or fewer if `limit` is lower: more would only wait for each other.
    pub fn of_machine(limit: Option<NonZero<u16>>) -> Self {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Self::new(limit.map_or(processors, |limit| processors.min(limit.get().into())))
    }

    /// The calling thread alone.
    pub fn alone() -> Self {
        Self::new(1)
    }

    /// The most threads that can work at a time.
    pub fn most_threads(&self) -> usize {
        self.threads
    }

    /// Calls `work` for each item on some thread, and `take` with each result in the order of the items.
    ///
    /// The results are the same for any number of threads. `new_worker` creates one worker per thread, which keeps its
    /// memory from item to item. At most a few hundred results per thread exist at a time.
    ///
    /// # Errors
    /// The first error of `take`, which ends the work.
    pub fn run<T: Sync, W: Send, R: Send, E>(
        &self,
        items: &[T],
        new_worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &T) -> R + Sync,
        mut take: impl FnMut(&T, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(pool) = self.threads_for(items.len()) else {
            let mut worker = new_worker();
            return items.iter().try_for_each(|item| take(item, work(&mut worker, item)));
        };
        let idle = Mutex::new(Vec::new());
        let answer = |part: &[T]| -> Vec<R> {
            let worker = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut worker = worker.unwrap_or_else(&new_worker);
            let answers = part.iter().map(|item| work(&mut worker, item)).collect();
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            answers
        };
        let threads = pool.current_num_threads();
        for round in items.chunks(ROUND * threads) {
            let part_len = round.len().div_ceil(threads * PARTS).max(1);
            let answers: Vec<Vec<R>> = pool.install(|| round.par_chunks(part_len).map(answer).collect());
            round.iter().zip(answers.into_iter().flatten()).try_for_each(|(item, answer)| take(item, answer))?;
        }
        Ok(())
    }

    /// The threads, if there are any and the number of items makes them worthwhile.
    fn threads_for(&self, num_items: usize) -> Option<&ThreadPool> {
        if self.threads == 1 || num_items < 2 {
            return None;
        }
        let build = |threads| ThreadPoolBuilder::new().num_threads(threads).build().ok();
        self.pool.get_or_init(|| most_threads(self.threads, build)).as_ref()
    }
}

/// A pool of `threads` threads, or of half as many and so on until the system agrees; `None` if not even two are
/// available.
fn most_threads<P>(threads: usize, build: impl Fn(usize) -> Option<P>) -> Option<P> {
    let halves = std::iter::successors(Some(threads), |threads| Some(threads / 2));
    halves.take_while(|&threads| threads > 1).find_map(build)
}

#[cfg(test)]
mod tests {
    use super::{Pool, most_threads};
    use std::convert::Infallible;
    use std::sync::OnceLock;
    use std::thread;

    /// The squares of the first numbers, by workers that count their items; and which threads took part.
    fn squares(pool: &Pool, count: u64) -> (Vec<(u64, u64)>, bool) {
        let items: Vec<u64> = (0..count).collect();
        let here = thread::current().id();
        let (mut answers, mut all_here) = (Vec::new(), true);
        let work = |items: &mut u64, &item: &u64| {
            *items += 1;
            (item * item, *items > 0, thread::current().id() == here)
        };
        let take = |&item: &u64, (square, is_counted, is_here): (u64, bool, bool)| {
            assert!(is_counted);
            all_here &= is_here;
            answers.push((item, square));
            Ok::<(), Infallible>(())
        };
        pool.run(&items, || 0, work, take).unwrap_or_else(|never| match never {});
        (answers, all_here)
    }

    #[test]
    fn answers_come_in_order_for_any_number_of_threads() {
        let expected: Vec<_> = (0..3000).map(|item| (item, item * item)).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(squares(&Pool::new(threads), 3000), (expected.clone(), threads < 2), "{threads} threads");
        }
    }

    #[test]
    fn where_the_system_has_no_threads_the_calling_one_works() {
        let pool = Pool { threads: 8, pool: OnceLock::from(None) };
        let expected: Vec<_> = (0..3000).map(|item| (item, item * item)).collect();
        assert_eq!(squares(&pool, 3000), (expected, true));
        assert!(squares(&Pool::new(8), 1).1, "one item is no work to share");
    }

    #[test]
    fn a_system_that_has_few_threads_gives_those() {
        let asked = |threads, most| {
            let asked = std::cell::RefCell::new(Vec::new());
            let pool = most_threads(threads, |threads| {
                asked.borrow_mut().push(threads);
                (threads <= most).then_some(threads)
            });
            (pool, asked.into_inner())
        };
        assert_eq!(asked(8, 100), (Some(8), vec![8]));
        assert_eq!(asked(9, 3), (Some(2), vec![9, 4, 2]));
        assert_eq!(asked(9, 1), (None, vec![9, 4, 2]));
        assert_eq!(asked(1, 1), (None, vec![]));
    }

    #[test]
    fn an_error_ends_the_work() {
        for threads in [1, 2] {
            let mut taken = 0;
            let take = |&item: &usize, ()| {
                taken += 1;
                if item < 5 { Ok(()) } else { Err(item) }
            };
            let items: Vec<usize> = (0..1000).collect();
            assert_eq!(Pool::new(threads).run(&items, || (), |(), _| (), take), Err(5));
            assert_eq!(taken, 6);
        }
    }
}

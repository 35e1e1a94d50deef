//! Threads that share the work on many items, with the results in order.
//!
//! The calling thread takes part: it takes the results that are ready, and works while the next one is not. If the system
//! refuses further threads, it does everything.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The most items that a thread processes at a time.
const MOST_ITEMS: usize = 8;

/// The most parts per thread that are processed before the first of their results is taken.
const PARTS: usize = 16;

/// A number of threads to work with.
///
/// The threads exist while they work: starting one costs as much as building a few functions.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    threads: usize,
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
        Self { threads: threads.max(1) }
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

    /// Calls `work` for each item on some thread, and `take` with each result in the order of the items, on this thread.
    ///
    /// The results are the same for any number of threads. `new_worker` creates one worker per thread, which keeps its
    /// memory from item to item. At most 128 results per thread exist at a time.
    ///
    /// # Errors
    /// The first error of `take`, which ends the work.
    pub fn run<T: Sync, W, R: Send, E>(
        &self,
        items: &[T],
        new_worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &T) -> R + Sync,
        mut take: impl FnMut(&T, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let threads = self.threads.min(items.len());
        let mut worker = new_worker();
        if threads < 2 {
            return items.iter().try_for_each(|item| take(item, work(&mut worker, item)));
        }
        // Some items take longer than others, so that few items make small parts.
        let parts: Vec<&[T]> = items.chunks((items.len() / (threads * PARTS)).clamp(1, MOST_ITEMS)).collect();
        let process = |worker: &mut W, claim: Claim<'_, Vec<R>>| {
            let results = parts[claim.part].iter().map(|item| work(worker, item)).collect();
            claim.finish(results);
        };
        let queue = Queue::new(parts.len(), PARTS * threads);
        thread::scope(|scope| {
            // Whatever ends this function, a panic of `take` included, ends the other threads' work too.
            let _stop = StopOnDrop(&queue);
            for _ in 1..threads {
                let help = || {
                    let mut worker = new_worker();
                    while let Some(claim) = queue.wait_for_part() {
                        process(&mut worker, claim);
                    }
                };
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            for part in &parts {
                let results = loop {
                    match queue.next_result() {
                        Next::Ready(results) => break results,
                        Next::Work(claim) => process(&mut worker, claim),
                        // The thread that had the part has panicked; the scope passes the panic on.
                        Next::Failed => return Ok(()),
                    }
                };
                part.iter().zip(results).try_for_each(|(item, result)| take(item, result))?;
            }
            Ok(())
        })
    }
}

/// The parts of the work, and the results that wait for the ones before them.
struct Queue<R> {
    state: Mutex<State<R>>,
    /// Signalled whenever a thread that waits may go on.
    changed: Condvar,
    num_parts: usize,
    /// The most parts that are claimed and not taken yet.
    window: usize,
}

struct State<R> {
    /// The number of parts whose results were taken.
    taken: usize,
    /// The results of the parts from `taken` to the last one claimed; `None` while a thread processes the part.
    results: VecDeque<Option<R>>,
    is_stopped: bool,
}

/// What the calling thread does next.
enum Next<'q, R> {
    Ready(R),
    Work(Claim<'q, R>),
    Failed,
}

/// A part that one thread processes. Dropped without a result, it stops the work.
struct Claim<'q, R> {
    queue: &'q Queue<R>,
    part: usize,
    is_finished: bool,
}

impl<R> Queue<R> {
    fn new(num_parts: usize, window: usize) -> Self {
        let state = State { taken: 0, results: VecDeque::new(), is_stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), num_parts, window }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<R>>) -> MutexGuard<'g, State<R>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next part, if there is one and the results that wait leave room for it.
    fn claim(&self, state: &mut State<R>) -> Option<Claim<'_, R>> {
        let part = state.taken + state.results.len();
        if part == self.num_parts || state.results.len() == self.window {
            return None;
        }
        state.results.push_back(None);
        Some(Claim { queue: self, part, is_finished: false })
    }

    /// The next part, once there is room for it; `None` if there is no further one.
    fn wait_for_part(&self) -> Option<Claim<'_, R>> {
        let mut state = self.lock();
        loop {
            if state.is_stopped || state.taken + state.results.len() == self.num_parts {
                return None;
            }
            if let Some(claim) = self.claim(&mut state) {
                return Some(claim);
            }
            state = self.wait(state);
        }
    }

    /// The results of the first part that was not taken yet, or a part to process meanwhile.
    fn next_result(&self) -> Next<'_, R> {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return Next::Failed;
            }
            if let Some(results) = state.results.front_mut().and_then(Option::take) {
                state.results.pop_front();
                state.taken += 1;
                self.changed.notify_all();
                return Next::Ready(results);
            }
            if let Some(claim) = self.claim(&mut state) {
                return Next::Work(claim);
            }
            state = self.wait(state);
        }
    }

    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}

impl<R> Claim<'_, R> {
    fn finish(mut self, results: R) {
        let mut state = self.queue.lock();
        let index = self.part - state.taken;
        state.results[index] = Some(results);
        self.is_finished = true;
        self.queue.changed.notify_all();
    }
}

impl<R> Drop for Claim<'_, R> {
    fn drop(&mut self) {
        if !self.is_finished {
            self.queue.stop();
        }
    }
}

/// Stops the work when it goes out of scope.
struct StopOnDrop<'q, R>(&'q Queue<R>);

impl<R> Drop for StopOnDrop<'_, R> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::{Next, Pool, Queue};
    use std::convert::Infallible;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    #[test]
    fn all_threads_take_part_and_results_come_in_order() {
        for threads in [0, 1, 2, 7] {
            let all = Barrier::new(threads.max(1));
            let items: Vec<u64> = (0..3000).collect();
            let work = |is_begun: &mut bool, &item: &u64| {
                if !std::mem::replace(is_begun, true) {
                    all.wait();
                }
                item * item
            };
            let mut squares = Vec::new();
            let take = |&item: &u64, square| {
                squares.push((item, square));
                Ok::<(), Infallible>(())
            };
            Pool::new(threads).run(&items, || false, work, take).unwrap_or_else(|never| match never {});
            assert_eq!(squares, (0..3000).map(|item| (item, item * item)).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    /// As when the system refuses all other threads.
    #[test]
    fn the_calling_thread_can_do_all_of_the_work() {
        let queue = Queue::new(100, 7);
        for part in 0..100 {
            let result = loop {
                match queue.next_result() {
                    Next::Ready(result) => break result,
                    Next::Work(claim) => {
                        let part = claim.part;
                        claim.finish(part * part);
                    }
                    Next::Failed => panic!("nothing has stopped the work"),
                }
            };
            assert_eq!(result, part * part);
        }
        assert!(queue.wait_for_part().is_none());
    }

    #[test]
    fn no_more_parts_are_claimed_than_the_window_has() {
        let queue: Queue<()> = Queue::new(10, 3);
        let mut state = queue.lock();
        let claims: Vec<_> = std::iter::from_fn(|| queue.claim(&mut state)).collect();
        assert_eq!(claims.iter().map(|claim| claim.part).collect::<Vec<_>>(), [0, 1, 2]);
        drop(state);
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

    #[test]
    fn a_panic_in_the_work_or_in_a_result_reaches_the_caller() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 5] {
            for of_work in [true, false] {
                let run = || {
                    let work = |(): &mut (), &item: &usize| assert!(!of_work || item != 500, "item 500");
                    let take = |&item: &usize, ()| {
                        assert!(of_work || item != 500, "item 500");
                        Ok::<(), Infallible>(())
                    };
                    Pool::new(threads).run(&items, || (), work, take)
                };
                assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{threads} threads");
            }
        }
    }
}

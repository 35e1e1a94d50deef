//! Work on many functions in parallel, with answers in order.

use crate::input::Input;
use crate::progress::Progress;
use ssaphire_wasm::Pool;
use std::num::NonZero;
use std::thread;

/// The threads of this process, and what people see of their work.
pub(crate) struct Pipeline {
    pool: Pool,
    progress: Progress,
}

impl Pipeline {
    /// With as many threads as there are processors, or as are allowed.
    pub(crate) fn new(threads: Option<NonZero<u16>>, progress: Progress) -> Self {
        Self { pool: Pool::of_machine(threads), progress }
    }

    /// As many threads as there are processors, or as are allowed.
    pub(crate) fn num_threads(threads: Option<NonZero<u16>>) -> usize {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        threads.map_or(processors, |most| processors.min(most.get().into()))
    }

    /// The threads.
    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Says that all functions of these inputs are going to be worked on.
    pub(crate) fn expect(&self, inputs: &[Input]) {
        self.progress.expect(inputs.iter().map(|input| input.functions.len() as u64).sum());
    }

    /// [`Pool::run`], with progress shown while it lasts.
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
        let work = |worker: &mut W, &item: &usize| {
            let answer = work(worker, item);
            self.progress.step();
            answer
        };
        let take = |&item: &usize, answer| {
            // What is taken may be written to the same terminal.
            self.progress.clear();
            take(item, answer)
        };
        let done = self.pool.run(items, new_worker, work, take);
        self.progress.clear();
        done
    }
}

//! All functions of a module, in parallel, delivered in order.

use crate::dialect::Wasm;
use crate::error::FunctionError;
use crate::module::Module;
use crate::translate::{TranslateOptions, Translator};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use ssaphire::{Certified, Options};
use ssaphire_ir::Function;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A function, as the worker that translated it has it.
pub struct Translated<'w> {
    /// Its number among all functions of the module, imported ones included.
    pub index: u32,
    /// Its SSA form, or why there is none.
    pub result: Result<Function<Wasm>, FunctionError>,
    /// The builder it was made with: it can certify the function, and has the counters.
    pub ssa: &'w mut Certified,
}

/// Functions that are translated before their answers are delivered, for each thread.
const ROUND: usize = 256;

/// Parts of a round, for each thread: some functions take longer than others.
const PARTS: usize = 8;

/// Translates all functions that `module` defines, with that many threads.
///
/// `work` is called for each function on some thread, and its answer goes to
/// `take` in the order of the functions. The answers are the same for any
/// number of threads; at no time are there more of them, or of functions, than
/// a few hundred for each thread. Each worker keeps its memory from function
/// to function.
pub fn translate_all<R: Send>(
    module: &Module,
    options: TranslateOptions,
    ssa: &Options,
    threads: usize,
    work: impl Fn(Translated<'_>) -> R + Sync,
    mut take: impl FnMut(u32, R),
) {
    let functions = module.defined_functions();
    let pool = if threads > 1 { ThreadPoolBuilder::new().num_threads(threads).build().ok() } else { None };
    let workers = Workers { module, options, ssa, idle: Mutex::new(Vec::new()) };
    let Some(pool) = pool else {
        return workers.with(|worker| functions.for_each(|index| take(index, worker.work(index, &work))));
    };
    for begin in functions.clone().step_by(ROUND * threads) {
        let round = begin..functions.end.min(begin + (ROUND * threads) as u32);
        workers.round(&pool, round, threads, &work, &mut take);
    }
}

struct Workers<'m> {
    module: &'m Module,
    options: TranslateOptions,
    ssa: &'m Options,
    idle: Mutex<Vec<Worker<'m>>>,
}

struct Worker<'m> {
    translator: Translator<'m>,
    ssa: Certified,
}

impl<'m> Workers<'m> {
    fn round<R: Send>(
        &self,
        pool: &ThreadPool,
        round: Range<u32>,
        threads: usize,
        work: &(impl Fn(Translated<'_>) -> R + Sync),
        take: &mut impl FnMut(u32, R),
    ) {
        let begin = round.start;
        let functions: Vec<u32> = round.collect();
        let part_len = functions.len().div_ceil(threads * PARTS).max(1);
        let answer = |part: &[u32]| -> Vec<R> {
            self.with(|worker| part.iter().map(|&index| worker.work(index, work)).collect())
        };
        let answers: Vec<Vec<R>> = pool.install(|| functions.par_chunks(part_len).map(answer).collect());
        for (index, answer) in (begin..).zip(answers.into_iter().flatten()) {
            take(index, answer);
        }
    }

    /// Lends out a worker that is idle, or a new one.
    fn with<T>(&self, job: impl FnOnce(&mut Worker<'m>) -> T) -> T {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = idle.unwrap_or_else(|| Worker {
            translator: Translator::new(self.module, self.options),
            ssa: Certified::new(self.ssa.clone()),
        });
        let answer = job(&mut worker);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        answer
    }
}

impl Worker<'_> {
    fn work<R>(&mut self, index: u32, work: &impl Fn(Translated<'_>) -> R) -> R {
        let result = self.translator.translate(index, &mut self.ssa);
        work(Translated { index, result, ssa: &mut self.ssa })
    }
}

//! All functions of a module, in parallel, delivered in order.

use crate::dialect::Wasm;
use crate::error::FunctionError;
use crate::module::Module;
use crate::pool::Pool;
use crate::translate::{TranslateOptions, Translator};
use ssaphire::{Certified, Options};
use ssaphire_ir::Function;
use std::convert::Infallible;

/// A function, as the worker that translated it has it.
pub struct Translated<'w> {
    /// Its number among all functions of the module, imported ones included.
    pub index: u32,
    /// Its SSA form, or why there is none.
    pub result: Result<Function<Wasm>, FunctionError>,
    /// The builder it was made with: it can certify the function, and has the counters.
    pub ssa: &'w mut Certified,
}

/// Translates all functions that `module` defines, with that many threads, or as many as the system gives.
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
    let functions: Vec<u32> = module.defined_functions().collect();
    let new_worker = || Worker { translator: Translator::new(module, options), ssa: Certified::new(ssa.clone()) };
    let take = |&index: &u32, answer| {
        take(index, answer);
        Ok::<(), Infallible>(())
    };
    let done = Pool::new(threads).run(&functions, new_worker, |worker, &index| worker.work(index, &work), take);
    done.unwrap_or_else(|never| match never {});
}

struct Worker<'m> {
    translator: Translator<'m>,
    ssa: Certified,
}

impl Worker<'_> {
    fn work<R>(&mut self, index: u32, work: &impl Fn(Translated<'_>) -> R) -> R {
        let result = self.translator.translate(index, &mut self.ssa);
        work(Translated { index, result, ssa: &mut self.ssa })
    }
}

//! Translates all functions of a module in parallel, and delivers them in order.

use crate::dialect::Wasm;
use crate::error::FunctionError;
use crate::module::Module;
use crate::pool::Pool;
use crate::translate::{TranslateOptions, Translator};
use ssaphire::{Certified, Options};
use ssaphire_ir::Function;
use std::convert::Infallible;

/// A translated function, with the state of its worker.
pub struct Translated<'w> {
    /// Its number among all functions of the module, imported ones included.
    pub index: u32,
    /// Its SSA form, or the reason why it has none.
    pub result: Result<Function<Wasm>, FunctionError>,
    /// The builder that built it: it can certify the function, and has the counters.
    pub ssa: &'w mut Certified,
}

/// Translates all functions that `module` defines, with `threads` threads, or as many as the system provides.
///
/// `work` is called for each function on some thread, and its result goes to `take` in the order of the functions. The
/// results are the same for any number of threads. At most a few hundred results or functions per thread exist at a
/// time. Each worker reuses its memory from function to function.
pub fn translate_all<R: Send>(
    module: &Module,
    options: TranslateOptions,
    ssa: &Options,
    threads: usize,
    work: impl Fn(Translated<'_>) -> R + Sync,
    mut take: impl FnMut(u32, R),
) {
    let functions: Vec<u32> = module.defined_functions().collect();
    let new_worker =
        || Worker { translator: Translator::new(module, options), ssa: Certified::with_options(ssa.clone()) };
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

//! Repair of finished functions, beside an updater that walks back for each use, and beside rebuilding.
//!
//! | family | what it is | what it asks |
//! |---|---|---|
//! | `chain` | *n* blocks in a row; the first one defines, the last one uses | one long way back |
//! | `row` | *n* blocks in a row; the first one defines, each uses | a way back for each use |
//! | `ladder` | *n* conditionals in a row; one arm of each defines, each join uses | a phi in each join |
//! | `nest` | *n* loops around each other; before them and within the innermost is a definition, each header uses | a phi in each header |
//! | `islands` | *n* conditionals in a row, each with a variable of its own: both arms define, the join uses | little live code in a long function |
//! | `far` | the same, but the last block uses all variables | long ways back through joins that need no phi |
//! | `crowd` | ten conditionals; *n* variables that one arm of each defines and each join uses | many phis in a block |
//! | `early` | `ladder`, and a phi stands in each join that has nothing of the one needed | phis that do not fit |
//! | `late` | `ladder`, and a phi stands in each join that differs from the one needed at the first join alone | phis that nearly fit |
//!
//! | way | what it is |
//! |---|---|
//! | `repair` | [`Repair`](ssaphire::repair::Repair), asked for all uses of a variable at once |
//! | `reuse` | the same, with phis that stand there already |
//! | `walk` | what LLVM's `SSAUpdater` does: see the module `walk` |
//! | `walk-2022` | the same, as it was when a function took 80 minutes ([llvm/llvm-project#58203](https://github.com/llvm/llvm-project/issues/58203)) |
//! | `rebuild` | the default builder constructs the variables anew: it is told the blocks, edges, definitions and uses |
//!
//! Costs are divided by the places at which a variable is live or used.

mod family;
mod problem;
mod solution;
#[cfg(test)]
mod tests;
mod walk;
mod way;

pub use family::Family;
pub use problem::{Accesses, Defined, Problem, Used};
pub use way::Way;

use crate::growth::{self, Figures, Series};

/// The members that are measured, family by family and way by way.
pub fn series(families: &[Family], ways: &[Way]) -> Vec<Series> {
    let series = |family: Family, way: Way| Series { family: family.name(), way: way.name(), sizes: family.sizes() };
    families.iter().flat_map(|&family| ways.iter().map(move |&way| series(family, way))).collect()
}

/// Measures one member: its results are the phis that are made.
pub fn measure(family: Family, n: u32, way: Way) -> Figures {
    let problem = family.problem(n);
    growth::measure(problem.num_live() as u64, || (), |()| way.go(&problem))
}

/// Goes that way so many times, and does nothing else.
pub fn measure_times(family: Family, n: u32, way: Way, times: usize) {
    let problem = family.problem(n);
    for _ in 0..times {
        std::hint::black_box(way.go(&problem));
    }
}

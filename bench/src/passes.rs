//! Passes over functions in SSA form, by size.
//!
//! | family | what it is |
//! |---|---|
//! | `block` | one block of *n* steps |
//! | `row` | *n* blocks in a row, each with a step |
//! | `ladder` | *n* conditionals in a row; each join has two phis that are congruent, one that is redundant, and a step |
//! | `known` | *n* conditionals in a row on what is always the same constant, each join with a phi and a step |
//! | `decided` | *n* conditionals in a row, and behind each one that it decides |
//! | `cascade` | a conditional, and *n* in a row that it decides |
//! | `nest` | *n* loops around each other, each header with a phi and a step |
//! | `loops` | *n* loops in a row, each header with a phi and a step |
//! | `empty` | *n* conditionals in a row with nothing in them |
//! | `switch` | *n* cases, each with a step, and a join with two phis |
//! | `orphans` | *n* unreachable blocks, each with a step and an edge to the one block that is not, which has a phi |
//!
//! The other families are the [shapes](ssaphire_tests::shapes) that tests look at, too.
//!
//! A *step* is an operation on a constant and what the last step made of one,
//! an operation on a parameter that all steps do, a copy of that, an operation
//! that nothing needs, and an instruction that shows some of it with a value
//! that is computed at the beginning. So each pass has something to do.
//!
//! The ways are the passes by name; `split`, which splits the live range of
//! that value at each step; `rematerialize`, which computes it again for
//! the last one; and the methods that find the way out of SSA form, whose changes are the copies that remain; and `structure`,
//! whose changes are the steps of the structured program. Costs are divided by the size of the function: blocks, edges,
//! operands of phis, instructions and their arguments.

mod family;
#[cfg(test)]
mod tests;
mod way;

pub use family::{Family, Member};
pub use ssaphire_tests::shapes::size;
pub use way::Way;

use crate::growth::{self, Figures, Series};

/// The members that are measured, family by family and way by way.
pub fn series(families: &[Family], ways: &[Way]) -> Vec<Series> {
    let of = |family: Family| {
        let ways = ways.iter().filter(move |way| way.is_for(family));
        ways.map(move |way| Series { family: family.name(), way: way.name(), sizes: family.sizes() })
    };
    families.iter().copied().flat_map(of).collect()
}

/// Measures one member: its results are the changes that are made.
pub fn measure(family: Family, n: u32, way: Way) -> Figures {
    let member = family.member(n);
    growth::measure(size(&member.function) as u64, || member.clone(), |member| way.go(member))
}

/// Goes that way so many times, and does nothing else but copying the function before.
pub fn measure_times(family: Family, n: u32, way: Way, times: usize) {
    let member = family.member(n);
    for _ in 0..times {
        std::hint::black_box(way.go(&mut member.clone()));
    }
}

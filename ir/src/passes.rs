//! Passes over functions in SSA form.
//!
//! | pass | removes |
//! |---|---|
//! | [`remove_dead_code`] | what nothing needs, by control dependence, and all of the below |
//! | [`remove_dead_code`] | code that nothing needs, by control dependence, and all of the below |
//! | [`propagate_copies`] | copies of values |
//! | [`thread_jumps`] | branches that are decided before they are reached, where that is known on the way |
//! | [`thread_jumps`] | branches that are decided on some of the paths that lead to them |
//! | [`hoist_loop_invariants`] | operations from loops in which their arguments do not change |
//! | [`remove_unreachable_blocks`] | blocks that the entry does not reach |
//! | [`remove_redundant_phis`] | sets of phis that stand for one value |
//! | [`remove_empty_blocks`] | blocks that only jump, unless many edges share operands by them |
//! | [`remove_unused`] | instructions and phis without effect that nothing else needs |
//!
//! [`Pass`] has them by name. [`split_live_range`] and [`rematerialize`] make single changes at points that the caller
//! chooses.
//!
//! A function must be in form ([`Function::check_form`](crate::Function::check_form)) and in SSA form
//! ([`ssaphire::check::rules`]). Instructions that still read or write
//! variables are left as they are. Values keep their ids, blocks are
//! renumbered; [`Function::canonicalize`](crate::Function::canonicalize) drops the values that are gone.

mod constants;
mod copies;
mod dead_code;
mod empty_blocks;
mod jump_threading;
mod live_ranges;
mod loop_invariants;
mod pass;
mod redundant_phis;
#[cfg(test)]
mod sample_graphs;
mod thresholds;
mod unreachable;
mod unused;
mod value_numbering;
mod versions;

pub use constants::{Propagated, propagate_constants};
pub use copies::propagate_copies;
pub use dead_code::{Options, Report, remove_dead_code};
pub use empty_blocks::remove_empty_blocks;
pub use jump_threading::{Threaded, ThreadingOptions, thread_jumps};
pub use live_ranges::{LiveRangeError, Split, rematerialize, split_live_range};
pub use loop_invariants::{Hoisted, hoist_loop_invariants};
pub use pass::{Pass, PassOptions};
pub use redundant_phis::remove_redundant_phis;
pub use thresholds::Thresholds;
pub use unreachable::remove_unreachable_blocks;
pub use unused::{count_unused, remove_unused};
pub use value_numbering::{Numbered, PhiTags, number_values};

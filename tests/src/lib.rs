//! What the tests that span crates share.
//!
//! A [`Case`] is a function in variable form, made by hand or by
//! [`generate()`]. A [`Plan`] says in which order a builder is told of it, and
//! [`drive`] does so, with a [`TestHost`] that keeps what it hears. [`Built`]
//! is the result on the graph of the case, and [`walk`] runs both side by side.
//! A [`Court`] does all of that with every engine and judges the results;
//! [`calls`] makes calls without a case. What a fuzzer runs is in [`fuzzing`].
//!
//! Other tests begin with random [`functions`] of the reference IR, with random
//! While [`programs`], or with the files of the [`corpus`].
//!
//! The tests themselves are in `tests/`, one file or folder per subject.

mod built;
pub mod calls;
mod case;
mod choices;
pub mod corpus;
mod court;
pub mod families;
mod files;
mod finish;
pub mod functions;
pub mod fuzzing;
mod generate;
pub mod graphs;
mod host;
mod literal;
pub mod naive;
mod part;
mod plan;
pub mod programs;
pub mod refusal;
mod rng;
pub mod sample_forms;
mod sealed;
pub mod shapes;
pub mod small;
pub mod structured;
mod thresholds;
pub mod walk;

pub use built::{Built, BuiltPhi};
pub use case::{Case, Group, Merge};
pub use choices::Choices;
pub use court::{Court, TestCase};
pub use files::{corpus_cases, files_below};
pub use finish::{FinishInto, Writes};
pub use generate::{Shape, generate, is_reducible};
pub use host::{HostPhi, Origin, TestHost};
pub use part::{PART, Part, SEEDS, seeds, share};
pub use plan::{Filling, Plan, Sealing, drive};
pub use refusal::is_not_structured;
pub use rng::Rng;
pub use sealed::drive_sealed;
pub use thresholds::thresholds;

use std::env;
use std::io::{self, Write};

/// Under this variable a test that would be skipped fails.
pub const NO_SKIP: &str = "SSAPHIRE_NO_SKIP";

/// Says that the calling test is skipped for want of `reason`; the caller returns.
///
/// For external data and tools that a machine may lack, and for nothing else.
/// The line `skipped: ...` is shown for tests that pass, too.
///
/// # Panics
/// If the environment variable [`NO_SKIP`] is set and neither empty nor `0`.
#[track_caller]
pub fn skipped(reason: &str) {
    let may_skip = env::var_os(NO_SKIP).is_none_or(|value| value.is_empty() || value == "0");
    match verdict(reason, may_skip) {
        // Not `println!`, which the test runner keeps back when a test passes.
        Ok(line) => writeln!(io::stderr(), "{line}").expect("standard error can be written"),
        Err(complaint) => panic!("{complaint}"),
    }
}

/// Says that the calling test is skipped because the environment variable `variable` names no checkout; the caller returns.
///
/// Unlike [`skipped`], it never fails: no package registry has the test suites that these variables name.
pub fn skipped_without_checkout(variable: &str) {
    writeln!(io::stderr(), "skipped: no checkout in {variable}").expect("standard error can be written");
}

fn verdict(reason: &str, may_skip: bool) -> Result<String, String> {
    let line = format!("skipped: {reason}");
    if may_skip { Ok(line) } else { Err(format!("{line}, and {NO_SKIP} is set")) }
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn a_skip_is_a_line_or_a_failure() {
        assert_eq!(verdict("no engine", true).unwrap(), "skipped: no engine");
        assert_eq!(verdict("no engine", false).unwrap_err(), "skipped: no engine, and SSAPHIRE_NO_SKIP is set");
    }
}

/// The pages whose examples take neither Cranelift nor WebAssembly, so that they are compiled and run.
///
/// They stand here and not in the crates they are about, which are published without them.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../README.md")]
    struct Readme;

    #[doc = include_str!("../../docs/port-your-ir.md")]
    struct PortYourIr;

    #[doc = include_str!("../../docs/compare-constructors.md")]
    struct CompareConstructors;

    #[doc = include_str!("../../docs/json-round-trip.md")]
    struct JsonRoundTrip;

    #[doc = include_str!("../../docs/leave-ssa.md")]
    struct LeaveSsa;

    #[doc = include_str!("../../docs/fold-while-building.md")]
    struct FoldWhileBuilding;

    #[doc = include_str!("../../docs/continuations.md")]
    struct Continuations;

    #[doc = include_str!("../../docs/llvm.md")]
    struct Llvm;

    #[doc = include_str!("../../docs/repair-ssa.md")]
    struct RepairSsa;

    #[doc = include_str!("../../docs/text-forms.md")]
    struct TextForms;
}

//! The test suite of the language, [test262](https://github.com/tc39/test262): what passes as it is passes after the round trip.
//!
//! A [`Suite`] is a checkout beside the project, which the environment variable [`CHECKOUT`] names.
//! Each of its tests runs in one or two [`Mode`]s as it is; those that pass are transformed and run again.
//! The harness is never transformed.

mod cache;
mod front_matter;
mod mode;
mod record;
mod report;
mod run;
mod suite;

pub use cache::Cache;
pub use front_matter::{FrontMatter, Negative};
pub use mode::Mode;
pub use record::{Category, Exceptions, record};
pub use report::{Counts, Report};
pub use run::{Failure, Verdict, judge, run_all};
pub use suite::{Suite, Test};

/// The environment variable that names a checkout of test262.
pub const CHECKOUT: &str = "SSAPHIRE_TEST262";

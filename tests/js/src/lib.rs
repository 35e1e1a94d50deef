//! What proves the JavaScript front end: the meaning of a program is the same before and after the round trip through SSA form.
//!
//! [`Transformation`] is the only door to the front end.
//! [`test262`] runs the language's test suite, [`suites`] those of other tools, [`random`] generated programs, [`programs`]
//! real ones, all in [`node`].
//! [`packages`] uses those of npm, and [`own_tests`] runs the tests that come with some.
//! [`fuzzing`] is what a fuzzer runs, and [`speed`] measures time and size.

pub mod compare;
mod draws;
pub mod fuzzing;
pub mod node;
pub mod own_tests;
pub mod packages;
pub mod programs;
pub mod random;
pub mod speed;
pub mod suites;
pub mod syntax;
pub mod test262;
mod threads;
mod transformation;

pub use transformation::{Transformation, USUAL, keeping, round_trip};

use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().and_then(Path::parent).unwrap_or(package).to_owned()
}

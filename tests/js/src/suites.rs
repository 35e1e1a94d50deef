//! The programs in the test suites of other tools, as they are and after the round trip.
//!
//! A [`Snippet`] is the input of one test: of UglifyJS and terser, what their tests of the compressor compress; of esbuild,
//! what its tests of the parser print. Each runs in a realm of its own, and what it logs is compared; one that node refuses
//! as a script runs as a module.

mod extract;
mod run;

pub use extract::{Snippet, snippets};
pub use run::{Outcomes, run_all};

//! The judge, by definition.
//!
//! What takes no definition is tested in its own package.

mod isomorphic;
mod model;
mod paths;
mod quality;
#[path = "../../../../core/check/tests/it/random.rs"]
mod random;
mod refused_reads;
mod sources;

//! The WebAssembly front end, by its public interface.

mod exceptions;
mod generated;
mod identities;
mod judged;
mod legacy_exceptions;
mod limits;
mod machine;
mod operators;
mod proposals;
mod run_exceptions;
mod structure;
mod text_places;

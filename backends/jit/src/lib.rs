//! From While and WebAssembly to machine code, through Cranelift.
//!
//! | what is compiled | from | here |
//! |---|---|---|
//! | programs of the dialect `Basic` | SSA form: phis become block parameters | [`basic`] |
//! | WebAssembly | bytecode: locals become variables of a builder | [`wasm`] |
//!
//! The code does not rely on signals. It tests every operation that may trap,
//! stores the reason in the context, and returns through all callers to the
//! entry. [`Front`] is the builder interface of the WebAssembly translation, so
//! that two builders can be compared.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod basic;
mod code;
mod context;
mod error;
mod front;
mod options;
mod stack;
pub mod wasm;

pub use error::Error;
#[cfg(feature = "cranelift-frontend")]
pub use front::CraneliftsBuilder;
pub use front::{Builders, Front, FrontError, OurBuilder};
pub use options::{Options, host_isa};

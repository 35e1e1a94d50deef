//! From While and WebAssembly to machine code, through Cranelift.
//!
//! | what is compiled | from | here |
//! |---|---|---|
//! | programs of the dialect `Basic` | SSA form: phis become block parameters | [`basic`] |
//! | WebAssembly | bytecode: locals become variables of a builder | [`wasm`] |
//!
//! Nothing relies on signals: what may trap is tested for, the reason is left
//! in the context, and functions return to the one that was called first.
//! [`Front`] is what the translation of WebAssembly asks of a builder, so that
//! two builders can be compared.

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

//! The text form of traces, a call per line: `docs/trace-format.md` describes it.

mod read;
mod write;

pub use read::{SyntaxError, TextError, parse};
pub use write::print;

/// What the first line of a trace in text is.
pub const VERSION_LINE: &str = "ssatrace 1";

//! JavaScript, TypeScript and JSX, directly from the syntax tree to SSA form.

mod accesses;
pub mod dialect;
mod evaluate;
pub mod facts;
mod lower;
pub mod number;
pub mod program;
mod scopes;
pub mod source;
pub mod write;

pub use dialect::{Js, Type};
pub use lower::{LowerError, lower, lower_to_variables, lower_with};
pub use program::Program;

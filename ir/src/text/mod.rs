//! The text format: printing, parsing, errors that point at the place.

mod error;
mod inst;
mod lex;
mod print;
mod scope;
mod spell;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use inst::{InstParser, InstPrinter};
pub use lex::{quote_string, unquote_string};
pub use print::{NameStyle, PhiStyle};

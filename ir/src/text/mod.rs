//! The text format: printing, parsing, errors that point at the place.

mod error;
mod finish;
mod inst;
mod lex;
mod parse;
mod print;
mod reader;
mod scope;
mod spell;

pub use error::{SyntaxError, SyntaxErrorKind, SyntaxErrors};
pub use inst::{InstParser, InstPrinter};
pub use lex::{quote_string, unquote_string};
pub use parse::{parse, parse_all};
pub use print::{NameStyle, PhiStyle, PrintOptions, print, to_string};

pub(crate) use print::{Printer, print_inst};
pub(crate) use spell::Speller;

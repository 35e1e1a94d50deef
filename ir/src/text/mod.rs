//! The text format: printing, parsing, errors that point at the place.
//!
//! One statement per line; `;` begins a comment. `parse(print(f)) == f` for
//! every canonical function.
//!
//! ```text
//! text        = function*
//! function    = "func" name "(" [param {"," param}] ")" "{" newline
//!               ["entry" ":" label]             the first block, if it is not given
//!               {"var" variable {"," variable} [":" type]}
//!               block+ "}"
//! param       = variable [":" type]             binds the variable to the value %variable.0
//!             | value [":" type]                binds no variable
//!             | variable "=" value [":" type]
//! block       = label ":" ["<-" edge {"," edge}] newline phi* inst+
//! edge        = label ["." slot]                the incoming edges, in operand order
//! phi         = value [":" type] "=" "phi" (arg {"," arg} | "()")
//! inst        = [dest {"," dest} "="] operation
//!             | dest {"," dest} "=" arg {"," arg}     a copy: all reads before all writes
//! dest        = variable | value [":" type]
//! arg         = variable | value | constant | undefined
//! value       = "%" variable "." version | "%" number
//! undefined   = "undef" ["." variable] [":" type]
//! name, variable, label = word without dots | "'" anything "'"
//! ```
//!
//! * An operation without arguments that has results ends with `()`: `x = read()`.
//! * The default type of a dialect is not written, or `_` where there must be one.
//! * A block with phis and several incoming edges lists them; so does one whose
//!   edges are not in the order of their sources and slots. Where one source has
//!   several edges, those without a slot are its next ones.
//! * `var` declares variables: all of them where the order of their first mention
//!   is not the order of their ids, where a type has to be given, or where one is
//!   read and never written.
//! * Versions and numbers are only names: a canonical function has version 0, 1,
//!   2 of each variable in the order of its values.
//! * The last line of a function begins with `}`.

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
pub(crate) use spell::{Speller, plain_or_quoted};

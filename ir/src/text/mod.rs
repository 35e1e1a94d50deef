//! The text format: printing, parsing, errors that point at the place.
//!
//! One statement per line; `;` begins a comment. `parse(print(f)) == f` for
//! every canonical function, however its phis are spelled ([`PhiStyle`]).
//!
//! ```text
//! text        = {["dialect" dialect newline] function}
//! function    = "func" name "(" [param {"," param}] ")" "{" newline
//!               ["entry" ":" label]             the first block, if it is not given
//!               {"var" variable {"," variable} [":" type]}
//!               block+ "}"
//! param       = variable [":" type]             binds the variable to the value %variable.0
//!             | value [":" type]                binds no variable
//!             | variable "=" value [":" type]
//! block       = label ["(" [defined {"," defined}] ")"] ":" ["<-" edge {"," edge}] newline
//!               phi* {inst | upsilon} inst
//! defined     = value [":" type]
//! edge        = label ["." slot]                the incoming edges, in operand order
//! phi         = defined "=" "phi" (operand {"," operand} | "()")
//! upsilon     = "upsilon" value "=" operand ["on" "slot" slot]
//! inst        = [dest {"," dest} "="] operation
//!             | dest {"," dest} "=" arg {"," arg}     a copy: all reads before all writes
//! dest        = variable | defined
//! target      = label ["(" [operand {"," operand}] ")"]    where an operation goes, and what it passes
//! arg         = variable | operand
//! operand     = value | constant | undefined
//! value       = "%" variable "." version | "%" number
//! undefined   = "undef" ["." variable] [":" type]
//! name, variable, label = word without dots | "'" anything "'"
//! ```
//!
//! * An operation without arguments that has results ends with `()`: `x = read()`.
//! * The default type of a dialect is not written, or `_` where there must be one.
//! * The line `dialect wasm` says of which dialect the functions below it are, up to the next such line
//!   ([`Outline`]). [`print()`] does not write it.
//! * The operands of a phi are listed in the block; or the phi is a parameter of the block, and each edge
//!   passes a value; or it is `phi()`, and upsilons at the ends of the edges' sources give the operands, `on slot`
//!   of an edge where its source has several. All of them are read at the ends of the sources, before any phi is defined.
//! * A block with listed operands and several incoming edges lists them; so does one whose
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
mod outline;
mod parse;
mod phis;
mod print;
mod reader;
mod rules;
mod scope;
mod spell;
mod types;

pub use error::{BrokenRule, SyntaxError, SyntaxErrorKind, SyntaxErrors};
pub use inst::{InstParser, InstPrinter};
pub use lex::{quote_string, unquote_string};
pub use outline::{FunctionText, Outline};
pub use parse::{parse, parse_all};
pub use print::{NameStyle, PhiStyle, PrintOptions, print, to_string};

pub(crate) use inst::Spell;
pub(crate) use lex::is_plain_name;
pub(crate) use print::{Printer, print_inst};
pub(crate) use spell::{Speller, plain_or_quoted};

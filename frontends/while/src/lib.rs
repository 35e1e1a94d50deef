//! The While language, from syntax tree straight to SSA form.
//!
//! The language of Ullrich's thesis (`skip`, assignments, `if`, `while`, and
//! expressions over numbers and truth values), and a superset in which the
//! examples of the papers can be written. [`Options::strict`] takes the
//! thesis's language only.
//!
//! ```
//! use ssaphire::Certified;
//! use ssaphire_while::{Options, build, parse};
//!
//! let source = "func sum(n) { i := 0; s := 0; while i < n { s := s + i; i := i + 1; } return s; }";
//! let program = parse(source, &Options::default()).unwrap();
//! let built = build(&program, 0, &mut Certified::default()).unwrap();
//! assert_eq!(built.function.num_blocks(), 4);
//! ```
//!
//! # Grammar
//!
//! Between quotes: as written. `[ ]` may be left out, `{ }` may stand any
//! number of times. A file is a list of functions, or a list of statements,
//! which is one function `main` without parameters.
//!
//! ```text
//! file       = { function } | { statement }
//! function   = "func" name "(" [ param { "," param } ] ")" [ "[" "]" ] body
//! param      = name [ "[" "]" ]                             with "[]": an array
//! body       = "{" { statement } "}"
//! statement  = simple ";"                                  the last one of a body needs no ";"
//!            | "if" expression body [ "else" ( body | if-statement ) ]
//!            | "while" expression body
//!            | name ":"                                    + a label, known in the whole function
//!            | "array" name { "," name } ";"               + in front of all other statements of a function
//!            | ";"
//! simple     = "skip"
//!            | name ( ":=" | "=" ) expression
//!            | element ( ":=" | "=" | "<-" ) expression    +
//!            | call | "read" "(" ")"                       + for the effect
//!            | "print" list                                +
//!            | "repeat" body "until" expression            +
//!            | "break" | "continue"                        + of the innermost loop
//!            | "goto" name                                 + anywhere in the function, into loops too
//!            | "return" [ list ]                           +
//! list       = expression { "," expression }
//! expression = unary { operator unary }
//! element    = name ( "[" expression "]" | "." name )
//! unary      = { "-" | "!" | "~" } primary                 + "~"
//! primary    = integer | "true" | "false" | name | "(" expression ")"
//!            | element                                     +
//!            | "read" "(" ")"                              + the next number of the input
//!            | call
//! call       = name "(" [ list ] ")"                       +
//! operator   = "||"                                        binds least
//!            | "&&"
//!            | "==" | "!=" | "<" | "<=" | ">" | ">="       do not chain
//!            | "|"                                         +
//!            | "^"                                         +
//!            | "&"                                         +
//!            | "<<" | ">>"                                 +
//!            | "+" | "-"
//!            | "*" | "/" | "%"                             binds most
//! integer    = digits | "0x" hexadecimal digits
//! ```
//!
//! What is marked `+`, and functions, are the superset. Operators of one line
//! bind to the left. Names are ASCII letters, digits and `_`; the words in
//! quotes are no names. Comments are `// to the end of the line` and
//! `/* ... */`, which does not nest. Parentheses around conditions are as good
//! as none.
//!
//! # Meaning
//!
//! Numbers are `i64`; operators are those of the reference IR, so
//! arithmetic wraps around and dividing by zero traps. `true` is 1, `false` is
//! 0, and everything but 0 is true. `&&` and `||` evaluate their right side only
//! if the left one does not decide, and yield 1 or 0. A variable that is read
//! before it is written is undefined; branching on it traps. A function
//! that ends without `return` returns nothing.
//!
//! A variable holds a number, or an array if it is declared so: as a parameter with
//! `[]`, or by `array` at the top of a function, or of a list of statements. An array
//! has an element, which is a number, at every `i64`; those that were not stored are
//! undefined. Arrays are values: `a := b` makes `a` hold the same array, `a[i] := x`
//! makes it hold another one, and nothing of that changes `b`, or what a caller has
//! passed. They can be printed, passed and returned; a function whose name and
//! parameters `[]` follows returns one, before other results if there are several.
//! Opaque functions take both, and return numbers.
//!
//! A record is an array: `r.x` is the element of `r` at an index of its own for the
//! name `x`. Fields are numbered from 0 in the order in which a file first mentions
//! them, for all records of the file.
//!
//! `a[i] <- x` stores an element and promises that nobody needs what `a` held before:
//! of the array that `a` holds then, the element at `i` is known, and no other. It is
//! the hidden update of Cytron et al., section 3.1.1, which keeps no array alive.
//!
//! Calls are opaque when a function is [built](build()), those of functions of
//! the same file too; the number of arguments of these is checked.
//!
//! # Departures
//! The thesis takes its language as an abstract syntax from elsewhere and shows
//! of it what its examples need; the concrete syntax is ours, and so is the
//! choice of operators. Its language has no arrays. Truth values are numbers, where the thesis has two
//! types. An `else` that does nothing may be left out.

mod build;
mod error;
pub mod generate;
mod interpret;
mod options;
mod parse;
mod print;
mod token;
mod tree;
mod warning;
mod write;

pub use build::{Built, build, build_cps, build_folded, build_variable_form};
pub use error::{Error, ErrorKind};
pub use interpret::{Calls, interpret};
pub use options::Options;
pub use parse::parse;
pub use ssaphire_ir::source::{Place, Span};
pub use tree::{Body, Callee, Expression, ExpressionId, Field, Function, Label, List, Program, Statement, StatementId};
pub use warning::Warning;
pub use write::{Unwritable, WriteError, write};

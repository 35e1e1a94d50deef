//! The While language, directly from syntax tree to SSA form.
//!
//! The language is that of Ullrich's thesis (`skip`, assignments, `if`,
//! `while`, and expressions over numbers and truth values), with extensions in
//! which the examples of the papers can be written. [`Options::strict`] accepts
//! the thesis's language only.
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
//! Quoted text is literal. `[ ]` is optional, and `{ }` repeats any number of
//! times. A file is a list of functions, or a list of statements, which forms
//! one function `main` without parameters.
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
//!            | "array" name { "," name } ";"               + before all other statements of a function
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
//! Functions, and everything marked `+`, are extensions. Operators on the same
//! line have equal precedence and associate to the left. Names consist of ASCII
//! letters, digits and `_`; the words in quotes are reserved. Comments are
//! `// to the end of the line` and `/* ... */`, which does not nest.
//! Parentheses around conditions are optional.
//!
//! # Meaning
//!
//! Numbers are `i64`; operators are those of the reference IR, so arithmetic
//! wraps around and division by zero traps. `true` is 1, `false` is 0, and
//! everything except 0 is true. `&&` and `||` evaluate their right side only if
//! the left side does not decide, and yield 1 or 0. A variable that is read
//! before it is written is undefined; branching on it traps. A function that
//! ends without `return` returns nothing.
//!
//! A variable is a number, or an array if it is declared as one: as a parameter
//! with `[]`, or with `array` at the top of a function or of a list of
//! statements. An array has an element, a number, at every `i64`; elements that
//! were not stored are undefined. Arrays are values: `a := b` assigns the
//! array, and `a[i] := x` assigns an updated array to `a`; neither changes `b`,
//! or an array of the caller. Arrays can be printed, passed and returned; a
//! function with `[]` after its name and parameters returns one, before any
//! other results. Opaque functions take both types, and return numbers.
//!
//! A record is an array: `r.x` is the element of `r` at an index of its own for the
//! name `x`. Fields are numbered from 0 in the order in which a file first mentions
//! them, for all records of the file.
//!
//! `a[i] <- x` stores an element and promises that the previous array in `a` is
//! dead: afterwards, only the element at `i` is known, and no other. It is the
//! hidden update of Cytron et al., section 3.1.1, which keeps no array alive.
//!
//! Calls are opaque when a function is [built](build()), even of functions of
//! the same file; for these, the number of arguments is checked.
//!
//! # Departures
//! The thesis imports its language as an abstract syntax and shows only the
//! parts that its examples need; the concrete syntax and the choice of
//! operators are ours. Its language has no arrays. Truth values are numbers
//! here, where the thesis has two types. An empty `else` may be omitted.

mod build;
mod error;
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

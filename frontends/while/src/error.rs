//! Errors in a program, with their places.

use ssaphire_ir::basic::Type;
use ssaphire_ir::source::{Place, Source, Span};
use std::fmt;

/// An error at one place of a program.
///
/// `Display` shows the line, with carets below the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The place of the error.
    pub place: Place,
}

impl Error {
    /// At most this many errors are collected; the rest are rarely worth reading.
    pub const LIMIT: usize = 20;

    pub(crate) fn new(kind: ErrorKind, span: Span, source: &Source) -> Self {
        Self { kind, place: source.place(span) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, place } = self;
        writeln!(f, "{}:{}: {kind}", place.line, place.column)?;
        place.fmt_excerpt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.kind)
    }
}

impl std::error::Error for ErrorKind {}

/// The kind of an error in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A character that no token begins with.
    UnexpectedCharacter(char),
    /// A `/*` without its `*/`.
    UnclosedComment,
    /// Digits mixed with letters that do not form a number.
    MalformedInteger(String),
    /// A number that does not fit in an `i64`.
    IntegerOutOfRange(String),
    /// A different token or construct is expected here.
    Expected {
        /// The expected token or construct.
        wanted: &'static str,
        /// The actual token as written, or the end of the file.
        found: String,
    },
    /// The file ends before a `{` is closed.
    Unclosed {
        /// Line of the `{`.
        line: usize,
    },
    /// `=` inside an expression.
    EqualsSign,
    /// `a < b < c`.
    ChainedComparison,
    /// An expression as a statement that is not a call.
    UselessExpression,
    /// `break` outside of a loop.
    BreakOutsideLoop,
    /// `continue` outside of a loop.
    ContinueOutsideLoop,
    /// A statement outside of the functions, in a file of functions.
    StatementOutsideFunction,
    /// A function in a file of plain statements, or inside a function.
    FunctionAmongStatements,
    /// A `goto` to a label that the function does not have.
    UnknownLabel(String),
    /// A label that the function already has.
    DuplicateLabel {
        /// Its name.
        name: String,
        /// Line of the first one.
        line: usize,
    },
    /// A parameter that the function already has.
    DuplicateParameter(String),
    /// An array with the name of another variable.
    DuplicateVariable(String),
    /// A declaration that does not precede all statements of its function.
    LateDeclaration,
    /// An element of a variable that holds a number.
    NotAnArray(String),
    /// An array where a number is expected, or the reverse.
    WrongType {
        /// The expected type.
        wanted: Type,
    },
    /// A function that the file already has.
    DuplicateFunction {
        /// Its name.
        name: String,
        /// Line of the first one.
        line: usize,
    },
    /// A call of a function of this file with the wrong number of arguments.
    WrongArity {
        /// The function called.
        name: String,
        /// Number of its parameters.
        wanted: usize,
        /// Number of arguments.
        given: usize,
    },
    /// A construct that is not in the language of the thesis.
    NotStrict(&'static str),
    /// A source too long for the representation of positions.
    SourceTooLong {
        /// Its length in bytes.
        given: usize,
        /// The greatest length that is accepted.
        limit: usize,
    },
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedCharacter(c) => write!(f, "unexpected character {c:?}"),
            Self::UnclosedComment => f.write_str("comment without `*/`"),
            Self::MalformedInteger(text) => write!(f, "`{text}`: neither a number nor a name"),
            Self::IntegerOutOfRange(text) => write!(f, "`{text}` is not a signed 64-bit integer"),
            Self::Expected { wanted, found } => write!(f, "expected {wanted}, found {found}"),
            Self::Unclosed { line } => {
                write!(f, "expected `}}` for the `{{` of line {line}, found the end of the file")
            }
            Self::EqualsSign => f.write_str("`=` assigns; `==` compares"),
            Self::ChainedComparison => f.write_str("comparisons do not chain: join them with `&&`, or use parentheses"),
            Self::UselessExpression => f.write_str("only calls can be expression statements"),
            Self::BreakOutsideLoop => f.write_str("`break` outside a loop"),
            Self::ContinueOutsideLoop => f.write_str("`continue` outside a loop"),
            Self::StatementOutsideFunction => f.write_str("a statement outside the functions of this file"),
            Self::FunctionAmongStatements => f.write_str("a function after statements"),
            Self::UnknownLabel(name) => write!(f, "`{name}`: the function has no such label"),
            Self::DuplicateLabel { name, line } => write!(f, "`{name}`: already a label in line {line}"),
            Self::DuplicateParameter(name) => write!(f, "`{name}`: already a parameter"),
            Self::DuplicateVariable(name) => write!(f, "`{name}`: already a variable"),
            Self::LateDeclaration => f.write_str("`array` must come before all statements of the function"),
            Self::NotAnArray(name) => write!(f, "`{name}`: holds a number (`array {name};` would declare an array)"),
            Self::WrongType { wanted: Type::Number } => f.write_str("expected a number, found an array"),
            Self::WrongType { wanted: Type::Array } => f.write_str("expected an array, found a number"),
            Self::DuplicateFunction { name, line } => write!(f, "`{name}`: already a function in line {line}"),
            Self::WrongArity { name, wanted, given } => {
                write!(f, "`{name}`: wrong number of arguments: expected {wanted}, got {given}")
            }
            Self::NotStrict(construct) => write!(f, "{construct}: not in the thesis's While language"),
            Self::SourceTooLong { given, limit } => write!(f, "the source has {given} bytes, but the limit is {limit}"),
        }
    }
}

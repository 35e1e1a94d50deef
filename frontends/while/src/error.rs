//! What can be wrong with a program, and where.

use ssaphire_ir::basic::Type;
use ssaphire_ir::source::{Place, Source, Span};
use std::fmt;

/// Something wrong at one place of a program.
///
/// `Display` shows the line, with carets below the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where it is.
    pub place: Place,
}

impl Error {
    /// So many are collected; the rest is rarely worth reading.
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

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A character that no token begins with.
    UnexpectedCharacter(char),
    /// A `/*` without its `*/`.
    UnclosedComment,
    /// Digits with letters among them that make no number.
    MalformedInteger(String),
    /// A number that no `i64` holds.
    IntegerOutOfRange(String),
    /// Something else should stand here.
    Expected {
        /// What should stand here.
        wanted: &'static str,
        /// What does: a token as written, or the end of the file.
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
    /// `break` where no loop is.
    BreakOutsideLoop,
    /// `continue` where no loop is.
    ContinueOutsideLoop,
    /// A statement in a file of functions, but in none of them.
    StatementOutsideFunction,
    /// A function in a file of plain statements, or in a function.
    FunctionAmongStatements,
    /// A `goto` to a label that the function does not have.
    UnknownLabel(String),
    /// A label the function has already.
    DuplicateLabel {
        /// Its name.
        name: String,
        /// Line of the first one.
        line: usize,
    },
    /// A parameter the function has already.
    DuplicateParameter(String),
    /// An array with the name of another variable.
    DuplicateVariable(String),
    /// A declaration that is not in front of all statements of its function.
    LateDeclaration,
    /// An element of a variable that holds a number.
    NotAnArray(String),
    /// An array where a number is wanted, or the other way round.
    WrongType {
        /// What is wanted.
        wanted: Type,
    },
    /// A function the file has already.
    DuplicateFunction {
        /// Its name.
        name: String,
        /// Line of the first one.
        line: usize,
    },
    /// A call of a function of this file that does not fit it.
    WrongArity {
        /// The function called.
        name: String,
        /// Number of its parameters.
        wanted: usize,
        /// Number of arguments.
        given: usize,
    },
    /// Something that is not in the language of the thesis.
    NotStrict(&'static str),
    /// A source longer than positions can tell.
    SourceTooLong {
        /// Its length in bytes.
        given: usize,
        /// The longest that is accepted.
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
            Self::UselessExpression => f.write_str("an expression as a statement has to be a call"),
            Self::BreakOutsideLoop => f.write_str("`break` outside a loop"),
            Self::ContinueOutsideLoop => f.write_str("`continue` outside a loop"),
            Self::StatementOutsideFunction => f.write_str("a statement outside the functions of this file"),
            Self::FunctionAmongStatements => f.write_str("a function among statements"),
            Self::UnknownLabel(name) => write!(f, "`{name}`: the function has no such label"),
            Self::DuplicateLabel { name, line } => write!(f, "`{name}`: already a label in line {line}"),
            Self::DuplicateParameter(name) => write!(f, "`{name}`: already a parameter"),
            Self::DuplicateVariable(name) => write!(f, "`{name}`: already a variable"),
            Self::LateDeclaration => f.write_str("`array` belongs in front of all statements of a function"),
            Self::NotAnArray(name) => write!(f, "`{name}`: holds a number (`array {name};` would declare an array)"),
            Self::WrongType { wanted: Type::Number } => f.write_str("an array, where a number is wanted"),
            Self::WrongType { wanted: Type::Array } => f.write_str("a number, where an array is wanted"),
            Self::DuplicateFunction { name, line } => write!(f, "`{name}`: already a function in line {line}"),
            Self::WrongArity { name, wanted, given } => {
                write!(f, "`{name}`: called with {given} arguments, has {wanted} parameters")
            }
            Self::NotStrict(construct) => write!(f, "{construct}: not in the thesis's While language"),
            Self::SourceTooLong { given, limit } => write!(f, "source of {given} bytes, at most {limit} are accepted"),
        }
    }
}

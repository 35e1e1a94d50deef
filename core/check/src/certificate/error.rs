//! The errors of the text of a certificate.

use crate::program::ProgramError;
use core::fmt;

/// The reason why a text is no certificate, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The line, counted from 1. One past the last line if the text ends too early.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
    /// The kind of error.
    pub kind: ParseErrorKind,
}

/// An error at one place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The first line is not that of a certificate.
    NotACertificate,
    /// The certificate has another format than the one this reader knows.
    UnknownFormat,
    /// No line begins with this word.
    UnknownLine,
    /// The token is not a symbol of a term.
    NotASymbol,
    /// An equation is not two terms, or its right side has a variable that its left side does not have.
    NotAnEquation,
    /// The line ends where something is missing.
    LineTooShort,
    /// The line has more tokens than it should.
    LineTooLong,
    /// The token is not a number.
    NotANumber,
    /// An id is 0; they start at 1.
    NoId,
    /// A number is greater than the reader accepts.
    TooLarge {
        /// The number.
        given: u64,
        /// The greatest one admitted.
        limit: u64,
    },
    /// An id is far greater than a program of this length can need, including the allowance that earlier programs left.
    SparseIds {
        /// The greatest id of a value or a variable.
        given: u64,
        /// The greatest one admitted for the length of the program.
        limit: u64,
    },
    /// A name has a `%` that no two hexadecimal digits follow, or is not UTF-8.
    BadName,
    /// The line belongs in a program.
    OutsideProgram,
    /// The line belongs in a block.
    OutsideBlock,
    /// A program begins before the last one has ended.
    InsideProgram,
    /// A phi comes after an event of its block.
    PhiAfterEvent,
    /// The program has two entries.
    EntryTwice,
    /// The program ends without an entry.
    EntryMissing,
    /// The text ends in a program.
    EndMissing,
    /// The blocks do not make a program.
    Program(ProgramError),
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACertificate => write!(f, "the first line of a certificate is `ssacert 2`"),
            Self::UnknownFormat => write!(f, "only format 2 is supported"),
            Self::UnknownLine => write!(f, "unknown kind of line"),
            Self::NotASymbol => write!(f, "expected a symbol: F/k, ?n, @s/k or the number of a global"),
            Self::NotAnEquation => {
                write!(f, "expected an applied operator, `=`, and a term whose variables occur on the left side")
            }
            Self::LineTooShort => write!(f, "the line ends too early"),
            Self::LineTooLong => write!(f, "expected the end of the line"),
            Self::NotANumber => write!(f, "expected a number"),
            Self::NoId => write!(f, "ids start at 1"),
            Self::TooLarge { given, limit } => {
                write!(f, "{given} exceeds the limit of {limit}")
            }
            Self::SparseIds { given, limit } => {
                write!(f, "id {given} is too large: a program of this length may have ids up to {limit}")
            }
            Self::BadName => {
                write!(f, "invalid name: `%` must be followed by two hexadecimal digits, and names are UTF-8")
            }
            Self::OutsideProgram => write!(f, "this line is only valid in a program"),
            Self::OutsideBlock => write!(f, "this line is only valid in a block"),
            Self::InsideProgram => write!(f, "the previous program has not ended"),
            Self::PhiAfterEvent => write!(f, "a phi must come before the events of its block"),
            Self::EntryTwice => write!(f, "the program already has an entry"),
            Self::EntryMissing => write!(f, "the program has no entry"),
            Self::EndMissing => write!(f, "the text ends inside a program"),
            Self::Program(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl core::error::Error for ParseError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.kind)
    }
}

impl core::error::Error for ParseErrorKind {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Program(error) = self { error.source() } else { None }
    }
}

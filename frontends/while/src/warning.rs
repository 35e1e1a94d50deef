//! Warnings about a program.

use crate::tree::{ExpressionId, Program};
use ssaphire::{Certainty, UndefinedRead};
use ssaphire_ir::source::{Place, Span};
use std::fmt;

/// A read of a variable that may not have been written.
///
/// A variable that was assigned the value of such a variable counts as not written, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The variable's name.
    pub variable: String,
    /// Whether the variable is unwritten on every path, or only on some.
    pub certainty: Certainty,
    /// The span of the read.
    pub span: Span,
}

impl Warning {
    /// The warning for a read in function number `index`; the site of the read is the expression's number.
    pub(crate) fn new(program: &Program, index: usize, read: &UndefinedRead) -> Self {
        Self {
            variable: program.functions()[index].variables[read.variable.index()].clone(),
            certainty: read.certainty,
            span: program.expression_span(ExpressionId(read.site)),
        }
    }

    /// The warning with its place in the source, as an [`Error`](crate::Error) shows it.
    pub fn at(&self, program: &Program) -> impl fmt::Display {
        Located { text: self.to_string(), place: program.place(self.span) }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let certainty = match self.certainty {
            Certainty::Is => "is",
            Certainty::MayBe => "may be",
        };
        write!(f, "`{}`: {certainty} read before it is written", self.variable)
    }
}

struct Located {
    text: String,
    place: Place,
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}: {}", self.place.line, self.place.column, self.text)?;
        self.place.fmt_excerpt(f)
    }
}

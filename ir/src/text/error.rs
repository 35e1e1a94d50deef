//! Errors in a text, with their places.

use crate::dialect::Count;
use crate::form::Part;
use ssaphire::check::Violation;
use std::fmt;

/// An error at one place of a text.
///
/// `Display` shows the line, with a caret below the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the character in the line, from 1.
    pub column: usize,
    /// The line, without its terminator.
    pub source: String,
    /// The kind of error.
    pub kind: SyntaxErrorKind,
}

/// The kind of an error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// A character that begins no token.
    UnexpectedCharacter(char),
    /// A quoted name or string that does not end on its line.
    UnterminatedQuote,
    /// A quoted name or string with an invalid escape.
    BadEscape,
    /// A number that is too large here.
    NumberTooLarge,
    /// A different token or construct is expected here.
    Expected(&'static str),
    /// This character or word is expected here.
    ExpectedToken(String),
    /// More on a line than belongs there.
    JunkAtEndOfLine,
    /// Something after the last function.
    JunkAfterEnd,
    /// The dialect has no such operation.
    UnknownOp(String),
    /// The dialect has no such type.
    UnknownType(String),
    /// An edge to a label that no block has.
    UndefinedLabel(String),
    /// Two blocks with one label.
    DuplicateLabel(String),
    /// A value that is used but that nothing defines.
    UndefinedValue(String),
    /// A second definition of a value.
    DuplicateValue(String),
    /// A variable declared or bound twice.
    DuplicateVariable(String),
    /// A variable that is read, but neither written nor declared.
    NeverWritten(String),
    /// A number of arguments, results or targets that the operation does not take.
    OperandCount {
        /// The counted part: arguments, results, targets.
        what: &'static str,
        /// The numbers that the operation takes.
        wanted: Count,
        /// The actual number.
        given: usize,
    },
    /// A phi without exactly one operand per incoming edge.
    PhiArity {
        /// Number of operands.
        operands: usize,
        /// Number of incoming edges.
        edges: usize,
    },
    /// A phi below an instruction.
    LatePhi,
    /// An edge that does not pass one value to each parameter of its target.
    BlockArguments {
        /// The label of the target.
        label: String,
        /// Number of values passed.
        given: usize,
        /// Number of parameters.
        params: usize,
    },
    /// An upsilon that does not name one of the edges that leave its block.
    UpsilonSlot {
        /// Number of these edges.
        targets: usize,
    },
    /// An upsilon of a value that is no phi, or none whose operands upsilons give, in the block where its edge leads.
    UpsilonWithoutPhi {
        /// The value, as it is written.
        value: String,
        /// The label of the block.
        label: String,
    },
    /// A second upsilon of a phi for one edge.
    DuplicateUpsilon,
    /// A block with phis or terminator results has to list its incoming edges after `<-`.
    IncomingNotListed,
    /// The edges after `<-` are not the incoming edges of the block, those of one source by ascending slot.
    WrongIncoming,
    /// Results of a terminator whose first target has other incoming edges.
    ResultsNeedOwnBlock,
    /// An instruction after the terminator of its block.
    AfterTerminator,
    /// A block without a terminator.
    Unterminated(String),
    /// A function without blocks.
    NoBlocks,
    /// A function that does not end with `}`.
    MissingEnd,
    /// A text without a function.
    NoFunction,
    /// More than one function, where one was asked for.
    SeveralFunctions,
    /// A dialect that the reader does not know.
    UnknownDialect(String),
    /// Functions of another dialect than the one to be read.
    WrongDialect {
        /// The dialect that the text names.
        said: String,
        /// The dialect to be read.
        wanted: &'static str,
    },
    /// An argument or a result of another type than the operation takes or makes, or a copy between two types.
    WrongType(Part),
    /// A phi with an operand of another type.
    PhiType {
        /// The position of the operand.
        operand: usize,
    },
    /// A use or a phi that breaks a rule of SSA form.
    Rule(BrokenRule),
    /// Something only the dialect knows.
    Dialect(String),
}

/// A rule of SSA form that a text breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenRule {
    /// A value used in a block before its definition there.
    UsedBeforeDefined(String),
    /// A value used where its definition does not dominate.
    NotDominated {
        /// The value, as it is written.
        value: String,
        /// The label of the block with the definition.
        definition: String,
    },
    /// An operand of a phi whose definition does not dominate the source of its edge.
    OperandNotDominated {
        /// The operand, as it is written.
        value: String,
        /// The label of the block with the definition.
        definition: String,
        /// The label of the block where the edge leaves.
        source: String,
    },
    /// A phi in the entry: control enters by no edge, so there is no operand for that.
    PhiInEntry(String),
    /// Another rule.
    Other(Violation),
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedCharacter(c) => write!(f, "unexpected character {c:?}"),
            Self::UnterminatedQuote => f.write_str("the quote does not end on this line"),
            Self::BadEscape => f.write_str("unknown escape sequence"),
            Self::NumberTooLarge => f.write_str("this number is too large"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::ExpectedToken(token) => write!(f, "expected `{token}`"),
            Self::JunkAtEndOfLine => f.write_str("expected the end of the line"),
            Self::JunkAfterEnd => f.write_str("expected a function or the end of the file"),
            Self::UnknownOp(name) => write!(f, "`{name}`: no such operation"),
            Self::UnknownType(name) => write!(f, "`{name}`: no such type"),
            Self::UndefinedLabel(label) => write!(f, "`{label}`: no block has this label"),
            Self::DuplicateLabel(label) => write!(f, "`{label}`: another block has this label"),
            Self::UndefinedValue(value) => write!(f, "{value}: used but never defined"),
            Self::DuplicateValue(value) => write!(f, "{value}: defined twice"),
            Self::DuplicateVariable(name) => write!(f, "`{name}`: declared or bound twice"),
            Self::NeverWritten(name) => write!(f, "`{name}`: read but never written (`var {name}` would declare it)"),
            Self::OperandCount { what, wanted, given } => {
                write!(f, "wrong number of {what}: expected {wanted}, got {given}")
            }
            Self::PhiArity { operands, edges } => {
                write!(f, "wrong number of operands: expected {edges}, one per incoming edge, got {operands}")
            }
            Self::LatePhi => f.write_str("phis come before all instructions of their block"),
            Self::BlockArguments { label, given, params } => {
                write!(f, "`{label}`: wrong number of block arguments: expected {params}, got {given}")
            }
            Self::UpsilonSlot { targets } => {
                write!(f, "`on slot` must name one of the {targets} edges that leave this block")
            }
            Self::UpsilonWithoutPhi { value, label } => {
                write!(f, "{value}: not a `phi()` of `{label}`, the target of this edge")
            }
            Self::DuplicateUpsilon => f.write_str("this phi already has an operand for this edge"),
            Self::IncomingNotListed => f.write_str("a block with phis must list its incoming edges: `label: <- a, b`"),
            Self::WrongIncoming => f.write_str(
                "the list must name each incoming edge of the block once, edges of one source by ascending slot",
            ),
            Self::ResultsNeedOwnBlock => {
                f.write_str("the first target of a terminator with results must not have other incoming edges")
            }
            Self::AfterTerminator => f.write_str("instruction after the terminator of its block"),
            Self::Unterminated(label) => write!(f, "`{label}`: block without a terminator"),
            Self::NoBlocks => f.write_str("function without blocks"),
            Self::MissingEnd => f.write_str("expected `}` at the end of the function"),
            Self::NoFunction => f.write_str("expected a function"),
            Self::SeveralFunctions => f.write_str("expected a single function, found another"),
            Self::UnknownDialect(name) => write!(f, "`{name}`: no such dialect"),
            Self::WrongDialect { said, wanted } => {
                write!(f, "`{said}`: expected functions of dialect `{wanted}`")
            }
            Self::WrongType(part) => write!(f, "{part} has the wrong type"),
            Self::PhiType { operand } => write!(f, "operand {operand} of this phi has the wrong type"),
            Self::Rule(rule) => rule.fmt(f),
            Self::Dialect(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UsedBeforeDefined(value) => write!(f, "{value}: used before its definition"),
            Self::NotDominated { value, definition } => {
                write!(f, "{value}: used in a block that its definition in `{definition}` does not dominate")
            }
            Self::OperandNotDominated { value, definition, source } => {
                write!(
                    f,
                    "{value}: used on the edge from `{source}`, which its definition in `{definition}` does not dominate"
                )
            }
            Self::PhiInEntry(value) => write!(f, "{value}: phi in the entry, where control enters without an edge"),
            Self::Other(violation) => violation.fmt(f),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, source, kind } = self;
        writeln!(f, "{line}:{column}: {kind}")?;
        writeln!(f, "{line:>5} | {source}")?;
        // Tabs stay tabs, so that the caret lands below its place however wide they are.
        let indent = source.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' });
        write!(f, "      | {}^", indent.collect::<String>())
    }
}

impl std::error::Error for BrokenRule {}

impl std::error::Error for SyntaxErrorKind {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::Rule(rule) = self { rule.source() } else { None }
    }
}

impl std::error::Error for SyntaxError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.kind)
    }
}

/// The errors in a text, in the order of its lines, up to a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxErrors {
    /// One or more.
    pub errors: Vec<SyntaxError>,
}

impl SyntaxErrors {
    /// At most this many errors are collected; the rest are rarely worth reading.
    pub const LIMIT: usize = 20;
}

impl fmt::Display for SyntaxErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxErrors {}

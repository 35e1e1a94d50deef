//! Why a function cannot be read.

use std::fmt;

/// Something in a function that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// The offset in bytes, from the start of the module.
    pub offset: usize,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// What is wrong with a function.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The header has no name or no parameter list.
    Header,
    /// The body has no end.
    NoEnd,
    /// The function has no block.
    Empty,
    /// A block does not end with a terminator.
    NoTerminator,
    /// Something follows a terminator in its block.
    AfterTerminator,
    /// An instruction uses a block that the function does not have.
    UnknownBlock(String),
    /// An instruction uses a value that the function does not define.
    UnknownValue(String),
    /// Two blocks or values have the same name.
    Twice(String),
    /// A phi is not a type and a list of pairs.
    Phi,
    /// A phi has no value for one of the blocks that jump to its block, or has one for another block.
    PhiBlocks,
    /// A phi follows an instruction that is not a phi.
    LatePhi,
    /// It is not known whether an instruction without a name for its result has one, so that its number is not known.
    Unnamed,
    /// There is a comment between `/*` and `*/`, which LLVM 22 skips and LLVM 19 refuses.
    BlockComment,
    /// An edge leads to the first block.
    EntryHasEdges,
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("expected a function name and a parameter list"),
            Self::NoEnd => f.write_str("the function has no closing `}`"),
            Self::Empty => f.write_str("the function has no instruction"),
            Self::NoTerminator => f.write_str("expected a terminator at the end of the block"),
            Self::AfterTerminator => f.write_str("expected a label after the terminator"),
            Self::UnknownBlock(name) => write!(f, "the function has no block `{name}`"),
            Self::UnknownValue(name) => write!(f, "the function does not define `{name}`"),
            Self::Twice(name) => write!(f, "`{name}` is defined twice"),
            Self::Phi => f.write_str("expected a type and pairs of values and blocks"),
            Self::PhiBlocks => f.write_str("expected one value for each block that branches here"),
            Self::LatePhi => f.write_str("a phi must not follow an instruction that is not a phi"),
            Self::Unnamed => f.write_str("expected a name or a number for the result"),
            Self::BlockComment => {
                f.write_str("a comment between `/*` and `*/` in a function cannot be kept: begin each line with `;`")
            }
            Self::EntryHasEdges => f.write_str("the first block must have no predecessors"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for ReadError {}

//! What the comparison of two modules gives.

use ssaphire_ir::BuildError;
use std::fmt;

/// A function, judged; or a global that is not what it was.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judged {
    /// The name with its sigil.
    pub name: String,
    /// Whether the function after is the one before, promoted.
    pub result: Result<Equivalence, Refusal>,
    /// The certificate, if the function is accepted and certificates are [asked for](crate::certify_promotion): empty if no slot was
    /// promoted, and `None` if other instructions were moved or removed.
    pub certificate: Option<String>,
}

/// What an accepted function is to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// It computes what the function before computes; what is undefined there is undefined here.
    Exact,
    /// The same, but something undefined has got a value, by the rules of LLVM.
    Refining,
    /// It is the function before, with promotable slots in memory.
    Unchanged,
}

/// Why a function is not accepted, and where.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// What is wrong.
    pub reason: NotPromotion,
    /// The place in the text before, in bytes.
    pub before: Option<usize>,
    /// The place in the text after, in bytes.
    pub after: Option<usize>,
    /// The labels of blocks, from the first block on, on whose execution in this order the difference shows; empty if no such path is known.
    pub path: Vec<String>,
}

/// Why a function is not accepted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotPromotion {
    /// The module after has no such function.
    Missing,
    /// The module before has no such function.
    Added,
    /// The function before cannot be read.
    Before(crate::ReadError),
    /// The function after cannot be read.
    After(crate::ReadError),
    /// The function before cannot be promoted.
    Build(BuildError),
    /// The result of promotion here is refused.
    Refused(String),
    /// The function after is not in SSA form.
    Form(String),
    /// The headers differ.
    Header,
    /// A global or a type of the module after is not that of the module before.
    Global,
    /// A phi has flags that no phi of its block had.
    Phi,
    /// A phi has a type that no variable has that needs a phi there.
    PhiType,
    /// Something besides promotion has happened, or a value is another one.
    Differs(String),
}

impl fmt::Display for NotPromotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("not in the file after promotion"),
            Self::Added => f.write_str("not in the file before promotion"),
            Self::Before(error) => write!(f, "before promotion: {error}"),
            Self::After(error) => write!(f, "after promotion: {error}"),
            Self::Build(error) => error.fmt(f),
            Self::Refused(reason) => write!(f, "promoted here: {reason}"),
            Self::Form(reason) => write!(f, "after promotion: {reason}"),
            Self::Header => f.write_str("not a promotion: the headers differ"),
            Self::Global => f.write_str("not a promotion: not so in the other file"),
            Self::Phi => f.write_str("not a promotion: a phi has flags that it did not have"),
            Self::PhiType => f.write_str("not a promotion: a phi has another type than its values"),
            Self::Differs(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NotPromotion {}

/// So many blocks at each end of a long path are printed.
const SHOWN: usize = 6;

/// What is wrong, and the path.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)?;
        match &*self.path {
            [] | [_] => Ok(()),
            path if path.len() <= 2 * SHOWN => write!(f, ", on the path {}", path.join(", ")),
            path => {
                let (start, end) = (path[..SHOWN].join(", "), path[path.len() - SHOWN..].join(", "));
                write!(f, ", on the path {start}, .., {end}")
            }
        }
    }
}

impl std::error::Error for Refusal {}

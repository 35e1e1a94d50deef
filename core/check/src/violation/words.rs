//! The description of a violation: the short name of its rule, and a sentence.

use super::Violation;
use core::fmt;

impl Violation {
    /// A short name of the broken rule, which stays the same between versions.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NoEntry { .. } => "no-entry",
            Self::TooManyBlocks { .. } => "too-many-blocks",
            Self::NoSuchBlock { .. } => "no-such-block",
            Self::NoSuchValue { .. } => "no-such-value",
            Self::UnpairedEdges { .. } => "unpaired-edges",
            Self::OperandCount { .. } => "operand-count",
            Self::DefinedTwice { .. } => "defined-twice",
            Self::GlobalDefined { .. } => "global-defined",
            Self::NotDefined { .. } => "not-defined",
            Self::UsedBeforeDefined { .. } => "used-before-defined",
            Self::NotDominated { .. } => "not-dominated",
            Self::OperandNotDominated { .. } => "operand-not-dominated",
            Self::OperandDropped { .. } => "operand-dropped",
            Self::InitialTwice { .. } => "initial-twice",
            Self::InitialNotGlobal { .. } => "initial-not-global",
            Self::PhiInEntry { .. } => "phi-in-entry",
            Self::PlaceTwice { .. } => "place-twice",
            Self::UseNotReplaced { .. } => "use-not-replaced",
            Self::UseAdded { .. } => "use-added",
            Self::UseNotVisited { .. } => "use-not-visited",
            Self::PhiNotWritten { .. } => "phi-not-written",
            Self::PhiAdded { .. } => "phi-added",
            Self::PhiMoved { .. } => "phi-moved",
            Self::OperandChanged { .. } => "operand-changed",
            Self::WrongValue { .. } => "wrong-value",
            Self::StaleValue { .. } => "stale-value",
            Self::MissingValue { .. } => "missing-value",
            Self::Uninitialized { .. } => "uninitialized",
            Self::UnnamedFailure { .. } => "unnamed-failure",
            Self::NotComputed { .. } => "not-computed",
            Self::ComputedTwice { .. } => "computed-twice",
            Self::LateDefined { .. } => "late-defined",
            Self::NotFolded { .. } => "not-folded",
            Self::BadEquation { .. } => "bad-equation",
            Self::EquationNotGlobal { .. } => "equation-not-global",
            Self::TrivialPhi { .. } => "trivial-phi",
            Self::RedundantPhi { .. } => "redundant-phi",
            Self::DeadPhi { .. } => "dead-phi",
            Self::UnnecessaryPhi { .. } => "unnecessary-phi",
            Self::EqualPhis { .. } => "equal-phis",
            Self::Unnumbered { .. } => "unnumbered",
            Self::BadNumber { .. } => "bad-number",
            Self::NumberedTwice { .. } => "numbered-twice",
            Self::Unranked { .. } => "unranked",
            Self::BadRank { .. } => "bad-rank",
            Self::RankedTwice { .. } => "ranked-twice",
        }
    }

    fn fmt_structure(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoEntry { entry, num_blocks } => {
                write!(f, "{entry}: is the entry, but the graph has only {num_blocks} blocks")
            }
            Self::TooManyBlocks { given, limit } => {
                write!(f, "the graph has {given} blocks, but the limit is {limit}")
            }
            Self::NoSuchBlock { block, target } => {
                write!(f, "{block}: has an edge to or from {target}, which does not exist")
            }
            Self::NoSuchValue { value, num_values } => {
                write!(f, "{value}: is defined, but there are only {num_values} values")
            }
            Self::UnpairedEdges { source, target } => {
                write!(f, "{source}: its edges to {target} do not match the incoming edges of {target}")
            }
            Self::OperandCount { block, phi, operands, edges } => {
                write!(f, "{phi}: has {operands} operands in {block}, which has {edges} incoming edges")
            }
            Self::DefinedTwice { value, first, second } => {
                write!(f, "{value}: defined in {first} and again in {second}")
            }
            Self::GlobalDefined { value, block } => write!(f, "{value}: is a global, but also defined in {block}"),
            Self::NotDefined { value, block } => write!(f, "{value}: used in {block}, but defined nowhere"),
            Self::UsedBeforeDefined { value, block } => {
                write!(f, "{value}: used in {block} before it is defined there")
            }
            Self::NotDominated { value, block, definition } => {
                write!(f, "{value}: used in {block}, which {definition} does not dominate")
            }
            Self::OperandNotDominated { value, phi, block, operand, source, definition } => {
                write!(f, "{value}: operand {operand} of {phi} in {block}, by the edge from {source}, ")?;
                write!(f, "which {definition} does not dominate")
            }
            Self::OperandDropped { block, phi, value } => {
                write!(f, "{value}: is an operand of {phi} in {block}, but was dropped from the result")
            }
            Self::PhiInEntry { block, phi } => {
                write!(f, "{phi}: a phi in the entry {block}, where control enters without an edge")
            }
            Self::InitialTwice { variable } => write!(f, "{variable}: has two initial values"),
            Self::InitialNotGlobal { variable, value } => {
                write!(f, "{variable}: holds {value} at the entry, which is not a global")
            }
            _ => Ok(()),
        }
    }

    /// Violations in the host's code.
    fn fmt_written(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PlaceTwice { place } => write!(f, "place {place}: is the place of two uses"),
            Self::UseNotReplaced { place, value, stands_for, given } => {
                write!(f, "place {place}: uses {given}, but should use {stands_for}, the final value of {value}")
            }
            Self::UseAdded { place, value } => {
                write!(f, "place {place}: uses {value}, but had no use before `finish`")
            }
            Self::UseNotVisited { place, value } => {
                write!(
                    f,
                    "place {place}: uses {value}, a phi that was dropped because `visit_uses` did not visit this use"
                )
            }
            Self::PhiNotWritten { block, phi } => write!(f, "{phi}: the host has not written this phi of {block}"),
            Self::PhiAdded { block, phi } => {
                write!(f, "{phi}: the host has this phi in {block}, but the result does not")
            }
            Self::PhiMoved { block, phi, claimed } => {
                write!(f, "{phi}: belongs in {claimed}, but the host has written it in {block}")
            }
            Self::OperandChanged { block, phi, operand, claimed, given } => {
                write!(f, "{phi}: operand {operand} in {block} is {given}, but should be {claimed}")
            }
            _ => Ok(()),
        }
    }

    /// Violations of claims about operations.
    fn fmt_folded(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotComputed { block, value } => {
                write!(f, "{value}: claimed to be computed in {block}, but the next event does not define it")
            }
            Self::ComputedTwice { block, value } => write!(f, "{value}: computed a second time in {block}"),
            Self::LateDefined { block, value } => {
                write!(f, "{value}: folded after it was computed in {block}, but still has a definition")
            }
            Self::NotFolded { block, operator, value: Some(value) } => {
                write!(
                    f,
                    "{value}: claimed to be the result of {operator} in {block}, but the certificate does not prove it"
                )
            }
            Self::NotFolded { block, operator, value: None } => {
                write!(
                    f,
                    "{block}: {operator} is claimed to take the only edge of the block, but the certificate does not prove it"
                )
            }
            Self::BadEquation { equation } => {
                write!(f, "{equation}: not two terms, or the right one has a variable that the left one does not have")
            }
            Self::EquationNotGlobal { equation, value } => {
                write!(f, "{equation}: mentions {value}, which is not a global")
            }
            _ => Ok(()),
        }
    }

    fn fmt_quality(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TrivialPhi { block, phi, value } => write!(f, "{phi}: a trivial phi of {value} in {block}"),
            Self::RedundantPhi { block, phi, value } => {
                write!(f, "{phi}: a redundant phi in {block}, always equal to {value}")
            }
            Self::DeadPhi { block, phi } => write!(f, "{phi}: a dead phi in {block}, used by no instruction"),
            Self::UnnecessaryPhi { block, phi, variable } => {
                write!(f, "{phi}: a phi in {block}, where no two definitions of {variable} meet")
            }
            Self::EqualPhis { block, phi, other, variable } => {
                write!(f, "{phi}: a second phi of {variable} in {block}, besides {other}")
            }
            Self::Unnumbered { block, phi, value } => {
                write!(f, "{value}: has no number, and {phi} in {block} needs it")
            }
            Self::BadNumber { block, phi } => {
                write!(f, "{phi}: its operands in {block} are not numbered below and above it")
            }
            Self::NumberedTwice { value } => write!(f, "{value}: has two numbers"),
            Self::Unranked { block, phi } => write!(f, "{phi}: a phi in {block} without a rank"),
            Self::BadRank { block, phi, user: Some(user) } => {
                write!(f, "{phi}: a phi in {block} that {user} does not use with a smaller rank")
            }
            Self::BadRank { block, phi, user: None } => {
                write!(f, "{phi}: a phi in {block} that only phis use")
            }
            Self::RankedTwice { phi } => write!(f, "{phi}: has two ranks"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::WrongValue { block, event, variable, value, at, given, holds } => {
                write!(f, "{variable}: event {event} of {block} reads {value}, ")?;
                write!(f, "but in {at} the variable holds {holds} and the read gets {given}")
            }
            Self::StaleValue { block, event, variable, value, at } => {
                write!(f, "{variable}: event {event} of {block} reads {value}, which {at} redefines ")?;
                write!(
                    f,
                    "while the variable keeps the old value (if it is defined only once, call `define` before its first write)"
                )
            }
            Self::MissingValue { block, event, variable, value, at } => {
                write!(f, "{variable}: event {event} of {block} reads {value}, ")?;
                write!(f, "but the value that it gets is not defined on every path to {at}")
            }
            Self::Uninitialized { block, event, variable, value } => {
                write!(f, "{variable}: event {event} of {block} reads {value}, ")?;
                write!(f, "but the variable may be undefined")
            }
            Self::UnnamedFailure { block, at } => {
                write!(f, "{block}: an equality that must hold there fails in {at}, but no read depends on it")
            }
            _ => {
                self.fmt_structure(f)?;
                self.fmt_written(f)?;
                self.fmt_folded(f)?;
                self.fmt_quality(f)
            }
        }
    }
}

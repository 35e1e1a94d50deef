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
                write!(f, "{entry}: named as entry of a graph of {num_blocks} blocks")
            }
            Self::TooManyBlocks { given, limit } => {
                write!(f, "the graph: has {given} blocks, and the limit is {limit}")
            }
            Self::NoSuchBlock { block, target } => {
                write!(f, "{block}: an edge joins it to {target}, which does not exist")
            }
            Self::NoSuchValue { value, num_values } => {
                write!(f, "{value}: defined, but there are {num_values} values")
            }
            Self::UnpairedEdges { source, target } => {
                write!(f, "{source}: its edges to {target} are not those that {target} names as incoming")
            }
            Self::OperandCount { block, phi, operands, edges } => {
                write!(f, "{phi}: has {operands} operands in {block}, which has {edges} incoming edges")
            }
            Self::DefinedTwice { value, first, second } => {
                write!(f, "{value}: defined in {first} and again in {second}")
            }
            Self::GlobalDefined { value, block } => write!(f, "{value}: defined in {block}, but a global"),
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
                write!(f, "{value}: an operand of {phi} in {block}, but a phi that was dropped")
            }
            Self::PhiInEntry { block, phi } => {
                write!(f, "{phi}: a phi in the entry {block}, which control enters without an operand")
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
            Self::PlaceTwice { place } => write!(f, "place {place}: shown as two uses"),
            Self::UseNotReplaced { place, value, stands_for, given } => {
                write!(f, "place {place}: uses {given}, but {value} was written there, which stands for {stands_for}")
            }
            Self::UseAdded { place, value } => {
                write!(f, "place {place}: uses {value}, where nothing was used before the result was handed over")
            }
            Self::UseNotVisited { place, value } => {
                write!(f, "place {place}: uses {value}, a phi that was dropped since `visit_uses` left out this use")
            }
            Self::PhiNotWritten { block, phi } => write!(f, "{phi}: a phi of {block} that the host has not written"),
            Self::PhiAdded { block, phi } => {
                write!(f, "{phi}: a phi that the host has in {block}, and that is not in the result")
            }
            Self::PhiMoved { block, phi, claimed } => {
                write!(f, "{phi}: a phi of {claimed} that the host has written in {block}")
            }
            Self::OperandChanged { block, phi, operand, claimed, given } => {
                write!(f, "{phi}: the host has written {given} as operand {operand} in {block}, not {claimed}")
            }
            _ => Ok(()),
        }
    }

    /// Violations of claims about operations.
    fn fmt_folded(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotComputed { block, value } => {
                write!(f, "{value}: said to be computed in {block}, where the next event does not define it")
            }
            Self::ComputedTwice { block, value } => write!(f, "{value}: computed a second time in {block}"),
            Self::LateDefined { block, value } => {
                write!(f, "{value}: folded after it was computed in {block}, but there is a definition of it")
            }
            Self::NotFolded { block, operator, value: Some(value) } => {
                write!(f, "{value}: said to be what {operator} gives in {block}, which nothing shows")
            }
            Self::NotFolded { block, operator, value: None } => {
                write!(f, "{block}: {operator} is said to leave it to where its one edge leads, which nothing shows")
            }
            Self::BadEquation { equation } => {
                write!(f, "{equation}: not two terms of which the second has nothing that the first has not")
            }
            Self::EquationNotGlobal { equation, value } => {
                write!(f, "{equation}: speaks of {value}, which is no global")
            }
            _ => Ok(()),
        }
    }

    fn fmt_quality(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TrivialPhi { block, phi, value } => write!(f, "{phi}: a trivial phi of {value} in {block}"),
            Self::RedundantPhi { block, phi, value } => {
                write!(f, "{phi}: a phi in {block} that can only be {value}")
            }
            Self::DeadPhi { block, phi } => write!(f, "{phi}: a phi in {block} that no instruction needs"),
            Self::UnnecessaryPhi { block, phi, variable } => {
                write!(f, "{phi}: a phi in {block}, where no two definitions of {variable} meet")
            }
            Self::EqualPhis { block, phi, other, variable } => {
                write!(f, "{phi}: a phi of {variable} in {block}, as {other} is")
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
                write!(f, "{phi}: a phi in {block} that nothing but phis uses")
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
                write!(f, "{variable}: event {event} of {block} reads {value}, which {at} defines anew ")?;
                write!(f, "while the variable keeps its content")
            }
            Self::MissingValue { block, event, variable, value, at } => {
                write!(f, "{variable}: event {event} of {block} reads {value}, ")?;
                write!(f, "but what it gets is not defined on every path to {at}")
            }
            Self::Uninitialized { block, event, variable, value } => {
                write!(f, "{variable}: event {event} of {block} reads {value}, ")?;
                write!(f, "but the variable may hold nothing")
            }
            Self::UnnamedFailure { block, at } => {
                write!(f, "{block}: an equality that is needed there fails in {at}, and no read of it is found")
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

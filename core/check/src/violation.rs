//! What can be wrong with a result: one variant per broken rule.

use core::fmt;
use ssaphire_graph::{Block, CfgError, Value, Variable};

/// A broken rule, and where.
///
/// Violations come as sorted lists, all of them: structure first, then
/// equivalence to the source, then quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// The entry is not one of the blocks.
    NoEntry {
        /// The block named as entry.
        entry: Block,
        /// Number of blocks there are.
        num_blocks: usize,
    },
    /// The graph says it has more blocks than there are ids.
    TooManyBlocks {
        /// Blocks it says it has.
        given: usize,
        /// Ids there are.
        limit: usize,
    },
    /// An edge joins a block to one that does not exist.
    NoSuchBlock {
        /// The block that names the edge.
        block: Block,
        /// The block at its other end.
        target: Block,
    },
    /// Two blocks name each other a different number of times.
    UnpairedEdges {
        /// Where the edges leave.
        source: Block,
        /// Where the edges arrive.
        target: Block,
    },
    /// A phi does not have one operand per incoming edge.
    OperandCount {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// Number of operands it has.
        operands: usize,
        /// Number of incoming edges of the block.
        edges: usize,
    },
    /// A value has two definitions.
    DefinedTwice {
        /// The value.
        value: Value,
        /// The block of one definition.
        first: Block,
        /// The block of another one; it may be the same block.
        second: Block,
    },
    /// A global value is defined in a block.
    GlobalDefined {
        /// The value.
        value: Value,
        /// The block of the definition.
        block: Block,
    },
    /// A value without any definition is used.
    NotDefined {
        /// The value.
        value: Value,
        /// The block of the use; for a phi operand the block of the phi.
        block: Block,
    },
    /// A value is used above its definition in the same block.
    UsedBeforeDefined {
        /// The value.
        value: Value,
        /// The block of both.
        block: Block,
    },
    /// A value is used where its definition does not dominate.
    NotDominated {
        /// The value.
        value: Value,
        /// The block of the use.
        block: Block,
        /// The block of the definition.
        definition: Block,
    },
    /// A phi operand is not defined where its edge leaves.
    OperandNotDominated {
        /// The operand.
        value: Value,
        /// The phi.
        phi: Value,
        /// The block of the phi.
        block: Block,
        /// The index of the operand.
        operand: usize,
        /// The block where the edge of the operand leaves.
        source: Block,
        /// The block where the operand is defined.
        definition: Block,
    },
    /// Two initial values are given for one variable.
    InitialTwice {
        /// The variable.
        variable: Variable,
    },
    /// A variable is said to hold, at the entry, a value that is not defined there.
    InitialNotGlobal {
        /// The variable.
        variable: Variable,
        /// The value that is not a global.
        value: Value,
    },
    /// A phi stands in the entry: control that enters the function brings no operand.
    PhiInEntry {
        /// The entry.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A host showed two uses by one number.
    SiteTwice {
        /// The number of the place.
        site: u64,
    },
    /// A use in a host's code is not what the value written there stands for.
    UseNotReplaced {
        /// The host's number of the place.
        site: u64,
        /// The value that was written there.
        value: Value,
        /// What it stands for.
        stands_for: Value,
        /// What is there.
        given: Value,
    },
    /// A host's code has a use that was not there before the result was handed over.
    UseAdded {
        /// The host's number of the place.
        site: u64,
        /// The value used.
        value: Value,
    },
    /// A phi is not in the host's code.
    PhiNotWritten {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A host's code has a phi that is not in the result.
    PhiAdded {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A host wrote a phi in another block than that of the result.
    PhiMoved {
        /// The block where the phi is.
        block: Block,
        /// The phi.
        phi: Value,
        /// The block where it belongs.
        claimed: Block,
    },
    /// A host wrote another operand than that of the result.
    OperandChanged {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The index of the operand.
        operand: usize,
        /// The operand in the result.
        claimed: Value,
        /// The operand in the host's code.
        given: Value,
    },
    /// A variable holds something else than the value claimed for a read of it.
    WrongValue {
        /// The block of the read.
        block: Block,
        /// The index of the read among the events of the block.
        event: usize,
        /// The variable read.
        variable: Variable,
        /// The value claimed.
        value: Value,
        /// The block, on some path to the read, where the two differ.
        at: Block,
        /// What the claimed value stands for at that place: itself, or a phi operand.
        given: Value,
        /// What the variable's content is at that place.
        holds: Value,
    },
    /// The value claimed for a read was defined anew since the variable got its content.
    StaleValue {
        /// The block of the read.
        block: Block,
        /// The index of the read among the events of the block.
        event: usize,
        /// The variable read.
        variable: Variable,
        /// The value claimed.
        value: Value,
        /// The block, on some path to the read, where the two differ.
        at: Block,
    },
    /// The value claimed for a read is not defined on some path to it.
    MissingValue {
        /// The block of the read.
        block: Block,
        /// The index of the read among the events of the block.
        event: usize,
        /// The variable read.
        variable: Variable,
        /// The value claimed.
        value: Value,
        /// The block, on some path to the read, where what is claimed need not be defined.
        at: Block,
    },
    /// A variable is read that holds nothing on some path from the entry.
    Uninitialized {
        /// The block of the read.
        block: Block,
        /// The index of the read among the events of the block.
        event: usize,
        /// The variable read.
        variable: Variable,
        /// The value claimed.
        value: Value,
    },
    /// A phi merges one value, and perhaps itself.
    TrivialPhi {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The only other value among its operands.
        value: Value,
    },
    /// A set of phis that contains this one merges a single outer value.
    RedundantPhi {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The outer value: it dominates the phi in the value graph.
        value: Value,
    },
    /// No use that is not a phi needs a phi.
    DeadPhi {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A phi stands where no two definitions of its variable meet.
    UnnecessaryPhi {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// Its variable.
        variable: Variable,
    },
    /// Two phis of one block hold what one variable holds there, though the certificate claims minimality.
    EqualPhis {
        /// The block of both.
        block: Block,
        /// A phi.
        phi: Value,
        /// Another one, which always holds the same.
        other: Value,
        /// The variable.
        variable: Variable,
    },
    /// A phi or one of its operands has no number, though the certificate claims minimality.
    Unnumbered {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The value without number: the phi or an operand.
        value: Value,
    },
    /// A phi does not have one operand numbered below it and one above.
    BadNumber {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A value has two numbers.
    NumberedTwice {
        /// The value.
        value: Value,
    },
    /// A phi has no rank, though the certificate claims prunedness.
    Unranked {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// The user named for a phi does not use it, or has no smaller rank.
    BadRank {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The phi named as user, or `None` for a use that is not a phi.
        user: Option<Value>,
    },
    /// A phi has two ranks.
    RankedTwice {
        /// The phi.
        phi: Value,
    },
}

impl Violation {
    /// A short name of the broken rule, which stays the same between versions.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NoEntry { .. } => "no-entry",
            Self::TooManyBlocks { .. } => "too-many-blocks",
            Self::NoSuchBlock { .. } => "no-such-block",
            Self::UnpairedEdges { .. } => "unpaired-edges",
            Self::OperandCount { .. } => "operand-count",
            Self::DefinedTwice { .. } => "defined-twice",
            Self::GlobalDefined { .. } => "global-defined",
            Self::NotDefined { .. } => "not-defined",
            Self::UsedBeforeDefined { .. } => "used-before-defined",
            Self::NotDominated { .. } => "not-dominated",
            Self::OperandNotDominated { .. } => "operand-not-dominated",
            Self::InitialTwice { .. } => "initial-twice",
            Self::InitialNotGlobal { .. } => "initial-not-global",
            Self::PhiInEntry { .. } => "phi-in-entry",
            Self::SiteTwice { .. } => "site-twice",
            Self::UseNotReplaced { .. } => "use-not-replaced",
            Self::UseAdded { .. } => "use-added",
            Self::PhiNotWritten { .. } => "phi-not-written",
            Self::PhiAdded { .. } => "phi-added",
            Self::PhiMoved { .. } => "phi-moved",
            Self::OperandChanged { .. } => "operand-changed",
            Self::WrongValue { .. } => "wrong-value",
            Self::StaleValue { .. } => "stale-value",
            Self::MissingValue { .. } => "missing-value",
            Self::Uninitialized { .. } => "uninitialized",
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

    /// What a host made of a result.
    fn fmt_written(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SiteTwice { site } => write!(f, "site {site}: shown as two uses"),
            Self::UseNotReplaced { site, value, stands_for, given } => {
                write!(f, "site {site}: uses {given}, but {value} was written there, which stands for {stands_for}")
            }
            Self::UseAdded { site, value } => {
                write!(f, "site {site}: uses {value}, where nothing was used before the result was handed over")
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
            _ => self.fmt_structure(f).and_then(|()| self.fmt_written(f)).and_then(|()| self.fmt_quality(f)),
        }
    }
}

impl From<CfgError> for Violation {
    fn from(error: CfgError) -> Self {
        match error {
            CfgError::NoEntry { entry, num_blocks } => Self::NoEntry { entry, num_blocks },
            CfgError::TooManyBlocks { given, limit } => Self::TooManyBlocks { given, limit },
            CfgError::NoSuchBlock { block, target } => Self::NoSuchBlock { block, target },
            CfgError::Unpaired { source, target } => Self::UnpairedEdges { source, target },
            // A kind of error added later says at least which two blocks are at odds: none known.
            _ => Self::NoEntry { entry: Block::new(0), num_blocks: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn a_violation_names_the_entity_first() {
        let (value, block, definition) = (Value::new(7), Block::new(3), Block::new(1));
        let violation = Violation::NotDominated { value, block, definition };
        assert_eq!(format!("{violation}"), "v7: used in block3, which block1 does not dominate");
        assert_eq!(violation.rule(), "not-dominated");
        let violation = Violation::DeadPhi { block, phi: value };
        assert_eq!(format!("{violation}"), "v7: a phi in block3 that no instruction needs");
    }

    #[test]
    fn structure_sorts_before_equivalence_before_quality() {
        let (block, value, variable) = (Block::new(9), Value::new(9), Variable::new(9));
        let structure = Violation::InitialNotGlobal { variable, value };
        let equivalence = Violation::Uninitialized { block: Block::new(0), event: 0, variable, value };
        let quality = Violation::TrivialPhi { block: Block::new(0), phi: Value::new(0), value };
        assert!(structure < equivalence && equivalence < quality);
        assert!(Violation::NoEntry { entry: block, num_blocks: 0 } < structure);
    }
}

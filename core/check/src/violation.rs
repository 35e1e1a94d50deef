//! What can be wrong with a result: one variant per broken rule.

mod words;

use crate::program::EquationId;
use ssaphire_graph::{Block, CfgError, Operator, Value, Variable};

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
    /// A value is defined that is not one of those there are.
    NoSuchValue {
        /// The value.
        value: Value,
        /// Number of values there are.
        num_values: usize,
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
    /// A phi of the result has an operand that was dropped.
    OperandDropped {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The operand.
        value: Value,
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
    PlaceTwice {
        /// The number of the place.
        place: u64,
    },
    /// A use in a host's code is not what the value written there stands for.
    UseNotReplaced {
        /// The host's number of the place.
        place: u64,
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
        place: u64,
        /// The value used.
        value: Value,
    },
    /// A use in a host's code is of a phi that was dropped, since the host did not visit the use.
    UseNotVisited {
        /// The host's number of the place.
        place: u64,
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
    /// An equality that some read needs fails, and the judge cannot say which read. A mistake of the judge, which
    /// refuses then.
    UnnamedFailure {
        /// The block where the claim has to hold.
        block: Block,
        /// The block where it fails.
        at: Block,
    },
    /// A value is said to be computed where the next event does not define it.
    NotComputed {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A value is said to be computed a second time.
    ComputedTwice {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A value is said to have been folded after it was computed, but has a definition.
    LateDefined {
        /// The block where it is said to have been computed.
        block: Block,
        /// The value.
        value: Value,
    },
    /// An operation was folded, and nothing shows that it gives the value claimed; or, for a branch, that it leaves to
    /// where the one edge leads.
    NotFolded {
        /// The block of the operation.
        block: Block,
        /// Its operator.
        operator: Operator,
        /// The value claimed, or `None` for a branch.
        value: Option<Value>,
    },
    /// An equation is not two terms, or its right side says something of nothing on its left.
    BadEquation {
        /// The equation.
        equation: EquationId,
    },
    /// An equation names a value that is no global.
    EquationNotGlobal {
        /// The equation.
        equation: EquationId,
        /// The value.
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

//! The errors of results: one variant per broken rule.

mod words;

use crate::program::EquationId;
use ssaphire_graph::{Block, CfgError, Operator, Value, Variable};

/// A broken rule, with its place.
///
/// Checks return all violations, sorted: structure first, then equivalence to the source, then quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// The entry is not one of the blocks.
    NoEntry {
        /// The block named as entry.
        entry: Block,
        /// Number of blocks.
        num_blocks: usize,
    },
    /// The graph has more blocks than there are ids.
    TooManyBlocks {
        /// Number of its blocks.
        given: usize,
        /// Number of ids.
        limit: usize,
    },
    /// An edge joins a block to one that does not exist.
    NoSuchBlock {
        /// The block that names the edge.
        block: Block,
        /// The block at its other end.
        target: Block,
    },
    /// The value of a definition does not exist.
    NoSuchValue {
        /// The value.
        value: Value,
        /// Number of values.
        num_values: usize,
    },
    /// Two blocks name each other a different number of times.
    UnpairedEdges {
        /// The block that the edges leave.
        source: Block,
        /// The block that the edges enter.
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
    /// A value is used before its definition in the same block.
    UsedBeforeDefined {
        /// The value.
        value: Value,
        /// The block of both.
        block: Block,
    },
    /// The definition of a value does not dominate its use.
    NotDominated {
        /// The value.
        value: Value,
        /// The block of the use.
        block: Block,
        /// The block of the definition.
        definition: Block,
    },
    /// The definition of a phi operand does not dominate the block that its edge leaves.
    OperandNotDominated {
        /// The operand.
        value: Value,
        /// The phi.
        phi: Value,
        /// The block of the phi.
        block: Block,
        /// The index of the operand.
        operand: usize,
        /// The block that the operand's edge leaves.
        source: Block,
        /// The block of the operand's definition.
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
    /// The initial value of a variable is not a global.
    InitialNotGlobal {
        /// The variable.
        variable: Variable,
        /// The value that is not a global.
        value: Value,
    },
    /// A phi is in the entry: control that enters the function brings no operand.
    PhiInEntry {
        /// The entry.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A host showed two uses with one number.
    PlaceTwice {
        /// The number of the place.
        place: u64,
    },
    /// A use in a host's code is not the value that the original value there resolves to.
    UseNotReplaced {
        /// The host's number of the place.
        place: u64,
        /// The value there before the result was written.
        value: Value,
        /// The value that it resolves to.
        stands_for: Value,
        /// The value there now.
        given: Value,
    },
    /// A host's code has a use that it did not have before the host received the result.
    UseAdded {
        /// The host's number of the place.
        place: u64,
        /// The value used.
        value: Value,
    },
    /// A host's code uses a phi that was dropped because the host did not visit this use.
    UseNotVisited {
        /// The host's number of the place.
        place: u64,
        /// The value used.
        value: Value,
    },
    /// A phi of the result is not in the host's code.
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
    /// A host wrote a phi into another block than the result's.
    PhiMoved {
        /// The block where the phi is.
        block: Block,
        /// The phi.
        phi: Value,
        /// Its block in the result.
        claimed: Block,
    },
    /// A host wrote another operand than the result's.
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
    /// The content of a variable differs from the value claimed for a read of it.
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
        /// The claimed value at that place: itself, or a phi operand.
        given: Value,
        /// The content of the variable at that place.
        holds: Value,
    },
    /// The value claimed for a read was defined again after the variable got its content.
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
        /// The block, on some path to the read, where the claimed value need not be defined.
        at: Block,
    },
    /// A read of a variable that has no content on some path from the entry.
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
    /// An equality that some read needs fails, and the judge cannot name the read. This is a mistake of the judge,
    /// which then refuses.
    UnnamedFailure {
        /// The block where the claim has to hold.
        block: Block,
        /// The block where it fails.
        at: Block,
    },
    /// The event after a claimed computation does not define its value.
    NotComputed {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A second computation is claimed for a value.
    ComputedTwice {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A value has a definition, although it is claimed to have been folded after its computation.
    LateDefined {
        /// The block of the claimed computation.
        block: Block,
        /// The value.
        value: Value,
    },
    /// Nothing shows that a folded operation gives the claimed value; or, for a branch, that it takes the one edge of
    /// its block.
    NotFolded {
        /// The block of the operation.
        block: Block,
        /// Its operator.
        operator: Operator,
        /// The value claimed, or `None` for a branch.
        value: Option<Value>,
    },
    /// An equation is not two terms, or its right side has a variable that its left side does not have.
    BadEquation {
        /// The equation.
        equation: EquationId,
    },
    /// An equation has a value that is no global.
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
    /// A phi of a set that merges a single outer value.
    RedundantPhi {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The outer value: it dominates the phi in the value graph.
        value: Value,
    },
    /// A phi that no use other than phis needs.
    DeadPhi {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A phi in a block where no two definitions of its variable meet.
    UnnecessaryPhi {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// Its variable.
        variable: Variable,
    },
    /// Two phis of one block have the content of one variable, although the certificate claims minimality.
    EqualPhis {
        /// The block of both.
        block: Block,
        /// A phi.
        phi: Value,
        /// Another one, which always has the same content.
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
            // A kind of error added later has no blocks that are known here.
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
        assert_eq!(format!("{violation}"), "v7: a dead phi in block3, used by no instruction");
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

//! Terminals of blocks.

use super::function::{BlockId, Place};
use oxc_syntax::operator::LogicalOperator;

/// The end of a block, under React Compiler's names.
///
/// Statements and expressions with blocks of their own end the block before them; `fallthrough` is the block after
/// them. It is no successor.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "named like the statements and expressions of JavaScript")]
pub enum Terminal {
    Goto {
        block: BlockId,
        variant: GotoVariant,
    },
    If {
        test: Place,
        consequent: BlockId,
        alternate: BlockId,
        fallthrough: BlockId,
    },
    Branch {
        test: Place,
        consequent: BlockId,
        alternate: BlockId,
        fallthrough: BlockId,
    },
    /// Each case with its test; the default has none.
    Switch {
        test: Place,
        cases: Vec<(Option<Place>, BlockId)>,
        fallthrough: BlockId,
    },
    Logical {
        operator: LogicalOperator,
        test: BlockId,
        fallthrough: BlockId,
    },
    Ternary {
        test: BlockId,
        fallthrough: BlockId,
    },
    Optional {
        is_optional: bool,
        test: BlockId,
        fallthrough: BlockId,
    },
    Sequence {
        block: BlockId,
        fallthrough: BlockId,
    },
    Label {
        block: BlockId,
        fallthrough: BlockId,
    },
    While {
        test: BlockId,
        body: BlockId,
        fallthrough: BlockId,
    },
    DoWhile {
        body: BlockId,
        test: BlockId,
        fallthrough: BlockId,
    },
    For {
        init: BlockId,
        test: BlockId,
        update: Option<BlockId>,
        body: BlockId,
        fallthrough: BlockId,
    },
    ForOf {
        init: BlockId,
        test: BlockId,
        body: BlockId,
        fallthrough: BlockId,
    },
    ForIn {
        init: BlockId,
        body: BlockId,
        fallthrough: BlockId,
    },
    Try {
        block: BlockId,
        binding: Option<Place>,
        handler: BlockId,
        fallthrough: BlockId,
    },
    MaybeThrow {
        continuation: BlockId,
        handler: BlockId,
    },
    Return {
        variant: ReturnVariant,
        value: Place,
    },
    Throw {
        value: Place,
    },
    Unreachable,
    Unsupported,
}

/// The reason of a jump to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GotoVariant {
    /// It leaves what it is in, or goes on.
    Break,
    /// It goes on with a loop.
    Continue,
    /// It leaves the block of a `try`.
    Try,
}

/// The syntax that returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named like what they print")]
pub enum ReturnVariant {
    /// The end of the function.
    Void,
    /// The expression of an arrow function.
    Implicit,
    /// A `return` statement.
    Explicit,
}

impl Terminal {
    /// A jump to `block`.
    pub(super) fn goto(block: BlockId) -> Self {
        Self::Goto { block, variant: GotoVariant::Break }
    }

    /// The successors, in order; one that two cases share is listed twice.
    #[allow(clippy::match_same_arms, reason = "a table by the kinds of terminals")]
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Self::Goto { block, .. } => vec![*block],
            Self::If { consequent, alternate, .. } | Self::Branch { consequent, alternate, .. } => {
                vec![*consequent, *alternate]
            }
            Self::Switch { cases, .. } => cases.iter().map(|&(_, block)| block).collect(),
            Self::Logical { test, .. } | Self::Ternary { test, .. } | Self::Optional { test, .. } => vec![*test],
            Self::Sequence { block, .. } | Self::Label { block, .. } | Self::Try { block, .. } => vec![*block],
            Self::While { test, .. } => vec![*test],
            Self::DoWhile { body, .. } => vec![*body],
            Self::For { init, .. } | Self::ForOf { init, .. } | Self::ForIn { init, .. } => vec![*init],
            Self::MaybeThrow { continuation, handler } => vec![*continuation, *handler],
            Self::Return { .. } | Self::Throw { .. } | Self::Unreachable | Self::Unsupported => Vec::new(),
        }
    }

    /// The block after it.
    pub fn fallthrough(&self) -> Option<BlockId> {
        match self {
            Self::If { fallthrough, .. }
            | Self::Branch { fallthrough, .. }
            | Self::Switch { fallthrough, .. }
            | Self::Logical { fallthrough, .. }
            | Self::Ternary { fallthrough, .. }
            | Self::Optional { fallthrough, .. }
            | Self::Sequence { fallthrough, .. }
            | Self::Label { fallthrough, .. }
            | Self::While { fallthrough, .. }
            | Self::DoWhile { fallthrough, .. }
            | Self::For { fallthrough, .. }
            | Self::ForOf { fallthrough, .. }
            | Self::ForIn { fallthrough, .. }
            | Self::Try { fallthrough, .. } => Some(*fallthrough),
            _ => None,
        }
    }

    pub(super) fn fallthrough_mut(&mut self) -> Option<&mut BlockId> {
        match self {
            Self::If { fallthrough, .. }
            | Self::Branch { fallthrough, .. }
            | Self::Switch { fallthrough, .. }
            | Self::Logical { fallthrough, .. }
            | Self::Ternary { fallthrough, .. }
            | Self::Optional { fallthrough, .. }
            | Self::Sequence { fallthrough, .. }
            | Self::Label { fallthrough, .. }
            | Self::While { fallthrough, .. }
            | Self::DoWhile { fallthrough, .. }
            | Self::For { fallthrough, .. }
            | Self::ForOf { fallthrough, .. }
            | Self::ForIn { fallthrough, .. }
            | Self::Try { fallthrough, .. } => Some(fallthrough),
            _ => None,
        }
    }

    /// Calls `visit` with each place that it uses, in order.
    pub(super) fn operands(&mut self, visit: &mut dyn FnMut(&mut Place)) {
        match self {
            Self::If { test, .. } | Self::Branch { test, .. } => visit(test),
            Self::Switch { test, cases, .. } => {
                visit(test);
                cases.iter_mut().filter_map(|(test, _)| test.as_mut()).for_each(visit);
            }
            Self::Return { value, .. } | Self::Throw { value } => visit(value),
            Self::Try { binding: Some(binding), .. } => visit(binding),
            _ => {}
        }
    }
}

//! The passes in their order.

use super::constant::{ZeroSigns, constant_propagation};
use super::function::{ClosureId, HirFunction};
use super::inline::inline_immediately_invoked;
use super::lower::Unsupported;
use super::memo::drop_manual_memoization;
use super::merge::merge_consecutive_blocks;
use super::prune::prune_maybe_throws;
use super::redundant::eliminate_redundant_phi;
use super::ssa::enter_ssa;

/// A form of a function, named for the pass that produces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// As it is lowered.
    Hir,
    /// In SSA form.
    Ssa,
    /// In SSA form, without redundant phis.
    EliminateRedundantPhi,
    /// With constants propagated.
    ConstantPropagation,
}

impl Stage {
    /// All stages, in their order.
    pub const ALL: [Self; 4] = [Self::Hir, Self::Ssa, Self::EliminateRedundantPhi, Self::ConstantPropagation];

    /// Its name, as React Compiler logs it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hir => "HIR",
            Self::Ssa => "SSA",
            Self::EliminateRedundantPhi => "EliminateRedundantPhi",
            Self::ConstantPropagation => "ConstantPropagation",
        }
    }
}

/// Runs the passes between lowering and SSA form: drops edges to handlers from blocks that cannot throw, replaces calls
/// of `useMemo` and `useCallback` with calls of their functions, inlines functions that are called where they are
/// created, and merges consecutive blocks.
///
/// # Errors
/// A call of these hooks whose function or dependencies React Compiler cannot determine; an optional chain in a `try`,
/// on which it fails.
pub fn prepare(nest: &mut HirFunction) -> Result<(), Unsupported> {
    prune_maybe_throws(nest);
    drop_manual_memoization(nest)?;
    inline_immediately_invoked(nest);
    merge_consecutive_blocks(nest, ClosureId::OUTERMOST);
    Ok(())
}

/// Runs the passes on a freshly lowered function, up to that of `stage`.
///
/// # Errors
/// Those of [`prepare`] and of [`enter_ssa`].
pub fn run_to(nest: &mut HirFunction, stage: Stage, signs: ZeroSigns) -> Result<(), Unsupported> {
    if stage >= Stage::Ssa {
        prepare(nest)?;
        enter_ssa(nest)?;
    }
    if stage >= Stage::EliminateRedundantPhi {
        eliminate_redundant_phi(nest);
    }
    if stage >= Stage::ConstantPropagation {
        constant_propagation(nest, signs);
    }
    Ok(())
}

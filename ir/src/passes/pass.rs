//! The passes by name, to run a list of them.

use super::empty_blocks::remove_empty_blocks_up_to;
#[cfg(doc)]
use super::remove_empty_blocks;
use super::{
    Options, PhiTags, ThreadingOptions, Thresholds, hoist_loop_invariants, number_values, propagate_constants,
    propagate_copies, remove_dead_code, remove_redundant_phis, remove_unreachable_blocks, remove_unused, thread_jumps,
};
use crate::UnknownName;
use crate::dialect::Semantics;
use crate::function::Function;
use ssaphire::graph::CfgError;
use std::fmt;
use std::str::FromStr;

/// A pass.
///
/// # Examples
/// ```
/// use ssaphire_ir::passes::{Pass, PassOptions};
/// use ssaphire_ir::{Basic, Function, text};
///
/// let source = "func f() {\nblock0:\n  %y.0 = add 5, 2\n  %z.0 = add 10, %y.0\n  return %z.0\n}\n";
/// let mut function: Function<Basic> = text::parse(source)?;
/// let pass: Pass = "constants".parse()?;
/// assert_eq!(pass.run(&mut function, PassOptions::default())?, 2);
/// function.canonicalize();
/// assert!(function.to_string().ends_with("block0:\n  return 17\n}\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Pass {
    /// [`propagate_constants`].
    Constants,
    /// [`propagate_copies`].
    Copies,
    /// [`thread_jumps`].
    JumpThreading,
    /// [`number_values`].
    ValueNumbering,
    /// [`hoist_loop_invariants`].
    LoopInvariants,
    /// [`remove_dead_code`].
    DeadCode,
    /// [`remove_redundant_phis`].
    RedundantPhis,
    /// [`remove_empty_blocks`].
    EmptyBlocks,
    /// [`remove_unreachable_blocks`].
    UnreachableBlocks,
    /// [`remove_unused`].
    Unused,
}

/// The options of the passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassOptions {
    /// Of [`Pass::DeadCode`].
    pub dead_code: Options,
    /// Of [`Pass::JumpThreading`].
    pub threading: ThreadingOptions,
    /// Of [`Pass::ValueNumbering`].
    pub phi_tags: PhiTags,
    /// Of [`Pass::EmptyBlocks`].
    pub thresholds: Thresholds,
}

impl Pass {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Constants,
        Self::Copies,
        Self::JumpThreading,
        Self::ValueNumbering,
        Self::LoopInvariants,
        Self::DeadCode,
        Self::RedundantPhis,
        Self::EmptyBlocks,
        Self::UnreachableBlocks,
        Self::Unused,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constants => "constants",
            Self::Copies => "copies",
            Self::JumpThreading => "jump-threading",
            Self::ValueNumbering => "value-numbering",
            Self::LoopInvariants => "loop-invariants",
            Self::DeadCode => "dead-code",
            Self::RedundantPhis => "redundant-phis",
            Self::EmptyBlocks => "empty-blocks",
            Self::UnreachableBlocks => "unreachable-blocks",
            Self::Unused => "unused",
        }
    }

    /// Runs the pass on `function`; returns the number of values, instructions, edges or blocks replaced, removed or
    /// redirected.
    ///
    /// # Errors
    /// If the graph violates its contract.
    pub fn run<D: Semantics>(self, function: &mut Function<D>, options: PassOptions) -> Result<usize, CfgError> {
        Ok(match self {
            Self::Constants => {
                let report = propagate_constants(function)?;
                report.constants + report.branches + report.blocks + report.redundant_phis
            }
            Self::Copies => propagate_copies(function)?,
            Self::JumpThreading => thread_jumps(function, options.threading)?.edges,
            Self::ValueNumbering => {
                let report = number_values(function, options.phi_tags)?;
                report.phis + report.insts + report.exit_uses + report.copies + report.redundant_phis
            }
            Self::LoopInvariants => hoist_loop_invariants(function)?.insts,
            Self::DeadCode => {
                let report = remove_dead_code(function, options.dead_code)?;
                let phis = report.redundant_phis + report.dead_phis;
                let blocks = report.unreachable_blocks + report.empty_blocks;
                phis + report.dead_insts + report.dead_branches + blocks
            }
            Self::RedundantPhis => remove_redundant_phis(function)?,
            Self::EmptyBlocks => remove_empty_blocks_up_to(function, options.thresholds)?,
            Self::UnreachableBlocks => remove_unreachable_blocks(function)?,
            Self::Unused => remove_unused(function),
        })
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Pass {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.iter().copied().find(|pass| pass.name() == name);
        found.ok_or_else(|| UnknownName::new("pass", name, Self::ALL.iter().map(|pass| pass.name())))
    }
}

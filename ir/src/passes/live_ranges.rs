//! Live ranges: split at given points, or shortened by recomputing a value.
//!
//! Which points pay is for a register allocator to know; here is what keeps the form: a copy is a further definition of
//! what it copies, and the uses behind it are repaired (Braun et al. 2013, section 5.1).
//!
//! # Departures
//! The paper names both as what reconstruction is for, and has no algorithm.

use super::Thresholds;
use super::versions::{Versions, new_version};
use crate::dialect::Semantics;
use crate::function::{Action, Dest, Function, Inst, InstRef, ValueKind};
use ssaphire::graph::{CfgError, DominatorTree, FlatCfg};
use ssaphire::repair::Position;
use ssaphire::{Block, Value};
use std::fmt;

/// The result of splitting a live range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Split {
    /// The copies, one per point.
    pub copies: Vec<Value>,
    /// Number of phis that merge them.
    pub phis: usize,
}

/// The reason why a live range cannot be changed as requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LiveRangeError {
    /// The graph violates its contract.
    Cfg(CfgError),
    /// Edges lead to the entry.
    EntryHasPredecessors {
        /// The entry.
        entry: Block,
    },
    /// The value has no definition that dominates the point, or there is no such point before a terminator.
    NotAvailable {
        /// The value.
        value: Value,
        /// The block of the point.
        block: Block,
        /// The instruction before which it is.
        inst: usize,
    },
    /// The value is not the result of an operation that may be executed again.
    NotComputed {
        /// The value.
        value: Value,
    },
}

impl fmt::Display for LiveRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cfg(error) => error.fmt(f),
            Self::EntryHasPredecessors { entry } => write!(f, "{entry}: edges lead to this entry"),
            Self::NotAvailable { value, block, inst } => {
                write!(f, "{block}: {value} is not available before instruction {inst}")
            }
            Self::NotComputed { value } => {
                write!(f, "{value}: not the only result of an operation that can be executed again")
            }
        }
    }
}

impl std::error::Error for LiveRangeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Cfg(error) => error.source(),
            _ => None,
        }
    }
}

impl From<CfgError> for LiveRangeError {
    fn from(error: CfgError) -> Self {
        Self::Cfg(error)
    }
}

/// Copies `value` at each of the `points`, a block and the number of the instruction before which it is, and lets all
/// uses behind a copy use that.
///
/// Points are distinct, and counted in the function as it is. Copies that nothing uses are left, too.
///
/// # Errors
/// If edges lead to the entry, or the value is not available at a point; nothing has changed then.
///
/// # Complexity
/// O(size of the function), and what [`Repair`](ssaphire::repair::Repair) takes.
///
/// # Examples
/// ```
/// use ssaphire_ir::passes::split_live_range;
/// use ssaphire_ir::{Basic, Block, Function, Value, text};
///
/// let source = "func f(%x.0) {\nblock0:\n  print %x.0\n  print %x.0\n  return %x.0\n}\n";
/// let mut function: Function<Basic> = text::parse(source)?;
/// split_live_range(&mut function, Value::new(0), &[(Block::new(0), 1)])?;
/// let expected = "block0:\n  print %x.0\n  %x.1 = %x.0\n  print %x.1\n  return %x.1\n}\n";
/// assert!(function.to_string().ends_with(expected));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split_live_range<D: Semantics>(
    function: &mut Function<D>,
    value: Value,
    points: &[(Block, usize)],
) -> Result<Split, LiveRangeError> {
    let entry = function.entry();
    if !function.block(entry).incoming().is_empty() {
        return Err(LiveRangeError::EntryHasPredecessors { entry });
    }
    let dominators = DominatorTree::new(&FlatCfg::new(function)?);
    let defined = definition(function, value);
    for &(block, inst) in points {
        let is_available = defined.is_some_and(|(above, position)| match above == block {
            true => position < Position::At(inst as u32),
            false => dominators.dominates(above, block),
        });
        if !is_available || inst >= function.get_block(block).map_or(0, |data| data.insts().len()) {
            return Err(LiveRangeError::NotAvailable { value, block, inst });
        }
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_unstable_by_key(|&point| points[point]);
    let copies: Vec<Value> = points.iter().map(|_| new_version(function, value)).collect();
    for of_block in order.chunk_by(|&one, &other| points[one].0 == points[other].0) {
        let copy = |&point: &usize| (points[point].1, Inst::copy(copies[point], value));
        function.insert_insts(points[of_block[0]].0, of_block.iter().map(copy));
    }
    let mut versions = Versions::default();
    if let Some((block, position)) = definition(function, value) {
        versions.define(value, block, position, value);
    }
    for of_block in order.chunk_by(|&one, &other| points[one].0 == points[other].0) {
        for (before, &point) in of_block.iter().enumerate() {
            let (block, inst) = points[point];
            versions.define(value, block, Position::At((inst + before) as u32), copies[point]);
        }
    }
    let repairs = versions.repair(function, Thresholds::default(), usize::MAX);
    Ok(Split { copies, phis: repairs.expect("any number of operands is allowed").phis })
}

/// Computes `value` again before instruction number `inst` of `block`, and uses that there: the new value.
///
/// # Errors
/// If the value is not the one result of an operation that may be executed again without a difference, or it is not
/// available there, which its arguments then may not be either; nothing has changed then.
///
/// # Complexity
/// O(size of the function).
pub fn rematerialize<D: Semantics>(
    function: &mut Function<D>,
    value: Value,
    block: Block,
    inst: usize,
) -> Result<Value, LiveRangeError> {
    let not_available = LiveRangeError::NotAvailable { value, block, inst };
    let dominators = DominatorTree::new(&FlatCfg::new(function)?);
    let (above, position) = definition(function, value).ok_or(not_available)?;
    let Position::At(index) = position else { return Err(LiveRangeError::NotComputed { value }) };
    let is_before = above == block && index < inst as u32 || dominators.strictly_dominates(above, block);
    if !is_before || inst >= function.get_block(block).map_or(0, |data| data.insts().len()) {
        return Err(not_available);
    }
    let computed = function.block(above).insts().get(index as usize).filter(|inst| may_repeat(*inst));
    let computed = computed.ok_or(LiveRangeError::NotComputed { value })?.to_inst();
    let again = new_version(function, value);
    function.insert_inst(block, inst, computed.with_results([again]));
    let args = function.block(block).insts().get(inst + 1).map_or(0, |user| user.args.len());
    for arg in 0..args {
        let used = function.block(block).insts().get(inst + 1).map(|user| user.args[arg]);
        if used == Some(value.into()) {
            function.set_arg(block, inst + 1, arg, again);
        }
    }
    Ok(again)
}

fn may_repeat<D: Semantics>(inst: InstRef<'_, D>) -> bool {
    matches!(inst.action, Action::Op(op) if D::properties(op).computes)
        && inst.results.len() == 1
        && inst.targets.is_empty()
}

/// Where a value is defined.
fn definition<D: Semantics>(function: &Function<D>, value: Value) -> Option<(Block, Position)> {
    match function.values.get(value)?.kind {
        ValueKind::Param(_) | ValueKind::Constant(_) | ValueKind::Undefined => {
            return Some((function.entry(), Position::Entry));
        }
        ValueKind::Phi | ValueKind::Result | ValueKind::Detached => {}
    }
    let is_it = |dest: &Dest| *dest == Dest::Value(value);
    function.blocks().find_map(|block| {
        let data = function.block(block);
        let at_top = function.results_at_top(block).iter().any(is_it);
        if at_top || data.phis().iter().any(|phi| phi.value == value) {
            return Some((block, Position::Entry));
        }
        let mut here = data.insts().iter().enumerate().filter(|(_, inst)| inst.targets.is_empty());
        let found = here.find(|(_, inst)| inst.results.iter().any(is_it));
        found.map(|(index, _)| (block, Position::At(index as u32)))
    })
}

//! Jump threading: an edge into a block that will leave it by a known way leads to a copy of the block that goes there.
//!
//! The copy, one for a way out of a block, has the block's phis with the operands of the edges that are led to it,
//! and its instructions, but jumps. Each value of the block then has two or more definitions: `versions` finds which of
//! them reaches each use.
//!
//! All edges of a round are found before anything is changed, in the graph as it will be. Where a copy makes known what
//! a value is, further branches on that value are decided, and values are repaired once for all of them.
//!
//! | Braun et al. 2013, Fig. 7 | here |
//! |---|---|
//! | the block with a branch that is decided on some paths | `Finder::thread` |
//! | its copy | `Plan::copy_block`, then `copy_block` |
//! | SSA reconstruction of the values defined twice | `Versions::repair` |
//!
//! # Complexity
//! Each round takes O(size of the function and its copies), but for sorting and for what [`rename`](ssaphire::rename())
//! takes where many copied values live long. A round looks at blocks in reverse post-order, at edges that lead back
//! when their source has been looked at, and at edges that copies add at once: one round decides all branches in a row
//! on one phi. The last round finds nothing. There are others only where a phi turns out to be a constant after
//! something asked for it, which takes a loop, an edge that cannot be led elsewhere, or a block that became
//! unreachable. Rounds whose phis would have too many operands are taken back: O(log *n*) of them, each with a quarter
//! of the room, for *n* instructions.
//!
//! # Departures
//! The figure moves one edge. Here the phis of a copy hold what its edges brought for the phis of the block: such an
//! operand may be a value of the block itself, where the edge is a back edge, and is repaired like any use at the end
//! of its source.

mod find;
mod known;
mod plan;

use super::versions::{Versions, new_version};
use super::{Thresholds, remove_redundant_phis, remove_unreachable_blocks};
use crate::dialect::Semantics;
use crate::edit::Incoming;
use crate::function::{Dest, Function, Inst, Phi};
use find::Finder;
use plan::{Copied, Plan};
use ssaphire::graph::CfgError;
use ssaphire::repair::Position;
use ssaphire::{Block, Value};

/// The limits of [`thread_jumps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadingOptions {
    /// How many instructions a block may have that is copied, its branch not counted.
    pub max_insts: usize,
    /// How many instructions may be copied in all, for each one that there was.
    pub max_growth: usize,
    /// How many operands the phis may have that repair inserts, for each instruction and operand that there was.
    ///
    /// Where values are defined before each of *n* branches and needed behind all, copies of all branches may need *n*²
    /// phis. A round that would insert too many is taken back, and a quarter of its instructions may be copied then.
    pub max_operands: usize,
    /// When values are repaired together.
    pub thresholds: Thresholds,
}

impl Default for ThreadingOptions {
    fn default() -> Self {
        Self { max_insts: 8, max_growth: 1, max_operands: 1, thresholds: Thresholds::default() }
    }
}

/// Counts of what [`thread_jumps`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Threaded {
    /// Edges that lead to a copy, or no longer to a branch.
    pub edges: usize,
    /// Blocks that were copied; some of them may have gone.
    pub copies: usize,
    /// Phis that the repair inserted; some of them may have gone.
    pub phis: usize,
    /// Times that all branches were looked at.
    pub rounds: usize,
    /// Rounds that were taken back, since phis would have had [too many operands](ThreadingOptions::max_operands).
    pub taken_back: usize,
    /// Edges that were looked at, and edges by which values came whose constants were looked for, in all rounds.
    pub steps: usize,
    /// Blocks and edges that were looked at to repair single values, in all rounds.
    pub repair_steps: usize,
}

/// Redirects edges of `function` past branches that are decided by phis of their block, until none is left; returns the
/// counts.
///
/// Loops may be copied, and may have several entries afterwards.
///
/// # Errors
/// If the graph violates its contract.
pub fn thread_jumps<D: Semantics>(function: &mut Function<D>, options: ThreadingOptions) -> Result<Threaded, CfgError> {
    let mut report = Threaded::default();
    remove_unreachable_blocks(function)?;
    let (num_insts, num_operands) = size(function);
    let mut room = num_insts.saturating_mul(options.max_growth);
    let mut operands = (num_insts + num_operands).saturating_mul(options.max_operands);
    // No operand stands for what enters the function at its top.
    while function.block(function.entry()).incoming().is_empty() {
        report.rounds += 1;
        if !function.blocks().any(|block| find::may_copy(function, block, options.max_insts)) {
            break;
        }
        let mut finder = Finder::new(function, Plan::new(function)?, options);
        let room_before = room;
        finder.run(&mut room);
        report.steps += finder.num_steps();
        let (plan, num_threads) = (finder.plan, finder.num_threads);
        if num_threads == 0 {
            break;
        }
        let before = function.clone();
        let Ok(repairs) = copy_blocks(function, &plan).repair(function, options.thresholds, operands) else {
            *function = before;
            room = (room_before - room) / 4;
            report.taken_back += 1;
            continue;
        };
        operands -= repairs.operands;
        report.edges += num_threads;
        report.copies += plan.copies().len();
        report.phis += repairs.phis;
        report.repair_steps += repairs.steps;
        remove_unreachable_blocks(function)?;
        remove_redundant_phis(function)?;
    }
    Ok(report)
}

/// Instructions, and operands of phis.
fn size<D: Semantics>(function: &Function<D>) -> (usize, usize) {
    let data = || function.blocks().map(|block| function.block(block));
    (data().map(|data| data.insts().len()).sum(), data().map(|data| data.phis().len() * data.incoming().len()).sum())
}

/// Makes the copies that are planned, and leads all edges as planned: the values of blocks that were copied.
fn copy_blocks<D: Semantics>(function: &mut Function<D>, plan: &Plan) -> Versions {
    let mut versions = Versions::default();
    for (block, copy) in plan.copies() {
        let created = function.create_block();
        debug_assert_eq!(created, block, "copies are numbered after the blocks that are there");
        copy_block(function, block, copy, &mut versions);
    }
    for (block, copy) in plan.copies() {
        for way in &copy.ways {
            function.set_target(way.edge.source, way.edge.slot as usize, block);
        }
    }
    for block in plan.cfg.blocks().filter(|&block| plan.is_changed(block)) {
        let edges: Incoming = plan.remaining_ways(block).map(|way| (way.edge, Some(way.index))).collect();
        function.replace_incoming(block, &edges);
    }
    versions
}

/// Makes `block` a copy, which uses what its original does: that is repaired later.
fn copy_block<D: Semantics>(function: &mut Function<D>, block: Block, copy: &Copied, versions: &mut Versions) {
    let data = function.block(copy.original);
    let operands = |operands: &[Value]| copy.ways.iter().map(|way| operands[way.index]).collect();
    let phis = data.phis().iter();
    let phis = phis.map(|phi| Phi { value: phi.value, variable: phi.variable, operands: operands(phi.operands) });
    let (phis, body, target): (Vec<Phi>, _, _) =
        (phis.collect(), data.body().to_vec(), data.targets()[copy.slot as usize]);
    let edges: Incoming = copy.ways.iter().map(|way| (way.edge, None)).collect();
    function.replace_incoming(block, &edges);
    let mut version = |function: &mut Function<D>, value, position| {
        let version = new_version(function, value);
        if versions.last(value).is_none() {
            versions.define(value, copy.original, position, value);
        }
        versions.define(value, block, position, version);
        version
    };
    for phi in phis {
        let value = version(function, phi.value, Position::Entry);
        function.push_phi(block, Phi { value, ..phi });
    }
    let num_insts = body.len();
    for (index, mut inst) in body.into_iter().enumerate() {
        for dest in &mut inst.results {
            if let Dest::Value(value) = dest {
                *value = version(function, *value, Position::At(index as u32));
            }
        }
        function.insert(block, index, inst);
    }
    function.insert(block, num_insts, Inst::jump(target));
}

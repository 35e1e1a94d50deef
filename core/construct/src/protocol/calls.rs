//! The checks of calls against the state of blocks and edges, and the state changes that all builders have in common.
//!
//! A refused call has changed nothing.

use super::{Blocks, State};
use crate::error::{CallErrorKind, UnsealedBlock};
use crate::observe::Event;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Edge, FlatCfg, IdLimits};

impl<T: Copy + Default> Blocks<T> {
    /// Makes the block the entry.
    ///
    /// # Errors
    /// If a block has been mentioned before, or the id is not below its limit.
    pub fn name_entry(&mut self, entry: Block, ids: &IdLimits) -> Result<(), CallErrorKind> {
        if self.num_mentioned() > 0 {
            return Err(CallErrorKind::Late);
        }
        ids.check_block(entry)?;
        self.set_entry(entry);
        Ok(())
    }

    /// Checks that the graph may be announced.
    ///
    /// # Errors
    /// If an edge enters its entry, or an id is not below its limit.
    pub fn check_announcement(&self, cfg: &FlatCfg, ids: &IdLimits) -> Result<(), CallErrorKind> {
        if !cfg.incoming(cfg.entry()).is_empty() {
            return Err(CallErrorKind::IntoEntry { entry: cfg.entry() });
        }
        Ok(ids.check_num_blocks(cfg.num_blocks())?)
    }

    /// Checks that the block may be filled.
    ///
    /// # Errors
    /// If it is filled already, or the id is not below its limit.
    pub fn check_fill(&self, block: Block, ids: &IdLimits) -> Result<(), CallErrorKind> {
        ids.check_block(block)?;
        if self.is_filled(block) { Err(CallErrorKind::Filled) } else { Ok(()) }
    }

    /// Checks that the targets are those of the block in the announced graph.
    ///
    /// # Errors
    /// If they are not.
    pub fn check_announced(&self, block: Block, targets: &[Block]) -> Result<(), CallErrorKind> {
        let is_so = self.find(block).is_some()
            && self.outgoing(block).map(|edge| self.edge(edge).target).eq(targets.iter().copied());
        if is_so { Ok(()) } else { Err(CallErrorKind::NotAnnounced) }
    }

    /// Checks that all the edges may be added.
    ///
    /// # Errors
    /// If one may not.
    #[inline]
    pub fn check_edges(&self, targets: &[Block], ids: &IdLimits) -> Result<(), CallErrorKind> {
        if targets.iter().all(|&to| self.takes_any_edge(to)) {
            return Ok(());
        }
        self.check_edges_one_by_one(targets, ids)
    }

    #[cold]
    fn check_edges_one_by_one(&self, targets: &[Block], ids: &IdLimits) -> Result<(), CallErrorKind> {
        targets.iter().try_for_each(|&to| self.check_edge(to, ids))
    }

    fn check_edge(&self, to: Block, ids: &IdLimits) -> Result<(), CallErrorKind> {
        if to == self.entry() {
            return Err(CallErrorKind::IntoEntry { entry: to });
        }
        if self.find(to).is_none() {
            // The table will grow.
            return Ok(ids.check_block(to)?);
        }
        if self.is_closed(to) { Err(CallErrorKind::IntoSealed { to }) } else { Ok(()) }
    }

    /// Checks that a late edge may be added.
    ///
    /// # Errors
    /// If it may not, `from` is not filled, or the graph was announced.
    pub fn check_late_edge(&self, from: Block, to: Block, ids: &IdLimits) -> Result<(), CallErrorKind> {
        if !self.is_filled(from) {
            return Err(CallErrorKind::NotFilled);
        }
        if self.is_announced {
            return Err(CallErrorKind::NotAnnounced);
        }
        self.check_edges(&[to], ids)
    }

    /// The edge that leaves `from` by `slot` and its target, if it may enter `to` instead or does so already.
    ///
    /// # Errors
    /// If it may not.
    pub fn check_redirection(
        &self,
        from: Block,
        slot: u32,
        to: Block,
        ids: &IdLimits,
    ) -> Result<(Edge, Block), CallErrorKind> {
        if self.is_announced {
            return Err(CallErrorKind::NotAnnounced);
        }
        let edge = self.edge_number(from, slot).ok_or(CallErrorKind::NoSuchEdge)?;
        let before = self.edge(edge).target;
        if before != to {
            if self.is_closed(before) || self.get(before).state.has(State::USED) {
                return Err(CallErrorKind::InUse { to: before });
            }
            self.check_edges(&[to], ids)?;
        }
        Ok((edge, before))
    }

    /// The block in which a write on the edge is recorded: the edge's target, which has no other incoming edge and no
    /// accesses yet.
    ///
    /// # Errors
    /// If there is no such block.
    pub fn check_edge_write(&self, from: Block, slot: u32) -> Result<Block, CallErrorKind> {
        let edge = self.edge_number(from, slot).ok_or(CallErrorKind::NoSuchEdge)?;
        let target = self.edge(edge).target;
        let data = self.get(target);
        if !self.is_closed(target) || data.num_in != 1 {
            return Err(CallErrorKind::SharedSuccessor { block: target });
        }
        if data.state.has(State::ACCESSED) {
            return Err(CallErrorKind::SuccessorInUse { block: target });
        }
        Ok(target)
    }

    /// Checks that the block may be sealed.
    ///
    /// # Errors
    /// If it is sealed, or has fewer edges than it expects, or the id is not below its limit.
    pub fn check_seal(&self, block: Block, ids: &IdLimits) -> Result<(), CallErrorKind> {
        ids.check_block(block)?;
        if self.is_closed(block) {
            return Err(CallErrorKind::Sealed { block });
        }
        self.check_expected(block)
    }

    /// Checks that all blocks that are not sealed may be.
    ///
    /// # Errors
    /// If one has fewer edges than it expects.
    pub fn check_seal_all(&self) -> Result<(), CallErrorKind> {
        self.ids().filter(|&block| block != self.entry()).try_for_each(|block| self.check_expected(block))
    }

    /// Checks that the block has all the edges it expects, if it expects any.
    fn check_expected(&self, block: Block) -> Result<(), CallErrorKind> {
        match self.expected(block) {
            Some(expected) if !self.is_closed(block) => {
                Err(CallErrorKind::TooFewEdges { block, expected, given: self.get(block).num_in })
            }
            _ => Ok(()),
        }
    }

    /// Checks that all blocks are filled and sealed; `num_incomplete` counts the incomplete phis of a block.
    ///
    /// # Errors
    /// If some are not; the error lists them.
    pub fn check_complete(&self, num_incomplete: impl Fn(&T) -> u32) -> Result<(), CallErrorKind> {
        if self.are_complete() {
            return Ok(());
        }
        let is_open = |&block: &Block| !self.is_closed(block) && block != self.entry();
        let describe = |block: Block| {
            let data = self.get(block);
            let (edges, expected) = (data.num_in, self.expected(block));
            UnsealedBlock { block, edges, expected, incomplete_phis: num_incomplete(&data.own) }
        };
        let unsealed: Vec<UnsealedBlock> = self.mentioned().filter(is_open).map(describe).collect();
        let unfilled = self.unfilled();
        if unsealed.is_empty() && unfilled.is_empty() {
            return Ok(());
        }
        Err(CallErrorKind::Unfinished { unsealed, unfilled })
    }

    /// The blocks that were mentioned and are not filled, in id order.
    pub fn unfilled(&self) -> Vec<Block> {
        self.mentioned().filter(|&block| !self.is_filled(block)).collect()
    }

    /// The event for an edge that was added.
    pub fn edge_added(&self, edge: Edge) -> Event {
        let data = self.edge(edge);
        let (from, slot, to) = (data.origin.source, data.origin.slot, data.target);
        Event::EdgeAdded { from, slot, to, index: self.operand_index(edge) }
    }
}

//! Terminators and edges: a block is filled, its successors get their edges.

use super::blocks::EdgeData;
use super::{Driven, Strategy};
use ssaphire_construct::{EdgeError, EntryError};
use ssaphire_construct::{Event, Observer};
use ssaphire_graph::{Block, Edge, FlatCfg, PackedOption};

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
    pub(crate) fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        if self.current != block.into() {
            self.running()?;
            self.options.ids.check_block(block)?;
            if self.is_filled(block) {
                return Err(EdgeError::Filled { block });
            }
        }
        if self.blocks.is_announced {
            return self.terminate_announced(block, targets);
        }
        self.check_edges(block, targets)?;
        let is_reachable = self.fill(block, targets.len());
        for (slot, &target) in (0..).zip(targets) {
            let data = self.blocks.add_edge(block, slot, target);
            data.is_reachable |= is_reachable;
            if data.is_expecting {
                self.note_if_ready(target);
            }
            self.tell_last_edge();
        }
        Ok(())
    }

    /// Fills the block, which is not the current one from here on: whether it is known to be reachable.
    #[inline(always)]
    fn fill(&mut self, block: Block, num_targets: usize) -> bool {
        if self.current != block.into() {
            self.pass_through(block);
        }
        self.current = PackedOption::NONE;
        let is_reachable = self.blocks.fill(block, num_targets) || block == self.entry;
        // The block may be reached later, and then its targets are too.
        self.blocks.has_doubtful_edges |= !is_reachable && num_targets > 0;
        self.stats.edges += num_targets as u64;
        self.observer.event(Event::Filled { block });
        is_reachable
    }

    /// Takes note of a block without accesses that is to be filled.
    fn pass_through(&mut self, block: Block) {
        self.blocks.mention(block);
    }

    #[cold]
    fn terminate_announced(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        self.check_announced(block, targets)?;
        let is_reachable = self.fill(block, targets.len());
        for (slot, &target) in (0..).zip(targets) {
            let Some(edge) = self.blocks.edge_number(block, slot) else { break };
            self.blocks.add_announced(edge).is_reachable |= is_reachable;
            self.tell_edge(edge);
            self.note_if_ready(target);
        }
        Ok(())
    }

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
    pub(crate) fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        self.running()?;
        if !self.is_filled(from) {
            return Err(EdgeError::NotFilled { from, to });
        }
        if self.blocks.is_announced {
            return Err(EdgeError::NotAnnounced { block: from });
        }
        self.check_edges(from, &[to])?;
        let is_reachable = self.blocks.get(from).is_reachable || from == self.entry;
        self.blocks.has_doubtful_edges |= !is_reachable;
        self.blocks.add_late_edge(from, to).is_reachable |= is_reachable;
        self.stats.edges += 1;
        self.tell_last_edge();
        self.note_if_ready(to);
        Ok(())
    }

    /// Lets the edge that leaves `from` by `slot` enter `to`, as if it had done so from the beginning: what it entered before.
    pub(crate) fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, EdgeError> {
        self.running()?;
        if self.blocks.is_announced {
            return Err(EdgeError::NotAnnounced { block: from });
        }
        let Some(edge) = self.blocks.edge_number(from, slot) else {
            return Err(EdgeError::NoSuchEdge { from, slot });
        };
        let before = self.blocks.edge(edge).target;
        if before == to {
            return Ok(before);
        }
        let data = self.blocks.get(before);
        if self.blocks.is_closed(before) || data.is_accessed || data.is_filled {
            return Err(EdgeError::InUse { from, to: before });
        }
        self.check_edges(from, &[to])?;
        self.blocks.redirect(edge, to, self.entry);
        if O::HEARS {
            let index = self.blocks.operand_index_in_list(edge);
            self.observer.event(Event::EdgeRedirected { from, slot, before, to, index });
        }
        self.note_if_ready(to);
        Ok(before)
    }

    /// Whether the edges may all be added. Nothing has changed when it returns.
    #[inline]
    fn check_edges(&mut self, from: Block, targets: &[Block]) -> Result<(), EdgeError> {
        for (checked, &to) in targets.iter().enumerate() {
            let is_plain = match self.blocks.find(to) {
                Some(data) => !data.is_sealed && !data.is_expecting,
                None => to.index() < self.options.ids.blocks as usize,
            };
            if !is_plain || to == self.entry {
                return self.check_edges_one_by_one(from, &targets[checked..]);
            }
        }
        Ok(())
    }

    #[cold]
    fn check_edges_one_by_one(&mut self, from: Block, targets: &[Block]) -> Result<(), EdgeError> {
        let result = targets.iter().try_for_each(|&to| self.check_edge(from, to));
        self.blocks.forget_checked(targets);
        result
    }

    fn check_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        if to == self.entry {
            return Err(EdgeError::IntoEntry { from, entry: to });
        }
        if self.blocks.find(to).is_none() {
            // The table is going to grow.
            return Ok(self.options.ids.check_block(to)?);
        }
        // A target named twice needs room for two edges.
        let num_checked = self.blocks.count_checked(to);
        match self.blocks.expected(to) {
            Some(expected) if self.blocks.get(to).num_in + num_checked > expected => {
                Err(EdgeError::Unexpected { from, to, expected })
            }
            _ if self.blocks.is_closed(to) => Err(EdgeError::IntoSealed { from, to }),
            _ => Ok(()),
        }
    }

    /// Tells the observer of the edge that was added last.
    #[inline]
    fn tell_last_edge(&mut self) {
        if let Some(edge) = self.blocks.edges().keys().next_back() {
            self.tell_edge(edge);
        }
    }

    /// Tells the observer of the edge.
    #[inline]
    fn tell_edge(&mut self, edge: Edge) {
        if O::HEARS {
            let EdgeData { source: from, slot, target: to, .. } = *self.blocks.edge(edge);
            self.observer.event(Event::EdgeAdded { from, slot, to, index: self.blocks.operand_index(edge) });
        }
    }

    /// Whether the targets are those the announced graph has.
    fn check_announced(&self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        let exists = self.blocks.find(block).is_some();
        let announced = exists.then(|| self.blocks.outgoing(block).map(|edge| edge.target)).into_iter().flatten();
        if exists && announced.eq(targets.iter().copied()) { Ok(()) } else { Err(EdgeError::NotAnnounced { block }) }
    }

    /// Announces a finished graph: each block is sealed by itself when its last edge has been added.
    pub(crate) fn announce(&mut self, cfg: &FlatCfg) -> Result<(), EntryError> {
        self.running()?;
        if !cfg.incoming(cfg.entry()).is_empty() {
            return Err(EntryError::HasEdges { entry: cfg.entry() });
        }
        self.options.ids.check_num_blocks(cfg.num_blocks())?;
        self.set_entry(cfg.entry())?;
        self.blocks.announce(cfg);
        for block in cfg.blocks() {
            self.observer.event(Event::Expected { block, edges: cfg.incoming(block).len() as u32 });
            self.note_if_ready(block);
        }
        Ok(())
    }
}

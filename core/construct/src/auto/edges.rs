//! Terminators and edges: a block is filled, its successors get their edges.

use super::Builder;
use crate::error::{EdgeError, EntryError};
use crate::observe::{Event, Observer};
use crate::protocol::State;
use ssaphire_graph::{Block, Edge, FlatCfg, PackedOption};

impl<O: Observer> Builder<O> {
    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
    #[inline(always)]
    pub(super) fn terminate_block(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        if self.current.block != block.into() && !self.turn_to_fill(block, targets)? {
            self.terminate_with_care(block, targets);
            return Ok(());
        }
        while self.blocks.is_announced || !self.fill_at_once(block, targets) {
            if !self.prepare_edges(block, targets)? {
                self.terminate_with_care(block, targets);
                return Ok(());
            }
        }
        self.note_filled(block, targets.len());
        if O::HEARS {
            let end = self.blocks.edges().len();
            (end - targets.len()..end).for_each(|edge| self.tell_edge(Edge::new(edge)));
        }
        Ok(())
    }

    /// Fills the current block and adds its edges, unless one of them needs a closer look: whether it did.
    #[inline(always)]
    fn fill_at_once(&mut self, block: Block, targets: &[Block]) -> bool {
        let order = self.current.order;
        self.blocks.fill_at_once(block, targets, |own| own.above = order.into(), |own| own.above = PackedOption::NONE)
    }

    /// Makes the block the current one though it has no access, unless one of its edges needs a closer look: whether it is.
    #[inline(never)]
    fn turn_to_fill(&mut self, block: Block, targets: &[Block]) -> Result<bool, EdgeError> {
        self.running()?;
        self.options.ids.check_block(block)?;
        if self.blocks.find(block).is_some_and(|data| data.state.has(State::FILLED)) {
            return Err(EdgeError::Filled { block });
        }
        let are_plain = !self.blocks.is_announced && targets.iter().all(|&to| self.blocks.takes_any_edge(to));
        let is_plain = are_plain || self.prepare_edges(block, targets)?;
        if is_plain {
            let order = self.blocks.mention(block).own.order;
            self.turn_to::<false>(block, order);
        }
        Ok(is_plain)
    }

    /// The block, which was the current one, is filled.
    #[inline(always)]
    fn note_filled(&mut self, block: Block, num_targets: usize) {
        self.leave_current();
        self.stats.edges += num_targets as u64;
        self.observer.event(Event::Filled { block });
    }

    /// Makes room for the targets if all edges may be added: whether nobody waits for one of them.
    #[cold]
    #[inline(never)]
    fn prepare_edges(&mut self, block: Block, targets: &[Block]) -> Result<bool, EdgeError> {
        if self.blocks.is_announced {
            self.check_announced(block, targets)?;
            return Ok(false);
        }
        self.check_edges(block, targets)?;
        targets.iter().for_each(|&to| self.blocks.make_room(to));
        Ok(targets.iter().all(|&to| self.blocks.takes_any_edge(to)))
    }

    /// As [`terminate_block`](Self::terminate_block), where the last edge that a block expects may be among them.
    #[cold]
    #[inline(never)]
    fn terminate_with_care(&mut self, block: Block, targets: &[Block]) {
        if self.current.block != block.into() {
            let order = self.blocks.mention(block).own.order;
            self.turn_to::<false>(block, order);
        }
        self.blocks.fill(block, targets.len());
        self.note_filled(block, targets.len());
        for (slot, &target) in targets.iter().enumerate() {
            if self.blocks.is_announced {
                let Some(edge) = self.blocks.edge_number(block, slot as u32) else { break };
                self.blocks.add_announced(edge);
                self.tell_edge(edge);
            } else {
                self.blocks.add_edge(block, slot as u32, target);
                self.tell_last_edge();
            }
            self.note_first_source(target);
            self.note_if_ready(target);
        }
    }

    /// Notes where the only edge comes from that the block has so far.
    fn note_first_source(&mut self, block: Block) {
        if self.blocks.get(block).num_in < 2 {
            let source = self.blocks.only_edge(block).and_then(|edge| self.order_of(edge.source));
            self.blocks.get_mut(block).own.above = source.into();
        }
    }

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
    pub(super) fn add_late_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        self.running()?;
        if !self.blocks.find(from).is_some_and(|data| data.state.has(State::FILLED)) {
            return Err(EdgeError::NotFilled { from, to });
        }
        if self.blocks.is_announced {
            return Err(EdgeError::NotAnnounced { block: from });
        }
        self.check_edges(from, &[to])?;
        self.blocks.make_room(to);
        self.blocks.add_late_edge(from, to);
        self.stats.edges += 1;
        self.tell_last_edge();
        self.note_first_source(to);
        self.note_if_ready(to);
        Ok(())
    }

    /// Lets the edge that leaves `from` by `slot` enter `to`, as if it had done so from the beginning: what it entered before.
    pub(super) fn lead_edge_to(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, EdgeError> {
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
        let is_used = self.blocks.get(before).state.has(State::USED);
        if self.blocks.is_closed(before) || is_used {
            return Err(EdgeError::InUse { from, to: before });
        }
        self.check_edges(from, &[to])?;
        self.blocks.redirect(edge, to);
        self.note_first_source(before);
        self.note_first_source(to);
        if O::HEARS {
            let index = self.blocks.operand_index(edge);
            self.observer.event(Event::EdgeRedirected { from, slot, before, to, index });
        }
        self.note_if_ready(to);
        Ok(before)
    }

    /// Whether the edges may all be added. Nothing has changed when it returns.
    fn check_edges(&mut self, from: Block, targets: &[Block]) -> Result<(), EdgeError> {
        let result = targets.iter().try_for_each(|&to| self.check_edge(from, to));
        self.blocks.forget_checked(targets);
        result
    }

    fn check_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        if to == self.blocks.entry() {
            return Err(EdgeError::IntoEntry { from, entry: to });
        }
        if self.blocks.find(to).is_none() {
            // The table is going to grow.
            return Ok(self.options.ids.check_block(to)?);
        }
        if let Some(expected) = self.blocks.expected(to) {
            // A target named twice needs room for two edges.
            let num_checked = self.blocks.count_checked(to);
            if self.blocks.get(to).num_in + num_checked > expected {
                return Err(EdgeError::Unexpected { from, to, expected });
            }
        }
        if self.blocks.is_closed(to) { Err(EdgeError::IntoSealed { from, to }) } else { Ok(()) }
    }

    #[inline]
    fn tell_last_edge(&mut self) {
        if O::HEARS {
            self.tell_edge(Edge::new(self.blocks.edges().len() - 1));
        }
    }

    fn tell_edge(&mut self, edge: Edge) {
        if O::HEARS {
            let data = *self.blocks.edge(edge);
            let (from, slot, to) = (data.origin.source, data.origin.slot, data.target);
            self.observer.event(Event::EdgeAdded { from, slot, to, index: self.blocks.operand_index(edge) });
        }
    }

    /// Whether the targets are those the announced graph has.
    fn check_announced(&self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        let is_so = self.blocks.find(block).is_some() && self.blocks.targets(block).eq(targets.iter().copied());
        if is_so { Ok(()) } else { Err(EdgeError::NotAnnounced { block }) }
    }

    pub(super) fn announce_graph(&mut self, cfg: &FlatCfg) -> Result<(), EntryError> {
        self.running()?;
        if !cfg.incoming(cfg.entry()).is_empty() {
            return Err(EntryError::HasEdges { entry: cfg.entry() });
        }
        self.options.ids.check_num_blocks(cfg.num_blocks())?;
        self.name_entry(cfg.entry())?;
        self.blocks.announce(cfg);
        for block in cfg.blocks() {
            self.observer.event(Event::Expected { block, edges: cfg.incoming(block).len() as u32 });
            self.note_if_ready(block);
        }
        Ok(())
    }
}

//! Terminators and edges: a block is filled, its successors get their edges.

use super::Builder;
use crate::error::{Call, CallError, CallErrorKind, InCall};
use crate::observe::{Event, Observer};
use ssaphire_graph::{Block, Edge, FlatCfg, PackedOption};

impl<O: Observer> Builder<O> {
    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
    #[inline(always)]
    pub(super) fn terminate_block(&mut self, block: Block, targets: &[Block]) -> Result<(), CallError> {
        if self.current.block != block.into() && !self.try_switch_to_fill(block, targets)? {
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
            (end - targets.len()..end).for_each(|edge| self.report_edge(Edge::new(edge)));
        }
        Ok(())
    }

    /// Fills the current block and adds its edges, unless one of them needs further checks. Returns whether it did.
    #[inline(always)]
    fn fill_at_once(&mut self, block: Block, targets: &[Block]) -> bool {
        let node = self.current.node;
        self.blocks.fill_at_once(block, targets, |own| own.above = node.into(), |own| own.above = PackedOption::NONE)
    }

    /// Makes the block the current one although it has no access, unless one of its edges needs further checks. Returns
    /// whether it did.
    #[inline(never)]
    fn try_switch_to_fill(&mut self, block: Block, targets: &[Block]) -> Result<bool, CallError> {
        let call = Call::Terminate { block };
        self.running().in_call(call)?;
        self.blocks.check_fill(block, &self.options.ids).in_call(call)?;
        let are_plain = !self.blocks.is_announced && targets.iter().all(|&to| self.blocks.takes_any_edge(to));
        let is_plain = are_plain || self.prepare_edges(block, targets)?;
        if is_plain {
            let node = self.blocks.mention(block).own.node;
            self.switch_to::<false>(block, node);
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

    /// Makes room for the targets if all edges may be added. Returns whether no target expects one of them as its last
    /// edge.
    #[cold]
    #[inline(never)]
    fn prepare_edges(&mut self, block: Block, targets: &[Block]) -> Result<bool, CallError> {
        let call = Call::Terminate { block };
        if self.blocks.is_announced {
            self.blocks.check_announced(block, targets).in_call(call)?;
            return Ok(false);
        }
        self.blocks.check_edges(targets, &self.options.ids).in_call(call)?;
        targets.iter().for_each(|&to| self.blocks.make_room(to));
        Ok(targets.iter().all(|&to| self.blocks.takes_any_edge(to)))
    }

    /// As [`terminate_block`](Self::terminate_block), where the last edge that a block expects may be among them.
    #[cold]
    #[inline(never)]
    fn terminate_with_care(&mut self, block: Block, targets: &[Block]) {
        if self.current.block != block.into() {
            let node = self.blocks.mention(block).own.node;
            self.switch_to::<false>(block, node);
        }
        self.blocks.fill(block, targets.len());
        self.note_filled(block, targets.len());
        for (slot, &target) in targets.iter().enumerate() {
            if self.blocks.is_announced {
                let Some(edge) = self.blocks.edge_number(block, slot as u32) else { break };
                self.blocks.add_announced(edge);
                self.report_edge(edge);
            } else {
                self.blocks.add_edge(block, slot as u32, target);
                self.report_last_edge();
            }
            self.note_first_source(target);
            self.note_if_ready(target);
        }
    }

    /// Notes where the only edge comes from that the block has so far.
    fn note_first_source(&mut self, block: Block) {
        if self.blocks.get(block).num_in < 2 {
            let source = self.blocks.only_edge(block).and_then(|edge| self.node_of(edge.source));
            self.blocks.get_mut(block).own.above = source.into();
        }
    }

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
    pub(super) fn add_late_edge(&mut self, from: Block, to: Block) -> Result<(), CallErrorKind> {
        self.running()?;
        self.blocks.check_late_edge(from, to, &self.options.ids)?;
        self.blocks.make_room(to);
        self.blocks.add_late_edge(from, to);
        self.stats.edges += 1;
        self.report_last_edge();
        self.note_first_source(to);
        self.note_if_ready(to);
        Ok(())
    }

    /// Redirects the edge that leaves `from` by `slot` to `to`, as if it had always entered that. Returns its old
    /// target.
    pub(super) fn lead_edge_to(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, CallErrorKind> {
        self.running()?;
        let (edge, before) = self.blocks.check_redirection(from, slot, to, &self.options.ids)?;
        if before == to {
            return Ok(before);
        }
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

    #[inline]
    fn report_last_edge(&mut self) {
        if O::HEARS {
            self.report_edge(Edge::new(self.blocks.edges().len() - 1));
        }
    }

    fn report_edge(&mut self, edge: Edge) {
        if O::HEARS {
            self.observer.event(self.blocks.edge_added(edge));
        }
    }

    pub(super) fn announce_graph(&mut self, cfg: &FlatCfg) -> Result<(), CallErrorKind> {
        self.running()?;
        self.blocks.check_announcement(cfg, &self.options.ids)?;
        self.name_entry(cfg.entry())?;
        self.blocks.announce(cfg);
        for block in cfg.blocks() {
            self.observer.event(Event::Expected { block, edges: cfg.incoming(block).len() as u32 });
            self.note_if_ready(block);
        }
        Ok(())
    }
}

//! Terminators and edges: a block is filled, its successors get their edges.

use super::{Driven, Strategy};
use ssaphire_construct::parts::InCall;
use ssaphire_construct::{Call, CallError, CallErrorKind};
use ssaphire_construct::{Event, Observer};
use ssaphire_graph::{Block, Edge, FlatCfg, PackedOption};

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
    pub(crate) fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), CallError> {
        self.check_terminator(block, targets).in_call(Call::Terminate { block })?;
        self.fill(block, targets.len());
        for (slot, &target) in (0..).zip(targets) {
            self.add_edge(block, slot, target);
            self.note_if_ready(target);
        }
        Ok(())
    }

    #[inline]
    fn check_terminator(&mut self, block: Block, targets: &[Block]) -> Result<(), CallErrorKind> {
        if self.current != block.into() {
            self.running()?;
            self.blocks.check_fill(block, &self.options.ids)?;
        }
        if self.blocks.is_announced {
            self.blocks.check_announced(block, targets)
        } else {
            self.blocks.check_edges(targets, &self.options.ids)
        }
    }

    /// Fills the block, which is not the current one from here on.
    fn fill(&mut self, block: Block, num_targets: usize) {
        self.current = PackedOption::NONE;
        self.blocks.mention(block);
        self.blocks.note_doubt(block);
        self.blocks.fill(block, num_targets);
        self.stats.edges += num_targets as u64;
        self.observer.event(Event::Filled { block });
    }

    /// Adds an edge of the block that was filled last.
    fn add_edge(&mut self, block: Block, slot: u32, target: Block) {
        if self.blocks.is_announced {
            let Some(edge) = self.blocks.edge_number(block, slot) else { return };
            self.blocks.add_announced(edge);
            self.report_edge(edge);
        } else {
            self.blocks.make_room(target);
            self.blocks.add_edge(block, slot, target);
            self.report_last_edge();
        }
    }

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
    pub(crate) fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), CallError> {
        let call = Call::AddEdge { from, to };
        self.running().in_call(call)?;
        self.blocks.check_late_edge(from, to, &self.options.ids).in_call(call)?;
        self.blocks.make_room(to);
        self.blocks.add_late_edge(from, to);
        self.stats.edges += 1;
        self.report_last_edge();
        self.note_if_ready(to);
        Ok(())
    }

    /// Redirects the edge that leaves `from` by `slot` to `to`, as if it had always entered that. Returns its old
    /// target.
    pub(crate) fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, CallError> {
        let call = Call::RedirectEdge { from, slot, to };
        self.running().in_call(call)?;
        let (edge, before) = self.blocks.check_redirection(from, slot, to, &self.options.ids).in_call(call)?;
        if before == to {
            return Ok(before);
        }
        self.blocks.redirect(edge, to);
        if O::HEARS {
            let index = self.blocks.operand_index(edge);
            self.observer.event(Event::EdgeRedirected { from, slot, before, to, index });
        }
        self.note_if_ready(to);
        Ok(before)
    }

    /// Tells the observer of the edge that was added last.
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

    /// Announces a finished graph: each block is sealed by itself when its last edge has been added.
    pub(crate) fn announce(&mut self, cfg: &FlatCfg) -> Result<(), CallError> {
        self.link_announced(cfg).in_call(Call::Announce { entry: cfg.entry() })
    }

    fn link_announced(&mut self, cfg: &FlatCfg) -> Result<(), CallErrorKind> {
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

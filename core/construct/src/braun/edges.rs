//! Terminators and edges: a block is filled, its successors get their edges.

use super::{Builder, blocks};
use crate::error::{EdgeError, EntryError, or_panic};
use crate::observe::{Event, Observer};
use crate::options::Engine;
use ssaphire_graph::{Block, FlatCfg};

impl<O: Observer> Builder<O> {
    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
    ///
    /// # Errors
    /// If the block is filled already, or a target is the entry, sealed, or
    /// has all the edges it expects. Then no edge has been added.
    ///
    /// # Complexity
    /// O(targets).
    pub fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        self.running()?;
        if self.is_filled(block) {
            return Err(EdgeError::Filled { block });
        }
        if self.blocks.is_announced {
            self.check_announced(block, targets)?;
        } else {
            self.check_edges(block, targets)?;
        }
        self.fill(block, targets.len());
        if self.blocks.is_announced {
            self.add_announced_edges(block);
        } else {
            for (slot, &target) in targets.iter().enumerate() {
                self.blocks.mention(target);
                let edge = self.blocks.add_edge(block, slot as u32, target);
                self.note_edge(edge);
            }
        }
        Ok(())
    }

    fn fill(&mut self, block: Block, num_targets: usize) {
        if self.options.engine == Engine::Auto {
            self.begin(block);
        }
        if self.current == block.index() as u32 {
            self.current = blocks::NONE;
        }
        self.blocks.fill(block, num_targets);
        self.observer.event(Event::Filled { block });
    }

    fn add_announced_edges(&mut self, block: Block) {
        let mut index = 0;
        while let Some(edge) = self.blocks.announced_edge(block, index) {
            self.blocks.add_announced(edge);
            self.note_edge(edge);
            index += 1;
        }
    }

    /// [`try_terminate`](Self::try_terminate), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn terminate(&mut self, block: Block, targets: &[Block]) {
        or_panic(self.try_terminate(block, targets));
    }

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
    ///
    /// # Errors
    /// If `from` is not filled, or `to` is the entry, sealed, or has all the edges it expects.
    pub fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        self.running()?;
        if !self.is_filled(from) {
            return Err(EdgeError::NotFilled { from, to });
        }
        if self.blocks.is_announced {
            return Err(EdgeError::NotAnnounced { block: from });
        }
        self.check_edges(from, &[to])?;
        self.blocks.mention(to);
        let edge = self.blocks.add_late_edge(from, to);
        self.note_edge(edge);
        Ok(())
    }

    /// [`try_add_edge`](Self::try_add_edge), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn add_edge(&mut self, from: Block, to: Block) {
        or_panic(self.try_add_edge(from, to));
    }

    /// Whether the edges may all be added. Nothing has changed when it returns.
    fn check_edges(&mut self, from: Block, targets: &[Block]) -> Result<(), EdgeError> {
        for (checked, &to) in targets.iter().enumerate() {
            let is_plain = self.blocks.find(to).is_none_or(|data| !data.is_sealed && data.expected().is_none());
            if !is_plain || to == self.entry {
                return self.check_edges_one_by_one(from, &targets[checked..]);
            }
        }
        Ok(())
    }

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
            return Ok(());
        }
        // A target named twice needs room for two edges.
        let num_checked = self.blocks.count_checked(to);
        let data = self.blocks.get(to);
        match data.expected() {
            Some(expected) if data.num_in + num_checked > expected => Err(EdgeError::Unexpected { from, to, expected }),
            _ if data.is_closed() => Err(EdgeError::IntoSealed { from, to }),
            _ => Ok(()),
        }
    }

    fn note_edge(&mut self, edge: u32) {
        let blocks::EdgeData { source: from, slot, target: to, index, .. } = *self.blocks.edge(edge);
        self.stats.edges += 1;
        self.reach(from, to);
        self.observer.event(Event::EdgeAdded { from, slot, to, index });
        self.note_if_ready(to);
    }

    /// The target of an edge from a block that is reached is reached too.
    #[inline]
    fn reach(&mut self, from: Block, to: Block) {
        if !self.blocks.get(from).is_reachable && from != self.entry {
            // It may be reached later, and all that it leads to with it.
            self.blocks.has_doubtful_edges = true;
            return;
        }
        self.blocks.get_mut(to).is_reachable = true;
    }

    /// Whether the targets are those the announced graph has.
    fn check_announced(&self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        let exists = self.blocks.find(block).is_some();
        let announced = exists.then(|| self.blocks.outgoing(block).map(|edge| edge.target)).into_iter().flatten();
        if exists && announced.eq(targets.iter().copied()) { Ok(()) } else { Err(EdgeError::NotAnnounced { block }) }
    }

    /// Announces a finished graph: each block is sealed by itself when its last edge has been added.
    ///
    /// Operands then come in the order of the graph's incoming edges, whatever
    /// the order in which blocks are filled. Every block is still to be
    /// terminated, with the targets it has there. Blocks without incoming edges
    /// are sealed at once. Must be the first call for a function.
    ///
    /// # Errors
    /// If a block was mentioned before, or edges enter the entry.
    ///
    /// # Complexity
    /// O(*n* + *e*).
    pub fn announce(&mut self, cfg: &FlatCfg) -> Result<(), EntryError> {
        self.running()?;
        if !cfg.incoming(cfg.entry()).is_empty() {
            return Err(EntryError::HasEdges { entry: cfg.entry() });
        }
        self.set_entry(cfg.entry())?;
        self.blocks.announce(cfg);
        for block in cfg.blocks() {
            self.observer.event(Event::Expected { block, edges: cfg.incoming(block).len() as u32 });
            self.note_if_ready(block);
        }
        Ok(())
    }
}

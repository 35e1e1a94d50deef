//! Filling a block, which adds the edges to its targets.

use super::{BlockData, Blocks, EdgeData, State};
use crate::result::IncomingEdge;
use ssaphire_graph::{Block, Edge, PackedOption};

impl<T: Copy + Default> Blocks<T> {
    /// Fills the block, which was mentioned; its outgoing edges are added one by one or were announced.
    pub fn fill(&mut self, block: Block, num_targets: usize) {
        let (first_out, is_announced) = (self.edges.len(), self.is_announced);
        let data = self.set_filled(block, num_targets);
        if !is_announced {
            (data.first_out, data.num_targets) = (Edge::new(first_out).into(), num_targets as u32);
        }
    }

    /// Fills the block, which was mentioned, and adds its edges, unless one of them needs a closer look; returns
    /// whether it did.
    ///
    /// No graph was announced. It calls `enter_first` for each target that had no edge before, and `leave_last` to undo
    /// that.
    #[inline(always)]
    pub(crate) fn fill_at_once(
        &mut self,
        block: Block,
        targets: &[Block],
        enter_first: impl Fn(&mut T),
        leave_last: impl Fn(&mut T),
    ) -> bool {
        let Self { table, edges, num_mentioned, .. } = self;
        let first = edges.len();
        let (mut seen, mut is_nowhere) = (State::default(), false);
        edges.reserve(targets.len());
        for (slot, &target) in (0..).zip(targets) {
            let mut before_in = PackedOption::NONE;
            if let Some(to) = table.get_mut(target.index()) {
                seen.set(to.state);
                before_in = to.enter(Edge::new(edges.len()), num_mentioned);
                if before_in.is_none() {
                    enter_first(&mut to.own);
                }
            } else {
                is_nowhere = true;
            }
            edges.push(EdgeData { origin: IncomingEdge { source: block, slot }, target, before_in });
        }
        if seen.has(State::TAKES_CARE) || is_nowhere {
            self.take_back(first, leave_last);
            return false;
        }
        let data = self.set_filled(block, targets.len());
        (data.first_out, data.num_targets) = (Edge::new(first).into(), targets.len() as u32);
        true
    }

    /// Takes back the edges from this number on, which were added last.
    #[cold]
    #[inline(never)]
    fn take_back(&mut self, first: usize, leave_last: impl Fn(&mut T)) {
        while self.edges.len() > first {
            let Some(EdgeData { target, before_in, .. }) = self.edges.pop() else { return };
            let Some(to) = self.table.get_mut(target.index()) else { continue };
            to.num_in -= 1;
            to.last_in = before_in;
            if to.num_in == 0 {
                leave_last(&mut to.own);
                self.num_mentioned -= usize::from(!to.is_mentioned());
            }
        }
    }

    #[inline(always)]
    fn set_filled(&mut self, block: Block, num_targets: usize) -> &mut BlockData<T> {
        self.num_filled += 1;
        let data = &mut self.table[block.index()];
        data.state.set(State::FILLED);
        if data.state.has(State::DOUBTFUL) {
            self.has_doubtful_edges |= num_targets > 0;
        }
        data
    }

    /// Adds an edge from a filled block to `target`, for which there is room.
    pub fn add_edge(&mut self, source: Block, slot: u32, target: Block) {
        let before_in = self.table[target.index()].enter(Edge::new(self.edges.len()), &mut self.num_mentioned);
        self.edges.push(EdgeData { origin: IncomingEdge { source, slot }, target, before_in });
    }

    /// Notes the first record in the block, whose dominator is not known; returns whether no edge enters the block so
    /// far.
    pub fn note_doubt(&mut self, block: Block) -> bool {
        let data = self.get_mut(block);
        let is_doubtful = data.num_in == 0 && !data.state.has(State::ENTRY);
        if is_doubtful {
            data.state.set(State::DOUBTFUL);
        }
        is_doubtful
    }
}

impl<T> BlockData<T> {
    /// Adds the edge after all other incoming edges of the block; returns the one that was the last before.
    #[inline(always)]
    fn enter(&mut self, edge: Edge, num_mentioned: &mut usize) -> PackedOption<Edge> {
        self.num_in += 1;
        let before = self.last_in.replace(edge);
        if before.is_none() {
            *num_mentioned += usize::from(!self.state.has(State::MENTIONED));
        }
        before
    }
}

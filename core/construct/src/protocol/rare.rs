//! Data that few blocks have: expected edges and late edges.

use super::{Blocks, LateEdge, State};
use ssaphire_graph::{Block, Edge, PackedOption};

/// Data that few blocks have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rare {
    /// The number of incoming edges that was announced, if any.
    expected: Option<u32>,
    /// In an announced graph, the incoming edge that was added first.
    pub(super) first_added: PackedOption<Edge>,
    /// Outgoing edges that were added late: a list, which ends beyond all of them.
    pub(super) first_late: u32,
    last_late: u32,
    num_late: u32,
}

impl Rare {
    const NOTHING: Self = Self {
        expected: None,
        first_added: PackedOption::NONE,
        first_late: u32::MAX,
        last_late: u32::MAX,
        num_late: 0,
    };
}

impl<T: Copy + Default> Blocks<T> {
    pub(super) fn rare(&self, block: Block) -> &Rare {
        self.rare.get(block.index()).unwrap_or(&Rare::NOTHING)
    }

    pub(super) fn rare_mut(&mut self, block: Block) -> &mut Rare {
        if block.index() >= self.rare.len() {
            self.rare.resize(block.index() + 1, Rare::NOTHING);
        }
        &mut self.rare[block.index()]
    }

    /// The number of incoming edges that was announced, if any.
    pub fn expected(&self, block: Block) -> Option<u32> {
        self.rare(block).expected
    }

    pub(crate) fn set_expected(&mut self, block: Block, edges: u32) {
        self.mention(block).state.set(State::EXPECTING);
        self.rare_mut(block).expected = Some(edges);
    }

    /// Adds a late edge from a filled block to `target`, for which there is room.
    pub fn add_late_edge(&mut self, source: Block, target: Block) {
        let late = self.late.len() as u32;
        let num_targets = self.get(source).num_targets;
        let from = self.rare_mut(source);
        let slot = num_targets + from.num_late;
        from.num_late += 1;
        let before = core::mem::replace(&mut from.last_late, late);
        match self.late.get_mut(before as usize) {
            Some(before) => before.next = late,
            None => self.rare_mut(source).first_late = late,
        }
        self.late.push(LateEdge { edge: Edge::new(self.edges.len()), next: u32::MAX });
        // An edge into its source may be added later still.
        let data = self.get(source);
        self.has_doubtful_edges |= data.num_in == 0 && source != self.entry;
        self.add_edge(source, slot, target);
    }

    /// The edge that leaves the block by the slot, if there is one.
    pub fn edge_number(&self, block: Block, slot: u32) -> Option<Edge> {
        let data = self.find(block)?;
        if slot < data.num_targets {
            return Some(Edge::new(data.first_out.expand()?.index() + slot as usize));
        }
        let first_late = self.late.get(self.rare(block).first_late as usize);
        let mut late = core::iter::successors(first_late, |late| self.late.get(late.next as usize));
        late.nth((slot - data.num_targets) as usize).map(|late| late.edge)
    }
}

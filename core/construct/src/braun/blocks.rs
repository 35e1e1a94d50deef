//! The blocks of a construction: which are filled, which are sealed, and the edges so far.

use super::definitions::List;
use super::intervals::Interval;
use crate::result::IncomingEdge;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, Edge, FlatCfg, Variable};

/// The end of a linked list, or the number of nothing.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct BlockData {
    /// Whether any call named the block. Ids between those named stand for nothing.
    pub(super) is_mentioned: bool,
    pub(super) is_filled: bool,
    pub(super) is_sealed: bool,
    /// Whether a variable was read or written here.
    pub(super) is_accessed: bool,
    /// Whether the block was begun: it has a place in the order of construction.
    pub(super) is_begun: bool,
    /// Whether a path from the entry is known; `finish` makes it exact.
    pub(super) is_reachable: bool,
    /// Incoming edges that are there; of a graph that was announced more are linked.
    pub(super) num_in: u32,
    /// Its first incoming edge: in the list of edges, or once sealed in `incoming`.
    first_in: u32,
    last_in: u32,
    /// The incoming edge that was there first.
    pub(super) first_added: u32,
    first_out: u32,
    /// Outgoing edges that lie side by side: those of the terminator.
    num_targets: u32,
    first_late: u32,
    last_late: u32,
    num_late: u32,
    /// What variables hold at its end, where something stored it.
    pub(super) definitions: List,
    /// How many incoming edges were announced; `NONE` if not.
    expected: u32,
    /// Edges into the block among those being checked; zero between calls.
    num_checked: u32,
    pub(super) first_incomplete: u32,
    pub(super) last_incomplete: u32,
    pub(super) num_incomplete: u32,
    /// The hint of this header is `hints[first_hint..][..num_hints]`; `NONE` without a hint.
    first_hint: u32,
    num_hints: u32,
    /// The last walk that passed.
    pub(super) seen: u32,
    /// The lookup that has entered this join and not left it.
    pub(super) mark: u32,
    /// Its place among the intervals (`auto`).
    pub(super) interval: Interval,
}

impl BlockData {
    const NEW: Self = Self {
        is_mentioned: false,
        is_filled: false,
        is_sealed: false,
        is_accessed: false,
        is_begun: false,
        is_reachable: false,
        num_in: 0,
        first_in: NONE,
        last_in: NONE,
        first_added: NONE,
        first_out: 0,
        num_targets: 0,
        first_late: NONE,
        last_late: NONE,
        num_late: 0,
        definitions: List::EMPTY,
        expected: NONE,
        num_checked: 0,
        first_incomplete: NONE,
        last_incomplete: NONE,
        num_incomplete: 0,
        first_hint: NONE,
        num_hints: 0,
        seen: 0,
        mark: 0,
        interval: Interval::NEW,
    };

    pub(super) fn expected(&self) -> Option<u32> {
        (self.expected != NONE).then_some(self.expected)
    }

    /// Whether no edge will be added: the block is sealed, or will be by the next call that has a host.
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.is_sealed || (self.expected != NONE && self.expected == self.num_in)
    }
}

/// One edge: where it leaves and where it enters.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeData {
    pub(super) source: Block,
    pub(super) slot: u32,
    pub(super) target: Block,
    /// Its position among the incoming edges of `target`.
    pub(super) index: u32,
    next_in: u32,
}

/// An edge added after its source was filled.
#[derive(Clone, Copy, Debug)]
struct LateEdge {
    edge: u32,
    next: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    blocks: Vec<BlockData>,
    edges: Vec<EdgeData>,
    late: Vec<LateEdge>,
    /// The incoming edges of sealed blocks, each block's side by side.
    incoming: Vec<IncomingEdge>,
    hints: Vec<Variable>,
    /// Whether all edges are linked already, in the order of the announced graph.
    pub(super) is_announced: bool,
    /// Whether an edge was added whose source was not known to be reachable.
    pub(super) has_doubtful_edges: bool,
    pub(super) num_mentioned: usize,
    pub(super) num_filled: usize,
    pub(super) num_sealed: usize,
}

impl Blocks {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.edges.clear();
        self.late.clear();
        self.incoming.clear();
        self.hints.clear();
        self.is_announced = false;
        self.has_doubtful_edges = false;
        (self.num_mentioned, self.num_filled, self.num_sealed) = (0, 0, 0);
    }

    /// Number of ids up to the largest one mentioned.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    pub(super) fn edges(&self) -> &[EdgeData] {
        &self.edges
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.blocks.len()).map(Block::new)
    }

    /// Makes room for the block, and notes that it exists.
    #[inline]
    pub(super) fn mention(&mut self, block: Block) -> &mut BlockData {
        if block.index() >= self.blocks.len() {
            self.blocks.resize(block.index() + 1, BlockData::NEW);
        }
        let data = &mut self.blocks[block.index()];
        if !data.is_mentioned {
            data.is_mentioned = true;
            self.num_mentioned += 1;
        }
        data
    }

    /// What is known of the block, if it was mentioned or a later one was.
    #[inline]
    pub(super) fn find(&self, block: Block) -> Option<&BlockData> {
        self.blocks.get(block.index())
    }

    #[inline]
    pub(super) fn find_mut(&mut self, block: Block) -> Option<&mut BlockData> {
        self.blocks.get_mut(block.index())
    }

    #[inline]
    pub(super) fn get(&self, block: Block) -> &BlockData {
        &self.blocks[block.index()]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, block: Block) -> &mut BlockData {
        &mut self.blocks[block.index()]
    }

    #[inline]
    pub(super) fn interval(&self, block: u32) -> &Interval {
        &self.blocks[block as usize].interval
    }

    #[inline]
    pub(super) fn interval_mut(&mut self, block: u32) -> &mut Interval {
        &mut self.blocks[block as usize].interval
    }

    #[inline]
    pub(super) fn edge(&self, edge: u32) -> &EdgeData {
        &self.edges[edge as usize]
    }

    /// Links the edges of a whole graph, whose blocks then expect them.
    pub(super) fn announce(&mut self, cfg: &FlatCfg) {
        self.is_announced = true;
        for block in cfg.blocks() {
            let incoming = cfg.incoming(block);
            let id = |edge: Option<&Edge>| edge.map_or(NONE, |edge| edge.index() as u32);
            let mut outgoing = cfg.outgoing(block);
            let data = self.mention(block);
            data.expected = incoming.len() as u32;
            (data.first_in, data.last_in) = (id(incoming.first()), id(incoming.last()));
            data.num_targets = outgoing.len() as u32;
            data.first_out = id(outgoing.next().as_ref());
        }
        for edge in (0..cfg.num_edges()).map(Edge::new) {
            let (source, target) = (cfg.source(edge), cfg.target(edge));
            let (slot, index) = (cfg.slot(edge) as u32, cfg.operand_index(edge) as u32);
            let next_in = cfg.incoming(target).get(index as usize + 1).map_or(NONE, |edge| edge.index() as u32);
            self.edges.push(EdgeData { source, slot, target, index, next_in });
        }
    }

    /// The edge that leaves the block by the slot, in an announced graph.
    pub(super) fn announced_edge(&self, block: Block, slot: u32) -> Option<u32> {
        let data = self.get(block);
        (slot < data.num_targets).then(|| data.first_out + slot)
    }

    /// Notes that the edge is there.
    pub(super) fn add_announced(&mut self, edge: u32) {
        let target = self.edges[edge as usize].target;
        let data = self.get_mut(target);
        data.num_in += 1;
        if data.first_added == NONE {
            data.first_added = edge;
        }
    }

    /// Fills the block, whose outgoing edges are then added one by one.
    #[inline]
    pub(super) fn fill(&mut self, block: Block, num_targets: usize) {
        self.num_filled += 1;
        let first_out = self.edges.len() as u32;
        let is_announced = self.is_announced;
        let data = self.mention(block);
        data.is_filled = true;
        if !is_announced {
            (data.first_out, data.num_targets) = (first_out, num_targets as u32);
        }
    }

    /// Adds an edge out of the block that was filled last, to a mentioned block: its number.
    #[inline]
    pub(super) fn add_edge(&mut self, source: Block, slot: u32, target: Block) -> u32 {
        let edge = self.edges.len() as u32;
        let to = &mut self.blocks[target.index()];
        let index = to.num_in;
        to.num_in += 1;
        let before = core::mem::replace(&mut to.last_in, edge);
        if before == NONE {
            (to.first_in, to.first_added) = (edge, edge);
        } else {
            self.edges[before as usize].next_in = edge;
        }
        self.edges.push(EdgeData { source, slot, target, index, next_in: NONE });
        edge
    }

    /// Adds an edge out of a block that was filled before: its number.
    pub(super) fn add_late_edge(&mut self, source: Block, target: Block) -> u32 {
        let late = self.late.len() as u32;
        let from = &mut self.blocks[source.index()];
        let slot = from.num_targets + from.num_late;
        from.num_late += 1;
        let before = core::mem::replace(&mut from.last_late, late);
        match self.late.get_mut(before as usize) {
            Some(before) => before.next = late,
            None => from.first_late = late,
        }
        let edge = self.add_edge(source, slot, target);
        self.late.push(LateEdge { edge, next: NONE });
        edge
    }

    /// Seals the block: its incoming edges lie side by side from here on.
    #[inline]
    pub(super) fn seal(&mut self, block: Block) {
        self.num_sealed += 1;
        let data = &mut self.blocks[block.index()];
        data.is_sealed = true;
        let first = self.incoming.len() as u32;
        let mut edge = core::mem::replace(&mut data.first_in, first);
        while let Some(&EdgeData { source, slot, next_in, .. }) = self.edges.get(edge as usize) {
            self.incoming.push(IncomingEdge { source, slot });
            edge = next_in;
        }
    }

    /// The incoming edges of a sealed block, by operand index; none of an entry that was not sealed.
    #[inline]
    pub(crate) fn incoming(&self, block: Block) -> &[IncomingEdge] {
        match self.blocks.get(block.index()) {
            Some(data) if data.is_sealed => &self.incoming[range(data)],
            _ => &[],
        }
    }

    /// Where the incoming edges of a sealed block are, for [`incoming_edge`](Self::incoming_edge).
    #[inline]
    pub(super) fn incoming_range(&self, block: Block) -> Range<usize> {
        range(self.get(block))
    }

    #[inline]
    pub(super) fn incoming_edge(&self, place: usize) -> IncomingEdge {
        self.incoming[place]
    }

    /// Whether a path leads from the entry to the block.
    pub(crate) fn is_reachable(&self, block: Block) -> bool {
        self.blocks.get(block.index()).is_some_and(|data| data.is_reachable)
    }

    pub(super) fn outgoing(&self, block: Block) -> impl Iterator<Item = &EdgeData> {
        let data = self.get(block);
        let first = data.first_out as usize;
        let in_a_row = self.edges.get(first..first + data.num_targets as usize).unwrap_or(&[]);
        let late =
            core::iter::successors(self.late.get(data.first_late as usize), |late| self.late.get(late.next as usize));
        in_a_row.iter().chain(late.map(|late| self.edge(late.edge)))
    }

    pub(super) fn set_expected(&mut self, block: Block, edges: u32) {
        self.mention(block).expected = edges;
    }

    /// Counts one more edge among those being checked.
    pub(super) fn count_checked(&mut self, block: Block) -> u32 {
        let data = self.get_mut(block);
        data.num_checked += 1;
        data.num_checked
    }

    /// Forgets the edges that were being checked.
    pub(super) fn forget_checked(&mut self, targets: &[Block]) {
        for &to in targets {
            if let Some(data) = self.find_mut(to) {
                data.num_checked = 0;
            }
        }
    }

    /// Takes the hint that only `variables` are written in the loop of `header`.
    pub(super) fn set_hint(&mut self, header: Block, variables: &[Variable]) {
        let first = self.hints.len();
        self.hints.extend_from_slice(variables);
        self.hints[first..].sort_unstable();
        let data = self.mention(header);
        data.first_hint = first as u32;
        data.num_hints = variables.len() as u32;
    }

    /// Whether `block` is a header with a hint that leaves `variable` out, and one edge so far.
    ///
    /// Then the variable holds at the top of the block what it holds at the end of that edge's source.
    pub(super) fn hint_leaves_out(&self, block: Block, variable: Variable) -> bool {
        let data = self.get(block);
        if data.first_hint == NONE || data.num_in != 1 {
            return false;
        }
        self.hints(data).binary_search(&variable).is_err()
    }

    fn hints(&self, data: &BlockData) -> &[Variable] {
        let first = data.first_hint as usize;
        &self.hints[first..first + data.num_hints as usize]
    }
}

#[inline]
fn range(data: &BlockData) -> Range<usize> {
    let first = data.first_in as usize;
    first..first + data.num_in as usize
}

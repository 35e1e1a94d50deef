//! The blocks of a construction: which are filled, which are sealed, and the edges so far.

mod rare;
mod redirect;

use super::definitions::List;
use alloc::vec::Vec;
use core::ops::Range;
use rare::Rare;
use ssaphire_construct::IncomingEdge;
use ssaphire_construct::parts::PhiId;
use ssaphire_graph::{Block, Edge, FlatCfg, IdMap, PackedOption, internal_id};

#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockData {
    /// Whether any call named the block. Ids between those named stand for nothing.
    pub(crate) is_mentioned: bool,
    pub(crate) is_filled: bool,
    pub(crate) is_sealed: bool,
    /// Whether a variable was read or written here.
    pub(crate) is_accessed: bool,
    /// Whether a path from the entry is known; `finish` makes it exact.
    pub(crate) is_reachable: bool,
    /// Whether it was said how many incoming edges there will be.
    pub(crate) is_expecting: bool,
    /// Incoming edges that are there; of a graph that was announced more are linked.
    pub(crate) num_in: u32,
    /// Its incoming edges so far: a list in `edges`.
    first_in: PackedOption<Edge>,
    last_in: PackedOption<Edge>,
    /// Once sealed: where its edges begin in `incoming`.
    first_incoming: u32,
    first_out: PackedOption<Edge>,
    /// Outgoing edges that lie side by side: those of the terminator.
    num_targets: u32,
    pub(crate) first_incomplete: PackedOption<PhiId>,
    pub(crate) last_incomplete: PackedOption<PhiId>,
    /// The last walk that passed.
    pub(crate) seen: u32,
    /// The lookup that has entered this join and not left it.
    pub(crate) mark: u32,
}

impl BlockData {
    const NEW: Self = Self {
        is_mentioned: false,
        is_filled: false,
        is_sealed: false,
        is_accessed: false,
        is_reachable: false,
        is_expecting: false,
        num_in: 0,
        first_in: PackedOption::NONE,
        last_in: PackedOption::NONE,
        first_incoming: 0,
        first_out: PackedOption::NONE,
        num_targets: 0,
        first_incomplete: PackedOption::NONE,
        last_incomplete: PackedOption::NONE,
        seen: 0,
        mark: 0,
    };
}

/// One edge: where it leaves and where it enters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeData {
    pub(crate) source: Block,
    pub(crate) slot: u32,
    pub(crate) target: Block,
    next_in: PackedOption<Edge>,
}

internal_id!(
    /// Number of an edge that was added late.
    LateId, "late"
);

/// An edge added after its source was filled.
#[derive(Clone, Copy, Debug)]
struct LateEdge {
    edge: Edge,
    next: PackedOption<LateId>,
}

/// What walks need of a block: where they go on from it, and what it defines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// Variables a walk stops at the block for, by their bit: all while it is not linked, else those that it defines.
    pub(crate) stops: u64,
    /// The source of its only edge, once linked: before, no walk goes on from it.
    pub(crate) up: Block,
    /// What variables hold at the end of the block, where something stored it.
    pub(crate) definitions: List,
}

impl Link {
    pub(crate) const NEW: Self = Self { stops: u64::MAX, up: Block::new(0), definitions: List::EMPTY };
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// Room for blocks, in id order; those from `num_ids` on are new.
    blocks: Vec<BlockData>,
    /// Where walks go on from them, and what they define.
    links: Vec<Link>,
    num_ids: usize,
    /// There is no room for blocks from this number on: whoever finds room for a block need not look at the limit.
    limit: usize,
    rare: IdMap<Block, Rare>,
    edges: IdMap<Edge, EdgeData>,
    late: IdMap<LateId, LateEdge>,
    /// The incoming edges of sealed blocks, each block's side by side.
    incoming: Vec<IncomingEdge>,
    /// Whether all edges are linked already, in the order of the announced graph.
    pub(crate) is_announced: bool,
    /// Whether an edge was added whose source was not known to be reachable.
    pub(crate) has_doubtful_edges: bool,
    pub(crate) num_mentioned: usize,
    pub(crate) num_filled: usize,
    pub(crate) num_sealed: usize,
}

impl Blocks {
    /// No blocks, and later on only such as are numbered below `limit`.
    pub(crate) fn below(limit: u32) -> Self {
        Self { limit: limit as usize, ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.links.clear();
        self.num_ids = 0;
        self.rare.clear();
        self.edges.clear();
        self.late.clear();
        self.incoming.clear();
        self.is_announced = false;
        self.has_doubtful_edges = false;
        (self.num_mentioned, self.num_filled, self.num_sealed) = (0, 0, 0);
    }

    /// Number of ids up to the largest one mentioned.
    pub(crate) fn len(&self) -> usize {
        self.num_ids
    }

    pub(crate) fn edges(&self) -> &IdMap<Edge, EdgeData> {
        &self.edges
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.num_ids).map(Block::new)
    }

    /// Makes room for the block, and notes that it exists.
    #[inline]
    pub(crate) fn mention(&mut self, block: Block) -> &mut BlockData {
        if block.index() >= self.blocks.len() {
            self.grow(block);
        }
        let data = &mut self.blocks[block.index()];
        if !data.is_mentioned {
            data.is_mentioned = true;
            self.num_mentioned += 1;
            self.num_ids = self.num_ids.max(block.index() + 1);
        }
        data
    }

    /// Makes room for half as many blocks again, as far as the limit allows.
    #[cold]
    fn grow(&mut self, block: Block) {
        let before = self.blocks.len();
        let len = (before + before / 2).max(16).min(self.limit).max(block.index() + 1);
        self.blocks.reserve_exact(len - before);
        self.blocks.resize(len, BlockData::NEW);
        self.links.reserve_exact(len - before);
        self.links.resize(len, Link::NEW);
    }

    /// Whether no edge will be added: the block is sealed, or will be by the next call that has a host.
    #[inline]
    pub(crate) fn is_closed(&self, block: Block) -> bool {
        self.find(block).is_some_and(|data| data.is_sealed || self.has_all_expected(block))
    }

    /// Whether as many edges are there as were expected.
    pub(crate) fn has_all_expected(&self, block: Block) -> bool {
        let data = self.get(block);
        data.is_expecting && self.expected(block) == Some(data.num_in)
    }

    /// What is known of the block, if it was mentioned or a later one was.
    #[inline]
    pub(crate) fn find(&self, block: Block) -> Option<&BlockData> {
        self.blocks.get(block.index())
    }

    #[inline]
    pub(crate) fn find_mut(&mut self, block: Block) -> Option<&mut BlockData> {
        self.blocks.get_mut(block.index())
    }

    #[inline]
    pub(crate) fn get(&self, block: Block) -> &BlockData {
        &self.blocks[block.index()]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, block: Block) -> &mut BlockData {
        &mut self.blocks[block.index()]
    }

    /// Where walks go on from it, and its definitions, if it was mentioned or a later one was.
    #[inline]
    pub(crate) fn find_link(&self, block: Block) -> Option<&Link> {
        self.links.get(block.index())
    }

    #[inline]
    pub(crate) fn link_mut(&mut self, block: Block) -> &mut Link {
        &mut self.links[block.index()]
    }

    /// The first block from `from` upwards at which a lookup of a variable of that bit stops, and the steps.
    ///
    /// After more than `limit` steps the block need not be one at which it stops.
    #[inline]
    pub(crate) fn climb(&self, from: Block, bit: u64, limit: u64) -> (Block, u64) {
        let (mut at, mut steps_left) = (from, limit);
        loop {
            let link = &self.links[at.index()];
            if link.stops & bit != 0 || steps_left == 0 {
                let num_steps = limit - steps_left + 1;
                return (at, num_steps);
            }
            at = link.up;
            steps_left -= 1;
        }
    }

    #[inline]
    pub(crate) fn edge(&self, edge: Edge) -> &EdgeData {
        &self.edges[edge]
    }

    /// Links the edges of a whole graph, whose blocks then expect them.
    pub(crate) fn announce(&mut self, cfg: &FlatCfg) {
        self.is_announced = true;
        for block in cfg.blocks() {
            let incoming = cfg.incoming(block);
            let mut outgoing = cfg.outgoing(block);
            self.set_expected(block, incoming.len() as u32);
            let data = self.mention(block);
            (data.first_in, data.last_in) = (incoming.first().copied().into(), incoming.last().copied().into());
            data.num_targets = outgoing.len() as u32;
            data.first_out = outgoing.next().into();
        }
        for edge in (0..cfg.num_edges()).map(Edge::new) {
            let (source, target) = (cfg.source(edge), cfg.target(edge));
            let (slot, index) = (cfg.slot(edge), cfg.operand_index(edge));
            let next_in = cfg.incoming(target).get(index + 1).copied().into();
            self.edges.push(EdgeData { source, slot, target, next_in });
        }
    }

    /// Notes that the edge is there: its target.
    pub(crate) fn add_announced(&mut self, edge: Edge) -> &mut BlockData {
        let target = self.edges[edge].target;
        let rare = self.rare_mut(target);
        if rare.first_added.is_none() {
            rare.first_added = edge.into();
        }
        let data = self.get_mut(target);
        data.num_in += 1;
        data
    }

    /// The source of the incoming edge that was there first.
    pub(crate) fn first_source(&self, block: Block) -> Option<Block> {
        let data = self.get(block);
        let edge = if self.is_announced { self.rare(block).first_added } else { data.first_in };
        self.edges.find(edge).map(|edge| edge.source)
    }

    /// The position of the edge among the incoming edges of its target, for observers.
    pub(crate) fn operand_index(&self, edge: Edge) -> u32 {
        let data = self.get(self.edge(edge).target);
        if !self.is_announced {
            return data.num_in - 1;
        }
        self.operand_index_in_list(edge)
    }

    /// The position of the edge in the list of its target.
    pub(crate) fn operand_index_in_list(&self, edge: Edge) -> u32 {
        let data = self.get(self.edge(edge).target);
        let list = core::iter::successors(data.first_in.expand(), |&edge| self.edge(edge).next_in.expand());
        list.take_while(|&before| before != edge).count() as u32
    }

    /// Fills the block, which was mentioned, and whose outgoing edges are then added one by one: whether it is known to be reachable.
    #[inline]
    pub(crate) fn fill(&mut self, block: Block, num_targets: usize) -> bool {
        self.num_filled += 1;
        let first_out = Edge::new(self.edges.len());
        let is_announced = self.is_announced;
        let data = self.get_mut(block);
        data.is_filled = true;
        if !is_announced {
            (data.first_out, data.num_targets) = (first_out.into(), num_targets as u32);
        }
        data.is_reachable
    }

    /// Adds an edge out of the block that was filled last: the target, which counts as mentioned.
    #[inline]
    pub(crate) fn add_edge(&mut self, source: Block, slot: u32, target: Block) -> &mut BlockData {
        let edge = self.edges.push(EdgeData { source, slot, target, next_in: PackedOption::NONE });
        if target.index() >= self.blocks.len() {
            self.grow(target);
        }
        let to = &mut self.blocks[target.index()];
        to.num_in += 1;
        if let Some(before) = self.edges.find_mut(to.last_in.replace(edge)) {
            before.next_in = edge.into();
            return to;
        }
        to.first_in = edge.into();
        if !to.is_mentioned {
            to.is_mentioned = true;
            self.num_mentioned += 1;
            self.num_ids = self.num_ids.max(target.index() + 1);
        }
        to
    }

    /// Adds an edge out of a block that was filled before: the target, which counts as mentioned.
    pub(crate) fn add_late_edge(&mut self, source: Block, target: Block) -> &mut BlockData {
        let late = self.late.push(LateEdge { edge: Edge::new(self.edges.len()), next: PackedOption::NONE });
        let num_targets = self.get(source).num_targets;
        let from = self.rare_mut(source);
        let slot = num_targets + from.num_late;
        from.num_late += 1;
        let before = from.last_late.replace(late);
        match self.late.find_mut(before) {
            Some(before) => before.next = late.into(),
            None => self.rare_mut(source).first_late = late.into(),
        }
        self.add_edge(source, slot, target)
    }

    /// Seals the block: its incoming edges lie side by side from here on.
    #[inline]
    pub(crate) fn seal(&mut self, block: Block) {
        self.num_sealed += 1;
        let data = &mut self.blocks[block.index()];
        data.is_sealed = true;
        data.first_incoming = self.incoming.len() as u32;
        let mut edge = data.first_in;
        while let Some(&EdgeData { source, slot, next_in, .. }) = self.edges.find(edge) {
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
    pub(crate) fn incoming_range(&self, block: Block) -> Range<usize> {
        range(self.get(block))
    }

    #[inline]
    pub(crate) fn incoming_edge(&self, place: usize) -> IncomingEdge {
        self.incoming[place]
    }

    /// Whether a path leads from the entry to the block.
    pub(crate) fn is_reachable(&self, block: Block) -> bool {
        self.blocks.get(block.index()).is_some_and(|data| data.is_reachable)
    }

    pub(crate) fn outgoing(&self, block: Block) -> impl Iterator<Item = &EdgeData> {
        let data = self.get(block);
        let first = data.first_out.expand().map_or(0, Edge::index);
        let in_a_row = self.edges.as_slice().get(first..first + data.num_targets as usize).unwrap_or(&[]);
        in_a_row.iter().chain(self.late_edges(block).map(|edge| self.edge(edge)))
    }

    /// The edges that leave the block and were added late.
    fn late_edges(&self, block: Block) -> impl Iterator<Item = Edge> + '_ {
        let first = self.late.find(self.rare(block).first_late);
        core::iter::successors(first, |late| self.late.find(late.next)).map(|late| late.edge)
    }
}

#[inline]
fn range(data: &BlockData) -> Range<usize> {
    let first = data.first_incoming as usize;
    first..first + data.num_in as usize
}

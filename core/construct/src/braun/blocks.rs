//! The blocks of a construction: which are filled, which are sealed, and the edges so far.

use alloc::vec::Vec;
use ssaphire_graph::{Block, Edge, FlatCfg, Variable};

/// The end of a linked list.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct BlockData {
    /// Whether any call named the block. Ids between those named stand for nothing.
    pub(super) is_mentioned: bool,
    pub(super) is_filled: bool,
    pub(super) is_sealed: bool,
    /// Whether a variable was read or written here.
    pub(super) is_accessed: bool,
    pub(super) first_in: u32,
    last_in: u32,
    /// Incoming edges that are there; of a graph that was announced more are linked.
    pub(super) num_in: u32,
    /// The incoming edge that was there first.
    pub(super) first_added: u32,
    pub(super) first_out: u32,
    last_out: u32,
    num_out: u32,
    /// How many incoming edges were announced; `NONE` if not.
    expected: u32,
    /// Edges into the block among those being checked; zero between calls.
    pub(super) num_checked: u32,
    pub(super) first_incomplete: u32,
    pub(super) last_incomplete: u32,
    pub(super) num_incomplete: u32,
    /// The hint of this header is `hints[first_hint..][..num_hints]`; `NONE` without a hint.
    first_hint: u32,
    num_hints: u32,
    /// The last chain walk that passed.
    pub(super) seen: u32,
    /// The lookup that has entered this join and not left it (`marker`).
    pub(super) mark: u32,
}

impl BlockData {
    const NEW: Self = Self {
        is_mentioned: false,
        is_filled: false,
        is_sealed: false,
        is_accessed: false,
        first_in: NONE,
        last_in: NONE,
        num_in: 0,
        first_added: NONE,
        first_out: NONE,
        last_out: NONE,
        num_out: 0,
        expected: NONE,
        num_checked: 0,
        first_incomplete: NONE,
        last_incomplete: NONE,
        num_incomplete: 0,
        first_hint: NONE,
        num_hints: 0,
        seen: 0,
        mark: 0,
    };

    pub(super) fn expected(&self) -> Option<u32> {
        (self.expected != NONE).then_some(self.expected)
    }

    /// Whether no edge will be added: the block is sealed, or will be by the next call that has a host.
    pub(super) fn is_closed(&self) -> bool {
        self.is_sealed || self.expected() == Some(self.num_in)
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
    pub(super) next_in: u32,
    pub(super) next_out: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    blocks: Vec<BlockData>,
    edges: Vec<EdgeData>,
    hints: Vec<Variable>,
    /// Whether all edges are linked already, in the order of the announced graph.
    pub(super) is_announced: bool,
}

impl Blocks {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.edges.clear();
        self.hints.clear();
        self.is_announced = false;
    }

    /// Number of ids up to the largest one mentioned.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    pub(super) fn num_edges(&self) -> usize {
        self.edges.len()
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
        data.is_mentioned = true;
        data
    }

    /// What is known of the block, if it was mentioned or a later one was.
    pub(super) fn find(&self, block: Block) -> Option<&BlockData> {
        self.blocks.get(block.index())
    }

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
            data.num_out = outgoing.len() as u32;
            (data.first_out, data.last_out) = (id(outgoing.next().as_ref()), id(outgoing.next_back().as_ref()));
        }
        for edge in (0..cfg.num_edges()).map(Edge::new) {
            let (source, target) = (cfg.source(edge), cfg.target(edge));
            let (slot, index) = (cfg.slot(edge) as u32, cfg.operand_index(edge) as u32);
            let next_in = cfg.incoming(target).get(index as usize + 1).map_or(NONE, |edge| edge.index() as u32);
            let has_next = slot as usize + 1 < cfg.targets(source).len();
            let next_out = if has_next { edge.index() as u32 + 1 } else { NONE };
            self.edges.push(EdgeData { source, slot, target, index, next_in, next_out });
        }
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

    /// Adds an edge between mentioned blocks: its number.
    pub(super) fn add_edge(&mut self, source: Block, target: Block) -> u32 {
        let edge = self.edges.len() as u32;
        let from = &mut self.blocks[source.index()];
        let slot = from.num_out;
        from.num_out += 1;
        let before = core::mem::replace(&mut from.last_out, edge);
        if before == NONE {
            from.first_out = edge;
        } else {
            self.edges[before as usize].next_out = edge;
        }
        let to = &mut self.blocks[target.index()];
        let index = to.num_in;
        to.num_in += 1;
        let before = core::mem::replace(&mut to.last_in, edge);
        if before == NONE {
            (to.first_in, to.first_added) = (edge, edge);
        } else {
            self.edges[before as usize].next_in = edge;
        }
        self.edges.push(EdgeData { source, slot, target, index, next_in: NONE, next_out: NONE });
        edge
    }

    /// No edge into the block will be added.
    pub(super) fn seal(&mut self, block: Block) {
        self.get_mut(block).is_sealed = true;
    }

    pub(super) fn incoming(&self, block: Block) -> impl Iterator<Item = &EdgeData> {
        let first = self.edges.get(self.get(block).first_in as usize);
        core::iter::successors(first, |edge| self.edges.get(edge.next_in as usize))
    }

    pub(super) fn outgoing(&self, block: Block) -> impl Iterator<Item = &EdgeData> {
        let first = self.edges.get(self.get(block).first_out as usize);
        core::iter::successors(first, |edge| self.edges.get(edge.next_out as usize))
    }

    pub(super) fn set_expected(&mut self, block: Block, edges: u32) {
        self.mention(block).expected = edges;
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
        let first = data.first_hint as usize;
        self.hints[first..first + data.num_hints as usize].binary_search(&variable).is_err()
    }
}

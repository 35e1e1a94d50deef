//! The blocks and edges that the calls describe: filled, sealed, expected, announced.
//!
//! Braun et al. 2013 call a block *filled* when all its accesses are recorded,
//! and *sealed* when all its incoming edges are known (section 2.3). The data that a
//! construction keeps for each block besides has the type `T`.
//!
//! # Departures
//! Braun et al. seal a block when the caller says so. Here a block with a known number of edges, or of an announced
//! graph, is also sealed automatically.

mod calls;
mod fill;
mod queue;
mod rare;
mod redirect;

use crate::result::IncomingEdge;
use alloc::vec::Vec;
pub use queue::SealQueue;
use rare::Rare;
use ssaphire_graph::{Block, Edge, FlatCfg, PackedOption};

/// Flags of a block: the calls it has seen, and facts found about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State(u16);

impl State {
    /// Some call named the block before an edge entered it. An id that no call named and no edge enters is no block.
    const MENTIONED: Self = Self(1);
    /// The block has a terminator: all its accesses are recorded.
    pub const FILLED: Self = Self(1 << 1);
    /// No edge into the block will be added.
    pub const SEALED: Self = Self(1 << 2);
    /// A variable was read or written in the block.
    pub const ACCESSED: Self = Self(1 << 3);
    /// The number of incoming edges was announced.
    pub(crate) const EXPECTING: Self = Self(1 << 4);
    /// The block is filled, or a variable was read or written in it.
    pub(crate) const USED: Self = Self(Self::FILLED.0 | Self::ACCESSED.0);
    /// Control enters here.
    const ENTRY: Self = Self(1 << 5);
    /// Lookups can decide the values at the top of the block: all its edges and its dominator are known.
    pub(crate) const DECIDED: Self = Self(Self::PASSABLE.0 | Self::ENTRY.0);
    /// An edge into the block needs a closer look.
    const TAKES_CARE: Self = Self(Self::SEALED.0 | Self::EXPECTING.0 | Self::ENTRY.0);
    /// A path leads here from the entry; known once `find_reachable` has run.
    const REACHABLE: Self = Self(1 << 7);
    /// The block was found before the end to have only unreachable predecessors.
    pub(crate) const CUT_OFF: Self = Self(1 << 8);
    /// No edge led to the block when something was recorded in it first.
    const DOUBTFUL: Self = Self(1 << 9);
    /// Lookups may go along the edges of the block: it is sealed, and does not wait until its dominator is known.
    pub(crate) const PASSABLE: Self = Self(1 << 10);

    /// Whether any of these flags is set.
    #[inline]
    pub fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// Sets these flags.
    #[inline]
    pub fn set(&mut self, all: Self) {
        self.0 |= all.0;
    }

    /// Clears these flags.
    #[inline]
    pub fn unset(&mut self, all: Self) {
        self.0 &= !all.0;
    }
}

/// The state and the edges of one block.
#[derive(Clone, Copy, Debug)]
pub struct BlockData<T> {
    /// The flags of the block.
    pub state: State,
    /// Number of incoming edges added; of an announced graph, more may be linked.
    pub num_in: u32,
    /// Its incoming edges: a list in `edges`, from the last one backwards.
    last_in: PackedOption<Edge>,
    first_out: PackedOption<Edge>,
    /// Number of outgoing edges with consecutive numbers: those of the terminator.
    num_targets: u32,
    /// The data of the construction.
    pub own: T,
}

/// One edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeData {
    /// The block and the slot that it leaves.
    pub origin: IncomingEdge,
    /// The block that it enters.
    pub target: Block,
    /// The edge before it, by operand index, among those that enter the same block.
    before_in: PackedOption<Edge>,
}

/// An edge added after its source was filled.
#[derive(Clone, Copy, Debug)]
struct LateEdge {
    edge: Edge,
    next: u32,
}

/// The blocks and edges of one function.
#[derive(Clone, Debug)]
pub struct Blocks<T> {
    /// Room for blocks, in id order, mentioned or not.
    table: Vec<BlockData<T>>,
    /// The table has no room for blocks from this number on, so a block with room need not be compared with the limit.
    limit: usize,
    entry: Block,
    edges: Vec<EdgeData>,
    /// By edge, the one after it among those that enter the same block: as of the last redirection, and empty without
    /// any.
    after_in: Vec<PackedOption<Edge>>,
    rare: Vec<Rare>,
    late: Vec<LateEdge>,
    /// Whether all edges are linked already, in the order of the announced graph.
    pub is_announced: bool,
    /// Whether a block was used before any edge led to it: code from there on may be unreachable.
    pub has_doubtful_edges: bool,
    num_mentioned: usize,
    num_filled: usize,
    num_sealed: usize,
}

impl<T: Copy + Default> Blocks<T> {
    /// Creates an empty table, for blocks numbered below `limit`.
    pub fn below(limit: u32) -> Self {
        Self {
            table: Vec::new(),
            limit: limit as usize,
            entry: Block::new(0),
            edges: Vec::new(),
            after_in: Vec::new(),
            rare: Vec::new(),
            late: Vec::new(),
            is_announced: false,
            has_doubtful_edges: false,
            num_mentioned: 0,
            num_filled: 0,
            num_sealed: 0,
        }
    }

    /// Forgets the function; keeps memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.entry = Block::new(0);
        self.edges.clear();
        self.after_in.clear();
        self.rare.clear();
        self.late.clear();
        self.is_announced = false;
        self.has_doubtful_edges = false;
        (self.num_mentioned, self.num_filled, self.num_sealed) = (0, 0, 0);
    }

    /// Number of blocks that some call named.
    pub fn num_mentioned(&self) -> usize {
        self.num_mentioned
    }

    /// The block where control enters.
    #[inline]
    pub fn entry(&self) -> Block {
        self.entry
    }

    /// Makes the block the entry. No block has been mentioned yet.
    pub(crate) fn set_entry(&mut self, entry: Block) {
        self.entry = entry;
        self.mention(entry);
    }

    /// The blocks that there is room for: all that were mentioned, and others.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Block> + use<T> {
        (0..self.table.len()).map(Block::new)
    }

    /// The data of each block that there is room for, in id order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Block, &BlockData<T>)> {
        self.table.iter().enumerate().map(|(index, data)| (Block::new(index), data))
    }

    /// The blocks that some call named, in id order.
    pub fn mentioned(&self) -> impl Iterator<Item = Block> + '_ {
        self.iter().filter(|(_, data)| data.is_mentioned()).map(|(block, _)| block)
    }

    /// Makes room for the block, and notes that it exists.
    #[inline]
    pub fn mention(&mut self, block: Block) -> &mut BlockData<T> {
        if block.index() >= self.table.len() {
            self.grow(block);
        }
        let data = &mut self.table[block.index()];
        if !data.is_mentioned() {
            data.state.set(State::MENTIONED);
            self.num_mentioned += 1;
        }
        data
    }

    /// Makes room for twice as many blocks, as far as the limit allows, and at least for this one.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, block: Block) {
        let before = self.table.len();
        let len = (before * 2).max(16).min(self.limit).max(block.index() + 1);
        let new = BlockData {
            state: State::default(),
            num_in: 0,
            last_in: PackedOption::NONE,
            first_out: PackedOption::NONE,
            num_targets: 0,
            own: T::default(),
        };
        self.table.reserve_exact(len - before);
        self.table.resize(len, new);
        if let Some(entry) = self.table.get_mut(self.entry.index()) {
            entry.state.set(State::ENTRY);
        }
    }

    /// Whether no edge will be added: the block is sealed, or will be by the next call that has a host.
    #[inline]
    pub fn is_closed(&self, block: Block) -> bool {
        self.find(block).is_some_and(|data| data.state.has(State::SEALED) || self.has_all_expected(block))
    }

    /// Whether the block has exactly the number of edges that it expects.
    pub fn has_all_expected(&self, block: Block) -> bool {
        let data = self.get(block);
        data.state.has(State::EXPECTING) && self.expected(block) == Some(data.num_in)
    }

    /// The data of the block, if there is room for it.
    #[inline]
    pub fn find(&self, block: Block) -> Option<&BlockData<T>> {
        self.table.get(block.index())
    }

    /// The data of the block, for which there is room.
    #[inline]
    pub fn get(&self, block: Block) -> &BlockData<T> {
        &self.table[block.index()]
    }

    /// The same, mutably.
    #[inline]
    pub fn get_mut(&mut self, block: Block) -> &mut BlockData<T> {
        &mut self.table[block.index()]
    }

    /// The edge with this number.
    #[inline]
    pub fn edge(&self, edge: Edge) -> &EdgeData {
        &self.edges[edge.index()]
    }

    /// All edges, in the order of their numbers.
    pub fn edges(&self) -> &[EdgeData] {
        &self.edges
    }

    /// Links the edges of a complete graph, whose blocks then expect them.
    pub fn announce(&mut self, cfg: &FlatCfg) {
        self.is_announced = true;
        for block in cfg.blocks() {
            let incoming = cfg.incoming(block);
            let mut outgoing = cfg.outgoing(block);
            self.set_expected(block, incoming.len() as u32);
            let data = self.mention(block);
            data.last_in = incoming.last().copied().into();
            data.num_targets = outgoing.len() as u32;
            data.first_out = outgoing.next().into();
        }
        for edge in (0..cfg.num_edges()).map(Edge::new) {
            let (target, index) = (cfg.target(edge), cfg.operand_index(edge));
            let origin = IncomingEdge { source: cfg.source(edge), slot: cfg.slot(edge) };
            let before_in = index.checked_sub(1).map(|before| cfg.incoming(target)[before]).into();
            self.edges.push(EdgeData { origin, target, before_in });
        }
    }

    /// Notes that the edge of an announced graph has been added.
    pub fn add_announced(&mut self, edge: Edge) {
        let target = self.edge(edge).target;
        let rare = self.rare_mut(target);
        if rare.first_added.is_none() {
            rare.first_added = edge.into();
        }
        self.get_mut(target).num_in += 1;
    }

    /// The incoming edge of a block that has only one so far.
    pub fn only_edge(&self, block: Block) -> Option<&IncomingEdge> {
        let data = self.find(block).filter(|data| data.num_in == 1)?;
        let only = if self.is_announced { self.rare(block).first_added } else { data.last_in };
        Some(&self.edge(only.expand()?).origin)
    }

    /// Visits the incoming edges of the block, from the last operand index to the first; in an announced graph, also
    /// those not added yet.
    #[inline(always)]
    pub fn visit_incoming_backwards(&self, block: Block, mut visit: impl FnMut(IncomingEdge)) {
        let mut at = self.get(block).last_in;
        while let Some(edge) = at.expand() {
            let data = self.edge(edge);
            visit(data.origin);
            at = data.before_in;
        }
    }

    /// The position of the edge among the incoming edges of its target.
    pub fn operand_index(&self, edge: Edge) -> u32 {
        let data = self.get(self.edge(edge).target);
        if !self.is_announced && data.last_in == edge.into() {
            return data.num_in - 1;
        }
        core::iter::successors(self.edge(edge).before_in.expand(), |&edge| self.edge(edge).before_in.expand()).count()
            as u32
    }

    /// Makes room for the block, which is below the limit.
    #[inline]
    pub fn make_room(&mut self, block: Block) {
        if block.index() >= self.table.len() {
            self.grow(block);
        }
    }

    /// Seals the block if it has edges but no announced number of them, and `is_new` accepts its data; returns the data
    /// if so.
    ///
    /// Most blocks are sealed like this.
    #[inline(always)]
    pub(crate) fn seal_if(&mut self, block: Block, is_new: impl FnOnce(&T) -> bool) -> Option<&mut BlockData<T>> {
        let data = self.table.get_mut(block.index())?;
        let takes_no_edge = State(State::SEALED.0 | State::EXPECTING.0);
        if data.num_in == 0 || data.state.has(takes_no_edge) || !is_new(&data.own) {
            return None;
        }
        data.state.set(State(State::SEALED.0 | State::PASSABLE.0));
        self.num_sealed += 1;
        Some(data)
    }

    /// The data of the block, mutably, if there is room for it.
    #[inline]
    pub fn find_mut(&mut self, block: Block) -> Option<&mut BlockData<T>> {
        self.table.get_mut(block.index())
    }

    /// Marks the block, which is not sealed, as sealed.
    pub fn seal(&mut self, block: Block) {
        self.num_sealed += 1;
        self.get_mut(block).state.set(State(State::SEALED.0 | State::PASSABLE.0));
    }

    /// Whether edges may be added into the block without a closer look.
    #[inline]
    pub(crate) fn takes_any_edge(&self, block: Block) -> bool {
        self.table.get(block.index()).is_some_and(|data| !data.state.has(State::TAKES_CARE))
    }

    /// Whether all blocks are filled and sealed; the entry need not be sealed.
    pub(crate) fn are_complete(&self) -> bool {
        let is_open = |data: &BlockData<T>| data.is_mentioned() && !data.state.has(State::SEALED);
        let is_entry_open = self.find(self.entry).is_some_and(is_open);
        self.num_filled == self.num_mentioned && self.num_sealed + usize::from(is_entry_open) == self.num_mentioned
    }

    /// Finds the reachable blocks, once all edges have been added.
    pub fn find_reachable(&mut self, work: &mut Vec<Block>) {
        if self.has_doubtful_edges {
            self.walk(work);
        }
    }

    /// Marks the blocks that are reachable from the entry.
    fn walk(&mut self, work: &mut Vec<Block>) {
        work.clear();
        if let Some(entry) = self.table.get_mut(self.entry.index()) {
            entry.state.set(State::REACHABLE);
            work.push(self.entry);
        }
        while let Some(block) = work.pop() {
            let data = self.get(block);
            let first = data.first_out.expand().map_or(0, Edge::index);
            for edge in first..first + data.num_targets as usize {
                self.reach(Edge::new(edge), work);
            }
            let mut late = self.rare(block).first_late;
            while let Some(&LateEdge { edge, next }) = self.late.get(late as usize) {
                self.reach(edge, work);
                late = next;
            }
        }
    }

    /// Finds the unreachable blocks of an announced graph, unless they are known.
    pub(crate) fn find_cut_off(&mut self, work: &mut Vec<Block>) {
        if !self.is_announced || self.get(self.entry).state.has(State::REACHABLE) {
            return;
        }
        self.walk(work);
        for data in self.table.iter_mut().filter(|data| !data.state.has(State::REACHABLE)) {
            data.state.set(State::CUT_OFF);
        }
    }

    fn reach(&mut self, edge: Edge, work: &mut Vec<Block>) {
        let target = self.edge(edge).target;
        let state = &mut self.table[target.index()].state;
        if !state.has(State::REACHABLE) {
            state.set(State::REACHABLE);
            work.push(target);
        }
    }

    /// After `find_reachable`: whether a path leads from the entry to the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        let Some(data) = self.find(block) else { return false };
        match self.has_doubtful_edges {
            true => data.state.has(State::REACHABLE),
            false => data.state.has(State::ENTRY) || data.num_in > 0,
        }
    }

    /// The edges that leave the block, by slot.
    pub fn outgoing(&self, block: Block) -> impl Iterator<Item = Edge> + '_ {
        let data = self.get(block);
        let first = data.first_out.expand().map_or(0, Edge::index);
        let first_late = self.late.get(self.rare(block).first_late as usize);
        let late = core::iter::successors(first_late, |late| self.late.get(late.next as usize));
        (first..first + data.num_targets as usize).map(Edge::new).chain(late.map(|late| late.edge))
    }

    /// Whether all accesses of the block are recorded.
    #[inline]
    pub fn is_filled(&self, block: Block) -> bool {
        self.find(block).is_some_and(|data| data.state.has(State::FILLED))
    }

    /// After `find_reachable`: whether an edge leads from unreachable code into reachable code.
    pub fn has_edges_from_unreachable(&self) -> bool {
        let enters = |edge: &EdgeData| !self.is_reachable(edge.origin.source) && self.is_reachable(edge.target);
        self.has_doubtful_edges && self.edges.iter().any(enters)
    }

    /// Number of ids up to the largest one that some call named. O(*n*).
    pub fn num_ids(&self) -> usize {
        self.table.iter().rposition(BlockData::is_mentioned).map_or(0, |last| last + 1)
    }
}

impl<T> BlockData<T> {
    /// Whether no edge into the block will be added.
    #[inline]
    pub fn is_sealed(&self) -> bool {
        self.state.has(State::SEALED)
    }

    /// Whether the block is sealed, and waits until its dominator is known.
    pub(crate) fn is_waiting(&self) -> bool {
        self.state.has(State::SEALED) && self.is_open()
    }

    /// Whether phis at the top of the block cannot get their operands yet.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        !self.state.has(State::PASSABLE)
    }

    #[inline]
    fn is_mentioned(&self) -> bool {
        self.num_in > 0 || self.state.has(State::MENTIONED)
    }
}

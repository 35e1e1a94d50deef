//! What the calls have told of blocks and edges: filled, sealed, expected, announced.
//!
//! Braun et al. 2013 call a block *filled* when all its accesses are recorded,
//! and *sealed* when all its incoming edges are known (section 2.3). What a
//! construction keeps for each block beside that is its own: the type `T`.
//!
//! # Departures
//! Braun et al. seal a block when the caller says so; a block that is expected to have so many edges, or a graph that was
//! announced, is sealed by itself.

mod rare;
mod redirect;

use crate::result::IncomingEdge;
use alloc::vec::Vec;
use rare::Rare;
use ssaphire_graph::{Block, Edge, FlatCfg, Id, PackedOption, Variable};

/// Which calls a block has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct State(u8);

impl State {
    /// Some call named the block. Ids between those named stand for nothing.
    const MENTIONED: Self = Self(1);
    pub(crate) const FILLED: Self = Self(1 << 1);
    pub(crate) const SEALED: Self = Self(1 << 2);
    /// A variable was read or written in the block.
    pub(crate) const ACCESSED: Self = Self(1 << 3);
    /// It was said how many incoming edges there will be.
    pub(crate) const EXPECTING: Self = Self(1 << 4);
    /// The block is filled, or a variable was read or written in it.
    pub(crate) const USED: Self = Self(Self::FILLED.0 | Self::ACCESSED.0);
    /// Control enters here.
    const ENTRY: Self = Self(1 << 5);
    /// A hint was given at the block.
    pub(crate) const HINTED: Self = Self(1 << 6);
    /// A path leads here from the entry; known once `find_reachable` has run.
    const REACHABLE: Self = Self(1 << 7);

    #[inline]
    pub(crate) fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    #[inline]
    pub(crate) fn set(&mut self, all: Self) {
        self.0 |= all.0;
    }

    #[inline]
    pub(crate) fn unset(&mut self, all: Self) {
        self.0 &= !all.0;
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockData<T> {
    pub(crate) state: State,
    /// Incoming edges that are there; of a graph that was announced more are linked.
    pub(crate) num_in: u32,
    /// Its incoming edges, by operand index: a list in `edges`.
    first_in: PackedOption<Edge>,
    last_in: PackedOption<Edge>,
    first_out: PackedOption<Edge>,
    /// Outgoing edges that lie side by side: those of the terminator.
    num_targets: u32,
    /// What the construction keeps.
    pub(crate) own: T,
}

/// One edge: where it leaves and where it enters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeData {
    pub(crate) origin: IncomingEdge,
    pub(crate) target: Block,
    next_in: PackedOption<Edge>,
}

/// An edge added after its source was filled.
#[derive(Clone, Copy, Debug)]
struct LateEdge {
    edge: Edge,
    next: u32,
}

/// The blocks and edges of one function.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<T> {
    /// Room for blocks, in id order, mentioned or not.
    table: Vec<BlockData<T>>,
    /// There is no room for blocks from this number on: whoever finds room for a block need not look at the limit.
    limit: usize,
    entry: Block,
    edges: Vec<EdgeData>,
    rare: Vec<Rare>,
    late: Vec<LateEdge>,
    hints: Vec<Variable>,
    /// Whether all edges are linked already, in the order of the announced graph.
    pub(crate) is_announced: bool,
    /// Whether a block was filled before any edge led to it: code from there on may be unreachable.
    pub(crate) has_doubtful_edges: bool,
    num_mentioned: usize,
    num_filled: usize,
    num_sealed: usize,
}

impl<T: Copy + Default> Blocks<T> {
    /// No blocks, and later on only such as are numbered below `limit`.
    pub(crate) fn below(limit: u32) -> Self {
        Self {
            table: Vec::new(),
            limit: limit as usize,
            entry: Block::new(0),
            edges: Vec::new(),
            rare: Vec::new(),
            late: Vec::new(),
            hints: Vec::new(),
            is_announced: false,
            has_doubtful_edges: false,
            num_mentioned: 0,
            num_filled: 0,
            num_sealed: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.entry = Block::new(0);
        self.edges.clear();
        self.rare.clear();
        self.late.clear();
        self.hints.clear();
        self.is_announced = false;
        self.has_doubtful_edges = false;
        (self.num_mentioned, self.num_filled, self.num_sealed) = (0, 0, 0);
    }

    pub(crate) fn num_mentioned(&self) -> usize {
        self.num_mentioned
    }

    /// The block where control enters.
    #[inline]
    pub(crate) fn entry(&self) -> Block {
        self.entry
    }

    /// Lets control enter at the block. None has been mentioned yet.
    pub(crate) fn set_entry(&mut self, entry: Block) {
        self.entry = entry;
        self.mention(entry);
    }

    /// The blocks that there is room for: all that were mentioned, and others.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = Block> + use<T> {
        (0..self.table.len()).map(Block::new)
    }

    /// What is known of each block that there is room for, in id order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Block, &BlockData<T>)> {
        self.table.iter().enumerate().map(|(index, data)| (Block::new(index), data))
    }

    /// The blocks that some call named, in id order.
    pub(crate) fn mentioned(&self) -> impl Iterator<Item = Block> + '_ {
        self.ids().filter(|&block| self.get(block).state.has(State::MENTIONED))
    }

    /// Makes room for the block, and notes that it exists.
    #[inline]
    pub(crate) fn mention(&mut self, block: Block) -> &mut BlockData<T> {
        if block.index() >= self.table.len() {
            self.grow(block);
        }
        let data = &mut self.table[block.index()];
        if !data.state.has(State::MENTIONED) {
            data.state.set(State::MENTIONED);
            self.num_mentioned += 1;
        }
        data
    }

    /// Makes room for half as many blocks again, as far as the limit allows.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, block: Block) {
        let before = self.table.len();
        let len = (before + before / 2).max(16).min(self.limit).max(block.index() + 1);
        let new = BlockData {
            state: State::default(),
            num_in: 0,
            first_in: PackedOption::NONE,
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
    pub(crate) fn is_closed(&self, block: Block) -> bool {
        self.find(block).is_some_and(|data| data.state.has(State::SEALED) || self.has_all_expected(block))
    }

    /// Whether as many edges are there as were expected.
    pub(crate) fn has_all_expected(&self, block: Block) -> bool {
        let data = self.get(block);
        data.state.has(State::EXPECTING) && self.expected(block) == Some(data.num_in)
    }

    /// What is known of the block, if it was mentioned or a later one was.
    #[inline]
    pub(crate) fn find(&self, block: Block) -> Option<&BlockData<T>> {
        self.table.get(block.index())
    }

    #[inline]
    pub(crate) fn get(&self, block: Block) -> &BlockData<T> {
        &self.table[block.index()]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, block: Block) -> &mut BlockData<T> {
        &mut self.table[block.index()]
    }

    #[inline]
    pub(crate) fn edge(&self, edge: Edge) -> &EdgeData {
        &self.edges[edge.index()]
    }

    pub(crate) fn edges(&self) -> &[EdgeData] {
        &self.edges
    }

    /// Links the edges of a whole graph, whose blocks then expect them.
    pub(crate) fn announce(&mut self, cfg: &FlatCfg) {
        self.is_announced = true;
        for block in cfg.blocks() {
            let incoming = cfg.incoming(block);
            let mut outgoing = cfg.outgoing(block);
            self.set_expected(block, incoming.len() as u32);
            let data = self.mention(block);
            (data.first_in, data.last_in) = (pack(incoming.first().copied()), pack(incoming.last().copied()));
            data.num_targets = outgoing.len() as u32;
            data.first_out = pack(outgoing.next());
        }
        for edge in (0..cfg.num_edges()).map(Edge::new) {
            let (target, index) = (cfg.target(edge), cfg.operand_index(edge));
            let origin = IncomingEdge { source: cfg.source(edge), slot: cfg.slot(edge) as u32 };
            let next_in = pack(cfg.incoming(target).get(index + 1).copied());
            self.edges.push(EdgeData { origin, target, next_in });
        }
    }

    /// Notes that the edge of an announced graph is there.
    pub(crate) fn add_announced(&mut self, edge: Edge) {
        let target = self.edge(edge).target;
        let rare = self.rare_mut(target);
        if rare.first_added.is_none() {
            rare.first_added = edge.into();
        }
        self.get_mut(target).num_in += 1;
    }

    /// The source of the incoming edge that was there first.
    #[inline]
    pub(crate) fn first_source(&self, block: Block) -> Option<Block> {
        let first = if self.is_announced { self.rare(block).first_added } else { self.get(block).first_in };
        first.expand().map(|edge| self.edge(edge).origin.source)
    }

    /// The incoming edges of the block, by operand index; where the graph was announced, all that it is to have.
    #[inline]
    pub(crate) fn incoming(&self, block: Block) -> impl Iterator<Item = IncomingEdge> + '_ {
        let first = self.find(block).and_then(|data| data.first_in.expand());
        core::iter::successors(first, |&edge| self.edge(edge).next_in.expand()).map(|edge| self.edge(edge).origin)
    }

    /// The one incoming edge of a block that has no other.
    pub(crate) fn only_incoming(&self, block: Block) -> Option<&IncomingEdge> {
        let data = self.find(block).filter(|data| data.num_in == 1)?;
        Some(&self.edge(data.first_in.expand()?).origin)
    }

    /// The position of the edge among the incoming edges of its target.
    pub(crate) fn operand_index(&self, edge: Edge) -> u32 {
        let data = self.get(self.edge(edge).target);
        if !self.is_announced && data.last_in == edge.into() {
            return data.num_in - 1;
        }
        let list = core::iter::successors(data.first_in.expand(), |&before| self.edge(before).next_in.expand());
        list.take_while(|&before| before != edge).count() as u32
    }

    /// Fills the block, which was mentioned, and whose outgoing edges are then added one by one.
    #[inline(always)]
    pub(crate) fn fill(&mut self, block: Block, num_targets: usize) {
        self.num_filled += 1;
        let (first_out, is_announced) = (self.edges.len(), self.is_announced);
        let data = &mut self.table[block.index()];
        let is_doubtful = data.num_in == 0 && num_targets > 0 && !data.state.has(State::ENTRY);
        data.state.set(State::FILLED);
        if !is_announced {
            (data.first_out, data.num_targets) = (Edge::new(first_out).into(), num_targets as u32);
        }
        self.has_doubtful_edges |= is_doubtful;
    }

    /// Adds an edge out of a block that is filled: its target, for which there is room.
    #[inline(always)]
    pub(crate) fn add_edge(&mut self, source: Block, slot: u32, target: Block) -> &mut BlockData<T> {
        let edge = Edge::new(self.edges.len());
        let origin = IncomingEdge { source, slot };
        self.edges.push(EdgeData { origin, target, next_in: PackedOption::NONE });
        let to = &mut self.table[target.index()];
        to.num_in += 1;
        match to.last_in.replace(edge).expand() {
            Some(before) => self.edges[before.index()].next_in = edge.into(),
            None => {
                to.first_in = edge.into();
                if !to.state.has(State::MENTIONED) {
                    to.state.set(State::MENTIONED);
                    self.num_mentioned += 1;
                }
            }
        }
        to
    }

    /// Makes room for the block, which is below the limit.
    #[inline]
    pub(crate) fn make_room(&mut self, block: Block) {
        if block.index() >= self.table.len() {
            self.grow(block);
        }
    }

    /// Seals the block, if it has one edge, expects none and is as it was made: whether it was so.
    ///
    /// Most blocks are sealed like this.
    #[inline(always)]
    pub(crate) fn seal_if(&mut self, block: Block, is_new: impl FnOnce(&T) -> bool) -> bool {
        let Some(data) = self.table.get_mut(block.index()) else { return false };
        let takes_no_edge = State(State::SEALED.0 | State::EXPECTING.0);
        if data.num_in != 1 || data.state.has(takes_no_edge) || !is_new(&data.own) {
            return false;
        }
        data.state.set(State::SEALED);
        self.num_sealed += 1;
        true
    }

    /// Notes that the block, which is not sealed, is.
    pub(crate) fn seal(&mut self, block: Block) {
        self.num_sealed += 1;
        self.get_mut(block).state.set(State::SEALED);
    }

    /// Whether edges may be added into the block without a closer look.
    #[inline(always)]
    pub(crate) fn takes_any_edge(&self, block: Block) -> bool {
        const CLOSER: State = State(State::SEALED.0 | State::EXPECTING.0 | State::ENTRY.0);
        self.table.get(block.index()).is_some_and(|data| !data.state.has(CLOSER))
    }

    /// Whether all blocks are filled and sealed; the entry need not be sealed.
    pub(crate) fn are_complete(&self) -> bool {
        let is_open = |data: &BlockData<T>| data.state.has(State::MENTIONED) && !data.state.has(State::SEALED);
        let is_entry_open = self.find(self.entry).is_some_and(is_open);
        self.num_filled == self.num_mentioned && self.num_sealed + usize::from(is_entry_open) == self.num_mentioned
    }

    /// Finds out which blocks are reachable, once all edges are there.
    pub(crate) fn find_reachable(&mut self, work: &mut Vec<Block>) {
        if !self.has_doubtful_edges {
            return;
        }
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

    fn reach(&mut self, edge: Edge, work: &mut Vec<Block>) {
        let target = self.edge(edge).target;
        let state = &mut self.table[target.index()].state;
        if !state.has(State::REACHABLE) {
            state.set(State::REACHABLE);
            work.push(target);
        }
    }

    /// After `find_reachable`: whether a path leads from the entry to the block.
    pub(crate) fn is_reachable(&self, block: Block) -> bool {
        let Some(data) = self.find(block) else { return false };
        match self.has_doubtful_edges {
            true => data.state.has(State::REACHABLE),
            false => data.state.has(State::ENTRY) || data.num_in > 0,
        }
    }

    /// The targets of the block, by slot.
    pub(crate) fn targets(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        (0..).map_while(move |slot| self.edge_number(block, slot)).map(|edge| self.edge(edge).target)
    }
}

fn pack<I: Id>(id: Option<I>) -> PackedOption<I> {
    id.map_or(PackedOption::NONE, PackedOption::from)
}

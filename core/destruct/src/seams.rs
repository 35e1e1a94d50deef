//! The insertion points of the copies of each edge.
//!
//! The operands of the phis of a block are copied on its incoming edges. If a
//! block has one incoming edge, the copies are at its top; if the edge is the
//! only one of its source, they are at the end of the source, unless the
//! terminator reads values, which a copy might overwrite. Any other edge is
//! split. If the target cannot split it, the phis of the block are *isolated*:
//! the copies of that edge are at the end of its source, but write to fresh
//! locations, and the block copies these at its top.

use crate::DestructForm;
use crate::error::DestructError;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Edge, FlatCfg, IdLists, IdMap, IncomingEdge, Order, PackedOption, Value};

/// A phi, and its operand for an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) phi: Value,
    pub(crate) operand: Value,
}

/// The insertion point of the copies of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seam {
    /// No copies: the target has no phis, the source is unreachable, or another edge makes the same copies.
    None,
    /// At the top of the target.
    Top,
    /// At the end of the source.
    End,
    /// In a block of its own.
    Split,
}

/// The graph of a function, with a block on each edge that is split for copies, and the copies that edges carry.
#[derive(Debug, Default)]
pub(crate) struct Seams {
    /// The graph as it was given.
    pub(crate) cfg: FlatCfg,
    /// The graph with split edges, if any is.
    split: Option<FlatCfg>,
    seams: IdMap<Edge, Seam>,
    /// The phis of reachable blocks, with their operands, by edge.
    arguments: IdLists<Edge, Argument>,
    /// Split edges: edge number `i` has block `cfg.num_blocks() + i`.
    split_edges: Vec<Edge>,
    isolated: IdMap<Block, bool>,
    /// Edges that cannot be split, although they should.
    unsplit: Vec<Edge>,
}

impl Seams {
    pub(crate) fn new(function: &impl DestructForm) -> Result<Self, DestructError> {
        let cfg = FlatCfg::new(function)?;
        let order = Order::new(&cfg);
        let mut seams = Self {
            seams: IdMap::filled(cfg.num_edges(), Seam::None),
            isolated: IdMap::filled(cfg.num_blocks(), false),
            ..Self::default()
        };
        let mut arguments = Vec::new();
        for &block in order.preorder() {
            let mut num_phis = 0;
            for phi in function.phis(block) {
                num_phis += 1;
                let mut operands = function.operands(block, phi);
                for &edge in cfg.incoming(block) {
                    let operand = operands.next().ok_or(DestructError::MissingOperand { block, phi })?;
                    if order.is_reachable(cfg.source(edge)) {
                        arguments.push((edge, Argument { phi, operand }));
                    }
                }
            }
            if num_phis > 0 {
                seams.place_copies_of(block, &cfg, &order, function);
            }
        }
        seams.arguments.rebuild(cfg.num_edges(), arguments.iter().copied());
        seams.merge_repeated(&cfg)?;
        seams.split = seams.split_graph(&cfg)?;
        seams.cfg = cfg;
        Ok(seams)
    }

    fn place_copies_of(&mut self, block: Block, cfg: &FlatCfg, order: &Order, function: &impl DestructForm) {
        let has_one_way_in = cfg.incoming(block).len() == 1 && block != cfg.entry();
        for &edge in cfg.incoming(block) {
            let source = cfg.source(edge);
            if !order.is_reachable(source) {
                continue;
            }
            let is_alone = cfg.targets(source).len() == 1 && function.num_terminator_uses(source) == 0;
            self.seams[edge] = if has_one_way_in {
                Seam::Top
            } else if is_alone {
                Seam::End
            } else if function.can_split(IncomingEdge { source, slot: cfg.slot(edge) }) {
                self.split_edges.push(edge);
                Seam::Split
            } else {
                self.isolated[block] = true;
                self.unsplit.push(edge);
                Seam::End
            };
        }
    }

    /// Edges of one source to one target that cannot be split have one place for their copies: they have to copy the
    /// same.
    fn merge_repeated(&mut self, cfg: &FlatCfg) -> Result<(), DestructError> {
        self.unsplit.sort_unstable_by_key(|&edge| (cfg.source(edge), cfg.target(edge), edge));
        let is_same_way =
            |&one: &Edge, &other: &Edge| (cfg.source(one), cfg.target(one)) == (cfg.source(other), cfg.target(other));
        for edges in self.unsplit.chunk_by(is_same_way) {
            for &edge in &edges[1..] {
                let operands = |edge| self.arguments.of(edge).iter().map(|argument: &Argument| argument.operand);
                if !operands(edges[0]).eq(operands(edge)) {
                    let edge = IncomingEdge { source: cfg.source(edge), slot: cfg.slot(edge) };
                    return Err(DestructError::CannotSplit { edge });
                }
                self.seams[edge] = Seam::None;
            }
        }
        Ok(())
    }

    fn split_graph(&mut self, cfg: &FlatCfg) -> Result<Option<FlatCfg>, DestructError> {
        if self.split_edges.is_empty() {
            return Ok(None);
        }
        self.split_edges.sort_unstable();
        let mut on_edge: IdMap<Edge, PackedOption<Block>> = IdMap::filled(cfg.num_edges(), PackedOption::NONE);
        let num_blocks = cfg.num_blocks() + self.split_edges.len();
        for (number, &edge) in self.split_edges.iter().enumerate() {
            let block = Block::try_new(cfg.num_blocks() + number).ok_or(DestructError::TooManyBlocks)?;
            on_edge[edge] = block.into();
        }
        let target = |edge: Edge| on_edge[edge].expand().unwrap_or_else(|| cfg.target(edge));
        let old = (0..cfg.num_edges()).map(Edge::new).map(|edge| (cfg.source(edge), target(edge)));
        let new = self.split_edges.iter().enumerate();
        let new = new.map(|(number, &edge)| (Block::new(cfg.num_blocks() + number), cfg.target(edge)));
        let mut split = FlatCfg::default();
        split.rebuild_from_edges(num_blocks, cfg.entry(), old.chain(new))?;
        Ok(Some(split))
    }

    /// The graph with split edges. Incoming edges are in no order that phis know.
    pub(crate) fn split(&self) -> &FlatCfg {
        self.split.as_ref().unwrap_or(&self.cfg)
    }

    /// The edge that a block of [`Self::split`] splits, if the block is new.
    pub(crate) fn edge_of(&self, block: Block) -> Option<Edge> {
        let number = block.index().checked_sub(self.cfg.num_blocks())?;
        self.split_edges.get(number).copied()
    }

    pub(crate) fn split_edges(&self) -> &[Edge] {
        &self.split_edges
    }

    pub(crate) fn seam(&self, edge: Edge) -> Seam {
        self.seams[edge]
    }

    pub(crate) fn arguments(&self, edge: Edge) -> &[Argument] {
        self.arguments.of(edge)
    }

    /// Whether the phis of `block` are copied at its top from locations of their own.
    pub(crate) fn is_isolated(&self, block: Block) -> bool {
        self.isolated[block]
    }

    /// The edge as its source names it.
    pub(crate) fn named(&self, edge: Edge) -> IncomingEdge {
        IncomingEdge { source: self.cfg.source(edge), slot: self.cfg.slot(edge) }
    }
}

//! How a small function is told to a builder.

use super::alphabet::Op;
use super::chunk::{Chunk, Step};
use super::code::SmallHost;
use super::graph::SmallGraph;
use crate::FinishInto;
use ssaphire::graph::FlatCfg;
use ssaphire::{Block, CallError, Certified, Cfg, SsaBuilder, WithPreEntry};
use std::error::Error;

/// How a function is told to a builder, in an order of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Telling {
    /// Blocks are filled in that order, and sealed as soon as the last edge is there.
    OnTheFly,
    /// A complete function, through the facade: the graph is announced.
    Announced,
    /// All writes and edges are there and all blocks are sealed before anything is read, in that order.
    ///
    /// Where a block reads and then writes, all blocks are split between the two.
    Complete,
}

impl Telling {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::OnTheFly, Self::Announced, Self::Complete];
}

/// The blocks and edges of a function as a builder is told of them.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    num_blocks: usize,
    /// Block `b` writes in block `num_blocks + b`, which its edges leave.
    is_split: bool,
    /// The block in front of the entry, if edges lead there.
    pre_entry: Option<Block>,
    targets: Vec<Vec<Block>>,
    /// By block, number of incoming edges, the one from in front of the entry left out.
    num_incoming: Vec<usize>,
}

impl Layout {
    pub(super) fn new(graph: &SmallGraph, is_split: bool) -> Self {
        let num_blocks = graph.num_blocks;
        let last = Block::new(if is_split { 2 * num_blocks } else { num_blocks });
        let targets: Vec<Vec<Block>> =
            (0..num_blocks).map(|block| graph.targets(block).map(Block::new).collect()).collect();
        let mut num_incoming = vec![0; num_blocks];
        targets.iter().flatten().for_each(|target| num_incoming[target.index()] += 1);
        let pre_entry = graph.needs_pre_entry().then_some(last);
        Self { num_blocks, is_split, pre_entry, targets, num_incoming }
    }

    /// The block of the graph that an edge into a block of the graph leaves; `num_blocks` for the one in front.
    pub(super) fn source(&self, source: Block) -> usize {
        match self.is_split {
            true => source.index() - self.num_blocks,
            false => source.index(),
        }
    }

    /// Where `block` writes, and what its edges leave.
    fn bottom(&self, block: usize) -> Block {
        Block::new(if self.is_split { self.num_blocks + block } else { block })
    }
}

/// A function, and an order of its blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) layout: &'a Layout,
    pub(super) chunk: &'a Chunk,
    pub(super) order: &'a [usize],
}

impl Task<'_> {
    /// Tells the function to `ssa`, up to `finish`.
    ///
    /// # Errors
    /// What was refused.
    pub(super) fn tell<B: SsaBuilder>(
        &self,
        telling: Telling,
        ssa: &mut Certified<B>,
        host: &mut SmallHost<'_>,
    ) -> Result<(), Box<dyn Error>> {
        ssa.clear();
        match telling {
            Telling::OnTheFly => Ok(self.on_the_fly(ssa, host)?),
            Telling::Complete => Ok(self.complete(ssa, host)?),
            Telling::Announced => Ok(self.announced(ssa, host)?),
        }
    }

    fn announced<B: SsaBuilder>(&self, ssa: &mut Certified<B>, host: &mut SmallHost<'_>) -> Result<(), Box<dyn Error>> {
        let has_pre_entry = self.layout.pre_entry.is_some();
        ssa.announce(&if has_pre_entry { FlatCfg::new(&WithPreEntry::new(self))? } else { FlatCfg::new(self)? })?;
        if let Some(block) = self.layout.pre_entry {
            ssa.terminate(block, &[Block::new(0)]);
        }
        for &index in self.order {
            for step in self.chunk.steps(index) {
                take(step, index, Block::new(index), ssa, host);
            }
            ssa.terminate(Block::new(index), &self.layout.targets[index]);
        }
        Ok(ssa.finish_into(host)?)
    }

    fn on_the_fly<B: SsaBuilder>(&self, ssa: &mut Certified<B>, host: &mut SmallHost<'_>) -> Result<(), CallError> {
        self.enter(ssa);
        let mut missing = [0; 8];
        missing[..self.layout.num_blocks].copy_from_slice(&self.layout.num_incoming);
        for &index in self.order {
            let block = Block::new(index);
            for step in self.chunk.steps(index) {
                take(step, index, block, ssa, host);
            }
            let targets = &self.layout.targets[index];
            ssa.terminate(block, targets);
            for target in targets {
                missing[target.index()] -= 1;
                if missing[target.index()] == 0 {
                    ssa.seal_block(host, *target);
                }
            }
        }
        ssa.finish_into(host)
    }

    fn complete<B: SsaBuilder>(&self, ssa: &mut Certified<B>, host: &mut SmallHost<'_>) -> Result<(), CallError> {
        self.enter(ssa);
        let is_use = |step: &&Step| matches!(step.op, Op::Use(_));
        for &index in self.order {
            let (top, bottom) = (Block::new(index), self.layout.bottom(index));
            for step in self.chunk.steps(index).iter().filter(|step| !is_use(step)) {
                take(step, index, bottom, ssa, host);
            }
            if top != bottom {
                ssa.terminate(top, &[bottom]);
            }
            ssa.terminate(bottom, &self.layout.targets[index]);
        }
        ssa.seal_all_blocks(host);
        for &index in self.order {
            for step in self.chunk.steps(index).iter().filter(is_use) {
                let Some(variable) = step.op.read() else { continue };
                let value = ssa.read_at_end(host, Block::new(index), step.variable(variable));
                host.hear(index, step, value);
            }
        }
        ssa.finish_into(host)
    }

    /// Enters in front of block 0 if edges lead there.
    fn enter<B: SsaBuilder>(&self, ssa: &mut Certified<B>) {
        if let Some(block) = self.layout.pre_entry {
            ssa.set_entry(block).expect("no block was mentioned before");
            ssa.terminate(block, &[Block::new(0)]);
        }
    }
}

/// Does in `block` what block `index` of the graph does in this step.
fn take<B: SsaBuilder>(step: &Step, index: usize, block: Block, ssa: &mut Certified<B>, host: &mut SmallHost<'_>) {
    let read = step.op.read().map(|variable| ssa.read_variable(host, block, step.variable(variable)));
    if let Some(value) = read {
        host.hear(index, step, value);
    }
    if let Some(variable) = step.op.written() {
        let value = read.unwrap_or_else(|| host.write(index, step));
        ssa.write_variable(block, step.variable(variable), value);
    }
}

impl Cfg for Task<'_> {
    fn num_blocks(&self) -> usize {
        self.layout.num_blocks
    }

    fn entry(&self) -> Block {
        Block::new(0)
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.layout.targets[block.index()].iter().copied()
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        let times = move |targets: &Vec<Block>| targets.iter().filter(|&&target| target == block).count();
        let sources = self.layout.targets.iter().enumerate();
        sources.flat_map(move |(source, targets)| std::iter::repeat_n(Block::new(source), times(targets)))
    }
}

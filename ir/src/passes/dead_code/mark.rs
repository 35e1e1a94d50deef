//! What is live: Fig. 17 without its last loop.
//!
//! A block is live for its content, if a statement in it is, or for its
//! control alone, if a live phi has an edge from it. Both matter in the same two
//! ways, so there is one set: the branches that decide on a live block are
//! live, and a dead branch goes on at the nearest live block. Of the paper's
//! rule that the jump of a live block is live nothing is needed: a terminator
//! that is dead becomes a jump, and so does a jump.

use super::Options;
use super::controllers::Controllers;
use crate::dialect::Semantics;
use crate::function::{Arg, Function, InstRef};
use ssaphire::graph::{FlatCfg, IdMap, IdSet, PostDominators};
use ssaphire::{Block, Value};

/// A phi or an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    block: Block,
    index: u32,
    is_phi: bool,
}

impl Statement {
    pub(super) fn phi(block: Block, index: usize) -> Self {
        Self { block, index: index as u32, is_phi: true }
    }

    pub(super) fn inst(block: Block, index: usize) -> Self {
        Self { block, index: index as u32, is_phi: false }
    }

    /// The values that it defines.
    pub(super) fn results<D: Semantics>(self, function: &Function<D>) -> impl Iterator<Item = Value> {
        let block = function.block(self.block);
        let phi = self.is_phi.then(|| block.phis().get(self.index as usize)).flatten();
        let inst = (!self.is_phi).then(|| block.insts().get(self.index as usize)).flatten();
        phi.into_iter().map(|phi| phi.value).chain(inst.into_iter().flat_map(InstRef::defined_values))
    }
}

/// The live statements and blocks.
#[derive(Debug)]
pub(super) struct Live {
    phis: IdSet<Value>,
    /// By block: the number of its first instruction.
    first: IdMap<Block, usize>,
    /// By number.
    insts: Vec<bool>,
    blocks: IdSet<Block>,
}

impl Live {
    fn empty<D: Semantics>(function: &Function<D>) -> Self {
        let mut num_insts = 0;
        let mut first = IdMap::new();
        for block in function.blocks() {
            first.push(num_insts);
            num_insts += function.block(block).insts().len();
        }
        Self { phis: IdSet::new(), first, insts: vec![false; num_insts], blocks: IdSet::new() }
    }

    pub(super) fn has_phi(&self, phi: Value) -> bool {
        self.phis.contains(phi)
    }

    pub(super) fn has_inst(&self, block: Block, index: usize) -> bool {
        self.insts[self.first[block] + index]
    }

    pub(super) fn has_block(&self, block: Block) -> bool {
        self.blocks.contains(block)
    }
}

/// The mark phase.
pub(super) struct Marking<'f, D: Semantics> {
    pub(super) function: &'f Function<D>,
    pub(super) cfg: &'f FlatCfg,
    definitions: IdMap<Value, Option<Statement>>,
    live: Live,
    /// Live statements whose operands have not been marked.
    work: Vec<Statement>,
    /// Live blocks whose controlling branches have not been marked.
    fresh: Vec<Block>,
    /// Blocks whose incoming edges have been marked, because they have live phis.
    chooses: IdSet<Block>,
    /// By block, the last target whose live phis marked an edge from it.
    needed_for: IdMap<Block, Option<Block>>,
}

impl<'f, D: Semantics> Marking<'f, D> {
    /// Nothing is marked.
    pub(super) fn new(function: &'f Function<D>, cfg: &'f FlatCfg) -> Self {
        Self {
            function,
            cfg,
            definitions: definitions(function),
            live: Live::empty(function),
            work: Vec::new(),
            fresh: Vec::new(),
            chooses: IdSet::new(),
            needed_for: IdMap::filled(function.num_blocks(), None),
        }
    }

    /// Marks up to a fixed point.
    pub(super) fn run(mut self, post_dominators: &PostDominators, options: Options) -> Live {
        self.mark_roots(options);
        let mut controllers = Controllers::new(self.cfg, post_dominators);
        loop {
            self.mark_operands();
            let Some(block) = self.fresh.pop() else { break };
            controllers.report(block, |source| self.mark_terminator(source));
        }
        self.live
    }

    /// Marks the definitions of the operands of live statements.
    fn mark_operands(&mut self) {
        let function = self.function;
        while let Some(Statement { block, index, is_phi }) = self.work.pop() {
            let (phis, insts) = (function.block(block).phis(), function.block(block).insts());
            if is_phi {
                let operands = phis.get(index as usize).map_or(&[][..], |phi| phi.operands);
                operands.iter().for_each(|&operand| self.mark_definition(operand));
                self.mark_incoming_edges(block);
            } else {
                for arg in insts.get(index as usize).map_or(&[][..], |inst| inst.args) {
                    if let Arg::Value(value) = *arg {
                        self.mark_definition(value);
                    }
                }
            }
        }
    }

    /// Marks the incoming edges of `block`, which has a live phi: the edge taken determines its operand.
    ///
    /// The source of an edge becomes live although it may have no live statement. If a source has several of the edges,
    /// its terminator chooses the operand, and becomes live.
    fn mark_incoming_edges(&mut self, block: Block) {
        if !self.chooses.insert(block) {
            return;
        }
        let cfg = self.cfg;
        for &edge in cfg.incoming(block) {
            let source = cfg.source(edge);
            self.mark_block(source);
            if self.needed_for[source].replace(block) == Some(block) {
                self.mark_terminator(source);
            }
        }
    }

    fn mark_definition(&mut self, value: Value) {
        let Some(definition) = self.definitions.get(value).copied().flatten() else { return };
        if !definition.is_phi {
            return self.mark_inst(definition.block, definition.index as usize);
        }
        if self.live.phis.insert(value) {
            self.mark_block(definition.block);
            self.work.push(definition);
        }
    }

    /// Marks the terminator of `block`, if it has one.
    pub(super) fn mark_terminator(&mut self, block: Block) {
        if self.function.block(block).terminator().is_some() {
            self.mark_inst(block, self.function.block(block).body().len());
        }
    }

    pub(super) fn mark_inst(&mut self, block: Block, index: usize) {
        let is_live = &mut self.live.insts[self.live.first[block] + index];
        if !std::mem::replace(is_live, true) {
            self.mark_block(block);
            self.work.push(Statement::inst(block, index));
        }
    }

    fn mark_block(&mut self, block: Block) {
        if self.live.blocks.insert(block) {
            self.fresh.push(block);
        }
    }
}

/// By value, the statement that defines it, if any.
fn definitions<D: Semantics>(function: &Function<D>) -> IdMap<Value, Option<Statement>> {
    let mut definitions = IdMap::filled(function.num_values(), None);
    for block in function.blocks() {
        let data = function.block(block);
        let phis = (0..data.phis().len()).map(|index| Statement::phi(block, index));
        let insts = (0..data.insts().len()).map(|index| Statement::inst(block, index));
        for statement in phis.chain(insts) {
            statement.results(function).for_each(|value| definitions[value] = Some(statement));
        }
    }
    definitions
}

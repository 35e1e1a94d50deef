//! Edges, which are connected and removed with terminators, together with their phi operands.

use crate::dialect::{Semantics, Syntax};
use crate::function::{Action, Function, IncomingEdge};
use ssaphire_graph::{Block, Value};

/// An invalid order of the incoming edges of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotTheIncomingEdges {
    /// The block in question.
    pub block: Block,
}

impl std::fmt::Display for NotTheIncomingEdges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: the list must name each of its incoming edges once, edges of one source by ascending slot",
            self.block
        )
    }
}

impl std::error::Error for NotTheIncomingEdges {}

/// The new incoming edges of a block: existing ones with their operand indices, and new ones.
pub(crate) type Incoming = Vec<(IncomingEdge, Option<usize>)>;

impl<D: Semantics> Function<D> {
    /// Whether the terminator of `block` does nothing except branch.
    pub(crate) fn only_branches(&self, block: Block) -> bool {
        let terminator = self.block(block).terminator();
        terminator.is_some_and(|inst| matches!(inst.action, Action::Op(op) if D::properties(op).only_branches))
    }
}

/// # Edges
impl<D: Syntax> Function<D> {
    /// Redirects the edge that leaves `source` in slot `slot` to `target`; returns its operand index there.
    ///
    /// The phis of `target` get the undefined value for it.
    ///
    /// # Panics
    /// If there is no such edge or block.
    pub fn redirect_edge(&mut self, source: Block, slot: u32, target: Block) -> usize {
        let edge = IncomingEdge { source, slot };
        let old = self.block(source).targets()[slot as usize];
        self.remove_incoming(old, edge);
        if let Some(terminator) = self.code.insts.get(self.blocks[source].insts).last() {
            self.code.targets.span_mut(terminator.targets)[slot as usize] = target;
        }
        // Edges of one source stand by slot, or the k-th of the one end would not be the k-th of the other.
        let later = |other: &IncomingEdge| other.source == source && other.slot > edge.slot;
        let incoming = self.block(target).incoming();
        let position = incoming.iter().position(later).unwrap_or(incoming.len());
        self.insert_incoming(target, position, edge);
        self.compact_if_wasteful();
        position
    }

    /// Reorders the incoming edges of `block`; the operands of its phis move along.
    ///
    /// # Errors
    /// If `order` is not a permutation of its incoming edges in which those of one source ascend by slot.
    pub fn set_incoming_order(&mut self, block: Block, order: &[IncomingEdge]) -> Result<(), NotTheIncomingEdges> {
        let incoming = self.block(block).incoming();
        if *order == *incoming {
            return Ok(());
        }
        let mut old: Vec<_> = incoming.iter().copied().zip(0..).collect();
        old.sort_unstable();
        let mut new: Vec<_> = order.iter().copied().zip(0..).collect();
        // By source, then by place in `order`: the slots must then ascend, and the edges be the same.
        new.sort_unstable_by_key(|&(edge, place): &(IncomingEdge, usize)| (edge.source, place));
        if !old.iter().map(|&(edge, _)| edge).eq(new.iter().map(|&(edge, _)| edge)) {
            return Err(NotTheIncomingEdges { block });
        }
        let mut old_position = vec![0; order.len()];
        for (&(_, from), &(_, to)) in old.iter().zip(&new) {
            old_position[to] = from;
        }
        let data = &self.blocks[block];
        self.incoming.get_mut(data.incoming).copy_from_slice(order);
        for phi in self.phis.get(data.phis) {
            let operands = self.operands.get_mut(phi.operands);
            let moved: Vec<Value> =
                old_position.iter().filter_map(|&from: &usize| operands.get(from).copied()).collect();
            operands[..moved.len()].copy_from_slice(&moved);
        }
        Ok(())
    }

    /// Gives `block` these incoming edges, each with the operands at the given old index, or with undefined ones.
    ///
    /// The caller updates the sources of the edges.
    pub(crate) fn replace_incoming(&mut self, block: Block, edges: &[(IncomingEdge, Option<usize>)]) {
        let Self { blocks, incoming, phis, operands, values, .. } = self;
        let data = &mut blocks[block];
        incoming.discard(data.incoming.len());
        data.incoming = incoming.add_list(edges.iter().map(|&(edge, _)| edge));
        for phi in phis.get_mut(data.phis) {
            let old = operands.get(phi.operands);
            let operand = |&(_, index): &(IncomingEdge, Option<usize>)| {
                let stays = index.and_then(|index| old.get(index)).copied();
                stays.unwrap_or_else(|| values.undefined(phi.variable, values.record(phi.value).ty.clone()))
            };
            let new: Vec<Value> = edges.iter().map(operand).collect();
            operands.discard(phi.operands.len());
            phi.operands = operands.add_list(new);
        }
    }

    /// Connects the edges of the last instruction of `block`.
    pub(super) fn connect(&mut self, block: Block) {
        for slot in 0..self.block(block).targets().len() {
            let target = self.block(block).targets()[slot];
            // A target that does not exist is for `check_form` to report.
            if let Some(data) = self.blocks.get(target) {
                let end = data.incoming.len();
                self.insert_incoming(target, end, IncomingEdge { source: block, slot: slot as u32 });
            }
        }
    }

    pub(super) fn disconnect(&mut self, block: Block) {
        for slot in (0..self.block(block).targets().len()).rev() {
            let target = self.block(block).targets()[slot];
            self.remove_incoming(target, IncomingEdge { source: block, slot: slot as u32 });
        }
    }

    fn insert_incoming(&mut self, target: Block, position: usize, edge: IncomingEdge) {
        let data = &mut self.blocks[target];
        self.incoming.insert(&mut data.incoming, position, edge);
        for phi in self.phis.get_mut(data.phis) {
            let ty = self.values.record(phi.value).ty.clone();
            let undefined = self.values.undefined(phi.variable, ty);
            let position = position.min(phi.operands.len());
            self.operands.insert(&mut phi.operands, position, undefined);
        }
    }

    fn remove_incoming(&mut self, target: Block, edge: IncomingEdge) {
        let Some(data) = self.blocks.get_mut(target) else { return };
        let incoming = self.incoming.get(data.incoming);
        let Some(position) = incoming.iter().rposition(|&other| other == edge) else { return };
        self.incoming.remove(&mut data.incoming, position);
        for phi in self.phis.get_mut(data.phis) {
            if position < phi.operands.len() {
                self.operands.remove(&mut phi.operands, position);
            }
        }
    }
}

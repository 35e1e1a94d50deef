//! The targets of a fork, each once, with the slots that lead to it.

use alloc::vec::Vec;
use ssaphire_graph::{Block, IdLists, IdMap, PackedOption, internal_id};

internal_id!(
    /// Number of a target of a fork, in the order of first slots.
    pub(super) Target, "target"
);

/// The targets of the fork at hand.
pub(super) struct Targets {
    nodes: IdMap<Target, Block>,
    slots: IdLists<Target, u32>,
    of_slot: Vec<Target>,
    /// By node, its number if it is a target of the fork at hand; otherwise that of an earlier fork or none.
    number: IdMap<Block, PackedOption<Target>>,
}

impl Targets {
    /// Those of no fork yet, in a graph of that many nodes.
    pub(super) fn new(num_nodes: usize) -> Self {
        Self {
            nodes: IdMap::new(),
            slots: IdLists::new(),
            of_slot: Vec::new(),
            number: IdMap::filled(num_nodes, PackedOption::NONE),
        }
    }

    /// Becomes those of a fork that leads there, by slot.
    pub(super) fn rebuild(&mut self, by_slot: &[Block]) {
        self.nodes.clear();
        self.of_slot.clear();
        for &node in by_slot {
            let known = self.number[node].expand().filter(|&target| self.nodes.get(target) == Some(&node));
            let target = known.unwrap_or_else(|| self.nodes.push(node));
            self.number[node] = target.into();
            self.of_slot.push(target);
        }
        let slots = self.of_slot.iter().copied().zip(0..);
        self.slots.rebuild(self.nodes.len(), slots);
    }

    /// Numbers and nodes.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (Target, Block)> + ExactSizeIterator + '_ {
        self.nodes.iter().map(|(target, &node)| (target, node))
    }

    /// The target if there is one alone.
    pub(super) fn only(&self) -> Option<Block> {
        if let [node] = self.nodes.as_slice() { Some(*node) } else { None }
    }

    /// The node of that number.
    pub(super) fn node(&self, target: Target) -> Block {
        self.nodes[target]
    }

    /// The slots that lead to a target, ascending.
    pub(super) fn slots(&self, target: Target) -> &[u32] {
        self.slots.of(target)
    }
}

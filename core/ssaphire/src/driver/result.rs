//! The result of a construction in the host's keys.

use super::{KeyedHost, Numbers};
use alloc::vec::Vec;
use ssaphire_construct::{IncomingEdge, KeptPhi, OperandsDiffer, Ssa};
use ssaphire_graph::{Block, Value};

/// The result of a construction in the host's keys: the counterpart of [`Ssa`], which uses ids.
///
/// The host replaces each use of a [forwarded](Self::forwarded) value with the value it resolves to, inserts the
/// [phis](Self::phis), and erases the instructions made for [unused ones](Self::unused).
pub struct KeyedSsa<'a, H: KeyedHost> {
    /// The result in ids.
    pub ids: Ssa<'a>,
    pub(super) numbers: &'a Numbers<H>,
}

/// A phi to keep, in the host's keys.
pub struct KeyedPhi<'a, H: KeyedHost> {
    /// The value that `new_phi` returned for it.
    pub value: H::Value,
    /// The block it belongs to.
    pub block: H::Block,
    /// The variable whose lookup created it.
    pub variable: H::Variable,
    ids: KeptPhi<'a>,
    numbers: &'a Numbers<H>,
}

/// An operand of a phi, in the host's keys.
pub struct KeyedOperand<H: KeyedHost> {
    /// The block that the edge leaves; `None` for the [block in front](crate::Driver::begin_with_front).
    pub source: Option<H::Block>,
    /// The edge's position in the terminator of `source`.
    pub slot: u32,
    /// The operand.
    pub value: H::Value,
}

/// An edge into a block with phis, with the arguments it passes, in the host's keys.
pub struct KeyedEdge<H: KeyedHost> {
    /// The block that the edge leaves; `None` for the [block in front](crate::Driver::begin_with_front).
    pub source: Option<H::Block>,
    /// The edge's position in the terminator of `source`.
    pub slot: u32,
    /// The block that the edge enters.
    pub target: H::Block,
    /// Per phi of `target`, in the order of [`KeyedSsa::phis`]: the phi and its operand for this edge.
    pub arguments: Vec<(H::Value, H::Value)>,
}

/// Operands by predecessor.
type BySource<H> = Vec<(Option<<H as KeyedHost>::Block>, <H as KeyedHost>::Value)>;

impl<H: KeyedHost> Numbers<H> {
    fn key_of(&self, block: Block) -> Option<H::Block> {
        self.blocks[block].clone()
    }

    /// The key of a block with incoming edges.
    fn entered(&self, block: Block) -> H::Block {
        let Some(key) = self.key_of(block) else { unreachable!("the block in front has no incoming edges") };
        key
    }

    fn pair(&self, (first, second): (Value, Value)) -> (H::Value, H::Value) {
        (self.values[first].clone(), self.values[second].clone())
    }
}

impl<'a, H: KeyedHost> KeyedSsa<'a, H> {
    /// The value that `value` resolves to: the one it is forwarded to, or itself.
    ///
    /// # Complexity
    /// O(log *n*) for *n* values.
    pub fn resolve(&self, value: H::Value) -> H::Value {
        let id = self.numbers.values.get(&value);
        id.map_or(value, |id| self.numbers.values[self.ids.resolve(id)].clone())
    }

    /// The forwarded values, in the order in which they got ids, and the value that each resolves to.
    ///
    /// An IR with aliases makes each an alias; one with use lists replaces its uses.
    pub fn forwarded(&self) -> impl Iterator<Item = (H::Value, H::Value)> + use<'a, H> {
        let numbers = self.numbers;
        self.ids.stands_for.iter().map(|pair| numbers.pair(pair))
    }

    /// The phis to keep; those of a block follow each other, in order of creation.
    pub fn phis(&self) -> impl Iterator<Item = KeyedPhi<'a, H>> + use<'a, H> {
        let numbers = self.numbers;
        self.ids.phis.iter().map(move |ids| KeyedPhi {
            value: numbers.values[ids.value].clone(),
            block: numbers.entered(ids.block),
            variable: numbers.variables[ids.variable].clone(),
            ids,
            numbers,
        })
    }

    /// The phis without uses, in order of creation.
    pub fn unused(&self) -> impl Iterator<Item = H::Value> + use<'a, H> {
        let numbers = self.numbers;
        self.ids.phis.unused().iter().map(|&phi| numbers.values[phi].clone())
    }

    /// The block-parameter view: the edges into blocks with phis, by source, in the order in which blocks got ids, and
    /// slot.
    ///
    /// # Complexity
    /// O(operands log operands).
    pub fn edges(&self) -> impl Iterator<Item = KeyedEdge<H>> + use<'a, H> {
        let (numbers, arguments) = (self.numbers, self.ids.phis.edge_arguments());
        let edge = |(edge, target, arguments): (IncomingEdge, Block, &[(Value, Value)])| KeyedEdge {
            source: numbers.key_of(edge.source),
            slot: edge.slot,
            target: numbers.entered(target),
            arguments: arguments.iter().map(|&pair| numbers.pair(pair)).collect(),
        };
        arguments.iter().map(edge).collect::<Vec<_>>().into_iter()
    }

    /// Whether a path leads from the entry to `block`.
    ///
    /// # Complexity
    /// O(log *n*) for *n* blocks.
    pub fn is_reachable(&self, block: H::Block) -> bool {
        self.numbers.blocks.get(&Some(block)).is_some_and(|block| self.ids.phis.is_reachable(block))
    }

    /// Whether the function needs the [block in front](crate::Driver::begin_with_front): an edge other than the one
    /// from that block enters its first block.
    ///
    /// Then the host inserts a block that jumps to the first one, and passes the operands whose source is `None`.
    pub fn needs_front(&self) -> bool {
        let first = self.numbers.blocks.get(&None).map(|_| Block::new(1));
        first.is_some_and(|first| self.ids.phis.incoming(first).len() > 1)
    }
}

impl<'a, H: KeyedHost> KeyedPhi<'a, H> {
    /// The operands with their edges, by incoming edge.
    pub fn operands(&self) -> impl ExactSizeIterator<Item = KeyedOperand<H>> + use<'a, H> {
        let numbers = self.numbers;
        self.ids.edge_operands().map(|operand| KeyedOperand {
            source: numbers.key_of(operand.source),
            slot: operand.slot,
            value: numbers.values[operand.value].clone(),
        })
    }

    /// The operands by predecessor, as [`KeptPhi::operands_by_source`] gives them; `None` is the block in front.
    ///
    /// # Errors
    /// If two edges from one block have different operands.
    pub fn operands_by_source(&self) -> Result<BySource<H>, OperandsDiffer> {
        let operands = self.ids.operands_by_source()?.into_iter();
        Ok(operands.map(|(source, value)| (self.numbers.key_of(source), self.numbers.values[value].clone())).collect())
    }
}

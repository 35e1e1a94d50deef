//! Blocks, their phis, and the edges that enter them.

use super::Function;
use super::inst::{InstRef, Insts, List as ShortList};
use super::pool::{List, Pool};
use crate::dialect::Syntax;
pub use ssaphire_graph::IncomingEdge;
use ssaphire_graph::{Block, Value, Variable};

/// A value chosen by incoming edge: a phi outside of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phi {
    /// The value it defines.
    pub value: Value,
    /// The variable it was made for.
    pub variable: Option<Variable>,
    /// Its operands, by incoming edge.
    pub operands: ShortList<Value, 4>,
}

/// A phi of a function. Its parts are those of [`Phi`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PhiRef<'f> {
    /// The value it defines.
    pub value: Value,
    /// The variable it was made for.
    pub variable: Option<Variable>,
    /// Its operands, by incoming edge.
    pub operands: &'f [Value],
}

/// A phi as a function stores it.
#[derive(Clone, Debug)]
pub(crate) struct PhiData {
    pub(crate) value: Value,
    pub(crate) variable: Option<Variable>,
    pub(crate) operands: List,
}

/// A block as a function stores it.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockData {
    pub(crate) phis: List,
    pub(crate) insts: List,
    pub(crate) incoming: List,
}

/// The phis of a block, in order.
#[derive(Clone, Copy, Debug)]
pub struct Phis<'f> {
    pub(crate) list: &'f [PhiData],
    pub(crate) operands: &'f Pool<Value>,
}

impl<'f> Phis<'f> {
    /// How many there are.
    pub fn len(self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.list.is_empty()
    }

    /// Phi number `index`.
    pub fn get(self, index: usize) -> Option<PhiRef<'f>> {
        self.list.get(index).map(|data| self.view(data))
    }

    /// All of them, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = PhiRef<'f>> + ExactSizeIterator + Clone {
        self.list.iter().map(move |data| self.view(data))
    }

    fn view(self, data: &PhiData) -> PhiRef<'f> {
        PhiRef { value: data.value, variable: data.variable, operands: self.operands.get(data.operands) }
    }
}

/// A block of a function: phis, then instructions, the last of which is its terminator.
#[derive(Clone, Copy, Debug)]
pub struct BlockRef<'f, D: Syntax> {
    pub(crate) function: &'f Function<D>,
    pub(crate) block: Block,
    pub(crate) data: &'f BlockData,
}

impl<'f, D: Syntax> BlockRef<'f, D> {
    /// The name it was given; a block without one prints as `block` and its number.
    pub fn name(self) -> Option<&'f str> {
        self.function.labels.name(self.block)
    }

    /// The phis at its top, which execute in parallel.
    pub fn phis(self) -> Phis<'f> {
        Phis { list: self.function.phis.get(self.data.phis), operands: &self.function.operands }
    }

    /// Its instructions in order, the terminator last.
    pub fn insts(self) -> Insts<'f, D> {
        let code = &self.function.code;
        Insts { code, list: code.insts.get(self.data.insts) }
    }

    /// Its incoming edges, in operand order.
    pub fn incoming(self) -> &'f [IncomingEdge] {
        self.function.incoming.get(self.data.incoming)
    }

    /// Its last instruction, if that is a terminator.
    pub fn terminator(self) -> Option<InstRef<'f, D>> {
        self.insts().last().filter(|inst| inst.is_terminator())
    }

    /// Its instructions before the terminator.
    pub fn body(self) -> Insts<'f, D> {
        let Insts { code, list } = self.insts();
        Insts { code, list: &list[..list.len() - usize::from(self.terminator().is_some())] }
    }

    /// Targets of its outgoing edges, by slot.
    pub fn targets(self) -> &'f [Block] {
        self.insts().last().map_or(&[], |inst| inst.targets)
    }
}

/// Equal in all ids, names and edge orders.
impl<D: Syntax> PartialEq for BlockRef<'_, D> {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), self.incoming()) == (other.name(), other.incoming())
            && self.phis().iter().eq(other.phis().iter())
            && self.insts().iter().eq(other.insts().iter())
    }
}

//! The result of `rename`.

use super::form::at_ends;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_construct::parts::by_source;
use ssaphire_construct::{IncomingEdge, UndefinedRead};
use ssaphire_graph::{Access, Block, Edge, FlatCfg, IdMap, Value, Variable};

/// The definition of a value of a [`Renamed`] function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// The parameter with this number.
    Parameter(u32),
    /// A write.
    Write {
        /// Its block.
        block: Block,
        /// Its position among the accesses of the block; [`Access::Tuple`] is not counted.
        index: u32,
    },
    /// The phi with this number: see [`Renamed::phis`].
    Phi(u32),
    /// The undefined value of a variable, which it has where no definition reaches.
    Undefined(Variable),
}

/// A phi of a [`Renamed`] function. Unreachable blocks have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenamedPhi<'a> {
    /// The value it defines.
    pub value: Value,
    /// Its block.
    pub block: Block,
    /// Its variable.
    pub variable: Variable,
    /// Its operands, by incoming edge.
    pub operands: &'a [Value],
    /// The incoming edges of its block, in the same order.
    pub edges: &'a [IncomingEdge],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phi {
    pub(super) block: Block,
    pub(super) variable: Variable,
    pub(super) first_operand: u32,
    pub(super) first_edge: u32,
    pub(super) num_operands: u32,
}

/// The SSA form of a complete function: phis, and a value for each access.
///
/// Values are numbered: first the parameters, then the writes by block and position, then the phis by block, then
/// the undefined values of variables, if a read or a phi uses them.
///
/// It is an [`SsaForm`](ssaphire_graph::SsaForm): the judge, `minimize`, `repair` and `destruct` take it as it is.
/// Copies are no events of it, since they are propagated.
#[derive(Clone, Debug)]
pub struct Renamed {
    /// With the new entry, if there is one.
    pub(super) cfg: FlatCfg,
    pub(super) parameters: Vec<Variable>,
    /// By block, the index of its first access; and the end of the last block.
    pub(super) start: Vec<u32>,
    /// Without tuples.
    pub(super) accesses: Vec<Access>,
    /// By access: the value read or written.
    pub(super) values: Vec<Option<Value>>,
    /// The writes, in the order of their values.
    pub(super) writes: Vec<(Block, u32)>,
    pub(super) phis: Vec<Phi>,
    pub(super) operands: Vec<Value>,
    pub(super) edges: Vec<IncomingEdge>,
    pub(super) undefined: Vec<Variable>,
    pub(super) undefined_reads: Vec<UndefinedRead>,
    /// By block.
    pub(super) is_reachable: Vec<bool>,
    pub(super) pre_entry: Option<Block>,
}

impl RenamedPhi<'_> {
    /// The operands by predecessor, each predecessor once, in the order of their first edges.
    ///
    /// Edges that leave one block have the same operand: the value of the variable at its end.
    ///
    /// # Complexity
    /// O(*e* log *e*) for *e* incoming edges.
    pub fn operands_by_source(&self) -> Vec<(Block, Value)> {
        let operands = by_source((self.value, self.block), self.edges, self.operands);
        operands.unwrap_or_else(|error| unreachable!("a block has one value at its end: {error}"))
    }
}

impl Renamed {
    /// Number of values.
    pub fn num_values(&self) -> usize {
        self.parameters.len() + self.writes.len() + self.phis.len() + self.undefined.len()
    }

    /// The value that access number `index` of `block` reads, copies or defines; an [`Access::Tuple`] is not counted.
    ///
    /// `None` if there is no such access, or if it copies a phi or an undefined value that nothing uses.
    ///
    /// # Complexity
    /// O(1).
    pub fn value(&self, block: Block, index: usize) -> Option<Value> {
        self.values_in(block).get(index).copied().flatten()
    }

    /// The values that the accesses of `block` read, copy or define, in order: see [`value`](Self::value).
    ///
    /// # Complexity
    /// O(1).
    pub fn values_in(&self, block: Block) -> &[Option<Value>] {
        &self.values[self.range(block)]
    }

    fn range(&self, block: Block) -> Range<usize> {
        let ends = self.start.get(block.index()).zip(self.start.get(block.index() + 1));
        ends.map_or(0..0, |(&first, &end)| first as usize..end as usize)
    }

    /// The accesses of `block` and their values.
    pub(super) fn accesses_in(&self, block: Block) -> impl DoubleEndedIterator<Item = (Access, Option<Value>)> + '_ {
        let range = self.range(block);
        self.accesses[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// The incoming edges of `block`, in the order of the operands of its phis.
    ///
    /// # Complexity
    /// O(1) per edge.
    pub fn incoming(&self, block: Block) -> impl ExactSizeIterator<Item = IncomingEdge> + '_ {
        let edge = |&edge: &Edge| IncomingEdge { source: self.cfg.source(edge), slot: self.cfg.slot(edge) };
        self.cfg.incoming(block).iter().map(edge)
    }

    /// The variable that `value` is a version of, or `None` if it is no value of the form.
    ///
    /// # Complexity
    /// O(1).
    pub fn variable(&self, value: Value) -> Option<Variable> {
        Some(match self.definition(value)? {
            Definition::Parameter(number) => self.parameters[number as usize],
            Definition::Write { block, index } => match self.accesses[self.range(block)][index as usize] {
                Access::Write(variable) => variable,
                other => unreachable!("{other:?} defines no value"),
            },
            Definition::Phi(number) => self.phis[number as usize].variable,
            Definition::Undefined(variable) => variable,
        })
    }

    /// By block, the value that `variable` has at its end on every path; `None` if there is no such value in the form.
    ///
    /// For debug information. A variable that is dead at the end of a block may have no value there: its phi would be
    /// unused, so the form does not have it. Unreachable blocks have none.
    ///
    /// # Complexity
    /// O(*n* + *e* + *a*).
    ///
    /// # Examples
    /// ```
    /// use ssaphire::{Access::{Read, Write}, Block, Value, Variable, rename};
    ///
    /// // x = ..; if (..) { x = .. } ..
    /// let ([top, then, join], x) = ([0, 1, 2].map(Block::new), Variable::new(0));
    /// let form = rename([(vec![then, join], vec![Write(x)]), (vec![join], vec![Write(x)]), (vec![], vec![])], &[])?;
    /// let held = form.values_at_ends(x);
    /// assert_eq!([held[top], held[then]], [0, 1].map(|value| Some(Value::new(value))));
    /// assert_eq!(held[join], None); // Nothing reads it there, so there is no phi.
    /// # Ok::<(), ssaphire::BatchError>(())
    /// ```
    pub fn values_at_ends(&self, variable: Variable) -> IdMap<Block, Option<Value>> {
        at_ends(self, variable)
    }

    /// The definition of `value`, or `None` if it is no value of the form.
    ///
    /// # Complexity
    /// O(1).
    pub fn definition(&self, value: Value) -> Option<Definition> {
        let mut number = value.index();
        for (len, kind) in [self.parameters.len(), self.writes.len(), self.phis.len()].into_iter().zip(0..) {
            if number < len {
                return Some(match kind {
                    0 => Definition::Parameter(number as u32),
                    1 => Definition::Write { block: self.writes[number].0, index: self.writes[number].1 },
                    _ => Definition::Phi(number as u32),
                });
            }
            number -= len;
        }
        self.undefined.get(number).copied().map(Definition::Undefined)
    }

    /// The phis, by block and, in a block, by variable: phi number *i* is the one at *i*.
    pub fn phis(&self) -> impl ExactSizeIterator<Item = RenamedPhi<'_>> + DoubleEndedIterator {
        (0..self.phis.len()).map(|number| self.phi(number))
    }

    /// The phis of `block`, by variable.
    ///
    /// # Complexity
    /// O(log *p*).
    pub fn phis_in(&self, block: Block) -> impl ExactSizeIterator<Item = RenamedPhi<'_>> + DoubleEndedIterator {
        let first = self.phis.partition_point(|phi| phi.block < block);
        let len = self.phis[first..].partition_point(|phi| phi.block == block);
        (first..first + len).map(|number| self.phi(number))
    }

    /// The reads that no definition reaches on some path from the entry, or on any. Their `site` is the position among
    /// the accesses of their block.
    ///
    /// Copies are not reported; reads of the copied values are. Reads in unreachable blocks are left out.
    pub fn undefined_reads(&self) -> &[UndefinedRead] {
        &self.undefined_reads
    }

    /// The undefined values and their variables, in order of values. Reads and phis use them where no write reaches,
    /// also in unreachable blocks and on edges from these.
    ///
    /// Define them before everything else: in the [new entry](Self::pre_entry), if there is one.
    pub fn undefined_values(&self) -> impl ExactSizeIterator<Item = (Variable, Value)> + DoubleEndedIterator {
        let first = self.num_values() - self.undefined.len();
        self.undefined.iter().enumerate().map(move |(number, &variable)| (variable, Value::new(first + number)))
    }

    /// Whether a path leads from the entry to `block`, which may be the [new entry](Self::pre_entry).
    ///
    /// # Complexity
    /// O(1).
    pub fn is_reachable(&self, block: Block) -> bool {
        self.pre_entry == Some(block) || self.is_reachable.get(block.index()).is_some_and(|&is_reachable| is_reachable)
    }

    /// The new entry, if edges enter block 0, even from unreachable blocks: an empty block that jumps to block 0.
    ///
    /// Its number comes after those of all blocks, and its edge is the last one of the phis in block 0.
    pub fn pre_entry(&self) -> Option<Block> {
        self.pre_entry
    }

    pub(super) fn phi(&self, number: usize) -> RenamedPhi<'_> {
        let &Phi { block, variable, first_operand, first_edge, num_operands } = &self.phis[number];
        let num_before = self.parameters.len() + self.writes.len();
        RenamedPhi {
            value: Value::new(num_before + number),
            block,
            variable,
            operands: &self.operands[first_operand as usize..][..num_operands as usize],
            edges: &self.edges[first_edge as usize..][..num_operands as usize],
        }
    }
}

//! Values that have got further definitions, repaired together.
//!
//! `Repair` walks the blocks where a value is live, value by value: little, as long as few values live long. Where the
//! walks have passed as many edges as the function has, several times over, the values that are left become the
//! variables of one function, and a single renaming pass handles all of them. In both cases, the phis are minimal and
//! pruned.

mod together;

use super::Thresholds;
use crate::dialect::Syntax;
use crate::function::{Arg, Function, Phi};
use ssaphire::graph::{IdLists, IdMap};
use ssaphire::repair::{Position, Repair, Use};
use ssaphire::{Block, Cfg, PhiHost, Value, Variable};
use ssaphire_graph::internal_id;
use std::cell::Cell;

internal_id!(
    /// Number of a value that has got further definitions.
    Versioned, "versioned"
);

/// Values with several definitions.
#[derive(Debug, Default)]
pub(super) struct Versions {
    values: IdMap<Versioned, Definitions>,
    number: IdMap<Value, Option<Versioned>>,
}

/// A value that has several definitions.
#[derive(Debug)]
struct Definitions {
    value: Value,
    /// Its definitions: block, position and version.
    list: Vec<(Block, Position, Value)>,
}

/// The counts of a repair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repairs {
    /// Phis inserted.
    pub(super) phis: usize,
    /// Operands of these.
    pub(super) operands: usize,
    /// Blocks and edges visited for single values.
    pub(super) steps: usize,
}

/// The phis of a repair would have more operands than they may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooManyOperands;

/// Where a value is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Block, phi and operand.
    Operand(Block, usize, usize),
    /// Block, instruction and argument.
    Arg(Block, usize, usize),
}

impl Versions {
    /// Adds a definition: from `position` in `block` on, `value` has the version `version`. Its own definition has to
    /// be added, too.
    pub(super) fn define(&mut self, value: Value, block: Block, position: Position, version: Value) {
        self.number.grow_to(value, None);
        let number = self.number[value].unwrap_or_else(|| self.values.push(Definitions { value, list: Vec::new() }));
        self.number[value] = Some(number);
        self.values[number].list.push((block, position, version));
    }

    /// The definition of `value` that was added last: its block and the version.
    pub(super) fn last(&self, value: Value) -> Option<(Block, Value)> {
        let number = self.number(value)?;
        self.values[number].list.last().map(|&(block, _, version)| (block, version))
    }

    fn number(&self, value: Value) -> Option<Versioned> {
        self.number.get(value).copied().flatten()
    }

    /// Replaces each use of a value with the version that reaches it.
    ///
    /// All edges have been changed already, and none leads to the entry. Definitions in blocks that no longer have
    /// incoming edges are ignored.
    ///
    /// # Errors
    /// If the phis would have more operands than `max_operands`. Then no phi is inserted, but values may have been
    /// created.
    pub(super) fn repair<D: Syntax>(
        &self,
        function: &mut Function<D>,
        thresholds: Thresholds,
        max_operands: usize,
    ) -> Result<Repairs, TooManyOperands> {
        let mut uses = IdLists::new();
        uses.rebuild(self.values.len(), self.uses(function).into_iter());
        let num_edges: usize = function.blocks().map(|block| 1 + function.block(block).incoming().len()).sum();
        let (most_steps, steps) = (thresholds.repair_steps.saturating_mul(num_edges), Cell::new(0));
        let mut repair = Repair::new();
        let mut found = Found::default();
        for (number, Definitions { value, list }) in self.values.iter() {
            if steps.get() >= most_steps {
                self.repair_together(number, &uses, function, max_operands, &mut found)?;
                break;
            }
            repair.begin(Variable::new(0));
            for &(block, position, version) in list.iter().filter(|&&(block, ..)| is_entered(function, block)) {
                repair.define(block, position, version);
            }
            let asked: Vec<(Place, Use)> =
                uses.of(number).iter().map(|&place| (place, place.ask(function, &mut repair))).collect();
            let walked = Walked { function, steps: &steps };
            repair.decide(&walked).expect("the blocks are there, each defines once, and nothing leads to the entry");
            let repaired = repair.insert_phis(&mut Host { function, value: *value });
            for phi in repaired.phis() {
                found.add_phi(phi.block, phi.value, phi.operands.to_vec());
            }
            found.check(max_operands)?;
            found.changes.extend(asked.into_iter().map(|(place, use_)| (place, repaired.value(use_))));
        }
        let (phis, operands) = (found.phis.len(), found.num_operands);
        found.write(function);
        Ok(Repairs { phis, operands, steps: steps.get() })
    }

    /// The uses of the values.
    fn uses<D: Syntax>(&self, function: &Function<D>) -> Vec<(Versioned, Place)> {
        let mut uses = Vec::new();
        for block in function.blocks() {
            let data = function.block(block);
            for (index, phi) in data.phis().iter().enumerate() {
                for (operand, &value) in phi.operands.iter().enumerate() {
                    uses.extend(self.number(value).map(|number| (number, Place::Operand(block, index, operand))));
                }
            }
            for (index, inst) in data.insts().iter().enumerate() {
                for (place, arg) in inst.args.iter().enumerate() {
                    let Arg::Value(value) = *arg else { continue };
                    uses.extend(self.number(value).map(|number| (number, Place::Arg(block, index, place))));
                }
            }
        }
        uses
    }
}

/// Whether control may come to `block`.
fn is_entered<D: Syntax>(function: &Function<D>, block: Block) -> bool {
    block == function.entry() || !function.block(block).incoming().is_empty()
}

/// The changes to write.
#[derive(Debug, Default)]
struct Found {
    phis: Vec<(Block, Value, Vec<Value>)>,
    num_operands: usize,
    changes: Vec<(Place, Value)>,
}

impl Found {
    fn add_phi(&mut self, block: Block, value: Value, operands: Vec<Value>) {
        self.num_operands += operands.len();
        self.phis.push((block, value, operands));
    }

    fn check(&self, max_operands: usize) -> Result<(), TooManyOperands> {
        if self.num_operands > max_operands { Err(TooManyOperands) } else { Ok(()) }
    }

    /// Inserts the phis, and replaces the uses.
    fn write<D: Syntax>(self, function: &mut Function<D>) {
        for (place, value) in self.changes {
            place.set(function, value);
        }
        for (block, value, operands) in self.phis {
            let variable = function.value(value).name;
            function.push_phi(block, Phi { value, variable, operands: operands.into() });
        }
    }
}

/// A function, and the number of blocks and edges that a walk has visited.
struct Walked<'f, D: Syntax> {
    function: &'f Function<D>,
    steps: &'f Cell<usize>,
}

impl<D: Syntax> Cfg for Walked<'_, D> {
    fn num_blocks(&self) -> usize {
        self.function.num_blocks()
    }

    fn entry(&self) -> Block {
        self.function.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.function.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        let incoming = self.function.block(block).incoming();
        self.steps.set(self.steps.get() + 1 + incoming.len());
        incoming.iter().map(|edge| edge.source)
    }
}

impl Place {
    /// Where the use is.
    fn position<D: Syntax>(self, function: &Function<D>) -> (Block, Position) {
        match self {
            Self::Operand(block, _, index) => (function.block(block).incoming()[index].source, Position::End),
            Self::Arg(block, index, _) => (block, Position::At(index as u32)),
        }
    }

    /// Makes this a use of `value`.
    pub(super) fn set<D: Syntax>(self, function: &mut Function<D>, value: Value) {
        match self {
            Self::Operand(block, phi, index) => function.set_operand(block, phi, index, value),
            Self::Arg(block, inst, arg) => function.set_arg(block, inst, arg, value),
        }
    }

    /// Adds the use to a repair.
    fn ask<D: Syntax>(self, function: &Function<D>, repair: &mut Repair) -> Use {
        let (block, position) = self.position(function);
        repair.use_at(block, position)
    }
}

/// A new value with the name and type of `value`, without a definition yet.
pub(super) fn new_version<D: Syntax>(function: &mut Function<D>, value: Value) -> Value {
    let data = function.value(value);
    let (name, ty) = (data.name, data.ty.clone());
    function.new_value(name, ty)
}

/// A function in which a value gets new versions.
struct Host<'f, D: Syntax> {
    function: &'f mut Function<D>,
    value: Value,
}

impl<D: Syntax> PhiHost for Host<'_, D> {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        new_version(self.function, self.value)
    }

    fn undefined(&mut self, _: Variable) -> Value {
        let data = self.function.value(self.value);
        let (name, ty) = (data.name, data.ty.clone());
        self.function.values.undefined(name, ty)
    }
}

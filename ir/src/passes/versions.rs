//! Values that have got further definitions, repaired together.

use crate::dialect::Dialect;
use crate::function::{Arg, Function, Phi};
use ssaphire::graph::{IdLists, IdMap};
use ssaphire::repair::{Position, Repair, Use};
use ssaphire::{Block, PhiHost, Value, Variable};
use ssaphire_graph::internal_id;

internal_id!(
    /// Number of a value that has got further definitions.
    Versioned, "versioned"
);

/// Values, each with all of its definitions.
#[derive(Debug, Default)]
pub(super) struct Versions {
    values: IdMap<Versioned, Definitions>,
    number: IdMap<Value, Option<Versioned>>,
}

/// What was one value.
#[derive(Debug)]
struct Definitions {
    value: Value,
    /// Where it is defined, and as what.
    list: Vec<(Block, Position, Value)>,
}

/// Where a value is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Block, phi and operand.
    Operand(Block, usize, usize),
    /// Block, instruction and argument.
    Arg(Block, usize, usize),
}

impl Versions {
    /// Adds a definition: `version` is what `value` is from `position` in `block` on. Its own is one of them.
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

    /// Lets each use of a value use the version that reaches it: number of phis inserted.
    ///
    /// All edges are as they will be, and none leads to the entry. A definition in a block to which no edge leads any more
    /// does not count.
    pub(super) fn repair<D: Dialect>(&self, function: &mut Function<D>) -> usize {
        let mut uses = IdLists::new();
        uses.rebuild(self.values.len(), self.uses(function).into_iter());
        let mut repair = Repair::new();
        let (mut phis, mut changes) = (Vec::new(), Vec::new());
        for (number, Definitions { value, list }) in self.values.iter() {
            repair.begin(Variable::new(0));
            for &(block, position, version) in list {
                if block == function.entry() || !function.block(block).incoming().is_empty() {
                    repair.define(block, position, version);
                }
            }
            let asked: Vec<(Place, Use)> =
                uses.of(number).iter().map(|&place| (place, place.ask(function, &mut repair))).collect();
            repair.decide(function).expect("the blocks are there, each defines once, and nothing leads to the entry");
            let repaired = repair.insert_phis(&mut Host { function, value: *value });
            phis.extend(repaired.phis().map(|phi| (phi.block, phi.value, phi.operands.to_vec())));
            changes.extend(asked.into_iter().map(|(place, use_)| (place, repaired.value(use_))));
        }
        for (place, value) in changes {
            place.set(function, value);
        }
        let num_phis = phis.len();
        for (block, value, operands) in phis {
            let variable = function.value(value).name;
            function.push_phi(block, Phi { value, variable, operands: operands.into() });
        }
        num_phis
    }

    /// The uses of the values.
    fn uses<D: Dialect>(&self, function: &Function<D>) -> Vec<(Versioned, Place)> {
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

impl Place {
    /// Lets the use be one of `value`.
    pub(super) fn set<D: Dialect>(self, function: &mut Function<D>, value: Value) {
        match self {
            Self::Operand(block, phi, index) => function.set_operand(block, phi, index, value),
            Self::Arg(block, inst, arg) => function.set_arg(block, inst, arg, value),
        }
    }

    /// Adds the use to those of a repair.
    fn ask<D: Dialect>(self, function: &Function<D>, repair: &mut Repair) -> Use {
        match self {
            Self::Operand(block, _, index) => {
                repair.use_at(function.block(block).incoming()[index].source, Position::End)
            }
            Self::Arg(block, index, _) => repair.use_at(block, Position::At(index as u32)),
        }
    }
}

/// A value of the name and type of `value`, which nothing defines yet.
pub(super) fn new_version<D: Dialect>(function: &mut Function<D>, value: Value) -> Value {
    let data = function.value(value);
    let (name, ty) = (data.name, data.ty.clone());
    function.new_value(name, ty)
}

/// A function in which a value gets new versions.
struct Host<'f, D: Dialect> {
    function: &'f mut Function<D>,
    value: Value,
}

impl<D: Dialect> PhiHost for Host<'_, D> {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        new_version(self.function, self.value)
    }

    fn undefined(&mut self, _: Variable) -> Value {
        let data = self.function.value(self.value);
        let (name, ty) = (data.name, data.ty.clone());
        self.function.values.undefined(name, ty)
    }
}

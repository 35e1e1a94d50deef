//! A function seen through the views of `graph`.
//!
//! * Every edge and every block is shown, reachable or not.
//! * In the variable view values are invisible, and the other way round.
//! * A variable bound to a parameter is not written by the entry, which may be
//!   entered again: [`Function::initial_value`] says what it holds.
//! * Results of a terminator come first in its normal successor.
//! * Copies of values are uses and definitions like those of any instruction.

use crate::dialect::Syntax;
use crate::function::{Action, Arg, BlockRef, Dest, Function, InstRef, ValueKind};
use ssaphire_graph::{Access, Block, Cfg, SsaForm, Value, ValueEvent, Variable, VariableForm};

impl<D: Syntax> Cfg for Function<D> {
    fn num_blocks(&self) -> usize {
        self.num_blocks()
    }

    fn entry(&self) -> Block {
        self.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.block(block).targets().iter().copied()
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.block(block).incoming().iter().map(|edge| edge.source)
    }
}

impl<D: Syntax> VariableForm for Function<D> {
    fn num_variables(&self) -> usize {
        self.num_variables()
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        let data = self.block(block);
        let thrown_past = self.results_at_top(block).iter().filter_map(written).map(Access::Write);
        thrown_past.chain(data.insts().iter().enumerate().flat_map(move |(index, inst)| {
            let copies = copies(inst);
            let is_tuple = copies.clone().nth(1).is_some();
            let tuple = is_tuple.then(|| Access::Tuple(copies.clone().count() as u32));
            let reads = plain_args(inst).iter().filter_map(read).map(Access::Read);
            let writes = results_here(data, index).iter().filter_map(written).map(Access::Write);
            tuple.into_iter().chain(copies).chain(reads).chain(writes)
        }))
    }
}

impl<D: Syntax> SsaForm for Function<D> {
    fn num_values(&self) -> usize {
        self.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.values().zip(self.values.iter()).filter_map(|(value, data)| {
            let is_global = matches!(data.kind, ValueKind::Param(_) | ValueKind::Constant(_) | ValueKind::Undefined);
            is_global.then_some(value)
        })
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.block(block).phis().iter().map(|phi| phi.value)
    }

    /// Looks for the phi among those of its block: quick where they ascend, as in a canonical function.
    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let phis = self.block(block).phis();
        let found = phis.list.binary_search_by_key(&phi, |candidate| candidate.value).ok();
        let found = found.or_else(|| phis.list.iter().position(|candidate| candidate.value == phi));
        found.and_then(|index| phis.get(index)).into_iter().flat_map(|phi| phi.operands.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        let data = self.block(block);
        let thrown_past = self.results_at_top(block).iter().filter_map(defined).map(ValueEvent::Def);
        thrown_past.chain(data.insts().iter().enumerate().flat_map(move |(index, inst)| {
            let uses = inst.args.iter().filter_map(used).map(ValueEvent::Use);
            let defs = match inst.action {
                Action::Copy => inst.results,
                Action::Op(_) => results_here(data, index),
            };
            uses.chain(defs.iter().filter_map(defined).map(ValueEvent::Def))
        }))
    }
}

impl<D: Syntax> Function<D> {
    /// The results of the terminator that leads here by its slot 0.
    ///
    /// Nothing where several edges come in: such a function is malformed.
    pub fn results_at_top(&self, block: Block) -> &[Dest] {
        match self.block(block).incoming() {
            [edge] if edge.slot == 0 => self.block(edge.source).terminator().map_or(&[], |inst| inst.results),
            _ => &[],
        }
    }
}

/// The results written where the instruction stands: those of a terminator with targets are not.
fn results_here<D: Syntax>(data: BlockRef<'_, D>, index: usize) -> &[Dest] {
    let Some(inst) = data.insts().get(index) else { return &[] };
    let is_copy = matches!(inst.action, Action::Copy);
    let ends_block = index + 1 == data.insts().len() && !inst.targets.is_empty();
    if is_copy || ends_block { &[] } else { inst.results }
}

fn plain_args<D: Syntax>(inst: InstRef<'_, D>) -> &[Arg] {
    if matches!(inst.action, Action::Copy) { &[] } else { inst.args }
}

/// The accesses of a copy instruction, in order of its results; none for an operation.
fn copies<D: Syntax>(inst: InstRef<'_, D>) -> impl Iterator<Item = Access> + Clone {
    let len = if matches!(inst.action, Action::Copy) { inst.results.len() } else { 0 };
    inst.results[..len].iter().zip(inst.args).filter_map(|pair| match pair {
        (Dest::Variable(dest), Arg::Variable(source)) => Some(Access::Copy(*dest, *source)),
        (Dest::Variable(dest), Arg::Value(_)) => Some(Access::Write(*dest)),
        (Dest::Value(_), Arg::Variable(source)) => Some(Access::Read(*source)),
        (Dest::Value(_), Arg::Value(_)) => None,
    })
}

fn read(arg: &Arg) -> Option<Variable> {
    match *arg {
        Arg::Variable(variable) => Some(variable),
        Arg::Value(_) => None,
    }
}

fn used(arg: &Arg) -> Option<Value> {
    match *arg {
        Arg::Value(value) => Some(value),
        Arg::Variable(_) => None,
    }
}

fn written(dest: &Dest) -> Option<Variable> {
    match *dest {
        Dest::Variable(variable) => Some(variable),
        Dest::Value(_) => None,
    }
}

fn defined(dest: &Dest) -> Option<Value> {
    match *dest {
        Dest::Value(value) => Some(value),
        Dest::Variable(_) => None,
    }
}

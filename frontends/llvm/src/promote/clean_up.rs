//! The last step of LLVM's promotion: phis of one value and undefined ones.
//!
//! A new phi goes if all its operands are one value, itself or undefined; where one is undefined, the value has to dominate
//! the phi, for elsewhere it is not there, and from LLVM 20 on it must not be poison. A constant that divides is
//! not there either. Edges from unreachable blocks do not count, and get poison in the end (LLVM 16 and before: undef).

use super::Undefined;
use crate::dialect::{Constant, Kind, Llvm, RESULT};
use crate::function::LlvmFunction;
use crate::poison::{Values as Poison, is_undefined, may_trap};
use ssaphire::graph::{CfgError, DominatorTree, FlatCfg, IdMap, IdSet};
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Dest, Function, ValueKind};

/// A phi of a promoted slot.
struct NewPhi {
    block: Block,
    value: Value,
    /// From reachable blocks.
    operands: Vec<Value>,
}

pub(super) fn clean_up(function: &mut LlvmFunction, undefined: Undefined) -> Result<(), CfgError> {
    let tree = DominatorTree::new(&FlatCfg::new(&function.body)?);
    let phis = new_phis(function, &tree);
    if phis.is_empty() {
        return Ok(());
    }
    let mut cleaner = Cleaner::new(function, &tree, phis, undefined);
    cleaner.run();
    let Cleaner { phis, stands_for, .. } = cleaner;
    let body = &mut function.body;
    let resolve = |value: Value| stands_for.get(value).copied().flatten();
    if phis.iter().any(|phi| resolve(phi.value).is_some()) {
        let final_of = |mut value: Value| {
            while let Some(by) = resolve(value) {
                value = by;
            }
            value
        };
        body.map_uses(final_of);
        // The phis of a block come one after the other.
        for of_block in phis.chunk_by(|one, other| one.block == other.block) {
            if of_block.iter().any(|phi| resolve(phi.value).is_some()) {
                body.retain_phis(of_block[0].block, |other| resolve(other.value).is_none());
            }
        }
    }
    let kept: IdSet<Value> = phis.iter().map(|phi| phi.value).filter(|&value| resolve(value).is_none()).collect();
    let mut blocks: Vec<Block> = phis.iter().map(|phi| phi.block).collect();
    blocks.dedup();
    let filler = if function.frame.rules.has_undef_edges { "undef" } else { "poison" };
    fill_unreachable_edges(body, &tree, (&blocks, &kept), filler);
    Ok(())
}

/// The phis of promoted slots in reachable blocks.
fn new_phis(function: &LlvmFunction, tree: &DominatorTree) -> Vec<NewPhi> {
    let body = &function.body;
    let mut phis = Vec::new();
    for block in body.blocks().filter(|&block| tree.is_reachable(block)) {
        let incoming = body.block(block).incoming();
        for phi in body.block(block).phis().iter() {
            let is_new =
                phi.variable.and_then(|variable| function.frame.info(variable)).is_some_and(|info| info.is_slot);
            if is_new {
                let edges = incoming.iter().zip(phi.operands).filter(|(edge, _)| tree.is_reachable(edge.source));
                phis.push(NewPhi { block, value: phi.value, operands: edges.map(|(_, &operand)| operand).collect() });
            }
        }
    }
    phis
}

/// Gives edges from unreachable blocks the same constant in some phis of these blocks, as LLVM does.
fn fill_unreachable_edges(
    body: &mut Function<Llvm>,
    tree: &DominatorTree,
    (blocks, phis): (&[Block], &IdSet<Value>),
    text: &str,
) {
    for &block in blocks {
        let incoming = body.block(block).incoming().iter().enumerate();
        let places: Vec<usize> =
            incoming.filter(|(_, edge)| !tree.is_reachable(edge.source)).map(|(place, _)| place).collect();
        if places.is_empty() {
            continue;
        }
        let filler = body.constant(Constant::new(text));
        let of_block = body.block(block).phis().iter().enumerate();
        let filled: Vec<usize> = of_block.filter(|(_, phi)| phis.contains(phi.value)).map(|(index, _)| index).collect();
        for index in filled {
            places.iter().for_each(|&place| body.set_operand(block, index, place, filler));
        }
    }
}

struct Cleaner<'f> {
    body: &'f Function<Llvm>,
    undefined: Undefined,
    /// Which values may be poison, if that matters.
    poison: Option<Poison<'f>>,
    tree: &'f DominatorTree,
    phis: Vec<NewPhi>,
    /// By value, the phis that use it.
    users: IdMap<Value, Vec<u32>>,
    /// By value, its block, if an instruction or a phi defines it; from the top of which on it is there.
    homes: IdMap<Value, Option<Block>>,
    stands_for: IdMap<Value, Option<Value>>,
}

impl<'f> Cleaner<'f> {
    fn new(function: &'f LlvmFunction, tree: &'f DominatorTree, phis: Vec<NewPhi>, undefined: Undefined) -> Self {
        let body = &function.body;
        let mut users: IdMap<Value, Vec<u32>> = IdMap::filled(body.num_values(), Vec::new());
        for (number, phi) in (0..).zip(&phis) {
            for &operand in phi.operands.iter().filter(|&&operand| body.value(operand).kind == ValueKind::Phi) {
                users[operand].push(number);
            }
        }
        let stands_for = IdMap::filled(body.num_values(), None);
        let poison = (!function.frame.rules.folds_to_poison).then(|| Poison::of(&function.frame, body));
        Self { body, undefined, poison, tree, phis, users, homes: homes(body), stands_for }
    }

    fn run(&mut self) {
        let mut pending: Vec<u32> = (0..self.phis.len() as u32).rev().collect();
        while let Some(number) = pending.pop() {
            let phi = &self.phis[number as usize];
            if self.stands_for[phi.value].is_some() {
                continue;
            }
            if let Some(by) = self.only_value(phi) {
                let value = phi.value;
                self.stands_for[value] = Some(by);
                let users = std::mem::take(&mut self.users[value]);
                pending.extend_from_slice(&users);
                if let Some(list) = self.users.get_mut(by) {
                    list.extend(users);
                }
            }
        }
    }

    fn resolve(&self, mut value: Value) -> Value {
        while let Some(by) = self.stands_for[value] {
            value = by;
        }
        value
    }

    /// The value that a phi can be replaced with.
    fn only_value(&self, phi: &NewPhi) -> Option<Value> {
        let (mut only, mut undefined) = (None, None);
        for &operand in &phi.operands {
            let operand = self.resolve(operand);
            if operand == phi.value {
                continue;
            }
            if is_undefined(self.body, operand) {
                let is_other = |other| self.is_poison(other) != self.is_poison(operand);
                if self.undefined == Undefined::Kept && undefined.is_some_and(is_other) {
                    return None;
                }
                // What is undef in one case and poison in another is undef.
                if undefined.is_none_or(|undefined| self.is_poison(undefined)) {
                    undefined = Some(operand);
                }
            } else if only.is_some_and(|only| only != operand) {
                return None;
            } else {
                only = Some(operand);
            }
        }
        match (only, undefined) {
            (Some(_), Some(_)) if self.undefined == Undefined::Kept => None,
            (Some(only), Some(_)) => {
                let is_good = |poison: &Poison<'_>| poison.is_never_poison_at(only, phi.block, self.tree);
                let is_there = self.dominates(only, phi.block) && !may_trap(self.body, only);
                (is_there && self.poison.as_ref().is_none_or(is_good)).then_some(only)
            }
            (only, undefined) => only.or(undefined),
        }
    }

    fn is_poison(&self, value: Value) -> bool {
        matches!(self.body.value(value).kind, ValueKind::Constant(constant) if constant.text() == "poison")
    }

    fn dominates(&self, value: Value, block: Block) -> bool {
        self.homes[value].is_none_or(|home| home != block && self.tree.dominates(home, block))
    }
}

/// By value, the block that has to dominate another one for the value to be there: `None` if it is everywhere.
fn homes(body: &Function<Llvm>) -> IdMap<Value, Option<Block>> {
    let mut homes = IdMap::filled(body.num_values(), None);
    for block in body.blocks() {
        body.block(block).phis().iter().for_each(|phi| homes[phi.value] = Some(block));
        for inst in body.block(block).insts().iter() {
            for dest in inst.results {
                if let Dest::Value(value) = *dest {
                    homes[value] = Some(home_of_result(body, block, inst.action));
                }
            }
        }
    }
    homes
}

/// The result of a terminator is there on its first edge alone.
fn home_of_result(body: &Function<Llvm>, block: Block, action: &Action<crate::dialect::Op>) -> Block {
    let is_of_terminator = matches!(action, Action::Op(op) if op.kind() == Kind::Call && op.name() == RESULT);
    let normal = body.block(block).targets().first().copied();
    match normal {
        Some(normal) if is_of_terminator && body.block(normal).incoming().len() == 1 => normal,
        // Where other edges enter, nothing else is known.
        Some(_) if is_of_terminator => block,
        _ => block,
    }
}

//! The last step: phis that merge one value, perhaps with undefined ones, stand for it where it dominates them.

use super::State;
use crate::dialect::Syntax;
use crate::function::{Dest, ValueKind};
use ssaphire_graph::{Block, IdMap, Value};

impl<D: Syntax> State<'_, D> {
    /// Folds phis until none is left that can be.
    ///
    /// Each phi that is folded has the phis that use it looked at again.
    pub(super) fn clean_up(&mut self) {
        let definers = self.definers();
        let mut users = self.phi_users();
        let mut work: Vec<usize> = (0..self.phis.len()).rev().collect();
        while let Some(index) = work.pop() {
            let value = self.phis[index].value;
            if self.resolve(value) != value {
                continue;
            }
            if let Some(by) = self.merged(index, &definers) {
                self.stands_for.grow_to(value, None);
                self.stands_for[value] = Some(by);
                self.report.phis_folded += 1;
                // Those that used it use the value now, and perhaps nothing else; the shorter list joins the longer.
                let mut freed = std::mem::take(&mut users[value]);
                work.extend_from_slice(&freed);
                users.grow_to(by, Vec::new());
                if freed.len() > users[by].len() {
                    std::mem::swap(&mut freed, &mut users[by]);
                }
                users[by].append(&mut freed);
            }
        }
    }

    /// The value that the phi can stand for.
    fn merged(&mut self, index: usize, definers: &IdMap<Value, Option<Block>>) -> Option<Value> {
        let phi = self.phis[index].value;
        let (mut one, mut undefined) = (None, None);
        for place in 0..self.phis[index].operands.len() {
            let operand = self.resolve(self.phis[index].operands[place]);
            if operand == phi || one == Some(operand) {
                continue;
            }
            if matches!(self.function.value(operand).kind, ValueKind::Undefined) {
                undefined = Some(operand);
                continue;
            }
            if one.is_some() {
                return None;
            }
            one = Some(operand);
        }
        let Some(one) = one else { return undefined };
        // Where an undefined value comes in, the other one need not have been there.
        let block = self.phis[index].block;
        let is_there = self.is_global(one)
            || definers.get(one).copied().flatten().is_some_and(|definer| self.tree.strictly_dominates(definer, block));
        (undefined.is_none() || is_there).then_some(one)
    }

    /// By value: the block that defines it, phis that were placed included.
    fn definers(&self) -> IdMap<Value, Option<Block>> {
        let mut definers = IdMap::filled(self.function.num_values(), None);
        for block in self.function.blocks() {
            let data = self.function.block(block);
            data.phis().iter().for_each(|phi| definers[phi.value] = Some(block));
            for inst in data.insts().iter() {
                // The results of a terminator are there in its normal successor.
                let at = if inst.is_terminator() { inst.targets.first().copied() } else { Some(block) };
                for dest in inst.results {
                    if let Dest::Value(value) = *dest {
                        definers[value] = at;
                    }
                }
            }
        }
        self.phis.iter().for_each(|phi| definers[phi.value] = Some(phi.block));
        definers
    }

    /// By value that an operand stands for: the phis, by position, that have it.
    fn phi_users(&mut self) -> IdMap<Value, Vec<usize>> {
        let mut users: IdMap<Value, Vec<usize>> = IdMap::filled(self.function.num_values(), Vec::new());
        for index in 0..self.phis.len() {
            for place in 0..self.phis[index].operands.len() {
                let operand = self.resolve(self.phis[index].operands[place]);
                users[operand].push(index);
            }
        }
        users
    }
}

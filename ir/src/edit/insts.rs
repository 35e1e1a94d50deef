//! Insertion, change and removal of instructions.

use crate::dialect::Syntax;
use crate::function::{Action, Arg, Code, Dest, Function, Inst, InstRef};
use ssaphire_graph::{Block, IdSet, Value};
use std::mem;

/// # Instructions
impl<D: Syntax> Function<D> {
    /// Appends an instruction to `block`. If it has targets, their edges are connected.
    ///
    /// A block is complete when its last instruction is a terminator.
    pub fn push_inst(&mut self, block: Block, inst: Inst<D>) {
        self.disconnect(block);
        self.insert(block, self.blocks[block].insts.len(), inst);
        self.connect(block);
        self.compact_if_wasteful();
    }

    /// Replaces the terminator of `block` with `inst`.
    ///
    /// If the targets are the same, the edges stay as they are.
    pub fn set_terminator(&mut self, block: Block, inst: Inst<D>) {
        let same_targets = *self.block(block).targets() == *inst.targets;
        if !same_targets {
            self.disconnect(block);
        }
        let mut len = self.blocks[block].insts.len();
        if self.block(block).terminator().is_some() {
            len -= 1;
            self.truncate(block, len);
        }
        self.insert(block, len, inst);
        if !same_targets {
            self.connect(block);
        }
        self.compact_if_wasteful();
    }

    /// Replaces the instructions of `block`.
    ///
    /// If the targets are the same, the edges stay as they are.
    pub fn set_insts(&mut self, block: Block, insts: Vec<Inst<D>>) {
        let same_targets = insts.last().map_or(&[][..], |last| &last.targets) == self.block(block).targets();
        if !same_targets {
            self.disconnect(block);
        }
        let old = self.blocks[block].insts;
        old.range().for_each(|at| self.code.discard(at));
        self.code.insts.discard(old.room());
        self.store_insts(block, insts);
        if !same_targets {
            self.connect(block);
        }
        self.compact_if_wasteful();
    }

    /// Replaces the instructions of all blocks: `insts` appends those of a block to a list.
    ///
    /// If the targets of a block are the same, its edges stay as they are.
    pub fn set_all_insts(&mut self, mut insts: impl FnMut(Block, &mut Vec<Inst<D>>)) {
        let old = mem::take(&mut self.code);
        self.code = Code::with_room_of(&old);
        let lists: Vec<_> = self.blocks.values_mut().map(|data| mem::take(&mut data.insts)).collect();
        let mut new = Vec::new();
        for (block, list) in self.blocks().zip(lists) {
            insts(block, &mut new);
            let last = old.insts.get(list).last();
            let targets = last.map_or(&[][..], |last| old.targets.span(last.targets));
            if new.last().map_or(&[][..], |last| &last.targets) == targets {
                self.store_insts(block, new.drain(..));
            } else {
                // The edges of the old terminator are disconnected with it.
                self.store_insts(block, last.map(|last| old.view(last).to_inst()));
                self.set_insts(block, mem::take(&mut new));
            }
        }
    }

    /// Stores these instructions as those of `block`; the edges stay as they are.
    fn store_insts(&mut self, block: Block, insts: impl IntoIterator<Item = Inst<D>>) {
        let Self { code, values, blocks, .. } = self;
        let insts = insts.into_iter().inspect(|inst| values.mark_results(&inst.results));
        blocks[block].insts = code.store_list(insts);
    }

    /// Inserts an instruction without targets before instruction number `index` of `block`.
    ///
    /// # Panics
    /// If the block has fewer instructions than `index`.
    pub fn insert_inst(&mut self, block: Block, index: usize, inst: Inst<D>) {
        if index == self.blocks[block].insts.len() {
            return self.push_inst(block, inst);
        }
        self.insert(block, index, inst);
        self.compact_if_wasteful();
    }

    /// Inserts instructions without targets into `block`, each before the one with its current index; the indices
    /// ascend.
    pub(crate) fn insert_insts(&mut self, block: Block, insts: impl IntoIterator<Item = (usize, Inst<D>)>) {
        let list = self.blocks[block].insts;
        let mut old = self.code.insts.get(list).to_vec().into_iter();
        let (mut merged, mut num_old) = (Vec::new(), 0);
        for (index, inst) in insts {
            merged.extend(old.by_ref().take(index - num_old));
            num_old = index;
            self.values.mark_results(&inst.results);
            merged.push(self.code.store(inst));
        }
        merged.extend(old);
        self.code.insts.discard(list.len());
        self.blocks[block].insts = self.code.insts.add_list(merged);
        self.compact_if_wasteful();
    }

    /// Keeps the instructions of `block` for which `keep` returns true; if the terminator is removed, so are its edges.
    pub fn retain_insts(&mut self, block: Block, mut keep: impl FnMut(InstRef<'_, D>) -> bool) {
        let kept: Vec<bool> = self.block(block).insts().iter().map(&mut keep).collect();
        let loses_edges = kept.last() == Some(&false);
        if loses_edges {
            self.disconnect(block);
        }
        self.keep_insts(block, |index| kept[index]);
        if loses_edges {
            self.connect(block);
        }
        self.compact_if_wasteful();
    }

    /// Removes the instructions of `block` that define one of these values. None of them is a terminator.
    pub(crate) fn drop_insts_that_make(&mut self, block: Block, values: &IdSet<Value>) {
        let Self { blocks, code, .. } = self;
        let list = &mut blocks[block].insts;
        let first = list.range().start;
        let mut dropped = Vec::new();
        for (index, inst) in code.insts.get(*list).iter().enumerate() {
            let makes = |dest: &Dest| matches!(*dest, Dest::Value(value) if values.contains(value));
            if code.results.span(inst.results).iter().any(makes) {
                dropped.push(index);
            }
        }
        dropped.iter().for_each(|&index| code.discard(first + index));
        let mut next = dropped.iter().copied().peekable();
        code.insts.retain(list, |index| next.next_if_eq(&index).is_none());
        self.compact_if_wasteful();
    }

    /// Rewrites the arguments and results of the instructions of `block`, in place.
    ///
    /// Called once per instruction with its arguments and results; values
    /// that became results are marked as such afterwards.
    pub fn rewrite_block(&mut self, block: Block, mut rewrite: impl FnMut(&Action<D::Op>, &mut [Arg], &mut [Dest])) {
        for at in self.blocks[block].insts.range() {
            let data = &self.code.insts.all()[at];
            let args = self.code.args.span_mut(data.args);
            rewrite(&data.action, args, self.code.results.span_mut(data.results));
            self.mark_results(at);
        }
    }

    /// Replaces every value that an instruction uses with the result of `new`.
    pub(crate) fn map_args(&mut self, mut new: impl FnMut(Value) -> Value) {
        // The pool also contains arguments that belong to no instruction any more: `new` must not see them.
        for at in self.blocks.values().flat_map(|data| data.insts.range()) {
            for arg in self.code.args.span_mut(self.code.insts.all()[at].args) {
                if let Arg::Value(value) = arg {
                    *value = new(*value);
                }
            }
        }
    }

    /// Keeps instructions of `block` by position; the edges stay as they are.
    pub(crate) fn keep_insts(&mut self, block: Block, mut keep: impl FnMut(usize) -> bool) {
        let list = self.blocks[block].insts;
        let mut kept = Vec::with_capacity(list.len());
        for (index, at) in list.range().enumerate() {
            kept.push(keep(index));
            if !kept[index] {
                self.code.discard(at);
            }
        }
        self.code.insts.retain(&mut self.blocks[block].insts, |index| kept[index]);
    }

    /// Removes all but the first `len` instructions of `block`; the edges stay as they are.
    fn truncate(&mut self, block: Block, len: usize) {
        self.keep_insts(block, |index| index < len);
    }

    /// Changes an argument.
    pub(crate) fn set_arg(&mut self, block: Block, index: usize, arg: usize, value: Value) {
        let inst = &self.code.insts.get(self.blocks[block].insts)[index];
        self.code.args.span_mut(inst.args)[arg] = Arg::Value(value);
    }

    /// Changes a target of the terminator; the edges stay as they are.
    pub(crate) fn set_target(&mut self, block: Block, slot: usize, target: Block) {
        if let Some(terminator) = self.code.insts.get(self.blocks[block].insts).last() {
            self.code.targets.span_mut(terminator.targets)[slot] = target;
        }
    }

    /// Inserts an instruction before number `index`; the edges stay as they are.
    pub(crate) fn insert(&mut self, block: Block, index: usize, inst: Inst<D>) {
        self.values.mark_results(&inst.results);
        let data = self.code.store(inst);
        self.code.insts.insert(&mut self.blocks[block].insts, index, data);
    }

    fn mark_results(&mut self, at: usize) {
        self.values.mark_results(self.code.results.span(self.code.insts.all()[at].results));
    }
}

#[cfg(test)]
mod tests {
    use crate::basic::{Basic, Op, Type};
    use crate::{Function, Inst};

    #[test]
    fn instructions_of_all_blocks_are_replaced_and_edges_follow_their_terminators() {
        let mut function = Function::<Basic>::new("f");
        let [a, b, c] = [(); 3].map(|()| function.create_block());
        let (one, phi) = (function.constant(1), function.new_value(None, Type::Number));
        function.push_inst(a, Inst::op(Op::Branch, [one]).with_targets([b, c]));
        function.push_inst(b, Inst::jump(c));
        function.insert_phi(c, phi, None, |_| one);
        function.push_inst(c, Inst::op(Op::Return, [phi]));
        let mut changed = function.clone();
        changed.set_all_insts(|block, insts| {
            assert!(insts.is_empty());
            if block == b {
                insts.push(Inst::op(Op::Print, [one]));
            }
            let old = function.block(block).insts().to_vec();
            insts.extend(if block == a { vec![Inst::jump(b)] } else { old });
        });
        assert_eq!(changed.check_form(), []);
        let sources = |block| changed.block(block).incoming().iter().map(|edge| edge.source).collect::<Vec<_>>();
        assert_eq!([a, b, c].map(sources), [vec![], vec![a], vec![b]]);
        assert_eq!(changed.block(b).insts().len(), 2);
        assert_eq!(changed.block(c).phis().iter().map(|phi| phi.operands.to_vec()).collect::<Vec<_>>(), [[one]]);
        let mut same = function.clone();
        same.set_all_insts(|block, insts| insts.extend(function.block(block).insts().to_vec()));
        assert_eq!(same, function);
    }
}

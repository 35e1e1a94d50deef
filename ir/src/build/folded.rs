//! What a builder of functions does where operations are folded.

use super::BuildError;
use super::function_builder::FunctionBuilder;
use crate::dialect::Dialect;
use crate::fold::FoldingHost;
use crate::function::{Dest, Function, ValueKind};
use crate::passes::{remove_unreachable_blocks, remove_unused};
use ssaphire::graph::IdSet;
use ssaphire::{Block, SsaBuilder, Value};

impl<D: Dialect, B: SsaBuilder> FunctionBuilder<'_, D, B> {
    /// The result of an operation, by an instruction or otherwise.
    pub(super) fn push_folded(
        &mut self,
        block: Block,
        op: D::Op,
        args: &[Value],
        ty: D::Type,
    ) -> Result<Value, BuildError> {
        let Some(folding) = self.folding.as_deref_mut() else { return Err(BuildError::NoCurrentBlock) };
        let Some(operator) = folding.state.number(&op) else { return Ok(self.push_unfolded(block, op, args, ty)) };
        let mut host = FoldingHost { host: &mut self.host, folding: &mut folding.state, ty };
        Ok(folding.folder.apply(self.ssa, &mut host, block, operator, args)?)
    }

    /// Ends the current block by a branch, of which one target may be left.
    pub(super) fn terminate_folded(
        &mut self,
        block: Block,
        op: D::Op,
        args: &[Value],
        targets: &[Block],
    ) -> Result<(), BuildError> {
        let Some(folding) = self.folding.as_deref_mut() else { return Err(BuildError::NoCurrentBlock) };
        let slot = match folding.state.number_branch(&op) {
            Some(operator) => {
                let host = FoldingHost { host: &mut self.host, folding: &mut folding.state, ty: D::Type::default() };
                folding.folder.terminate(self.ssa, &host, block, (operator, args), targets)?
            }
            None => {
                self.ssa.try_terminate(block, targets)?;
                None
            }
        };
        match slot.and_then(|slot| targets.get(slot as usize)) {
            Some(&target) => self.append_terminator(D::jump(), &[], &[target]),
            None => self.append_terminator(op, args, targets),
        }
        Ok(())
    }

    /// Seals a block, and looks again at what uses the phis that were forwarded.
    pub(super) fn seal_folded(&mut self, block: Block) -> Result<(), BuildError> {
        let Some(folding) = self.folding.as_deref_mut() else { return Ok(()) };
        self.ssa.try_seal_block(&mut folding.folder.watch(&mut self.host), block)?;
        let mut host = FoldingHost { host: &mut self.host, folding: &mut folding.state, ty: D::Type::default() };
        Ok(folding.folder.resimplify(self.ssa, &mut host)?)
    }

    /// Ends the function, without the instructions that were replaced and the blocks that nothing leads to.
    pub(super) fn finish_folded(mut self) -> Result<Function<D>, BuildError> {
        let Some(folding) = self.folding.as_deref_mut() else { return Err(BuildError::NoCurrentBlock) };
        remove_insts(&mut self.host.function, &folding.state.removed);
        let result = self.ssa.finish(&mut self.host)?;
        self.host.write(&result);
        if self.ssa.is_recording() {
            folding.state.keep_constants(&self.host.function);
        }
        self.ssa.compare(&self.host);
        if self.has_skipped || folding.stats().branches > 0 {
            remove_unreachable_blocks(&mut self.host.function)?;
        }
        if folding.stats().folded() > 0 {
            // What was computed for operations that have been folded since.
            remove_unused(&mut self.host.function);
        }
        Ok(self.host.function)
    }
}

/// Removes the instructions that make these values.
fn remove_insts<D: Dialect>(function: &mut Function<D>, values: &[Value]) {
    if values.is_empty() {
        return;
    }
    let mut removed = IdSet::new();
    for &value in values {
        removed.insert(value);
        // Like a phi, it is nothing of its own: what uses it may use a phi.
        function.values.record_mut(value).kind = ValueKind::Detached;
    }
    for block in function.blocks() {
        let is_removed = |dest: &Dest| matches!(*dest, Dest::Value(value) if removed.contains(value));
        function.retain_insts(block, |inst| !inst.results.iter().any(is_removed));
    }
}

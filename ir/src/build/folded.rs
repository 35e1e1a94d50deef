//! The builder of functions with folding of operations.

use super::BuildError;
use super::function_builder::FunctionBuilder;
use crate::dialect::Semantics;
use crate::fold::{Folding, FoldingHost};
use crate::function::{Dest, Function, Span, ValueKind};
use crate::passes::{remove_unreachable_blocks, remove_unused};
use ssaphire::graph::{IdMap, IdSet};
use ssaphire::{Block, SsaBuilder, Value};

impl<D: Semantics, B: SsaBuilder> FunctionBuilder<'_, D, B> {
    /// Computes the result of an operation, with an instruction or by folding.
    pub(super) fn push_folded(
        &mut self,
        block: Block,
        op: D::Op,
        args: &[Value],
        ty: D::Type,
    ) -> Result<Value, BuildError> {
        let Some(folding) = self.folding.as_deref_mut() else { return Err(BuildError::NoCurrentBlock) };
        let Some(operator) = folding.state.number(&op) else { return self.push_opaque(block, op, args, ty) };
        let mut host = FoldingHost { host: &mut self.host, folding: &mut folding.state, ty };
        Ok(folding.folder.apply(self.ssa, &mut host, block, operator, args)?)
    }

    /// Appends an instruction whose result may be known to identities by its kind.
    fn push_opaque(&mut self, block: Block, op: D::Op, args: &[Value], ty: D::Type) -> Result<Value, BuildError> {
        let (Some(known_as), Some(folding)) = (D::known_as(&op), self.folding.as_deref_mut()) else {
            return Ok(self.push_unfolded(block, op, args, ty));
        };
        let operator = folding.state.number_opaque(&known_as);
        let function = &mut self.host.function;
        let (result, start) = (function.values.push(ValueKind::Result, ty, None), function.code.results.end());
        function.code.results.append(Dest::Value(result));
        folding.folder.note_opaque(self.ssa, block, result, operator)?;
        self.append(op, args, Span::one(start), Span::default());
        Ok(result)
    }

    /// Ends the current block with a branch, which may fold to a jump.
    pub(super) fn terminate_folded(
        &mut self,
        block: Block,
        op: D::Op,
        args: &[Value],
        targets: &[Block],
    ) -> Result<(), BuildError> {
        if let (&[condition], &[first, second]) = (args, targets)
            && let Some(negated) = self.negated(&op, condition)
        {
            if let Some(folding) = self.folding.as_deref_mut() {
                folding.state.maybe_unused.push(condition);
            }
            return self.terminate_decided(block, op, &[negated], &[second, first]);
        }
        self.terminate_decided(block, op, args, targets)
    }

    /// The operand of the negation that computes the branch's condition, if it is one.
    fn negated(&mut self, op: &D::Op, condition: Value) -> Option<Value> {
        let folding = self.folding.as_deref().filter(|folding| folding.options().identities)?;
        let (operator, args) = folding.folder.computation(self.ssa.resolve(condition))?;
        let &[negated] = args else { return None };
        D::branches_on_negation(op, folding.state.op(operator)?).then_some(negated)
    }

    fn terminate_decided(
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

    /// Seals a block, and revisits the users of the phis that were forwarded.
    pub(super) fn seal_folded(&mut self, block: Block) -> Result<(), BuildError> {
        let Some(folding) = self.folding.as_deref_mut() else { return Ok(()) };
        self.ssa.try_seal_block(&mut folding.folder.watch(&mut self.host), block)?;
        let mut host = FoldingHost { host: &mut self.host, folding: &mut folding.state, ty: D::Type::default() };
        Ok(folding.folder.resimplify(self.ssa, &mut host)?)
    }

    /// Ends the function, without replaced instructions and unreachable blocks.
    pub(super) fn finish_folded(mut self) -> Result<Box<Function<D>>, BuildError> {
        let Some(folding) = self.folding.as_deref_mut() else { return Err(BuildError::NoCurrentBlock) };
        remove_insts(&mut self.host.function, &folding.state.removed);
        let is_recording = self.ssa.is_recording();
        let result = self.ssa.finish(&mut self.host)?;
        self.host.write(&result);
        if is_recording {
            folding.state.keep_constants(&self.host.function);
        }
        let unused = Unused::of(&self.host.function, folding, |value| result.resolve(value));
        self.ssa.compare(&self.host);
        unused.remove(&mut self.host.function);
        if self.has_skipped || folding.stats().branches > 0 {
            remove_unreachable_blocks(&mut self.host.function)?;
        }
        Ok(self.host.function)
    }
}

/// Values that were operands of operations folded since, and that nothing else uses.
#[derive(Default)]
struct Unused {
    values: IdSet<Value>,
    /// The blocks that define them.
    blocks: Vec<Block>,
    /// Whether a phi has lost a use: phis may use only each other.
    is_phi_concerned: bool,
}

impl Unused {
    fn of<D: Semantics>(function: &Function<D>, folding: &Folding<D>, resolve: impl Fn(Value) -> Value) -> Self {
        let mut unused = Self::default();
        let maybe_unused = folding.folder.maybe_unused().iter().chain(&folding.state.maybe_unused);
        let mut pending: Vec<Value> = maybe_unused.map(|&value| resolve(value)).collect();
        if pending.is_empty() {
            return unused;
        }
        let mut num_uses = IdMap::filled(function.num_values(), 0_u32);
        function.for_each_use(|value| num_uses[value] += 1);
        while let Some(value) = pending.pop() {
            let Some((operator, args)) = folding.folder.computation(value) else { continue };
            let has_effect = folding.state.op(operator).is_none_or(|op| D::properties(op).has_effect);
            if has_effect || num_uses[value] > 0 || !unused.values.insert(value) {
                continue;
            }
            unused.blocks.extend(folding.folder.computed_in(value));
            for arg in args.iter().map(|&arg| resolve(arg)) {
                num_uses[arg] -= 1;
                unused.is_phi_concerned |= function.value(arg).kind == ValueKind::Phi;
                pending.push(arg);
            }
        }
        unused
    }

    fn remove<D: Semantics>(mut self, function: &mut Function<D>) {
        self.blocks.sort_unstable();
        self.blocks.dedup();
        for block in self.blocks {
            function.drop_insts_that_make(block, &self.values);
        }
        if self.is_phi_concerned {
            remove_unused(function);
        }
    }
}

/// Removes the instructions that define these values.
fn remove_insts<D: Semantics>(function: &mut Function<D>, values: &[Value]) {
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
        function.drop_insts_that_make(block, &removed);
    }
}

//! Resuming what was suspended.
//!
//! A `resume` is a call with more ways out: one to each label that its table
//! names for a tag. Like an exception, what a suspension carries arrives in a
//! landing block, which goes to the label; it has one incoming edge. The
//! exceptions that the resumed code throws go to the handlers around.
//!
//! A table that lets its tag `switch` names no label. It is not covered.

use super::structure::Kind;
use super::structure::signature;
use super::{Outcome, Translation, unsupported};
use crate::dialect::{Immediates, Op, Opcode, Type};
use ssaphire::{Block, SsaBuilder};
use wasmparser::{Handle, Operator, ResumeTable, WasmModuleResources};

impl<B: SsaBuilder> Translation<'_, '_, B> {
    /// An operator that resumes: it takes so many operands, and leaves so many.
    pub(super) fn resume(
        &mut self,
        operator: &Operator<'_>,
        args: usize,
        results: usize,
        table: &ResumeTable,
    ) -> Outcome {
        let on_label = |handle: &Handle| match *handle {
            Handle::OnLabel { tag, label } => Ok((tag, label)),
            Handle::OnSwitch { .. } => Err(unsupported(operator)),
        };
        let labels: Vec<(u32, u32)> = table.handlers.iter().map(on_label).collect::<Result<_, _>>()?;
        self.spend(labels.len())?;
        let landings: Vec<Block> = labels.iter().map(|_| self.builder.create_block()).collect();
        self.throwing_past(self.op(operator)?, self.below(args), results, &landings)?;
        let next = self.builder.current();
        for ((tag, label), landing) in labels.into_iter().zip(landings) {
            self.builder.seal(landing)?;
            self.builder.switch_to(landing);
            let types = self.suspended_types(tag, label)?;
            let op = Op { opcode: Opcode::Suspended, immediates: Immediates::Index(tag) };
            let suspended = self.builder.push(op, &[], &types)?;
            self.carry(label, &suspended)?;
        }
        if let Some(next) = next {
            self.builder.switch_to(next);
        }
        Ok(())
    }

    /// The types of what a suspension carries, and of the continuation as the label takes it.
    fn suspended_types(&self, tag: u32, label: u32) -> Outcome<Vec<Type>> {
        let params = self.validator.resources().tag_at(tag).map_or(&[][..], |ty| ty.params());
        let frame = &self.scratch.frames[self.frame_at(label)?];
        let (begins, ends) = signature(&self.validator, &frame.ty);
        let continuation = if matches!(frame.kind, Kind::Loop) { begins.last() } else { ends.last() };
        Ok(params.iter().chain(continuation).map(|&ty| self.module.numbered(ty)).collect())
    }
}

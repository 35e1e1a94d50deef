//! Resuming of suspended computations.
//!
//! A `resume` is a call with more outgoing edges: one to each label that its
//! table names for a tag. Like that of an exception, the payload of a
//! suspension arrives in a landing block, which has one incoming edge and jumps
//! to the label. Exceptions thrown by the resumed code go to the enclosing
//! handlers.
//!
//! A table with a `switch` for a tag names no label. It is not supported.

use super::structure::Kind;
use super::structure::signature;
use super::{Outcome, Translation, unsupported};
use crate::dialect::{Immediates, Op, Opcode, Type};
use ssaphire::{Block, SsaBuilder};
use wasmparser::{Handle, Operator, ResumeTable, WasmModuleResources};

impl<B: SsaBuilder> Translation<'_, '_, B> {
    /// Translates a resuming operator, which takes `args` operands and leaves `results`.
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

    /// The types of the payload of a suspension, and of the continuation as the label takes it.
    fn suspended_types(&self, tag: u32, label: u32) -> Outcome<Vec<Type>> {
        let params = self.validator.resources().tag_at(tag).map_or(&[][..], |ty| ty.params());
        let frame = &self.scratch.frames[self.frame_at(label)?];
        let (begins, ends) = signature(&self.validator, &frame.ty);
        let continuation = if matches!(frame.kind, Kind::Loop) { begins.last() } else { ends.last() };
        Ok(params.iter().chain(continuation).map(|&ty| self.module.numbered(ty)).collect())
    }
}

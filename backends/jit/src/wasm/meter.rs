//! Counting of steps and calls, so that a run can be limited.
//!
//! A step is an operator that computes, calls, or chooses an edge; each
//! iteration of a loop takes one more. So there are never more steps than the
//! interpreter counts. A stretch of straight-line operators is counted at its
//! beginning, by a constant that is patched at its end.

use super::translation::Translation;
use super::trap::Reason;
use crate::Front;
use crate::context::{FRAMES, MAX_FRAMES, STEPS};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::immediates::Imm64;
use cranelift_codegen::ir::{InstBuilder, InstructionData, MemFlagsData, Value, types};
use types::I64;
use wasmparser::Operator;

impl<'f, F: Front<'f>> Translation<'_, 'f, F> {
    /// Begins a stretch: control may reach the next operators without the previous ones, or the reverse.
    pub(super) fn begin_stretch(&mut self) {
        let Some(meter) = &mut self.meter else { return };
        if let Some(number) = meter.number.take()
            && let InstructionData::UnaryImm { imm, .. } = &mut self.builder.func_mut().dfg.insts[number]
        {
            *imm = Imm64::new(meter.count);
        }
        meter.count = 0;
    }

    /// Patches the constant of the open stretch.
    pub(super) fn stop_metering(&mut self) {
        self.begin_stretch();
        self.meter = None;
    }

    /// Counts an operator before its translation.
    pub(super) fn count_step(&mut self, operator: &Operator<'_>) {
        if takes_step(operator) {
            self.count_one();
        }
    }

    /// Counts an arrival at a loop header.
    pub(super) fn count_way_back(&mut self) {
        self.count_one();
    }

    fn count_one(&mut self) {
        let Some(meter) = &mut self.meter else { return };
        meter.count += 1;
        if meter.number.is_some() {
            return;
        }
        let left = self.context(I64, STEPS);
        let count = self.builder.ins().iconst(I64, 1);
        if let Some(meter) = &mut self.meter {
            meter.number = self.builder.func().dfg.value_def(count).inst();
        }
        let is_less = self.builder.ins().icmp(IntCC::UnsignedLessThan, left, count);
        self.trap_if(is_less, Reason::Steps);
        let left = self.builder.ins().isub(left, count);
        self.store(left, STEPS);
    }

    /// Counts a call; returns the number of active calls before it.
    pub(super) fn enter_frame(&mut self) -> Option<Value> {
        self.meter.as_ref()?;
        let frames = self.context(I64, FRAMES);
        let limit = self.context(I64, MAX_FRAMES);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, frames, limit);
        self.trap_if(is_full, Reason::Frames);
        let more = self.builder.ins().iadd_imm_s(frames, 1);
        self.store(more, FRAMES);
        Some(frames)
    }

    /// Restores the number of active calls after a call has returned.
    pub(super) fn leave_frame(&mut self, frames: Option<Value>) {
        if let Some(frames) = frames {
            self.store(frames, FRAMES);
        }
    }

    fn store(&mut self, value: Value, offset: i32) {
        self.builder.ins().store(MemFlagsData::trusted(), value, self.base, offset);
    }
}

/// Whether an operator is a step.
fn takes_step(operator: &Operator<'_>) -> bool {
    !matches!(
        operator,
        Operator::Nop
            | Operator::Unreachable
            | Operator::Drop
            | Operator::LocalGet { .. }
            | Operator::LocalSet { .. }
            | Operator::LocalTee { .. }
            | Operator::I32Const { .. }
            | Operator::I64Const { .. }
            | Operator::F32Const { .. }
            | Operator::F64Const { .. }
            | Operator::Block { .. }
            | Operator::Loop { .. }
            | Operator::Else
            | Operator::End
            | Operator::Br { .. }
    )
}

//! Appends instructions one by one.

use crate::FunctionBuilder;
use cranelift_codegen::ir::{Block, DataFlowGraph, Inst, InstBuilderBase, InstructionData, Type};
use ssaphire::{Builder, SsaBuilder};

/// Appends one instruction, with the methods of [`InstBuilder`](cranelift_codegen::ir::InstBuilder).
#[derive(Debug)]
pub struct FuncInstBuilder<'short, 'long: 'short, B: SsaBuilder = Builder> {
    builder: &'short mut FunctionBuilder<'long, B>,
    block: Block,
}

impl<'short, 'long, B: SsaBuilder> FuncInstBuilder<'short, 'long, B> {
    pub(crate) fn new(builder: &'short mut FunctionBuilder<'long, B>, block: Block) -> Self {
        Self { builder, block }
    }
}

impl<'short, B: SsaBuilder> InstBuilderBase<'short> for FuncInstBuilder<'short, '_, B> {
    fn data_flow_graph(&self) -> &DataFlowGraph {
        &self.builder.func.dfg
    }

    fn data_flow_graph_mut(&mut self) -> &mut DataFlowGraph {
        &mut self.builder.func.dfg
    }

    // A front end calls this for nearly every instruction, and a frame of its own would be a third of the cost.
    #[inline(always)]
    fn build(self, data: InstructionData, type_variable: Type) -> (Inst, &'short mut DataFlowGraph) {
        let Self { builder, block } = self;
        if !builder.is_open() {
            builder.open();
        }
        // Queried first, so that the instruction need not be kept.
        let ends_block = has_terminators(&data) && data.opcode().is_terminator();
        let inst = builder.func.dfg.make_inst(data);
        builder.func.dfg.make_inst_results(inst, type_variable);
        builder.func.layout.append_inst(inst, block);
        if !builder.srcloc.is_default() {
            builder.func.set_srcloc(inst, builder.srcloc);
        }
        if ends_block {
            builder.fill(block, inst);
        }
        (inst, &mut builder.func.dfg)
    }

    #[cfg(not(before_0_133))]
    fn build_aux_inst(&mut self, data: InstructionData, type_variable: Type) -> Inst {
        self.builder.ins().build(data, type_variable).0
    }
}

/// Whether a terminator can have this format. If the format is a constant, so is the result.
#[inline(always)]
fn has_terminators(data: &InstructionData) -> bool {
    !matches!(
        data,
        InstructionData::Binary { .. }
            | InstructionData::FloatCompare { .. }
            | InstructionData::IntCompare { .. }
            | InstructionData::Load { .. }
            | InstructionData::Store { .. }
            | InstructionData::Ternary { .. }
            | InstructionData::Unary { .. }
            | InstructionData::UnaryImm { .. }
    )
}

#[cfg(test)]
mod tests {
    use cranelift_codegen::ir::Opcode;
    use cranelift_codegen::ir::instructions::InstructionFormat::{
        Binary, FloatCompare, IntCompare, Load, Store, Ternary, Unary, UnaryImm,
    };

    #[test]
    fn no_terminator_has_a_format_that_is_passed_over() {
        let passed_over = [Binary, FloatCompare, IntCompare, Load, Store, Ternary, Unary, UnaryImm];
        for &opcode in Opcode::all() {
            assert!(!opcode.is_terminator() || !passed_over.contains(&opcode.format()), "{opcode}");
        }
    }
}

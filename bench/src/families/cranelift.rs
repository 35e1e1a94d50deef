//! The calls, made to the builder of `cranelift-frontend`.

use super::Calls;
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::{
    Block, BlockCall, Function, InstBuilder, InstructionData, JumpTableData, Opcode, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use target_lexicon::PointerWidth;

/// A builder of `cranelift-frontend` that takes calls.
pub struct CraneliftCalls<'f> {
    builder: FunctionBuilder<'f>,
    variables: Vec<Variable>,
    /// What all branches test.
    condition: Option<Value>,
}

impl CraneliftCalls<'_> {
    /// A value without an instruction in a block: ours costs no more.
    fn new_value(&mut self) -> Value {
        let data = InstructionData::UnaryImm { opcode: Opcode::Iconst, imm: 0.into() };
        let inst = self.builder.func.dfg.make_inst(data);
        self.builder.func.dfg.make_inst_results(inst, types::I32);
        self.builder.func.dfg.first_result(inst)
    }

    fn variable(&mut self, index: u32) -> Variable {
        while self.variables.len() <= index as usize {
            self.variables.push(self.builder.declare_var(types::I32));
        }
        self.variables[index as usize]
    }

    fn condition(&mut self) -> Value {
        if let Some(condition) = self.condition {
            return condition;
        }
        let condition = self.new_value();
        *self.condition.insert(condition)
    }

    fn table(&mut self, targets: &[u32]) {
        let condition = self.condition();
        let dfg = &mut self.builder.func.dfg;
        let calls: Vec<BlockCall> = targets.iter().map(|&target| dfg.block_call(block(target), &[])).collect();
        if let Some((&default, cases)) = calls.split_last() {
            let table = self.builder.create_jump_table(JumpTableData::new(default, cases));
            self.builder.ins().br_table(condition, table);
        }
    }
}

fn block(number: u32) -> Block {
    Block::new(number as usize)
}

impl Calls for CraneliftCalls<'_> {
    fn block(&mut self) -> u32 {
        self.builder.create_block().as_u32()
    }

    fn switch(&mut self, number: u32) {
        self.builder.switch_to_block(block(number));
    }

    fn seal(&mut self, number: u32) {
        self.builder.seal_block(block(number));
    }

    fn write(&mut self, variable: u32) {
        let value = self.new_value();
        let variable = self.variable(variable);
        self.builder.def_var(variable, value);
    }

    fn read(&mut self, variable: u32) {
        let variable = self.variable(variable);
        self.builder.use_var(variable);
    }

    fn end(&mut self, targets: &[u32]) {
        match *targets {
            [] => drop(self.builder.ins().return_(&[])),
            [target] => drop(self.builder.ins().jump(block(target), &[])),
            [then, otherwise] => {
                let condition = self.condition();
                self.builder.ins().brif(condition, block(then), &[], block(otherwise), &[]);
            }
            _ => self.table(targets),
        }
    }
}

/// Makes the calls of `emit` to a new builder of `cranelift-frontend`: the number of block parameters it leaves.
pub fn build_with_cranelift(emit: impl FnOnce(&mut CraneliftCalls<'_>)) -> u64 {
    let mut function = Function::new();
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut function, &mut context);
    let mut calls = CraneliftCalls { builder, variables: Vec::new(), condition: None };
    emit(&mut calls);
    calls.builder.finalize(TargetFrontendConfig {
        default_call_conv: CallConv::SystemV,
        pointer_width: PointerWidth::U64,
        page_size_align_log2: 12,
    });
    function.layout.blocks().map(|block| function.dfg.block_params(block).len() as u64).sum()
}

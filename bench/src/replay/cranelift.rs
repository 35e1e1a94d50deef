//! A trace replayed through `cranelift-frontend`, which builds SSA as wasmtime does.
//!
//! Its builder writes instructions while it builds; the same replay without
//! reads and writes of variables ([`CraneliftReplay::skeleton`]) costs what is
//! not SSA construction. The difference is its share.

use crate::trace::{Calls, FunctionTrace, Type};
use cranelift_codegen::Context;
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::{self, BlockCall, InstBuilder, InstructionData, JumpTableData, Opcode, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_codegen::settings::{self, Configurable, Flags};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use std::ops::AddAssign;
use target_lexicon::PointerWidth;

/// The target is asked for nothing: no instruction depends on it.
const TARGET: TargetFrontendConfig = TargetFrontendConfig {
    default_call_conv: CallConv::SystemV,
    pointer_width: PointerWidth::U64,
    page_size_align_log2: 12,
};

/// Block parameters, and the arguments that branches pass to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// Block parameters: phis.
    pub params: u64,
    /// Arguments: operands.
    pub arguments: u64,
}

impl AddAssign for Params {
    fn add_assign(&mut self, other: Self) {
        self.params += other.params;
        self.arguments += other.arguments;
    }
}

/// Replays functions through one function builder, in one memory.
pub struct CraneliftReplay {
    /// The function, in the place where passes want it.
    context: Context,
    builder: FunctionBuilderContext,
    values: Vec<ir::Value>,
    variables: Vec<Variable>,
    targets: Vec<BlockCall>,
}

impl Default for CraneliftReplay {
    fn default() -> Self {
        Self {
            context: Context::new(),
            builder: FunctionBuilderContext::new(),
            values: Vec::new(),
            variables: Vec::new(),
            targets: Vec::new(),
        }
    }
}

impl CraneliftReplay {
    /// Builds one function.
    #[inline(never)]
    pub fn replay(&mut self, function: FunctionTrace<'_>) {
        self.run::<true>(function);
    }

    /// Makes the blocks, instructions and seals of one function, and no read or write.
    #[inline(never)]
    pub fn skeleton(&mut self, function: FunctionTrace<'_>) {
        self.run::<false>(function);
    }

    #[inline(always)]
    fn run<const SSA: bool>(&mut self, function: FunctionTrace<'_>) {
        self.context.func.clear();
        self.values.clear();
        self.variables.clear();
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        self.variables.extend(function.types().iter().map(|&ty| builder.declare_var(type_of(ty))));
        let mut replay = Replay::<SSA> {
            builder,
            values: &mut self.values,
            variables: &self.variables,
            targets: &mut self.targets,
            condition: None,
        };
        function.replay(&mut replay);
        replay.builder.finalize(TARGET);
    }

    /// The parameters of the last function.
    pub fn params(&self) -> Params {
        let function = &self.context.func;
        let mut found = Params::default();
        for block in function.layout.blocks() {
            found.params += function.dfg.block_params(block).len() as u64;
            let Some(last) = function.layout.last_inst(block) else { continue };
            let data = &function.dfg.insts[last];
            for call in data.branch_destination(&function.dfg.jump_tables, &function.dfg.exception_tables) {
                found.arguments += call.len(&function.dfg.value_lists) as u64;
            }
        }
        found
    }

    /// Runs the pass that removes constant phis on the last function.
    ///
    /// # Panics
    /// If the pass refuses the function.
    pub fn remove_constant_phis(&mut self) {
        self.context.cfg.clear();
        self.context.domtree.clear();
        self.context.compute_cfg();
        self.context.compute_domtree();
        self.context.remove_constant_phis(&flags()).expect("the verifier is off");
    }
}

fn flags() -> Flags {
    let mut builder = settings::builder();
    builder.set("enable_verifier", "false").expect("the setting is there");
    Flags::new(builder)
}

fn type_of(ty: Type) -> ir::Type {
    match ty {
        Type::I32 => types::I32,
        Type::I64 => types::I64,
        Type::F32 => types::F32,
        Type::F64 => types::F64,
        Type::V128 => types::I8X16,
    }
}

fn block(number: u32) -> ir::Block {
    ir::Block::new(number as usize)
}

/// One function on its way through the function builder.
struct Replay<'a, const SSA: bool> {
    builder: FunctionBuilder<'a>,
    values: &'a mut Vec<ir::Value>,
    variables: &'a [Variable],
    targets: &'a mut Vec<BlockCall>,
    /// What branches test.
    condition: Option<ir::Value>,
}

impl<const SSA: bool> Replay<'_, SSA> {
    #[inline]
    fn condition(&mut self) -> ir::Value {
        self.condition.unwrap_or(ir::Value::new(0))
    }
}

impl<const SSA: bool> Calls for Replay<'_, SSA> {
    #[inline(always)]
    fn new_block(&mut self) {
        self.builder.create_block();
    }

    #[inline(always)]
    fn switch_to(&mut self, number: u32) {
        self.builder.switch_to_block(block(number));
        if self.condition.is_none() {
            self.condition = Some(self.builder.ins().iconst(types::I32, 0));
        }
    }

    #[inline(always)]
    fn seal(&mut self, number: u32) {
        self.builder.seal_block(block(number));
    }

    /// An instruction that no block holds: what the instruction is costs nothing here.
    #[inline(always)]
    fn fresh(&mut self, ty: Type) {
        let data = &mut self.builder.func.dfg;
        let inst = data.make_inst(InstructionData::UnaryImm { opcode: Opcode::Iconst, imm: 0.into() });
        data.make_inst_results(inst, type_of(ty));
        self.values.push(data.first_result(inst));
    }

    #[inline(always)]
    fn read(&mut self, variable: u32) {
        let value = match SSA {
            true => self.builder.use_var(self.variables[variable as usize]),
            false => self.condition(),
        };
        self.values.push(value);
    }

    #[inline(always)]
    fn write(&mut self, variable: u32, value: u32) {
        if SSA {
            self.builder.def_var(self.variables[variable as usize], self.values[value as usize]);
        }
    }

    #[inline(always)]
    fn jump(&mut self, target: u32) {
        self.builder.ins().jump(block(target), &[]);
    }

    #[inline(always)]
    fn branch(&mut self, [first, second]: [u32; 2]) {
        let condition = self.condition();
        self.builder.ins().brif(condition, block(first), &[], block(second), &[]);
    }

    #[inline(always)]
    fn table(&mut self, targets: &[u32]) {
        let condition = self.condition();
        self.targets.clear();
        for &target in targets {
            self.targets.push(self.builder.func.dfg.block_call(block(target), &[]));
        }
        match self.targets.split_last() {
            Some((&default, others)) => {
                let table = self.builder.create_jump_table(JumpTableData::new(default, others));
                self.builder.ins().br_table(condition, table);
            }
            None => self.leave(),
        }
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.builder.ins().return_(&[]);
    }
}

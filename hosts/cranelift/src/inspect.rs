//! Queries about the function under construction, declarations, and retargeting of branches.

#[cfg(not(before_0_134))]
use crate::MakeAliasRegion;
use crate::error::FinalizeError;
use crate::ids;
use crate::{FunctionBuilder, Variable};
use alloc::vec::Vec;
use cranelift_codegen::ir::{
    self, Block, DynamicStackSlot, DynamicStackSlotData, ExtFuncData, FuncRef, GlobalValue, GlobalValueData, Inst,
    JumpTable, JumpTableData, SigRef, Signature, StackSlot, StackSlotData, Type, Value, ValueLabel,
};
use ssaphire::SsaBuilder;

impl<B: SsaBuilder> FunctionBuilder<'_, B> {
    /// Appends a parameter to a block that has no instructions or uses of variables yet.
    pub fn append_block_param(&mut self, block: Block, ty: Type) -> Value {
        debug_assert!(self.is_pristine(block), "{block}: a parameter is appended after instructions");
        self.func.dfg.append_block_param(block, ty)
    }

    /// Appends the parameters of the function to the block, which must become the entry.
    pub fn append_block_params_for_function_params(&mut self, block: Block) {
        debug_assert!(self.context.state.blocks[block].num_branches == 0, "{block}: branched to, so not the entry");
        for index in 0..self.func.signature.params.len() {
            let ty = self.func.signature.params[index].value_type;
            self.append_block_param(block, ty);
        }
    }

    /// Appends a parameter for each return value of the function.
    pub fn append_block_params_for_function_returns(&mut self, block: Block) {
        for index in 0..self.func.signature.returns.len() {
            let ty = self.func.signature.returns[index].value_type;
            self.append_block_param(block, ty);
        }
    }

    /// The parameters that the front end has appended to the block so far.
    pub fn block_params(&self, block: Block) -> &[Value] {
        self.func.dfg.block_params(block)
    }

    /// The results of an instruction.
    pub fn inst_results(&self, inst: Inst) -> &[Value] {
        self.func.dfg.inst_results(inst)
    }

    /// The signature with this number.
    pub fn signature(&self, signature: SigRef) -> Option<&Signature> {
        self.func.dfg.signatures.get(signature)
    }

    /// Whether the current block is trivially unreachable: sealed, not the entry, and without incoming branches.
    ///
    /// # Panics
    /// If no block was switched to.
    pub fn is_unreachable(&self) -> bool {
        let block = self.position.expect("a block is switched to first");
        self.context.ssa.builder().is_unreachable(ids::block(block))
    }

    /// Redirects the branches of `inst` from `old_block` to `new_block`, with the same arguments.
    ///
    /// Neither block may be sealed, and `old_block` may have no instructions or uses of variables; otherwise
    /// [`try_finalize`](Self::try_finalize) returns an error.
    pub fn change_jump_destination(&mut self, inst: Inst, old_block: Block, new_block: Block) {
        let Some(from) = self.func.layout.inst_block(inst) else { panic!("{inst}: in no block") };
        let dfg = &mut self.func.dfg;
        let calls = dfg.insts[inst].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables);
        for (slot, call) in (0..).zip(calls) {
            if call.block(&dfg.value_lists) != old_block {
                continue;
            }
            call.set_block(new_block, &mut dfg.value_lists);
            let result = self.context.ssa.try_redirect_edge(ids::block(from), slot, ids::block(new_block));
            let state = &mut self.context.state;
            match result {
                Ok(_) => {
                    state.blocks[old_block].num_branches -= 1;
                    state.blocks[new_block].num_branches += 1;
                    state.note_if_deserted(old_block);
                }
                Err(error) => state.fail(FinalizeError::Call(error)),
            }
        }
    }

    /// Names the value in debug information, if [`collect_debug_info`](ir::DataFlowGraph::collect_debug_info) was called.
    pub fn set_val_label(&mut self, value: Value, label: ValueLabel) {
        let from = ir::RelSourceLoc::from_base_offset(self.func.params.base_srcloc(), self.srcloc);
        let Some(labels) = self.func.stencil.dfg.values_labels.as_mut() else { return };
        let start = ir::ValueLabelStart { from, label };
        let entry = labels.entry(value).or_insert_with(|| ir::ValueLabelAssignments::Starts(Vec::new()));
        match entry {
            ir::ValueLabelAssignments::Starts(starts) => starts.push(start),
            ir::ValueLabelAssignments::Alias { .. } => panic!("{value}: labelled, but it is an alias"),
        }
    }

    /// Declares that the variable contains a reference, which goes into stack maps. Call this before the first
    /// definition.
    ///
    /// # Panics
    /// If the variable was not declared, or is larger than 16 bytes.
    pub fn declare_var_needs_stack_map(&mut self, variable: Variable) {
        let size = self.context.state.host.types[variable].bytes();
        assert!(size <= 16, "{variable}: {size} bytes do not fit into a stack map");
        self.context.state.mapped_variables.insert(variable);
    }

    /// Declares that the value is a reference, which goes into the stack maps of the calls across which it is live.
    ///
    /// # Panics
    /// If the value is larger than 16 bytes, or its size is no power of two.
    pub fn declare_value_needs_stack_map(&mut self, value: Value) {
        let size = self.func.dfg.value_type(value).bytes();
        assert!(size <= 16 && size.is_power_of_two(), "{value}: {size} bytes do not fit into a stack map");
        self.context.state.mapped_values.insert(value);
    }

    /// Sets the alias region of the stores and loads that stack maps need.
    ///
    /// The function receives the type, the slot, and the offset in the slot.
    #[cfg(not(before_0_134))]
    pub fn make_stack_map_alias_region(&mut self, make_alias_region: MakeAliasRegion) {
        self.context.make_alias_region = Some(make_alias_region);
    }

    /// Adds a jump table, for `br_table`.
    pub fn create_jump_table(&mut self, data: JumpTableData) -> JumpTable {
        self.func.create_jump_table(data)
    }

    /// Adds a stack slot of fixed size.
    pub fn create_sized_stack_slot(&mut self, data: StackSlotData) -> StackSlot {
        self.func.create_sized_stack_slot(data)
    }

    /// Adds a stack slot of dynamic size.
    pub fn create_dynamic_stack_slot(&mut self, data: DynamicStackSlotData) -> DynamicStackSlot {
        self.func.create_dynamic_stack_slot(data)
    }

    /// Adds a signature, for functions that are imported or called indirectly.
    pub fn import_signature(&mut self, signature: Signature) -> SigRef {
        self.func.import_signature(signature)
    }

    /// Adds a function that can be called.
    pub fn import_function(&mut self, data: ExtFuncData) -> FuncRef {
        self.func.import_function(data)
    }

    /// Adds a global value.
    pub fn create_global_value(&mut self, data: GlobalValueData) -> GlobalValue {
        self.func.create_global_value(data)
    }
}

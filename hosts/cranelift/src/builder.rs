//! Building a function: blocks, variables, instructions, and the end.

use crate::context::{BlockState, FunctionBuilderContext, State};
use crate::error::{DefVariableError, FinalizeError, UndefinedUse, UseVariableError};
use crate::host::HostOfBuilder;
use crate::ids;
use crate::safepoints;
use crate::versions::SlotAccess;
use crate::{FuncInstBuilder, Undefined, Variable};
use alloc::vec::Vec;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::entity::packed_option::PackedOption;
use cranelift_codegen::ir::function::FunctionStencil;
use cranelift_codegen::ir::{self, Block, Function, SourceLoc, Type, Value, ValueDef};
use cranelift_codegen::isa::TargetFrontendConfig;
use ssaphire::{Builder, CallErrorKind, Certainty, Certified, PhiHost, SsaBuilder, SsaBuilderExt};

/// Builds the Cranelift IR of one function while the front end walks its program.
///
/// Per block, call [`switch_to_block`](Self::switch_to_block), then [`use_var`](Self::use_var),
/// [`def_var`](Self::def_var) and [`ins`](Self::ins), the last instruction being a terminator. Call
/// [`seal_block`](Self::seal_block) as soon as all branches to the block exist. At the end, call
/// [`try_finalize`](Self::try_finalize).
///
/// # Contract
/// The first call of `switch_to_block` chooses the entry, to which nothing branches. Fill a block before you switch to
/// another one.
#[derive(Debug)]
pub struct FunctionBuilder<'a, B: SsaBuilder = Builder> {
    /// The function being built.
    pub func: &'a mut Function,
    pub(crate) srcloc: SourceLoc,
    pub(crate) context: &'a mut FunctionBuilderContext<B>,
    pub(crate) position: PackedOption<Block>,
    /// Whether the current block can take instructions: it is in the layout, and not filled.
    is_open: bool,
}

impl<'a, B: SsaBuilder> FunctionBuilder<'a, B> {
    /// A builder for `func`, which must have no blocks. Clears the context.
    pub fn new(func: &'a mut Function, context: &'a mut FunctionBuilderContext<B>) -> Self {
        context.clear();
        Self { func, srcloc: SourceLoc::default(), context, position: PackedOption::default(), is_open: false }
    }

    /// The SSA builder and its host.
    fn parts(&mut self) -> (&mut Certified<B>, HostOfBuilder<'_>) {
        let FunctionBuilderContext { ssa, state, .. } = &mut *self.context;
        (ssa, HostOfBuilder { func: self.func, state })
    }

    /// The block that is being filled.
    pub fn current_block(&self) -> Option<Block> {
        self.position.expand()
    }

    /// Sets the source location of the instructions that follow.
    pub fn set_srcloc(&mut self, srcloc: SourceLoc) {
        self.srcloc = srcloc;
    }

    /// The source location given to new instructions.
    pub fn srcloc(&self) -> SourceLoc {
        self.srcloc
    }

    /// Creates a block; its first instruction or use of a variable puts it into the layout.
    pub fn create_block(&mut self) -> Block {
        self.func.dfg.make_block()
    }

    /// Marks the block as rarely executed.
    pub fn set_cold_block(&mut self, block: Block) {
        self.func.layout.set_cold(block);
    }

    /// Puts `block` into the layout right after `after`, which must be in the layout.
    pub fn insert_block_after(&mut self, block: Block, after: Block) {
        self.func.layout.insert_block_after(block, after);
    }

    /// Makes `block` the current block. The first call chooses the entry.
    ///
    /// # Panics
    /// If the block is filled; in debug builds, also if the previous block has instructions but no terminator.
    pub fn switch_to_block(&mut self, block: Block) {
        debug_assert!(
            self.position.expand().is_none_or(|before| self.is_pristine(before) || self.is_filled(before)),
            "{block}: switched to before {:?} is filled",
            self.position
        );
        assert!(!self.is_filled(block), "{block}: switched to after it was filled");
        self.position = block.into();
        self.is_open = false;
        if self.context.state.entry.is_none() {
            self.context.state.entry = Some(block);
            if let Err(error) = self.context.ssa.set_entry(ids::block(block)) {
                self.context.state.fail(FinalizeError::Call(error));
            }
        }
        if core::mem::take(&mut State::block_mut(&mut self.context.state.blocks, block).is_sealed_early) {
            self.seal_now(block);
        }
    }

    /// Seals `block`: all branches to it exist.
    pub fn seal_block(&mut self, block: Block) {
        let State { entry, blocks, .. } = &mut self.context.state;
        let state = State::block_mut(blocks, block);
        if state.num_branches > 0 {
            self.seal_in_builder(block);
        } else if *entry == Some(block) || state.is_started || self.position == block.into() {
            self.seal_now(block);
        } else {
            // The block may never be switched to; then it need not be filled.
            state.is_sealed_early = true;
        }
    }

    fn seal_now(&mut self, block: Block) {
        self.context.state.note_if_deserted(block);
        self.seal_in_builder(block);
    }

    fn seal_in_builder(&mut self, block: Block) {
        let (ssa, mut host) = self.parts();
        if let Err(error) = ssa.try_seal_block(&mut host, ids::block(block)) {
            self.context.state.fail(FinalizeError::Call(error));
        }
    }

    /// Seals all blocks that are not sealed.
    ///
    /// Sealing each block as early as possible is cheaper.
    pub fn seal_all_blocks(&mut self) {
        for block in self.func.dfg.blocks.iter().filter(|block| !self.context.state.host.limbo.contains(block)) {
            let state = State::block_mut(&mut self.context.state.blocks, block);
            state.is_sealed_early |= state.num_branches == 0 && !state.is_started;
        }
        let (ssa, mut host) = self.parts();
        if let Err(error) = ssa.try_seal_all_blocks(&mut host) {
            self.context.state.fail(FinalizeError::Call(error));
        }
    }

    /// Declares a new variable.
    pub fn declare_var(&mut self, ty: Type) -> Variable {
        self.context.state.host.types.push(ty)
    }

    /// The value of the variable at this point.
    ///
    /// # Errors
    /// If the variable was not declared. If it is not defined, or the builder refuses the use (its work limit is
    /// exhausted, or an id is beyond its limit), the value is zero, and [`try_finalize`](Self::try_finalize) returns
    /// the error.
    ///
    /// # Panics
    /// If there is no current block.
    pub fn try_use_var(&mut self, variable: Variable) -> Result<Value, UseVariableError> {
        if !self.context.state.host.types.is_valid(variable) {
            return Err(UseVariableError::UsedBeforeDeclared(variable));
        }
        let block = self.ensure_inserted();
        let srcloc = self.srcloc.bits();
        let (ssa, mut host) = self.parts();
        let (block, id) = (ids::block(block), ids::variable(variable));
        let mut read = ssa.try_read_at_site(&mut host, block, id, srcloc);
        // Like cranelift-frontend, a use after the terminator gets the value at the end of the block.
        if read.as_ref().is_err_and(|error| *error.kind() == CallErrorKind::Filled) {
            read = ssa.try_read_at_end(&mut host, block, id, Some(srcloc));
        }
        match read {
            Ok(value) => Ok(ids::clif_value(value)),
            Err(error) => {
                let value = host.undefined(id);
                self.context.state.fail(FinalizeError::Call(error));
                Ok(ids::clif_value(value))
            }
        }
    }

    /// The value of the variable at this point.
    ///
    /// # Panics
    /// If the variable was not declared, or there is no current block.
    #[track_caller]
    pub fn use_var(&mut self, variable: Variable) -> Value {
        self.try_use_var(variable).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Assigns `value` to the variable.
    ///
    /// # Errors
    /// If the variable was not declared, or has another type.
    ///
    /// # Panics
    /// If there is no current block.
    pub fn try_def_var(&mut self, variable: Variable, value: Value) -> Result<(), DefVariableError> {
        let ty =
            self.context.state.host.types.get(variable).ok_or(DefVariableError::DefinedBeforeDeclared(variable))?;
        if *ty != self.func.dfg.value_type(value) {
            return Err(DefVariableError::TypeMismatch(variable, value));
        }
        let block = self.position.expect("a block is switched to before variables are defined");
        if self.context.ssa.is_recording() {
            self.record_place(value, block);
        }
        let FunctionBuilderContext { ssa, state, .. } = &mut *self.context;
        if state.mapped_variables.contains(variable) {
            state.mapped_values.insert(value);
        }
        state.note_if_deserted(block);
        let (at, of) = (ids::block(block), ids::variable(variable));
        if let Err(error) = ssa.try_write_variable(at, of, ids::value(value)) {
            state.fail(FinalizeError::Call(error));
        }
        Ok(())
    }

    /// Records the block that defines `value`, before its first write in `block`: without such a record, the journal
    /// assumes that a value is defined in the block where it is first written.
    fn record_place(&mut self, value: Value, block: Block) {
        let FunctionBuilderContext { ssa, state, .. } = &mut *self.context;
        if !state.placed.insert(value) {
            return;
        }
        let FunctionStencil { dfg, layout, .. } = &**self.func;
        let made_in = match dfg.value_def(dfg.resolve_aliases(value)) {
            ValueDef::Result(inst, _) => layout.inst_block(inst),
            // The front end does not create phis.
            ValueDef::Param(block, _) => Some(block).filter(|block| !state.host.limbo.contains(block)),
            ValueDef::Union(..) => None,
        };
        if let Some(made_in) = made_in.filter(|&made_in| made_in != block)
            && let Err(error) = ssa.try_define(ids::block(made_in), ids::value(value))
        {
            state.fail(FinalizeError::Call(error));
        }
    }

    /// Assigns `value` to the variable.
    ///
    /// # Panics
    /// If the variable was not declared, or has another type, or there is no current block.
    #[track_caller]
    pub fn def_var(&mut self, variable: Variable, value: Value) {
        self.try_def_var(variable, value).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Appends an instruction to the current block: see [`ir::InstBuilder`].
    ///
    /// # Panics
    /// If there is no current block.
    pub fn ins<'short>(&'short mut self) -> FuncInstBuilder<'short, 'a, B> {
        let block = self.position.expect("a block is switched to before instructions are inserted");
        FuncInstBuilder::new(self, block)
    }

    /// Puts the current block into the layout.
    ///
    /// # Panics
    /// If there is no current block, or the block is filled.
    pub fn ensure_inserted_block(&mut self) {
        self.ensure_inserted();
    }

    #[inline]
    pub(crate) fn ensure_inserted(&mut self) -> Block {
        match self.position.expand() {
            Some(block) if self.is_open => block,
            _ => self.open(),
        }
    }

    /// Whether the current block accepts instructions as it is.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    #[inline(never)]
    pub(crate) fn open(&mut self) -> Block {
        let block = self.position.expect("a block is switched to first");
        let state = State::block_mut(&mut self.context.state.blocks, block);
        assert!(!state.is_filled, "{block}: something is added after it was filled");
        state.is_started = true;
        if !self.func.layout.is_block_inserted(block) {
            self.func.layout.append_block(block);
        }
        self.is_open = true;
        block
    }

    /// A cursor at the end of the current block, for code that uses no variables and does not branch.
    pub fn cursor(&mut self) -> FuncCursor<'_> {
        let block = self.ensure_inserted();
        FuncCursor::new(self.func).with_srcloc(self.srcloc).at_bottom(block)
    }

    /// Ends the current block with this instruction: its edges are known now, and the block is filled.
    #[inline(never)]
    pub(crate) fn fill(&mut self, block: Block, branch: ir::Inst) {
        let FunctionBuilderContext { ssa, state, .. } = &mut *self.context;
        let State { targets, blocks, .. } = state;
        let dfg = &self.func.dfg;
        self.is_open = false;
        targets.clear();
        for call in dfg.insts[branch].branch_destination(&dfg.jump_tables, &dfg.exception_tables) {
            let target = call.block(&dfg.value_lists);
            targets.push(ids::block(target));
            State::block_mut(blocks, target).num_branches += 1;
        }
        State::block_mut(blocks, block).is_filled = true;
        if let Err(error) = ssa.try_terminate(ids::block(block), targets) {
            state.fail(FinalizeError::Call(error));
        }
    }

    /// Ends the function: phis become block parameters with branch arguments.
    ///
    /// The context is ready for the next function, also after an error.
    ///
    /// # Errors
    /// The first error since the function was started; the function must not be used then. Its blocks have received
    /// parameters only if the error is that variables are undefined.
    ///
    /// # Complexity
    /// Linear in the function.
    pub fn try_finalize(self, config: TargetFrontendConfig) -> Result<(), FinalizeError> {
        self.end(config.pointer_type())
    }

    /// [`try_finalize`](Self::try_finalize) on a target whose pointers have this type.
    fn end(mut self, pointer: Type) -> Result<(), FinalizeError> {
        if let Some(error) = self.context.state.error.take() {
            return Err(error);
        }
        if self.context.state.entry.is_none() {
            return Ok(());
        }
        self.close_deserted();
        if let Some(error) = self.context.state.error.take() {
            return Err(error);
        }
        let (ssa, mut host) = self.parts();
        let result = ssa.finish(&mut host).map_err(FinalizeError::Call)?;
        host.write(&result)?;
        ssa.compare(&host);
        if self.context.is_judging {
            self.context.judge()?;
        }
        let uses = self.undefined_uses();
        if !uses.is_empty() && self.context.undefined == Undefined::Error {
            return Err(FinalizeError::Undefined(uses));
        }
        let FunctionBuilderContext { state, make_alias_region, .. } = &mut *self.context;
        if !state.mapped_values.is_empty() {
            let references = &state.mapped_values;
            let access = SlotAccess::new(pointer, make_alias_region.as_ref());
            safepoints::add_stack_maps(self.func, references, &access);
        }
        Ok(())
    }

    /// [`try_finalize`](Self::try_finalize) for front ends that keep the contract.
    ///
    /// # Panics
    /// If `try_finalize` returns an error.
    #[cfg(not(before_0_134))]
    #[track_caller]
    pub fn finalize(self, config: TargetFrontendConfig) {
        self.try_finalize(config).unwrap_or_else(|error| panic!("{error}"));
    }

    /// [`try_finalize`](Self::try_finalize) for front ends that keep the contract; it needs no configuration.
    ///
    /// # Panics
    /// If `try_finalize` returns an error.
    #[cfg(before_0_134)]
    #[track_caller]
    pub fn finalize(self) {
        self.end(ir::types::INVALID).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Fills the blocks that have no incoming branches and were never touched: the builder treats them as empty.
    fn close_deserted(&mut self) {
        let mut deserted = core::mem::take(&mut self.context.state.deserted);
        for block in deserted.drain(..) {
            let BlockState { is_started, num_branches, .. } = self.context.state.blocks[block];
            let (ssa, mut host) = self.parts();
            let at = ids::block(block);
            if is_started || num_branches > 0 || ssa.builder().is_filled(at) {
                continue;
            }
            if !ssa.builder().is_sealed(at)
                && let Err(error) = ssa.try_seal_block(&mut host, at)
            {
                self.context.state.fail(FinalizeError::Call(error));
                break;
            }
            if let Err(error) = ssa.try_terminate(at, &[]) {
                self.context.state.fail(FinalizeError::Call(error));
                break;
            }
        }
        self.context.state.deserted = deserted;
    }

    fn undefined_uses(&self) -> Vec<UndefinedUse> {
        let reads = self.context.ssa.undefined_reads().iter();
        let describe = |read: &ssaphire::UndefinedRead| UndefinedUse {
            variable: ids::clif_variable(read.variable),
            block: ids::clif_block(read.block),
            srcloc: SourceLoc::new(read.site),
            is_always: read.certainty == Certainty::Is,
        };
        reads.map(describe).collect()
    }

    pub(crate) fn is_pristine(&self, block: Block) -> bool {
        !self.context.state.blocks[block].is_started
    }

    pub(crate) fn is_filled(&self, block: Block) -> bool {
        self.context.state.blocks[block].is_filled
    }
}

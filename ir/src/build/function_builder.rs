//! The builder that a front end calls.

use super::BuildError;
use super::host::Host;
use crate::cps::{Cps, OpenCalls};
use crate::dialect::Semantics;
use crate::fold::Folding;
use crate::function::{Action, Arg, Dest, Function, InstData, List, Name, Span, ValueKind};
use ssaphire::{Block, Builder, Certified, SsaBuilder, Value, Variable};

/// Builds one function instruction by instruction, in SSA form or [in variable form](Self::keep_variables).
///
/// # Contract
/// The first block created is the entry; no edge leads to it. `terminate` fills a block. `seal` seals it, and should be
/// called as soon as its last incoming edge exists.
pub struct FunctionBuilder<'b, D: Semantics, B: SsaBuilder = Builder> {
    pub(super) host: Host<D>,
    pub(super) ssa: &'b mut Certified<B>,
    current: Option<Block>,
    /// The index of the first instruction of the current block; its instructions are the last ones of the function.
    first: u32,
    /// Writes at the top of a block that was not begun, in variable form.
    at_top: Vec<(Block, Variable, Value)>,
    pub(super) folding: Option<&'b mut Folding<D>>,
    /// Whether a block was skipped.
    pub(super) has_skipped: bool,
}

impl<'b, D: Semantics, B: SsaBuilder> FunctionBuilder<'b, D, B> {
    /// Begins a function; clears `ssa`.
    pub fn new(ssa: &'b mut Certified<B>, name: impl Into<String>) -> Self {
        Self::reusing(Function::empty(), ssa, name)
    }

    /// [`new`](Self::new) in the memory of a function that is no longer needed.
    pub fn reusing(function: Function<D>, ssa: &'b mut Certified<B>, name: impl Into<String>) -> Self {
        Self::within(Box::new(function), ssa, name.into())
    }

    /// [`reusing`](Self::reusing) without moving the function: for many small ones, of which each ends with
    /// [`finish_within`](Self::finish_within), and is [taken](Function::take) out of the memory.
    pub fn within(mut function: Box<Function<D>>, ssa: &'b mut Certified<B>, name: impl Into<Name>) -> Self {
        ssa.clear();
        function.clear();
        function.name = name.into().into();
        let host = Host { function, connects: true, keeps_variables: false };
        Self { host, ssa, current: None, first: 0, at_top: Vec::new(), folding: None, has_skipped: false }
    }

    /// Leaves the function in variable form: each read is a copy from the variable to a new value, each write a copy to
    /// the variable.
    ///
    /// Call this before anything is read or written. The result cannot be certified.
    pub fn keep_variables(&mut self) {
        self.host.keeps_variables = true;
    }

    /// Folds operations from here on. Call this before the first block is created, and not together with
    /// [`keep_variables`](Self::keep_variables).
    ///
    /// [`push_one`](Self::push_one) and [`terminate`](Self::terminate) then emit only what is needed. Unreachable
    /// blocks, and unused instructions without effect, are removed at the end. A front end can query
    /// [`is_unreachable`](Self::is_unreachable) to skip a block.
    pub fn fold_with(&mut self, folding: &'b mut Folding<D>) {
        folding.clear();
        self.folding = Some(folding);
    }

    /// Whether `block` is sealed and unreachable, because branches were folded.
    pub fn is_unreachable(&self, block: Block) -> bool {
        self.folding.is_some() && self.ssa.is_unreachable(block)
    }

    /// Fills `block`, which is unreachable, without instructions. There is no current block afterwards.
    ///
    /// # Errors
    /// If the block is filled.
    pub fn skip(&mut self, block: Block) -> Result<(), BuildError> {
        self.leave();
        self.has_skipped = true;
        Ok(self.ssa.try_terminate(block, &[])?)
    }

    /// The function so far; the instructions of a block are added when the block is left, edges and phis at the end.
    pub fn function(&self) -> &Function<D> {
        &self.host.function
    }

    /// The function so far, for changes that this builder has no method for.
    pub fn function_mut(&mut self) -> &mut Function<D> {
        &mut self.host.function
    }

    /// The underlying SSA builder.
    pub fn ssa(&self) -> &Certified<B> {
        self.ssa
    }

    /// Appends an empty block. The first one is the entry.
    pub fn create_block(&mut self) -> Block {
        self.host.function.create_block()
    }

    /// Appends an empty block that prints as `name`, with a suffix if the name is taken.
    pub fn create_named_block(&mut self, name: &str) -> Block {
        self.host.function.create_named_block(name)
    }

    /// Adds a variable called `name`, with a suffix if the name is taken.
    pub fn declare(&mut self, name: impl Into<Name>, ty: D::Type) -> Variable {
        self.host.function.add_variable(name, ty)
    }

    /// Adds a parameter, which is the initial value of `variable`.
    ///
    /// # Errors
    /// If the variable has been accessed in the entry.
    pub fn param(&mut self, variable: Variable) -> Result<Value, BuildError> {
        let value = self.host.function.add_param(variable);
        // In variable form, a parameter stays bound to its variable.
        if !self.host.keeps_variables {
            self.set_initial(variable, value)?;
        }
        Ok(value)
    }

    /// Sets the value of `variable` at the entry; without this or a parameter it is undefined.
    ///
    /// # Errors
    /// If the variable has been accessed in the entry.
    pub fn set_initial(&mut self, variable: Variable, value: Value) -> Result<(), BuildError> {
        if self.host.keeps_variables {
            self.write_at_top(self.ssa.builder().entry(), variable, value);
            return Ok(());
        }
        Ok(self.ssa.try_set_initial(variable, value)?)
    }

    /// The value of a constant; equal constants share one.
    pub fn constant(&mut self, constant: D::Constant) -> Value {
        let value = self.host.function.constant(constant);
        self.ssa.global(value);
        value
    }

    /// The undefined value of a type, for front ends that need one.
    pub fn undefined_of_type(&mut self, ty: D::Type) -> Value {
        let value = self.host.function.undefined_of_type(ty);
        self.ssa.global(value);
        value
    }

    /// Makes `block` the current block.
    #[inline]
    pub fn switch_to(&mut self, block: Block) {
        self.leave();
        let Function { blocks, code, .. } = &mut *self.host.function;
        self.first = code.insts.make_last(blocks[block].insts);
        self.current = Some(block);
        if !self.at_top.is_empty() {
            self.copy_at_top(block);
        }
    }

    /// Emits the writes that were deferred to the top of the block.
    #[cold]
    fn copy_at_top(&mut self, block: Block) {
        for (at, variable, value) in std::mem::take(&mut self.at_top) {
            if at == block {
                self.copy_to(variable, value);
            } else {
                self.at_top.push((at, variable, value));
            }
        }
    }

    fn write_at_top(&mut self, block: Block, variable: Variable, value: Value) {
        if self.current == Some(block) {
            self.copy_to(variable, value);
        } else {
            self.at_top.push((block, variable, value));
        }
    }

    /// Appends a copy of a value to a variable.
    fn copy_to(&mut self, variable: Variable, value: Value) {
        let code = &mut self.host.function.code;
        let start = code.results.end();
        code.results.append(Dest::Variable(variable));
        let (args, results) = (code.args.add_few(&[value], Arg::Value), Span::one(start));
        code.insts.append(InstData { action: Action::Copy, args, results, targets: Span::default() });
    }

    /// Appends a copy of a variable to a new value.
    fn copy_from(&mut self, variable: Variable) -> Value {
        let value = self.host.function.new_version(variable);
        self.host.function.values.record_mut(value).kind = ValueKind::Result;
        let code = &mut self.host.function.code;
        let start = code.results.end();
        code.results.append(Dest::Value(value));
        let (args, results) = (code.args.add_few(&[variable], Arg::Variable), Span::one(start));
        code.insts.append(InstData { action: Action::Copy, args, results, targets: Span::default() });
        value
    }

    /// Moves the instructions of the current block into the function, all at once.
    pub(super) fn leave(&mut self) {
        if let Some(block) = self.current.take() {
            let Function { blocks, code, .. } = &mut *self.host.function;
            blocks[block].insts = code.insts.list_since(self.first);
        }
    }

    /// The current block; `None` after a terminator.
    pub fn current(&self) -> Option<Block> {
        self.current
    }

    fn block(&self) -> Result<Block, BuildError> {
        self.current.ok_or(BuildError::NoCurrentBlock)
    }

    /// Assigns `value` to `variable`.
    ///
    /// # Errors
    /// If there is no current block.
    #[inline]
    pub fn write(&mut self, variable: Variable, value: Value) -> Result<(), BuildError> {
        let block = self.block()?;
        if self.host.keeps_variables {
            self.copy_to(variable, value);
            return Ok(());
        }
        Ok(self.ssa.try_write_variable(block, variable, value)?)
    }

    /// The value of `variable` at this point.
    ///
    /// # Errors
    /// If there is no current block, or the work limit is exceeded.
    #[inline]
    pub fn read(&mut self, variable: Variable) -> Result<Value, BuildError> {
        let block = self.block()?;
        if self.host.keeps_variables {
            return Ok(self.copy_from(variable));
        }
        if let Some(folding) = &mut self.folding {
            return Ok(self.ssa.try_read_variable(&mut folding.folder.watch(&mut self.host), block, variable)?);
        }
        Ok(self.ssa.try_read_variable(&mut self.host, block, variable)?)
    }

    /// The value of `variable` at this point; a possibly undefined read is reported with `site`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_at(&mut self, variable: Variable, site: u32) -> Result<Value, BuildError> {
        let block = self.block()?;
        if self.host.keeps_variables {
            return Ok(self.copy_from(variable));
        }
        if let Some(folding) = &mut self.folding {
            return Ok(self.ssa.try_read_at_site(&mut folding.folder.watch(&mut self.host), block, variable, site)?);
        }
        Ok(self.ssa.try_read_at_site(&mut self.host, block, variable, site)?)
    }

    /// Appends an operation; returns its results, one per type.
    ///
    /// # Errors
    /// If there is no current block.
    pub fn push(&mut self, op: D::Op, args: &[Value], types: &[D::Type]) -> Result<List<Value, 4>, BuildError> {
        let block = self.block()?;
        let (results, defined) = self.define_all(block, types);
        self.append(op, args, defined, Span::default());
        Ok(results)
    }

    /// Appends an operation without results.
    ///
    /// # Errors
    /// If there is no current block.
    #[inline(always)]
    pub fn push_effect(&mut self, op: D::Op, args: &[Value]) -> Result<(), BuildError> {
        self.block()?;
        self.append(op, args, Span::default(), Span::default());
        Ok(())
    }

    /// Appends an operation with one result or, if operations [are folded](Self::fold_with), finds an existing value
    /// for it.
    ///
    /// # Errors
    /// If there is no current block.
    #[inline(always)]
    pub fn push_one(&mut self, op: D::Op, args: &[Value], ty: D::Type) -> Result<Value, BuildError> {
        let block = self.block()?;
        if self.folding.is_some() {
            return self.push_folded(block, op, args, ty);
        }
        Ok(self.push_unfolded(block, op, args, ty))
    }

    /// Appends an operation with one result.
    #[inline(always)]
    pub(super) fn push_unfolded(&mut self, block: Block, op: D::Op, args: &[Value], ty: D::Type) -> Value {
        let start = self.host.function.code.results.end();
        let result = self.define(block, ty);
        self.append(op, args, Span::one(start), Span::default());
        result
    }

    /// Appends a copy of `value`; if copies [are folded](Self::fold_with), returns the value itself.
    ///
    /// # Errors
    /// If there is no current block.
    pub fn push_copy(&mut self, value: Value) -> Result<Value, BuildError> {
        let block = self.block()?;
        if self.folding.as_ref().is_some_and(|folding| folding.options().copies) {
            return Ok(value);
        }
        let ty = self.host.function.value(value).ty.clone();
        let start = self.host.function.code.results.end();
        let copied = self.define(block, ty);
        let code = &mut self.host.function.code;
        let args = code.args.add_few(&[value], Arg::Value);
        code.insts.append(InstData { action: Action::Copy, args, results: Span::one(start), targets: Span::default() });
        Ok(copied)
    }

    /// Ends the current block: slot *i* leads to `targets[i]`. If branches [are folded](Self::fold_with), a decided
    /// branch becomes a jump.
    ///
    /// # Errors
    /// If there is no current block, or an edge is refused.
    pub fn terminate(&mut self, op: D::Op, args: &[Value], targets: &[Block]) -> Result<(), BuildError> {
        let block = self.block()?;
        if self.folding.is_some() && targets.len() > 1 {
            return self.terminate_folded(block, op, args, targets);
        }
        self.ssa.try_terminate(block, targets)?;
        self.append_terminator(op, args, targets);
        Ok(())
    }

    /// Appends a terminator, and leaves the block.
    #[inline]
    pub(super) fn append_terminator(&mut self, op: D::Op, args: &[Value], targets: &[Block]) {
        let targets = self.host.function.code.targets.add_few(targets, |block| block);
        self.append(op, args, Span::default(), targets);
        self.leave();
    }

    /// Ends the current block with an operation that may throw: its results are defined in `targets[0]`.
    ///
    /// That block must have no other incoming edge.
    ///
    /// # Errors
    /// As [`terminate`](Self::terminate).
    pub fn terminate_with_results(
        &mut self,
        op: D::Op,
        args: &[Value],
        targets: &[Block],
        types: &[D::Type],
    ) -> Result<List<Value, 4>, BuildError> {
        let block = self.block()?;
        self.ssa.try_terminate(block, targets)?;
        let (results, defined) = self.define_all(targets.first().copied().unwrap_or(block), types);
        let targets = self.host.function.code.targets.add_few(targets, |block| block);
        self.append(op, args, defined, targets);
        self.leave();
        Ok(results)
    }

    /// Creates values in `block` for the results of the next instruction.
    fn define_all(&mut self, block: Block, types: &[D::Type]) -> (List<Value, 4>, Span) {
        let start = self.host.function.code.results.end();
        let results = types.iter().map(|ty| self.define(block, ty.clone())).collect();
        (results, self.host.function.code.results.since(start))
    }

    /// Creates a value in `block` for a result of the next instruction.
    #[inline(always)]
    fn define(&mut self, block: Block, ty: D::Type) -> Value {
        let result = self.host.function.values.push(ValueKind::Result, ty, None);
        self.host.function.code.results.append(Dest::Value(result));
        self.ssa.define(block, result);
        result
    }

    /// Appends an instruction to the current block.
    #[inline(always)]
    pub(super) fn append(&mut self, op: D::Op, args: &[Value], results: Span, targets: Span) {
        let code = &mut self.host.function.code;
        let args = code.args.add_few(args, Arg::Value);
        code.insts.append(InstData { action: Action::Op(op), args, results, targets });
    }

    /// Writes `variable` on the edge that leaves `from` in slot `slot`.
    ///
    /// # Errors
    /// If the edge's target is not sealed, has other incoming edges, or is in use.
    pub fn write_on_edge(
        &mut self,
        from: Block,
        slot: u32,
        variable: Variable,
        value: Value,
    ) -> Result<(), BuildError> {
        match self.ssa.builder().target(from, slot).filter(|_| self.host.keeps_variables) {
            Some(target) => self.write_at_top(target, variable, value),
            None => self.ssa.try_write_on_edge(from, slot, variable, value)?,
        }
        Ok(())
    }

    /// Seals `block`: all of its incoming edges exist.
    ///
    /// # Errors
    /// If it is sealed already.
    pub fn seal(&mut self, block: Block) -> Result<(), BuildError> {
        if self.folding.is_some() {
            return self.seal_folded(block);
        }
        Ok(self.ssa.try_seal_block(&mut self.host, block)?)
    }

    /// Ends the function; returns its canonical SSA form. `ssa` can certify it.
    ///
    /// # Errors
    /// If blocks are unsealed or unfilled, or the work limit is exceeded.
    pub fn finish(self) -> Result<Function<D>, BuildError> {
        Ok(*self.finish_within()?)
    }

    /// [`finish`](Self::finish), in the memory that the function was built in.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_within(self) -> Result<Box<Function<D>>, BuildError> {
        let mut function = self.finish_in_box()?;
        function.canonicalize_in_place();
        Ok(function)
    }

    /// [`finish`](Self::finish) without renumbering: the values are in creation order, including removed ones.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_as_numbered(self) -> Result<Function<D>, BuildError> {
        Ok(*self.finish_in_box()?)
    }

    fn finish_in_box(mut self) -> Result<Box<Function<D>>, BuildError> {
        self.leave();
        if self.folding.is_some() {
            return self.finish_folded();
        }
        let result = self.ssa.finish(&mut self.host)?;
        self.host.write(&result);
        self.ssa.compare(&self.host);
        Ok(self.host.function)
    }

    /// Ends the function; returns its [continuations](Cps), directly from the builder's state without phis in between.
    /// `ssa` can certify it.
    ///
    /// Until now the jumps to each block had open argument lists; here all types are fixed, and no parameter is removed
    /// later. If operations [are folded](Self::fold_with), folding is completed first, phis included.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_cps(mut self) -> Result<Cps<D>, BuildError> {
        self.leave();
        if self.folding.is_some() {
            let function = self.finish_folded()?;
            return Ok(Cps::with_calls(&function, &OpenCalls::of_function(&function), |value| value));
        }
        let result = self.ssa.finish(&mut self.host)?;
        let open = OpenCalls::of_result(&self.host.function, &result);
        Ok(Cps::with_calls(&self.host.function, &open, |value| result.resolve(value)))
    }
}

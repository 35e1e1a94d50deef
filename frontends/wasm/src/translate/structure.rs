//! Frames of structured control: their beginning, continuation and end.

use super::exceptions::Clause;
use super::legacy::Try;
use super::{Outcome, Translation, bare, invalid};
use crate::dialect::Opcode;
use ssaphire::{Block, SsaBuilder, Value, Variable};
use ssaphire_ir::Name;
use std::mem;
use wasmparser::{BlockType, CompositeInnerType, FuncValidator, ValType, ValidatorResources, WasmModuleResources};

/// An open frame of structured control.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) ty: BlockType,
    /// The number of operands below it.
    pub(super) height: usize,
    /// The target of branches to it; `None` as long as there are none.
    label: Option<Label>,
    /// The last `br_table` that has written the values carried here.
    pub(super) written_at: u64,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Continues at its end; also the body of a function, and a loop without back edges.
    Block,
    /// Continues at its beginning.
    Loop,
    /// A conditional before its `else`: the block of the `else`, and the operands it begins with.
    If { otherwise: Block, params: Vec<Value> },
    /// A protected region, with the labels of its clauses.
    TryTable { clauses: Vec<Clause>, labels: Vec<u32> },
    /// A protected region whose handlers are in the same frame.
    Try(Try),
}

impl Kind {
    /// The clauses of a protected region.
    pub(super) fn clauses(&self) -> &[Clause] {
        match self {
            Self::TryTable { clauses, .. } | Self::Try(Try { clauses, .. }) => clauses,
            Self::Block | Self::Loop | Self::If { .. } => &[],
        }
    }

    /// [`clauses`](Self::clauses), to be changed.
    pub(super) fn clauses_mut(&mut self) -> &mut [Clause] {
        match self {
            Self::TryTable { clauses, .. } | Self::Try(Try { clauses, .. }) => clauses,
            Self::Block | Self::Loop | Self::If { .. } => &mut [],
        }
    }
}

/// The target of branches to a frame, and the variables that they write.
#[derive(Clone, Copy, Debug)]
struct Label {
    block: Block,
    /// The first of these variables, which have consecutive numbers.
    first: usize,
    /// How many there are.
    count: usize,
}

impl<B: SsaBuilder> Translation<'_, '_, B> {
    /// Opens the frame of the function: a branch to it returns.
    pub(super) fn open_function(&mut self) {
        let ty = self.validator.get_control_frame(0).map_or(BlockType::Empty, |frame| frame.block_type);
        self.scratch.frames.push(Frame { kind: Kind::Block, ty, height: 0, label: None, written_at: 0 });
    }

    pub(super) fn open_block(&mut self, ty: BlockType) -> Outcome {
        self.open(Kind::Block, ty);
        Ok(())
    }

    pub(super) fn open(&mut self, kind: Kind, ty: BlockType) {
        let (params, _) = self.arity(ty);
        let height = self.scratch.stack.len().saturating_sub(params);
        self.scratch.frames.push(Frame { kind, ty, height, label: None, written_at: 0 });
    }

    /// Opens a loop: its header stays unsealed until its end.
    pub(super) fn open_loop(&mut self, ty: BlockType) -> Outcome {
        let opening = self.scratch.outline.next();
        if !opening.is_used {
            return self.open_block(ty);
        }
        self.open(Kind::Loop, ty);
        let frame = self.scratch.frames.len() - 1;
        let header = self.branch_target(frame)?;
        self.jump(header)?;
        self.arrive(frame, header)
    }

    /// Opens a loop, conditional or `try` in unreachable code.
    pub(super) fn skip_opening(&mut self) {
        self.scratch.outline.next();
        self.skipped += 1;
    }

    /// Opens a conditional; without `else`, the condition's second target is the end.
    pub(super) fn open_if(&mut self, ty: BlockType) -> Outcome {
        let has_else = self.scratch.outline.next().is_used;
        let condition = self.pop()?;
        self.open(Kind::Block, ty);
        let frame = self.scratch.frames.len() - 1;
        let then = self.builder.create_block();
        // Without `else`, the operands at its beginning are those at its end.
        let otherwise = if has_else { self.builder.create_block() } else { self.branch_target(frame)? };
        self.builder.terminate(bare(Opcode::BrIf), &[condition], &[then, otherwise])?;
        if has_else {
            self.builder.seal(otherwise)?;
            let params = self.scratch.stack[self.scratch.frames[frame].height..].to_vec();
            self.scratch.frames[frame].kind = Kind::If { otherwise, params };
        }
        self.builder.seal(then)?;
        self.enter(then)
    }

    /// Translates `else`: the first part jumps to the end of the conditional.
    pub(super) fn otherwise(&mut self) -> Outcome {
        let frame = self.scratch.frames.len().checked_sub(1).ok_or_else(invalid)?;
        if self.is_live() {
            let target = self.branch_target(frame)?;
            self.jump(target)?;
        }
        let data = &mut self.scratch.frames[frame];
        let Kind::If { otherwise, params } = mem::replace(&mut data.kind, Kind::Block) else { return Err(invalid()) };
        self.scratch.stack.truncate(data.height);
        self.scratch.stack.extend(params);
        self.enter(otherwise)
    }

    /// Translates `end`: continues after the frame, or returns from the function.
    pub(super) fn close(&mut self) -> Outcome {
        let frame = self.scratch.frames.len().checked_sub(1).ok_or_else(invalid)?;
        match mem::replace(&mut self.scratch.frames[frame].kind, Kind::Block) {
            Kind::Loop => {
                let header = self.scratch.frames[frame].label.take();
                self.builder.seal(header.ok_or_else(invalid)?.block)?;
            }
            Kind::TryTable { clauses, labels } => self.land(&clauses, &labels)?,
            Kind::Try(state) => self.close_legacy_try(&state),
            Kind::Block | Kind::If { .. } => {}
        }
        if self.scratch.frames[frame].label.is_some() {
            let target = if self.is_live() { self.branch_target(frame)? } else { self.label(frame) };
            if self.is_live() {
                self.jump(target)?;
            }
            self.builder.seal(target)?;
            self.arrive(frame, target)?;
        }
        self.scratch.frames.pop();
        if self.scratch.frames.is_empty() && self.is_live() {
            self.return_values()?;
        }
        Ok(())
    }

    /// Continues at a label, with the carried values on the stack.
    fn arrive(&mut self, frame: usize, block: Block) -> Outcome {
        self.enter(block)?;
        self.scratch.stack.truncate(self.scratch.frames[frame].height);
        if !self.is_live() {
            return Ok(());
        }
        for variable in self.label_variables(frame) {
            let value = self.builder.read(variable)?;
            self.scratch.stack.push(value);
        }
        Ok(())
    }

    pub(super) fn jump(&mut self, target: Block) -> Outcome {
        Ok(self.builder.terminate(bare(Opcode::Br), &[], &[target])?)
    }

    /// The block for branches to a frame, after writing the topmost operands to its variables.
    pub(super) fn branch_target(&mut self, frame: usize) -> Outcome<Block> {
        let block = self.label(frame);
        let variables = self.label_variables(frame);
        self.spend(variables.len())?;
        let first = self.below(variables.len());
        let values = self.scratch.stack[first..].iter();
        for (variable, &value) in variables.zip(values) {
            self.builder.write(variable, value)?;
        }
        Ok(block)
    }

    /// The variables that carry values to a frame; none as long as nothing branches there.
    fn label_variables(&self, frame: usize) -> impl ExactSizeIterator<Item = Variable> + use<B> {
        let (first, count) = self.scratch.frames[frame].label.map_or((0, 0), |label| (label.first, label.count));
        (first..first + count).map(Variable::new)
    }

    /// The block for branches to a frame; the first branch creates it.
    pub(super) fn label(&mut self, frame: usize) -> Block {
        let data = &self.scratch.frames[frame];
        if let Some(label) = &data.label {
            return label.block;
        }
        let block = self.builder.create_block();
        let (params, results) = signature(&self.validator, &data.ty);
        let types = if matches!(data.kind, Kind::Loop) { params } else { results };
        let first = self.builder.function().num_variables();
        for &ty in types {
            self.builder.declare(Name::fixed("stack"), self.module.numbered(ty));
        }
        self.scratch.frames[frame].label = Some(Label { block, first, count: types.len() });
        block
    }

    /// The frame at this branch depth.
    pub(super) fn frame_at(&self, depth: u32) -> Outcome<usize> {
        self.scratch.frames.len().checked_sub(1 + depth as usize).ok_or_else(invalid)
    }

    /// The numbers of operands at the beginning and the end of a frame.
    fn arity(&self, ty: BlockType) -> (usize, usize) {
        let (params, results) = signature(&self.validator, &ty);
        (params.len(), results.len())
    }
}

/// The types of the operands at the beginning and the end of a frame.
pub(super) fn signature<'t>(
    validator: &'t FuncValidator<ValidatorResources>,
    ty: &'t BlockType,
) -> (&'t [ValType], &'t [ValType]) {
    match ty {
        BlockType::Empty => (&[], &[]),
        BlockType::Type(result) => (&[], std::slice::from_ref(result)),
        BlockType::FuncType(index) => {
            match validator.resources().sub_type_at(*index).map(|ty| &ty.composite_type.inner) {
                Some(CompositeInnerType::Func(ty)) => (ty.params(), ty.results()),
                _ => (&[], &[]),
            }
        }
    }
}

//! The walk over one function's operators.

use crate::trace::{Calls, TraceWriter, Type};
use wasmparser::{
    BinaryReaderError, BrTable, FuncValidator, FuncValidatorAllocations, Operator, ValType, ValidatorResources,
};

/// A construct that branches can leave.
struct Frame {
    kind: Kind,
    /// The block after the construct.
    next: u32,
    /// Whether an edge enters `next`.
    next_is_reached: bool,
    /// Operands below the construct.
    height: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Block,
    Loop {
        header: u32,
    },
    If {
        otherwise: u32,
    },
    /// An `if` without an `else`, or past it.
    Arm,
}

impl Frame {
    /// Where a branch to the construct leads.
    fn target(&mut self) -> u32 {
        match self.kind {
            Kind::Loop { header } => header,
            _ => self.reach_next(),
        }
    }

    fn reach_next(&mut self) -> u32 {
        self.next_is_reached = true;
        self.next
    }
}

/// Records one function while it is validated.
pub(super) struct FunctionRecorder<'a> {
    validator: FuncValidator<ValidatorResources>,
    out: &'a mut TraceWriter,
    frames: Vec<Frame>,
    /// The values of the operands; `None` where no call has numbered them.
    operands: Vec<Option<u32>>,
    /// For each `if`, in order, whether it has an `else`.
    has_else: std::vec::IntoIter<bool>,
    is_live: bool,
    /// Constructs opened in code that cannot be reached.
    dead_depth: usize,
}

impl<'a> FunctionRecorder<'a> {
    /// Records the entry; the validator knows the locals, of which the first are the parameters.
    pub(super) fn begin(
        validator: FuncValidator<ValidatorResources>,
        parameters: u32,
        has_else: Vec<bool>,
        out: &'a mut TraceWriter,
    ) -> Self {
        let types: Vec<Type> = (0..validator.len_locals()).map(|local| type_of(&validator, local)).collect();
        for &ty in &types {
            out.variable(ty);
        }
        let entry = out.block();
        out.switch_to(entry);
        out.seal(entry);
        let mut zeros = [None; Type::ALL.len()];
        for (local, &ty) in (0..).zip(&types) {
            let value = match local < parameters {
                true => out.fresh_value(ty),
                false => *zeros[ty as usize].get_or_insert_with(|| out.fresh_value(ty)),
            };
            out.write(local, value);
        }
        let exit = out.block();
        let frames = vec![Frame { kind: Kind::Block, next: exit, next_is_reached: false, height: 0 }];
        let has_else = has_else.into_iter();
        Self { validator, out, frames, operands: Vec::new(), has_else, is_live: true, dead_depth: 0 }
    }

    /// Ends the function: memory for the next validator.
    pub(super) fn end(self) -> FuncValidatorAllocations {
        self.out.end_function();
        self.validator.into_allocations()
    }

    /// Records one operator.
    pub(super) fn operator(&mut self, operator: &Operator<'_>, offset: u64) -> Result<(), BinaryReaderError> {
        let arity = self.is_live.then(|| operator.operator_arity(&self.validator)).flatten();
        self.validator.op(offset, operator)?;
        let has_else = matches!(operator, Operator::If { .. }) && self.has_else.next().unwrap_or(false);
        if self.is_live {
            self.live(operator, arity, has_else)?;
        } else {
            self.dead(operator);
        }
        self.operands.resize(self.validator.operand_stack_height() as usize, None);
        Ok(())
    }

    /// Code that cannot be reached ends where a construct does that was opened before it.
    fn dead(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => self.dead_depth += 1,
            Operator::End if self.dead_depth > 0 => self.dead_depth -= 1,
            Operator::End => self.close(),
            Operator::Else if self.dead_depth == 0 => self.begin_else(),
            _ => {}
        }
    }

    fn live(
        &mut self,
        operator: &Operator<'_>,
        arity: Option<(u32, u32)>,
        has_else: bool,
    ) -> Result<(), BinaryReaderError> {
        match operator {
            Operator::Block { .. } => {
                let next = self.out.block();
                self.open(Kind::Block, next, false);
            }
            Operator::Loop { .. } => self.begin_loop(),
            Operator::If { .. } => self.begin_if(has_else),
            Operator::Else => self.begin_else(),
            Operator::End => self.close(),
            Operator::Br { relative_depth } => {
                let target = self.target(*relative_depth);
                self.out.jump(target);
                self.is_live = false;
            }
            Operator::BrIf { relative_depth } => self.branch_if(*relative_depth),
            Operator::BrTable { targets } => self.branch_table(targets)?,
            Operator::Return
            | Operator::Unreachable
            | Operator::ReturnCall { .. }
            | Operator::ReturnCallIndirect { .. }
            | Operator::ReturnCallRef { .. }
            | Operator::Throw { .. }
            | Operator::ThrowRef => {
                self.out.leave();
                self.is_live = false;
            }
            Operator::LocalGet { local_index } => {
                let value = self.out.read_value(*local_index);
                self.operands.push(Some(value));
            }
            Operator::LocalSet { local_index } => drop(self.set(*local_index)),
            Operator::LocalTee { local_index } => {
                let value = self.set(*local_index);
                self.operands.push(Some(value));
            }
            _ => self.other(arity),
        }
        Ok(())
    }

    fn open(&mut self, kind: Kind, next: u32, next_is_reached: bool) {
        let height = self.validator.get_control_frame(0).map_or(0, |frame| frame.height);
        self.frames.push(Frame { kind, next, next_is_reached, height });
    }

    fn begin_loop(&mut self) {
        let (header, next) = (self.out.block(), self.out.block());
        self.out.jump(header);
        self.out.switch_to(header);
        self.open(Kind::Loop { header }, next, false);
        self.forget_operands();
    }

    fn begin_if(&mut self, has_else: bool) {
        let (then, next) = (self.out.block(), self.out.block());
        let (kind, otherwise) = match has_else {
            true => {
                let otherwise = self.out.block();
                (Kind::If { otherwise }, otherwise)
            }
            false => (Kind::Arm, next),
        };
        self.out.branch([then, otherwise]);
        self.out.seal(then);
        self.out.switch_to(then);
        self.open(kind, next, !has_else);
    }

    fn begin_else(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        if self.is_live {
            self.out.jump(frame.reach_next());
        }
        if let Kind::If { otherwise } = std::mem::replace(&mut frame.kind, Kind::Arm) {
            self.out.seal(otherwise);
            self.out.switch_to(otherwise);
        }
        self.is_live = true;
        self.forget_operands();
    }

    /// The innermost construct ends; after the outermost one so does the function.
    fn close(&mut self) {
        let Some(mut frame) = self.frames.pop() else { return };
        if self.is_live {
            self.out.jump(frame.reach_next());
        }
        if let Kind::Loop { header } = frame.kind {
            self.out.seal(header);
        }
        self.out.seal(frame.next);
        self.out.switch_to(frame.next);
        self.is_live = frame.next_is_reached;
        if !self.is_live || self.frames.is_empty() {
            self.out.leave();
        }
        self.operands.truncate(frame.height);
    }

    fn branch_if(&mut self, depth: u32) {
        let target = self.target(depth);
        let next = self.out.block();
        self.out.branch([target, next]);
        self.out.seal(next);
        self.out.switch_to(next);
    }

    fn branch_table(&mut self, table: &BrTable<'_>) -> Result<(), BinaryReaderError> {
        let mut targets = Vec::new();
        for depth in table.targets() {
            targets.push(self.target(depth?));
        }
        targets.push(self.target(table.default()));
        self.out.table(&targets);
        self.is_live = false;
        Ok(())
    }

    fn target(&mut self, depth: u32) -> u32 {
        // The validator has accepted the depth.
        let place = self.frames.len() - 1 - depth as usize;
        self.frames[place].target()
    }

    /// Writes the topmost operand to the local: its number.
    fn set(&mut self, local: u32) -> u32 {
        let value = match self.operands.pop().flatten() {
            Some(value) => value,
            None => self.out.fresh_value(type_of(&self.validator, local)),
        };
        self.out.write(local, value);
        value
    }

    /// An operator that takes operands and leaves new ones, which nothing has numbered.
    fn other(&mut self, arity: Option<(u32, u32)>) {
        let (taken, left) = arity.unwrap_or((self.operands.len() as u32, 0));
        let rest = self.operands.len().saturating_sub(taken as usize);
        self.operands.truncate(rest);
        self.operands.resize(rest + left as usize, None);
    }

    /// The operands of the innermost construct come over edges: none has a number.
    fn forget_operands(&mut self) {
        let height = self.frames.last().map_or(0, |frame| frame.height);
        self.operands.truncate(height);
    }
}

fn type_of(validator: &FuncValidator<ValidatorResources>, local: u32) -> Type {
    match validator.get_local_type(local) {
        Some(ValType::I32) => Type::I32,
        Some(ValType::F32) => Type::F32,
        Some(ValType::F64) => Type::F64,
        Some(ValType::V128) => Type::V128,
        Some(ValType::I64 | ValType::Ref(_)) | None => Type::I64,
    }
}

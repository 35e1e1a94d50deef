//! From the body of a function to SSA form, in one pass over its operators.
//!
//! Locals are variables, and so are the values that branches carry to a label:
//! one variable for each, written before a branch and read at the label, so
//! that the builder decides which of them are phis. The operand stack is a
//! list of values: `local.get` followed by `local.set` leaves no instruction.
//!
//! A label gets a block when something branches to it; a `block` that nothing
//! leaves early is no block at all. Code after a terminator is skipped until
//! the frame around it goes on. What `outline` finds in a pass of its own is
//! which `if` has an `else`, which loops are loops, and what they write.
//!
//! | operator | here |
//! |---|---|
//! | `block`, `loop`, `if`, `else`, `end` | `structure` |
//! | `br`, `br_if`, `br_table`, `return` | `branches` |
//! | `br_on_null` and its like | `references` |
//! | `call` and its like, `try_table`, `throw` | `exceptions` |
//! | how an operator gets here | `visit` |
//! | anything that computes | [`Translator`] |

mod branches;
mod exceptions;
mod outline;
mod references;
mod structure;
mod visit;

use crate::dialect::{Constant, Op, Opcode, Type, Wasm};
use crate::error::{FunctionError, Reason};
use crate::module::Module;
use outline::Outline;
use ssaphire::{Certified, Observer, Value, Variable};
use ssaphire_ir::{Function, FunctionBuilder, List, ValueKind};
use std::mem;
use std::sync::Arc;
use structure::Frame;
use wasmparser::{FuncValidator, FuncValidatorAllocations, FunctionBody, Operator, ValidatorResources};

/// How functions are translated. The default is the one to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TranslateOptions {
    /// Whether the builder is told at each loop header which locals the loop writes. Default: yes.
    pub loop_hints: bool,
    /// Values and handlers that the branches of one function may name. Default: 2^22.
    ///
    /// Two bytes can branch with a thousand values, and a call names the
    /// handlers of all `try_table`s around it.
    pub edge_limit: u64,
    /// Whether the values are numbered in the order of the text, without gaps. Default: yes.
    ///
    /// Without, they are numbered as they were made: that is faster, and makes
    /// no difference to who does not print or compare functions.
    pub canonical: bool,
}

impl Default for TranslateOptions {
    fn default() -> Self {
        Self { loop_hints: true, edge_limit: 1 << 22, canonical: true }
    }
}

/// Translates functions of one module; keeps memory from one to the next.
pub struct Translator<'m> {
    module: &'m Module,
    options: TranslateOptions,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    allocations: FuncValidatorAllocations,
    outline: Outline,
    locals: Vec<Variable>,
    /// What locals without a name are called, by number.
    default_names: Vec<Arc<str>>,
    stack: Vec<Value>,
    frames: Vec<Frame>,
    handlers: Vec<usize>,
}

impl<'m> Translator<'m> {
    /// A translator for the functions of `module`.
    pub fn new(module: &'m Module, options: TranslateOptions) -> Self {
        Self { module, options, scratch: Scratch::default() }
    }

    /// The SSA form of function number `index`, which the module defines. `ssa` can certify it.
    ///
    /// # Errors
    /// Why there is none; the translator can go on with other functions.
    ///
    /// # Complexity
    /// The builder's, plus O(size of the body), handlers counted at each call.
    pub fn translate<O: Observer>(
        &mut self,
        index: u32,
        ssa: &mut Certified<O>,
    ) -> Result<Function<Wasm>, FunctionError> {
        let error = |reason, offset| {
            let name = self.module.function_name(index);
            FunctionError { index, name, reason, offset }
        };
        let Some(body) = self.module.body(index) else { return Err(error(Reason::NotDefined, 0)) };
        let mut scratch = mem::take(&mut self.scratch);
        let allocations = mem::take(&mut scratch.allocations);
        let Some(validator) = self.module.validator(index, allocations) else {
            return Err(error(Reason::NotDefined, 0));
        };
        let builder = FunctionBuilder::new(ssa, self.module.function_name(index));
        let mut translation = Translation {
            module: self.module,
            index,
            validator,
            builder,
            scratch,
            skipped: 0,
            edges_left: self.options.edge_limit,
            offset: body.range().start,
            options: self.options,
        };
        match translation.body(&body) {
            Ok(()) => {
                let Translation { builder, mut scratch, validator, offset, .. } = translation;
                scratch.allocations = validator.into_allocations();
                self.scratch = scratch;
                let canonical = self.options.canonical;
                let function = if canonical { builder.finish() } else { builder.finish_as_numbered() };
                function.map_err(|refused| error(refused.into(), offset))
            }
            Err(reason) => Err(error(reason, translation.offset)),
        }
    }
}

/// The SSA form of function number `index` of `module`. `ssa` can certify it.
///
/// # Errors
/// Why there is none.
pub fn translate<O: Observer>(
    module: &Module,
    index: u32,
    ssa: &mut Certified<O>,
    options: TranslateOptions,
) -> Result<Function<Wasm>, FunctionError> {
    Translator::new(module, options).translate(index, ssa)
}

/// A function being translated.
struct Translation<'m, 'b, O: Observer> {
    module: &'m Module,
    index: u32,
    validator: FuncValidator<ValidatorResources>,
    builder: FunctionBuilder<'b, Wasm, O>,
    scratch: Scratch,
    /// Frames that were opened where control does not come.
    skipped: u32,
    edges_left: u64,
    /// Where the operator at hand stands.
    offset: u64,
    options: TranslateOptions,
}

impl<O: Observer> Translation<'_, '_, O> {
    fn body(&mut self, body: &FunctionBody<'_>) -> Result<(), Reason> {
        self.scratch.clear();
        self.scratch.outline.read(body.get_operators_reader()?)?;
        self.begin(body)?;
        let mut operators = body.get_operators_reader()?;
        // The body is validated along the way: nothing else may have done so.
        while !operators.eof() {
            self.offset = operators.original_position();
            operators.visit_operator(self)??;
        }
        Ok(operators.finish()?)
    }

    /// Declares parameters and locals, and opens the entry.
    fn begin(&mut self, body: &FunctionBody<'_>) -> Result<(), Reason> {
        let num_params = self.validator.len_locals();
        self.validator.read_locals(&mut body.get_binary_reader())?;
        for local in 0..self.validator.len_locals() {
            let Some(ty) = self.validator.get_local_type(local) else { break };
            let ty = self.module.numbered(ty);
            let variable = match self.module.local_name(self.index, local) {
                Some(name) => self.builder.declare(name, ty),
                None => self.builder.declare(self.scratch.default_name(local), ty),
            };
            self.scratch.locals.push(variable);
            if local < num_params {
                self.builder.param(variable)?;
            } else if let Some(initial) = Constant::default_of(ty.0) {
                let initial = self.builder.constant(initial);
                self.builder.set_initial(variable, initial)?;
            }
        }
        let entry = self.builder.create_block();
        self.builder.switch_to(entry);
        self.open_function();
        Ok(())
    }

    fn is_live(&self) -> bool {
        self.builder.current().is_some()
    }

    fn operator(&mut self, operator: &Operator<'_>) -> Result<(), Reason> {
        if !self.is_live() {
            self.validator.op(self.offset, operator)?;
            return self.skip(operator);
        }
        let arity = operator.operator_arity(&self.validator);
        // Types of results are known afterwards, those of arguments went with their values.
        self.validator.op(self.offset, operator)?;
        let (args, results) = arity.ok_or_else(|| unsupported(operator))?;
        self.execute(operator, args as usize, results as usize)
    }

    /// Passes an operator where control does not come.
    fn skip(&mut self, operator: &Operator<'_>) -> Result<(), Reason> {
        match operator {
            Operator::Loop { .. } | Operator::If { .. } => {
                self.scratch.outline.next();
                self.skipped += 1;
            }
            Operator::Block { .. } | Operator::TryTable { .. } => self.skipped += 1,
            Operator::Else if self.skipped == 0 => self.otherwise()?,
            Operator::End if self.skipped == 0 => self.close()?,
            Operator::End => self.skipped -= 1,
            _ => {}
        }
        Ok(())
    }

    fn execute(&mut self, operator: &Operator<'_>, args: usize, results: usize) -> Result<(), Reason> {
        match operator {
            Operator::Nop => Ok(()),
            Operator::Block { blockty } => self.open_block(*blockty),
            Operator::Loop { blockty } => self.open_loop(*blockty),
            Operator::If { blockty } => self.open_if(*blockty),
            Operator::TryTable { try_table } => self.open_try(try_table),
            Operator::Else => self.otherwise(),
            Operator::End => self.close(),
            Operator::Br { relative_depth } => self.br(*relative_depth),
            Operator::BrIf { relative_depth } => self.br_if(*relative_depth),
            Operator::BrTable { targets } => self.br_table(targets),
            Operator::BrOnNull { relative_depth } => self.br_on_null(*relative_depth),
            Operator::BrOnNonNull { relative_depth } => self.br_on_non_null(*relative_depth),
            Operator::BrOnCast { relative_depth, .. } => self.br_on_cast(operator, *relative_depth),
            Operator::BrOnCastFail { relative_depth, .. } => self.br_on_cast_fail(operator, *relative_depth),
            Operator::Drop => self.pop().map(drop),
            Operator::LocalGet { local_index } => self.local_get(*local_index),
            Operator::LocalSet { local_index } => self.local_set(*local_index),
            Operator::LocalTee { local_index } => {
                self.local_set(*local_index)?;
                self.local_get(*local_index)
            }
            Operator::I32Const { value } => self.constant(Constant::I32(*value)),
            Operator::I64Const { value } => self.constant(Constant::I64(*value)),
            Operator::F32Const { value } => self.constant(Constant::F32(value.bits())),
            Operator::F64Const { value } => self.constant(Constant::F64(value.bits())),
            Operator::V128Const { value } => self.constant(Constant::V128((*value).into())),
            Operator::RefNull { hty } => self.constant(Constant::Null(*hty)),
            _ => self.operation(self.op(operator)?, args, results),
        }
    }

    /// An operation that takes arguments from the stack and puts results there.
    fn operation(&mut self, op: Op, args: usize, results: usize) -> Result<(), Reason> {
        let rest = self.scratch.stack.len().saturating_sub(args);
        if op.opcode.may_throw() {
            return self.throwing(op, rest, results);
        }
        let args = &self.scratch.stack[rest..];
        if op.opcode.is_terminator() {
            self.builder.terminate(op, args, &[])?;
            self.scratch.stack.truncate(rest);
            return Ok(());
        }
        let types = self.result_types(results);
        let results = self.builder.push(op, args, &types)?;
        self.scratch.stack.truncate(rest);
        self.scratch.stack.extend_from_slice(&results);
        Ok(())
    }

    fn op(&self, operator: &Operator<'_>) -> Result<Op, Reason> {
        Op::new(operator, |function| self.module.name_of(function)).ok_or_else(|| unsupported(operator))
    }

    /// Types of the topmost operands, as the validator has left them.
    fn result_types(&self, results: usize) -> List<Type, 4> {
        let mut types = List::new();
        for depth in (0..results).rev() {
            let ty = self.validator.get_operand_type(depth).flatten();
            types.push(ty.map(|ty| self.module.numbered(ty)).unwrap_or_default());
        }
        types
    }

    fn constant(&mut self, constant: Constant) -> Result<(), Reason> {
        let value = self.builder.constant(constant);
        self.scratch.stack.push(value);
        Ok(())
    }

    fn local(&self, index: u32) -> Result<Variable, Reason> {
        self.scratch.locals.get(index as usize).copied().ok_or_else(invalid)
    }

    fn local_get(&mut self, index: u32) -> Result<(), Reason> {
        let value = self.builder.read(self.local(index)?)?;
        self.scratch.stack.push(value);
        Ok(())
    }

    fn local_set(&mut self, index: u32) -> Result<(), Reason> {
        let (variable, value) = (self.local(index)?, self.pop()?);
        let data = self.builder.function().value(value);
        // What was made for a local is called by its name; what comes by way of another keeps that one's.
        if data.name.is_none() && data.kind == ValueKind::Result {
            self.builder.function_mut().set_value_name(value, Some(variable));
        }
        Ok(self.builder.write(variable, value)?)
    }

    fn pop(&mut self) -> Result<Value, Reason> {
        self.scratch.stack.pop().ok_or_else(invalid)
    }

    /// Counts what a branch names against the limit.
    fn spend(&mut self, edges: usize) -> Result<(), Reason> {
        let left = self.edges_left.checked_sub(edges as u64);
        self.edges_left = left.ok_or(Reason::TooManyEdges { limit: self.options.edge_limit })?;
        Ok(())
    }
}

impl Scratch {
    fn default_name(&mut self, local: u32) -> Arc<str> {
        for number in self.default_names.len()..=local as usize {
            self.default_names.push(format!("l{number}").into());
        }
        self.default_names[local as usize].clone()
    }

    fn clear(&mut self) {
        self.locals.clear();
        self.stack.clear();
        self.frames.clear();
        self.handlers.clear();
    }
}

fn unsupported(operator: &Operator<'_>) -> Reason {
    Reason::Operator(format!("{operator:?}"))
}

/// What the validator would have said before.
fn invalid() -> Reason {
    Reason::Invalid("operators and operands do not fit".to_owned())
}

/// An operation without immediates.
fn bare(opcode: Opcode) -> Op {
    opcode.into()
}

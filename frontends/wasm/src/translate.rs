//! Translates the body of a function to SSA form, in one pass over its operators.
//!
//! Locals are variables. So are the values that branches carry to a label:
//! there is one variable for each, written before a branch and read at the
//! label, so that the builder decides which of them need phis. The operand
//! stack is a list of values: `local.get` followed by `local.set` leaves no
//! instruction.
//!
//! A label gets a block when something branches to it; a `block` that no branch
//! leaves gets none. Code after a terminator is skipped until the enclosing
//! frame continues. Before that, `outline` skims the body: it finds which `if`s
//! have an `else`, which loops have a back edge and which locals they write,
//! and what each `try` catches.
//!
//! | operator | here |
//! |---|---|
//! | `block`, `loop`, `if`, `else`, `end` | `structure` |
//! | `br`, `br_if`, `br_table`, `return` | `branches` |
//! | `br_on_null` and similar | `references` |
//! | `resume` and similar | `continuations` |
//! | `call` and similar, `try_table`, `throw` | `exceptions` |
//! | `try`, `catch`, `delegate`, `rethrow` | `legacy` |
//! | dispatch of operators | `visit` |
//! | operators that compute, locals, constants | `operations` |

mod branches;
mod constants;
mod continuations;
mod exceptions;
mod legacy;
mod operations;
mod outline;
mod references;
mod structure;
mod visit;

use crate::dialect::{Constant, Op, Opcode, Wasm};
use crate::error::{FunctionError, Reason};
use crate::module::Module;
use constants::Constants;
use exceptions::Region;
use outline::Outline;
use ssaphire::fold::FoldOptions;
use ssaphire::{Block, Certified, SsaBuilder, Stopped, Value, Variable};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::{BuildError, Function, FunctionBuilder, Name};
use std::mem;
use structure::Frame;
use wasmparser::{
    BinaryReader, FrameKind, FuncValidator, FuncValidatorAllocations, FunctionBody, Operator, ValidatorResources,
};

/// The result of a step. The reason of a failure is boxed, because each step returns a result, and few fail.
type Outcome<T = ()> = Result<T, Box<Reason>>;

/// Options of the translation. The default suits most users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TranslateOptions {
    /// The most values and handlers that the branches of one function may name, and the most operands of its phis.
    /// Default: 2^22; for bodies of less than 64 kilobytes, 64 per byte or 2^20, whichever is more.
    ///
    /// A branch of two bytes can carry a thousand values, a call names the handlers of all enclosing protected regions,
    /// and each handler may need a phi for each local: a few kilobytes could exhaust the memory.
    ///
    /// If the builder has no [work limit](ssaphire::Options::work_limit) of its own, it gets one in proportion to the
    /// body, so that construction stops long before it creates far more operands than this limit. The reason is then
    /// [`TooManySteps`](Reason::TooManySteps).
    pub edge_limit: u64,
    /// Whether the values are numbered in text order, without gaps. Default: yes.
    ///
    /// Otherwise they are numbered in creation order, which is faster. The numbers matter only if functions are
    /// printed or compared.
    pub canonical: bool,
    /// Whether the function is left in variable form, with a copy for each access of a local. Default: no.
    pub keeps_variables: bool,
    /// The folding of operations during construction, if any. Default: `None`.
    pub fold: Option<FoldOptions>,
}

/// The builder steps that any body may take, and those added for each of its bytes. Bodies that take more are those
/// whose phis multiply.
const STEPS: u64 = 1 << 25;
const STEPS_PER_BYTE: u64 = 64;

/// The number of edges and operands that any body may have, and the number for each of its bytes if that is more.
const EDGES: u64 = 1 << 20;
const EDGES_PER_BYTE: u64 = 64;

impl Default for TranslateOptions {
    fn default() -> Self {
        Self { edge_limit: 1 << 22, canonical: true, keeps_variables: false, fold: None }
    }
}

impl TranslateOptions {
    /// The limit of edges and operands for a body of this many bytes.
    fn edge_limit_of(&self, num_bytes: u64) -> u64 {
        self.edge_limit.min(EDGES.max(EDGES_PER_BYTE * num_bytes))
    }
}

/// Translates functions of one module; reuses its memory from one to the next.
pub struct Translator<'m> {
    module: &'m Module,
    options: TranslateOptions,
    scratch: Scratch,
    /// The last function; the next one reuses its memory.
    function: Function<Wasm>,
    folding: Option<Folding<Wasm>>,
}

#[derive(Default)]
struct Scratch {
    allocations: FuncValidatorAllocations,
    outline: Outline,
    locals: Vec<Variable>,
    constants: Constants,
    stack: Vec<Value>,
    frames: Vec<Frame>,
    /// The open protected regions.
    regions: Vec<Region>,
    /// The targets of a `br_table`.
    targets: Vec<Block>,
}

impl<'m> Translator<'m> {
    /// A translator for the functions of `module`.
    pub fn new(module: &'m Module, options: TranslateOptions) -> Self {
        let folding = options.fold.filter(|_| !options.keeps_variables).map(Folding::new);
        Self { module, options, scratch: Scratch::default(), function: Function::new(""), folding }
    }

    /// The operations folded in the last function; `None` if folding is off.
    pub fn folding(&self) -> Option<&Folding<Wasm>> {
        self.folding.as_ref()
    }

    /// Translates function number `index`, which the module must define, to SSA form. `ssa` can certify it.
    ///
    /// # Errors
    /// The reason why there is no translation; the translator can still translate other functions.
    ///
    /// # Complexity
    /// The builder's, plus O(size of the body), with handlers counted at each call.
    pub fn translate<B: SsaBuilder>(
        &mut self,
        index: u32,
        ssa: &mut Certified<B>,
    ) -> Result<Function<Wasm>, FunctionError> {
        // The clone takes only as much memory as it needs: the original may have spare capacity.
        self.translate_in_place(index, ssa).cloned()
    }

    /// Like [`translate`](Self::translate), but each function replaces the previous one in the same memory.
    ///
    /// # Errors
    /// As [`translate`](Self::translate).
    pub fn translate_in_place<B: SsaBuilder>(
        &mut self,
        index: u32,
        ssa: &mut Certified<B>,
    ) -> Result<&Function<Wasm>, FunctionError> {
        let error = |reason, offset| {
            let name = self.module.function_name(index);
            FunctionError { index, name, reason, offset }
        };
        let Some(body) = self.module.body(index) else { return Err(error(Reason::NotDefined, 0)) };
        let num_bytes = body.range().end - body.range().start;
        let is_limited = ssa.options().work_limit.is_some();
        let max_steps = STEPS + STEPS_PER_BYTE * num_bytes;
        if !is_limited {
            ssa.set_work_limit(Some(max_steps));
        }
        let translated = self.translate_body(index, &body, ssa);
        let is_out_of_work = matches!(ssa.stopped(), Some(Stopped::OutOfWork { .. }));
        let num_operands = ssa.stats().operands_kept;
        if !is_limited {
            ssa.set_work_limit(None);
        }
        let limit = self.options.edge_limit_of(num_bytes);
        match translated {
            Err((_, offset)) if is_out_of_work && !is_limited => {
                Err(error(Reason::TooManySteps { limit: max_steps }, offset))
            }
            Err((reason, offset)) => Err(error(*reason, offset)),
            Ok(offset) if num_operands > limit => Err(error(Reason::TooManyOperands { limit }, offset)),
            Ok(_) => Ok(&self.function),
        }
    }

    /// Builds the SSA form of a function in `self.function`; returns the end of the body, or the error and its offset.
    fn translate_body<B: SsaBuilder>(
        &mut self,
        index: u32,
        body: &FunctionBody<'_>,
        ssa: &mut Certified<B>,
    ) -> Result<u64, (Box<Reason>, u64)> {
        let mut scratch = mem::take(&mut self.scratch);
        let allocations = mem::take(&mut scratch.allocations);
        let Some(validator) = self.module.validator(index, allocations) else {
            return Err((Box::new(Reason::NotDefined), 0));
        };
        let last = mem::replace(&mut self.function, Function::new(""));
        let mut builder = FunctionBuilder::reusing(last, ssa, self.module.function_name(index));
        if self.options.keeps_variables {
            builder.keep_variables();
        }
        if let Some(folding) = &mut self.folding {
            builder.fold_with(folding);
        }
        let edge_limit = self.options.edge_limit_of(body.range().end - body.range().start);
        let mut translation = Translation {
            module: self.module,
            index,
            validator,
            builder,
            scratch,
            frame: Some(FrameKind::Block),
            skipped: 0,
            edge_limit,
            edges_left: edge_limit,
            offset: body.range().start,
        };
        if let Err(reason) = translation.body(body) {
            return Err((reason, translation.offset));
        }
        let Translation { builder, mut scratch, validator, offset, .. } = translation;
        scratch.allocations = validator.into_allocations();
        self.scratch = scratch;
        let function = if self.options.canonical { builder.finish() } else { builder.finish_as_numbered() };
        self.function = function.map_err(|refused| (refused.into(), offset))?;
        Ok(offset)
    }
}

/// Translates function number `index` of `module` to SSA form. `ssa` can certify it.
///
/// # Errors
/// The reason why there is no translation.
pub fn translate<B: SsaBuilder>(
    module: &Module,
    index: u32,
    ssa: &mut Certified<B>,
    options: TranslateOptions,
) -> Result<Function<Wasm>, FunctionError> {
    Translator::new(module, options).translate(index, ssa)
}

/// A function being translated.
struct Translation<'m, 'b, B: SsaBuilder> {
    module: &'m Module,
    index: u32,
    validator: FuncValidator<ValidatorResources>,
    builder: FunctionBuilder<'b, Wasm, B>,
    scratch: Scratch,
    /// The kind of the innermost frame, before the end of the body.
    frame: Option<FrameKind>,
    /// The number of open frames in unreachable code.
    skipped: u32,
    edge_limit: u64,
    edges_left: u64,
    /// The offset of the current operator.
    offset: u64,
}

impl<B: SsaBuilder> Translation<'_, '_, B> {
    fn body(&mut self, body: &FunctionBody<'_>) -> Outcome {
        self.scratch.clear();
        let mut reader = body.get_binary_reader();
        self.begin(&mut reader)?;
        self.scratch.outline.read(&reader);
        // The body is validated along the way: it may not have been validated before.
        while !reader.eof() {
            self.offset = reader.original_position();
            reader.visit_operator(self)??;
        }
        Ok(reader.finish_expression(&self.validator.visitor(self.offset))?)
    }

    /// Declares parameters and locals, and opens the entry.
    fn begin(&mut self, reader: &mut BinaryReader<'_>) -> Outcome {
        let num_params = self.validator.len_locals();
        self.validator.read_locals(reader)?;
        for local in 0..self.validator.len_locals() {
            let Some(ty) = self.validator.get_local_type(local) else { break };
            let ty = self.module.numbered(ty);
            let variable = match self.module.local_name(self.index, local) {
                Some(name) => self.builder.declare(name, ty),
                None => self.builder.declare(Name::numbered("l", local), ty),
            };
            self.scratch.locals.push(variable);
            if local < num_params {
                self.builder.param(variable)?;
            } else if let Some(initial) = Constant::default_of(ty.0) {
                let initial = self.intern(initial);
                self.builder.set_initial(variable, initial)?;
            }
        }
        let entry = self.builder.create_block();
        self.builder.switch_to(entry);
        self.open_function();
        Ok(())
    }

    /// Continues in `block`, unless folded branches have made it unreachable.
    fn enter(&mut self, block: Block) -> Outcome {
        if self.builder.is_unreachable(block) {
            return Ok(self.builder.skip(block)?);
        }
        self.builder.switch_to(block);
        Ok(())
    }

    fn is_live(&self) -> bool {
        self.builder.current().is_some()
    }

    /// Counts the values and handlers of a branch against the limit.
    fn spend(&mut self, edges: usize) -> Outcome {
        let left = self.edges_left.checked_sub(edges as u64);
        self.edges_left = left.ok_or(Reason::TooManyEdges { limit: self.edge_limit })?;
        Ok(())
    }
}

impl Scratch {
    fn clear(&mut self) {
        self.locals.clear();
        self.constants.clear();
        self.stack.clear();
        self.frames.clear();
        self.regions.clear();
    }
}

impl From<BuildError> for Box<Reason> {
    fn from(error: BuildError) -> Self {
        Self::new(error.into())
    }
}

impl From<wasmparser::Error> for Box<Reason> {
    fn from(error: wasmparser::Error) -> Self {
        Self::new(error.into())
    }
}

#[cold]
fn unsupported(operator: &Operator<'_>) -> Box<Reason> {
    let (name, proposal) = Opcode::origin(operator);
    // An operator that is supported otherwise uses a new feature here.
    let proposal = match operator {
        Operator::Resume { .. } | Operator::ResumeThrow { .. } | Operator::ResumeThrowRef { .. } => proposal,
        _ if proposal == "legacy_exceptions" => proposal,
        _ => "multibyte_array_access",
    };
    Box::new(Reason::Unsupported { operator: name, proposal })
}

/// The error that the validator would have reported before.
#[cold]
fn invalid() -> Box<Reason> {
    Box::new(Reason::Invalid("operators and operands do not fit".to_owned()))
}

/// An operation without immediates.
fn bare(opcode: Opcode) -> Op {
    opcode.into()
}

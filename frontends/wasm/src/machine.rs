//! Runs a module: numbers, memory, tables, globals and calls of WebAssembly
//! 1.0, exceptions of both proposals, and a few more operators.
//!
//! The functions run in SSA form, on the interpreter of the reference IR, whose
//! calls need no native stack. An unsupported operator, or a call of a function
//! that could not be translated, is an error when control reaches it. The only
//! imports are those of `spectest`, which the tests of the specification use:
//! functions that print nothing, a memory, a table and some globals.

mod conversions;
mod exceptions;
mod floats;
mod instantiate;
mod integers;
mod memory;
mod number;

pub use instantiate::{Initial, MadeImport, MissingImports};
pub use memory::Memory;
pub use number::Number;

use crate::dialect::{Constant, Immediates, Op, Opcode, Wasm};
use crate::error::FunctionError;
use crate::module::Module;
use exceptions::Exceptions;
use memory::{address, is_load, is_store};
use ssaphire_ir::interp::{Arity, Content, Flow, Interpreter, Limits, Machine, Trap, TrapKind};
use ssaphire_ir::{Function, List};
use std::fmt;

/// A module with its memory, tables and globals.
pub struct Instance<'m> {
    module: &'m Module,
    functions: Vec<Function<Wasm>>,
    state: State<'m>,
    limits: Limits,
}

/// The state on which operators work.
struct State<'m> {
    module: &'m Module,
    data: Initial,
    exceptions: Exceptions,
    /// The functions that could not be translated, by number. Empty functions take their places.
    untranslated: Vec<FunctionError>,
    /// The reason why the run cannot continue, if it is not a trap.
    refusal: Option<RunError>,
}

/// The reason why a run did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// It trapped.
    Trap(Trap),
    /// Control reached an operator that this machine does not support.
    Operator(String),
    /// The module imports something that does not exist.
    Import {
        /// The module name of the import.
        module: String,
        /// The field name of the import.
        name: String,
    },
    /// The module needs more memory or a longer table than this machine has.
    TooLarge,
    /// A segment is out of bounds, or an initial value cannot be computed.
    Initial(Fault),
    /// Control reached a function that could not be translated.
    Function(FunctionError),
    /// The module has no function of this number.
    NoSuchFunction(u32),
    /// The arguments do not match the parameters of the function.
    Arguments,
    /// The bytes have changed since the module was validated.
    Module(String),
}

/// The reason why an operator has no result, in the words of the specification's tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A division by zero.
    DivideByZero,
    /// A quotient or a conversion out of range.
    IntegerOverflow,
    /// A conversion of a NaN.
    InvalidConversion,
    /// An access beyond the end of a memory.
    MemoryBounds,
    /// A segment beyond the end of a table.
    TableBounds,
    /// An indirect call beyond the end of the table.
    UndefinedElement,
    /// An indirect call through a null element.
    UninitializedElement,
    /// An indirect call of a function of another type.
    CallType,
    /// A `throw_ref` of a null reference.
    NullException,
    /// An operand of the wrong type.
    Mismatch,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DivideByZero => "integer divide by zero",
            Self::IntegerOverflow => "integer overflow",
            Self::InvalidConversion => "invalid conversion to integer",
            Self::MemoryBounds => "out of bounds memory access",
            Self::TableBounds => "out of bounds table access",
            Self::UndefinedElement => "undefined element",
            Self::UninitializedElement => "uninitialized element",
            Self::CallType => "indirect call type mismatch",
            Self::NullException => "null exception reference",
            Self::Mismatch => "operand of another type",
        })
    }
}

impl From<Fault> for TrapKind {
    fn from(fault: Fault) -> Self {
        Self::Dialect(fault.to_string())
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trap(trap) => trap.fmt(f),
            Self::Operator(name) => write!(f, "`{name}` is not supported"),
            Self::Import { module, name } => {
                write!(f, "`{module}.{name}` is imported, but the interpreter does not provide it")
            }
            Self::TooLarge => f.write_str("the module needs a larger memory or table than the interpreter provides"),
            Self::Initial(fault) => fault.fmt(f),
            Self::Function(error) => error.fmt(f),
            Self::NoSuchFunction(index) => write!(f, "the module has no function {index}"),
            Self::Arguments => f.write_str("the arguments do not match the parameters of the function"),
            Self::Module(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Trap(trap) => trap.source(),
            Self::Initial(fault) => fault.source(),
            Self::Function(error) => error.source(),
            _ => None,
        }
    }
}

impl std::error::Error for Fault {}

impl Instance<'_> {
    /// Calls function number `index`; returns its results.
    ///
    /// # Errors
    /// If the function does not return.
    pub fn call(&mut self, index: u32, args: &[Number]) -> Result<Vec<Number>, RunError> {
        let ty = self.module.function_type(index).ok_or(RunError::NoSuchFunction(index))?;
        let fits = args.len() == ty.params().len() && args.iter().zip(ty.params()).all(|(arg, &ty)| arg.fits(ty));
        if !fits {
            return Err(RunError::Arguments);
        }
        let Some(start) = index.checked_sub(self.module.defined_functions().start) else {
            return self.state.data.imports.get(index as usize).cloned().unwrap_or(Ok(())).map(|()| Vec::new());
        };
        self.state.check_translated(index)?;
        let args = args.iter().map(|&arg| Content::Known(arg)).collect();
        let outcome = Interpreter::new(&self.functions, self.limits).run(&mut self.state, start as usize, args);
        match (outcome, self.state.refusal.take()) {
            (Ok(returned), _) => Ok(returned.into_iter().filter_map(Content::known).collect()),
            (Err(_), Some(refusal)) => Err(refusal),
            (Err(trap), None) => {
                let function = trap.function + self.module.defined_functions().start as usize;
                Err(RunError::Trap(Trap { function, ..trap }))
            }
        }
    }

    /// The value of a global.
    pub fn global(&self, index: u32) -> Option<Number> {
        self.state.data.globals.get(index as usize).copied()
    }

    /// The bytes of a memory.
    pub fn memory(&self, index: u32) -> Option<&[u8]> {
        self.state.data.memories.get(index as usize).map(Memory::bytes)
    }

    /// The functions in SSA form, by number, without the imported ones.
    pub fn functions(&self) -> &[Function<Wasm>] {
        &self.functions
    }
}

impl Machine<Wasm> for State<'_> {
    type Content = Number;

    fn constant(&mut self, constant: &Constant) -> Number {
        (*constant).into()
    }

    fn execute(
        &mut self,
        op: &Op,
        args: &[Content<Number>],
        shape: Arity,
        results: &mut Vec<Content<Number>>,
    ) -> Result<Flow, TrapKind> {
        match op.opcode {
            Opcode::Br => Ok(Flow::Slot(0)),
            Opcode::BrIf => Ok(Flow::Slot(u32::from(known(args, 0)? == Number::I32(0)))),
            Opcode::BrTable => {
                let chosen = address(known(args, 0)?).unwrap_or(u64::MAX);
                Ok(Flow::Slot(chosen.min(shape.targets as u64 - 1) as u32))
            }
            Opcode::Return => {
                results.extend_from_slice(args);
                Ok(Flow::Return)
            }
            Opcode::Unreachable => Err(TrapKind::Dialect("unreachable".to_owned())),
            Opcode::Call | Opcode::CallIndirect => self.call(op, args, results),
            Opcode::Throw
            | Opcode::ThrowRef
            | Opcode::Catch
            | Opcode::CatchRef
            | Opcode::CatchAll
            | Opcode::CatchAllRef => self.exception(op, args, results),
            _ => {
                let result = self.compute(op, args)?;
                results.extend(result.map(Content::Known));
                Ok(Flow::Next)
            }
        }
    }

    fn handler(&mut self, _: &Op, _: Arity, heads: &[Option<&Op>]) -> Option<u32> {
        self.handler_among(heads)
    }
}

impl State<'_> {
    fn call(
        &mut self,
        op: &Op,
        args: &[Content<Number>],
        results: &mut Vec<Content<Number>>,
    ) -> Result<Flow, TrapKind> {
        let (callee, args) = match (&op.immediates, args) {
            (Immediates::Callee { index, .. }, _) => (*index, args),
            (&Immediates::Indices(ty, table), [args @ .., Content::Known(place)]) => {
                (self.indirect(ty, table, *place)?, args)
            }
            _ => return Err(TrapKind::Malformed),
        };
        match callee.checked_sub(self.module.defined_functions().start) {
            Some(function) => {
                if let Err(refusal) = self.check_translated(callee) {
                    return Err(self.refuse(refusal));
                }
                results.extend_from_slice(args);
                Ok(Flow::Call(function as usize))
            }
            None => match self.data.imports.get(callee as usize) {
                Some(Err(absent)) => Err(self.refuse(absent.clone())),
                // The functions that can be imported print, and return nothing.
                _ => Ok(Flow::Next),
            },
        }
    }

    /// Ends the run for a reason that is not a trap.
    fn refuse(&mut self, refusal: RunError) -> TrapKind {
        let message = refusal.to_string();
        self.refusal = Some(refusal);
        TrapKind::Dialect(message)
    }

    /// Checks that a function has a translation.
    fn check_translated(&self, function: u32) -> Result<(), RunError> {
        let place = self.untranslated.binary_search_by_key(&function, |error| error.index);
        place.map_or(Ok(()), |place| Err(RunError::Function(self.untranslated[place].clone())))
    }

    /// The function at a place in a table, which must have the given type.
    fn indirect(&self, ty: u32, table: u32, place: Number) -> Result<u32, Fault> {
        let table = self.data.tables.get(table as usize).ok_or(Fault::UndefinedElement)?;
        let place = address(place).and_then(|place| usize::try_from(place).ok());
        let Number::Function(callee) = *place.and_then(|place| table.get(place)).ok_or(Fault::UndefinedElement)? else {
            return Err(Fault::UninitializedElement);
        };
        let types = self.module.types().as_ref();
        let (mut given, wanted) = (Some(types.core_function_at(callee)), types.core_type_at_in_module(ty));
        while let Some(id) = given.filter(|&id| id != wanted) {
            given = types.supertype_of(id);
        }
        given.map(|_| callee).ok_or(Fault::CallType)
    }

    /// Executes an operator that computes at most one number.
    fn compute(&mut self, op: &Op, args: &[Content<Number>]) -> Result<Option<Number>, TrapKind> {
        let opcode = op.opcode;
        if let Some(access) = op.immediates.memory() {
            if is_load(opcode) {
                let at = known(args, 0)?;
                return Ok(Some(self.memory(access.memory)?.load(opcode, access, at)?));
            }
            if is_store(opcode) {
                let (at, number) = (known(args, 0)?, known(args, 1)?);
                self.memory(access.memory)?.store(opcode, access, at, number)?;
                return Ok(None);
            }
        }
        match (opcode, &op.immediates) {
            (Opcode::MemorySize, &Immediates::Index(memory)) => Ok(Some(self.memory(memory)?.size())),
            (Opcode::MemoryGrow, &Immediates::Index(memory)) => {
                let by = known(args, 0)?;
                Ok(Some(self.memory(memory)?.grow(by)))
            }
            (Opcode::MemoryFill, &Immediates::Index(memory)) => {
                let (to, value, len) = (known(args, 0)?, known(args, 1)?, known(args, 2)?);
                self.memory(memory)?.fill(to, value, len)?;
                Ok(None)
            }
            (Opcode::MemoryCopy, &Immediates::Indices(to_memory, from_memory)) => {
                let (to, from, len) = (known(args, 0)?, known(args, 1)?, known(args, 2)?);
                let copied = self.memory(from_memory)?.copied(from, len)?;
                self.memory(to_memory)?.write(to, &copied)?;
                Ok(None)
            }
            (Opcode::GlobalGet, &Immediates::Index(global)) => {
                self.data.globals.get(global as usize).map(|&number| Some(number)).ok_or(TrapKind::Malformed)
            }
            (Opcode::GlobalSet, &Immediates::Index(global)) => {
                let number = known(args, 0)?;
                self.data.globals.get_mut(global as usize).map(|global| *global = number).ok_or(TrapKind::Malformed)?;
                Ok(None)
            }
            (Opcode::Select, _) => {
                let chosen = usize::from(known(args, 2)? == Number::I32(0));
                known(args, chosen).map(Some)
            }
            _ => match numeric(opcode, args)? {
                Some(number) => Ok(Some(number)),
                None => Err(self.refuse(RunError::Operator(opcode.name().to_owned()))),
            },
        }
    }

    fn memory(&mut self, index: u32) -> Result<&mut Memory, TrapKind> {
        self.data.memories.get_mut(index as usize).ok_or(TrapKind::Malformed)
    }
}

/// The result of an operator on constants; `None` if it depends on more, if it traps, or if it is not supported.
pub(crate) fn evaluate(opcode: Opcode, args: &[Constant]) -> Option<Constant> {
    if let (Opcode::Select, &[x, y, condition]) = (opcode, args) {
        return Some(if condition == Constant::I32(0) { y } else { x });
    }
    let args: List<_, 2> = args.iter().map(|&arg| Content::Known(Number::from(arg))).collect();
    numeric(opcode, &args).ok()??.constant()
}

/// The result of an operator on numbers alone; `None` if it is not supported.
fn numeric(opcode: Opcode, args: &[Content<Number>]) -> Result<Option<Number>, TrapKind> {
    let result = match *args {
        [Content::Known(x)] => unary(opcode, x),
        [Content::Known(x), Content::Known(y)] => match (x, y) {
            (Number::I32(x), Number::I32(y)) => integers::binary_i32(opcode, x, y),
            (Number::I64(x), Number::I64(y)) => integers::binary_i64(opcode, x, y),
            (Number::F32(x), Number::F32(y)) => floats::binary_f32(opcode, x, y).map(Ok),
            (Number::F64(x), Number::F64(y)) => floats::binary_f64(opcode, x, y).map(Ok),
            _ => None,
        },
        _ => None,
    };
    Ok(result.transpose()?)
}

fn unary(opcode: Opcode, number: Number) -> Option<Result<Number, Fault>> {
    let same = match number {
        Number::I32(x) => integers::unary_i32(opcode, x),
        Number::I64(x) => integers::unary_i64(opcode, x),
        Number::F32(bits) => floats::unary_f32(opcode, bits),
        Number::F64(bits) => floats::unary_f64(opcode, bits),
        _ => None,
    };
    same.map(Ok).or_else(|| conversions::convert(opcode, number))
}

fn known(args: &[Content<Number>], index: usize) -> Result<Number, TrapKind> {
    let arg = args.get(index).ok_or(TrapKind::Malformed)?;
    arg.known().ok_or(TrapKind::Undefined)
}

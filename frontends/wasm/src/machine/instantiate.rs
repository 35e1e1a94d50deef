//! Instantiation of a module: imports, initial values, segments, start.

use super::exceptions::Exceptions;
use super::memory::{Memory, address};
use super::number::Number;
use super::{Fault, Instance, RunError, State};
use crate::dialect::{Constant, Wasm};
use crate::error::FunctionError;
use crate::module::Module;
use crate::translate::{TranslateOptions, Translator};
use ssaphire::{Certified, SsaBuilder};
use ssaphire_ir::Function;
use ssaphire_ir::interp::Limits;
use wasmparser::{
    ConstExpr, Data, DataKind, Element, ElementItems, ElementKind, ExternalKind, HeapType, Import, MemoryType,
    Operator, Parser, Payload, Table, TableInit, TableType, TypeRef, ValType,
};

/// The most elements that a table may have on this machine.
const LONGEST_TABLE: u64 = 10_000_000;

/// The state of a module before any of its code runs: imports, initial values, segments.
pub struct Initial {
    /// Its memories.
    pub memories: Vec<Memory>,
    /// Its tables.
    pub tables: Vec<Vec<Number>>,
    /// Its globals.
    pub globals: Vec<Number>,
    /// The number of the start function, if it has one.
    pub start: Option<u32>,
    /// By imported function, whether it exists. Those that exist do nothing and return no results.
    pub imports: Vec<Result<(), RunError>>,
    /// The other imports that do not exist, and were replaced with defaults.
    pub made: Vec<MadeImport>,
}

/// An imported memory, table or global that does not exist, and was replaced with a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeImport {
    /// Whether it is a memory, a table or a global.
    pub kind: ExternalKind,
    /// Its number among the memories, tables or globals.
    pub number: u32,
    /// Whether initialization depends on it: another global, or the offset of a segment.
    pub is_read: bool,
    /// The error that reports the missing import.
    pub absent: RunError,
}

/// The treatment of imported memories, tables and globals that do not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingImports {
    /// The module has no instance.
    #[default]
    Refused,
    /// They are created from their types: minimal size, zero, null.
    Made,
}

impl<'m> Instance<'m> {
    /// Translates all functions, creates memories, tables and globals, and runs the start function, if any.
    ///
    /// A function that cannot be translated is an error when it is called.
    ///
    /// # Errors
    /// If an import or initial value is unavailable, or the start function does not return.
    pub fn new(module: &'m Module, limits: Limits) -> Result<Self, RunError> {
        Self::with_builder(module, limits, &mut Certified::default())
    }

    /// [`new`](Self::new), with functions built by `ssa`, whose recording is switched off.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_builder<B: SsaBuilder>(
        module: &'m Module,
        limits: Limits,
        ssa: &mut Certified<B>,
    ) -> Result<Self, RunError> {
        let mut translator = Translator::new(module, TranslateOptions::default());
        ssa.set_recording(false);
        let functions = module.defined_functions().map(|index| translator.translate(index, ssa));
        Self::with_translations(module, limits, functions)
    }

    /// [`new`](Self::new) with translations made elsewhere, one for each function that the module defines, in order:
    /// its SSA form, or the reason why it has none, which is an error when the function is called.
    ///
    /// # Errors
    /// As [`new`](Self::new). A function beyond the end of the list traps when it is called.
    pub fn with_translations(
        module: &'m Module,
        limits: Limits,
        functions: impl IntoIterator<Item = Result<Function<Wasm>, FunctionError>>,
    ) -> Result<Self, RunError> {
        let mut untranslated = Vec::new();
        let functions = functions.into_iter().map(|function| {
            function.unwrap_or_else(|error| {
                untranslated.push(error);
                Function::new("")
            })
        });
        let functions = functions.collect();
        Self::start(module, limits, functions, untranslated)
    }

    /// [`with_translations`](Self::with_translations), where every function has an SSA form.
    ///
    /// # Errors
    /// As [`new`](Self::new). A missing function traps when it is called.
    pub fn with_functions(
        module: &'m Module,
        limits: Limits,
        functions: Vec<Function<Wasm>>,
    ) -> Result<Self, RunError> {
        Self::start(module, limits, functions, Vec::new())
    }

    fn start(
        module: &'m Module,
        limits: Limits,
        functions: Vec<Function<Wasm>>,
        untranslated: Vec<FunctionError>,
    ) -> Result<Self, RunError> {
        let data = Initial::new(module, MissingImports::Refused)?;
        let start = data.start;
        let state = State { module, data, exceptions: Exceptions::default(), untranslated, refusal: None };
        let mut instance = Self { module, functions, state, limits };
        if let Some(start) = start {
            instance.call(start, &[])?;
        }
        Ok(instance)
    }
}

impl Initial {
    /// The initial state of `module`. It may import the contents of `spectest`, any function that is not called, and,
    /// if `missing` says so, memories, tables and globals that do not exist.
    ///
    /// # Errors
    /// If an import or initial value is unavailable.
    ///
    /// # Complexity
    /// Linear in the module and the memory it asks for.
    pub fn new(module: &Module, missing: MissingImports) -> Result<Self, RunError> {
        let (memories, tables, globals) = (Vec::new(), Vec::new(), Vec::new());
        let mut initial = Self { memories, tables, globals, start: None, imports: Vec::new(), made: Vec::new() };
        initial.sections(module, missing)?;
        Ok(initial)
    }

    fn sections(&mut self, module: &Module, missing: MissingImports) -> Result<(), RunError> {
        for payload in Parser::new(0).parse_all(module.bytes()) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        self.import(module, &import?, missing)?;
                    }
                }
                Payload::TableSection(section) => {
                    for table in section {
                        self.table(&table?)?;
                    }
                }
                Payload::MemorySection(section) => {
                    for ty in section {
                        self.memory(&ty?)?;
                    }
                }
                Payload::GlobalSection(section) => {
                    for global in section {
                        let initial = self.evaluate(&global?.init_expr)?;
                        self.globals.push(initial);
                    }
                }
                Payload::StartSection { func, .. } => self.start = Some(func),
                Payload::ElementSection(section) => {
                    for element in section {
                        self.element(element?)?;
                    }
                }
                Payload::DataSection(section) => {
                    for data in section {
                        self.data(&data?)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds an import: from `spectest` as the tests of the specification describe it, or a default.
    fn import(&mut self, module: &Module, import: &Import<'_>, missing: MissingImports) -> Result<(), RunError> {
        let absent = || RunError::Import { module: import.module.to_owned(), name: import.name.to_owned() };
        match (import.module, import.name, import.ty) {
            ("spectest", name, TypeRef::Func(ty)) if prints(module, name, ty) => self.imports.push(Ok(())),
            (other, _, TypeRef::Func(_)) if other != "spectest" => self.imports.push(Err(absent())),
            ("spectest", "global_i32", TypeRef::Global(_)) => self.globals.push(Number::I32(666)),
            ("spectest", "global_i64", TypeRef::Global(_)) => self.globals.push(Number::I64(666)),
            ("spectest", "global_f32", TypeRef::Global(_)) => self.globals.push(Number::F32(666.6f32.to_bits())),
            ("spectest", "global_f64", TypeRef::Global(_)) => self.globals.push(Number::F64(666.6f64.to_bits())),
            ("spectest", "table", TypeRef::Table(_)) => self.tables.push(vec![Number::Null(HeapType::FUNC); 10]),
            ("spectest", "memory", TypeRef::Memory(ty)) => {
                let ty = MemoryType { initial: 1, maximum: Some(2), ..ty };
                self.memory(&ty)?;
            }
            (_, _, ty) if missing == MissingImports::Made => self.make(ty, absent())?,
            _ => return Err(absent()),
        }
        Ok(())
    }

    fn make(&mut self, ty: TypeRef, absent: RunError) -> Result<(), RunError> {
        let (kind, number) = match ty {
            TypeRef::Memory(ty) => {
                self.memory(&ty)?;
                (ExternalKind::Memory, self.memories.len())
            }
            TypeRef::Table(ty) => {
                self.empty_table(&ty)?;
                (ExternalKind::Table, self.tables.len())
            }
            TypeRef::Global(ty) => {
                let Some(zero) = Constant::default_of(ty.content_type) else { return Err(absent) };
                self.globals.push(zero.into());
                (ExternalKind::Global, self.globals.len())
            }
            _ => return Err(absent),
        };
        self.made.push(MadeImport { kind, number: number as u32 - 1, is_read: false, absent });
        Ok(())
    }

    fn memory(&mut self, ty: &MemoryType) -> Result<(), RunError> {
        self.memories.push(Memory::new(ty).ok_or(RunError::TooLarge)?);
        Ok(())
    }

    fn table(&mut self, table: &Table<'_>) -> Result<(), RunError> {
        match &table.init {
            TableInit::RefNull => self.empty_table(&table.ty),
            TableInit::Expr(initial) => {
                let initial = self.evaluate(initial)?;
                self.filled_table(&table.ty, initial)
            }
        }
    }

    fn empty_table(&mut self, ty: &TableType) -> Result<(), RunError> {
        self.filled_table(ty, Number::Null(ty.element_type.heap_type()))
    }

    fn filled_table(&mut self, ty: &TableType, content: Number) -> Result<(), RunError> {
        let length = (ty.initial <= LONGEST_TABLE).then_some(ty.initial as usize).ok_or(RunError::TooLarge)?;
        self.tables.push(vec![content; length]);
        Ok(())
    }

    fn element(&mut self, element: Element<'_>) -> Result<(), RunError> {
        let ElementKind::Active { table_index, offset_expr } = element.kind else { return Ok(()) };
        let begin = address(self.evaluate(&offset_expr)?).ok_or(RunError::Initial(Fault::TableBounds))?;
        let mut items = Vec::new();
        match element.items {
            ElementItems::Functions(functions) => {
                for function in functions {
                    items.push(Number::Function(function?));
                }
            }
            ElementItems::Expressions(_, expressions) => {
                for expression in expressions {
                    items.push(self.evaluate(&expression?)?);
                }
            }
        }
        let table = self.tables.get_mut(table_index.unwrap_or(0) as usize);
        let begin = usize::try_from(begin).ok();
        let place = begin.and_then(|begin| table?.get_mut(begin..begin.checked_add(items.len())?));
        place.ok_or(RunError::Initial(Fault::TableBounds))?.copy_from_slice(&items);
        Ok(())
    }

    fn data(&mut self, data: &Data<'_>) -> Result<(), RunError> {
        let DataKind::Active { memory_index, offset_expr } = &data.kind else { return Ok(()) };
        let begin = self.evaluate(offset_expr)?;
        let memory = self.memories.get_mut(*memory_index as usize).ok_or(RunError::Initial(Fault::MemoryBounds))?;
        memory.write(begin, data.data).map_err(RunError::Initial)
    }

    /// The value of a constant expression.
    fn evaluate(&mut self, expression: &ConstExpr<'_>) -> Result<Number, RunError> {
        let mut stack = Vec::new();
        let mut operators = expression.get_operators_reader();
        while !operators.eof() {
            let operator = operators.read()?;
            let number = match operator {
                Operator::End => break,
                Operator::I32Const { value } => Number::I32(value),
                Operator::I64Const { value } => Number::I64(value),
                Operator::F32Const { value } => Number::F32(value.bits()),
                Operator::F64Const { value } => Number::F64(value.bits()),
                Operator::V128Const { value } => Constant::V128(value.into()).into(),
                Operator::RefNull { hty } => Number::Null(hty),
                Operator::RefFunc { function_index } => Number::Function(function_index),
                Operator::GlobalGet { global_index } => {
                    let is_it =
                        |made: &&mut MadeImport| (made.kind, made.number) == (ExternalKind::Global, global_index);
                    if let Some(made) = self.made.iter_mut().find(is_it) {
                        made.is_read = true;
                    }
                    *self.globals.get(global_index as usize).ok_or(RunError::Initial(Fault::Mismatch))?
                }
                _ => {
                    let (y, x) = (stack.pop(), stack.pop());
                    extended(&operator, x, y).ok_or_else(|| RunError::Operator(format!("{operator:?}")))?
                }
            };
            stack.push(number);
        }
        stack.pop().ok_or(RunError::Initial(Fault::Mismatch))
    }
}

/// Whether a function with this name and type can be imported.
fn prints(module: &Module, name: &str, ty: u32) -> bool {
    use ValType::{F32, F64, I32, I64};
    let wanted: &[ValType] = match name {
        "print" => &[],
        "print_i32" => &[I32],
        "print_i64" => &[I64],
        "print_f32" => &[F32],
        "print_f64" => &[F64],
        "print_i32_f32" => &[I32, F32],
        "print_f64_f64" => &[F64, F64],
        _ => return false,
    };
    let types = module.types();
    let ty = types[types.as_ref().core_type_at_in_module(ty)].unwrap_func();
    ty.params() == wanted && ty.results().is_empty()
}

/// The arithmetic of extended constant expressions.
fn extended(operator: &Operator<'_>, x: Option<Number>, y: Option<Number>) -> Option<Number> {
    Some(match (operator, x?, y?) {
        (Operator::I32Add, Number::I32(x), Number::I32(y)) => Number::I32(x.wrapping_add(y)),
        (Operator::I32Sub, Number::I32(x), Number::I32(y)) => Number::I32(x.wrapping_sub(y)),
        (Operator::I32Mul, Number::I32(x), Number::I32(y)) => Number::I32(x.wrapping_mul(y)),
        (Operator::I64Add, Number::I64(x), Number::I64(y)) => Number::I64(x.wrapping_add(y)),
        (Operator::I64Sub, Number::I64(x), Number::I64(y)) => Number::I64(x.wrapping_sub(y)),
        (Operator::I64Mul, Number::I64(x), Number::I64(y)) => Number::I64(x.wrapping_mul(y)),
        _ => return None,
    })
}

impl From<wasmparser::Error> for RunError {
    fn from(error: wasmparser::Error) -> Self {
        Self::Module(error.message().to_owned())
    }
}

//! A module: its validated bytes, with indexes into them.

mod load;
mod names;
mod uses;

pub use load::{load, load_with};
pub use uses::Uses;

use crate::dialect::{FunctionName, Type};
use crate::error::Error;
use crate::pool::Pool;
use names::Names;
use std::fmt;
use std::mem;
use std::ops::Range;
use wasmparser::types::{CoreTypeId, Types};
use wasmparser::{
    BinaryReader, CompositeInnerType, ExternalKind, FuncToValidate, FuncType, FuncValidator, FuncValidatorAllocations,
    FunctionBody, HeapType, Parser, Payload, RefType, UnpackedIndex, ValType, ValidPayload, Validator,
    ValidatorResources, WasmFeatures,
};

/// A WebAssembly module, valid with all proposals that `wasmparser` supports.
///
/// Custom descriptors change the types of existing operators, so they are enabled only if the module is not valid
/// without them.
pub struct Module {
    bytes: Vec<u8>,
    features: WasmFeatures,
    types: Types,
    /// The number of each type, by identity; of several equal types, the first.
    type_numbers: Vec<(CoreTypeId, u32)>,
    /// The resources of validators; `None` if the module has no functions.
    resources: Option<ValidatorResources>,
    num_imported: u32,
    bodies: Vec<Body>,
    names: Names,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Module");
        text.field("bytes", &self.bytes.len()).field("functions", &self.num_functions()).finish_non_exhaustive()
    }
}

/// A function that a module defines.
#[derive(Clone, Debug)]
struct Body {
    type_index: u32,
    range: Range<usize>,
}

/// What every binary module begins with.
const MAGIC: &[u8] = b"\0asm";

impl Module {
    /// Reads and validates a module in the binary format.
    ///
    /// A section of an unknown kind is skipped, like a custom section.
    ///
    /// # Errors
    /// The first error, with its byte offset.
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::parse_with(bytes, &Pool::default())
    }

    /// [`parse`](Self::parse), on the threads of `pool`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_with(bytes: impl Into<Vec<u8>>, pool: &Pool) -> Result<Self, Error> {
        Self::read(bytes.into(), |functions| validate(&functions, pool))
    }

    /// Reads a module in the binary format and validates everything except the bodies of its functions.
    ///
    /// A body is validated when its function is translated, and the translation returns the error. This is faster if
    /// each function is translated once, since [`parse`](Self::parse) reads every body an extra time.
    ///
    /// # Errors
    /// The first error, with its byte offset.
    pub fn parse_without_bodies(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::read(bytes.into(), |_| Ok(()))
    }

    fn read(bytes: Vec<u8>, validate: impl Fn(Vec<Function<'_>>) -> Result<(), Error>) -> Result<Self, Error> {
        if Parser::is_component(&bytes) {
            return Err(Error::Component);
        }
        if !bytes.starts_with(MAGIC) {
            let message = "expected a WebAssembly module, which begins with the magic number `\\0asm`".to_owned();
            return Err(Error::Binary { message, offset: 0 });
        }
        let with = |features| Self::read_with(features, &bytes, &validate);
        let module =
            with(WasmFeatures::all() - WasmFeatures::CUSTOM_DESCRIPTORS).or_else(|_| with(WasmFeatures::all()))?;
        Ok(Self { bytes, ..module })
    }

    /// Reads a module; the caller adds the bytes.
    fn read_with(
        features: WasmFeatures,
        bytes: &[u8],
        validate: impl Fn(Vec<Function<'_>>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let Sections { types, names, functions } = Sections::read(bytes, features)?;
        let resources = functions.first().map(|(function, _)| function.resources.clone());
        let num_imported = functions.first().map_or(types.as_ref().function_count(), |(function, _)| function.index);
        let body = |(function, body): &(FuncToValidate<_>, FunctionBody<'_>)| {
            let range = body.range();
            Body { type_index: function.ty, range: range.start as usize..range.end as usize }
        };
        let bodies = functions.iter().map(body).collect();
        validate(functions)?;
        let type_numbers = number_types(&types);
        let bytes = Vec::new();
        Ok(Self { bytes, features, types, type_numbers, resources, num_imported, bodies, names })
    }

    /// The module in the binary format.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of functions, imported ones included.
    pub fn num_functions(&self) -> u32 {
        self.num_imported + self.bodies.len() as u32
    }

    /// The numbers of the functions that the module defines; lower numbers are imports.
    pub fn defined_functions(&self) -> Range<u32> {
        self.num_imported..self.num_functions()
    }

    /// The name of a function: from the name section, otherwise from its export or import, otherwise its number.
    pub fn function_name(&self, index: u32) -> String {
        self.names.function(index).map_or_else(|| format!("func{index}"), |name| name.to_string())
    }

    /// The function exported as `name`, otherwise the first one with this [`function_name`](Self::function_name).
    pub fn function_named(&self, name: &str) -> Option<u32> {
        self.functions_named(name).first().copied()
    }

    /// The functions that `name` can mean to a caller outside of the module, in ascending order.
    ///
    /// Exports and the name section are two name spaces. Exports are the module's interface and take precedence: if a
    /// function is exported as `name`, the result is that function alone. Otherwise the result is every function with
    /// this [`function_name`](Self::function_name); the name section may repeat a name.
    ///
    /// # Complexity
    /// Linear in the functions and exports.
    pub fn functions_named(&self, name: &str) -> Vec<u32> {
        if let Some(index) = self.exported_function(name) {
            return vec![index];
        }
        let is_called = |&index: &u32| match self.names.function(index) {
            Some(other) => ***other == *name,
            None => name.strip_prefix("func").is_some_and(|digits| *digits == index.to_string()),
        };
        (0..self.num_functions()).filter(is_called).collect()
    }

    /// The function exported under `name`.
    pub fn exported_function(&self, name: &str) -> Option<u32> {
        self.exported(name, ExternalKind::Func)
    }

    /// The global exported under `name`.
    pub fn exported_global(&self, name: &str) -> Option<u32> {
        self.exported(name, ExternalKind::Global)
    }

    /// The memory exported under `name`.
    pub fn exported_memory(&self, name: &str) -> Option<u32> {
        self.exported(name, ExternalKind::Memory)
    }

    fn exported(&self, name: &str, kind: ExternalKind) -> Option<u32> {
        self.names.export(name).filter(|&(given, _)| given == kind).map(|(_, index)| index)
    }

    /// The parameter and result types of a function.
    pub fn function_type(&self, index: u32) -> Option<&FuncType> {
        let types = self.types.as_ref();
        (index < types.function_count()).then(|| self.types[types.core_function_at(index)].unwrap_func())
    }

    /// The type with this number, if it is a final function type: it has no subtypes, so only equal types match it.
    pub fn final_func_type(&self, ty: u32) -> Option<&FuncType> {
        let types = self.types.as_ref();
        let id = (ty < types.core_type_count_in_module()).then(|| types.core_type_at_in_module(ty))?;
        let ty = &self.types[id];
        match &ty.composite_type.inner {
            CompositeInnerType::Func(func) if ty.is_final => Some(func),
            _ => None,
        }
    }

    /// The number of a function's type; of several equal types, the first.
    pub fn type_number(&self, function: u32) -> Option<u32> {
        let types = self.types.as_ref();
        (function < types.function_count()).then(|| self.number_of(types.core_function_at(function)))?
    }

    /// The number of the first type that equals type `ty`.
    pub fn first_equal_type(&self, ty: u32) -> Option<u32> {
        let types = self.types.as_ref();
        (ty < types.core_type_count_in_module()).then(|| self.number_of(types.core_type_at_in_module(ty)))?
    }

    fn number_of(&self, id: CoreTypeId) -> Option<u32> {
        let place = self.type_numbers.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(self.type_numbers[place].1)
    }

    /// The types of everything in the module.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// The name of a function, if it has its own.
    pub(crate) fn name_of(&self, index: u32) -> Option<FunctionName> {
        self.names.function(index).cloned()
    }

    /// The name of a local, if it has its own.
    pub(crate) fn local_name(&self, function: u32, local: u32) -> Option<&str> {
        self.names.local(function, local)
    }

    /// The body of a function that the module defines.
    pub fn body(&self, index: u32) -> Option<FunctionBody<'_>> {
        let body = self.bodies.get(index.checked_sub(self.num_imported)? as usize)?;
        let offset = body.range.start as u64;
        let reader = BinaryReader::new_features(&self.bytes[body.range.clone()], offset, self.features);
        Some(FunctionBody::new(reader))
    }

    /// A validator for the body of a function.
    pub(crate) fn validator(
        &self,
        index: u32,
        allocations: FuncValidatorAllocations,
    ) -> Option<FuncValidator<ValidatorResources>> {
        let body = self.bodies.get(index.checked_sub(self.num_imported)? as usize)?;
        let resources = self.resources.clone()?;
        let features = self.features;
        Some(FuncToValidate { resources, index, ty: body.type_index, features }.into_validator(allocations))
    }

    /// Validates the bodies of all functions, after [`parse_without_bodies`](Self::parse_without_bodies).
    ///
    /// # Errors
    /// The error in the first invalid function.
    ///
    /// # Complexity
    /// O(size of the module), shared by the threads of `pool`.
    pub fn validate_bodies(&self, pool: &Pool) -> Result<(), Error> {
        let functions: Vec<u32> = self.defined_functions().collect();
        let validate = |allocations: &mut FuncValidatorAllocations, &index: &u32| -> Result<(), Error> {
            let Some(mut validator) = self.validator(index, mem::take(allocations)) else { return Ok(()) };
            if let Some(body) = self.body(index) {
                validator.validate(&body)?;
            }
            *allocations = validator.into_allocations();
            Ok(())
        };
        pool.run(&functions, FuncValidatorAllocations::default, validate, |_, result| result)
    }

    /// A validator's type with the type numbers of this module.
    pub(crate) fn numbered(&self, ty: ValType) -> Type {
        Type(match ty {
            ValType::Ref(ty) => ValType::Ref(self.numbered_ref(ty)),
            other => other,
        })
    }

    fn numbered_ref(&self, ty: RefType) -> RefType {
        let number = |index| match index {
            UnpackedIndex::Id(id) => self.number_of(id).map_or(index, UnpackedIndex::Module),
            other => other,
        };
        let heap = match ty.heap_type() {
            HeapType::Concrete(index) => HeapType::Concrete(number(index)),
            HeapType::Exact(index) => HeapType::Exact(number(index)),
            heap @ HeapType::Abstract { .. } => heap,
        };
        RefType::new(ty.is_nullable(), heap).unwrap_or(ty)
    }
}

type Function<'a> = (FuncToValidate<ValidatorResources>, FunctionBody<'a>);

/// The result of one pass over the sections of a module.
struct Sections<'a> {
    types: Types,
    names: Names,
    functions: Vec<Function<'a>>,
}

impl<'a> Sections<'a> {
    fn read(bytes: &'a [u8], features: WasmFeatures) -> Result<Self, Error> {
        let mut parser = Parser::new(0);
        parser.set_features(features);
        let mut validator = Validator::new_with_features(features);
        let mut names = Names::default();
        let mut functions = Vec::new();
        let mut types = None;
        for payload in parser.parse_all(bytes) {
            let payload = payload?;
            if let Payload::UnknownSection { .. } = payload {
                continue;
            }
            match validator.payload(&payload)? {
                ValidPayload::Func(function, body) => functions.push((function, body)),
                ValidPayload::End(end) => types = Some(end),
                ValidPayload::Parser(_) => return Err(Error::Component),
                ValidPayload::Ok => {}
            }
            names.section(&payload);
        }
        // Always set: for a module without an end, the parser has returned an error.
        let types = types.ok_or(Error::Component)?;
        Ok(Self { types, names, functions })
    }
}

/// The number of bytes of bodies below which starting other threads does not pay off.
const LITTLE_CODE: u64 = 1 << 16;

/// Validates the bodies, in parallel if they are large; returns the first error in module order.
fn validate(functions: &[Function<'_>], pool: &Pool) -> Result<(), Error> {
    let len = |body: &FunctionBody<'_>| body.range().end - body.range().start;
    let is_little = functions.iter().map(|(_, body)| len(body)).sum::<u64>() < LITTLE_CODE;
    let validate = |allocations: &mut FuncValidatorAllocations, (function, body): &Function<'_>| {
        let FuncToValidate { resources, index, ty, features } = function;
        let function = FuncToValidate { resources: resources.clone(), index: *index, ty: *ty, features: *features };
        let mut validator = function.into_validator(mem::take(allocations));
        let result = validator.validate(body);
        *allocations = validator.into_allocations();
        result
    };
    let take = |_: &Function<'_>, result: wasmparser::Result<()>| result.map_err(Error::from);
    let alone = Pool::alone();
    (if is_little { &alone } else { pool }).run(functions, FuncValidatorAllocations::default, validate, take)
}

fn number_types(types: &Types) -> Vec<(CoreTypeId, u32)> {
    let types = types.as_ref();
    let mut numbers: Vec<_> =
        (0..types.core_type_count_in_module()).map(|number| (types.core_type_at_in_module(number), number)).collect();
    numbers.sort_unstable();
    numbers.dedup_by_key(|&mut (id, _)| id);
    numbers
}

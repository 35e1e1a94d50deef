//! Names of functions and locals.

use crate::dialect::FunctionName;
use wasmparser::{ExternalKind, IndirectNameMap, KnownCustom, Name, NameMap, Payload, TypeRef};

/// The names in a module. Names are not validated: a damaged name section is read up to the damage.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// From the name section.
    given: Vec<Option<FunctionName>>,
    /// From exports and imports.
    public: Vec<Option<FunctionName>>,
    num_imported: usize,
    exports: Vec<(Box<str>, ExternalKind, u32)>,
    /// By function and local, ascending.
    locals: Vec<(u32, u32, Box<str>)>,
}

impl Names {
    pub(super) fn function(&self, index: u32) -> Option<&FunctionName> {
        let named = |names: &[Option<FunctionName>]| names.get(index as usize).is_some_and(Option::is_some);
        let names = if named(&self.given) { &self.given } else { &self.public };
        names.get(index as usize)?.as_ref()
    }

    pub(super) fn local(&self, function: u32, local: u32) -> Option<&str> {
        let place = self.locals.binary_search_by_key(&(function, local), |&(function, local, _)| (function, local));
        Some(&self.locals[place.ok()?].2)
    }

    /// The item exported under `name`.
    pub(super) fn export(&self, name: &str) -> Option<(ExternalKind, u32)> {
        self.exports.iter().find(|(other, ..)| **other == *name).map(|&(_, kind, index)| (kind, index))
    }

    /// Reads the names in a section, if it has any.
    pub(super) fn section(&mut self, payload: &Payload<'_>) {
        match payload {
            Payload::ImportSection(section) => {
                for import in section.clone().into_imports().flatten() {
                    if matches!(import.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)) {
                        let name = format!("{}.{}", import.module, import.name);
                        set(&mut self.public, self.num_imported, &name);
                        self.num_imported += 1;
                    }
                }
            }
            Payload::ExportSection(section) => {
                for export in section.clone().into_iter().flatten() {
                    self.exports.push((export.name.into(), export.kind, export.index));
                    let is_new = self.public.get(export.index as usize).is_none_or(Option::is_none);
                    if is_new && export.kind == ExternalKind::Func {
                        set(&mut self.public, export.index as usize, export.name);
                    }
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(section) = section.as_known() {
                    section.into_iter().map_while(Result::ok).for_each(|name| self.subsection(name));
                }
            }
            _ => {}
        }
    }

    fn subsection(&mut self, name: Name<'_>) {
        match name {
            Name::Function(names) => self.functions(names),
            Name::Local(functions) => self.locals(functions),
            _ => {}
        }
    }

    fn functions(&mut self, names: NameMap<'_>) {
        for naming in names.map_while(Result::ok) {
            // Bounded, because the number of functions has not been validated yet.
            if naming.index < MOST_FUNCTIONS {
                set(&mut self.given, naming.index as usize, naming.name);
            }
        }
    }

    fn locals(&mut self, functions: IndirectNameMap<'_>) {
        self.locals.clear();
        for function in functions.map_while(Result::ok) {
            for naming in function.names.map_while(Result::ok) {
                self.locals.push((function.index, naming.index, naming.name.into()));
            }
        }
        // Both maps are sorted; reading would have stopped otherwise.
        debug_assert!(self.locals.is_sorted_by_key(|&(function, local, _)| (function, local)));
    }
}

/// The most functions that a valid module can have.
const MOST_FUNCTIONS: u32 = 1 << 21;

fn set(names: &mut Vec<Option<FunctionName>>, index: usize, name: &str) {
    if names.len() <= index {
        names.resize(index + 1, None);
    }
    // A missing name is easier to handle than an empty one.
    names[index] = (!name.is_empty()).then(|| FunctionName::new(name.into()));
}

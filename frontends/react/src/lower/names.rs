//! Names and what they are bound to.

use super::{Lowered, Lowering, unsupported};
use crate::function::{Identifier, Place};
use crate::scope::{Binding, BindingId, Origin};
use crate::value::{Global, Value};
use ssaphire_js::dialect::Name;
use ssaphire_js::source::Span;

/// A name at its place in the source.
#[derive(Clone, Copy)]
pub(super) struct NameAt<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

impl<'a> NameAt<'a> {
    pub(super) fn new(text: &'a str, span: oxc_span::Span) -> Self {
        Self { text, span: span.into() }
    }
}

/// What a name means.
pub(super) enum Meaning {
    /// A variable of the nest.
    Local(Place, BindingId),
    /// Anything else.
    Global(Global),
}

impl Meaning {
    pub(super) fn is_local(&self) -> bool {
        matches!(self, Self::Local(..))
    }
}

/// Names that are bound to a value at no place in strict code.
const RESERVED: [&str; 13] = [
    "let",
    "static",
    "implements",
    "interface",
    "package",
    "private",
    "protected",
    "public",
    "eval",
    "arguments",
    "this",
    "enum",
    "with",
];

/// Whether React Compiler refuses it as the name of a variable or function.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

impl<'a> Lowering<'_, 'a> {
    fn is_outside(&self, binding: &Binding<'_>) -> bool {
        !self.scopes.contains(self.outermost, binding.scope)
    }

    /// What `name` means. A variable that is met for the first time gets its identifier.
    pub(super) fn meaning(&mut self, name: NameAt<'a>) -> Lowered<Meaning> {
        let global = Name::new(name.text);
        let Some(id) = self.scopes.binding_at(name.span.start) else {
            return Ok(Meaning::Global(Global::Unbound(global)));
        };
        let binding = self.scopes.binding(id);
        if self.is_outside(binding) {
            return Ok(Meaning::Global(match binding.origin.clone() {
                Origin::Default { module } => Global::ImportDefault { name: global, module },
                Origin::Namespace { module } => Global::ImportNamespace { name: global, module },
                Origin::Specifier { imported, module } => Global::ImportSpecifier { name: global, imported, module },
                Origin::Variable | Origin::Function | Origin::Other(_) => Global::Module(global),
            }));
        }
        let place = self.place_of(id)?;
        if self.nest.identifiers[place.index()].name.as_deref() != Some(binding.name) {
            self.renamed.insert(id);
        }
        Ok(Meaning::Local(place, id))
    }

    /// The identifier of a variable of the nest: of that name, or with a number behind it if another variable has the name.
    pub(super) fn place_of(&mut self, id: BindingId) -> Lowered<Place> {
        if let Some(&place) = self.places.get(&id) {
            return Ok(place);
        }
        let binding = self.scopes.binding(id);
        let at = Span { start: binding.declared_at, end: binding.declared_at + binding.name.len() as u32 };
        if binding.name == "fbt" || is_reserved(binding.name) {
            return Err(unsupported(format!("a variable with the name `{}`", binding.name), at));
        }
        let mut name = Name::new(binding.name);
        let next = self.next_number.entry(binding.name).or_default();
        while !self.taken.insert(name.clone()) {
            name = Name::new(&format!("{}_{next}", binding.name));
            *next += 1;
        }
        let place = self.nest.temporary();
        self.nest.identifiers[place.index()] = Identifier { name: Some(name), declaration: place.0 };
        self.places.insert(id, place);
        Ok(place)
    }

    /// The name of a binding, as it is in the source by now.
    pub(super) fn current_name(&self, id: BindingId) -> Name {
        let place = self.places.get(&id).filter(|_| self.renamed.contains(&id));
        let renamed = place.and_then(|place| self.nest.identifiers[place.index()].name.clone());
        renamed.unwrap_or_else(|| self.scopes.name_of(id))
    }

    /// Whether `name` is a variable of the nest that is loaded and stored as a context variable.
    pub(super) fn is_context(&self, name: NameAt<'_>) -> bool {
        self.scopes.binding_at(name.span.start).is_some_and(|id| {
            let binding = self.scopes.binding(id);
            !self.is_outside(binding) && (binding.is_context || self.hoisted.contains(&id))
        })
    }

    /// The place of a variable, or that of an instruction that loads a global.
    pub(super) fn variable(&mut self, name: NameAt<'a>) -> Lowered<Place> {
        match self.meaning(name)? {
            Meaning::Local(place, _) => Ok(place),
            Meaning::Global(Global::Unbound(global)) if &*global == "eval" => Err(unsupported("`eval`", name.span)),
            Meaning::Global(global) => Ok(self.emit(Value::LoadGlobal(global))),
        }
    }

    /// The value of a name.
    pub(super) fn load(&mut self, name: NameAt<'a>) -> Lowered<Value> {
        let place = self.variable(name)?;
        Ok(if self.is_context(name) { Value::LoadContext { place } } else { Value::LoadLocal { place } })
    }
}

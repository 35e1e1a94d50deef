//! Names of variables and blocks.
//!
//! A front end declares many variables whose names nobody ever reads. So a name
//! is stored as requested, and all names are made unique at once when the first
//! of them is read; the result is the same as if each had been made unique on
//! creation.

use crate::names::Names;
use ssaphire_graph::{Block, IdMap, Variable};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A requested name: variables of one function with the same name get suffixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(Wanted);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Text(Arc<str>),
    Fixed(&'static str),
    Numbered(&'static str, u32),
}

impl Name {
    /// The given word.
    pub const fn fixed(word: &'static str) -> Self {
        Self(Wanted::Fixed(word))
    }

    /// The given word followed by a number. The two are joined only when the name is read.
    pub const fn numbered(word: &'static str, number: u32) -> Self {
        Self(Wanted::Numbered(word, number))
    }
}

/// The name as a text.
impl From<Name> for Arc<str> {
    fn from(name: Name) -> Self {
        match name.0 {
            Wanted::Text(text) => text,
            _ => name.to_string().into(),
        }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(Wanted::Text(text.into()))
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self(Wanted::Text(text.into()))
    }
}

impl From<Arc<str>> for Name {
    fn from(text: Arc<str>) -> Self {
        Self(Wanted::Text(text))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Wanted::Text(text) => f.write_str(text),
            Wanted::Fixed(word) => f.write_str(word),
            Wanted::Numbered(word, number) => write!(f, "{word}{number}"),
        }
    }
}

/// All variables of a function.
#[derive(Clone, Debug)]
pub(crate) struct Variables<T> {
    declared: IdMap<Variable, Declared<T>>,
    /// The unique names, once one has been read.
    given: OnceLock<Box<Given>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Declared<T> {
    name: Name,
    ty: T,
}

#[derive(Clone, Debug, Default)]
struct Given {
    names: Vec<Arc<str>>,
    taken: Names<Variable>,
}

impl Given {
    fn add(&mut self, wanted: &Name) {
        let wanted = match &wanted.0 {
            Wanted::Text(text) => text.clone(),
            _ => wanted.to_string().into(),
        };
        let name = self.taken.unique(wanted, |_| false);
        self.taken.insert(name.clone(), Variable::new(self.names.len()));
        self.names.push(name);
    }
}

impl<T> Default for Variables<T> {
    fn default() -> Self {
        Self { declared: IdMap::new(), given: OnceLock::new() }
    }
}

impl<T> Variables<T> {
    #[inline]
    pub(crate) fn push(&mut self, name: Name, ty: T) -> Variable {
        if let Some(given) = self.given.get_mut() {
            given.add(&name);
        }
        self.declared.push(Declared { name, ty })
    }

    pub(crate) fn len(&self) -> usize {
        self.declared.len()
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = Variable> + ExactSizeIterator + use<T> {
        self.declared.keys()
    }

    pub(crate) fn ty(&self, variable: Variable) -> Option<&T> {
        self.declared.get(variable).map(|declared| &declared.ty)
    }

    pub(crate) fn set_type(&mut self, variable: Variable, ty: T) {
        self.declared[variable].ty = ty;
    }

    /// The types of all variables, in the order of their numbers.
    pub(crate) fn types(&self) -> impl Iterator<Item = &T> {
        self.declared.values().map(|declared| &declared.ty)
    }

    pub(crate) fn name(&self, variable: Variable) -> Option<&str> {
        self.given().names.get(variable.index()).map(|name| &**name)
    }

    pub(crate) fn declared_name(&self, variable: Variable) -> Option<&Name> {
        self.declared.get(variable).map(|declared| &declared.name)
    }

    pub(crate) fn named(&self, name: &str) -> Option<Variable> {
        self.given().taken.get(name)
    }

    /// Moves all variables to where there is no room to spare; this keeps its memory.
    pub(crate) fn take(&mut self) -> Self {
        Self { declared: self.declared.take(), given: std::mem::take(&mut self.given) }
    }

    /// Forgets all variables; keeps memory.
    pub(crate) fn clear(&mut self) {
        self.declared.clear();
        self.given = OnceLock::new();
    }

    fn given(&self) -> &Given {
        self.given.get_or_init(|| {
            let mut given = Box::new(Given::default());
            self.declared.values().for_each(|declared| given.add(&declared.name));
            given
        })
    }
}

impl<T: PartialEq> PartialEq for Variables<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = self.types().eq(other.types());
        same && (self.declared == other.declared || self.given().names == other.given().names)
    }
}

/// The names of blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) taken: Names<Block>,
    names: Vec<Option<Arc<str>>>,
}

impl Labels {
    pub(crate) fn name(&self, block: Block) -> Option<&str> {
        self.names.get(block.index())?.as_deref()
    }

    /// Removes the name of a block.
    pub(crate) fn remove(&mut self, block: Block) {
        if let Some(old) = self.names.get_mut(block.index()).and_then(Option::take) {
            self.taken.remove(&old);
        }
    }

    pub(crate) fn set(&mut self, block: Block, name: Arc<str>) {
        if self.names.len() <= block.index() {
            self.names.resize(block.index() + 1, None);
        }
        self.taken.insert(name.clone(), block);
        self.names[block.index()] = Some(name);
    }

    /// Forgets all names.
    pub(crate) fn clear(&mut self) {
        if !self.names.is_empty() {
            *self = Self::default();
        }
    }
}

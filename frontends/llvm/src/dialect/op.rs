//! Operations, constants and types: texts that are shared.

use super::kind::{Kind, callee};
use crate::scan::first_word;
use crate::template;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The text of an instruction, with `{}` for arguments and `{b}` for targets; see [the dialect](super).
#[derive(Clone, Debug)]
pub struct Op(Arc<OpData>);

/// A text, and what follows from it.
#[derive(Debug)]
struct OpData {
    text: Box<str>,
    kind: Kind,
    /// The numbers of arguments and targets.
    counts: (usize, usize),
}

/// What records for debuggers are called.
const RECORD: &str = "record";

impl Op {
    pub(crate) fn new(text: &str) -> Self {
        Self(Arc::new(OpData { text: text.into(), kind: Kind::of(text), counts: template::counts(text) }))
    }

    /// The operation whose text starts with `name`, or is the record `rest`.
    pub(crate) fn joined(name: &str, rest: &str) -> Self {
        if name == RECORD {
            return Self::new(rest);
        }
        let blank = if rest.is_empty() || rest.starts_with(['(', ',']) { "" } else { " " };
        Self::new(&format!("{name}{blank}{rest}"))
    }

    /// The text, without result.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    pub(crate) fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The first word of the text; `record` for what starts with `#`.
    pub fn name(&self) -> &str {
        if self.text().starts_with('#') { RECORD } else { first_word(self.text()) }
    }

    /// The text after the first word.
    pub(crate) fn rest(&self) -> &str {
        if self.text().starts_with('#') {
            return self.text();
        }
        let rest = &self.text()[self.name().len()..];
        rest.strip_prefix(' ').unwrap_or(rest)
    }

    /// The numbers of arguments and targets.
    pub(crate) fn counts(&self) -> (usize, usize) {
        self.0.counts
    }

    /// The function that it calls, if that has a name.
    pub(crate) fn callee(&self) -> Option<&str> {
        if !matches!(self.kind(), Kind::Call | Kind::Assume) {
            return None;
        }
        callee(self.text())
    }
}

// Everything else follows from the text.
impl PartialEq for Op {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl Eq for Op {}

impl Hash for Op {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

/// The text of a constant operand, without its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant(Arc<str>);

impl Constant {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// The text of a type; empty where it is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type(Arc<str>);

impl Type {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Default for Type {
    fn default() -> Self {
        static NONE: std::sync::OnceLock<Arc<str>> = std::sync::OnceLock::new();
        Self(NONE.get_or_init(|| "".into()).clone())
    }
}

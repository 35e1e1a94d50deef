//! An operation with its immediates.

use super::constant::Constant;
use super::name::{JsString, Name};
use super::opcode::Opcode;
use crate::program::FunctionId;
use crate::source::Span;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An operation of JavaScript. Its operands are arguments.
///
/// Its source location is not part of its identity: two operations are equal if they do the same.
#[derive(Clone, Debug)]
pub struct Op {
    /// The operation without its immediates.
    pub opcode: Opcode,
    /// The bytes of the source that it comes from; empty if it has no source location.
    pub span: Span,
    /// Its immediates.
    pub immediates: Immediates,
}

impl Op {
    /// The operation without immediates and source location.
    pub const fn new(opcode: Opcode) -> Self {
        Self { opcode, span: Span::NOWHERE, immediates: Immediates::None }
    }
}

impl PartialEq for Op {
    fn eq(&self, other: &Self) -> bool {
        self.opcode == other.opcode && self.immediates == other.immediates
    }
}

impl Eq for Op {}

impl Hash for Op {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.opcode.hash(state);
        self.immediates.hash(state);
    }
}

impl From<Opcode> for Op {
    fn from(opcode: Opcode) -> Self {
        Self::new(opcode)
    }
}

/// The immediates of an operation; [`Opcode::form`] determines the variant.
///
/// Every instruction contains one, so long immediates are behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Immediates {
    /// Nothing.
    None,
    /// A name.
    Name(Name),
    /// A number.
    Index(u32),
    /// Two texts.
    Pair(Arc<(Name, Name)>),
    /// The cases of a switch.
    Cases(Arc<[Constant]>),
    /// The parts of a template.
    Strings(Arc<[TemplatePart]>),
    /// Names of properties.
    Names(Arc<[JsString]>),
    /// The indices of the spread arguments, in ascending order.
    Spreads(Arc<[u32]>),
    /// Elements.
    Layout(Arc<[Element]>),
    /// A pattern.
    Pattern(Arc<[PatternPart]>),
}

/// A string part of a template literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TemplatePart {
    /// The raw text.
    pub raw: Name,
    /// The cooked text; `None` for an invalid escape sequence, which only a tag may receive.
    pub cooked: Option<JsString>,
}

/// An element of an object, array or JSX element, with the arguments that it takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// `name: value`. In arrays and among the children of JSX: `value`, with an empty name. As an attribute of JSX:
    /// `name={value}`.
    Value(JsString),
    /// `[key]: value`; the key has been converted.
    Computed,
    /// `...value`.
    Spread,
    /// `__proto__: value`.
    Proto,
    /// A hole in an array; an attribute of JSX without value has the name in [`Bare`](Self::Bare).
    Hole,
    /// A method, getter or setter, with its cells.
    Method(Method),
    /// The tag of a JSX element, which comes first: a text such as `div` and `a:b`, or, if the text is empty, an
    /// argument. Without this element it is a fragment.
    Tag(JsString),
    /// An attribute of JSX without a value.
    Bare(JsString),
    /// Text between children of JSX, in its raw form.
    Text(JsString),
    /// All later elements are children of JSX, not attributes.
    Children,
}

/// A method in an object literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// Its name; `None` if it is computed, in which case the first argument is the key.
    pub name: Option<JsString>,
    /// The function, whose [kind](crate::program::FunctionKind) says whether it is an accessor.
    pub function: FunctionId,
    /// Number of arguments that are cells.
    pub cells: u32,
}

/// A part of a pattern, with the arguments that it takes, in source order.
///
/// What a part gets a value for is the next part: a target, or a pattern from its [`Array`](Self::Array) or
/// [`Object`](Self::Object) to its [`End`](Self::End). In an array pattern each target and each [`Hole`](Self::Hole) is
/// an element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PatternPart {
    /// A target: a result.
    Value,
    /// A target: a cell, which is an argument.
    Cell,
    /// A target: the property `name` of an argument.
    Member(Name),
    /// A target: the property of an argument whose key is a second argument.
    Index,
    /// An element of an array that is skipped.
    Hole,
    /// `...`: all that is left is for the next part.
    Rest,
    /// `name:`: the property is for the next part.
    Property(JsString),
    /// What is for the next part is an argument if it would be `undefined`.
    Default,
    /// `[`
    Array,
    /// `{`
    Object,
    /// `]` or `}`
    End,
}

impl PatternPart {
    /// How many arguments it takes.
    pub const fn num_args(&self) -> usize {
        match self {
            Self::Cell | Self::Member(_) | Self::Default => 1,
            Self::Index => 2,
            _ => 0,
        }
    }
}

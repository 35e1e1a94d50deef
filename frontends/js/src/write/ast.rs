//! The expressions of a file, as flat nodes that refer to each other by number.
//!
//! A node knows how tightly it binds, how wide it is on one line, and whether it means the same in strict code. All of
//! it is computed when the node is made, from its operands, so no question about an expression walks through it.

mod measure;
mod operands;
mod rename;

pub(super) use measure::binary_level;
use operands::each_operand;

use super::code::Code;
use super::literal;
use crate::Program;
use crate::dialect::{Constant, Element, JsString, Name, PatternPart, TemplatePart};
use crate::program::{FunctionId, FunctionKind, JsFunction};
use crate::source::Span;
use foldhash::fast::RandomState;
use oxc_syntax::identifier::is_identifier_name;
use std::collections::HashMap;
use std::sync::Arc;

/// Precedence: the levels of the grammar.
pub(super) mod level {
    /// Where everything may stand.
    pub(crate) const ANY: u8 = 0;
    pub(crate) const ASSIGNMENT: u8 = 1;
    pub(crate) const CONDITIONAL: u8 = 2;
    pub(crate) const COALESCE: u8 = 3;
    pub(crate) const OR: u8 = 4;
    pub(crate) const AND: u8 = 5;
    pub(crate) const BIT_OR: u8 = 6;
    pub(crate) const EQUALITY: u8 = 9;
    pub(crate) const RELATIONAL: u8 = 10;
    pub(crate) const POW: u8 = 14;
    pub(crate) const UNARY: u8 = 15;
    pub(crate) const POSTFIX: u8 = 16;
    pub(crate) const CALL: u8 = 18;
    pub(crate) const MEMBER: u8 = 19;
    pub(crate) const PRIMARY: u8 = 20;
}

/// The least width of what has a line break in it.
pub(super) const BROKEN: u32 = 100;

/// The number of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ExprId(u32);

/// The number of a name; the same name has the same number in all functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

/// An element of an array, or an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Hole,
    Value(ExprId),
    Spread(ExprId),
}

impl Item {
    pub(super) fn value(self) -> Option<ExprId> {
        match self {
            Self::Hole => None,
            Self::Value(value) | Self::Spread(value) => Some(value),
        }
    }
}

/// Where the property `name` of a function or class comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// From the name in its own text.
    Own,
    /// It has a name, by its place or otherwise; a name of its own can give it to it if nothing inside means anything
    /// else by that name.
    Wanted { may_insert: bool },
    /// It has none, whatever its place is.
    Nameless,
}

/// A class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClassExpr {
    pub(super) index: u32,
    pub(super) naming: Naming,
    pub(super) heritage: Option<ExprId>,
    /// Its computed keys.
    pub(super) keys: Vec<ExprId>,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExprKind {
    /// A variable of the function.
    Name(NameId),
    /// What a name means that is no variable of the function.
    Global(NameId),
    Constant(Constant),
    /// `this`, `super` and the like.
    Word(&'static str),
    Helper(&'static str),
    RegExp(Arc<(Name, Name)>),
    /// The parts are cooked.
    Template {
        parts: Box<[JsString]>,
        values: Box<[ExprId]>,
    },
    /// What a template's tag gets.
    TemplateObject(Arc<[TemplatePart]>),
    Tagged {
        tag: ExprId,
        parts: Arc<[TemplatePart]>,
        values: Box<[ExprId]>,
    },
    Unary {
        sign: &'static str,
        operand: ExprId,
    },
    Yield {
        is_delegate: bool,
        value: ExprId,
    },
    /// The numeric value of the operand.
    ToNumeric(ExprId),
    /// One more or less than the operand, which is `++` or `--` where it is assigned to the operand.
    Step {
        sign: &'static str,
        operand: ExprId,
    },
    /// The operand as a property key.
    ToKey(ExprId),
    Update {
        sign: &'static str,
        is_prefix: bool,
        place: ExprId,
    },
    Binary {
        sign: &'static str,
        left: ExprId,
        right: ExprId,
    },
    PrivateIn {
        name: Name,
        object: ExprId,
    },
    Conditional([ExprId; 3]),
    /// `target sign= value`.
    Assign {
        sign: &'static str,
        target: ExprId,
        value: ExprId,
    },
    Member {
        object: ExprId,
        name: Name,
    },
    Private {
        object: ExprId,
        name: Name,
    },
    Index {
        object: ExprId,
        key: ExprId,
    },
    /// What a reference holds, where the reference itself would mean something else: as a callee, say.
    Value(ExprId),
    Call {
        callee: ExprId,
        args: Box<[Item]>,
    },
    New {
        callee: ExprId,
        args: Box<[Item]>,
    },
    Import {
        phase: Name,
        args: Box<[Item]>,
    },
    Array(Vec<Item>),
    Object {
        elements: Arc<[Element]>,
        values: Box<[ExprId]>,
    },
    /// A pattern, with a value for each target and default.
    Pattern {
        parts: Arc<[PatternPart]>,
        values: Box<[ExprId]>,
    },
    Jsx {
        elements: Arc<[Element]>,
        values: Box<[ExprId]>,
    },
    Function(FunctionId, Naming),
    Class(Box<ClassExpr>),
    /// A function whose name is a computed key.
    NamedByKey {
        key: ExprId,
        function: ExprId,
    },
    /// A function in strict code.
    InStrictCode(ExprId),
    /// Whether the iterator is done, until the loop is a statement.
    IsDone,
}

#[derive(Clone, Debug)]
struct Node {
    kind: ExprKind,
    /// What it comes from in the source, if that is known.
    span: Span,
    width: u32,
    level: u8,
    is_same_in_strict_code: bool,
}

/// The expressions and functions of a file.
#[derive(Debug)]
pub(super) struct Ast<'p> {
    pub(super) program: &'p Program,
    nodes: Vec<Node>,
    /// What the nodes that are made come from in the source.
    pub(super) here: Span,
    names: Vec<Arc<str>>,
    name_ids: HashMap<Arc<str>, NameId, RandomState>,
    /// Whether there is JSX among them.
    pub(super) has_jsx: bool,
    /// By function, what has been written of it.
    pub(super) codes: Vec<Option<Code>>,
}

impl<'p> Ast<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let codes = program.functions.iter().map(|_| None).collect();
        let here = Span::NOWHERE;
        Self {
            program,
            nodes: Vec::new(),
            here,
            names: Vec::new(),
            name_ids: HashMap::default(),
            has_jsx: false,
            codes,
        }
    }

    /// The number of a name.
    pub(super) fn intern(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.name_ids.get(name) {
            return id;
        }
        let (id, name): (_, Arc<str>) = (NameId(self.names.len() as u32), name.into());
        self.names.push(name.clone());
        self.name_ids.insert(name, id);
        id
    }

    /// The name with that number.
    pub(super) fn text_of(&self, name: NameId) -> &str {
        &self.names[name.0 as usize]
    }

    pub(super) fn kind(&self, id: ExprId) -> &ExprKind {
        &self.nodes[id.0 as usize].kind
    }

    /// What an expression comes from in the source, or [`Span::NOWHERE`].
    pub(super) fn span(&self, id: ExprId) -> Span {
        self.nodes[id.0 as usize].span
    }

    /// How tightly an expression binds.
    pub(super) fn level(&self, id: ExprId) -> u8 {
        self.nodes[id.0 as usize].level
    }

    /// How many bytes it is wide on one line, roughly; at least [`BROKEN`] if it does not fit on one.
    pub(super) fn width(&self, id: ExprId) -> u32 {
        self.nodes[id.0 as usize].width
    }

    /// Whether an expression surely does the same in strict code.
    pub(super) fn is_same_in_strict_code(&self, id: ExprId) -> bool {
        self.nodes[id.0 as usize].is_same_in_strict_code
    }

    /// Whether all of an expression does the same in strict code, or comes from this part of the source, where code is
    /// strict.
    pub(super) fn is_strict_within(&self, id: ExprId, span: Span) -> bool {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let node = &self.nodes[id.0 as usize];
            if node.is_same_in_strict_code {
                continue;
            }
            let is_inside = span.start <= node.span.start && node.span.end <= span.end && node.span != Span::NOWHERE;
            if !is_inside && !self.is_kind_same_in_strict_code(&node.kind) {
                return false;
            }
            each_operand(&node.kind, |operand| work.push(operand));
        }
        true
    }

    /// Makes an expression.
    pub(super) fn add(&mut self, kind: ExprKind) -> ExprId {
        let id = ExprId(self.nodes.len() as u32);
        let (width, level) = (self.width_of(&kind), self.level_of(&kind));
        self.has_jsx |= matches!(kind, ExprKind::Jsx { .. });
        let mut is_same_in_strict_code = self.is_kind_same_in_strict_code(&kind);
        each_operand(&kind, |operand| is_same_in_strict_code &= self.is_same_in_strict_code(operand));
        self.nodes.push(Node { kind, span: self.here, width, level, is_same_in_strict_code });
        id
    }

    /// Appends to an array.
    pub(super) fn append(&mut self, array: ExprId, item: Item) {
        let added = item.value().map_or(0, |value| self.width(value)) + 2;
        let is_same = item.value().is_none_or(|value| self.is_same_in_strict_code(value));
        let node = &mut self.nodes[array.0 as usize];
        if let ExprKind::Array(items) = &mut node.kind {
            items.push(item);
            node.width = node.width.saturating_add(added);
            node.is_same_in_strict_code &= is_same;
        }
    }

    /// The same property of another object.
    pub(super) fn with_object(&mut self, property: ExprId, new: ExprId) -> ExprId {
        let mut kind = self.kind(property).clone();
        match &mut kind {
            ExprKind::Member { object, .. } | ExprKind::Private { object, .. } | ExprKind::Index { object, .. } => {
                *object = new;
            }
            _ => return property,
        }
        self.add(kind)
    }

    /// The same element by another key.
    pub(super) fn with_key(&mut self, element: ExprId, new: ExprId) -> ExprId {
        match *self.kind(element) {
            ExprKind::Index { object, .. } => self.add(ExprKind::Index { object, key: new }),
            _ => element,
        }
    }

    /// Whether it is a pattern in braces.
    pub(super) fn is_object_pattern(&self, id: ExprId) -> bool {
        matches!(self.kind(id), ExprKind::Pattern { parts, .. } if parts.first() == Some(&PatternPart::Object))
    }

    /// Whether copying it costs nothing.
    pub(super) fn is_atom(&self, id: ExprId) -> bool {
        matches!(self.kind(id), ExprKind::Name(_) | ExprKind::Constant(_))
    }

    /// Whether it is this constant.
    pub(super) fn is_constant(&self, id: ExprId, constant: &Constant) -> bool {
        matches!(self.kind(id), ExprKind::Constant(own) if own == constant)
    }

    /// Whether it may be read and written by one expression.
    pub(super) fn is_place(&self, id: ExprId) -> bool {
        match *self.kind(id) {
            ExprKind::Name(_) => true,
            ExprKind::Global(name) => self.text_of(name) != "eval",
            ExprKind::Member { object, .. } | ExprKind::Private { object, .. } => self.is_atom(object),
            ExprKind::Index { object, key } => self.is_atom(object) && matches!(self.kind(key), ExprKind::Constant(_)),
            _ => false,
        }
    }

    /// Whether two names, constants, or properties of these are the same.
    pub(super) fn are_same(&self, one: ExprId, other: ExprId) -> bool {
        match (self.kind(one), self.kind(other)) {
            (ExprKind::Name(one), ExprKind::Name(other)) | (ExprKind::Global(one), ExprKind::Global(other)) => {
                one == other
            }
            (ExprKind::Constant(one), ExprKind::Constant(other)) => one == other,
            (ExprKind::Word(one), ExprKind::Word(other)) => one == other,
            // A variable may be called by the keyword whose value it holds.
            (ExprKind::Word(word), ExprKind::Name(name)) | (ExprKind::Name(name), ExprKind::Word(word)) => {
                self.text_of(*name) == *word
            }
            (
                &ExprKind::Member { object: one, name: ref one_name },
                &ExprKind::Member { object: other, name: ref other_name },
            )
            | (
                &ExprKind::Private { object: one, name: ref one_name },
                &ExprKind::Private { object: other, name: ref other_name },
            ) => one_name == other_name && self.are_same_atoms(one, other),
            (&ExprKind::Index { object: one, key: one_key }, &ExprKind::Index { object: other, key: other_key }) => {
                let keys = (self.kind(one_key), self.kind(other_key));
                let is_same_key = matches!(keys, (ExprKind::Constant(one), ExprKind::Constant(other)) if one == other);
                is_same_key && self.are_same_atoms(one, other)
            }
            _ => false,
        }
    }

    fn are_same_atoms(&self, one: ExprId, other: ExprId) -> bool {
        self.is_atom(one) && self.is_atom(other) && self.are_same(one, other)
    }

    /// Whether it is a string whatever else it is.
    pub(super) fn is_text(&self, id: ExprId) -> bool {
        matches!(self.kind(id), ExprKind::Template { .. } | ExprKind::Unary { sign: "typeof ", .. })
    }

    /// Whether it means another thing as a callee: its object would be `this`, or its code that of a direct `eval`.
    pub(super) fn is_special_callee(&self, id: ExprId) -> bool {
        match *self.kind(id) {
            ExprKind::Member { .. }
            | ExprKind::Private { .. }
            | ExprKind::Index { .. }
            | ExprKind::NamedByKey { .. } => true,
            ExprKind::Global(name) => self.text_of(name) == "eval",
            // It may be written as a property that gives it its name.
            ExprKind::Function(id, Naming::Wanted { may_insert: false }) => !self.is_arrow(id),
            _ => false,
        }
    }

    /// Whether it is a name or `this`, or a property of one by names.
    pub(super) fn is_path(&self, mut id: ExprId) -> bool {
        loop {
            match *self.kind(id) {
                ExprKind::Name(_) | ExprKind::Global(_) | ExprKind::Word("this") => return true,
                ExprKind::Member { object, ref name } if is_identifier_name(name) => id = object,
                _ => return false,
            }
        }
    }

    /// Whether it is a property of `super`.
    pub(super) fn is_super_member(&self, id: ExprId) -> bool {
        match *self.kind(id) {
            ExprKind::Member { object, .. } | ExprKind::Index { object, .. } => {
                *self.kind(object) == ExprKind::Word("super")
            }
            _ => false,
        }
    }

    /// Whether a name is mentioned in an expression, or in what `is_mentioned_in` says of the functions there.
    pub(super) fn mentions(&self, id: ExprId, name: &str, is_mentioned_in: impl Fn(&ExprKind) -> bool) -> bool {
        let Some(&name) = self.name_ids.get(name) else { return false };
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let kind = self.kind(id);
            match kind {
                ExprKind::Name(other) | ExprKind::Global(other) if *other == name => return true,
                ExprKind::Function(..) | ExprKind::Class(_) | ExprKind::Object { .. } if is_mentioned_in(kind) => {
                    return true;
                }
                _ => each_operand(kind, |operand| work.push(operand)),
            }
        }
        false
    }

    /// Whether a function is an arrow function.
    pub(super) fn is_arrow(&self, id: FunctionId) -> bool {
        self.program.functions.get(id.index()).is_some_and(|function| function.kind == FunctionKind::Arrow)
    }

    /// The function, if the source declares it.
    pub(super) fn declared(&self, id: ExprId) -> Option<&JsFunction> {
        let ExprKind::Function(id, _) = *self.kind(id) else { return None };
        self.program.functions.get(id.index()).filter(|function| function.is_declaration)
    }

    /// Whether a property is written as its key and its value in one.
    pub(super) fn is_shorthand(&self, element: &Element, value: ExprId) -> bool {
        let Element::Value(key) = element else { return false };
        matches!(*self.kind(value), ExprKind::Name(name) if key.as_str() == Some(self.text_of(name)))
            && key.as_str().is_some_and(|key| key != "__proto__" && literal::is_binding_name(key))
    }
}

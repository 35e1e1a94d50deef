//! Expressions as text, with the facts needed to nest them.

use super::literal;
use super::text::without_marks;
use crate::dialect::{Constant, JsString};
use ssaphire_ir::{Block, Variable};

/// Precedence: the levels of the grammar.
pub(super) mod level {
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

/// What prevents moving an expression past later operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// Nothing but assignments of the variables that it reads.
    None,
    /// Whatever runs code: it reads what that may change.
    Reads,
    /// Whatever has an effect or reads anything.
    Runs,
}

/// The destination of exceptions of an expression or statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Throws {
    /// There is none.
    Never,
    /// To the handler that begins with this block.
    To(Block),
    /// Out of the function.
    Out,
    /// Parts of it go to different places.
    Mixed,
}

impl Throws {
    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, x) | (x, Self::Never) => x,
            (one, other) if one == other => one,
            _ => Self::Mixed,
        }
    }
}

/// The special shape of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Nothing.
    Plain,
    /// A name, or a constant: copying it costs nothing.
    Atom,
    /// A string whatever else it is.
    Text,
    /// A template of this inside.
    Template(String),
    /// What gives the opposite truth value, and how tightly that binds.
    Invertible(String, u8),
    /// A function or class without a name of its own, and its property `name` as it should be.
    ///
    /// A name can be inserted at `name_at`, if nothing in it means anything else by that name.
    Anonymous { wanted: Option<JsString>, name_at: usize, may_insert: bool },
    /// What a name means that is no variable of the function.
    GlobalName,
    /// The numeric value of what stands in this place.
    Numeric(String),
    /// One more (or less) than what stands in this place.
    Step(String, &'static str),
    /// `left sign right`, the left one being what stands in this place.
    Binary(String, &'static str, String),
    /// A property of a value that has not been computed elsewhere: the object, and the text of the access.
    Member { receiver: Variable, object: Box<Expr>, suffix: String },
    /// It reads `eval`, and would be a direct call if it were called.
    Eval,
    /// It reads a property of what is spelled like this, and whether a name says which one, of a variable.
    MemberOf(String, bool),
    /// It awaits something.
    Awaited,
    /// It reads a property of `super`.
    SuperMember,
    /// A property key: what it is converted from.
    Key(String),
    /// What a template's tag gets: the strings as they are written.
    Tagged(Vec<String>),
    /// An array literal: its elements.
    Array(Vec<String>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) binding: u8,
    pub(super) effect: Effect,
    pub(super) throws: Throws,
    /// Variables that it mentions without writing them.
    pub(super) reads: Vec<Variable>,
    /// Variables that it assigns.
    pub(super) writes: Vec<Variable>,
    /// How deep operators are nested in it.
    pub(super) size: u32,
    pub(super) shape: Shape,
}

impl Expr {
    pub(super) fn new(text: impl Into<String>, binding: u8) -> Self {
        Self {
            text: text.into(),
            binding,
            effect: Effect::None,
            throws: Throws::Never,
            reads: Vec::new(),
            writes: Vec::new(),
            size: 0,
            shape: Shape::Plain,
        }
    }

    pub(super) fn name(text: &str, variable: Variable) -> Self {
        let atom = Self::new(text, level::PRIMARY);
        Self { reads: vec![variable], shape: Shape::Atom, ..atom }
    }

    pub(super) fn constant(constant: &Constant) -> Self {
        let (text, is_prefix) = literal::constant(constant);
        let binding = if is_prefix { level::UNARY } else { level::PRIMARY };
        Self { shape: Shape::Atom, ..Self::new(text, binding) }
    }

    pub(super) fn undefined() -> Self {
        Self::constant(&Constant::Undefined)
    }

    /// How an assignment to what this reads would spell it, if it may be read and written by one expression.
    pub(super) fn as_place(&self) -> Option<&str> {
        let is_place = match self.shape {
            Shape::Atom => !self.reads.is_empty(),
            Shape::GlobalName | Shape::MemberOf(_, true) => true,
            _ => false,
        };
        is_place.then_some(&*self.text)
    }

    /// Takes over what `part`, which is computed as a part of this, does.
    pub(super) fn absorb(&mut self, part: &Self) {
        self.effect = self.effect.max(part.effect);
        self.throws = self.throws.join(part.throws);
        self.reads.extend(&part.reads);
        self.writes.extend(&part.writes);
        self.size = self.size.max(part.size + 1);
    }

    #[must_use]
    pub(super) fn with(mut self, parts: &[&Self]) -> Self {
        for part in parts {
            self.absorb(part);
        }
        self
    }

    #[must_use]
    pub(super) fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// The text where what binds less tightly than `least` needs parentheses.
    pub(super) fn at_least(&self, least: u8) -> String {
        let text = self.plain();
        if self.binding < least || matches!(self.shape, Shape::Anonymous { .. }) && least >= level::CALL {
            format!("({text})")
        } else {
            text
        }
    }

    /// The text as an argument, an element, or the right side of an assignment that gives no name.
    pub(super) fn as_argument(&self) -> String {
        self.at_least(level::ASSIGNMENT)
    }

    /// The text, a function without the name that its place might give it.
    pub(super) fn plain(&self) -> String {
        match &self.shape {
            Shape::Anonymous { wanted: Some(name), name_at, may_insert: true } => {
                self.with_inserted(*name_at, name.as_str().unwrap_or_default())
            }
            Shape::Anonymous { wanted: Some(name), .. } => named(&self.text, name),
            _ => self.text.clone(),
        }
    }

    /// The text of a function or class with a name.
    pub(super) fn with_inserted(&self, name_at: usize, name: &str) -> String {
        let (before, behind) = self.text.split_at(name_at.min(self.text.len()));
        let gap = if before.ends_with(' ') { "" } else { " " };
        let end = if behind.starts_with('(') { "" } else { " " };
        format!("{before}{gap}{name}{end}{behind}")
    }

    /// The text where the place gives a function without name the name `given`.
    pub(super) fn in_named_place(&self, given: Option<&str>) -> String {
        match &self.shape {
            Shape::Anonymous { wanted: Some(name), .. } if given.is_some() && name.as_str() == given => {
                self.text.clone()
            }
            // The comma keeps the place from naming the function.
            Shape::Anonymous { wanted: None, .. } => format!("(0, {})", self.text),
            _ => self.as_argument(),
        }
    }

    /// The text as the object of a property access.
    pub(super) fn as_object(&self) -> String {
        // In `1.x`, the dot would be part of the number.
        let is_number = without_marks(&self.text).starts_with(|first: char| first.is_ascii_digit());
        if is_number { format!("({})", self.text) } else { self.at_least(level::CALL) }
    }

    /// How tightly a property of this binds.
    pub(super) fn member_binding(&self) -> u8 {
        if self.binding == level::CALL { level::CALL } else { level::MEMBER }
    }

    /// The text as a statement, which begins with no brace and with no declaration.
    pub(super) fn as_statement(&self) -> String {
        let text = self.plain();
        let start = without_marks(&text);
        let word = |word: &str| {
            start
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$'))
        };
        // At the beginning of a function or file, a string would be a directive.
        let is_string = start.starts_with(['"', '\'']) && self.shape == Shape::Atom;
        if start.starts_with('{') || word("function") || word("class") || word("let") || word("async") || is_string {
            return format!("({text})");
        }
        text
    }

    /// The text as the body of an arrow function.
    pub(super) fn as_arrow_body(&self) -> String {
        let text = self.as_argument();
        // After the arrow, a brace begins a block.
        if without_marks(&text).starts_with('{') { format!("({text})") } else { text }
    }

    /// The expression that is true where this one is not, as a condition.
    pub(super) fn negated(self) -> Self {
        let (text, binding) = match &self.shape {
            Shape::Invertible(text, binding) => (text.clone(), *binding),
            _ => (format!("!{}", self.at_least(level::UNARY)), level::UNARY),
        };
        let shape = Shape::Invertible(self.text.clone(), self.binding);
        Self { text, binding, shape, ..self }
    }

    /// `false` where this is true, and `true` where it is not.
    pub(super) fn inverse(&self) -> Self {
        // What is not a comparison may be the opposite of something that is no truth value.
        if matches!(self.shape, Shape::Invertible(..))
            && (self.binding == level::EQUALITY || self.text.starts_with("!!"))
        {
            return self.clone().negated();
        }
        let text = format!("!{}", self.at_least(level::UNARY));
        Self { text, binding: level::UNARY, shape: Shape::Invertible(self.text.clone(), self.binding), ..self.clone() }
    }

    /// The expression where only its truth matters.
    pub(super) fn into_condition(self) -> Self {
        match self.text.strip_prefix("!!") {
            // What stands behind two prefix operators needs no parentheses behind none.
            Some(inner) if self.binding == level::UNARY && matches!(self.shape, Shape::Invertible(..)) => {
                Self { text: inner.to_owned(), ..self }
            }
            _ => self,
        }
    }

    /// The update that assigns this to `place`, if it is one: its text, and how tightly it binds.
    pub(super) fn as_update(&self, place: &str) -> Option<(String, u8)> {
        match &self.shape {
            Shape::Step(from, sign) if from == place => Some((format!("{place}{sign}"), level::POSTFIX)),
            Shape::Binary(from, sign, right) if from == place => {
                Some((format!("{place} {sign}= {right}"), level::ASSIGNMENT))
            }
            _ => None,
        }
    }

    /// Whether the opposite is said with fewer negations.
    pub(super) fn is_more_negative(&self) -> bool {
        let count = |text: &str| text.matches('!').count();
        match &self.shape {
            Shape::Invertible(opposite, _) => count(opposite) < count(&self.text) && !self.text.contains(" != null"),
            _ => false,
        }
    }

    /// Whether `other`, which is computed right behind this, may be computed before it instead.
    pub(super) fn commutes(&self, other: &Self) -> bool {
        let by_effect = match (self.effect, other.effect) {
            // Without an effect, an expression depends on variables alone, which are compared below.
            (Effect::None, _) | (_, Effect::None) => true,
            // Two readings may be exchanged unless both throw: then another exception would come first.
            (Effect::Reads, Effect::Reads) => self.throws == Throws::Never || other.throws == Throws::Never,
            _ => false,
        };
        let writes_none = |one: &Self, other: &Self| {
            one.writes.iter().all(|variable| !other.reads.contains(variable) && !other.writes.contains(variable))
        };
        by_effect && writes_none(self, other) && writes_none(other, self)
    }
}

/// A function without name, called `name`.
fn named(text: &str, name: &JsString) -> String {
    let key = literal::key(name);
    let access = name.as_str().map_or_else(|| format!("[{}]", literal::string(name)), literal::member);
    // As a plain key it would set the prototype.
    let key = if key == "__proto__" { "[\"__proto__\"]".to_owned() } else { key };
    format!("({{ {key}: {text} }}){access}")
}

//! What a parser knows of the function it is reading: names, values, labels.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::lex::{Token, TokenKind, lex, unquote_string};
use crate::dialect::Syntax;
use crate::function::{Arg, Dest, Function, Param, ValueKind};
use ssaphire_graph::{Block, IdSet, Value, Variable};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// The function read so far, and what its names stand for.
pub(crate) struct Scope<'t, D: Syntax> {
    pub(super) function: Function<D>,
    pub(super) lines: &'t [&'t str],
    /// Index of the line being read.
    pub(super) line: usize,
    numbers: HashMap<ValueKey, Value>,
    /// Where each value that has a number or a version was first mentioned.
    pub(super) mentions: Vec<(Value, Place)>,
    pub(super) defined: IdSet<Value>,
    /// Where each variable was first read.
    pub(super) reads: Vec<(Variable, Place)>,
    was_read: IdSet<Variable>,
    /// Variables that are declared, bound to a parameter, or written.
    pub(super) known: IdSet<Variable>,
    /// Of the instruction being read, by slot: where the target stands, and the range of what its edge passes.
    pub(super) passed: Vec<(Place, Range<usize>)>,
    /// The values that the edges of that instruction pass.
    pub(super) passed_values: Vec<Value>,
}

/// How a value is called in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ValueKey {
    Version(Variable, u32),
    Index(u32),
}

/// What a token calls a value.
enum ValueName<'t> {
    /// `%x.3`.
    Version(Cow<'t, str>, u32),
    /// `%7`.
    Index(u32),
}

/// What stands behind the `%` of a token.
fn value_name<'t>(token: &Token<'t>) -> Option<ValueName<'t>> {
    let name = token.text.strip_prefix('%')?;
    let Some((variable, version)) = name.rsplit_once('.') else { return name.parse().ok().map(ValueName::Index) };
    let variable = if variable.starts_with('\'') {
        Cow::Owned(unquote_string(variable)?)
    } else if variable.contains('.') {
        return None;
    } else {
        Cow::Borrowed(variable)
    };
    Some(ValueName::Version(variable, version.parse().ok()?))
}

/// A place in the text: line and byte, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) offset: usize,
}

impl<'t, D: Syntax> Scope<'t, D> {
    pub(super) fn new(lines: &'t [&'t str]) -> Self {
        Self {
            function: Function::new(""),
            lines,
            line: 0,
            numbers: HashMap::new(),
            mentions: Vec::new(),
            defined: IdSet::new(),
            reads: Vec::new(),
            was_read: IdSet::new(),
            known: IdSet::new(),
            passed: Vec::new(),
            passed_values: Vec::new(),
        }
    }

    /// The error that something is wrong with the token at `position`, or with the end of the line.
    pub(super) fn error(&self, tokens: &[Token<'_>], position: usize, kind: SyntaxErrorKind) -> SyntaxError {
        let end = tokens.last().map_or(0, |token| token.offset + token.text.len());
        let offset = tokens.get(position).map_or(end, |token| token.offset);
        self.error_at(Place { line: self.line, offset }, kind)
    }

    pub(super) fn error_at(&self, place: Place, kind: SyntaxErrorKind) -> SyntaxError {
        let source = self.lines.get(place.line).copied().unwrap_or("");
        let before = source.get(..place.offset).unwrap_or(source);
        SyntaxError { line: place.line + 1, column: before.chars().count() + 1, source: source.to_owned(), kind }
    }

    /// The token that begins there.
    pub(super) fn token_at(&self, place: Place) -> String {
        let mut tokens = Vec::new();
        let line = self.lines.get(place.line).copied().unwrap_or("");
        let _ = lex(line.get(place.offset..).unwrap_or(""), &mut tokens);
        tokens.first().map_or("", |token| token.text).to_owned()
    }

    /// Takes an argument.
    pub(super) fn arg(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Arg, SyntaxError> {
        let expected = SyntaxErrorKind::Expected("a variable, a value or a constant");
        let Some(token) = tokens.get(*position) else { return Err(self.error(tokens, *position, expected)) };
        if token.kind == TokenKind::Value || is_undef(token) {
            return self.value(tokens, position).map(Arg::Value);
        }
        if let Some(constant) = constant::<D>(token) {
            *position += 1;
            return Ok(Arg::Value(self.function.constant(constant)));
        }
        if !matches!(token.kind, TokenKind::Word | TokenKind::Quoted) {
            return Err(self.error(tokens, *position, error_kind::<D>(token, expected)));
        }
        let place = Place { line: self.line, offset: token.offset };
        let variable = self.variable(tokens, position)?;
        if self.was_read.insert(variable) {
            self.reads.push((variable, place));
        }
        Ok(Arg::Variable(variable))
    }

    /// Takes a value: `%x.3`, `%7`, a constant, `undef`.
    pub(super) fn value(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Value, SyntaxError> {
        let at = *position;
        let expected = SyntaxErrorKind::Expected("a value: `%x.3`, `%7`, a constant or `undef`");
        let Some(token) = tokens.get(at) else { return Err(self.error(tokens, at, expected)) };
        if is_undef(token) {
            return self.undefined(tokens, position);
        }
        *position += 1;
        let value = match token.kind {
            TokenKind::Value => self.named_value(token),
            _ => constant::<D>(token).map(|constant| self.function.constant(constant)),
        };
        value.ok_or_else(|| self.error(tokens, at, error_kind::<D>(token, expected)))
    }

    fn named_value(&mut self, token: &Token<'t>) -> Option<Value> {
        let (key, variable) = match value_name(token)? {
            ValueName::Index(index) => (ValueKey::Index(index), None),
            ValueName::Version(variable, version) => {
                let variable = self.variable_called(&variable);
                (ValueKey::Version(variable, version), Some(variable))
            }
        };
        Some(self.value_of_key(key, variable, token.offset))
    }

    /// The value that a token names, if it was mentioned before.
    pub(super) fn known_value(&self, token: &Token<'t>) -> Option<Value> {
        let key = match value_name(token)? {
            ValueName::Index(index) => ValueKey::Index(index),
            ValueName::Version(variable, version) => {
                ValueKey::Version(self.function.variable_named(&variable)?, version)
            }
        };
        self.numbers.get(&key).copied()
    }

    fn value_of_key(&mut self, key: ValueKey, name: Option<Variable>, offset: usize) -> Value {
        if let Some(&value) = self.numbers.get(&key) {
            return value;
        }
        let value = self.function.new_value(name, D::Type::default());
        self.numbers.insert(key, value);
        self.mentions.push((value, Place { line: self.line, offset }));
        value
    }

    /// The value `%x.0`, mentioned as `x` in a parameter list.
    pub(super) fn first_version(&mut self, variable: Variable, offset: usize) -> Value {
        self.value_of_key(ValueKey::Version(variable, 0), Some(variable), offset)
    }

    /// Makes `value` the next parameter.
    ///
    /// The type of a declared variable is also that of the parameter it is
    /// bound to; an undeclared one takes the parameter's.
    pub(super) fn bind_param(
        &mut self,
        value: Value,
        variable: Option<Variable>,
        ty: Option<D::Type>,
        declared: &IdSet<Variable>,
    ) {
        let function = &mut self.function;
        let inherited = variable.map(|variable| function.variable_type(variable).clone());
        let ty = ty.or(inherited).unwrap_or_default();
        if let Some(variable) = variable {
            self.known.insert(variable);
            if !declared.contains(variable) {
                function.variables.set_type(variable, ty.clone());
            }
        }
        let data = function.values.record_mut(value);
        data.kind = ValueKind::Param(function.params.len() as u32);
        data.ty = ty;
        function.params.push(Param { value, variable });
    }

    /// Takes `undef`, `undef.x`, `undef:type`, `undef.x:type`.
    fn undefined(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Value, SyntaxError> {
        let name = match tokens[*position].text.strip_prefix("undef.") {
            Some("") => {
                *position += 1;
                Some(self.variable(tokens, position)?)
            }
            Some(name) => {
                *position += 1;
                Some(self.variable_called(name))
            }
            None => {
                *position += 1;
                None
            }
        };
        let ty = if tokens.get(*position).is_some_and(|token| token.text == ":") {
            *position += 1;
            self.ty(tokens, position)?
        } else {
            name.map(|name| self.function.variable_type(name).clone()).unwrap_or_default()
        };
        Ok(self.function.values.undefined(name, ty))
    }

    /// Takes a type; `_` is the default one.
    pub(super) fn ty(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<D::Type, SyntaxError> {
        let Some(token) = tokens.get(*position) else {
            return Err(self.error(tokens, *position, SyntaxErrorKind::Expected("a type")));
        };
        let ty = if token.text == "_" { Some(D::Type::default()) } else { D::parse_type(token.text) };
        let ty =
            ty.ok_or_else(|| self.error(tokens, *position, SyntaxErrorKind::UnknownType(token.text.to_owned())))?;
        *position += 1;
        Ok(ty)
    }

    /// Takes `: type`, if it is there.
    pub(super) fn annotation(
        &mut self,
        tokens: &[Token<'t>],
        position: &mut usize,
    ) -> Result<Option<D::Type>, SyntaxError> {
        if tokens.get(*position).is_none_or(|token| token.text != ":") {
            return Ok(None);
        }
        *position += 1;
        self.ty(tokens, position).map(Some)
    }

    /// Takes what may stand on the left of `=`.
    pub(super) fn dest(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Dest, SyntaxError> {
        match tokens.get(*position).map(|token| token.kind) {
            Some(TokenKind::Value) => self.value(tokens, position).map(Dest::Value),
            Some(TokenKind::Word | TokenKind::Quoted) => self.variable(tokens, position).map(Dest::Variable),
            _ => Err(self.error(tokens, *position, SyntaxErrorKind::Expected("a variable or a value to write"))),
        }
    }

    /// Takes the name of a variable, which is made if there is none.
    pub(super) fn variable(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Variable, SyntaxError> {
        let at = *position;
        let is_constant = tokens.get(at).is_some_and(|token| constant::<D>(token).is_some() || is_undef(token));
        let name = self.name(tokens, position)?;
        if is_constant {
            return Err(self.error(tokens, at, SyntaxErrorKind::Expected("a variable")));
        }
        Ok(self.variable_called(&name))
    }

    pub(super) fn variable_called(&mut self, name: &str) -> Variable {
        let variable = self.function.variable_named(name);
        variable.unwrap_or_else(|| self.function.add_variable(name, D::Type::default()))
    }

    /// Takes a name with or without quotes; a name with dots needs them.
    pub(super) fn name(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<String, SyntaxError> {
        let at = *position;
        let token = tokens.get(at);
        let name = match token.map(|token| (token.kind, token.text)) {
            Some((TokenKind::Word, text)) if !text.contains('.') => text.to_owned(),
            Some((TokenKind::Quoted, text)) if text.ends_with('\'') => {
                unquote_string(text).ok_or_else(|| self.error(tokens, at, SyntaxErrorKind::BadEscape))?
            }
            _ => return Err(self.error(tokens, at, SyntaxErrorKind::Expected("a name"))),
        };
        *position += 1;
        Ok(name)
    }

    /// Takes the label of a block.
    pub(super) fn label(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Block, SyntaxError> {
        let at = *position;
        let name = self.name(tokens, position)?;
        let block = self.function.block_labeled(&name);
        block.ok_or_else(|| self.error(tokens, at, SyntaxErrorKind::UndefinedLabel(name)))
    }

    /// Takes a target: the label of a block, and in parentheses what the edge passes to its parameters.
    pub(super) fn target(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Block, SyntaxError> {
        let offset = tokens.get(*position).map_or(0, |token| token.offset);
        let block = self.label(tokens, position)?;
        let first = self.passed_values.len();
        let is_mark = |position: usize, text: &str| tokens.get(position).is_some_and(|token| token.text == text);
        if is_mark(*position, "(") {
            *position += 1;
            while !is_mark(*position, ")") {
                if self.passed_values.len() > first {
                    if !is_mark(*position, ",") {
                        return Err(self.error(tokens, *position, SyntaxErrorKind::ExpectedToken(")".to_owned())));
                    }
                    *position += 1;
                }
                let value = self.value(tokens, position)?;
                self.passed_values.push(value);
            }
            *position += 1;
        }
        self.passed.push((Place { line: self.line, offset }, first..self.passed_values.len()));
        Ok(block)
    }
}

pub(super) fn is_undef(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Word && (token.text == "undef" || token.text.starts_with("undef."))
}

/// The error in a token that is neither a value nor a constant: its number is too large, its escape is invalid, or it
/// is not what was `expected`.
fn error_kind<D: Syntax>(token: &Token<'_>, expected: SyntaxErrorKind) -> SyntaxErrorKind {
    let quoted = match token.kind {
        TokenKind::Value => token.text.rsplit_once('.').map(|(name, _)| name.trim_start_matches('%')),
        TokenKind::Text => Some(token.text),
        _ => None,
    };
    if quoted.is_some_and(|name| name.starts_with(['\'', '"']) && unquote_string(name).is_none()) {
        return SyntaxErrorKind::BadEscape;
    }
    let number = match token.kind {
        TokenKind::Value => token.text.rsplit(['%', '.']).next().unwrap_or(""),
        TokenKind::Number if D::parse_constant("0").is_some() => token.text.trim_start_matches('-'),
        _ => "",
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && number.parse::<u32>().is_err() { SyntaxErrorKind::NumberTooLarge } else { expected }
}

pub(super) fn constant<D: Syntax>(token: &Token<'_>) -> Option<D::Constant> {
    let may_be = matches!(token.kind, TokenKind::Word | TokenKind::Number | TokenKind::Text);
    may_be.then(|| D::parse_constant(token.text)).flatten()
}

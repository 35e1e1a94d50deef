//! Algebraic identities of a dialect's operations, parsed from text.

use crate::dialect::{Semantics, Syntax};
use std::fmt;

/// A pattern of operations, constants and anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern<D: Semantics> {
    /// Any value: the same number denotes the same value on both sides.
    Any(usize),
    /// A constant.
    Constant(D::Constant),
    /// Any constant: the same number denotes the same constant on both sides.
    AnyConstant(usize),
    /// An operation.
    Apply(D::Op, Vec<Self>),
    /// Any result of the operation, whatever its arguments; numbered like [`Pattern::Any`].
    Result(D::Op, usize),
}

/// An identity: values that match the left pattern equal the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity<D: Semantics> {
    /// The operation on the left side.
    pub op: D::Op,
    /// Its arguments: an operation among them has no further operations.
    pub args: Vec<Pattern<D>>,
    /// The right side: simpler, or equally simple. An operation among the arguments of another is computed from
    /// constants.
    pub result: Pattern<D>,
}

/// The reason why a line is not an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdentityError {
    /// The line.
    pub text: String,
    /// The reason.
    pub reason: &'static str,
}

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.text, self.reason)
    }
}

impl std::error::Error for IdentityError {}

/// The identities that `D` lists, one per line.
///
/// # Errors
/// If a line is invalid.
pub fn identities<D: Semantics>() -> Result<Vec<Identity<D>>, IdentityError> {
    D::identities().lines().map(str::trim).filter(|line| !line.is_empty()).map(parse).collect()
}

/// Parses `OP arg arg = result`: arguments are `x`, `y` and `z`, constants, `c` and `d` for any constants, operations
/// in parentheses, and `x:OP` for any result of `OP`.
fn parse<D: Semantics>(text: &str) -> Result<Identity<D>, IdentityError> {
    let error = |reason| IdentityError { text: text.to_owned(), reason };
    let (left, right) = text.split_once(" = ").ok_or_else(|| error("has no ` = `"))?;
    let left = parse_pattern::<D>(left).map_err(error)?;
    let result = parse_pattern::<D>(right).map_err(error)?;
    let Pattern::Apply(op, args) = left else { return Err(error("does not begin with an operation")) };
    let mut bound = Vec::new();
    args.iter().for_each(|arg| arg.visit_any(&mut |any| bound.push(any.clone())));
    if matches!(result, Pattern::Result(..)) {
        return Err(error("gives anything"));
    }
    let mut is_bound = true;
    result.visit_any(&mut |any| is_bound &= bound.contains(any));
    if !is_bound {
        return Err(error("says something of what is not on its left"));
    }
    Ok(Identity { op, args, result })
}

/// An operation with an open parenthesis, and its arguments so far.
type Open<D> = (Option<<D as Syntax>::Op>, Vec<Pattern<D>>);

/// Parses a pattern, which may be an operation without parentheses.
fn parse_pattern<D: Semantics>(text: &str) -> Result<Pattern<D>, &'static str> {
    let text = text.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Open<D>> = vec![(None, Vec::new())];
    for word in text.split_whitespace() {
        let is_first = open.last().is_some_and(|(op, args)| op.is_none() && args.is_empty());
        match word {
            "(" => open.push((None, Vec::new())),
            ")" => {
                let Some((Some(op), args)) = open.pop() else { return Err("has parentheses without an operation") };
                let Some((_, outer)) = open.last_mut() else { return Err("has a parenthesis too many") };
                outer.push(Pattern::Apply(op, args));
            }
            _ => {
                let Some((op, args)) = open.last_mut() else { return Err("has a parenthesis too many") };
                match (leaf(word), D::op_named(word)) {
                    (None, Some(named)) if is_first => *op = Some(named),
                    (Some(leaf), _) => args.push(leaf),
                    (None, _) => return Err("has a word that is neither operation nor constant"),
                }
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some((Some(op), args)), true) => Ok(Pattern::Apply(op, args)),
        (Some((None, mut args)), true) if args.len() == 1 => args.pop().ok_or("is empty"),
        (_, true) => Err("is not one pattern"),
        _ => Err("has a parenthesis too few"),
    }
}

fn leaf<D: Semantics>(word: &str) -> Option<Pattern<D>> {
    if let Some((any, op)) = word.split_once(':') {
        let Some(Pattern::Any(number)) = leaf::<D>(any) else { return None };
        return D::op_named(op).map(|op| Pattern::Result(op, number));
    }
    match word {
        "x" => Some(Pattern::Any(0)),
        "y" => Some(Pattern::Any(1)),
        "z" => Some(Pattern::Any(2)),
        "c" => Some(Pattern::AnyConstant(0)),
        "d" => Some(Pattern::AnyConstant(1)),
        _ => D::parse_constant(word).map(Pattern::Constant),
    }
}

impl<D: Semantics> Pattern<D> {
    /// Visits all variables of the pattern, those for constants included.
    fn visit_any(&self, visit: &mut dyn FnMut(&Self)) {
        let mut pending = vec![self];
        while let Some(pattern) = pending.pop() {
            match pattern {
                Self::Any(_) | Self::AnyConstant(_) => visit(pattern),
                Self::Result(_, number) => visit(&Self::Any(*number)),
                Self::Constant(_) => {}
                Self::Apply(_, args) => pending.extend(args),
            }
        }
    }
}

impl<D: Semantics> Identity<D> {
    /// The operation with exchanged arguments, if the identity has this form: `lt x y = gt y x`.
    pub fn exchange(&self) -> Option<&D::Op> {
        match (&*self.args, &self.result) {
            ([Pattern::Any(0), Pattern::Any(1)], Pattern::Apply(op, args))
                if matches!(&**args, [Pattern::Any(1), Pattern::Any(0)]) =>
            {
                Some(op)
            }
            _ => None,
        }
    }
}

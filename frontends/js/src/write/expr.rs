//! Expressions under construction, with the facts that say where they may be computed.

use super::ast::{Ast, ExprId, ExprKind, NameId};
use crate::dialect::Constant;
use ssaphire_ir::{Block, Variable};

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

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) id: ExprId,
    pub(super) effect: Effect,
    pub(super) throws: Throws,
    /// Variables that it mentions without writing them.
    pub(super) reads: Vec<Variable>,
    /// Variables that it assigns.
    pub(super) writes: Vec<Variable>,
    /// How deep operators are nested in it.
    pub(super) size: u32,
    /// Of a property of a value that has not been computed elsewhere: the variable of the value, and the value.
    pub(super) receiver: Option<Box<(Variable, Self)>>,
    /// Of an element whose key is converted with it: the variable of the converted key, and the key's conversion.
    pub(super) key: Option<Box<(Variable, Self)>>,
}

impl Expr {
    pub(super) fn new(id: ExprId) -> Self {
        let (effect, throws) = (Effect::None, Throws::Never);
        Self { id, effect, throws, reads: Vec::new(), writes: Vec::new(), size: 0, receiver: None, key: None }
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
    pub(super) fn with<'e>(mut self, parts: impl IntoIterator<Item = &'e Self>) -> Self {
        parts.into_iter().for_each(|part| self.absorb(part));
        self
    }

    /// Another expression that does what this one does.
    #[must_use]
    pub(super) fn rewritten(self, id: ExprId) -> Self {
        Self { id, receiver: None, key: None, ..self }
    }

    /// Leaves out that it assigns a variable, as its outermost operator did; what is assigned may do so, too.
    pub(super) fn forget_write(&mut self, variable: Variable) {
        if let Some(last) = self.writes.iter().rposition(|&written| written == variable) {
            self.writes.remove(last);
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

impl Ast<'_> {
    /// A new expression without operands that have facts.
    pub(super) fn expr(&mut self, kind: ExprKind) -> Expr {
        Expr::new(self.add(kind))
    }

    /// A variable by its name.
    pub(super) fn variable(&mut self, name: NameId, variable: Variable) -> Expr {
        Expr { reads: vec![variable], ..self.expr(ExprKind::Name(name)) }
    }

    pub(super) fn constant(&mut self, constant: Constant) -> Expr {
        self.expr(ExprKind::Constant(constant))
    }

    pub(super) fn undefined(&mut self) -> Expr {
        self.constant(Constant::Undefined)
    }

    /// A call of a helper.
    pub(super) fn call_helper(&mut self, name: &'static str, args: &[&Expr]) -> Expr {
        let callee = self.add(ExprKind::Helper(name));
        let list = args.iter().map(|arg| super::ast::Item::Value(arg.id)).collect();
        self.expr(ExprKind::Call { callee, args: list }).with(args.iter().copied())
    }
}

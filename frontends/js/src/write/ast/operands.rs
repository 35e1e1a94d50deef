//! The operands of each kind of expression.

use super::{Ast, ExprId, ExprKind};

/// Shows the operands of an expression.
pub(super) fn each_operand(kind: &ExprKind, mut show: impl FnMut(ExprId)) {
    match kind {
        ExprKind::Name(_)
        | ExprKind::Global(_)
        | ExprKind::Constant(_)
        | ExprKind::Word(_)
        | ExprKind::Helper(_)
        | ExprKind::RegExp(_)
        | ExprKind::TemplateObject(_)
        | ExprKind::Function(..)
        | ExprKind::IsDone => {}
        ExprKind::Template { values, .. }
        | ExprKind::Object { values, .. }
        | ExprKind::Pattern { values, .. }
        | ExprKind::Jsx { values, .. } => values.iter().copied().for_each(show),
        ExprKind::Tagged { tag, values, .. } => {
            show(*tag);
            values.iter().copied().for_each(show);
        }
        ExprKind::Unary { operand, .. }
        | ExprKind::Step { operand, .. }
        | ExprKind::ToNumeric(operand)
        | ExprKind::ToKey(operand)
        | ExprKind::Yield { value: operand, .. }
        | ExprKind::Update { place: operand, .. }
        | ExprKind::PrivateIn { object: operand, .. }
        | ExprKind::Member { object: operand, .. }
        | ExprKind::Private { object: operand, .. }
        | ExprKind::Value(operand)
        | ExprKind::InStrictCode(operand) => show(*operand),
        ExprKind::Binary { left: one, right: other, .. }
        | ExprKind::Assign { target: one, value: other, .. }
        | ExprKind::Index { object: one, key: other }
        | ExprKind::NamedByKey { key: one, function: other } => {
            show(*one);
            show(*other);
        }
        ExprKind::Conditional(operands) => operands.iter().copied().for_each(show),
        ExprKind::Call { callee, args } | ExprKind::New { callee, args } => {
            show(*callee);
            args.iter().filter_map(|arg| arg.value()).for_each(show);
        }
        ExprKind::Import { args, .. } => args.iter().filter_map(|arg| arg.value()).for_each(show),
        ExprKind::Array(items) => items.iter().filter_map(|item| item.value()).for_each(show),
        ExprKind::Class(class) => class.heritage.iter().chain(&class.keys).copied().for_each(show),
    }
}

impl Ast<'_> {
    /// The first of its operands that has none.
    pub(in crate::write) fn first_leaf(&self, mut id: ExprId) -> ExprId {
        loop {
            let mut first = None;
            each_operand(self.kind(id), |operand| first = first.or(Some(operand)));
            match first {
                Some(operand) => id = operand,
                None => return id,
            }
        }
    }

    /// Whether an expression is one that suspends its function, or has one in it.
    pub(in crate::write) fn waits(&self, id: ExprId) -> bool {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            match self.kind(id) {
                ExprKind::Yield { .. } | ExprKind::Unary { sign: "await ", .. } => return true,
                kind => each_operand(kind, |operand| work.push(operand)),
            }
        }
        false
    }

    /// Whether an expression may stand at the beginning of a `for` without parentheses: nothing in it is an `in`.
    pub(in crate::write) fn may_begin_for(&self, id: ExprId) -> bool {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            match self.kind(id) {
                ExprKind::Binary { sign: "in", .. }
                | ExprKind::PrivateIn { .. }
                | ExprKind::Function(..)
                | ExprKind::Class(_)
                | ExprKind::Object { .. }
                | ExprKind::Jsx { .. }
                | ExprKind::NamedByKey { .. }
                | ExprKind::InStrictCode(_) => return false,
                kind => each_operand(kind, |operand| work.push(operand)),
            }
        }
        true
    }
}

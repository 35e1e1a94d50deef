//! The operands of each kind of expression.

use super::{ExprId, ExprKind};

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
        ExprKind::Template { values, .. } | ExprKind::Object { values, .. } | ExprKind::Jsx { values, .. } => {
            values.iter().copied().for_each(show);
        }
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

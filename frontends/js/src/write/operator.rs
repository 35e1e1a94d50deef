//! Operators: their signs, and how tightly they bind.

use super::expr::{Effect, Expr, Shape, level};
use crate::dialect::Opcode;

/// The sign of a binary operator and its level.
pub(super) fn binary_sign(opcode: Opcode) -> Option<(&'static str, u8)> {
    Some(match opcode {
        Opcode::Or => ("|", level::BIT_OR),
        Opcode::Xor => ("^", level::BIT_OR + 1),
        Opcode::And => ("&", level::BIT_OR + 2),
        Opcode::Eq => ("==", level::EQUALITY),
        Opcode::Ne => ("!=", level::EQUALITY),
        Opcode::StrictEq => ("===", level::EQUALITY),
        Opcode::StrictNe => ("!==", level::EQUALITY),
        Opcode::Lt => ("<", level::RELATIONAL),
        Opcode::Le => ("<=", level::RELATIONAL),
        Opcode::Gt => (">", level::RELATIONAL),
        Opcode::Ge => (">=", level::RELATIONAL),
        Opcode::In => ("in", level::RELATIONAL),
        Opcode::InstanceOf => ("instanceof", level::RELATIONAL),
        Opcode::Shl => ("<<", level::RELATIONAL + 1),
        Opcode::Shr => (">>", level::RELATIONAL + 1),
        Opcode::UShr => (">>>", level::RELATIONAL + 1),
        Opcode::Add => ("+", level::RELATIONAL + 2),
        Opcode::Sub => ("-", level::RELATIONAL + 2),
        Opcode::Mul => ("*", level::RELATIONAL + 3),
        Opcode::Div => ("/", level::RELATIONAL + 3),
        Opcode::Rem => ("%", level::RELATIONAL + 3),
        Opcode::Pow => ("**", level::POW),
        _ => return None,
    })
}

/// `left sign right`, which has no effect of its own yet.
pub(super) fn binary(opcode: Opcode, left: &Expr, right: &Expr) -> Option<Expr> {
    let (sign, binding) = binary_sign(opcode)?;
    let (left_least, right_least) =
        if opcode == Opcode::Pow { (level::POSTFIX, level::POW) } else { (binding, binding + 1) };
    let (one, other) = (left.at_least(left_least), right.at_least(right_least));
    let text = format!("{one} {sign} {other}");
    let opposite = match opcode {
        Opcode::Eq => Some("!="),
        Opcode::Ne => Some("=="),
        Opcode::StrictEq => Some("!=="),
        Opcode::StrictNe => Some("==="),
        _ => None,
    };
    let shape = match (opposite, left.as_place()) {
        (Some(opposite), _) => Shape::Invertible(format!("{one} {opposite} {other}"), binding),
        (None, Some(place)) if !(level::EQUALITY..=level::RELATIONAL).contains(&binding) => {
            Shape::Binary(place.to_owned(), sign, right.as_argument())
        }
        _ => Shape::Plain,
    };
    Some(Expr::new(text, binding).with(&[left, right]).shaped(shape))
}

/// A prefix operator and its operand.
pub(super) fn prefix(sign: &str, operand: &Expr) -> Expr {
    let inside = operand.at_least(level::UNARY);
    let text = if inside.starts_with(sign) { format!("{sign}({inside})") } else { format!("{sign}{inside}") };
    Expr::new(text, level::UNARY).with(&[operand])
}

/// `condition ? then : otherwise`.
pub(super) fn conditional(condition: &Expr, then: &Expr, otherwise: &Expr) -> Expr {
    let text =
        format!("{} ? {} : {}", condition.at_least(level::COALESCE), then.as_argument(), otherwise.as_argument());
    Expr::new(text, level::CONDITIONAL).with(&[condition, then, otherwise])
}

/// `left sign right`, where `right` is computed only if it has to be.
pub(super) fn logical(sign: &'static str, left: &Expr, right: &Expr) -> Expr {
    let (binding, left_least, right_least) = match sign {
        "&&" => (level::AND, level::AND, level::AND + 1),
        "||" => (level::OR, level::OR, level::OR + 1),
        _ => (level::COALESCE, level::BIT_OR, level::BIT_OR),
    };
    let text = format!("{} {sign} {}", left.at_least(left_least), right.at_least(right_least));
    let value = Expr::new(text, binding).with(&[left, right]);
    let (opposite, level) = match sign {
        "&&" => ("||", level::OR),
        "||" => ("&&", level::AND),
        _ => return value,
    };
    let sides = [left.clone().negated().at_least(level), right.clone().negated().at_least(level + 1)];
    value.shaped(Shape::Invertible(format!("{} {opposite} {}", sides[0], sides[1]), level))
}

/// Whether the operation cannot have an effect on operands of these shapes: strings that are compared or joined.
pub(super) fn effect_of(opcode: Opcode, left: &Expr, right: &Expr) -> Effect {
    let is_text = |operand: &Expr| matches!(operand.shape, Shape::Text | Shape::Template(_));
    if matches!(opcode, Opcode::Add | Opcode::Lt | Opcode::Gt | Opcode::Le | Opcode::Ge | Opcode::Eq | Opcode::Ne)
        && is_text(left)
        && is_text(right)
    {
        return Effect::None;
    }
    Effect::Runs
}

//! Operators, and the opposites of conditions.

use super::ast::{Ast, ExprId, ExprKind, level};
use super::expr::{Effect, Expr};
use crate::dialect::{Constant, Opcode};

/// The sign of a binary operator.
pub(super) fn binary_sign(opcode: Opcode) -> Option<&'static str> {
    Some(match opcode {
        Opcode::Or => "|",
        Opcode::Xor => "^",
        Opcode::And => "&",
        Opcode::Eq => "==",
        Opcode::Ne => "!=",
        Opcode::StrictEq => "===",
        Opcode::StrictNe => "!==",
        Opcode::Lt => "<",
        Opcode::Le => "<=",
        Opcode::Gt => ">",
        Opcode::Ge => ">=",
        Opcode::In => "in",
        Opcode::InstanceOf => "instanceof",
        Opcode::Shl => "<<",
        Opcode::Shr => ">>",
        Opcode::UShr => ">>>",
        Opcode::Add => "+",
        Opcode::Sub => "-",
        Opcode::Mul => "*",
        Opcode::Div => "/",
        Opcode::Rem => "%",
        Opcode::Pow => "**",
        _ => return None,
    })
}

/// The operator that is true where this one is not.
fn opposite_sign(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "==" => "!=",
        "!=" => "==",
        "===" => "!==",
        "!==" => "===",
        "&&" => "||",
        "||" => "&&",
        _ => return None,
    })
}

/// How many negations there are in a condition, and in its opposite.
#[derive(Clone, Copy, Debug, Default)]
struct Negations {
    own: u32,
    opposite: u32,
    /// Whether it asks whether something is neither `null` nor `undefined`.
    asks_for_value: bool,
}

impl Ast<'_> {
    /// `left sign right`.
    pub(super) fn binary(&mut self, sign: &'static str, left: &Expr, right: &Expr) -> Expr {
        self.expr(ExprKind::Binary { sign, left: left.id, right: right.id }).with([left, right])
    }

    /// A prefix operator and its operand.
    pub(super) fn unary(&mut self, sign: &'static str, operand: &Expr) -> Expr {
        self.expr(ExprKind::Unary { sign, operand: operand.id }).with([operand])
    }

    /// `condition ? then : otherwise`, or the operator that gives what its left operand holds.
    pub(super) fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Expr {
        let (parts, ids) = ([condition, then, otherwise], [condition.id, then.id, otherwise.id]);
        let kind = self.short_circuit(ids).unwrap_or(ExprKind::Conditional(ids));
        self.expr(kind).with(parts)
    }

    /// `x && y` for `x ? y : x`, and the like.
    fn short_circuit(&self, [condition, then, otherwise]: [ExprId; 3]) -> Option<ExprKind> {
        let is_null = |id: ExprId| self.is_constant(id, &Constant::Null);
        let (sign, left) = match *self.kind(condition) {
            ExprKind::Name(_) => ("&&", condition),
            ExprKind::Unary { sign: "!", operand } => ("||", operand),
            ExprKind::Binary { sign: "==", left, right } if is_null(right) => ("??", left),
            ExprKind::Binary { sign: "!=", left, right } if is_null(right) => ("!=", left),
            _ => return None,
        };
        let is_left = |id: ExprId| self.kind(id) == self.kind(left);
        if !matches!(self.kind(left), ExprKind::Name(_)) {
            return None;
        }
        // What is evaluated only if the condition does not hold, or only if it does.
        let (sign, right) = match sign {
            "??" | "||" if is_left(otherwise) => (sign, then),
            "||" if is_left(then) => ("&&", otherwise),
            "&&" if is_left(otherwise) => ("&&", then),
            "&&" if is_left(then) => ("||", otherwise),
            "!=" if is_left(then) => ("??", otherwise),
            _ => return None,
        };
        Some(ExprKind::Binary { sign, left, right })
    }

    /// `target = value`, or the update that is.
    pub(super) fn assignment(&mut self, target: ExprId, value: ExprId) -> ExprId {
        let update = self.as_update(target, value);
        update.unwrap_or_else(|| self.add(ExprKind::Assign { sign: "", target, value }))
    }

    /// The update that assigns `value` to `target`, if it is one.
    pub(super) fn as_update(&mut self, target: ExprId, value: ExprId) -> Option<ExprId> {
        let is_target = |from: ExprId| self.is_place(from) && self.are_same(from, target);
        let update = match *self.kind(value) {
            ExprKind::Step { sign, operand } => {
                let from = match *self.kind(operand) {
                    ExprKind::ToNumeric(from) => from,
                    _ => operand,
                };
                is_target(from).then_some(ExprKind::Update { sign, is_prefix: false, place: target })
            }
            ExprKind::Binary { sign, left, right } => {
                let is_operation = self.level(value) > level::RELATIONAL
                    || (level::BIT_OR..level::EQUALITY).contains(&self.level(value));
                (is_operation && is_target(left)).then_some(ExprKind::Assign { sign, target, value: right })
            }
            _ => None,
        };
        update.map(|update| self.add(update))
    }

    /// The expression that is true where this one is not, if it can be said without one more sign.
    ///
    /// Expressions are at most so deep that this may call itself.
    fn opposite(&mut self, id: ExprId) -> Option<ExprId> {
        match *self.kind(id) {
            ExprKind::Unary { sign: "!", operand } => Some(operand),
            ExprKind::Binary { sign, left, right } => {
                let sign = opposite_sign(sign)?;
                let (left, right) = match sign {
                    "&&" | "||" => (self.negated_id(left), self.negated_id(right)),
                    _ => (left, right),
                };
                Some(self.add(ExprKind::Binary { sign, left, right }))
            }
            _ => None,
        }
    }

    fn negated_id(&mut self, id: ExprId) -> ExprId {
        let opposite = self.opposite(id);
        opposite.unwrap_or_else(|| self.add(ExprKind::Unary { sign: "!", operand: id }))
    }

    /// The expression that is true where this one is not, as a condition.
    pub(super) fn negated(&mut self, condition: Expr) -> Expr {
        let id = self.negated_id(condition.id);
        condition.rewritten(id)
    }

    /// `false` where this is true, and `true` where it is not.
    pub(super) fn inverse(&mut self, value: &Expr) -> Expr {
        // What is not a comparison may be the opposite of something that is no truth value.
        let is_truth = match *self.kind(value.id) {
            ExprKind::Binary { .. } => self.level(value.id) == level::EQUALITY,
            ExprKind::Unary { sign: "!", operand } => matches!(self.kind(operand), ExprKind::Unary { sign: "!", .. }),
            _ => false,
        };
        if is_truth {
            return self.negated(value.clone());
        }
        let id = self.add(ExprKind::Unary { sign: "!", operand: value.id });
        value.clone().rewritten(id)
    }

    /// The expression where only its truth matters.
    pub(super) fn as_condition(&self, condition: Expr) -> Expr {
        if let ExprKind::Unary { sign: "!", operand } = *self.kind(condition.id)
            && let ExprKind::Unary { sign: "!", operand } = *self.kind(operand)
        {
            return condition.rewritten(operand);
        }
        condition
    }

    /// Whether the opposite is said with fewer negations.
    pub(super) fn is_more_negative(&self, id: ExprId) -> bool {
        let Negations { own, opposite, asks_for_value } = self.negations(id);
        opposite < own && !asks_for_value
    }

    fn negations(&self, id: ExprId) -> Negations {
        match *self.kind(id) {
            ExprKind::Unary { sign: "!", operand } => {
                let Negations { own, asks_for_value, .. } = self.negations(operand);
                Negations { own: own + 1, opposite: own, asks_for_value }
            }
            ExprKind::Binary { sign: "&&" | "||", left, right } => {
                let (left, right) = (self.negations(left), self.negations(right));
                Negations {
                    own: left.own + right.own,
                    opposite: left.opposite + right.opposite,
                    asks_for_value: left.asks_for_value || right.asks_for_value,
                }
            }
            ExprKind::Binary { sign: "==" | "===", .. } => Negations { opposite: 1, ..Negations::default() },
            ExprKind::Binary { sign: sign @ ("!=" | "!=="), right, .. } => Negations {
                own: 1,
                opposite: 0,
                asks_for_value: sign == "!=" && self.is_constant(right, &Constant::Null),
            },
            _ => Negations { own: 0, opposite: 1, asks_for_value: false },
        }
    }

    /// What an operation on these operands does besides: strings can be compared or joined without running code.
    pub(super) fn effect_of_binary(&self, opcode: Opcode, left: &Expr, right: &Expr) -> Effect {
        let is_quiet = match opcode {
            Opcode::StrictEq | Opcode::StrictNe => true,
            Opcode::Add | Opcode::Lt | Opcode::Gt | Opcode::Le | Opcode::Ge | Opcode::Eq | Opcode::Ne => {
                self.is_text(left.id) && self.is_text(right.id)
            }
            _ => false,
        };
        if is_quiet { Effect::None } else { Effect::Runs }
    }
}

//! Expressions as text, with the facts needed to nest them.

use crate::parse::{COMPARISON, INFIX, Infix, PREFIX};
use ssaphire_ir::Variable;
use ssaphire_ir::basic::{BinaryOp, UnaryOp};

/// The precedence of primary expressions, above all operators.
const PRIMARY: u8 = u8::MAX;

/// The precedence of prefix operators.
const PREFIXED: u8 = PRIMARY - 1;

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) text: String,
    binding: u8,
    /// The variables that it reads.
    pub(super) reads: Vec<Variable>,
    /// The number of operators.
    pub(super) size: u32,
    /// Whether it may trap, which fixes its place among effects.
    pub(super) may_trap: bool,
    /// Its operands, if it is a comparison.
    sides: Option<Box<(BinaryOp, String, String)>>,
}

impl Written {
    /// A name, a number or anything else that needs no parentheses.
    pub(super) fn primary(text: String, reads: Vec<Variable>) -> Self {
        Self { text, binding: PRIMARY, reads, size: 0, may_trap: false, sides: None }
    }

    pub(super) fn unary(op: UnaryOp, operand: Self) -> Self {
        let sign = PREFIX.iter().find(|prefix| prefix.1 == op).map_or("", |prefix| prefix.0);
        let is_number = operand.text.starts_with(|first: char| first.is_ascii_digit());
        let inside = match op {
            // The minus would become part of the number.
            UnaryOp::Neg if is_number => format!("({})", operand.text),
            _ => operand.at_least(PREFIXED),
        };
        Self { text: format!("{sign}{inside}"), binding: PREFIXED, size: operand.size + 1, sides: None, ..operand }
    }

    /// Applies a binary operator; `None` if the language does not have it.
    pub(super) fn binary(op: BinaryOp, left: Self, right: Self) -> Option<Self> {
        let &(sign, _, binding) = INFIX.iter().find(|entry| entry.1 == Infix::Binary(op))?;
        let left_least = if binding == COMPARISON { binding + 1 } else { binding };
        let sides = [left.at_least(left_least), right.at_least(binding + 1)];
        let mut reads = left.reads;
        reads.extend(right.reads);
        let text = format!("{} {sign} {}", sides[0], sides[1]);
        let [one, other] = sides;
        Some(Self {
            text,
            binding,
            reads,
            size: left.size + right.size + 1,
            may_trap: left.may_trap || right.may_trap || op.apply(0, 0).is_none(),
            sides: opposite(op).is_some().then(|| Box::new((op, one, other))),
        })
    }

    /// An element of an array.
    pub(super) fn element(array: &Self, index: &Self) -> Self {
        let mut reads = array.reads.clone();
        reads.extend(&index.reads);
        let text = format!("{}[{}]", array.text, index.text);
        Self { size: index.size + 1, may_trap: index.may_trap, ..Self::primary(text, reads) }
    }

    /// The negation of the expression.
    pub(super) fn negated(self) -> Self {
        let Some((op, left, right)) = self.sides.as_deref() else { return Self::unary(UnaryOp::LogicalNot, self) };
        let Some(op) = opposite(*op) else { return self };
        let sign = INFIX.iter().find(|entry| entry.1 == Infix::Binary(op)).map_or("", |entry| entry.0);
        let text = format!("{left} {sign} {right}");
        let sides = Some(Box::new((op, left.clone(), right.clone())));
        Self { text, sides, ..self }
    }

    /// The text as a side of a comparison.
    pub(super) fn in_comparison(&self) -> String {
        self.at_least(COMPARISON + 1)
    }

    fn at_least(&self, least: u8) -> String {
        if self.binding < least { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// The negation of a comparison operator.
fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}

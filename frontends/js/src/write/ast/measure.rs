//! What a node knows of itself when it is made.

use super::operands::each_operand;
use super::{Ast, BROKEN, ExprId, ExprKind, level};
use crate::dialect::{Element, PatternPart};
use crate::program::FunctionId;
use crate::write::code::Code;
use crate::write::insts::num_args;
use crate::write::literal;

impl Ast<'_> {
    /// How tightly an expression binds.
    pub(super) fn level_of(&self, kind: &ExprKind) -> u8 {
        let of_member = |object: ExprId| self.level(object).clamp(level::CALL, level::MEMBER);
        match kind {
            ExprKind::Constant(constant) if literal::is_prefix(constant) => level::UNARY,
            ExprKind::Constant(constant) if literal::is_division(constant) => binary_level("/"),
            ExprKind::Unary { .. } | ExprKind::ToNumeric(_) | ExprKind::Update { is_prefix: true, .. } => level::UNARY,
            ExprKind::Update { is_prefix: false, .. } => level::POSTFIX,
            ExprKind::Yield { .. } | ExprKind::Assign { .. } => level::ASSIGNMENT,
            ExprKind::Binary { sign, .. } => binary_level(sign),
            ExprKind::PrivateIn { .. } => level::RELATIONAL,
            ExprKind::Conditional(_) => level::CONDITIONAL,
            ExprKind::Member { object, .. } | ExprKind::Private { object, .. } | ExprKind::Index { object, .. } => {
                of_member(*object)
            }
            ExprKind::Tagged { tag, .. } => of_member(*tag),
            ExprKind::Call { .. }
            | ExprKind::Import { .. }
            | ExprKind::Step { .. }
            | ExprKind::ToKey(_)
            | ExprKind::InStrictCode(_) => level::CALL,
            ExprKind::New { .. } | ExprKind::TemplateObject(_) | ExprKind::NamedByKey { .. } => level::MEMBER,
            ExprKind::Function(id, _) if self.is_arrow(*id) => level::ASSIGNMENT,
            _ => level::PRIMARY,
        }
    }

    /// The width, all operands taken together.
    pub(super) fn width_of(&self, kind: &ExprKind) -> u32 {
        let own = match kind {
            ExprKind::Name(name) | ExprKind::Global(name) => self.text_of(*name).len(),
            ExprKind::Constant(constant) => literal::constant(constant).len(),
            ExprKind::Word(word) => word.len(),
            ExprKind::Helper(name) => name.len(),
            ExprKind::RegExp(pair) => pair.0.len() + pair.1.len() + 2,
            ExprKind::Template { parts, .. } => parts.iter().map(|part| part.as_escaped().len() + 3).sum(),
            ExprKind::TemplateObject(parts) | ExprKind::Tagged { parts, .. } => {
                parts.iter().map(|part| part.raw.len() + 3).sum()
            }
            ExprKind::Unary { sign, .. } => sign.len(),
            ExprKind::Member { name, .. } | ExprKind::Private { name, .. } | ExprKind::PrivateIn { name, .. } => {
                name.len() + 1
            }
            ExprKind::Binary { sign, .. } => sign.len() + 2,
            ExprKind::Index { .. } => 2,
            ExprKind::Array(items) => 2 * items.len() + 2,
            ExprKind::Call { args, .. } => 2 * args.len().max(1),
            ExprKind::New { args, .. } | ExprKind::Import { args, .. } => 2 * args.len().max(1) + 4,
            ExprKind::Object { elements, values } => {
                let mut at = 0;
                let own = elements.iter().map(|element| {
                    let value = values.get(at).filter(|_| matches!(element, Element::Value(_)));
                    at += num_args(element);
                    // A key that is its value, too, is there once.
                    let is_once = value.is_some_and(|&value| self.is_shorthand(element, value));
                    if is_once { 2 } else { self.width_of_element(element) }
                });
                own.fold(4, usize::saturating_add)
            }
            ExprKind::Pattern { parts, .. } => parts.iter().map(width_of_part).fold(0, usize::saturating_add),
            ExprKind::Jsx { elements, .. } => {
                elements.iter().map(|element| self.width_of_element(element)).fold(0, usize::saturating_add)
            }
            ExprKind::Function(id, _) => self.width_of_function(*id),
            ExprKind::Class(_) | ExprKind::InStrictCode(_) => BROKEN as usize,
            _ => 6,
        };
        let mut width = u32::try_from(own).unwrap_or(u32::MAX);
        each_operand(kind, |operand| width = width.saturating_add(self.width(operand)));
        width
    }

    fn width_of_element(&self, element: &Element) -> usize {
        match element {
            Element::Value(name) | Element::Tag(name) | Element::Bare(name) | Element::Text(name) => {
                name.as_escaped().len() + 4
            }
            Element::Method(method) => self.width_of_function(method.function),
            Element::Computed | Element::Spread | Element::Proto | Element::Hole | Element::Children => 6,
        }
    }

    fn width_of_function(&self, id: FunctionId) -> usize {
        let width = match self.codes.get(id.index()) {
            Some(Some(Code::Built(built))) => match built.result {
                Some(result) if self.is_arrow(id) => self.width(result),
                _ if built.body.root.is_empty() => 2,
                _ => BROKEN + 30 * built.body.root.len() as u32,
            },
            Some(Some(Code::Kept(_))) => {
                let function = &self.program.functions[id.index()];
                (function.span.end.saturating_sub(function.head.end)).min(BROKEN)
            }
            _ => BROKEN,
        };
        width.saturating_add(15) as usize
    }

    /// Whether an expression surely does the same in strict code, its operands aside.
    pub(super) fn is_kind_same_in_strict_code(&self, kind: &ExprKind) -> bool {
        match kind {
            ExprKind::Function(..)
            | ExprKind::Class(_)
            | ExprKind::NamedByKey { .. }
            | ExprKind::InStrictCode(_)
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::Yield { .. }
            | ExprKind::Unary { sign: "delete ", .. } => false,
            // Another code, as a direct `eval` is, would be strict, too.
            ExprKind::Call { callee, .. } => *self.kind(*callee) != ExprKind::Word("eval"),
            ExprKind::Global(name) => !literal::is_reserved_in_strict_code(self.text_of(*name)),
            ExprKind::Object { elements, .. } => !elements.iter().any(|element| matches!(element, Element::Method(_))),
            _ => true,
        }
    }
}

/// The width of a part of a pattern, without its values.
fn width_of_part(part: &PatternPart) -> usize {
    match part {
        PatternPart::Property(name) => name.as_escaped().len() + 2,
        PatternPart::Rest | PatternPart::Default => 3,
        _ => 2,
    }
}

/// How tightly a binary operator binds.
pub(in crate::write) fn binary_level(sign: &str) -> u8 {
    match sign {
        "??" => level::COALESCE,
        "||" => level::OR,
        "&&" => level::AND,
        "|" => level::BIT_OR,
        "^" => level::BIT_OR + 1,
        "&" => level::BIT_OR + 2,
        "==" | "!=" | "===" | "!==" => level::EQUALITY,
        "<<" | ">>" | ">>>" => level::RELATIONAL + 1,
        "+" | "-" => level::RELATIONAL + 2,
        "*" | "/" | "%" => level::RELATIONAL + 3,
        "**" => level::POW,
        _ => level::RELATIONAL,
    }
}

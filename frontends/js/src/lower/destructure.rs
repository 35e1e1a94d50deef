//! Patterns as one operation, where nothing can tell the steps of a pattern from its end.
//!
//! Iterators and getters run code of the program in the middle of a pattern. What that code can see of the function is in cells,
//! which the operation assigns on the way; variables in SSA form are assigned when it is done. Defaults and the objects of targets
//! are computed before it, so they must be known beforehand and have no effect.

use super::binding::{of_reference, of_symbol};
use super::function::Lowering;
use super::literal::Hint;
use super::pattern::{name_hint, parts};
use crate::dialect::{Immediates, JsString, Name, Op, Opcode, PatternPart, Type};
use crate::scopes::{BindingId, BindingKind, Storage, place_of};
use crate::source::Span;
use oxc_ast::ast::{
    self, AssignmentTarget, AssignmentTargetProperty, BindingPattern, Expression, PropertyKey, SimpleAssignmentTarget,
};
use oxc_syntax::operator::UnaryOperator;
use ssaphire::{SsaBuilder, Value};

/// Larger patterns are lowered step by step, so that what is not one operation is not looked at again at each level.
const MAX_PARTS: usize = 128;

/// What a part takes.
enum Operand<'p, 'a> {
    Expression(&'p Expression<'a>, Hint<'a>),
    /// The cell of a binding.
    Cell(BindingId),
}

/// A variable that a pattern assigns.
#[derive(Clone, Copy)]
enum Target<'p, 'a> {
    Declared(&'p ast::BindingIdentifier<'a>),
    Assigned(&'p ast::IdentifierReference<'a>),
}

/// A pattern on the way to be one operation. Each method says whether it still may be.
struct Survey<'s, 'l, 'b, 'p, 'a, B: SsaBuilder> {
    lowering: &'s Lowering<'l, 'b, 'p, 'a, B>,
    parts: Vec<PatternPart>,
    /// What the parts take.
    operands: Vec<Operand<'p, 'a>>,
    /// By result.
    targets: Vec<Target<'p, 'a>>,
    /// The constants that are variables, too, besides the cells that the pattern assigns.
    shared: Vec<BindingId>,
    assigned: Vec<BindingId>,
    /// The variables that operands read.
    read: Vec<BindingId>,
    /// Whether a closure is among the operands, and whether closures may see a variable that is assigned.
    has_closure: bool,
    is_seen: bool,
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    /// Initializes what a pattern binds by one operation, if it can.
    pub(super) fn bind_at_once(&mut self, pattern: &'p BindingPattern<'a>, value: Value, span: Span) -> bool {
        self.destructure(value, span, |survey| survey.binding(pattern))
    }

    /// Assigns what a pattern says by one operation, if it can.
    pub(super) fn assign_array_at_once(&mut self, array: &'p ast::ArrayAssignmentTarget<'a>, value: Value) -> bool {
        self.destructure(value, array.span.into(), |survey| survey.array_target(array))
    }

    /// The same for an object pattern.
    pub(super) fn assign_object_at_once(&mut self, object: &'p ast::ObjectAssignmentTarget<'a>, value: Value) -> bool {
        self.destructure(value, object.span.into(), |survey| survey.object_target(object))
    }

    fn destructure(
        &mut self,
        value: Value,
        span: Span,
        look: impl FnOnce(&mut Survey<'_, 'l, 'b, 'p, 'a, B>) -> bool,
    ) -> bool {
        // Whoever wants to know the accesses wants each by itself.
        if self.accesses.is_some() {
            return false;
        }
        let mut survey = Survey {
            lowering: self,
            parts: Vec::new(),
            operands: Vec::new(),
            targets: Vec::new(),
            shared: Vec::new(),
            assigned: Vec::new(),
            read: Vec::new(),
            has_closure: false,
            is_seen: false,
        };
        if !look(&mut survey) || !survey.may_compute_first() {
            return false;
        }
        let Survey { parts, operands, targets, shared, .. } = survey;
        let mut args = vec![value];
        args.extend(operands.into_iter().map(|operand| match operand {
            Operand::Expression(operand, hint) => self.named_expression(operand, hint),
            Operand::Cell(binding) => self.cell(binding),
        }));
        let op = Op { opcode: Opcode::Destructure, span, immediates: Immediates::Pattern(parts.into()) };
        let results = self.op_with_results(op, &args, &vec![Type::Any; targets.len()]);
        for (target, result) in targets.into_iter().zip(results) {
            match target {
                Target::Declared(id) => {
                    if let Some(binding) = of_symbol(id) {
                        self.initialize(binding, result, id.span.into());
                    }
                }
                Target::Assigned(id) => self.write_reference(id, result),
            }
        }
        for binding in shared {
            let (variable, cell) = (self.variable(binding), self.cell(binding));
            let value = self.op(Opcode::CellGetConst, &[cell], Span::NOWHERE);
            self.write_as(variable, value);
        }
        true
    }
}

impl<'p, 'a, B: SsaBuilder> Survey<'_, '_, '_, 'p, 'a, B> {
    /// Whether no operand reads what the pattern assigns, by itself or by a closure.
    fn may_compute_first(&self) -> bool {
        let reads_itself = self.read.iter().any(|read| self.assigned.contains(read));
        !(reads_itself || self.has_closure && self.is_seen)
    }

    fn part(&mut self, part: PatternPart) -> bool {
        self.parts.push(part);
        self.parts.len() <= MAX_PARTS
    }

    fn binding(&mut self, pattern: &'p BindingPattern<'a>) -> bool {
        match pattern {
            BindingPattern::BindingIdentifier(id) => self.declared(id),
            BindingPattern::AssignmentPattern(assignment) => {
                self.default(&assignment.right, name_hint(&assignment.left)) && self.binding(&assignment.left)
            }
            BindingPattern::ArrayPattern(array) => {
                self.part(PatternPart::Array)
                    && array.elements.iter().all(|element| match element {
                        Some(element) => self.binding(element),
                        None => self.part(PatternPart::Hole),
                    })
                    && self.binding_rest(array.rest.as_deref())
                    && self.part(PatternPart::End)
            }
            BindingPattern::ObjectPattern(object) => {
                self.part(PatternPart::Object)
                    && object.properties.iter().all(|property| self.key(&property.key) && self.binding(&property.value))
                    && self.binding_rest(object.rest.as_deref())
                    && self.part(PatternPart::End)
            }
        }
    }

    fn binding_rest(&mut self, rest: Option<&'p ast::BindingRestElement<'a>>) -> bool {
        rest.is_none_or(|rest| self.part(PatternPart::Rest) && self.binding(&rest.argument))
    }

    fn array_target(&mut self, array: &'p ast::ArrayAssignmentTarget<'a>) -> bool {
        self.part(PatternPart::Array)
            && array.elements.iter().all(|element| match element {
                Some(element) => {
                    let (target, default) = parts(element);
                    target.is_some_and(|target| self.target_with_default(target, default))
                }
                None => self.part(PatternPart::Hole),
            })
            && self.target_rest(array.rest.as_deref())
            && self.part(PatternPart::End)
    }

    fn object_target(&mut self, object: &'p ast::ObjectAssignmentTarget<'a>) -> bool {
        self.part(PatternPart::Object)
            && object.properties.iter().all(|property| match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                    let hint = Hint::Identifier(property.binding.name);
                    self.part(PatternPart::Property(JsString::new(&property.binding.name)))
                        && property.init.as_ref().is_none_or(|default| self.default(default, hint))
                        && self.assigned(&property.binding)
                }
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                    let (target, default) = parts(&property.binding);
                    self.key(&property.name) && target.is_some_and(|target| self.target_with_default(target, default))
                }
            })
            && self.target_rest(object.rest.as_deref())
            && self.part(PatternPart::End)
    }

    fn target_rest(&mut self, rest: Option<&'p ast::AssignmentTargetRest<'a>>) -> bool {
        rest.is_none_or(|rest| self.part(PatternPart::Rest) && self.target(&rest.target))
    }

    fn target_with_default(&mut self, target: &'p AssignmentTarget<'a>, default: Option<&'p Expression<'a>>) -> bool {
        let hint = self.lowering.target_hint(target);
        default.is_none_or(|default| self.default(default, hint)) && self.target(target)
    }

    fn target(&mut self, target: &'p AssignmentTarget<'a>) -> bool {
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => self.array_target(array),
            AssignmentTarget::ObjectAssignmentTarget(object) => self.object_target(object),
            _ => match target.as_simple_assignment_target() {
                Some(SimpleAssignmentTarget::AssignmentTargetIdentifier(id)) => self.assigned(id),
                Some(SimpleAssignmentTarget::StaticMemberExpression(member)) => {
                    self.object(&member.object) && self.part(PatternPart::Member(Name::new(&member.property.name)))
                }
                Some(SimpleAssignmentTarget::ComputedMemberExpression(member)) => {
                    self.object(&member.object)
                        && self.operand(&member.expression, Hint::None)
                        && self.part(PatternPart::Index)
                }
                _ => false,
            },
        }
    }

    fn key(&mut self, key: &PropertyKey<'a>) -> bool {
        match key {
            PropertyKey::StaticIdentifier(id) => self.part(PatternPart::Property(JsString::new(&id.name))),
            _ => false,
        }
    }

    fn default(&mut self, default: &'p Expression<'a>, hint: Hint<'a>) -> bool {
        self.part(PatternPart::Default) && self.operand(default, hint)
    }

    /// The object of a target.
    fn object(&mut self, object: &'p Expression<'a>) -> bool {
        match object {
            Expression::ThisExpression(_) if !self.lowering.is_this_checked() => {
                self.operands.push(Operand::Expression(object, Hint::None));
                true
            }
            Expression::Identifier(_) => self.operand(object, Hint::None),
            _ => false,
        }
    }

    /// An operand that is known beforehand and has no effect.
    fn operand(&mut self, operand: &'p Expression<'a>, hint: Hint<'a>) -> bool {
        self.operands.push(Operand::Expression(operand, hint));
        match operand {
            Expression::Identifier(id) => self.is_known(id),
            Expression::UnaryExpression(unary) => {
                let is_constant = match unary.operator {
                    UnaryOperator::UnaryNegation => matches!(unary.argument, Expression::NumericLiteral(_)),
                    UnaryOperator::LogicalNot | UnaryOperator::Void => unary.argument.is_literal(),
                    _ => false,
                };
                is_constant && !matches!(unary.argument, Expression::RegExpLiteral(_))
            }
            Expression::ArrayExpression(array) => array.elements.is_empty(),
            Expression::ObjectExpression(object) => object.properties.is_empty(),
            Expression::TemplateLiteral(template) => template.expressions.is_empty(),
            Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => {
                self.has_closure = true;
                true
            }
            Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::StringLiteral(_) => true,
            _ => false,
        }
    }

    /// Whether a name is that of a variable in SSA form, or `undefined`.
    fn is_known(&mut self, id: &ast::IdentifierReference<'a>) -> bool {
        let Some(id_of) = of_reference(id) else { return id.name == "undefined" };
        self.read.push(id_of);
        let lowering = self.lowering;
        let is_here = lowering.scopes.binding(id_of).function == lowering.number;
        let is_variable = matches!(lowering.scopes.binding(id_of).storage, Storage::Local | Storage::Shared { .. });
        is_here && is_variable && !lowering.scopes.may_be_early(id_of, place_of(id.span), lowering.number)
    }

    /// A target that is a declared name.
    fn declared(&mut self, id: &'p ast::BindingIdentifier<'a>) -> bool {
        let Some(id_of) = of_symbol(id) else { return false };
        self.assigned.push(id_of);
        let binding = self.lowering.scopes.binding(id_of);
        let is_new = binding.kind.has_dead_zone() || binding.kind == BindingKind::CatchParam;
        let is_unseen = match binding.kind.has_dead_zone() {
            true => !binding.is_captured_early,
            // Nothing captures what is not there.
            false => self.lowering.shared.places[id_of.index()].cell.is_none(),
        };
        match binding.storage {
            // What a handler reads must not be assigned late.
            Storage::Local if !is_new && self.lowering.tries > 0 => false,
            Storage::Local => self.result(Target::Declared(id)),
            Storage::Cell | Storage::Shared { .. } if is_unseen => {
                self.is_seen = true;
                self.result(Target::Declared(id))
            }
            Storage::Cell => self.cell(id_of),
            Storage::Shared { .. } if binding.kind.has_dead_zone() => {
                self.shared.push(id_of);
                self.cell(id_of)
            }
            _ => false,
        }
    }

    /// A target that is a name which has been declared.
    fn assigned(&mut self, id: &'p ast::IdentifierReference<'a>) -> bool {
        let Some(id_of) = of_reference(id) else { return false };
        self.assigned.push(id_of);
        let lowering = self.lowering;
        let binding = lowering.scopes.binding(id_of);
        let is_assignable = matches!(binding.kind, BindingKind::Var | BindingKind::Param | BindingKind::Let);
        if !is_assignable || lowering.scopes.may_be_early(id_of, place_of(id.span), lowering.number) {
            return false;
        }
        match binding.storage {
            Storage::Local => lowering.tries == 0 && self.result(Target::Assigned(id)),
            Storage::Cell => self.cell(id_of),
            _ => false,
        }
    }

    fn result(&mut self, target: Target<'p, 'a>) -> bool {
        self.targets.push(target);
        self.part(PatternPart::Value)
    }

    /// A target that is a cell, which there is already.
    fn cell(&mut self, binding: BindingId) -> bool {
        let place = &self.lowering.shared.places[binding.index()];
        let is_here = self.lowering.scopes.binding(binding).function == self.lowering.number;
        self.operands.push(Operand::Cell(binding));
        (!is_here || place.cell.is_some() && !place.is_aside) && self.part(PatternPart::Cell)
    }
}

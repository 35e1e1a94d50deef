//! Patterns: what they declare, and what they assign.

use super::resolve::Walk;
use super::{BindingId, BindingKind};
use oxc_ast::ast::{
    self, AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern, PropertyKey,
};
use oxc_span::GetSpan;
use oxc_syntax::symbol::SymbolId;

impl<'p, 'a> Walk<'p, 'a> {
    /// Declares all names of a pattern, which are initialized at byte `initialized_at` if they have a dead zone, and walks its
    /// defaults and computed keys.
    pub(super) fn declare_pattern(&mut self, pattern: &'p BindingPattern<'a>, kind: BindingKind, initialized_at: u32) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => {
                let binding = self.declare(id.name, kind, id.span.into());
                id.symbol_id.set(Some(SymbolId::from_usize(binding.index())));
                self.set_initialized(binding, kind, initialized_at);
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    self.key(&property.key);
                    self.declare_pattern(&property.value, kind, initialized_at);
                }
                if let Some(rest) = &object.rest {
                    self.declare_pattern(&rest.argument, kind, initialized_at);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for element in array.elements.iter().flatten() {
                    self.declare_pattern(element, kind, initialized_at);
                }
                if let Some(rest) = &array.rest {
                    self.declare_pattern(&rest.argument, kind, initialized_at);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                self.declare_pattern(&assignment.left, kind, initialized_at);
                self.expression(&assignment.right);
            }
        }
    }

    fn set_initialized(&mut self, binding: BindingId, kind: BindingKind, initialized_at: u32) {
        let binding = &mut self.bindings[binding.index()];
        if kind.has_dead_zone() || kind == BindingKind::Param {
            binding.initialized_at = binding.initialized_at.max(initialized_at);
        }
    }

    /// Declares all names of the pattern of a `var`.
    pub(super) fn declare_vars(&mut self, pattern: &'p BindingPattern<'a>, assigned_at: Option<u32>) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => self.var(id, assigned_at),
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    self.key(&property.key);
                    self.declare_vars(&property.value, assigned_at);
                }
                if let Some(rest) = &object.rest {
                    self.declare_vars(&rest.argument, assigned_at);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for element in array.elements.iter().flatten() {
                    self.declare_vars(element, assigned_at);
                }
                if let Some(rest) = &array.rest {
                    self.declare_vars(&rest.argument, assigned_at);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                self.declare_vars(&assignment.left, assigned_at);
                self.expression(&assignment.right);
            }
        }
    }

    pub(super) fn key(&mut self, key: &'p PropertyKey<'a>) {
        if let Some(expression) = key.as_expression() {
            self.expression(expression);
        }
    }

    /// What an assignment assigns.
    pub(super) fn assignment_target(&mut self, target: &'p AssignmentTarget<'a>) {
        if let Some(simple) = target.as_simple_assignment_target() {
            return self.simple_target(simple);
        }
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for element in array.elements.iter().flatten() {
                    self.target_with_default(element);
                }
                if let Some(rest) = &array.rest {
                    self.assignment_target(&rest.target);
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                            self.reference(&property.binding, true);
                            property.init.iter().for_each(|init| self.expression(init));
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            self.key(&property.name);
                            self.target_with_default(&property.binding);
                        }
                    }
                }
                if let Some(rest) = &object.rest {
                    self.assignment_target(&rest.target);
                }
            }
            _ => {}
        }
    }

    fn target_with_default(&mut self, target: &'p AssignmentTargetMaybeDefault<'a>) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) => {
                self.assignment_target(&target.binding);
                self.expression(&target.init);
            }
            _ => target.as_assignment_target().into_iter().for_each(|target| self.assignment_target(target)),
        }
    }

    pub(super) fn simple_target(&mut self, target: &'p ast::SimpleAssignmentTarget<'a>) {
        self.note_strict(target.span().into());
        match target {
            ast::SimpleAssignmentTarget::AssignmentTargetIdentifier(id) => {
                self.note_escape(&id.name);
                self.reference(id, true);
            }
            _ => match (target.as_member_expression(), target.get_expression()) {
                (Some(member), _) => self.member(member, true),
                (_, Some(expression)) => self.written_expression(expression),
                _ => {}
            },
        }
    }

    /// An expression that is assigned below a type assertion.
    fn written_expression(&mut self, expression: &'p ast::Expression<'a>) {
        match expression.get_inner_expression() {
            ast::Expression::Identifier(id) => self.reference(id, true),
            expression => self.expression(expression),
        }
    }
}

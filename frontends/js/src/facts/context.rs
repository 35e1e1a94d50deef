//! The syntax around accesses, and mentions of variables in code that control never reaches.

use crate::accesses::{AccessKind, Context};
use crate::source::Parsed;
use foldhash::fast::RandomState;
use oxc_ast::ast::*;
use oxc_ast_visit::VisitJs;
use oxc_ast_visit::walk_js::*;
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, UnaryOperator};
use oxc_syntax::scope::ScopeFlags;
use std::collections::{HashMap, HashSet};

/// What one walk over the tree of a file finds.
#[derive(Default)]
pub(super) struct Contexts {
    /// By the byte where the name of an assigned variable begins.
    assigned: HashMap<u32, Context, RandomState>,
    /// Where the name of a variable begins that is tested.
    tested: HashSet<u32, RandomState>,
    /// Assignments and updates whose value nobody uses, by where they begin and end.
    discarded: HashSet<Span, RandomState>,
    /// All mentions of variables that the file declares: the number of the symbol, and where its name begins.
    pub(super) mentions: Vec<(u32, u32)>,
    has_erased_types: bool,
}

impl Contexts {
    pub(super) fn new(parsed: &Parsed<'_>) -> Self {
        let mut contexts = Self { has_erased_types: parsed.has_erased_types, ..Self::default() };
        contexts.visit_program(&parsed.program);
        contexts
    }

    /// The context of an access of this kind to the name that begins at byte `start`.
    pub(super) fn of(&self, kind: AccessKind, start: u32) -> Context {
        match kind {
            AccessKind::Read if self.tested.contains(&start) => Context::Tested,
            AccessKind::Assign | AccessKind::Initialize => self.assigned.get(&start).copied().unwrap_or_default(),
            _ => Context::Plain,
        }
    }

    fn assigns(&mut self, span: Span, context: Context) {
        self.assigned.insert(span.start, context);
    }

    fn assigns_target(&mut self, target: &AssignmentTarget<'_>, context: Context) {
        if let AssignmentTarget::AssignmentTargetIdentifier(id) = target {
            self.assigns(id.span, context);
        }
    }

    fn binds(&mut self, pattern: &BindingPattern<'_>, context: Context) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => self.assigns(id.span, context),
            BindingPattern::AssignmentPattern(assignment) => self.binds(&assignment.left, context),
            BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_) => {}
        }
    }

    /// Notes names whose value an expression compares or whose truth it asks for.
    fn tests(&mut self, expression: &Expression<'_>) {
        let mut work = vec![expression];
        while let Some(expression) = work.pop() {
            match expression {
                Expression::Identifier(id) => _ = self.tested.insert(id.span.start),
                Expression::AssignmentExpression(assignment) => work.push(&assignment.right),
                Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::LogicalNot => {
                    work.push(&unary.argument);
                }
                Expression::LogicalExpression(logical) => work.extend([&logical.left, &logical.right]),
                _ => {}
            }
        }
    }

    /// Notes assignments and updates in an expression whose value nobody uses.
    fn discards(&mut self, expression: &Expression<'_>) {
        let mut work = vec![expression];
        while let Some(expression) = work.pop() {
            match expression {
                Expression::AssignmentExpression(assignment) => _ = self.discarded.insert(assignment.span),
                Expression::UpdateExpression(update) => _ = self.discarded.insert(update.span),
                // The others are discarded wherever it stands.
                Expression::SequenceExpression(sequence) => work.extend(sequence.expressions.last()),
                Expression::LogicalExpression(logical) => work.push(&logical.right),
                Expression::ConditionalExpression(conditional) => {
                    work.extend([&conditional.consequent, &conditional.alternate]);
                }
                Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Void => {
                    work.push(&unary.argument);
                }
                _ => {}
            }
        }
    }

    /// Notes names in a chain of assignments that pass one value on.
    fn passes_on(&mut self, value: &Expression<'_>) {
        if let Expression::AssignmentExpression(inner) = value {
            self.assigns_target(&inner.left, Context::Nested);
        }
    }

    /// `export const x = 1` in a namespace has become `const x = N.x = 1`, and mentions elsewhere `N.x`.
    fn note_namespace_export(&mut self, pattern: &BindingPattern<'_>, init: &Expression<'_>) {
        if let (true, BindingPattern::BindingIdentifier(id)) = (self.has_erased_types, pattern)
            && let Expression::AssignmentExpression(assignment) = init
            && let AssignmentTarget::StaticMemberExpression(member) = &assignment.left
            && member.property.name == id.name
            && let Some(symbol) = id.symbol_id.get()
        {
            self.mentions.push((symbol.index() as u32, u32::MAX));
        }
    }

    /// The names of an array pattern that others follow keep the place of an element.
    fn keeps_places<T>(&mut self, elements: &[Option<T>], has_rest: bool, note: impl Fn(&mut Self, &T)) {
        let mut is_followed = has_rest;
        for element in elements.iter().rev().flatten() {
            if is_followed {
                note(self, element);
            }
            is_followed = true;
        }
    }
}

/// Whether an expression is a constant that is written out: a literal, `undefined`, `void 0`, `-1`, `!0`, `[]`, `{}`.
fn is_literal(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::UnaryExpression(unary) => {
            unary.operator != UnaryOperator::Delete
                && unary.argument.is_literal()
                && !matches!(unary.argument, Expression::RegExpLiteral(_))
        }
        Expression::RegExpLiteral(_) => false,
        Expression::ArrayExpression(array) => array.elements.is_empty(),
        Expression::ObjectExpression(object) => object.properties.is_empty(),
        Expression::TemplateLiteral(template) => template.expressions.is_empty(),
        expression => expression.is_literal() || is_undefined(expression),
    }
}

/// Whether an expression is `undefined` or `void 0`.
fn is_undefined(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::Identifier(id) => id.name == "undefined",
        Expression::UnaryExpression(unary) => unary.operator == UnaryOperator::Void && unary.argument.is_literal(),
        _ => false,
    }
}

impl<'a> VisitJs<'a> for Contexts {
    fn visit_identifier_reference(&mut self, id: &IdentifierReference<'a>) {
        if let Some(symbol) = id.reference_id.get() {
            self.mentions.push((symbol.index() as u32, id.span.start));
        }
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let Some(init) = &declarator.init {
            if is_literal(init) {
                self.binds(&declarator.id, Context::Literal);
            }
            self.passes_on(init);
            self.note_namespace_export(&declarator.id, init);
        }
        walk_variable_declarator(self, declarator);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let is_plain = assignment.operator == AssignmentOperator::Assign;
        if !self.discarded.contains(&assignment.span) && !is_plain {
            self.assigns_target(&assignment.left, Context::Nested);
        }
        if is_plain {
            self.passes_on(&assignment.right);
            if is_undefined(&assignment.right) || matches!(assignment.right, Expression::NullLiteral(_)) {
                self.assigns_target(&assignment.left, Context::Cleared);
            }
        } else if assignment.operator.is_logical()
            && let AssignmentTarget::AssignmentTargetIdentifier(id) = &assignment.left
        {
            self.tested.insert(id.span.start);
        }
        walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        if !self.discarded.contains(&update.span) {
            self.assigns(update.argument.span(), Context::Nested);
        }
        walk_update_expression(self, update);
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        self.discards(&statement.expression);
        walk_expression_statement(self, statement);
    }

    fn visit_sequence_expression(&mut self, sequence: &SequenceExpression<'a>) {
        if let Some((_, ignored)) = sequence.expressions.split_last() {
            ignored.iter().for_each(|expression| self.discards(expression));
        }
        walk_sequence_expression(self, sequence);
    }

    fn visit_for_statement(&mut self, statement: &ForStatement<'a>) {
        statement.init.iter().filter_map(|init| init.as_expression()).for_each(|init| self.discards(init));
        statement.update.iter().for_each(|update| self.discards(update));
        statement.test.iter().for_each(|test| self.tests(test));
        walk_for_statement(self, statement);
    }

    fn visit_for_statement_left(&mut self, left: &ForStatementLeft<'a>) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                declaration.declarations.iter().for_each(|declarator| self.binds(&declarator.id, Context::LoopHead));
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    self.assigns_target(target, Context::LoopHead);
                }
            }
        }
        walk_for_statement_left(self, left);
    }

    fn visit_catch_parameter(&mut self, param: &CatchParameter<'a>) {
        self.binds(&param.pattern, Context::Catch);
        walk_catch_parameter(self, param);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.assigns(function.span, Context::Function);
        walk_function(self, function, flags);
    }

    fn visit_object_pattern(&mut self, object: &ObjectPattern<'a>) {
        if object.rest.is_some() {
            object.properties.iter().for_each(|property| self.binds(&property.value, Context::Sibling));
        }
        walk_object_pattern(self, object);
    }

    fn visit_array_pattern(&mut self, array: &ArrayPattern<'a>) {
        self.keeps_places(&array.elements, array.rest.is_some(), |contexts, element| {
            contexts.binds(element, Context::Sibling);
        });
        walk_array_pattern(self, array);
    }

    fn visit_object_assignment_target(&mut self, object: &ObjectAssignmentTarget<'a>) {
        if object.rest.is_some() {
            for property in &object.properties {
                match property {
                    AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                        self.assigns(property.binding.span, Context::Sibling);
                    }
                    AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                        self.assigns(property.binding.span(), Context::Sibling);
                    }
                }
            }
        }
        walk_object_assignment_target(self, object);
    }

    fn visit_array_assignment_target(&mut self, array: &ArrayAssignmentTarget<'a>) {
        self.keeps_places(&array.elements, array.rest.is_some(), |contexts, element| {
            contexts.assigns(element.span(), Context::Sibling);
        });
        walk_array_assignment_target(self, array);
    }

    fn visit_if_statement(&mut self, statement: &IfStatement<'a>) {
        self.tests(&statement.test);
        walk_if_statement(self, statement);
    }

    fn visit_while_statement(&mut self, statement: &WhileStatement<'a>) {
        self.tests(&statement.test);
        walk_while_statement(self, statement);
    }

    fn visit_do_while_statement(&mut self, statement: &DoWhileStatement<'a>) {
        self.tests(&statement.test);
        walk_do_while_statement(self, statement);
    }

    fn visit_conditional_expression(&mut self, conditional: &ConditionalExpression<'a>) {
        self.tests(&conditional.test);
        walk_conditional_expression(self, conditional);
    }

    fn visit_switch_statement(&mut self, statement: &SwitchStatement<'a>) {
        self.tests(&statement.discriminant);
        walk_switch_statement(self, statement);
    }

    fn visit_logical_expression(&mut self, logical: &LogicalExpression<'a>) {
        if let Expression::Identifier(id) = &logical.left {
            self.tested.insert(id.span.start);
        }
        walk_logical_expression(self, logical);
    }

    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        let compares = matches!(
            binary.operator,
            BinaryOperator::Equality
                | BinaryOperator::Inequality
                | BinaryOperator::StrictEquality
                | BinaryOperator::StrictInequality
                | BinaryOperator::Instanceof
        );
        for side in [&binary.left, &binary.right] {
            if let (true, Expression::Identifier(id)) = (compares, side) {
                self.tested.insert(id.span.start);
            }
        }
        walk_binary_expression(self, binary);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        if matches!(unary.operator, UnaryOperator::LogicalNot | UnaryOperator::Typeof)
            && let Expression::Identifier(id) = &unary.argument
        {
            self.tested.insert(id.span.start);
        }
        walk_unary_expression(self, unary);
    }

    fn visit_member_expression(&mut self, member: &MemberExpression<'a>) {
        if let (true, Expression::Identifier(id)) = (member.optional(), member.object()) {
            self.tested.insert(id.span.start);
        }
        walk_member_expression(self, member);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let (true, Expression::Identifier(id)) = (call.optional, &call.callee) {
            self.tested.insert(id.span.start);
        }
        walk_call_expression(self, call);
    }
}

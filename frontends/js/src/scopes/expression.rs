//! Expressions.

use super::resolve::Walk;
use crate::program::{FunctionKind, MemoryReason};
use oxc_ast::ast::{
    self, Argument, ArrayExpressionElement, ChainElement, Expression, MemberExpression, ObjectPropertyKind,
    PropertyKind,
};
use oxc_syntax::operator::UnaryOperator;
use ssaphire_ir::List;

impl<'p, 'a> Walk<'p, 'a> {
    pub(super) fn expressions(&mut self, expressions: &'p [Expression<'a>]) {
        for expression in expressions {
            self.expression(expression);
        }
    }

    pub(super) fn expression(&mut self, expression: &'p Expression<'a>) {
        // Types and parentheses mean nothing here.
        let expression = expression.get_inner_expression();
        match expression {
            Expression::Identifier(id) => {
                self.note_escape(&id.name);
                self.reference(id, false);
            }
            Expression::TemplateLiteral(template) => self.expressions(&template.expressions),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::ArrowFunctionExpression(arrow) => self.arrow(arrow),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::AwaitExpression(node) => self.expression(&node.argument),
            Expression::BinaryExpression(_) => self.binary(expression),
            Expression::CallExpression(call) => self.call(call),
            Expression::ChainExpression(chain) => self.chain(&chain.expression),
            Expression::ClassExpression(class) => self.class(class, false),
            Expression::ConditionalExpression(node) => {
                self.expression(&node.test);
                self.expression(&node.consequent);
                self.expression(&node.alternate);
            }
            Expression::FunctionExpression(function) => {
                self.function(function, FunctionKind::Function, function.span.start);
            }
            Expression::ImportExpression(import) => {
                self.expression(&import.source);
                import.options.iter().for_each(|options| self.expression(options));
            }
            Expression::LogicalExpression(node) => {
                self.expression(&node.left);
                self.expression(&node.right);
            }
            Expression::NewExpression(node) => {
                self.expression(&node.callee);
                self.arguments(&node.arguments);
            }
            Expression::ObjectExpression(object) => self.object(object),
            Expression::SequenceExpression(sequence) => self.expressions(&sequence.expressions),
            Expression::TaggedTemplateExpression(node) => {
                self.expression(&node.tag);
                self.expressions(&node.quasi.expressions);
            }
            Expression::UnaryExpression(node) => self.unary(node),
            Expression::UpdateExpression(node) => self.simple_target(&node.argument),
            Expression::YieldExpression(node) => {
                self.yields.push(node.span.start);
                node.argument.iter().for_each(|argument| self.expression(argument));
            }
            Expression::PrivateInExpression(node) => self.private_in(node),
            Expression::JSXElement(element) => self.jsx_element(element),
            Expression::JSXFragment(fragment) => self.jsx_children(&fragment.children),
            _ => {
                if let Some(member) = expression.as_member_expression() {
                    self.member(member, false);
                }
            }
        }
    }

    fn array(&mut self, array: &'p ast::ArrayExpression<'a>) {
        for element in &array.elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => self.expression(&spread.argument),
                _ => element.as_expression().into_iter().for_each(|element| self.expression(element)),
            }
        }
    }

    /// A chain of binary operators leans to the left, and may be as long as the source.
    fn binary(&mut self, expression: &'p Expression<'a>) {
        let mut rights: List<_, 4> = List::new();
        let mut left = expression;
        while let Expression::BinaryExpression(node) = left {
            rights.push(&node.right);
            left = &node.left;
        }
        self.expression(left);
        while let Some(right) = rights.pop() {
            self.expression(right);
        }
    }

    fn assignment(&mut self, assignment: &'p ast::AssignmentExpression<'a>) {
        self.assignment_target(&assignment.left);
        self.expression(&assignment.right);
    }

    pub(super) fn member(&mut self, member: &'p MemberExpression<'a>, is_written: bool) {
        let object = member.object();
        match object {
            // Elements and length of `arguments` may be read.
            Expression::Identifier(id) if !is_written && is_read_of_arguments(member) => self.reference(id, false),
            _ => self.expression(object),
        }
        match member {
            MemberExpression::ComputedMemberExpression(member) => self.expression(&member.expression),
            MemberExpression::PrivateFieldExpression(member) => self.private_name(&member.field),
            MemberExpression::StaticMemberExpression(_) => {}
        }
    }

    pub(super) fn call(&mut self, call: &'p ast::CallExpression<'a>) {
        if let Expression::Identifier(id) = &call.callee
            && id.name == "eval"
            && !call.optional
        {
            self.note_dynamic(MemoryReason::Eval, call.span.into());
        }
        match &call.callee {
            // A method of `arguments` gets it as `this`.
            Expression::StaticMemberExpression(member) => self.expression(&member.object),
            Expression::ComputedMemberExpression(member) => {
                self.expression(&member.object);
                self.expression(&member.expression);
            }
            callee => self.expression(callee),
        }
        self.arguments(&call.arguments);
    }

    fn arguments(&mut self, arguments: &'p [Argument<'a>]) {
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => self.expression(&spread.argument),
                _ => argument.as_expression().into_iter().for_each(|argument| self.expression(argument)),
            }
        }
    }

    fn chain(&mut self, element: &'p ChainElement<'a>) {
        match element {
            ChainElement::CallExpression(call) => self.call(call),
            ChainElement::TSNonNullExpression(node) => self.expression(&node.expression),
            _ => element.as_member_expression().into_iter().for_each(|member| self.member(member, false)),
        }
    }

    fn object(&mut self, object: &'p ast::ObjectExpression<'a>) {
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => self.expression(&spread.argument),
                ObjectPropertyKind::ObjectProperty(property) => {
                    self.key(&property.key);
                    let kind = match property.kind {
                        PropertyKind::Get => FunctionKind::Getter,
                        PropertyKind::Set => FunctionKind::Setter,
                        PropertyKind::Init => FunctionKind::Method,
                    };
                    match &property.value {
                        Expression::FunctionExpression(function)
                            if property.method || property.kind != PropertyKind::Init =>
                        {
                            self.function(function, kind, property.span.start);
                        }
                        value => self.expression(value),
                    }
                }
            }
        }
    }

    fn jsx_element(&mut self, element: &'p ast::JSXElement<'a>) {
        match &element.opening_element.name {
            ast::JSXElementName::IdentifierReference(id) => self.reference(id, false),
            ast::JSXElementName::MemberExpression(member) => {
                let mut object = &member.object;
                while let ast::JSXMemberExpressionObject::MemberExpression(inner) = object {
                    object = &inner.object;
                }
                if let ast::JSXMemberExpressionObject::IdentifierReference(id) = object {
                    self.reference(id, false);
                }
            }
            _ => {}
        }
        for attribute in &element.opening_element.attributes {
            match attribute {
                ast::JSXAttributeItem::SpreadAttribute(spread) => self.expression(&spread.argument),
                ast::JSXAttributeItem::Attribute(attribute) => match &attribute.value {
                    Some(ast::JSXAttributeValue::ExpressionContainer(container)) => {
                        container.expression.as_expression().into_iter().for_each(|value| self.expression(value));
                    }
                    Some(ast::JSXAttributeValue::Element(element)) => self.jsx_element(element),
                    Some(ast::JSXAttributeValue::Fragment(fragment)) => self.jsx_children(&fragment.children),
                    Some(ast::JSXAttributeValue::StringLiteral(_)) | None => {}
                },
            }
        }
        self.jsx_children(&element.children);
    }

    fn unary(&mut self, node: &'p ast::UnaryExpression<'a>) {
        if node.operator == UnaryOperator::Delete {
            self.note_strict(node.span.into());
        }
        self.expression(&node.argument);
    }

    fn private_in(&mut self, node: &'p ast::PrivateInExpression<'a>) {
        self.private_name(&node.left);
        self.expression(&node.right);
    }

    fn jsx_children(&mut self, children: &'p [ast::JSXChild<'a>]) {
        for child in children {
            match child {
                ast::JSXChild::Text(_) => {}
                ast::JSXChild::Element(element) => self.jsx_element(element),
                ast::JSXChild::Fragment(fragment) => self.jsx_children(&fragment.children),
                ast::JSXChild::ExpressionContainer(container) => {
                    container.expression.as_expression().into_iter().for_each(|value| self.expression(value));
                }
                ast::JSXChild::Spread(spread) => self.expression(&spread.expression),
            }
        }
    }
}

/// Whether a member of something called `arguments` is one that reading it leaves alone.
fn is_read_of_arguments(member: &MemberExpression<'_>) -> bool {
    match member {
        MemberExpression::ComputedMemberExpression(_) => true,
        MemberExpression::StaticMemberExpression(member) => member.property.name == "length",
        MemberExpression::PrivateFieldExpression(_) => false,
    }
}

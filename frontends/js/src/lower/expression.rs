//! Expressions.

use super::function::Lowering;
use super::literal::Hint;
use crate::dialect::{Constant, Immediates, Opcode};
use crate::program::FunctionKind;
use oxc_ast::ast::{self, Expression};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};
use ssaphire::{SsaBuilder, Value};

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn expression(&mut self, expression: &'p Expression<'a>) -> Value {
        // Types and parentheses mean nothing here.
        let expression = expression.get_inner_expression();
        if let Some(constant) = self.literal_constant(expression) {
            return self.constant(constant);
        }
        match expression {
            Expression::Identifier(id) => self.read_reference(id),
            Expression::RegExpLiteral(literal) => self.regexp(literal),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::ArrowFunctionExpression(arrow) => self.closure(&arrow.scope_id, arrow.span, Hint::None),
            Expression::FunctionExpression(function) => {
                let hint = function.id.as_ref().map_or(Hint::None, |id| Hint::Identifier(id.name));
                self.closure(&function.scope_id, function.span, hint)
            }
            Expression::ClassExpression(class) => self.class(class, Hint::None),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::AwaitExpression(node) => {
                let value = self.expression(&node.argument);
                self.op(Opcode::Await, &[value], node.span)
            }
            Expression::BinaryExpression(_) => self.binary(expression),
            Expression::CallExpression(call) => self.call(call),
            Expression::ChainExpression(chain) => self.chain(chain),
            Expression::ConditionalExpression(node) => self.conditional(node, &Hint::None),
            Expression::ImportExpression(import) => self.import(import),
            Expression::LogicalExpression(node) => self.logical(node, &Hint::None),
            Expression::NewExpression(node) => self.new_expression(node),
            Expression::ObjectExpression(object) => self.object(object),
            Expression::SequenceExpression(sequence) => self.sequence(sequence),
            Expression::TaggedTemplateExpression(node) => self.tagged_template(node),
            Expression::ThisExpression(node) => self.this(node.span),
            Expression::UnaryExpression(node) => self.unary(node),
            Expression::UpdateExpression(node) => self.update(node, true),
            Expression::YieldExpression(node) => self.yield_expression(node),
            Expression::PrivateInExpression(node) => {
                let object = self.expression(&node.right);
                let name = self.interner.text(&private_name(&node.left));
                self.op_with(Opcode::HasPrivate, Immediates::Name(name), &[object], node.span)
            }
            Expression::ImportMeta(node) => self.op(Opcode::ImportMeta, &[], node.span),
            Expression::NewTarget(node) => self.op(Opcode::NewTarget, &[], node.span),
            Expression::JSXElement(element) => self.jsx_element(element),
            Expression::JSXFragment(fragment) => self.jsx_fragment(fragment),
            _ => match expression.as_member_expression() {
                Some(member) => self.member(member),
                None => {
                    use oxc_span::GetSpan;
                    self.unsupported("this expression is not part of ECMAScript 2025", expression.span());
                    self.undefined()
                }
            },
        }
    }

    /// An expression whose value nobody needs.
    pub(super) fn discard(&mut self, expression: &'p Expression<'a>) {
        match expression {
            Expression::UpdateExpression(node) => {
                self.update(node, false);
            }
            Expression::SequenceExpression(sequence) => {
                for expression in &sequence.expressions {
                    self.discard(expression);
                }
            }
            Expression::UnaryExpression(node) if node.operator == UnaryOperator::Void => self.discard(&node.argument),
            Expression::LogicalExpression(node) => {
                let value = self.expression(&node.left);
                let mut end = super::emit::Join::default();
                self.short_circuit(node.operator, value, &mut end);
                self.discard(&node.right);
                self.jump_to(&mut end);
                self.begin(end);
            }
            Expression::ConditionalExpression(node) => {
                let (mut then, mut other) = Default::default();
                let mut end = super::emit::Join::default();
                self.condition(&node.test, &mut then, &mut other);
                for (join, way) in [(then, &node.consequent), (other, &node.alternate)] {
                    self.begin(join);
                    self.discard(way);
                    self.jump_to(&mut end);
                }
                self.begin(end);
            }
            _ => {
                self.expression(expression);
            }
        }
    }

    fn sequence(&mut self, sequence: &'p ast::SequenceExpression<'a>) -> Value {
        let Some((last, others)) = sequence.expressions.split_last() else { return self.undefined() };
        for expression in others {
            self.discard(expression);
        }
        self.expression(last)
    }

    /// `this`, which may not be there yet in the constructor of a derived class.
    pub(super) fn this(&mut self, span: oxc_span::Span) -> Value {
        let opcode = if self.is_this_checked() { Opcode::ThisChecked } else { Opcode::This };
        self.op(opcode, &[], span)
    }

    /// Whether `this` may not be there yet.
    pub(super) fn is_this_checked(&self) -> bool {
        let mut number = self.number;
        let functions = &self.scopes.functions;
        while functions[number as usize].kind == FunctionKind::Arrow {
            let Some(parent) = functions[number as usize].parent else { break };
            number = parent;
        }
        functions[number as usize].kind == FunctionKind::DerivedConstructor
    }

    /// A chain of binary operators leans to the left, and may be as long as the source.
    fn binary(&mut self, expression: &'p Expression<'a>) -> Value {
        let outer = self.pending.operators.len();
        let mut left = expression;
        while let Expression::BinaryExpression(node) = left {
            self.pending.operators.push(node);
            left = &node.left;
        }
        let mut value = self.expression(left);
        while self.pending.operators.len() > outer
            && let Some(node) = self.pending.operators.pop()
        {
            let right = self.expression(&node.right);
            value = self.op(binary_opcode(node.operator), &[value, right], node.span);
        }
        value
    }

    fn unary(&mut self, node: &'p ast::UnaryExpression<'a>) -> Value {
        let opcode = match node.operator {
            UnaryOperator::UnaryNegation => Opcode::Neg,
            UnaryOperator::UnaryPlus => Opcode::ToNumber,
            UnaryOperator::LogicalNot => Opcode::Not,
            UnaryOperator::BitwiseNot => Opcode::BitNot,
            UnaryOperator::Typeof => return self.type_of(node),
            UnaryOperator::Void => {
                self.discard(&node.argument);
                return self.undefined();
            }
            UnaryOperator::Delete => return self.delete(node),
        };
        if let (Opcode::Neg, Expression::NumericLiteral(literal)) = (opcode, &node.argument) {
            return self.constant(Constant::number(-literal.value));
        }
        let value = self.expression(&node.argument);
        self.op(opcode, &[value], node.span)
    }

    fn type_of(&mut self, node: &'p ast::UnaryExpression<'a>) -> Value {
        if let Expression::Identifier(id) = &node.argument {
            let name = match super::binding::of_reference(id) {
                None => Some(self.interner.name(id.name)),
                Some(binding) => {
                    let binding = self.scopes.binding(binding);
                    (binding.storage == crate::scopes::Storage::Named).then(|| binding.name.clone())
                }
            };
            if let Some(name) = name.filter(|name| &**name != "undefined") {
                return self.op_with(Opcode::TypeofName, Immediates::Name(name), &[], node.span);
            }
        }
        let value = self.expression(&node.argument);
        self.op(Opcode::Typeof, &[value], node.span)
    }

    fn yield_expression(&mut self, node: &'p ast::YieldExpression<'a>) -> Value {
        let value = match &node.argument {
            Some(argument) => self.expression(argument),
            None => self.undefined(),
        };
        let opcode = match (node.delegate, self.cleanups > 0) {
            (false, false) => Opcode::Yield,
            (false, true) => Opcode::YieldInside,
            (true, false) => Opcode::Delegate,
            (true, true) => Opcode::DelegateInside,
        };
        self.op(opcode, &[value], node.span)
    }
}

/// A private name with its `#`.
pub(super) fn private_name(id: &ast::PrivateIdentifier<'_>) -> String {
    format!("#{}", id.name)
}

pub(super) fn binary_opcode(operator: BinaryOperator) -> Opcode {
    match operator {
        BinaryOperator::Equality => Opcode::Eq,
        BinaryOperator::Inequality => Opcode::Ne,
        BinaryOperator::StrictEquality => Opcode::StrictEq,
        BinaryOperator::StrictInequality => Opcode::StrictNe,
        BinaryOperator::LessThan => Opcode::Lt,
        BinaryOperator::LessEqualThan => Opcode::Le,
        BinaryOperator::GreaterThan => Opcode::Gt,
        BinaryOperator::GreaterEqualThan => Opcode::Ge,
        BinaryOperator::Addition => Opcode::Add,
        BinaryOperator::Subtraction => Opcode::Sub,
        BinaryOperator::Multiplication => Opcode::Mul,
        BinaryOperator::Division => Opcode::Div,
        BinaryOperator::Remainder => Opcode::Rem,
        BinaryOperator::Exponential => Opcode::Pow,
        BinaryOperator::ShiftLeft => Opcode::Shl,
        BinaryOperator::ShiftRight => Opcode::Shr,
        BinaryOperator::ShiftRightZeroFill => Opcode::UShr,
        BinaryOperator::BitwiseOR => Opcode::Or,
        BinaryOperator::BitwiseXOR => Opcode::Xor,
        BinaryOperator::BitwiseAnd => Opcode::And,
        BinaryOperator::In => Opcode::In,
        BinaryOperator::Instanceof => Opcode::InstanceOf,
    }
}

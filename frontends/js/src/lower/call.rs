//! Calls, `new`, `import()` and tagged templates.

use super::access::Place;
use super::function::Lowering;
use crate::dialect::{Immediates, Opcode};
use crate::source::Span;
use oxc_ast::ast::{self, Argument, ChainElement, Expression, MemberExpression};
use oxc_span::GetSpan;
use ssaphire::{SsaBuilder, Value};
use ssaphire_ir::List;
use std::sync::Arc;

/// Arguments of a call, evaluated.
enum Arguments {
    /// One by one, behind what the operation takes first, with the numbers of those that are spread.
    List(List<Value, 8>, Vec<u32>),
    /// In an array: something happens behind one that is spread.
    Array(Value),
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn call(&mut self, call: &'p ast::CallExpression<'a>) -> Value {
        if let Expression::Super(_) = &call.callee {
            return self.super_call(call);
        }
        let (callee, receiver) = self.callee(&call.callee);
        if call.optional {
            self.leave_chain_if_nullish(callee);
        }
        let is_eval = matches!(&call.callee, Expression::Identifier(id) if id.name == "eval") && !call.optional;
        let (opcode, first): (_, &[Value]) = match receiver {
            _ if is_eval => (Opcode::CallEval, &[]),
            Some(receiver) => (Opcode::CallThis, &[callee, receiver]),
            None => (Opcode::Call, &[callee]),
        };
        match self.arguments(first, &call.arguments) {
            Arguments::List(args, spreads) => self.call_list(opcode, &args, spreads, call.span),
            Arguments::Array(array) => {
                let receiver = receiver.unwrap_or_else(|| self.undefined());
                self.op(Opcode::CallArray, &[callee, receiver, array], call.span)
            }
        }
    }

    /// A call with these arguments, of which those with these numbers are spread.
    fn call_list(&mut self, opcode: Opcode, args: &[Value], spreads: Vec<u32>, span: oxc_span::Span) -> Value {
        let immediates = if spreads.is_empty() { Immediates::None } else { Immediates::Spreads(Arc::from(spreads)) };
        self.op_with(opcode, immediates, args, span)
    }

    /// What is called, and on what.
    fn callee(&mut self, callee: &'p Expression<'a>) -> (Value, Option<Value>) {
        let callee = callee.get_inner_expression();
        if let Expression::ChainExpression(chain) = callee {
            return self.chain_callee(chain);
        }
        match callee.as_member_expression() {
            Some(member) => self.member_callee(member),
            None => (self.expression(callee), None),
        }
    }

    fn member_callee(&mut self, member: &'p MemberExpression<'a>) -> (Value, Option<Value>) {
        let place = self.member_place(member);
        let callee = self.read_place(&place, member.span().into());
        let receiver = match place {
            Place::Property { object, .. } | Place::Element { object, .. } | Place::Private { object, .. } => object,
            Place::SuperProperty { .. } | Place::SuperElement { .. } | Place::Name(_) => self.this(member.span()),
        };
        (callee, Some(receiver))
    }

    /// `(a?.b)(..)`: the call is no part of the chain, but its receiver is.
    fn chain_callee(&mut self, chain: &'p ast::ChainExpression<'a>) -> (Value, Option<Value>) {
        let ChainElement::CallExpression(_) = &chain.expression else {
            let Some(member) = chain.expression.as_member_expression() else {
                return (self.chain(chain), None);
            };
            let (function, object) = (self.temporary(), self.temporary());
            self.chains.push(None);
            let (callee, receiver) = self.member_callee(member);
            let undefined = self.undefined();
            self.write(function, callee);
            self.write(object, receiver.unwrap_or(undefined));
            self.end_chain(&[(function, undefined), (object, undefined)]);
            let callee = self.read(function);
            return (callee, Some(self.read(object)));
        };
        (self.chain(chain), None)
    }

    /// Evaluates the arguments of a call. If they are a list, it starts with the values in `first`.
    fn arguments(&mut self, first: &[Value], arguments: &'p [Argument<'a>]) -> Arguments {
        let first_spread = arguments.iter().position(|argument| matches!(argument, Argument::SpreadElement(_)));
        let is_inert = |argument: &Argument<'a>| argument.as_expression().is_some_and(|value| self.is_inert(value));
        if let Some(spread) = first_spread
            && !arguments[spread + 1..].iter().all(is_inert)
        {
            return Arguments::Array(self.arguments_array(arguments));
        }
        let (mut values, mut spreads) = (List::from_slice(first), Vec::new());
        for (index, argument) in arguments.iter().enumerate() {
            match argument {
                Argument::SpreadElement(spread) => {
                    spreads.push(index as u32 + first.len() as u32);
                    values.push(self.expression(&spread.argument));
                }
                _ => {
                    if let Some(value) = argument.as_expression() {
                        values.push(self.expression(value));
                    }
                }
            }
        }
        Arguments::List(values, spreads)
    }

    fn arguments_array(&mut self, arguments: &'p [Argument<'a>]) -> Value {
        let array = self.empty_array(Span::NOWHERE);
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => {
                    let value = self.expression(&spread.argument);
                    self.effect(Opcode::AppendSpread, &[array, value], spread.span);
                }
                _ => {
                    if let Some(value) = argument.as_expression() {
                        let value = self.expression(value);
                        self.effect(Opcode::Append, &[array, value], Span::NOWHERE);
                    }
                }
            }
        }
        array
    }

    fn super_call(&mut self, call: &'p ast::CallExpression<'a>) -> Value {
        match self.arguments(&[], &call.arguments) {
            Arguments::List(args, spreads) => self.call_list(Opcode::SuperCall, &args, spreads, call.span),
            Arguments::Array(array) => self.op(Opcode::SuperCallArray, &[array], call.span),
        }
    }

    pub(super) fn new_expression(&mut self, node: &'p ast::NewExpression<'a>) -> Value {
        let callee = self.expression(&node.callee);
        match self.arguments(&[callee], &node.arguments) {
            Arguments::List(args, spreads) => self.call_list(Opcode::New, &args, spreads, node.span),
            Arguments::Array(array) => self.op(Opcode::NewArray, &[callee, array], node.span),
        }
    }

    pub(super) fn import(&mut self, import: &'p ast::ImportExpression<'a>) -> Value {
        let mut args = vec![self.expression(&import.source)];
        if let Some(options) = &import.options {
            args.push(self.expression(options));
        }
        self.require_evaluation(import.phase, import.span);
        let phase = match import.phase {
            None => "",
            Some(ast::ImportPhase::Source) => "source",
            Some(ast::ImportPhase::Defer) => "defer",
        };
        self.op_named(Opcode::Import, phase, &args, import.span)
    }

    pub(super) fn tagged_template(&mut self, node: &'p ast::TaggedTemplateExpression<'a>) -> Value {
        let (callee, receiver) = self.callee(&node.tag);
        let opcode = if receiver.is_some() { Opcode::CallThis } else { Opcode::Call };
        let mut args: List<Value, 8> = std::iter::once(callee).chain(receiver).collect();
        args.push(self.template_object(&node.quasi));
        for expression in &node.quasi.expressions {
            args.push(self.expression(expression));
        }
        self.op(opcode, &args, node.span)
    }
}

//! Members: reading, writing and deleting them.

use super::binding::of_reference;
use super::expression::private_name;
use super::function::Lowering;
use crate::dialect::{Constant, Immediates, Name, Opcode};
use crate::scopes::Storage;
use crate::source::Span;
use oxc_ast::ast::{self, ChainElement, Expression, MemberExpression};
use oxc_span::GetSpan;
use oxc_str::Ident;
use ssaphire::{SsaBuilder, Value};

/// Something that can be read and assigned, its parts evaluated.
pub(super) enum Place<'p, 'a> {
    Name(&'p ast::IdentifierReference<'a>),
    Property { object: Value, name: Ident<'a> },
    Element { object: Value, key: Value },
    Private { object: Value, name: Name },
    SuperProperty { name: Ident<'a> },
    SuperElement { key: Value },
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn member(&mut self, member: &'p MemberExpression<'a>) -> Value {
        let place = self.member_place(member);
        self.read_place(&place, member.span().into())
    }

    /// Evaluates what a member consists of. In a chain it goes to its end if the object of `?.` is `undefined` or `null`.
    pub(super) fn member_place(&mut self, member: &'p MemberExpression<'a>) -> Place<'p, 'a> {
        if matches!(member.object(), Expression::Super(_)) {
            return self.super_place(member);
        }
        let object = self.expression(member.object());
        if member.optional() {
            self.leave_chain_if_nullish(object);
        }
        match member {
            MemberExpression::StaticMemberExpression(member) => Place::Property { object, name: member.property.name },
            MemberExpression::ComputedMemberExpression(member) => {
                Place::Element { object, key: self.expression(&member.expression) }
            }
            MemberExpression::PrivateFieldExpression(member) => {
                Place::Private { object, name: self.interner.text(&private_name(&member.field)) }
            }
        }
    }

    fn super_place(&mut self, member: &'p MemberExpression<'a>) -> Place<'p, 'a> {
        match member {
            MemberExpression::ComputedMemberExpression(member) => {
                // `this` is looked up first: it may not be there yet.
                self.this(member.span);
                Place::SuperElement { key: self.expression(&member.expression) }
            }
            MemberExpression::StaticMemberExpression(member) => Place::SuperProperty { name: member.property.name },
            MemberExpression::PrivateFieldExpression(member) => {
                self.unsupported("a private member of super", member.span);
                Place::SuperProperty { name: Ident::empty() }
            }
        }
    }

    pub(super) fn read_place(&mut self, place: &Place<'p, 'a>, span: Span) -> Value {
        match place {
            Place::Name(id) => self.read_reference(id),
            Place::Property { object, name } => self.op_named(Opcode::Get, *name, &[*object], span),
            Place::Element { object, key } => self.op(Opcode::GetIndex, &[*object, *key], span),
            Place::Private { object, name } => {
                self.op_with(Opcode::GetPrivate, Immediates::Name(name.clone()), &[*object], span)
            }
            Place::SuperProperty { name } => self.op_named(Opcode::SuperGet, *name, &[], span),
            Place::SuperElement { key } => self.op(Opcode::SuperGetIndex, &[*key], span),
        }
    }

    pub(super) fn write_place(&mut self, place: &Place<'p, 'a>, value: Value, span: Span) {
        match place {
            Place::Name(id) => self.write_reference(id, value),
            Place::Property { object, name } => self.effect_named(Opcode::Set, *name, &[*object, value], span),
            Place::Element { object, key } => self.effect(Opcode::SetIndex, &[*object, *key, value], span),
            Place::Private { object, name } => {
                self.effect_with(Opcode::SetPrivate, Immediates::Name(name.clone()), &[*object, value], span);
            }
            Place::SuperProperty { name } => self.effect_named(Opcode::SuperSet, *name, &[value], span),
            Place::SuperElement { key } => self.effect(Opcode::SuperSetIndex, &[*key, value], span),
        }
    }

    /// The same place with its key converted, so that a read and a write convert it once.
    pub(super) fn settle_key(&mut self, place: Place<'p, 'a>, span: Span) -> Place<'p, 'a> {
        let is_settled = |key: Value, lowering: &Self| lowering.builder.function().as_constant(key).is_some();
        match place {
            Place::Element { object, key } if !is_settled(key, self) => {
                Place::Element { object, key: self.op(Opcode::ToKeyOf, &[object, key], span) }
            }
            Place::SuperElement { key } if !is_settled(key, self) => {
                Place::SuperElement { key: self.op(Opcode::ToKey, &[key], span) }
            }
            place => place,
        }
    }

    pub(super) fn delete(&mut self, node: &'p ast::UnaryExpression<'a>) -> Value {
        match &node.argument {
            Expression::Identifier(id) => self.delete_name(id, node.span),
            Expression::ChainExpression(chain) => self.delete_chain(chain, node.span),
            argument => match argument.as_member_expression() {
                Some(member) => self.delete_member(member, node.span),
                None => {
                    self.discard(argument);
                    self.constant(Constant::Boolean(true))
                }
            },
        }
    }

    fn delete_name(&mut self, id: &'p ast::IdentifierReference<'a>, span: oxc_span::Span) -> Value {
        let is_named = of_reference(id).is_none_or(|binding| self.scopes.binding(binding).storage == Storage::Named);
        if is_named {
            return self.op_named(Opcode::DeleteName, id.name, &[], span);
        }
        self.constant(Constant::Boolean(false))
    }

    fn delete_member(&mut self, member: &'p MemberExpression<'a>, span: oxc_span::Span) -> Value {
        match self.member_place(member) {
            Place::Property { object, name } => self.op_named(Opcode::Delete, name, &[object], span),
            Place::Element { object, key } => self.op(Opcode::DeleteIndex, &[object, key], span),
            _ => {
                self.this(span);
                self.throw_error("ReferenceError", "Unsupported reference to 'super'", span);
                self.undefined()
            }
        }
    }

    fn delete_chain(&mut self, chain: &'p ast::ChainExpression<'a>, span: oxc_span::Span) -> Value {
        let result = self.temporary();
        self.chains.push(None);
        let value = match chain.expression.as_member_expression() {
            Some(member) => self.delete_member(member, span),
            None => {
                self.chain_element(&chain.expression);
                self.constant(Constant::Boolean(true))
            }
        };
        self.write(result, value);
        let short = self.constant(Constant::Boolean(true));
        self.end_chain(&[(result, short)]);
        self.read(result)
    }

    pub(super) fn chain(&mut self, chain: &'p ast::ChainExpression<'a>) -> Value {
        let result = self.temporary();
        self.chains.push(None);
        let value = self.chain_element(&chain.expression);
        self.write(result, value);
        let undefined = self.undefined();
        self.end_chain(&[(result, undefined)]);
        self.read(result)
    }

    fn chain_element(&mut self, element: &'p ChainElement<'a>) -> Value {
        match element {
            ChainElement::CallExpression(call) => self.call(call),
            ChainElement::TSNonNullExpression(node) => self.expression(&node.expression),
            element => match element.as_member_expression() {
                Some(member) => self.member(member),
                None => self.undefined(),
            },
        }
    }

    /// Leaves the chain around if `value` is `undefined` or `null`.
    pub(super) fn leave_chain_if_nullish(&mut self, value: Value) {
        let Some(end) = self.chains.last().copied() else { return };
        let end = end.unwrap_or_else(|| self.builder.create_block());
        if let Some(last) = self.chains.last_mut() {
            *last = Some(end);
        }
        let next = self.builder.create_block();
        self.terminate(Opcode::BranchNullish, &[value], &[end, next]);
        self.begin_sealed(next);
    }

    /// Ends a chain: where it was left early, variables get these values.
    pub(super) fn end_chain(&mut self, early: &[(ssaphire::Variable, Value)]) {
        let Some(Some(block)) = self.chains.pop() else { return };
        let mut end = super::emit::Join::default();
        self.jump_to(&mut end);
        self.begin_sealed(block);
        for &(variable, value) in early {
            self.write(variable, value);
        }
        self.jump_to(&mut end);
        self.begin(end);
    }
}

//! Optional chains: each link has a test, and all of them share the block that gives `undefined`.

use super::builder::Open;
use super::{Lowered, Lowering, unsupported};
use crate::function::{BlockId, BlockKind, Place};
use crate::terminal::Terminal;
use crate::value::Value;
use oxc_ast::ast::*;
use ssaphire_js::dialect::Constant;

/// The blocks of a link.
struct Link {
    /// What it leaves.
    place: Place,
    next: Open,
    consequent: Open,
    /// Where the chain ends early.
    alternate: BlockId,
}

/// What a link calls.
enum Callee {
    Function(Place),
    Method { receiver: Place, property: Place },
}

/// The object of a link, or what it calls; and whether there is a `?.` before it.
fn link_of<'t, 'a>(expression: &'t Expression<'a>) -> Option<(bool, &'t Expression<'a>)> {
    match expression {
        Expression::CallExpression(call) => Some((call.optional, &call.callee)),
        expression => expression.as_member_expression().map(|member| (member.optional(), member.object())),
    }
}

/// How many links there are from `expression` on to the last `?.`, itself counted: those are links of an optional chain.
fn count_links(expression: &Expression<'_>) -> usize {
    let mut next = expression;
    let (mut seen, mut count) = (0, 0);
    while let Some((is_optional, inner)) = link_of(next) {
        seen += 1;
        if is_optional {
            count = seen;
        }
        next = inner;
    }
    // A link on what a `!` ends goes on with the chain in there.
    if let Expression::TSNonNullExpression(inner) = next
        && count_links(strip(inner)) > 0
    {
        return seen;
    }
    count
}

/// What `expression!!` is about.
fn strip<'t, 'a>(expression: &'t TSNonNullExpression<'a>) -> &'t Expression<'a> {
    let mut inner = &expression.expression;
    while let Expression::TSNonNullExpression(next) = inner {
        inner = &next.expression;
    }
    inner
}

impl<'a> Lowering<'_, 'a> {
    pub(super) fn chain(&mut self, chain: &ChainElement<'a>) -> Lowered<Value> {
        match chain {
            ChainElement::CallExpression(call) => {
                let links = count_links(&call.callee);
                self.optional_call(call, links, None)
            }
            ChainElement::TSNonNullExpression(inner) => self.non_null(inner),
            chain => match chain.as_member_expression() {
                Some(member) => {
                    let links = count_links(member.object());
                    Ok(Value::LoadLocal { place: self.optional_member(member, links, None)?.1 })
                }
                None => Err(unsupported("a chain of another kind", ssaphire_js::source::Span::NOWHERE)),
            },
        }
    }

    /// `expression!`
    pub(super) fn non_null(&mut self, expression: &TSNonNullExpression<'a>) -> Lowered<Value> {
        let inner = strip(expression);
        match (inner, count_links(inner)) {
            (Expression::CallExpression(call), links @ 1..) => self.optional_call(call, links - 1, None),
            (inner, links) => match inner.as_member_expression().filter(|_| links > 0) {
                Some(member) => Ok(Value::LoadLocal { place: self.optional_member(member, links - 1, None)?.1 }),
                None => self.expression(inner),
            },
        }
    }

    fn link(&mut self, alternate: Option<BlockId>) -> Lowered<Link> {
        let place = self.nest.temporary();
        let next = self.reserve(self.current_kind());
        let consequent = self.reserve(BlockKind::Value);
        let next_id = next.id;
        let alternate = match alternate {
            Some(alternate) => alternate,
            None => self.enter(BlockKind::Value, |this| {
                let undefined = this.emit(Value::Primitive(Constant::Undefined));
                this.leave(place, undefined);
                Ok(Terminal::goto(next_id))
            })?,
        };
        Ok(Link { place, next, consequent, alternate })
    }

    /// Lowers a link of a chain, behind so many links of it; gives its object and its value.
    fn optional_member(
        &mut self,
        member: &MemberExpression<'a>,
        links: usize,
        alternate: Option<BlockId>,
    ) -> Lowered<(Place, Place)> {
        let Link { place, next, consequent, alternate } = self.link(alternate)?;
        let (next_id, consequent_id) = (next.id, consequent.id);
        let mut object = place;
        let test_block = self.enter(BlockKind::Value, |this| {
            object = this.optional_object(member.object(), links, alternate)?;
            Ok(Terminal::Branch { test: object, consequent: consequent_id, alternate, fallthrough: next_id })
        })?;
        self.enter_reserved(consequent, |this| {
            let load = this.member_property(member)?.load(object);
            let value = this.emit(load);
            this.leave(place, value);
            Ok(Terminal::goto(next_id))
        })?;
        let is_optional = member.optional();
        self.end_with(Terminal::Optional { is_optional, test: test_block, fallthrough: next_id }, next);
        Ok((object, place))
    }

    fn optional_object(&mut self, object: &Expression<'a>, links: usize, alternate: BlockId) -> Lowered<Place> {
        match object {
            Expression::CallExpression(call) if links > 0 => {
                let value = self.optional_call(call, links - 1, Some(alternate))?;
                Ok(self.emit(value))
            }
            object => match object.as_member_expression().filter(|_| links > 0) {
                Some(member) => Ok(self.optional_member(member, links - 1, Some(alternate))?.1),
                None => self.expression_place(object),
            },
        }
    }

    fn optional_call(&mut self, call: &CallExpression<'a>, links: usize, alternate: Option<BlockId>) -> Lowered<Value> {
        let Link { place, next, consequent, alternate } = self.link(alternate)?;
        let (next_id, consequent_id) = (next.id, consequent.id);
        let mut callee = Callee::Function(place);
        let test_block = self.enter(BlockKind::Value, |this| {
            callee = this.optional_callee(&call.callee, links, alternate)?;
            let (Callee::Function(test) | Callee::Method { property: test, .. }) = callee;
            Ok(Terminal::Branch { test, consequent: consequent_id, alternate, fallthrough: next_id })
        })?;
        self.enter_reserved(consequent, |this| {
            let arguments = this.arguments(&call.arguments)?;
            let value = this.nest.temporary();
            this.push(
                value,
                match callee {
                    Callee::Function(callee) => Value::Call { callee, arguments },
                    Callee::Method { receiver, property } => Value::MethodCall { receiver, property, arguments },
                },
            );
            this.leave(place, value);
            Ok(Terminal::goto(next_id))
        })?;
        let is_optional = call.optional;
        self.end_with(Terminal::Optional { is_optional, test: test_block, fallthrough: next_id }, next);
        Ok(Value::LoadLocal { place })
    }

    fn optional_callee(&mut self, callee: &Expression<'a>, links: usize, alternate: BlockId) -> Lowered<Callee> {
        match callee {
            Expression::CallExpression(call) if links > 0 => {
                let value = self.optional_call(call, links - 1, Some(alternate))?;
                Ok(Callee::Function(self.emit(value)))
            }
            callee => match callee.as_member_expression() {
                Some(member) if links > 0 => {
                    let (receiver, property) = self.optional_member(member, links - 1, Some(alternate))?;
                    Ok(Callee::Method { receiver, property })
                }
                Some(member) => {
                    let (receiver, property) = self.method(member)?;
                    Ok(Callee::Method { receiver, property })
                }
                None => Ok(Callee::Function(self.expression_place(callee)?)),
            },
        }
    }
}

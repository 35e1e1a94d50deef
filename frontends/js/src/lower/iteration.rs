//! `for-of`, and the ends of iterators.

use super::emit::Join;
use super::function::Lowering;
use super::jump::Frame;
use super::statement::scope_of;
use crate::dialect::Opcode;
use crate::source::Span;
use oxc_ast::ast;
use oxc_span::GetSpan;
use ssaphire::{SsaBuilder, Value};

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn for_of(&mut self, node: &'p ast::ForOfStatement<'a>) {
        if self.begins_cleanup(node.span.into()) {
            self.within_return_boundary(|lowering| lowering.for_of_inside(node));
        } else {
            self.for_of_inside(node);
        }
    }

    fn for_of_inside(&mut self, node: &'p ast::ForOfStatement<'a>) {
        let labels = std::mem::take(&mut self.labels);
        let scope = scope_of(&node.scope_id);
        self.begin_scope(scope);
        let iterable = self.expression(&node.right);
        let opcode = if node.r#await { Opcode::GetAsyncIterator } else { Opcode::GetIterator };
        let iterator = self.op(opcode, &[iterable], node.right.span());
        self.labels = labels;
        self.push_breakable(true, true);
        let header = self.builder.create_block();
        self.jump(header);
        self.builder.switch_to(header);
        let result = self.next_result(iterator, node.r#await, node.right.span().into());
        let is_done = self.op(Opcode::IteratorDone, &[result], Span::NOWHERE);
        // The end of the iterator is no reason to close it.
        let mut done = Join::default();
        let [finished, go_on] = self.branch(Opcode::Branch, is_done);
        self.begin_sealed(finished);
        self.jump_to(&mut done);
        self.begin_sealed(go_on);
        let value = self.op(Opcode::IteratorValue, &[result], Span::NOWHERE);
        self.for_of_body(node, iterator, scope, value);
        let next = self.take_next();
        self.meet(next);
        self.jump(header);
        self.seal(header);
        let (mut end, _) = self.pop_breakable();
        self.begin(done);
        if end.0.is_some() {
            self.jump_to(&mut end);
            self.begin(end);
        }
    }

    /// The result of one step of an iterator, which is an object.
    fn next_result(&mut self, iterator: Value, is_async: bool, span: Span) -> Value {
        if !is_async {
            return self.op(Opcode::IteratorNext, &[iterator], span);
        }
        let result = self.op(Opcode::IteratorCall, &[iterator], span);
        let result = self.op(Opcode::Await, &[result], span);
        self.effect(Opcode::CheckResult, &[result], span);
        result
    }

    /// One iteration: whatever leaves it but by `continue` closes the iterator.
    fn for_of_body(
        &mut self,
        node: &'p ast::ForOfStatement<'a>,
        iterator: Value,
        scope: crate::scopes::ScopeNumber,
        value: Value,
    ) {
        let (outer, is_async) = (self.handler, node.r#await);
        self.cleanups += 1;
        self.protected(
            |lowering| {
                lowering.frames.push(Frame::Iterator { iterator, is_async, outer });
                lowering.begin_scope(scope);
                lowering.for_binding(&node.left, value);
                if lowering.is_reachable() {
                    lowering.body(&node.body);
                }
                // The end of the body is a `continue`, with the cell of the frame around.
                lowering.frames.pop();
            },
            |lowering, exception| {
                lowering.abandon_iterator(iterator, is_async, exception);
            },
        );
        self.cleanups -= 1;
    }

    /// Closes an iterator because an exception has come, and throws that on.
    pub(super) fn abandon_iterator(&mut self, iterator: Value, is_async: bool, exception: Value) {
        let may_return = self.scope().is_generator;
        if may_return {
            // A generator that is told to return closes iterators as `return` does.
            let is_return = self.op(Opcode::IsReturn, &[exception], Span::NOWHERE);
            let [returns, throws] = self.branch(Opcode::Branch, is_return);
            self.begin_sealed(returns);
            self.close_iterator(iterator, is_async);
            self.throw(exception, Span::NOWHERE);
            self.begin_sealed(throws);
        }
        if is_async {
            let mut end = Join::default();
            self.protected(
                |lowering| {
                    let result = lowering.call_return(iterator, &mut end);
                    lowering.op(Opcode::Await, &[result], Span::NOWHERE);
                    lowering.jump_to(&mut end);
                },
                |_, _| {},
            );
            self.jump_to(&mut end);
            self.begin(end);
        } else {
            self.effect(Opcode::IteratorAbandon, &[iterator], Span::NOWHERE);
        }
        self.throw(exception, Span::NOWHERE);
    }

    /// Closes an iterator on the way out.
    pub(super) fn close_iterator(&mut self, iterator: Value, is_async: bool) {
        if !is_async {
            self.effect(Opcode::IteratorClose, &[iterator], Span::NOWHERE);
            return;
        }
        let mut end = Join::default();
        let result = self.call_return(iterator, &mut end);
        let result = self.op(Opcode::Await, &[result], Span::NOWHERE);
        self.effect(Opcode::CheckResult, &[result], Span::NOWHERE);
        self.jump_to(&mut end);
        self.begin(end);
    }

    /// Calls the method `return` of an iterator; goes to `end` if there is none.
    fn call_return(&mut self, iterator: Value, end: &mut Join) -> Value {
        let method = self.op(Opcode::IteratorReturn, &[iterator], Span::NOWHERE);
        let end = *end.0.get_or_insert_with(|| self.builder.create_block());
        let call = self.builder.create_block();
        self.terminate(Opcode::BranchNullish, &[method], &[end, call]);
        self.begin_sealed(call);
        let object = self.op(Opcode::IteratorObject, &[iterator], Span::NOWHERE);
        self.op(Opcode::CallThis, &[method, object], Span::NOWHERE)
    }
}

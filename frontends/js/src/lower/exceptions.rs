//! `try`, `catch` and `finally`.

use super::emit::Join;
use super::function::{Handler, Lowering};
use super::jump::{ENDED, Finally, Frame, THROWN};
use crate::dialect::{Constant, Opcode};
use crate::source::Span;
use oxc_ast::ast;
use ssaphire::{SsaBuilder, Value};

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    /// Lowers what may throw so that exceptions come to a handler of its own, which `handle` gets the exception in.
    ///
    /// Control goes on where `protect` has left it, or nowhere; what comes out of `handle` is for that to lead on.
    /// If nothing can throw there is no handler.
    pub(super) fn protected(&mut self, protect: impl FnOnce(&mut Self), handle: impl FnOnce(&mut Self, Value)) {
        let outer = self.handler;
        let handler = Handler(self.handlers.len());
        self.handlers.push(Join::default());
        self.handler = Some(handler);
        protect(self);
        self.handler = outer;
        let Some(block) = self.handlers[handler.0].0 else { return };
        let mut next = Join::default();
        self.jump_to(&mut next);
        self.begin_sealed(block);
        let exception = self.op(Opcode::Catch, &[], Span::NOWHERE);
        handle(self, exception);
        self.begin(next);
    }

    pub(super) fn try_statement(&mut self, node: &'p ast::TryStatement<'a>) {
        self.tries += 1;
        match &node.finalizer {
            None => self.try_catch(node),
            Some(finalizer) if self.begins_cleanup(node.span.into()) => {
                self.within_return_boundary(|lowering| lowering.try_finally(node, finalizer));
            }
            Some(finalizer) => self.try_finally(node, finalizer),
        }
        self.tries -= 1;
    }

    fn try_finally(&mut self, node: &'p ast::TryStatement<'a>, finalizer: &'p ast::BlockStatement<'a>) {
        let (selector, value) = (self.temporary(), self.temporary());
        let mut entry = Join::default();
        let (mut has_ended, mut has_thrown) = (false, false);
        self.frames.push(Frame::Finally(Finally { entry: Join::default(), selector, value, exits: Vec::new() }));
        self.cleanups += 1;
        let mut finally = None;
        self.protected(
            |lowering| {
                lowering.try_catch(node);
                // What comes from here on is outside.
                lowering.cleanups -= 1;
                if let Some(Frame::Finally(frame)) = lowering.frames.pop() {
                    entry = frame.entry;
                    finally = Some(frame);
                }
                if lowering.is_reachable() {
                    has_ended = true;
                    let number = lowering.constant(Constant::number(f64::from(ENDED)));
                    lowering.write(selector, number);
                    let undefined = lowering.undefined();
                    lowering.write(value, undefined);
                    lowering.jump_to(&mut entry);
                }
            },
            |lowering, exception| {
                has_thrown = true;
                let number = lowering.constant(Constant::number(f64::from(THROWN)));
                lowering.write(selector, number);
                lowering.write(value, exception);
            },
        );
        // The handler has ended in the current block, if there is one.
        self.jump_to(&mut entry);
        self.begin(entry);
        if self.is_reachable() {
            self.block(finalizer);
        }
        if let Some(finally) = finally {
            self.dispatch(finally, has_ended, has_thrown);
        }
    }

    fn try_catch(&mut self, node: &'p ast::TryStatement<'a>) {
        let Some(clause) = &node.handler else { return self.block(&node.block) };
        let mut end = Join::default();
        let passes_returns = self.cleanups > 0 && self.scopes.has_yield(node.block.span.into());
        self.protected(
            |lowering| {
                lowering.block(&node.block);
                lowering.jump_to(&mut end);
            },
            |lowering, exception| {
                if passes_returns {
                    lowering.pass_return(exception);
                }
                lowering.catch_clause(clause, exception);
            },
        );
        self.jump_to(&mut end);
        self.begin(end);
    }

    /// Throws on what a generator that is told to return has thrown.
    fn pass_return(&mut self, exception: Value) {
        let is_return = self.op(Opcode::IsReturn, &[exception], Span::NOWHERE);
        let [returns, throws] = self.branch(Opcode::Branch, is_return);
        self.begin_sealed(returns);
        self.throw(exception, Span::NOWHERE);
        self.begin_sealed(throws);
    }

    fn catch_clause(&mut self, clause: &'p ast::CatchClause<'a>, exception: Value) {
        if let Some(param) = &clause.param {
            self.begin_scope(super::statement::scope_of(&clause.scope_id));
            self.bind_pattern(&param.pattern, exception);
        }
        self.block(&clause.body);
    }

    /// Whether a construct must do something when a generator is told to return while it is inside.
    pub(super) fn begins_cleanup(&self, span: Span) -> bool {
        self.scope().is_generator && self.cleanups == 0 && self.scopes.has_yield(span)
    }

    /// The outermost construct of that kind: what a generator that is told to return has thrown is returned here.
    pub(super) fn within_return_boundary(&mut self, inside: impl FnOnce(&mut Self)) {
        self.protected(inside, |lowering, exception| {
            let is_return = lowering.op(Opcode::IsReturn, &[exception], Span::NOWHERE);
            let [returns, throws] = lowering.branch(Opcode::Branch, is_return);
            lowering.begin_sealed(returns);
            let value = lowering.op(Opcode::ReturnValue, &[exception], Span::NOWHERE);
            // Constructs further out have nothing to do, or this would not be the outermost one.
            lowering.return_value(value, Span::NOWHERE);
            lowering.begin_sealed(throws);
            lowering.throw(exception, Span::NOWHERE);
        });
    }
}

//! Loops.

use super::emit::Join;
use super::function::Lowering;
use super::jump::Frame;
use super::statement::scope_of;
use crate::dialect::{Constant, Opcode};
use crate::scopes::{BindingId, ScopeNumber, Storage};
use crate::source::Span;
use oxc_ast::ast::{self, Expression, ForStatementInit, ForStatementLeft, Statement, VariableDeclarationKind};
use oxc_span::GetSpan;
use ssaphire::{Block, SsaBuilder, Value};

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn while_statement(&mut self, node: &'p ast::WhileStatement<'a>) {
        self.push_breakable(true, true);
        let header = self.builder.create_block();
        self.jump(header);
        self.builder.switch_to(header);
        let mut body = Join::default();
        let mut end = self.take_end();
        self.test_or_endless(Some(&node.test), &mut body, &mut end);
        self.put_end(end);
        self.begin(body);
        self.loop_body(&node.body);
        let next = self.take_next();
        self.meet(next);
        self.jump(header);
        self.seal(header);
        let (end, _) = self.pop_breakable();
        self.begin(end);
    }

    pub(super) fn do_while(&mut self, node: &'p ast::DoWhileStatement<'a>) {
        self.push_breakable(true, true);
        let header = self.builder.create_block();
        self.jump(header);
        self.builder.switch_to(header);
        self.loop_body(&node.body);
        let next = self.take_next();
        self.meet(next);
        if self.is_reachable() {
            let mut end = self.take_end();
            self.test_or_endless(Some(&node.test), &mut Join(Some(header)), &mut end);
            self.put_end(end);
        }
        self.seal(header);
        let (end, _) = self.pop_breakable();
        self.begin(end);
    }

    fn loop_body(&mut self, body: &'p Statement<'a>) {
        if self.is_reachable() {
            self.body(body);
        }
    }

    /// Control meets what `continue` has left.
    pub(super) fn meet(&mut self, mut next: Join) {
        if next.0.is_some() {
            self.jump_to(&mut next);
            self.begin(next);
        }
    }

    /// Where `break` leads, to have it in hand for a condition.
    fn take_end(&mut self) -> Join {
        match self.frames.last_mut() {
            Some(Frame::Breakable { end, .. }) => std::mem::take(end),
            _ => Join::default(),
        }
    }

    fn put_end(&mut self, join: Join) {
        if let Some(Frame::Breakable { end, .. }) = self.frames.last_mut() {
            *end = join;
        }
    }

    /// Goes into a loop or behind it; without a test, or with one that is always true, nothing leads behind it from here.
    fn test_or_endless(&mut self, test: Option<&'p Expression<'a>>, body: &mut Join, end: &mut Join) {
        match test {
            None => self.jump_to(body),
            Some(Expression::BooleanLiteral(literal)) if literal.value => self.jump_to(body),
            Some(Expression::NumericLiteral(literal)) if literal.value != 0.0 => self.jump_to(body),
            Some(test) => self.condition(test, body, end),
        }
    }

    pub(super) fn for_statement(&mut self, node: &'p ast::ForStatement<'a>) {
        let scope = scope_of(&node.scope_id);
        let labels = std::mem::take(&mut self.labels);
        self.begin_scope(scope);
        match &node.init {
            Some(ForStatementInit::VariableDeclaration(declaration)) => self.variables(declaration),
            Some(init) => init.as_expression().into_iter().for_each(|init| self.discard(init)),
            None => {}
        }
        let cells = self.iteration_cells(scope);
        self.labels = labels;
        self.push_breakable(true, true);
        if let Some(update) = node.update.as_ref().filter(|update| self.captures_in(&cells, update)) {
            self.for_with_captured_update(node, update, &cells);
        } else {
            self.for_plain(node, &cells);
        }
        let (end, _) = self.pop_breakable();
        self.begin(end);
    }

    /// The update works on what is between two iterations: variables, if no closure sees them there.
    fn for_plain(&mut self, node: &'p ast::ForStatement<'a>, cells: &[BindingId]) {
        self.put_aside(cells);
        let header = self.builder.create_block();
        self.jump(header);
        self.builder.switch_to(header);
        self.take_up(cells);
        self.for_from_test(node, cells, header, node.update.as_ref());
    }

    /// A closure in the update sees the variables of the next iteration: so an iteration begins with the update, but the first.
    fn for_with_captured_update(
        &mut self,
        node: &'p ast::ForStatement<'a>,
        update: &'p Expression<'a>,
        cells: &[BindingId],
    ) {
        let is_first = self.temporary();
        let (yes, no) = (self.constant(Constant::Boolean(true)), self.constant(Constant::Boolean(false)));
        self.write(is_first, yes);
        self.put_aside(cells);
        let header = self.builder.create_block();
        self.jump(header);
        self.builder.switch_to(header);
        self.take_up(cells);
        let first = self.read(is_first);
        let [skip, again] = self.branch(Opcode::Branch, first);
        self.begin_sealed(again);
        self.discard(update);
        let mut test = Join(Some(skip));
        self.jump_to(&mut test);
        self.begin(test);
        self.write(is_first, no);
        self.for_from_test(node, cells, header, None);
    }

    /// The test, the body, and the way back to `header`, on which there may be an update.
    fn for_from_test(
        &mut self,
        node: &'p ast::ForStatement<'a>,
        cells: &[BindingId],
        header: Block,
        update: Option<&'p Expression<'a>>,
    ) {
        let mut body = Join::default();
        let mut end = self.take_end();
        self.test_or_endless(node.test.as_ref(), &mut body, &mut end);
        self.put_end(end);
        self.begin(body);
        self.loop_body(&node.body);
        let next = self.take_next();
        self.meet(next);
        if self.is_reachable() {
            self.put_aside(cells);
            if let Some(update) = update {
                self.discard(update);
            }
            self.jump(header);
        }
        self.end_aside(cells);
        self.seal(header);
    }

    /// The variables of a loop's head that each iteration has a cell of its own for.
    fn iteration_cells(&self, scope: ScopeNumber) -> Vec<BindingId> {
        let bindings = self.scopes.bindings_of(scope).iter().copied();
        bindings.filter(|&id| self.scopes.binding(id).storage == Storage::Cell).collect()
    }

    /// Whether a closure in `expression` captures one of `cells`.
    fn captures_in(&self, cells: &[BindingId], expression: &Expression<'_>) -> bool {
        if cells.is_empty() {
            return false;
        }
        let span = Span::from(expression.span());
        let first = self.scopes.functions.partition_point(|function| function.span.start < span.start);
        let inside = self.scopes.functions[first..].iter().take_while(|function| function.span.start < span.end);
        let captures_one = |function| self.scopes.captures_of(function).iter().any(|id| cells.contains(id));
        (first as u32..).zip(inside).any(|(function, _)| captures_one(function))
    }

    /// Takes variables out of their cells.
    fn put_aside(&mut self, cells: &[BindingId]) {
        for &id in cells {
            let cell = self.cell(id);
            let value = self.op(Opcode::CellGet, &[cell], Span::NOWHERE);
            let variable = self.variable(id);
            self.write_as(variable, value);
            self.shared.places[id.index()].is_aside = true;
        }
    }

    /// Makes new cells for variables.
    fn take_up(&mut self, cells: &[BindingId]) {
        for &id in cells {
            let variable = self.variable(id);
            let value = self.read(variable);
            self.shared.places[id.index()].is_aside = false;
            self.make_cell(id, Some(value));
        }
    }

    fn end_aside(&mut self, cells: &[BindingId]) {
        for &id in cells {
            self.shared.places[id.index()].is_aside = false;
        }
    }

    pub(super) fn for_in(&mut self, node: &'p ast::ForInStatement<'a>) {
        let labels = std::mem::take(&mut self.labels);
        let scope = scope_of(&node.scope_id);
        self.for_in_initializer(&node.left);
        self.begin_scope(scope);
        let object = self.expression(&node.right);
        let state = self.op(Opcode::ForIn, &[object], node.span);
        self.labels = labels;
        self.push_breakable(true, true);
        let header = self.builder.create_block();
        self.jump(header);
        self.builder.switch_to(header);
        let result = self.op(Opcode::ForInNext, &[state], node.right.span());
        let is_done = self.op(Opcode::IteratorDone, &[result], Span::NOWHERE);
        let mut end = self.take_end();
        let body = self.builder.create_block();
        let after = *end.0.get_or_insert_with(|| self.builder.create_block());
        self.terminate(Opcode::Branch, &[is_done], &[after, body]);
        self.put_end(end);
        self.begin_sealed(body);
        self.begin_scope(scope);
        let key = self.op(Opcode::IteratorValue, &[result], Span::NOWHERE);
        self.for_binding(&node.left, key);
        self.loop_body(&node.body);
        let next = self.take_next();
        self.meet(next);
        self.jump(header);
        self.seal(header);
        let (end, _) = self.pop_breakable();
        self.begin(end);
    }

    /// `for (var x = 1 in y)`, which sloppy code may say.
    fn for_in_initializer(&mut self, left: &'p ForStatementLeft<'a>) {
        if let ForStatementLeft::VariableDeclaration(declaration) = left
            && declaration.kind == VariableDeclarationKind::Var
            && let Some(declarator) = declaration.declarations.first().filter(|declarator| declarator.init.is_some())
            && let Some(init) = &declarator.init
        {
            let value = self.named_expression(init, super::pattern::name_hint(&declarator.id));
            self.bind_pattern(&declarator.id, value);
        }
    }

    /// Gives the variables of a loop's head their values in this iteration.
    pub(super) fn for_binding(&mut self, left: &'p ForStatementLeft<'a>, value: Value) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                if matches!(declaration.kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing) {
                    self.unsupported("`using` is not part of ECMAScript 2025", declaration.span);
                }
                if let Some(declarator) = declaration.declarations.first() {
                    self.bind_pattern(&declarator.id, value);
                }
            }
            _ => {
                if let Some(target) = left.as_assignment_target() {
                    self.assign_pattern(target, value);
                }
            }
        }
    }
}

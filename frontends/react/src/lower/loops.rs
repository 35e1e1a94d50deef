//! Loops.

use super::builder::{Jump, JumpKind};
use super::target::Target;
use super::{Lowered, Lowering, unsupported};
use crate::function::{BlockId, BlockKind, Place};
use crate::terminal::{GotoVariant, Terminal};
use crate::value::{StoreKind, Value};
use oxc_ast::ast::*;

impl<'a> Lowering<'_, 'a> {
    /// Lowers the body of a loop, which goes on at `continue_to`.
    fn body(
        &mut self,
        body: &Statement<'a>,
        label: Option<&'a str>,
        continue_to: BlockId,
        break_to: BlockId,
    ) -> Lowered<BlockId> {
        self.enter(BlockKind::Block, |this| {
            let jump = Jump { label, break_to, kind: JumpKind::Loop { continue_to } };
            this.with_jump(jump, |this| this.statement(body, None))?;
            Ok(Terminal::Goto { block: continue_to, variant: GotoVariant::Continue })
        })
    }

    pub(super) fn for_statement(&mut self, statement: &ForStatement<'a>, label: Option<&'a str>) -> Lowered<()> {
        let test_block = self.reserve(BlockKind::Loop);
        let next = self.reserve(BlockKind::Block);
        let (test_id, next_id) = (test_block.id, next.id);
        let Some(ForStatementInit::VariableDeclaration(declaration)) = &statement.init else {
            return Err(unsupported("`for` without a declaration", statement.span));
        };
        let init = self.enter(BlockKind::Loop, |this| {
            this.variables(declaration)?;
            Ok(Terminal::goto(test_id))
        })?;
        let update = statement.update.as_ref().map(|update| {
            self.enter(BlockKind::Loop, |this| {
                this.expression_place(update)?;
                Ok(Terminal::goto(test_id))
            })
        });
        let update = update.transpose()?;
        let body = self.body(&statement.body, label, update.unwrap_or(test_id), next_id)?;
        self.end_with(Terminal::For { init, test: test_id, update, body, fallthrough: next_id }, test_block);
        let Some(test) = &statement.test else { return Err(unsupported("`for` without a test", statement.span)) };
        let test = self.expression_place(test)?;
        self.end_with(Terminal::Branch { test, consequent: body, alternate: next_id, fallthrough: next_id }, next);
        Ok(())
    }

    pub(super) fn while_statement(&mut self, statement: &WhileStatement<'a>, label: Option<&'a str>) -> Lowered<()> {
        let test_block = self.reserve(BlockKind::Loop);
        let next = self.reserve(BlockKind::Block);
        let (test_id, next_id) = (test_block.id, next.id);
        let body = self.body(&statement.body, label, test_id, next_id)?;
        self.end_with(Terminal::While { test: test_id, body, fallthrough: next_id }, test_block);
        let test = self.expression_place(&statement.test)?;
        self.end_with(Terminal::Branch { test, consequent: body, alternate: next_id, fallthrough: test_id }, next);
        Ok(())
    }

    pub(super) fn do_while_statement(
        &mut self,
        statement: &DoWhileStatement<'a>,
        label: Option<&'a str>,
    ) -> Lowered<()> {
        let test_block = self.reserve(BlockKind::Loop);
        let next = self.reserve(BlockKind::Block);
        let (test_id, next_id) = (test_block.id, next.id);
        let body = self.body(&statement.body, label, test_id, next_id)?;
        self.end_with(Terminal::DoWhile { body, test: test_id, fallthrough: next_id }, test_block);
        let test = self.expression_place(&statement.test)?;
        self.end_with(Terminal::Branch { test, consequent: body, alternate: next_id, fallthrough: test_id }, next);
        Ok(())
    }

    pub(super) fn for_of_statement(&mut self, statement: &ForOfStatement<'a>, label: Option<&'a str>) -> Lowered<()> {
        let next = self.reserve(BlockKind::Block);
        let init_block = self.reserve(BlockKind::Loop);
        let test_block = self.reserve(BlockKind::Loop);
        let (next_id, init, test) = (next.id, init_block.id, test_block.id);
        if statement.r#await {
            return Err(unsupported("`for await`", statement.span));
        }
        let body = self.body(&statement.body, label, init, next_id)?;
        let collection = self.expression_place(&statement.right)?;
        self.end_with(Terminal::ForOf { init, test, body, fallthrough: next_id }, init_block);
        let iterator = self.emit(Value::GetIterator { collection });
        self.end_with(Terminal::goto(test), test_block);
        let element = self.emit(Value::IteratorNext { iterator, collection });
        let test = self.loop_variable(&statement.left, element)?;
        self.end_with(Terminal::Branch { test, consequent: body, alternate: next_id, fallthrough: next_id }, next);
        Ok(())
    }

    pub(super) fn for_in_statement(&mut self, statement: &ForInStatement<'a>, label: Option<&'a str>) -> Lowered<()> {
        let next = self.reserve(BlockKind::Block);
        let init_block = self.reserve(BlockKind::Loop);
        let (next_id, init) = (next.id, init_block.id);
        let body = self.body(&statement.body, label, init, next_id)?;
        let object = self.expression_place(&statement.right)?;
        self.end_with(Terminal::ForIn { init, body, fallthrough: next_id }, init_block);
        let key = self.emit(Value::NextPropertyOf(object));
        let test = self.loop_variable(&statement.left, key)?;
        self.end_with(Terminal::Branch { test, consequent: body, alternate: next_id, fallthrough: next_id }, next);
        Ok(())
    }

    /// Assigns what a loop has come to; gives the test of the loop.
    fn loop_variable(&mut self, left: &ForStatementLeft<'a>, value: Place) -> Lowered<Place> {
        let (kind, target) = match left {
            ForStatementLeft::VariableDeclaration(declaration) => match declaration.declarations.as_slice() {
                [declarator] => (StoreKind::Let, Target::of_binding(&declarator.id)),
                _ => return Err(unsupported("several variables in the head of a loop", declaration.span)),
            },
            left => (StoreKind::Reassign, Target::of_assignment(left.to_assignment_target())),
        };
        let assigned = self.assign(kind, &target, value, false)?;
        Ok(self.emit(assigned))
    }
}

//! Statements.

use super::builder::{Jump, JumpKind};
use super::function::FunctionSyntax;
use super::names::{Meaning, NameAt};
use super::target::Target;
use super::{Lowered, Lowering, unsupported};
use crate::function::BlockKind;
use crate::scope::{BindingKind, Origin, ScopeId};
use crate::terminal::{GotoVariant, ReturnVariant, Terminal};
use crate::value::{StoreKind, Value};
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use ssaphire_js::dialect::Constant;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn statement(&mut self, statement: &Statement<'a>, label: Option<&'a str>) -> Lowered<()> {
        match statement {
            Statement::ExpressionStatement(statement) => self.expression_place(&statement.expression).map(drop),
            Statement::VariableDeclaration(declaration) => self.variables(declaration),
            Statement::FunctionDeclaration(function) => self.function_declaration(function),
            Statement::BlockStatement(block) => self.block_statement(block),
            Statement::IfStatement(statement) => self.if_statement(statement),
            Statement::ReturnStatement(statement) => self.return_statement(statement),
            Statement::ThrowStatement(statement) => self.throw_statement(statement),
            Statement::BreakStatement(statement) => {
                let label = statement.label.as_ref().map(|label| label.name.as_str());
                let block = self.break_target(label, statement.span.into())?;
                self.end(Terminal::goto(block));
                Ok(())
            }
            Statement::ContinueStatement(statement) => {
                let label = statement.label.as_ref().map(|label| label.name.as_str());
                let block = self.continue_target(label, statement.span.into())?;
                self.end(Terminal::Goto { block, variant: GotoVariant::Continue });
                Ok(())
            }
            Statement::ForStatement(statement) => self.for_statement(statement, label),
            Statement::WhileStatement(statement) => self.while_statement(statement, label),
            Statement::DoWhileStatement(statement) => self.do_while_statement(statement, label),
            Statement::ForOfStatement(statement) => self.for_of_statement(statement, label),
            Statement::ForInStatement(statement) => self.for_in_statement(statement, label),
            Statement::LabeledStatement(statement) => self.labeled_statement(statement),
            Statement::SwitchStatement(statement) => self.switch_statement(statement, label),
            Statement::TryStatement(statement) => self.try_statement(statement),
            Statement::DebuggerStatement(_) => {
                let place = self.nest.temporary();
                self.push(place, Value::Debugger);
                Ok(())
            }
            Statement::EmptyStatement(_)
            | Statement::TSTypeAliasDeclaration(_)
            | Statement::TSInterfaceDeclaration(_)
            | Statement::TSExternalModuleDeclaration(_)
            | Statement::TSNamespaceDeclaration(_)
            | Statement::TSGlobalDeclaration(_) => Ok(()),
            Statement::TSEnumDeclaration(_) => {
                self.emit(Value::UnsupportedNode("TSEnumDeclaration"));
                Ok(())
            }
            Statement::WithStatement(statement) => Err(unsupported("`with`", statement.span)),
            Statement::ClassDeclaration(class) => Err(unsupported("a class", class.span)),
            statement => Err(unsupported("an import or export that is not at the top", statement.span())),
        }
    }

    fn return_statement(&mut self, statement: &ReturnStatement<'a>) -> Lowered<()> {
        let value = match &statement.argument {
            Some(argument) => self.expression_place(argument)?,
            None => self.emit(Value::Primitive(Constant::Undefined)),
        };
        self.end(Terminal::Return { variant: ReturnVariant::Explicit, value });
        Ok(())
    }

    fn throw_statement(&mut self, statement: &ThrowStatement<'a>) -> Lowered<()> {
        let value = self.expression_place(&statement.argument)?;
        if !self.builder.handlers.is_empty() {
            return Err(unsupported("`throw` in a `try`", statement.span));
        }
        self.end(Terminal::Throw { value });
        Ok(())
    }

    fn block_statement(&mut self, block: &BlockStatement<'a>) -> Lowered<()> {
        self.block(&block.body, self.scopes.block_at(block.span.start), block.span.start)
    }

    /// Lowers the statements of a block, whose brace is at `start`.
    ///
    /// A variable that one of them mentions before its declaration, in a function, exists from there on.
    pub(super) fn block(&mut self, statements: &[Statement<'a>], scope: Option<ScopeId>, start: u32) -> Lowered<()> {
        for statement in statements {
            if let Some(scope) = scope {
                self.hoist(scope, start, statement)?;
            }
            self.statement(statement, None)?;
        }
        Ok(())
    }

    fn hoist(&mut self, scope: ScopeId, block_start: u32, statement: &Statement<'a>) -> Lowered<()> {
        let span = statement.span();
        for id in self.scopes.hoisted(scope, block_start, span.start, span.end) {
            if self.hoisted.contains(&id) {
                continue;
            }
            let binding = self.scopes.binding(id);
            let kind = match (binding.kind, &binding.origin) {
                (BindingKind::Const | BindingKind::Var, _) => StoreKind::HoistedConst,
                (BindingKind::Let, _) => StoreKind::HoistedLet,
                (_, Origin::Function) => StoreKind::HoistedFunction,
                (_, origin) => return Err(unsupported(format!("hoisting of what {origin:?} declares"), span)),
            };
            let target = self.place_of(id)?;
            if self.nest.identifiers[target.index()].name.as_deref() != Some(binding.name) {
                self.renamed.insert(id);
            }
            self.emit(Value::DeclareContext { kind, target });
            self.hoisted.insert(id);
        }
        Ok(())
    }

    pub(super) fn variables(&mut self, declaration: &VariableDeclaration<'a>) -> Lowered<()> {
        let kind = match declaration.kind {
            VariableDeclarationKind::Let => StoreKind::Let,
            VariableDeclarationKind::Const => StoreKind::Const,
            VariableDeclarationKind::Var => return Err(unsupported("`var`", declaration.span)),
            _ => return Err(unsupported("`using`", declaration.span)),
        };
        for declarator in &declaration.declarations {
            let target = Target::of_binding(&declarator.id);
            match (&declarator.init, &target) {
                (Some(init), target) => {
                    let value = self.expression_place(init)?;
                    self.assign(kind, target, value, target.is_pattern())?;
                }
                (None, Target::Name(name)) => self.declare(kind, *name)?,
                (None, _) => return Err(unsupported("a pattern without a value", declarator.span)),
            }
        }
        Ok(())
    }

    fn declare(&mut self, kind: StoreKind, name: NameAt<'a>) -> Lowered<()> {
        let Meaning::Local(target, _) = self.meaning(name)? else {
            return Err(unsupported("a declaration without a binding", name.span));
        };
        if !self.is_context(name) {
            self.emit(Value::DeclareLocal { kind, target });
        } else if kind == StoreKind::Const {
            return Err(unsupported("a constant without a value", name.span));
        } else {
            self.emit(Value::DeclareContext { kind: StoreKind::Let, target });
        }
        Ok(())
    }

    fn function_declaration(&mut self, function: &Function<'a>) -> Lowered<()> {
        let (Some(id), Some(_)) = (&function.id, &function.body) else { return Ok(()) };
        let closure = self.closure(&FunctionSyntax::Function(function))?;
        let value = self.emit(Value::Function(closure));
        let name = Target::Name(NameAt::new(id.name.as_str(), id.span));
        self.assign(StoreKind::Function, &name, value, false).map(drop)
    }

    fn if_statement(&mut self, statement: &IfStatement<'a>) -> Lowered<()> {
        let next = self.reserve(BlockKind::Block);
        let next_id = next.id;
        let mut side = |statement: &Statement<'a>| {
            self.enter(BlockKind::Block, |this| {
                this.statement(statement, None)?;
                Ok(Terminal::goto(next_id))
            })
        };
        let consequent = side(&statement.consequent)?;
        let alternate = statement.alternate.as_ref().map_or(Ok(next_id), side)?;
        let test = self.expression_place(&statement.test)?;
        self.end_with(Terminal::If { test, consequent, alternate, fallthrough: next_id }, next);
        Ok(())
    }

    fn labeled_statement(&mut self, statement: &LabeledStatement<'a>) -> Lowered<()> {
        let label = Some(statement.label.name.as_str());
        if statement.body.is_iteration_statement() {
            return self.statement(&statement.body, label);
        }
        let next = self.reserve(BlockKind::Block);
        let next_id = next.id;
        let block = self.enter(BlockKind::Block, |this| {
            let jump = Jump { label, break_to: next_id, kind: JumpKind::Label };
            this.with_jump(jump, |this| this.statement(&statement.body, None))?;
            Ok(Terminal::goto(next_id))
        })?;
        self.end_with(Terminal::Label { block, fallthrough: next_id }, next);
        Ok(())
    }

    /// The cases are lowered from the last one to the first one, so that each knows where it falls through to.
    fn switch_statement(&mut self, statement: &SwitchStatement<'a>, label: Option<&'a str>) -> Lowered<()> {
        let next = self.reserve(BlockKind::Block);
        let next_id = next.id;
        let mut behind = next_id;
        let mut cases = Vec::with_capacity(statement.cases.len() + 1);
        for case in statement.cases.iter().rev() {
            let block = self.enter(BlockKind::Block, |this| {
                let jump = Jump { label, break_to: next_id, kind: JumpKind::Switch };
                this.with_jump(jump, |this| case.consequent.iter().try_for_each(|it| this.statement(it, None)))?;
                Ok(Terminal::goto(behind))
            })?;
            let test = case.test.as_ref().map(|test| self.reorderable(test)).transpose()?;
            cases.push((test, block));
            behind = block;
        }
        cases.reverse();
        if cases.iter().all(|(test, _)| test.is_some()) {
            cases.push((None, next_id));
        }
        let test = self.expression_place(&statement.discriminant)?;
        self.end_with(Terminal::Switch { test, cases, fallthrough: next_id }, next);
        Ok(())
    }

    fn try_statement(&mut self, statement: &TryStatement<'a>) -> Lowered<()> {
        let next = self.reserve(BlockKind::Block);
        let next_id = next.id;
        let Some(clause) = &statement.handler else {
            return Err(unsupported("`try` without `catch`", statement.span));
        };
        if let Some(finalizer) = &statement.finalizer {
            return Err(unsupported("`finally`", finalizer.span));
        }
        let binding = clause.param.as_ref().map(|param| {
            let place = self.nest.temporary();
            self.nest.promote(place);
            self.emit(Value::DeclareLocal { kind: StoreKind::Catch, target: place });
            (place, Target::of_binding(&param.pattern))
        });
        let handler = self.enter(BlockKind::Catch, |this| {
            if let Some((place, target)) = &binding {
                this.assign(StoreKind::Catch, target, *place, false)?;
            }
            this.block_statement(&clause.body)?;
            Ok(Terminal::goto(next_id))
        })?;
        let block = self.enter(BlockKind::Block, |this| {
            this.builder.handlers.push(handler);
            this.block_statement(&statement.block)?;
            this.builder.handlers.pop();
            Ok(Terminal::Goto { block: next_id, variant: GotoVariant::Try })
        })?;
        let binding = binding.map(|(place, _)| place);
        self.end_with(Terminal::Try { block, binding, handler, fallthrough: next_id }, next);
        Ok(())
    }
}

//! Statements and declarations.

use super::BindingKind;
use super::resolve::{Candidate, ScopeKind, Target, Walk};
use crate::program::{FunctionKind, MemoryReason};
use oxc_ast::ast::{self, Declaration, ForStatementInit, ForStatementLeft, Statement, VariableDeclarationKind};

impl<'p, 'a> Walk<'p, 'a> {
    pub(super) fn statements(&mut self, statements: &'p [Statement<'a>]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &'p Statement<'a>) {
        match statement {
            Statement::BlockStatement(block) => self.block(block),
            Statement::BreakStatement(_)
            | Statement::ContinueStatement(_)
            | Statement::DebuggerStatement(_)
            | Statement::EmptyStatement(_) => {}
            Statement::DoWhileStatement(node) => {
                self.body(&node.body);
                self.expression(&node.test);
            }
            Statement::ExpressionStatement(node) => self.expression(&node.expression),
            Statement::ForInStatement(node) => {
                self.for_each(&node.scope_id, node.span.start, &node.left, &node.right, &node.body);
            }
            Statement::ForOfStatement(node) => {
                if node.r#await {
                    self.yields.push(node.span.start);
                }
                self.for_each(&node.scope_id, node.span.start, &node.left, &node.right, &node.body);
            }
            Statement::ForStatement(node) => self.for_statement(node),
            Statement::IfStatement(node) => {
                self.expression(&node.test);
                self.body(&node.consequent);
                if let Some(alternate) = &node.alternate {
                    self.body(alternate);
                }
            }
            Statement::LabeledStatement(node) => self.statement(&node.body),
            Statement::ReturnStatement(node) => node.argument.iter().for_each(|argument| self.expression(argument)),
            Statement::SwitchStatement(node) => self.switch(node),
            Statement::ThrowStatement(node) => self.expression(&node.argument),
            Statement::TryStatement(node) => self.try_statement(node),
            Statement::WhileStatement(node) => {
                self.expression(&node.test);
                self.body(&node.body);
            }
            Statement::WithStatement(node) => {
                self.expression(&node.object);
                self.note_dynamic(MemoryReason::With, node.span.into());
                self.body(&node.body);
            }
            _ => match (statement.as_declaration(), statement.as_module_declaration()) {
                (Some(declaration), _) => self.declaration(declaration),
                (_, Some(declaration)) => self.module_declaration(declaration),
                _ => {}
            },
        }
    }

    /// A statement that is a body: a function declaration there has a scope of its own.
    fn body(&mut self, statement: &'p Statement<'a>) {
        let mut inner = statement;
        while let Statement::LabeledStatement(labeled) = inner {
            inner = &labeled.body;
        }
        if let Statement::FunctionDeclaration(function) = inner {
            let scope = self.enter(ScopeKind::Block, None, function.span.start);
            self.alone.insert(function.span.start, scope);
            self.statement(statement);
            self.leave();
            return;
        }
        let is_in_statement = self.set_in_statement(true);
        self.statement(statement);
        self.set_in_statement(is_in_statement);
    }

    fn set_in_statement(&mut self, is_in_statement: bool) -> bool {
        let scope = self.open.last_mut();
        scope.is_some_and(|scope| std::mem::replace(&mut scope.is_in_statement, is_in_statement))
    }

    pub(super) fn block(&mut self, block: &'p ast::BlockStatement<'a>) {
        self.enter(ScopeKind::Block, Some(&block.scope_id), block.span.start);
        self.statements(&block.body);
        self.leave();
    }

    fn for_statement(&mut self, node: &'p ast::ForStatement<'a>) {
        self.enter(ScopeKind::Block, Some(&node.scope_id), node.span.start);
        match &node.init {
            Some(ForStatementInit::VariableDeclaration(declaration)) => self.variables(declaration, None),
            Some(init) => init.as_expression().into_iter().for_each(|init| self.expression(init)),
            None => {}
        }
        node.test.iter().for_each(|test| self.expression(test));
        node.update.iter().for_each(|update| self.expression(update));
        self.body(&node.body);
        self.leave();
    }

    fn for_each(
        &mut self,
        cell: &'p std::cell::Cell<Option<oxc_syntax::scope::ScopeId>>,
        start: u32,
        left: &'p ForStatementLeft<'a>,
        right: &'p ast::Expression<'a>,
        body: &'p Statement<'a>,
    ) {
        use oxc_span::GetSpan;
        self.enter(ScopeKind::Block, Some(cell), start);
        match left {
            // What is iterated is evaluated while the variables are uninitialized.
            ForStatementLeft::VariableDeclaration(declaration) => self.variables(declaration, Some(right.span().end)),
            _ => left.as_assignment_target().into_iter().for_each(|target| self.assignment_target(target)),
        }
        self.expression(right);
        self.body(body);
        self.leave();
    }

    fn switch(&mut self, node: &'p ast::SwitchStatement<'a>) {
        self.expression(&node.discriminant);
        self.enter(ScopeKind::Switch, Some(&node.scope_id), node.span.start);
        for case in &node.cases {
            if let Some(scope) = self.open.last_mut() {
                scope.case = Some(case.span.into());
            }
            case.test.iter().for_each(|test| self.expression(test));
            self.statements(&case.consequent);
        }
        self.leave();
    }

    fn try_statement(&mut self, node: &'p ast::TryStatement<'a>) {
        self.block(&node.block);
        if let Some(handler) = &node.handler {
            self.enter(ScopeKind::Catch, Some(&handler.scope_id), handler.span.start);
            if let Some(param) = &handler.param {
                let is_simple = matches!(param.pattern, ast::BindingPattern::BindingIdentifier(_));
                let kind = if is_simple { BindingKind::CatchParam } else { BindingKind::Let };
                self.declare_pattern(&param.pattern, kind, param.span.end);
            }
            self.block(&handler.body);
            self.leave();
        }
        if let Some(finalizer) = &node.finalizer {
            self.block(finalizer);
        }
    }

    pub(super) fn declaration(&mut self, declaration: &'p Declaration<'a>) {
        match declaration {
            Declaration::VariableDeclaration(declaration) => self.variables(declaration, None),
            Declaration::FunctionDeclaration(function) => self.function_declaration(function),
            Declaration::ClassDeclaration(class) => self.class(class, true),
            // What only types need is erased, and the rest has been translated.
            _ => {}
        }
    }

    pub(super) fn function_declaration(&mut self, function: &'p ast::Function<'a>) {
        if function.body.is_none() {
            return;
        }
        let Some(scope) = self.open.last() else { return };
        let (kind, number, start) = (scope.kind, scope.number, scope.start);
        if function.id.is_none() {
            self.default_export(BindingKind::Function, function.span.into());
        }
        let is_sloppy = !self.functions[self.function as usize].is_strict;
        if let Some(id) = &function.id {
            let binding = self.declare(id.name, BindingKind::Function, id.span.into());
            id.symbol_id.set(Some(oxc_syntax::symbol::SymbolId::from_usize(binding.index())));
            let is_plain = !function.generator && !function.r#async;
            if is_sloppy && is_plain && kind != ScopeKind::Body {
                let name = self.name(id.name);
                self.add_candidate(Candidate { name, at: function.span.start, scope: number });
            }
        }
        self.function(function, FunctionKind::Function, start);
    }

    /// The variables of a declaration; in the head of a loop they are initialized at `initialized_at`, behind what is iterated.
    fn variables(&mut self, declaration: &'p ast::VariableDeclaration<'a>, initialized_at: Option<u32>) {
        let kind = match declaration.kind {
            VariableDeclarationKind::Var => BindingKind::Var,
            VariableDeclarationKind::Let => BindingKind::Let,
            VariableDeclarationKind::Const | VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing => {
                BindingKind::Const
            }
        };
        for declarator in &declaration.declarations {
            if kind == BindingKind::Var {
                let own = declarator.init.as_ref().map(|_| declarator.span.end);
                self.declare_vars(&declarator.id, initialized_at.or(own));
            } else {
                self.declare_pattern(&declarator.id, kind, initialized_at.unwrap_or(declarator.span.end));
            }
            declarator.init.iter().for_each(|init| self.expression(init));
        }
    }

    /// The name of a `var`; `assigned_at` is the end of the declaration, if that assigns it, in the scope where it stands.
    pub(super) fn var(&mut self, id: &'p ast::BindingIdentifier<'a>, assigned_at: Option<u32>) {
        let binding = self.declare_var(id.name, BindingKind::Var, id.span.into());
        let Some(assigned_at) = assigned_at else {
            id.symbol_id.set(Some(oxc_syntax::symbol::SymbolId::from_usize(binding.index())));
            return;
        };
        let name = self.name(id.name);
        self.refer(name, Target::Symbol(&id.symbol_id), id.span.start, true);
        // The top-level statements of a body are executed in order.
        let is_passed = self.open.last().is_some_and(|scope| scope.kind == ScopeKind::Body && !scope.is_in_statement);
        let data = &mut self.bindings[binding.index()];
        if is_passed && data.kind == BindingKind::Var && data.span.start == id.span.start {
            data.initialized_at = assigned_at;
            self.vars_of_bodies.push(binding);
        }
    }
}

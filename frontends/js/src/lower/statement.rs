//! Statements and scopes.

use super::emit::Join;
use super::function::Lowering;
use super::jump::Frame;
use super::literal::Hint;
use crate::dialect::Opcode;
use crate::scopes::{BindingId, BindingKind, ScopeNumber, Storage};
use crate::source::Span;
use oxc_ast::ast::{self, Declaration, Statement, VariableDeclarationKind};
use oxc_syntax::scope::ScopeId;
use ssaphire::SsaBuilder;
use std::cell::Cell;

/// The scope whose number stands in the tree.
pub(super) fn scope_of(cell: &Cell<Option<ScopeId>>) -> ScopeNumber {
    ScopeNumber(cell.get().map_or(0, |id| id.index() as u32))
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    /// The statements of a scope: its dead zones begin, its functions are made, and then one follows the other.
    pub(super) fn statements_in(&mut self, scope: ScopeNumber, statements: &'p [Statement<'a>]) {
        self.begin_scope(scope);
        self.make_functions(scope, statements.iter());
        self.statements(statements);
    }

    pub(super) fn statements(&mut self, statements: &'p [Statement<'a>]) {
        for statement in statements {
            if !self.is_reachable() {
                return;
            }
            self.statement(statement);
        }
    }

    /// Begins the dead zones of a scope.
    pub(super) fn begin_scope(&mut self, scope: ScopeNumber) {
        for &id in self.scopes.bindings_of(scope) {
            if self.scopes.binding(id).kind.has_dead_zone() {
                self.begin_dead_zone(id);
            }
        }
    }

    /// Makes the functions that a list of statements declares: all cells first, since they may capture each other.
    pub(super) fn make_functions(&mut self, scope: ScopeNumber, statements: impl Iterator<Item = &'p Statement<'a>>) {
        for &id in self.scopes.bindings_of(scope) {
            let binding = self.scopes.binding(id);
            if binding.kind == BindingKind::Function
                && matches!(binding.storage, Storage::Cell | Storage::Shared { .. })
            {
                self.make_cell(id, None);
            }
        }
        for statement in statements {
            if let Some(function) = declared_function(statement) {
                self.make_function(function);
            }
        }
    }

    pub(super) fn make_function(&mut self, function: &'p ast::Function<'a>) {
        let (binding, name) = match &function.id {
            Some(id) => (super::binding::of_symbol(id), id.name),
            None => (self.scopes.default_export, "default".into()),
        };
        let Some(binding) = binding else { return };
        let data = self.scopes.binding(binding);
        // Functions of a script are there before it runs.
        if data.storage == Storage::Named && !self.scope().is_verbatim && self.number == 0 && self.is_top(binding) {
            let number = super::literal::number_of(&function.scope_id);
            self.shared.function_names[number as usize] = Some(self.interner.key(name));
            return;
        }
        let closure = self.closure(&function.scope_id, function.span, Hint::Identifier(name));
        if matches!(data.kind, BindingKind::Function) {
            self.initialize(binding, closure, function.span.into());
        } else {
            self.write_binding(binding, closure, function.span.into());
        }
    }

    fn is_top(&self, binding: BindingId) -> bool {
        self.scopes.binding(binding).scope == self.scopes.functions[0].body
    }

    pub(super) fn statement(&mut self, statement: &'p Statement<'a>) {
        let is_labeled = matches!(statement, Statement::LabeledStatement(_));
        let takes_labels = matches!(
            statement,
            Statement::DoWhileStatement(_)
                | Statement::ForInStatement(_)
                | Statement::ForOfStatement(_)
                | Statement::ForStatement(_)
                | Statement::WhileStatement(_)
        );
        if !self.labels.is_empty() && !is_labeled && !takes_labels {
            self.push_breakable(false, false);
            self.plain_statement(statement);
            let (mut end, _) = self.pop_breakable();
            if end.0.is_some() {
                self.jump_to(&mut end);
                self.begin(end);
            }
            return;
        }
        self.plain_statement(statement);
    }

    fn plain_statement(&mut self, statement: &'p Statement<'a>) {
        match statement {
            Statement::BlockStatement(block) => self.block(block),
            Statement::BreakStatement(node) => self.break_to(node.label.as_ref().map(|label| label.name.as_str())),
            Statement::ContinueStatement(node) => {
                self.continue_to(node.label.as_ref().map(|label| label.name.as_str()));
            }
            Statement::DebuggerStatement(node) => self.effect(Opcode::Debugger, &[], node.span),
            Statement::DoWhileStatement(node) => self.do_while(node),
            Statement::EmptyStatement(_) => {}
            Statement::ExpressionStatement(node) => self.discard(&node.expression),
            Statement::ForInStatement(node) => self.for_in(node),
            Statement::ForOfStatement(node) => self.for_of(node),
            Statement::ForStatement(node) => self.for_statement(node),
            Statement::IfStatement(node) => self.if_statement(node),
            Statement::LabeledStatement(node) => {
                self.labels.push(&node.label.name);
                self.statement(&node.body);
                self.labels.clear();
            }
            Statement::ReturnStatement(node) => self.return_statement(node),
            Statement::SwitchStatement(node) => self.switch(node),
            Statement::ThrowStatement(node) => {
                let value = self.expression(&node.argument);
                self.throw(value, node.span);
            }
            Statement::TryStatement(node) => self.try_statement(node),
            Statement::WhileStatement(node) => self.while_statement(node),
            Statement::WithStatement(node) => {
                let object = self.expression(&node.object);
                self.effect(Opcode::EnterWith, &[object], node.span);
                self.frames.push(Frame::With);
                self.body(&node.body);
                self.frames.pop();
                if self.is_reachable() {
                    self.effect(Opcode::LeaveWith, &[], Span::NOWHERE);
                }
            }
            _ => match (statement.as_declaration(), statement.as_module_declaration()) {
                (Some(declaration), _) => self.declaration(declaration),
                (_, Some(declaration)) => self.module_declaration(declaration),
                _ => {}
            },
        }
    }

    pub(super) fn block(&mut self, block: &'p ast::BlockStatement<'a>) {
        self.statements_in(scope_of(&block.scope_id), &block.body);
    }

    /// The body of a statement, where a function declaration has a scope of its own.
    pub(super) fn body(&mut self, statement: &'p Statement<'a>) {
        if let Some(function) = declared_function(statement)
            && let Some(&scope) = self.scopes.alone.get(&function.span.start)
        {
            self.begin_scope(scope);
            self.make_functions(scope, std::iter::once(statement));
        }
        self.statement(statement);
    }

    fn if_statement(&mut self, node: &'p ast::IfStatement<'a>) {
        let mut end = Join::default();
        // Arms of `else if` follow each other: there may be as many as there are lines.
        let mut node = node;
        loop {
            let (mut then, mut other) = (Join::default(), Join::default());
            let without = if node.alternate.is_some() { &mut other } else { &mut end };
            self.condition(&node.test, &mut then, without);
            self.begin(then);
            if self.is_reachable() {
                self.body(&node.consequent);
            }
            self.jump_to(&mut end);
            self.begin(other);
            match &node.alternate {
                Some(Statement::IfStatement(next)) if self.is_reachable() => node = next,
                Some(alternate) if self.is_reachable() => {
                    self.body(alternate);
                    break;
                }
                _ => break,
            }
        }
        self.jump_to(&mut end);
        self.begin(end);
    }

    fn return_statement(&mut self, node: &'p ast::ReturnStatement<'a>) {
        let mut value = match &node.argument {
            Some(argument) => self.expression(argument),
            None => self.undefined(),
        };
        let scope = self.scope();
        if scope.is_async && scope.is_generator && node.argument.is_some() {
            value = self.op(Opcode::Await, &[value], node.span);
        }
        self.return_value(value, node.span.into());
    }

    pub(super) fn declaration(&mut self, declaration: &'p Declaration<'a>) {
        match declaration {
            Declaration::VariableDeclaration(declaration) => self.variables(declaration),
            Declaration::FunctionDeclaration(function) => self.annex_b(function),
            Declaration::ClassDeclaration(class) => self.class_declaration(class),
            _ => {}
        }
    }

    /// A function declaration in a block of sloppy code, where it stands: it assigns the variable of the function around.
    fn annex_b(&mut self, function: &'p ast::Function<'a>) {
        let Some(&variable) = self.scopes.annex_b.get(&function.span.start) else { return };
        let Some(binding) = function.id.as_ref().and_then(super::binding::of_symbol) else { return };
        let value = self.read_binding(binding, function.span.into(), u32::MAX);
        self.write_binding(variable, value, function.span.into());
    }

    pub(super) fn variables(&mut self, declaration: &'p ast::VariableDeclaration<'a>) {
        let kind = declaration.kind;
        if matches!(kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing) {
            self.unsupported("`using` is not part of ECMAScript 2025", declaration.span);
            return;
        }
        for declarator in &declaration.declarations {
            match (&declarator.init, &declarator.id) {
                (Some(init), pattern) => {
                    let value = self.named_expression(init, super::pattern::name_hint(pattern));
                    self.bind_pattern(pattern, value);
                }
                (None, ast::BindingPattern::BindingIdentifier(id)) if kind != VariableDeclarationKind::Var => {
                    if let Some(binding) = super::binding::of_symbol(id) {
                        self.declare_without_value(binding, id.span.into());
                    }
                }
                // A pattern without a value is a syntax error.
                (None, _) => {}
            }
        }
    }
}

/// The function that a statement declares, with labels in front of it or not.
fn declared_function<'p, 'a>(statement: &'p Statement<'a>) -> Option<&'p ast::Function<'a>> {
    let mut statement = statement;
    while let Statement::LabeledStatement(labeled) = statement {
        statement = &labeled.body;
    }
    let function = match statement {
        Statement::FunctionDeclaration(function) => function,
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::FunctionDeclaration(function) => function,
            _ => return None,
        },
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ast::ExportDefaultDeclarationKind::FunctionDeclaration(function) => function,
            _ => return None,
        },
        _ => return None,
    };
    function.body.is_some().then_some(function)
}

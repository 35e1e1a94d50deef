//! Functions, and the file as one.

use super::resolve::{ScopeKind, Walk};
use super::{BindingKind, Captures, FunctionNode, FunctionScope, ScopeNumber};
use crate::program::{FunctionKind, InMemory, MemoryReason};
use crate::source::Span;
use oxc_ast::ast::{self, BindingPattern};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeId;
use std::cell::Cell;

/// What is known of a function when its walk begins.
pub(super) struct Beginning<'p, 'a> {
    pub(super) node: FunctionNode<'p, 'a>,
    pub(super) kind: FunctionKind,
    pub(super) is_async: bool,
    pub(super) is_generator: bool,
    pub(super) has_use_strict: bool,
    pub(super) span: Span,
    pub(super) exists_from: u32,
}

impl<'p, 'a> Walk<'p, 'a> {
    pub(super) fn program(&mut self, program: &'p ast::Program<'a>, is_commonjs: bool) {
        let kind = if program.source_type.is_module() { FunctionKind::Module } else { FunctionKind::Script };
        let kind = if is_commonjs { FunctionKind::CommonJs } else { kind };
        let is_strict = kind == FunctionKind::Module || program.directives.iter().any(|d| d.directive == "use strict");
        self.begin(&Beginning {
            node: FunctionNode::Program(program),
            kind,
            is_async: kind == FunctionKind::Module,
            is_generator: false,
            has_use_strict: is_strict,
            span: program.span.into(),
            exists_from: 0,
        });
        let scope = self.enter(ScopeKind::Body, None, 0);
        self.set_scopes(0, scope, scope);
        self.statements(&program.body);
        if is_commonjs && self.waits_for_arguments() {
            self.note_arguments(0);
        }
        self.leave();
    }

    fn set_scopes(&mut self, function: u32, params: ScopeNumber, body: ScopeNumber) {
        let function = &mut self.functions[function as usize];
        (function.params, function.body) = (params, body);
    }

    /// Adds a function, which is the one being walked from here on.
    pub(super) fn begin(&mut self, beginning: &Beginning<'p, 'a>) -> u32 {
        let number = self.functions.len() as u32;
        let parent = (number > 0).then_some(self.function);
        let is_strict =
            beginning.has_use_strict || parent.is_some_and(|parent| self.functions[parent as usize].is_strict);
        self.last_captured.push(None);
        self.functions.push(FunctionScope {
            node: beginning.node,
            kind: beginning.kind,
            parent,
            is_async: beginning.is_async,
            is_generator: beginning.is_generator,
            is_strict,
            span: beginning.span,
            exists_from: beginning.exists_from,
            params: ScopeNumber(0),
            body: ScopeNumber(0),
            is_verbatim: false,
            memory: Vec::new(),
            arguments: None,
            arguments_escape: false,
            self_name: None,
            captures: Captures::default(),
        });
        self.function = number;
        number
    }

    /// Ends a function.
    pub(super) fn end(&mut self, function: u32) {
        self.function = self.functions[function as usize].parent.unwrap_or(0);
    }

    /// A function declaration, expression or method. Its number goes where the tree has the number of its scope.
    pub(super) fn function(&mut self, node: &'p ast::Function<'a>, kind: FunctionKind, exists_from: u32) -> u32 {
        let Some(body) = &node.body else { return 0 };
        let is_strict_outside = self.functions[self.function as usize].is_strict;
        let number = self.begin(&Beginning {
            node: FunctionNode::Function(node),
            kind,
            is_async: node.r#async,
            is_generator: node.generator,
            has_use_strict: node.has_use_strict_directive() || is_strict_outside,
            span: node.span.into(),
            exists_from,
        });
        set_number(&node.scope_id, number);
        let self_name = node.id.as_ref().filter(|_| node.is_expression());
        if let Some(id) = self_name {
            self.enter(ScopeKind::Block, None, node.span.start);
            let binding = self.declare(id.name, BindingKind::FunctionSelf, id.span.into());
            self.functions[number as usize].self_name = Some(binding);
        }
        self.params_and_body(number, &node.params, |walk| walk.statements(&body.statements));
        if self_name.is_some() {
            self.leave();
        }
        self.end(number);
        number
    }

    pub(super) fn arrow(&mut self, node: &'p ast::ArrowFunctionExpression<'a>) {
        let number = self.begin(&Beginning {
            node: FunctionNode::Arrow(node),
            kind: FunctionKind::Arrow,
            is_async: node.r#async,
            is_generator: false,
            has_use_strict: node.has_use_strict_directive(),
            span: node.span.into(),
            exists_from: node.span.start,
        });
        set_number(&node.scope_id, number);
        self.params_and_body(number, &node.params, |walk| match node.body.as_expression() {
            Some(expression) => walk.expression(expression),
            None => {
                if let ast::ArrowFunctionBody::FunctionBody(body) = &node.body {
                    walk.statements(&body.statements);
                }
            }
        });
        self.end(number);
    }

    fn params_and_body(&mut self, number: u32, params: &'p ast::FormalParameters<'a>, body: impl FnOnce(&mut Self)) {
        let is_plain = are_plain(params);
        let kind = if is_plain { ScopeKind::Body } else { ScopeKind::Params };
        let start = self.functions[number as usize].span.start;
        let scope = self.enter(kind, None, start);
        self.set_scopes(number, scope, scope);
        for (index, param) in params.items.iter().enumerate() {
            self.param(index as u32, param, is_plain);
        }
        if let Some(rest) = &params.rest {
            self.declare_pattern(&rest.rest.argument, BindingKind::Param, rest.span.end);
        }
        let mut has_var_arguments = false;
        if !is_plain {
            // The functions of the body are created when all parameters are bound.
            let inner = self.enter(ScopeKind::Body, None, params.span.end.max(start));
            self.set_scopes(number, scope, inner);
            body(self);
            has_var_arguments = self.leave_with_arguments();
        } else {
            body(self);
        }
        // A `var` of the body begins with what the name means among the parameters.
        if self.functions[number as usize].kind != FunctionKind::Arrow
            && (has_var_arguments || self.waits_for_arguments())
        {
            self.note_arguments(number);
        }
        self.leave();
    }

    fn param(&mut self, index: u32, param: &'p ast::FormalParameter<'a>, is_plain: bool) {
        let end = if is_plain { 0 } else { param.span.end };
        self.declare_pattern(&param.pattern, BindingKind::Param, end);
        if let BindingPattern::BindingIdentifier(id) = &param.pattern
            && let Some(symbol) = id.symbol_id.get()
        {
            // Of several parameters of one name the last one counts.
            self.bindings[symbol.index()].param = is_plain.then_some(index);
        }
        if let Some(initializer) = &param.initializer {
            self.expression(initializer);
        }
    }

    /// Declares `arguments` where nothing else is called so.
    fn note_arguments(&mut self, number: u32) {
        let span = self.functions[number as usize].span;
        let binding =
            self.declare("arguments".into(), BindingKind::Arguments, Span { start: span.start, end: span.start });
        // A `var` of that name is the same variable.
        let data = &mut self.bindings[binding.index()];
        if data.kind == BindingKind::Var {
            data.kind = BindingKind::Arguments;
        }
        if data.kind == BindingKind::Arguments {
            self.functions[number as usize].arguments = Some(binding);
        }
    }

    /// A direct `eval` or a `with`: it reaches the variables of all functions around it.
    pub(super) fn note_dynamic(&mut self, reason: MemoryReason, span: Span) {
        let mut function = Some(self.function);
        while let Some(number) = function {
            let scope = &mut self.functions[number as usize];
            scope.is_verbatim = true;
            if !scope.memory.iter().any(|memory| memory.reason == reason) {
                scope.memory.push(InMemory { reason, span });
            }
            function = scope.parent;
        }
    }

    /// `arguments` goes somewhere where its elements may be written.
    pub(super) fn note_escape(&mut self, name: &str) {
        if name != "arguments" {
            return;
        }
        let mut number = self.function;
        while self.functions[number as usize].kind == FunctionKind::Arrow {
            let Some(parent) = self.functions[number as usize].parent else { break };
            number = parent;
        }
        self.functions[number as usize].arguments_escape = true;
    }

    /// A function that computes the value of a field.
    pub(super) fn field(&mut self, value: &'p ast::Expression<'a>, exists_from: u32) -> u32 {
        let number = self.begin(&Beginning {
            node: FunctionNode::Field(value),
            kind: FunctionKind::Field,
            is_async: false,
            is_generator: false,
            has_use_strict: true,
            span: value.span().into(),
            exists_from,
        });
        let scope = self.enter(ScopeKind::Body, None, value.span().start);
        self.set_scopes(number, scope, scope);
        self.expression(value);
        self.leave();
        self.end(number);
        number
    }

    pub(super) fn static_block(&mut self, block: &'p ast::StaticBlock<'a>, exists_from: u32) -> u32 {
        let number = self.begin(&Beginning {
            node: FunctionNode::StaticBlock(block),
            kind: FunctionKind::StaticBlock,
            is_async: false,
            is_generator: false,
            has_use_strict: true,
            span: block.span.into(),
            exists_from,
        });
        let scope = self.enter(ScopeKind::Body, None, block.span.start);
        self.set_scopes(number, scope, scope);
        self.statements(&block.body);
        self.leave();
        self.end(number);
        number
    }
}

/// Writes the number of a function, or of a class, where the tree has the number of its scope.
pub(super) fn set_number(cell: &Cell<Option<ScopeId>>, number: u32) {
    cell.set(Some(ScopeId::from_usize(number as usize)));
}

/// Whether all parameters are plain names.
pub(crate) fn are_plain(params: &ast::FormalParameters<'_>) -> bool {
    let is_plain = |param: &ast::FormalParameter<'_>| {
        param.initializer.is_none() && matches!(param.pattern, BindingPattern::BindingIdentifier(_))
    };
    params.rest.is_none() && params.items.iter().all(is_plain)
}

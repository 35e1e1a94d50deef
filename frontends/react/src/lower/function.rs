//! Functions.

use super::names::{NameAt, is_reserved};
use super::target::Target;
use super::{Lowered, Lowering, unsupported};
use crate::function::{ClosureId, Function, Param};
use crate::order;
use crate::scope::BindingId;
use crate::terminal::{ReturnVariant, Terminal};
use crate::value::{StoreKind, Value};
use oxc_ast::ast;
use ssaphire_js::dialect::Constant;
use ssaphire_js::dialect::Name;
use ssaphire_js::source::Span;

/// The syntax of a function.
#[derive(Clone, Copy)]
pub(super) enum FunctionSyntax<'t, 'a> {
    Function(&'t ast::Function<'a>),
    Arrow(&'t ast::ArrowFunctionExpression<'a>),
}

impl<'t, 'a> FunctionSyntax<'t, 'a> {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Function(function) => function.span.into(),
            Self::Arrow(arrow) => arrow.span.into(),
        }
    }

    fn params(&self) -> &'t ast::FormalParameters<'a> {
        match self {
            Self::Function(function) => &function.params,
            Self::Arrow(arrow) => &arrow.params,
        }
    }

    fn body(&self) -> Option<&'t ast::FunctionBody<'a>> {
        match self {
            Self::Function(function) => function.body.as_deref(),
            Self::Arrow(arrow) => match &arrow.body {
                ast::ArrowFunctionBody::FunctionBody(body) => Some(body),
                _ => None,
            },
        }
    }

    fn id(&self) -> Option<NameAt<'a>> {
        match self {
            Self::Function(function) => function.id.as_ref().map(|name| NameAt::new(name.name.as_str(), name.span)),
            Self::Arrow(_) => None,
        }
    }

    fn is_generator(&self) -> bool {
        matches!(self, Self::Function(function) if function.generator)
    }

    fn is_async(&self) -> bool {
        match self {
            Self::Function(function) => function.r#async,
            Self::Arrow(arrow) => arrow.r#async,
        }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers a function inside of another one. `context` are the variables that those around it have captured.
    pub(super) fn closure(&mut self, syntax: &FunctionSyntax<'_, 'a>) -> Lowered<ClosureId> {
        let scope = self.scopes.function_at(syntax.span().start);
        let scope = scope.ok_or_else(|| unsupported("a function without a body", syntax.span()))?;
        let mut context = self.context.clone();
        for binding in self.scopes.captured(scope, self.outermost) {
            if !context.contains(&binding) {
                context.push(binding);
            }
        }
        let id = ClosureId(self.nest.functions.len() as u32);
        let inside = self.new_builder();
        let outside = std::mem::replace(&mut self.builder, inside);
        let outer_context = std::mem::replace(&mut self.context, context.clone());
        self.function_body(syntax, &context, id)?;
        self.builder = outside;
        self.context = outer_context;
        Ok(id)
    }

    /// Lowers a function by the current builder, as the function `id`.
    pub(super) fn function_body(
        &mut self,
        syntax: &FunctionSyntax<'_, 'a>,
        context: &[BindingId],
        id: ClosureId,
    ) -> Lowered<()> {
        let entry = self.builder.entry;
        self.nest.functions.push(Function::new(entry));
        let context = context.iter().map(|&binding| self.place_of(binding)).collect::<Lowered<Vec<_>>>()?;
        let name = self.function_name(syntax)?;
        if let FunctionSyntax::Function(ast::Function { this_param: Some(this), .. }) = syntax {
            return Err(unsupported("`this` as a parameter", this.span));
        }
        let params = self.params(syntax.params())?;
        let directives = self.statements_of(syntax)?;
        let value = self.emit(Value::Primitive(Constant::Undefined));
        self.end_last(Terminal::Return { variant: ReturnVariant::Void, value });
        let returns = self.nest.temporary();
        let function = Function {
            name,
            params,
            context,
            returns,
            directives,
            entry,
            order: Vec::new(),
            is_generator: syntax.is_generator(),
            is_async: syntax.is_async(),
        };
        self.nest.functions[id.index()] = function;
        order::finish(&mut self.nest, id, &self.builder.completed).map_err(|reason| unsupported(reason, syntax.span()))
    }

    fn function_name(&self, syntax: &FunctionSyntax<'_, 'a>) -> Lowered<Option<Name>> {
        let Some(id) = syntax.id() else { return Ok(None) };
        let binding = self.scopes.binding_at(id.span.start);
        let is_inside =
            binding.filter(|&binding| self.scopes.contains(self.outermost, self.scopes.binding(binding).scope));
        let name = is_inside.map_or_else(|| Name::new(id.text), |binding| self.current_name(binding));
        if is_reserved(&name) {
            return Err(unsupported(format!("a function with the name `{name}`"), id.span));
        }
        Ok(Some(name))
    }

    fn params(&mut self, syntax: &ast::FormalParameters<'a>) -> Lowered<Vec<Param>> {
        let mut params = Vec::with_capacity(syntax.items.len());
        for param in &syntax.items {
            if param.accessibility.is_some() || param.readonly || param.r#override {
                return Err(unsupported("a parameter that is a property", param.span));
            }
            match Target::of_param(param) {
                Target::Name(name) => params.push(Param { place: self.parameter(name)?, is_rest: false }),
                target => {
                    let place = self.nest.temporary();
                    self.nest.promote(place);
                    params.push(Param { place, is_rest: false });
                    self.assign(StoreKind::Let, &target, place, false)?;
                }
            }
        }
        if let Some(rest) = &syntax.rest {
            let place = self.nest.temporary();
            params.push(Param { place, is_rest: true });
            self.assign(StoreKind::Let, &Target::of_binding(&rest.rest.argument), place, false)?;
        }
        Ok(params)
    }

    /// Lowers the body, and gives its directives.
    fn statements_of(&mut self, syntax: &FunctionSyntax<'_, 'a>) -> Lowered<Vec<String>> {
        if let Some(body) = syntax.body() {
            let scope = self.scopes.block_at(body.span.start);
            self.block(&body.statements, scope, body.span.start)?;
            return Ok(body.directives.iter().map(|directive| directive.directive.to_string()).collect());
        }
        if let FunctionSyntax::Arrow(arrow) = syntax
            && let Some(expression) = arrow.body.as_expression()
        {
            let next = self.reserve(crate::function::BlockKind::Block);
            let value = self.expression_place(expression)?;
            self.end_with(Terminal::Return { variant: ReturnVariant::Implicit, value }, next);
        }
        Ok(Vec::new())
    }
}

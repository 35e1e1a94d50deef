//! Which functions are outermost.

use super::Roots;
use super::function::FunctionSyntax;
use crate::scope::{ScopeId, Scopes};
use oxc_ast::ast::*;
use oxc_ast_visit::VisitJs;
use oxc_ast_visit::walk_js::{walk_arrow_function_expression, walk_function};
use oxc_syntax::scope::ScopeFlags;

struct Finder<'s, 'a, F> {
    scopes: &'s Scopes<'a>,
    roots: Roots,
    found: F,
}

/// Calls `found` with each function that is outermost, in the order of the source.
pub(super) fn each<'a>(
    program: &Program<'a>,
    scopes: &Scopes<'a>,
    roots: Roots,
    found: impl FnMut(FunctionSyntax<'_, 'a>),
) {
    Finder { scopes, roots, found }.visit_program(program);
}

impl<'a, F: FnMut(FunctionSyntax<'_, 'a>)> Finder<'_, 'a, F> {
    /// Whether the function at `start` is outermost.
    fn take(&self, start: u32) -> bool {
        let Some(function) = self.scopes.function_at(start) else { return false };
        let parent: Option<ScopeId> = self.scopes.parent(function.scope);
        self.roots == Roots::All || parent == Some(Scopes::FILE)
    }
}

impl<'a, F: FnMut(FunctionSyntax<'_, 'a>)> VisitJs<'a> for Finder<'_, 'a, F> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let is_taken = self.take(function.span.start);
        if is_taken {
            (self.found)(FunctionSyntax::Function(function));
        }
        if !is_taken || self.roots == Roots::All {
            walk_function(self, function, flags);
        }
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        let is_taken = self.take(function.span.start);
        if is_taken {
            (self.found)(FunctionSyntax::Arrow(function));
        }
        if !is_taken || self.roots == Roots::All {
            walk_arrow_function_expression(self, function);
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        let is_method = property.method || property.kind != PropertyKind::Init;
        self.visit_property_key(&property.key);
        match &property.value {
            Expression::FunctionExpression(function) if is_method => {
                walk_function(self, function, ScopeFlags::Function);
            }
            value => self.visit_expression(value),
        }
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.visit_property_key(&method.key);
        walk_function(self, &method.value, ScopeFlags::Function);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if self.roots == Roots::All {
            oxc_ast_visit::walk_js::walk_class(self, class);
        }
    }
}

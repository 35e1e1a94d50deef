//! Errors that depend on where a file runs, and one that the parser reports too often.

use super::{SourceError, Span};
use oxc_ast::ast::{BindingIdentifier, Class, Function, Program, VariableDeclaration};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use oxc_syntax::symbol::SymbolFlags;
use std::cell::Cell;

/// The parameters of the function that node puts around a CommonJS module.
pub(crate) const WRAPPER_PARAMS: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];

/// The declarations of a CommonJS module that clash with the parameters of the function around it.
pub(super) fn clashes_with_wrapper(scoping: &Scoping) -> Vec<SourceError> {
    let clash = |name: &&str| {
        let symbol = scoping.get_root_binding((*name).into())?;
        let is_lexical = scoping.symbol_flags(symbol).intersects(SymbolFlags::BlockScoped);
        is_lexical.then(|| SourceError {
            message: format!("Identifier `{name}` has already been declared, as a parameter of the module"),
            span: scoping.symbol_span(symbol).into(),
        })
    };
    WRAPPER_PARAMS.iter().filter_map(clash).collect()
}

/// Whether a name that is said to be declared twice is that of a function in a block of sloppy code and of a lexical
/// declaration around the block: then the function gets no variable there (Annex B.3.3.1), and nothing clashes.
pub(super) fn is_hidden_function(program: &Program<'_>, scoping: &Scoping, [first, second]: [Span; 2]) -> bool {
    let mut search = Search { first, second, ..Search::default() };
    search.visit_program(program);
    let (Some(block), Some(around)) = (search.block, search.around) else { return false };
    // From where it stands, a `var` goes up to its function.
    let clashes = |&(ref name, scope): &(String, ScopeId)| {
        let is_function = |&scope: &ScopeId| scoping.scope_flags(scope).is_var();
        let last = scoping.scope_ancestors(scope).find(is_function);
        let mut passed = scoping.scope_ancestors(scope).take_while(|&scope| Some(scope) != last);
        *name == search.name && (last == Some(around) || passed.any(|scope| scope == around))
    };
    block != around
        && !scoping.scope_flags(block).is_strict_mode()
        && scoping.scope_ancestors(block).any(|scope| scope == around)
        && !search.vars.iter().any(clashes)
}

/// Looks for the scopes of two declarations.
#[derive(Default)]
struct Search {
    scopes: Vec<Option<ScopeId>>,
    first: Span,
    second: Span,
    /// The scope with the function whose name is at the first place.
    block: Option<ScopeId>,
    /// The one with what is at the second place.
    around: Option<ScopeId>,
    /// The name of both.
    name: String,
    /// The names that are declared by `var`, and where.
    vars: Vec<(String, ScopeId)>,
    is_in_var: bool,
}

impl Search {
    fn innermost(&self) -> Option<ScopeId> {
        self.scopes.last().copied().flatten()
    }

    fn find(&mut self, id: &BindingIdentifier<'_>) {
        if Span::from(id.span) == self.second && self.around.is_none() {
            self.around = self.innermost();
            self.name = id.name.to_string();
        } else if let Some(scope) = self.innermost().filter(|_| self.is_in_var) {
            self.vars.push((id.name.to_string(), scope));
        }
    }
}

impl<'a> Visit<'a> for Search {
    fn enter_scope(&mut self, _: ScopeFlags, scope: &Cell<Option<ScopeId>>) {
        self.scopes.push(scope.get());
    }

    fn leave_scope(&mut self) {
        self.scopes.pop();
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let is_first = function.id.as_ref().is_some_and(|id| Span::from(id.span) == self.first);
        if is_first && function.is_declaration() && !function.r#async && !function.generator {
            self.block = self.innermost();
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if let Some(id) = &class.id {
            self.find(id);
        }
        walk::walk_class(self, class);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        let outer = std::mem::replace(&mut self.is_in_var, declaration.kind.is_var());
        walk::walk_variable_declaration(self, declaration);
        self.is_in_var = outer;
    }

    fn visit_binding_identifier(&mut self, id: &BindingIdentifier<'a>) {
        self.find(id);
    }
}

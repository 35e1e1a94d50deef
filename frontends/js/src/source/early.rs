//! Errors that depend on where a file runs, and two that the parser reports too often.

use super::{SourceError, Span};
use oxc_ast::ast::{BindingIdentifier, Class, Expression, Function, Program, VariableDeclaration};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use oxc_syntax::symbol::SymbolFlags;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

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

/// Two declarations of one name, in the order in which an error has them.
pub(super) type Clash = [Span; 2];

/// Those clashes that are none: of a function in a block of sloppy code and a lexical declaration around the block, for
/// which the function gets no variable there (Annex B.3.3.1).
pub(super) fn hidden_functions(program: &Program<'_>, scoping: &Scoping, clashes: &[Clash]) -> HashSet<Clash> {
    if clashes.is_empty() {
        return HashSet::new();
    }
    let blocks = clashes.iter().map(|&[first, _]| (first, None)).collect();
    let around = clashes.iter().map(|&[_, second]| (second, None)).collect();
    let mut search = Search { blocks, around, ..Search::default() };
    search.visit_program(program);
    clashes.iter().copied().filter(|&clash| search.is_hidden(scoping, clash).unwrap_or(false)).collect()
}

/// Looks for the scopes of declarations.
#[derive(Default)]
struct Search {
    scopes: Vec<Option<ScopeId>>,
    /// By the place of the name of a function in a block, the scope of the block.
    blocks: HashMap<Span, Option<ScopeId>>,
    /// By the place of another declaration, its scope and name.
    around: HashMap<Span, Option<(ScopeId, String)>>,
    /// By name, the scopes with a `var` of that name.
    vars: HashMap<String, Vec<ScopeId>>,
    is_in_var: bool,
}

impl Search {
    fn innermost(&self) -> Option<ScopeId> {
        self.scopes.last().copied().flatten()
    }

    fn find(&mut self, id: &BindingIdentifier<'_>) {
        let Some(scope) = self.innermost() else { return };
        if self.is_in_var {
            self.vars.entry(id.name.to_string()).or_default().push(scope);
        }
        if let Some(found) = self.around.get_mut(&Span::from(id.span)) {
            found.get_or_insert_with(|| (scope, id.name.to_string()));
        }
    }

    fn is_hidden(&self, scoping: &Scoping, [first, second]: Clash) -> Option<bool> {
        let block = self.blocks.get(&first).copied().flatten()?;
        let (around, name) = self.around.get(&second)?.as_ref()?;
        let around = *around;
        // From where it stands, a `var` goes up to its function.
        let clashes = |&scope: &ScopeId| {
            let is_function = |&scope: &ScopeId| scoping.scope_flags(scope).is_var();
            let last = scoping.scope_ancestors(scope).find(is_function);
            let mut passed = scoping.scope_ancestors(scope).take_while(|&scope| Some(scope) != last);
            last == Some(around) || passed.any(|scope| scope == around)
        };
        let is_around = block != around
            && !scoping.scope_flags(block).is_strict_mode()
            && scoping.scope_ancestors(block).any(|scope| scope == around);
        Some(is_around && !self.vars.get(name).is_some_and(|scopes| scopes.iter().any(clashes)))
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
        let scope = self.innermost();
        let is_plain = function.is_declaration() && !function.r#async && !function.generator;
        if let Some(id) = function.id.as_ref().filter(|_| is_plain)
            && let Some(block) = self.blocks.get_mut(&Span::from(id.span))
        {
            *block = scope;
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

/// Those of `places` at which an identifier is a value: the parser says of every `arguments` and `eval` inside a pattern of
/// strict code that it is assigned, also of those in defaults, computed keys and objects whose members are assigned.
pub(super) fn read_identifiers(program: &Program<'_>, places: Vec<Span>) -> HashSet<Span> {
    if places.is_empty() {
        return HashSet::new();
    }
    let mut values = Values { places: places.into_iter().collect(), read: HashSet::new() };
    values.visit_program(program);
    values.read
}

/// Looks for identifiers that are expressions; targets of assignments are none.
struct Values {
    places: HashSet<Span>,
    read: HashSet<Span>,
}

impl<'a> Visit<'a> for Values {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        if let Expression::Identifier(identifier) = expression {
            self.read.extend(self.places.get(&Span::from(identifier.span)));
        }
        walk::walk_expression(self, expression);
    }
}

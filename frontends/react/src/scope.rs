//! Which declaration a name means, as Babel resolves it.
//!
//! The HIR shows through its ids and names which declarations React Compiler takes for one variable, and React Compiler asks Babel.
//! Babel's scopes are those of the language but for a few: a function in a block is of the block alone (Annex B is ignored), the
//! body of a function has no scope of its own, and neither has that of a `catch`; a pattern among the parameters has one.
//!
//! # Departures
//! Names of types are no bindings, and are not looked up. Nor is the name of an enumeration a binding: there it is as in Babel.

mod collect;

use foldhash::{HashMap, HashMapExt};
use oxc_ast::ast::Program;
use ssaphire_js::dialect::{JsString, Name};

/// A scope: the scopes in it have the numbers behind its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ScopeId(u32);

/// A declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BindingId(u32);

impl BindingId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a name is declared by.
pub(super) struct Binding<'a> {
    pub(super) name: &'a str,
    pub(super) kind: BindingKind,
    pub(super) scope: ScopeId,
    /// Where the first declaration has the name.
    pub(super) declared_at: u32,
    /// Whether a `let` or `var` statement, a function or something else declares it.
    pub(super) origin: Origin,
    /// Whether functions inside that of its own, and assignments, meet it so that it is a context variable.
    pub(super) is_context: bool,
}

/// Babel's kinds of bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BindingKind {
    Const,
    Let,
    Var,
    Param,
    /// A function declaration.
    Hoisted,
    /// The name of a function expression, in itself.
    Local,
    Module,
}

/// The syntax that declares a binding.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    Variable,
    Function,
    Default { module: JsString },
    Namespace { module: JsString },
    Specifier { imported: JsString, module: JsString },
    Other(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    /// A function, a static block, or the file; whether it has `arguments` of its own.
    Function {
        has_arguments: bool,
    },
    Block,
    Class,
    Pattern,
}

struct Scope {
    parent: Option<ScopeId>,
    kind: ScopeKind,
    /// The number behind those of the scopes in it.
    end: u32,
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Declaration,
    /// A read; also the target of an update, and a plain name on the left in the head of a loop.
    Read,
    Update,
    /// On the left of an assignment.
    Assign,
    /// In a pattern on the left of an assignment.
    Pattern,
    /// In a pattern in the head of a loop.
    LoopPattern,
    Jsx,
}

/// A name at its place.
struct Use<'a> {
    name: &'a str,
    start: u32,
    scope: ScopeId,
    /// The innermost function that is no method of a class.
    function: Option<u32>,
    role: Role,
    binding: Option<BindingId>,
}

/// A function as a part of the file.
#[derive(Clone, Copy)]
pub(super) struct FunctionScope {
    pub(super) scope: ScopeId,
    /// The range of the source that is its own; with its key, if it is a method of an object.
    start: u32,
    end: u32,
}

/// All names of a file.
pub(super) struct Scopes<'a> {
    scopes: Vec<Scope>,
    pub(super) bindings: Vec<Binding<'a>>,
    by_name: HashMap<(ScopeId, &'a str), BindingId>,
    /// In the order of the source.
    uses: Vec<Use<'a>>,
    functions: Vec<FunctionScope>,
    function_at: HashMap<u32, u32>,
    block_at: HashMap<u32, ScopeId>,
}

impl<'a> Scopes<'a> {
    /// Reads the names of a file.
    pub(super) fn of(program: &Program<'a>) -> Self {
        let mut scopes = Self {
            scopes: Vec::new(),
            bindings: Vec::new(),
            by_name: HashMap::new(),
            uses: Vec::new(),
            functions: Vec::new(),
            function_at: HashMap::new(),
            block_at: HashMap::new(),
        };
        collect::collect(program, &mut scopes);
        scopes.uses.sort_by_key(|name| name.start);
        for index in 0..scopes.uses.len() {
            let (name, scope) = (scopes.uses[index].name, scopes.uses[index].scope);
            scopes.uses[index].binding = scopes.resolve(name, scope);
        }
        scopes.find_context_variables();
        scopes
    }

    /// The scope of the file.
    pub(super) const FILE: ScopeId = ScopeId(0);

    pub(super) fn binding(&self, binding: BindingId) -> &Binding<'a> {
        &self.bindings[binding.index()]
    }

    /// Whether `inner` is `outer`, or a scope in it.
    pub(super) fn contains(&self, outer: ScopeId, inner: ScopeId) -> bool {
        outer <= inner && inner.0 < self.scopes[outer.0 as usize].end
    }

    pub(super) fn parent(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes[scope.0 as usize].parent
    }

    /// The function whose syntax starts at `start`; that of a method starts at its parameters.
    pub(super) fn function_at(&self, start: u32) -> Option<FunctionScope> {
        self.function_at.get(&start).map(|&function| self.functions[function as usize])
    }

    /// The scope of the block, or of the body, whose brace is at `start`.
    pub(super) fn block_at(&self, start: u32) -> Option<ScopeId> {
        self.block_at.get(&start).copied()
    }

    /// What the name at `start` means, if it is declared in the file.
    pub(super) fn binding_at(&self, start: u32) -> Option<BindingId> {
        let index = self.uses.binary_search_by_key(&start, |name| name.start).ok()?;
        self.uses[index].binding
    }

    /// The bindings outside of `function`, but inside of `outermost`, that `function` mentions, in order of the first mention.
    pub(super) fn captured(&self, function: FunctionScope, outermost: ScopeId) -> Vec<BindingId> {
        let mut captured = Vec::new();
        for name in self.uses_in(function.start, function.end) {
            let Some(binding) = name.binding else { continue };
            let scope = self.binding(binding).scope;
            let is_mentioned = matches!(name.role, Role::Read | Role::Update | Role::Assign | Role::Jsx);
            if is_mentioned
                && self.contains(outermost, scope)
                && !self.contains(function.scope, scope)
                && !captured.contains(&binding)
            {
                captured.push(binding);
            }
        }
        captured
    }

    /// The bindings of the block of `scope` that the statement at `start..end` mentions before the block declares them: in a
    /// function, or functions. The block begins at `block_start`.
    pub(super) fn hoisted(&self, scope: ScopeId, block_start: u32, start: u32, end: u32) -> Vec<BindingId> {
        let mut hoisted = Vec::new();
        for name in self.uses_in(start, end) {
            let Some(id) = name.binding.filter(|_| matches!(name.role, Role::Read | Role::Update | Role::Assign))
            else {
                continue;
            };
            let binding = self.binding(id);
            let is_declared = binding.declared_at >= block_start && binding.declared_at < start;
            let is_of_block = binding.scope == scope && binding.kind != BindingKind::Param && !is_declared;
            let is_in_function = name.function.is_some_and(|function| self.functions[function as usize].start >= start);
            if is_of_block && (is_in_function || binding.kind == BindingKind::Hoisted) && !hoisted.contains(&id) {
                hoisted.push(id);
            }
        }
        hoisted
    }

    fn uses_in(&self, start: u32, end: u32) -> impl Iterator<Item = &Use<'a>> {
        let first = self.uses.partition_point(|name| name.start < start);
        self.uses[first..].iter().take_while(move |name| name.start < end)
    }

    fn resolve(&self, name: &'a str, scope: ScopeId) -> Option<BindingId> {
        let mut next = Some(scope);
        let mut is_from_pattern = false;
        while let Some(scope) = next {
            let kind = self.scopes[scope.0 as usize].kind;
            if let Some(&binding) = self.by_name.get(&(scope, name)) {
                // A default of a parameter does not see the variables of the body.
                let is_visible = matches!(self.binding(binding).kind, BindingKind::Param | BindingKind::Local);
                if !is_from_pattern || is_visible {
                    return Some(binding);
                }
            } else if name == "arguments" && kind == (ScopeKind::Function { has_arguments: true }) {
                return None;
            }
            is_from_pattern = kind == ScopeKind::Pattern;
            next = self.parent(scope);
        }
        None
    }

    /// A context variable is assigned in an inner function; or anywhere, and mentioned in an inner function.
    fn find_context_variables(&mut self) {
        let mut assigned = vec![false; self.bindings.len()];
        let mut mentioned_inside = vec![false; self.bindings.len()];
        for name in &self.uses {
            let Some(id) = name.binding else { continue };
            let is_inside = name.function.is_some_and(|function| {
                !self.contains(self.functions[function as usize].scope, self.bindings[id.index()].scope)
            });
            let (is_read, is_written) = match name.role {
                Role::Read => (true, false),
                Role::Update => (true, true),
                Role::Assign | Role::Pattern => (false, true),
                Role::Declaration | Role::LoopPattern | Role::Jsx => (false, false),
            };
            assigned[id.index()] |= is_written;
            mentioned_inside[id.index()] |= is_read && is_inside;
            self.bindings[id.index()].is_context |= is_written && is_inside;
        }
        for (index, binding) in self.bindings.iter_mut().enumerate() {
            binding.is_context |= assigned[index] && mentioned_inside[index];
        }
    }

    pub(super) fn name_of(&self, binding: BindingId) -> Name {
        Name::new(self.binding(binding).name)
    }
}

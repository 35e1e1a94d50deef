//! Name resolution, and the storage of each binding.
//!
//! One walk over the tree creates scopes, bindings and functions, and resolves
//! names: a reference waits until a scope that declares its name ends. The
//! results are written into the tree, whose cells for symbols, references and
//! scopes contain the numbers of this module from then on.
//!
//! A binding that no closure captures is a variable in SSA form. A captured one
//! is in a cell; if it is never reassigned, the function that declares it still
//! has it in SSA form, and only closures read the cell.

mod class;
mod expression;
mod function;
mod pattern;
mod resolve;
mod statement;
mod storage;

use crate::dialect::Name;
use crate::program::{FunctionKind, InMemory};
use crate::source::{Parsed, Span};
use foldhash::fast::RandomState;
pub(crate) use function::are_plain;
use oxc_ast::ast;
use oxc_str::{Ident, IdentBuildHasher};
use resolve::Walk;
use std::collections::HashMap;

/// The number of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BindingId(pub(crate) u32);

impl BindingId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a spelling.
pub(crate) type NameNumber = u32;

/// Spellings, one copy of each.
#[derive(Default)]
pub(crate) struct Names<'a> {
    /// The parser has hashed each name already.
    numbers: HashMap<Ident<'a>, NameNumber, IdentBuildHasher>,
    spellings: Vec<Name>,
}

impl<'a> Names<'a> {
    fn reserve(&mut self, number: usize) {
        self.numbers.reserve(number);
        self.spellings.reserve(number);
    }

    pub(crate) fn number(&mut self, name: Ident<'a>) -> NameNumber {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = self.spellings.len() as NameNumber;
        self.numbers.insert(name, number);
        self.spellings.push(Name::new(&name));
        number
    }

    pub(crate) fn get(&mut self, name: Ident<'a>) -> &Name {
        let number = self.number(name);
        &self.spellings[number as usize]
    }
}

/// The number of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeNumber(pub(crate) u32);

/// The name tables of a file.
pub(crate) struct Scopes<'p, 'a> {
    pub(crate) bindings: Vec<Binding>,
    pub(crate) functions: Vec<FunctionScope<'p, 'a>>,
    pub(crate) classes: Vec<ClassScope<'p, 'a>>,
    by_scope: ByScope,
    /// What functions and classes capture.
    captured: Vec<BindingId>,
    /// The names of the file, for the next one who needs them.
    pub(crate) names: Names<'a>,
    /// The variable that a function declaration in a block also assigns (Annex B.3.3), by where the function begins.
    pub(crate) annex_b: HashMap<u32, BindingId, RandomState>,
    /// The scope of a function declaration that is the whole body of an `if`, by where the function begins.
    pub(crate) alone: HashMap<u32, ScopeNumber, RandomState>,
    /// The binding of a default export that has no name.
    pub(crate) default_export: Option<BindingId>,
    /// The places of `yield` and `for await`, in source order.
    pub(crate) yields: Vec<u32>,
    /// The names that nothing in the file declares, each with a function that mentions it.
    pub(crate) free: Vec<(Name, u32)>,
    /// Whether the file is TypeScript.
    pub(crate) has_erased_types: bool,
}

/// The kind of declaration of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BindingKind {
    Var,
    /// A parameter by itself.
    Param,
    Let,
    Const,
    Class,
    /// A function declaration, which is there when its scope begins.
    Function,
    CatchParam,
    /// A function expression's name inside of it.
    FunctionSelf,
    /// A class's name inside of it.
    ClassSelf,
    Import,
    /// `arguments`.
    Arguments,
}

impl BindingKind {
    /// Whether it has a temporal dead zone.
    pub(crate) fn has_dead_zone(self) -> bool {
        matches!(self, Self::Let | Self::Const | Self::Class)
    }
}

/// The storage of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// In SSA form.
    Local,
    /// In SSA form in the declaring function, and in a cell for closures, created when the binding is initialized, or
    /// when its scope begins.
    Shared { is_early: bool },
    /// In a cell.
    Cell,
    /// The parameter with this index, which `arguments` aliases.
    Aliased(u32),
    /// Accessed by name, because other code can access it by name.
    Named,
    /// The text that is written binds the name.
    Native,
}

/// A binding.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) name: Name,
    pub(crate) kind: BindingKind,
    /// The function that declares it, and the scope there.
    pub(crate) function: u32,
    pub(crate) scope: ScopeNumber,
    pub(crate) span: Span,
    /// From here on it is initialized, textually; otherwise 0, as for all that have no dead zone.
    pub(crate) initialized_at: u32,
    /// Where that ends: the case of a switch, or everywhere.
    pub(crate) initialized_until: u32,
    /// Whether it is assigned other than by its declaration.
    pub(crate) is_written: bool,
    pub(crate) is_captured: bool,
    /// Whether a function that captures it may exist before it is initialized.
    pub(crate) is_captured_early: bool,
    /// Whether the function that declares it may read or write it before it is initialized.
    pub(crate) is_used_early: bool,
    /// Whether a module exports it.
    pub(crate) is_exported: bool,
    /// The number of the parameter that it is, by itself.
    pub(crate) param: Option<u32>,
    pub(crate) storage: Storage,
}

impl Binding {
    /// Whether it is declared at the top of its function.
    fn is_top(&self, functions: &[FunctionScope<'_, '_>]) -> bool {
        functions[self.function as usize].body == self.scope
    }
}

/// The bindings of all scopes, scope by scope.
struct ByScope {
    /// By scope, where its bindings begin; at last, where those of the last scope end.
    starts: Vec<u32>,
    bindings: Vec<BindingId>,
}

impl ByScope {
    fn new(all: &[Binding], num_scopes: u32) -> Self {
        let mut starts = vec![0; num_scopes as usize + 2];
        for binding in all {
            starts[binding.scope.0 as usize + 2] += 1;
        }
        for scope in 2..starts.len() {
            starts[scope] += starts[scope - 1];
        }
        let mut bindings = vec![BindingId(0); all.len()];
        for (id, binding) in (0..).zip(all) {
            let next = &mut starts[binding.scope.0 as usize + 1];
            bindings[*next as usize] = BindingId(id);
            *next += 1;
        }
        Self { starts, bindings }
    }
}

/// A function's syntax tree.
#[derive(Clone, Copy)]
pub(crate) enum FunctionNode<'p, 'a> {
    Program(&'p ast::Program<'a>),
    Function(&'p ast::Function<'a>),
    Arrow(&'p ast::ArrowFunctionExpression<'a>),
    /// The value of a field.
    Field(&'p ast::Expression<'a>),
    StaticBlock(&'p ast::StaticBlock<'a>),
}

/// A function.
pub(crate) struct FunctionScope<'p, 'a> {
    pub(crate) node: FunctionNode<'p, 'a>,
    pub(crate) kind: FunctionKind,
    pub(crate) parent: Option<u32>,
    pub(crate) is_async: bool,
    pub(crate) is_generator: bool,
    pub(crate) is_strict: bool,
    pub(crate) span: Span,
    /// From here on it exists, textually.
    pub(crate) exists_from: u32,
    /// The scope of parameters, and that of the body: one scope if the parameters are plain.
    pub(crate) params: ScopeNumber,
    pub(crate) body: ScopeNumber,
    pub(crate) is_verbatim: bool,
    pub(crate) memory: Vec<InMemory>,
    /// `arguments`, if it is mentioned here or in an arrow function inside.
    pub(crate) arguments: Option<BindingId>,
    /// Whether `arguments` goes anywhere but into `arguments[i]` and `arguments.length`.
    pub(crate) arguments_escape: bool,
    /// Whether the function mentions its own name by the binding of a function expression.
    pub(crate) self_name: Option<BindingId>,
    /// Where the bindings are that it captures, by number.
    captures: Captures,
}

/// A part of the list of all that functions capture.
#[derive(Clone, Copy, Default)]
struct Captures {
    start: u32,
    end: u32,
}

/// A class.
pub(crate) struct ClassScope<'p, 'a> {
    pub(crate) node: &'p ast::Class<'a>,
    pub(crate) self_binding: Option<BindingId>,
    /// The functions in it, with their numbers, in the order of its elements; where an element has none, `None`.
    pub(crate) functions: Vec<Option<u32>>,
    captures: Captures,
}

impl<'p, 'a> Scopes<'p, 'a> {
    /// Resolves all names of a file.
    pub(crate) fn new(parsed: &'p Parsed<'a>) -> Self {
        let mut walk = Walk::default();
        walk.expect(parsed.source.len());
        walk.use_scoping(parsed.scoping.take());
        walk.program(&parsed.program, parsed.is_commonjs);
        Self { has_erased_types: parsed.has_erased_types, ..walk.finish() }
    }

    /// The bindings of a scope, in the order of their declarations.
    pub(crate) fn bindings_of(&self, scope: ScopeNumber) -> &[BindingId] {
        let ByScope { starts, bindings } = &self.by_scope;
        let at = scope.0 as usize;
        &bindings[starts[at] as usize..starts[at + 1] as usize]
    }

    /// The bindings that a function captures, by number.
    pub(crate) fn captures_of(&self, function: u32) -> &[BindingId] {
        self.part(self.functions[function as usize].captures)
    }

    /// The bindings that the functions of a class capture, by number.
    pub(crate) fn captures_of_class(&self, class: u32) -> &[BindingId] {
        self.part(self.classes[class as usize].captures)
    }

    fn part(&self, Captures { start, end }: Captures) -> &[BindingId] {
        &self.captured[start as usize..end as usize]
    }

    pub(crate) fn binding(&self, id: BindingId) -> &Binding {
        &self.bindings[id.index()]
    }

    /// Whether the function may be suspended between two bytes of the source.
    pub(crate) fn has_yield(&self, span: Span) -> bool {
        let first = self.yields.partition_point(|&at| at < span.start);
        self.yields.get(first).is_some_and(|&at| at < span.end)
    }

    /// Whether the binding may be uninitialized where `function` mentions it, at this byte of the source.
    pub(crate) fn may_be_early(&self, id: BindingId, at: u32, function: u32) -> bool {
        may_be_early(&self.bindings[id.index()], &self.functions, at, function)
    }
}

/// The source offset of a mention; one that the erasure of types created comes after everything.
pub(crate) fn place_of(span: oxc_span::Span) -> u32 {
    if span.end == 0 { u32::MAX - 1 } else { span.start }
}

/// Whether a binding may be uninitialized where `function` mentions it, at this byte of the source.
///
/// In the function that declares it, code after the declaration runs after it: no jump bypasses the declaration into
/// its scope, except into another case of a switch. A function created after the declaration runs after it.
fn may_be_early(binding: &Binding, functions: &[FunctionScope<'_, '_>], at: u32, function: u32) -> bool {
    if binding.initialized_at == 0 {
        return false;
    }
    let mut at = at;
    let mut function = function;
    while function != binding.function {
        at = functions[function as usize].exists_from;
        let Some(parent) = functions[function as usize].parent else { break };
        function = parent;
    }
    at < binding.initialized_at || at >= binding.initialized_until
}

//! References that wait for the end of a scope that declares their names.

use super::class::Head;
use super::{
    Binding, BindingId, BindingKind, ByScope, ClassScope, FunctionScope, NameNumber, Names, ScopeNumber, Scopes,
    Storage, may_be_early,
};
use crate::dialect::Name;
use crate::program::MemoryReason;
use crate::source::Span;
use foldhash::fast::RandomState;
use oxc_ast::ast;
use oxc_semantic::Scoping;
use oxc_str::Ident;
use oxc_syntax::reference::ReferenceId;
use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;
use std::cell::Cell;
use std::collections::HashMap;

/// Where what is found is written.
#[derive(Clone, Copy)]
pub(super) enum Target<'p> {
    Reference(&'p Cell<Option<ReferenceId>>),
    Symbol(&'p Cell<Option<SymbolId>>),
}

/// A reference whose binding is not known yet.
#[derive(Clone, Copy)]
struct Waiting<'p> {
    target: Target<'p>,
    at: u32,
    function: u32,
    writes: bool,
    /// The one before it that waits for the same name, as a place in the list of all.
    previous: Option<u32>,
}

/// A function declaration in a block of sloppy code, which may also assign a variable of its function.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) name: NameNumber,
    /// Where the function begins.
    pub(super) at: u32,
    /// The scope that holds it.
    pub(super) scope: ScopeNumber,
}

/// What kind of scope it is, to declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    /// `var` and Annex B functions of what is inside end up here.
    Body,
    /// The parameters, around a body of its own.
    Params,
    Block,
    Switch,
    Catch,
}

/// A scope that has begun.
pub(super) struct Open {
    pub(super) number: ScopeNumber,
    pub(super) kind: ScopeKind,
    pub(super) function: u32,
    first: u32,
    names: Vec<(NameNumber, BindingId)>,
    candidates: Vec<Candidate>,
    /// Where it begins in the source.
    pub(super) start: u32,
    /// The case of a switch that is being walked.
    pub(super) case: Option<Span>,
    /// Whether the walk is inside a nested statement, such as the body of a loop.
    pub(super) is_in_statement: bool,
}

/// The state of the walk.
#[derive(Default)]
pub(super) struct Walk<'p, 'a> {
    names: Names<'a>,
    /// What the check has found references to mean, as long as the tree has its numbers.
    scoping: Option<Box<Scoping>>,
    /// By symbol of the check, the number of its name once it is known.
    names_of_symbols: Vec<Option<NameNumber>>,
    /// The number of `arguments`, once it is needed.
    arguments: Option<NameNumber>,
    /// All references so far, by their sequence.
    references: Vec<Waiting<'p>>,
    /// By name, the last reference that waits.
    waiting: Vec<Option<u32>>,
    pub(super) open: Vec<Open>,
    /// The `var`s that a top-level statement of a function body initializes.
    pub(super) vars_of_bodies: Vec<BindingId>,
    /// By name, its binding in the innermost scope that declares it and has not ended.
    declared: Vec<Option<BindingId>>,
    /// By binding, the next one of its name around it.
    around: Vec<Option<BindingId>>,
    /// Lists of names that are no longer needed.
    spare: Vec<Vec<(NameNumber, BindingId)>>,
    pub(super) bindings: Vec<Binding>,
    pub(super) functions: Vec<FunctionScope<'p, 'a>>,
    pub(super) classes: Vec<ClassScope<'p, 'a>>,
    num_scopes: u32,
    pub(super) annex_b: HashMap<u32, BindingId, RandomState>,
    pub(super) alone: HashMap<u32, ScopeNumber, RandomState>,
    /// The function being walked.
    pub(super) function: u32,
    /// Functions that capture bindings of others.
    pub(super) captured: Vec<(BindingId, u32)>,
    /// What each function captures, function by function.
    pub(super) listed: Vec<BindingId>,
    /// By function, the last binding that it was found to capture; all references to a binding are resolved in a row.
    pub(super) last_captured: Vec<Option<BindingId>>,
    /// What a module exports, by the cells of the tree.
    pub(super) exported: Vec<Target<'p>>,
    pub(super) default_export: Option<BindingId>,
    /// The heads of classes around, the innermost last.
    pub(super) heads: Vec<Head<'p, 'a>>,
    /// The sloppy function whose class head is being walked; code in the head is strict.
    pub(super) strict_in_sloppy: Option<u32>,
    /// Where there is a `yield`, or an iteration that awaits.
    pub(super) yields: Vec<u32>,
}

impl<'p, 'a> Walk<'p, 'a> {
    /// Makes room for what a source of `size` bytes usually contains.
    pub(super) fn expect(&mut self, size: usize) {
        self.names.reserve(size / 256);
        self.references.reserve(size / 32);
        for table in [&mut self.around, &mut self.last_captured] {
            table.reserve(size / 128);
        }
        self.bindings.reserve(size / 128);
        self.functions.reserve(size / 512);
    }

    pub(super) fn use_scoping(&mut self, scoping: Option<Box<Scoping>>) {
        self.names_of_symbols = vec![None; scoping.as_ref().map_or(0, |scoping| scoping.symbols_len())];
        self.scoping = scoping;
    }

    /// The name that a reference mentions: all references to a symbol mention one, so most need no look-up.
    fn name_of(&mut self, id: &ast::IdentifierReference<'a>) -> NameNumber {
        let reference = self.scoping.as_ref().zip(id.reference_id.get());
        let symbol = reference.and_then(|(scoping, reference)| scoping.get_reference(reference).symbol_id());
        let Some(symbol) = symbol else { return self.name(id.name) };
        if let Some(name) = self.names_of_symbols[symbol.index()] {
            return name;
        }
        let name = self.name(id.name);
        self.names_of_symbols[symbol.index()] = Some(name);
        name
    }

    /// A mention of a name, by an expression or as what is assigned.
    pub(super) fn reference(&mut self, id: &'p ast::IdentifierReference<'a>, writes: bool) {
        let name = self.name_of(id);
        self.refer(name, Target::Reference(&id.reference_id), super::place_of(id.span), writes);
    }

    pub(super) fn name(&mut self, text: Ident<'a>) -> NameNumber {
        let number = self.names.number(text);
        if number as usize == self.waiting.len() {
            self.waiting.push(None);
            self.declared.push(None);
        }
        number
    }

    fn arguments_name(&mut self) -> NameNumber {
        if let Some(number) = self.arguments {
            return number;
        }
        let number = self.name("arguments".into());
        self.arguments = Some(number);
        number
    }

    /// Begins a scope, and writes its number into the tree.
    pub(super) fn enter(&mut self, kind: ScopeKind, cell: Option<&Cell<Option<ScopeId>>>, start: u32) -> ScopeNumber {
        let number = ScopeNumber(self.num_scopes);
        self.num_scopes += 1;
        if let Some(cell) = cell {
            cell.set(Some(ScopeId::from_usize(number.0 as usize)));
        }
        let (function, first) = (self.function, self.references.len() as u32);
        self.open.push(Open {
            number,
            kind,
            function,
            first,
            names: self.spare.pop().unwrap_or_default(),
            candidates: Vec::new(),
            start,
            case: None,
            is_in_statement: false,
        });
        number
    }

    /// Ends the innermost scope: what waits for its names is resolved.
    pub(super) fn leave(&mut self) {
        let Some(mut scope) = self.open.pop() else { return };
        self.settle_candidates(&mut scope);
        self.resolve_names(scope.names, scope.first);
    }

    /// [`leave`](Self::leave), which also tells whether the scope declares `arguments` by `var`.
    pub(super) fn leave_with_arguments(&mut self) -> bool {
        let Some(mut scope) = self.open.pop() else { return false };
        self.settle_candidates(&mut scope);
        let arguments = self.arguments_name();
        let is_var = |&(name, id): &(NameNumber, BindingId)| {
            name == arguments && self.bindings[id.index()].kind == BindingKind::Var
        };
        let has_var = scope.names.iter().any(is_var);
        self.resolve_names(scope.names, scope.first);
        has_var
    }

    /// Resolves the references from number `first` on that wait for the names of the scope that has just been left.
    fn resolve_names(&mut self, mut names: Vec<(NameNumber, BindingId)>, first: u32) {
        for &(name, binding) in &names {
            self.declared[name as usize] = self.around[binding.index()];
            while let Some(last) = self.waiting[name as usize].filter(|&last| last >= first) {
                let waiting = self.references[last as usize];
                self.waiting[name as usize] = waiting.previous;
                self.resolve(waiting, binding);
            }
        }
        names.clear();
        self.spare.push(names);
    }

    /// Hands the functions in blocks on to the scope around, or gives them a variable.
    fn settle_candidates(&mut self, scope: &mut Open) {
        for candidate in std::mem::take(&mut scope.candidates) {
            let own = candidate.scope == scope.number;
            let found = self.find(scope.number, candidate.name);
            let kind = found.map(|id| self.bindings[id.index()].kind);
            let is_lexical = !own
                && kind.is_some_and(|kind| {
                    kind.has_dead_zone() || (kind == BindingKind::Function && scope.kind != ScopeKind::Body)
                });
            // A simple parameter of a catch clause is no obstacle.
            if is_lexical || kind == Some(BindingKind::Param) {
                continue;
            }
            if scope.kind == ScopeKind::Body {
                let binding = match found {
                    Some(binding) => binding,
                    None => {
                        let span = Span { start: candidate.at, end: candidate.at };
                        let binding = self.add(scope.number, scope.function, candidate.name, BindingKind::Var, span);
                        scope.names.push((candidate.name, binding));
                        binding
                    }
                };
                if !self.params_declare(candidate.name) {
                    self.bindings[binding.index()].is_written = true;
                    self.annex_b.insert(candidate.at, binding);
                }
            } else if let Some(outer) = self.open.last_mut() {
                outer.candidates.push(candidate);
            }
        }
    }

    /// Whether the scope of parameters around the body that has just been left declares `name`.
    fn params_declare(&self, name: NameNumber) -> bool {
        let around = self.open.last().filter(|scope| scope.kind == ScopeKind::Params);
        around.is_some_and(|scope| self.find(scope.number, name).is_some())
    }

    pub(super) fn add_candidate(&mut self, candidate: Candidate) {
        if let Some(scope) = self.open.last_mut() {
            scope.candidates.push(candidate);
        }
    }

    fn resolve(&mut self, waiting: Waiting<'p>, id: BindingId) {
        match waiting.target {
            Target::Reference(cell) => cell.set(Some(ReferenceId::from_usize(id.index()))),
            Target::Symbol(cell) => cell.set(Some(SymbolId::from_usize(id.index()))),
        }
        let binding = &self.bindings[id.index()];
        let is_own = binding.kind == BindingKind::Var && waiting.writes && waiting.at == binding.span.start;
        if is_own && binding.initialized_at != 0 {
            return;
        }
        let is_early = may_be_early(binding, &self.functions, waiting.at, waiting.function);
        let binding = &mut self.bindings[id.index()];
        binding.is_written |= waiting.writes;
        if waiting.function == binding.function {
            binding.is_used_early |= is_early;
            // Only the head of a class can mention it outside of an inner function.
            if binding.kind == BindingKind::ClassSelf {
                let span = binding.span;
                self.note_dynamic(MemoryReason::ClassHead, span);
            }
            return;
        }
        binding.is_captured = true;
        binding.is_captured_early |= is_early;
        if self.last_captured[waiting.function as usize].replace(id) != Some(id) {
            self.captured.push((id, waiting.function));
        }
    }

    /// A mention of a name, which waits for its binding; until then it is global.
    pub(super) fn refer(&mut self, name: NameNumber, target: Target<'p>, at: u32, writes: bool) {
        match target {
            Target::Reference(cell) => cell.set(None),
            Target::Symbol(cell) => cell.set(None),
        }
        let name = name as usize;
        let sequence = self.references.len() as u32;
        let previous = self.waiting[name].replace(sequence);
        self.references.push(Waiting { target, at, function: self.function, writes, previous });
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, text: Ident<'a>, kind: BindingKind, span: Span) -> BindingId {
        let innermost = self.open.len() - 1;
        self.declare_in(innermost, text, kind, span)
    }

    /// Declares a name in the scope of the function's body.
    pub(super) fn declare_var(&mut self, text: Ident<'a>, kind: BindingKind, span: Span) -> BindingId {
        let place = self.open.iter().rposition(|scope| scope.kind == ScopeKind::Body).unwrap_or(0);
        self.declare_in(place, text, kind, span)
    }

    fn declare_in(&mut self, place: usize, text: Ident<'a>, kind: BindingKind, span: Span) -> BindingId {
        let name = self.name(text);
        let Open { number, function, case, .. } = self.open[place];
        if let Some(id) = self.find(number, name) {
            // Declared again: a `var` leaves it as it is, a function takes over from a variable.
            let binding = &mut self.bindings[id.index()];
            if kind == BindingKind::Function {
                match binding.kind {
                    BindingKind::Var => binding.kind = kind,
                    BindingKind::Param | BindingKind::CatchParam => binding.is_written = true,
                    _ => {}
                }
            }
            return id;
        }
        let id = self.add(number, function, name, kind, span);
        if let Some(case) = case.filter(|_| self.open[place].kind == ScopeKind::Switch && kind.has_dead_zone()) {
            self.bindings[id.index()].initialized_until = case.end;
        }
        self.open[place].names.push((name, id));
        id
    }

    fn add(&mut self, scope: ScopeNumber, function: u32, name: NameNumber, kind: BindingKind, span: Span) -> BindingId {
        let id = BindingId(self.bindings.len() as u32);
        self.bindings.push(Binding {
            name: self.names.spellings[name as usize].clone(),
            kind,
            function,
            scope,
            span,
            initialized_at: 0,
            initialized_until: u32::MAX,
            is_written: false,
            is_captured: false,
            is_captured_early: false,
            is_used_early: false,
            is_exported: false,
            param: None,
            storage: Storage::Local,
        });
        self.link(scope, name, id);
        id
    }

    /// The binding of a name in a scope that has not ended.
    fn find(&self, scope: ScopeNumber, name: NameNumber) -> Option<BindingId> {
        let mut at = self.declared[name as usize];
        while let Some(id) = at {
            let found = self.bindings[id.index()].scope;
            if found.0 <= scope.0 {
                return (found == scope).then_some(id);
            }
            at = self.around[id.index()];
        }
        None
    }

    /// Puts a new binding among those of its name: inner scopes have greater numbers, and come first.
    fn link(&mut self, scope: ScopeNumber, name: NameNumber, id: BindingId) {
        let (mut inner, mut at) = (None, self.declared[name as usize]);
        while let Some(other) = at.filter(|other| self.bindings[other.index()].scope.0 > scope.0) {
            (inner, at) = (Some(other), self.around[other.index()]);
        }
        self.around.push(at);
        match inner {
            Some(inner) => self.around[inner.index()] = Some(id),
            None => self.declared[name as usize] = Some(id),
        }
    }

    /// Whether a reference to `arguments` has been waiting since the innermost scope began, and nothing there declares it.
    pub(super) fn waits_for_arguments(&mut self) -> bool {
        let name = self.arguments_name();
        let Some(scope) = self.open.last() else { return false };
        let waits = self.waiting[name as usize].is_some_and(|last| last >= scope.first);
        waits
            && !scope
                .names
                .iter()
                .any(|&(declared, id)| declared == name && self.bindings[id.index()].kind != BindingKind::Var)
    }

    /// The binding of a default export that has no name.
    pub(super) fn default_export(&mut self, kind: BindingKind, span: Span) -> BindingId {
        let id = self.declare("*default*".into(), kind, span);
        self.default_export = Some(id);
        id
    }

    /// Other modules see it, at any time.
    fn mark_exported(&mut self, index: usize) {
        let binding = &mut self.bindings[index];
        binding.is_captured = true;
        binding.is_captured_early = true;
        binding.is_exported = true;
    }

    /// The end of the file: what still waits is global.
    pub(super) fn finish(mut self) -> Scopes<'p, 'a> {
        for target in std::mem::take(&mut self.exported) {
            let found = match target {
                Target::Reference(cell) => cell.get().map(|id| id.index()),
                Target::Symbol(cell) => cell.get().map(|id| id.index()),
            };
            if let Some(index) = found {
                self.mark_exported(index);
            }
        }
        if let Some(id) = self.default_export {
            self.mark_exported(id.index());
        }
        self.decide_storage();
        let free = self.free();
        let by_scope = ByScope::new(&self.bindings, self.num_scopes);
        let Self { names, bindings, functions, classes, listed, annex_b, alone, default_export, mut yields, .. } = self;
        yields.sort_unstable();
        Scopes {
            bindings,
            functions,
            classes,
            by_scope,
            captured: listed,
            names,
            annex_b,
            alone,
            default_export,
            yields,
            free,
            has_erased_types: false,
        }
    }

    /// The names that nothing in the file declares, with the functions that mention them.
    fn free(&self) -> Vec<(Name, u32)> {
        let mut free = Vec::new();
        for (name, &last) in self.names.spellings.iter().zip(&self.waiting) {
            let mut at = last;
            while let Some(reference) = at {
                let waiting = &self.references[reference as usize];
                free.push((name.clone(), waiting.function));
                at = waiting.previous;
            }
        }
        free
    }
}

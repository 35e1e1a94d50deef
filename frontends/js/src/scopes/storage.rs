//! Where each binding is held.

use super::resolve::Walk;
use super::{Binding, BindingId, BindingKind, Captures, FunctionScope, Storage};
use crate::program::{FunctionKind, InMemory, MemoryReason};
use crate::source::WRAPPER_PARAMS;

impl Walk<'_, '_> {
    pub(super) fn decide_storage(&mut self) {
        for index in 0..self.functions.len() {
            self.note_aliases(index);
        }
        self.find_constant_vars();
        for binding in &mut self.bindings {
            binding.storage = storage(binding, &self.functions);
        }
        let is_named = |binding: &Binding| binding.function == 0 && binding.storage == Storage::Named;
        let top = &mut self.functions[0];
        if top.kind == FunctionKind::Script && self.bindings.iter().any(is_named) {
            top.memory.push(InMemory { reason: MemoryReason::Global, span: top.span });
        }
        self.collect_captures();
    }

    /// Makes constants of the captured `var`s that nothing mentions before their declaration, and nothing assigns again.
    fn find_constant_vars(&mut self) {
        for id in std::mem::take(&mut self.vars_of_bodies) {
            let binding = &self.bindings[id.index()];
            let is_early = binding.is_used_early || binding.is_captured_early;
            let is_script = self.functions[binding.function as usize].kind == FunctionKind::Script;
            let is_other = is_script || binding.is_exported || is_param_of_wrapper(binding, &self.functions);
            let is_constant = !is_early && !binding.is_written && !is_other;
            let binding = &mut self.bindings[id.index()];
            if binding.kind == BindingKind::Var && binding.is_captured && is_constant {
                binding.kind = BindingKind::Const;
            } else {
                binding.initialized_at = 0;
                binding.is_written = true;
                binding.is_used_early = false;
                binding.is_captured_early = binding.is_exported;
            }
        }
    }

    /// Notes that `arguments` of sloppy code aliases the parameters, where that can be seen.
    fn note_aliases(&mut self, index: usize) {
        let function = &self.functions[index];
        let Some(arguments) = function.arguments else { return };
        let is_mapped = !function.is_strict && function.params == function.body;
        let has_writes = || {
            let params =
                self.bindings.iter().filter(|binding| binding.function as usize == index && binding.param.is_some());
            params.into_iter().any(|binding| binding.is_written)
        };
        if is_mapped && (function.arguments_escape || self.bindings[arguments.index()].is_written || has_writes()) {
            let span = function.span;
            self.functions[index].memory.push(InMemory { reason: MemoryReason::Arguments, span });
        }
    }

    /// What each function captures: of a captured cell all functions on the way know.
    fn collect_captures(&mut self) {
        // By function, the last binding noted there: all that capture a binding come in a row.
        let mut last = vec![None; self.functions.len()];
        let mut all: Vec<(u32, BindingId)> = Vec::with_capacity(self.captured.len());
        for &(id, function) in &self.captured {
            let binding = &self.bindings[id.index()];
            if !matches!(binding.storage, Storage::Shared { .. } | Storage::Cell | Storage::Aliased(_)) {
                continue;
            }
            let mut at = function;
            while at != binding.function && last[at as usize].replace(id) != Some(id) {
                all.push((at, id));
                self.functions[at as usize].captures.end += 1;
                let Some(parent) = self.functions[at as usize].parent else { break };
                at = parent;
            }
        }
        self.list_captures(&all);
        for class in &mut self.classes {
            let start = self.listed.len();
            for &function in class.functions.iter().flatten() {
                let Captures { start, end } = self.functions[function as usize].captures;
                self.listed.extend_from_within(start as usize..end as usize);
            }
            self.listed[start..].sort_unstable();
            let mut captures = self.listed.split_off(start);
            captures.dedup();
            self.listed.append(&mut captures);
            class.captures = Captures { start: start as u32, end: self.listed.len() as u32 };
            for &function in class.functions.iter().flatten() {
                self.functions[function as usize].captures = class.captures;
            }
        }
    }

    /// Lists what functions capture, function by function; `end` is how many there are.
    fn list_captures(&mut self, all: &[(u32, BindingId)]) {
        let mut next = 0;
        for function in &mut self.functions {
            let number = function.captures.end;
            function.captures = Captures { start: next, end: next };
            next += number;
        }
        self.listed = vec![BindingId(0); all.len()];
        for &(function, id) in all {
            let captures = &mut self.functions[function as usize].captures;
            self.listed[captures.end as usize] = id;
            captures.end += 1;
        }
    }
}

fn is_param_of_wrapper(binding: &Binding, functions: &[FunctionScope<'_, '_>]) -> bool {
    functions[binding.function as usize].kind == FunctionKind::CommonJs
        && binding.is_top(functions)
        && WRAPPER_PARAMS.contains(&&*binding.name)
}

fn storage(binding: &Binding, functions: &[FunctionScope<'_, '_>]) -> Storage {
    let function = &functions[binding.function as usize];
    let is_native = matches!(binding.kind, BindingKind::FunctionSelf | BindingKind::ClassSelf | BindingKind::Import);
    let is_aliased = || function.memory.iter().any(|memory| memory.reason == MemoryReason::Arguments);
    match (binding.kind, binding.param) {
        _ if function.is_verbatim => Storage::Named,
        _ if is_native => Storage::Native,
        (BindingKind::Arguments, _) if binding.is_written => Storage::Named,
        (BindingKind::Arguments, _) => Storage::Native,
        _ if function.kind == FunctionKind::Script && binding.is_top(functions) => Storage::Named,
        // A parameter of the function that node puts around the file.
        (BindingKind::Var, _) if is_param_of_wrapper(binding, functions) => Storage::Named,
        (_, Some(number)) if is_aliased() => Storage::Aliased(number),
        _ if !binding.is_captured => Storage::Local,
        _ if binding.is_written => Storage::Cell,
        (BindingKind::Var | BindingKind::Function, _) => Storage::Shared { is_early: true },
        _ => Storage::Shared { is_early: binding.is_captured_early },
    }
}

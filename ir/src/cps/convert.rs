//! Converts blocks to continuations.
//!
//! The code comes from a function. Parameters and arguments come from
//! [`OpenCalls`]: from the function's phis, or from the lists that a builder
//! kept until the end. Either way, the same code and the same phis give the
//! same continuations.
//!
//! | of the function | of its continuations |
//! |---|---|
//! | block | continuation |
//! | phi | parameter |
//! | operand | argument of the jump |
//! | edge of a branch to a block with phis | continuation without parameters that jumps on |
//! | result of a terminator | parameter of the continuation at slot 0 |
//! | call in the middle of a block | end of a continuation; its results are the parameters of the next |

use super::error::NotSsa;
use super::open::OpenCalls;
use super::tables::{BindingData, ContinuationData, Run, Tables, TailData, ValueData, ValueKind};
use super::{Continuation, Cps, TailKind};
use crate::dialect::{Control, Semantics};
use crate::function::{self, Action, Arg, Dest, Function, InstRef};
use ssaphire_graph::{Block, Value};
use std::sync::Arc;

impl<D: Semantics> Cps<D> {
    /// Converts a function in SSA form to continuations.
    ///
    /// # Errors
    /// If the function is not in SSA form, or violates a rule of its data structure.
    ///
    /// # Complexity
    /// O(size of the function), but for sorting the phis of each block.
    pub fn of(function: &Function<D>) -> Result<Self, NotSsa> {
        if function.has_accesses() {
            return Err(NotSsa::HasVariables);
        }
        if let Some(&error) = function.check_form().first() {
            return Err(NotSsa::Form(error));
        }
        let entry = function.entry();
        if let Some(phi) = function.block(entry).phis().get(0) {
            return Err(NotSsa::PhiInEntry { entry, phi: phi.value });
        }
        Ok(Self::with_calls(function, &OpenCalls::of_function(function), |value| value))
    }

    /// The continuations of the code of `function`, whose values stand for what `resolve` says.
    pub(crate) fn with_calls(function: &Function<D>, open: &OpenCalls, resolve: impl Fn(Value) -> Value) -> Self {
        let num_blocks = function.num_blocks();
        let mut conversion = Conversion {
            function,
            open,
            resolve,
            tables: Tables::default(),
            heads: vec![None; num_blocks],
            bound_by: vec![None; num_blocks],
            values: vec![None; function.num_values()],
            names: vec![None; function.num_variables()],
        };
        conversion.convert_all();
        Self { name: function.name().to_owned(), tables: conversion.tables }
    }

    /// Number of parameters that were phis, over all continuations.
    pub fn num_params(&self) -> usize {
        let takes_args = |of: Continuation| {
            let tail = self.tail(of);
            tail.continuations.first().copied().filter(|_| tail.kind == TailKind::Jump)
        };
        let mut is_jumped_to = vec![false; self.num_continuations()];
        self.continuations().filter_map(takes_args).for_each(|to| is_jumped_to[to.index()] = true);
        self.continuations().filter(|of| is_jumped_to[of.index()]).map(|of| self.params(of).len()).sum()
    }
}

/// Marks a target that is a block: it is replaced with the number of the block's continuation at the end.
const IS_BLOCK: u32 = 1 << 31;

/// A conversion in progress.
struct Conversion<'f, D: Semantics, F> {
    function: &'f Function<D>,
    open: &'f OpenCalls,
    resolve: F,
    tables: Tables<D>,
    /// By block, its continuation.
    heads: Vec<Option<Continuation>>,
    /// By block, the predecessor whose terminator's results are its parameters.
    bound_by: Vec<Option<Block>>,
    /// By value of the function, the value of the continuations.
    values: Vec<Option<Value>>,
    /// By variable, the index of its name.
    names: Vec<Option<u32>>,
}

/// A continuation that is not complete yet.
struct Begun {
    label: Option<Arc<str>>,
    params: Run,
    /// The index of its first operation.
    first: u32,
    origin: Option<(Block, u32)>,
}

impl<D: Semantics, F: Fn(Value) -> Value> Conversion<'_, D, F> {
    fn convert_all(&mut self) {
        let entry = self.function.entry();
        let is_reachable = self.reachable();
        let params: Vec<Value> = self.function.params().iter().map(|param| param.value).collect();
        let is_entered_again = self.is_entered(entry, &is_reachable);
        if is_entered_again {
            let begun = self.begin(None, &params, None);
            let continuations = self.tables.add_targets([head_of(entry)]);
            let tail = TailData { op: None, kind: TailKind::Jump, args: Run::default(), continuations };
            self.end(begun, tail);
        }
        self.convert(entry, if is_entered_again { &[] } else { &params });
        for block in self.function.blocks() {
            if is_reachable[block.index()] && block != entry {
                let params = self.params_of(block);
                self.convert(block, &params);
            }
        }
        self.name_targets();
    }

    /// The reachable blocks. Also notes where the results of terminators are parameters.
    fn reachable(&mut self) -> Vec<bool> {
        let mut is_reachable = vec![false; self.function.num_blocks()];
        let mut work = vec![self.function.entry()];
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut is_reachable[block.index()], true) {
                continue;
            }
            let Some(last) = self.function.block(block).insts().last() else { continue };
            work.extend(last.targets);
            if let Some(normal) = last.targets.first().filter(|_| !last.results.is_empty()) {
                self.bound_by[normal.index()] = Some(block);
            }
        }
        is_reachable
    }

    fn is_entered(&self, entry: Block, is_reachable: &[bool]) -> bool {
        let sources = self.function.blocks().filter(|source| is_reachable[source.index()]);
        sources.into_iter().any(|source| self.function.block(source).targets().contains(&entry))
    }

    /// The parameters of a block's continuation: its phis, or the results of the terminator before it.
    fn params_of(&self, block: Block) -> Vec<Value> {
        let phis = self.open.params(block);
        match self.bound_by[block.index()].filter(|_| phis.is_empty()) {
            Some(source) => self.results_of_terminator(source),
            None => phis.iter().map(|phi| phi.value).collect(),
        }
    }

    fn results_of_terminator(&self, block: Block) -> Vec<Value> {
        self.function.block(block).insts().last().into_iter().flat_map(InstRef::defined_values).collect()
    }

    /// Creates the continuations of a block: one, and one more after each call.
    fn convert(&mut self, block: Block, params: &[Value]) {
        let data = self.function.block(block);
        self.heads[block.index()] = Some(Continuation(self.tables.continuations.len() as u32));
        let mut begun = self.begin(data.name(), params, Some((block, 0)));
        let num_insts = data.insts().len();
        for (index, inst) in data.insts().iter().enumerate() {
            if index + 1 == num_insts {
                return self.end_block(block, inst, begun);
            }
            match inst.action {
                Action::Op(op) if D::control(op) == Control::Call => {
                    begun = self.end_at_call(inst, begun, (block, index as u32 + 1));
                }
                _ => self.bind(inst),
            }
        }
        // A block without instructions violates a rule, which running it reports.
        self.end(
            begun,
            TailData { op: None, kind: TailKind::Operation, args: Run::default(), continuations: Run::default() },
        );
    }

    fn begin(&mut self, label: Option<&str>, params: &[Value], origin: Option<(Block, u32)>) -> Begun {
        let params = self.list(params.iter().copied());
        Begun { label: label.map(Arc::from), params, first: self.tables.bindings.len() as u32, origin }
    }

    fn end(&mut self, begun: Begun, tail: TailData<D::Op>) {
        let Begun { label, params, first, origin } = begun;
        let bindings = Run { start: first, end: self.tables.bindings.len() as u32 };
        self.tables.continuations.push(ContinuationData { label, params, bindings, tail, origin });
    }

    fn bind(&mut self, inst: InstRef<'_, D>) {
        let args = self.list(inst.args.iter().copied().filter_map(read));
        let results = self.list(inst.results.iter().copied().filter_map(written));
        self.tables.bindings.push(BindingData { action: inst.action.clone(), args, results });
    }

    /// Ends a continuation with a call; the next one takes its results.
    fn end_at_call(&mut self, inst: InstRef<'_, D>, begun: Begun, origin: (Block, u32)) -> Begun {
        let Action::Op(op) = inst.action else { return begun };
        let args = self.list(inst.args.iter().copied().filter_map(read));
        let next = Continuation(self.tables.continuations.len() as u32 + 1);
        let continuations = self.tables.add_targets([next]);
        self.end(begun, TailData { op: Some(op.clone()), kind: TailKind::Call, args, continuations });
        let results: Vec<Value> = inst.defined_values().collect();
        self.begin(None, &results, Some(origin))
    }

    /// Ends the continuation of a block as the block ends.
    fn end_block(&mut self, block: Block, inst: InstRef<'_, D>, begun: Begun) {
        let Action::Op(op) = inst.action else {
            // A block that ends with a copy violates a rule, too.
            self.bind(inst);
            let (args, continuations) = (Run::default(), Run::default());
            return self.end(begun, TailData { op: None, kind: TailKind::Operation, args, continuations });
        };
        if let (&[target], []) = (inst.targets, inst.args)
            && *op == D::jump()
        {
            let args = self.list(self.open.args(block, 0, target).iter().copied());
            let continuations = self.tables.add_targets([head_of(target)]);
            return self.end(begun, TailData { op: Some(op.clone()), kind: TailKind::Jump, args, continuations });
        }
        let args = self.list(inst.args.iter().copied().filter_map(read));
        // Continuations for edges come right after, in slot order.
        let mut next = self.tables.continuations.len() as u32 + 1;
        let mut targets = function::List::<Continuation, 4>::new();
        for (slot, &target) in inst.targets.iter().enumerate() {
            targets.push(match self.open.args(block, slot, target) {
                [] => head_of(target),
                _ => {
                    next += 1;
                    Continuation(next - 1)
                }
            });
        }
        let continuations = self.tables.add_targets(targets);
        self.end(begun, TailData { op: Some(op.clone()), kind: TailKind::Operation, args, continuations });
        for (slot, &target) in inst.targets.iter().enumerate() {
            self.pass_on(block, slot, target);
        }
    }

    /// Makes the continuation for an edge of a branch, if that edge passes arguments.
    fn pass_on(&mut self, block: Block, slot: usize, target: Block) {
        let passed = self.open.args(block, slot, target);
        if passed.is_empty() {
            return;
        }
        let results = if slot == 0 { self.results_of_terminator(block) } else { Vec::new() };
        let begun = self.begin(None, &results, None);
        let args = self.list(passed.iter().copied());
        let continuations = self.tables.add_targets([head_of(target)]);
        self.end(begun, TailData { op: None, kind: TailKind::Jump, args, continuations });
    }

    /// Replaces the blocks among the targets with their continuations.
    fn name_targets(&mut self) {
        for target in &mut self.tables.targets {
            if target.0 & IS_BLOCK != 0 {
                // Only edges of reachable blocks are here.
                *target = self.heads[(target.0 & !IS_BLOCK) as usize].unwrap_or(Continuation::BODY);
            }
        }
    }

    fn list(&mut self, values: impl Iterator<Item = Value>) -> Run {
        let start = self.tables.lists.len() as u32;
        for value in values {
            let value = self.value((self.resolve)(value));
            self.tables.lists.push(value);
        }
        Run { start, end: self.tables.lists.len() as u32 }
    }

    /// The value of the continuations; new values are numbered on their first mention.
    fn value(&mut self, old: Value) -> Value {
        if let Some(value) = self.values[old.index()] {
            return value;
        }
        let data = self.function.value(old);
        let kind = match data.kind {
            function::ValueKind::Constant(constant) => ValueKind::Constant(constant.clone()),
            function::ValueKind::Undefined => ValueKind::Undefined,
            _ => ValueKind::Bound,
        };
        let value = Value::new(self.tables.values.len());
        let is_constant = matches!(kind, ValueKind::Constant(_));
        let name = data.name.filter(|_| !is_constant).map(|variable| {
            *self.names[variable.index()].get_or_insert_with(|| {
                self.tables.names.push(self.function.variable_name(variable).into());
                self.tables.names.len() as u32 - 1
            })
        });
        self.tables.values.push(ValueData { kind, ty: data.ty.clone(), name });
        self.values[old.index()] = Some(value);
        value
    }
}

/// The placeholder for `block` in a jump, until all continuations have numbers.
fn head_of(block: Block) -> Continuation {
    Continuation(block.index() as u32 | IS_BLOCK)
}

fn read(arg: Arg) -> Option<Value> {
    match arg {
        Arg::Value(value) => Some(value),
        Arg::Variable(_) => None,
    }
}

fn written(dest: Dest) -> Option<Value> {
    match dest {
        Dest::Value(value) => Some(value),
        Dest::Variable(_) => None,
    }
}

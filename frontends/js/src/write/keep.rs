//! Which functions stay as they stand in the source.
//!
//! A function stays that no pass has changed, if its text means around it what it meant in the source: it mentions each
//! variable by its name there, and relies on the engine where a variable has a dead zone or is a constant.

use super::captures::Captured;
use super::code::{Code, Piece};
use super::constants::{CHECKS, CellUses};
use super::error::WriteError;
use super::insts::{all_insts, op_of};
use super::plan::Plans;
use crate::Program;
use crate::dialect::{Js, Name, Op, Opcode};
use crate::program::{Comment, FunctionId, FunctionKind};
use crate::source::Span;
use foldhash::fast::RandomState;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::{Function, are_isomorphic};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

/// Words in comments that tell bundlers how to load the module of an `import()`.
const BUNDLERS: [&str; 4] = ["webpack", "@vite-ignore", "turbopack", "rspack"];

/// What is known of functions that may stay as they stand in the source.
pub(super) struct Keeping {
    /// Whether functions may stay that need not.
    has_original: bool,
    /// By function, whether its source does what it has to do.
    is_unchanged: Vec<bool>,
    /// By function, those that stand in it, in their order.
    pub(super) inner: Vec<Vec<FunctionId>>,
    /// The captured cells that functions use in their dead zone.
    checks: CellUses,
    /// The functions of classes, whose code is strict without saying so.
    pub(super) in_class: HashSet<FunctionId, RandomState>,
}

impl Keeping {
    /// `original` is the program before the passes; without it, functions stay only if they have to.
    pub(super) fn new(program: &Program, original: Option<&Program>) -> Self {
        let original = original.filter(|_| !program.has_erased_types);
        let is_unchanged = match original {
            Some(original) => unchanged(program, original),
            None => vec![false; program.functions.len()],
        };
        let (has_original, checks) = (original.is_some(), CellUses::new(program, CHECKS));
        Self { has_original, is_unchanged, inner: inner(program), checks, in_class: in_class(program) }
    }

    /// The functions that passes have changed and whose comments tell bundlers how to load other modules.
    pub(super) fn with_instructions(&self, program: &Program, source: &str) -> Vec<FunctionId> {
        let text = |comment: &Comment| source.get(comment.span.start as usize..comment.span.end as usize);
        let instructs =
            |comment: &&Comment| text(comment).is_some_and(|text| BUNDLERS.iter().any(|&word| text.contains(word)));
        let found =
            program.comments.iter().filter(instructs).map(|comment| self.function_at(program, comment.span.start));
        found.filter(|id| self.has_original && !self.is_unchanged[id.index()]).collect()
    }

    /// The innermost function around a byte of the source.
    fn function_at(&self, program: &Program, at: u32) -> FunctionId {
        let mut around = FunctionId::TOP;
        loop {
            let inner = &self.inner[around.index()];
            let before = inner.partition_point(|&id| own_span(program, id).start <= at);
            match before.checked_sub(1).map(|last| inner[last]) {
                Some(id) if at < own_span(program, id).end => around = id,
                _ => return around,
            }
        }
    }

    /// Of the functions that call helpers, those that passes have changed: their sources call none.
    pub(super) fn better_as_source(&self, users: &BTreeSet<FunctionId>) -> Vec<FunctionId> {
        let may_stay = |id: &&FunctionId| self.has_original && !self.is_unchanged[id.index()];
        users.iter().filter(may_stay).copied().collect()
    }

    /// A function that cannot be written anew, if its source will do.
    pub(super) fn instead_of(&self, error: &WriteError) -> Option<FunctionId> {
        let function = error.function;
        (self.has_original && self.is_unchanged.get(function.index()) == Some(&false)).then_some(function)
    }

    /// Lets functions be again what they were before the passes.
    pub(super) fn prefer_source(
        &mut self,
        program: &mut Cow<'_, Program>,
        original: Option<&Program>,
        functions: &[FunctionId],
    ) {
        for &id in functions {
            if let Some(original) = original.and_then(|original| original.functions.get(id.index())) {
                program.to_mut().functions[id.index()].body = original.body.clone();
            }
            self.is_unchanged[id.index()] = true;
        }
        self.checks = CellUses::new(program, CHECKS);
    }

    /// Whether a function that gets these cells stays as it stands; `plans` has those of all functions around.
    pub(super) fn keeps(&self, program: &Program, plans: &Plans, id: FunctionId, captured: &[Captured]) -> bool {
        let function = &program.functions[id.index()];
        if function.is_verbatim || !self.is_unchanged[id.index()] {
            return function.is_verbatim;
        }
        let Some(parent) = function.parent else { return true };
        if !plans.kept[parent.index()] {
            let is_part = matches!(function.kind, FunctionKind::Field | FunctionKind::StaticBlock);
            let is_newly_strict =
                function.is_strict && !program.functions[parent.index()].is_strict && !self.in_class.contains(&id);
            if is_part || is_newly_strict {
                return false;
            }
        }
        if !plans.is_in_new[parent.index()] {
            return true;
        }
        // Where its text assigns a constant, the function around may have a variable.
        let assigns_constant = |op: &Op| op.opcode == Opcode::ThrowError;
        let fits = |(number, (name, (given, is_native))): (usize, (&Name, &Captured))| {
            **name == **given && (*is_native || !self.checks.has(id, number as u32))
        };
        !all_insts(&function.body).filter_map(op_of).any(assigns_constant)
            && captured.len() == function.captures.len()
            && function.captures.iter().zip(captured).enumerate().all(fits)
    }

    /// The text of a function that stays, and where functions stand in it.
    pub(super) fn code(&self, program: &Program, source: &str, id: FunctionId) -> Code {
        let function = &program.functions[id.index()];
        let span = match function.parent {
            None => Span { start: 0, end: source.len() as u32 },
            Some(_) => own_span(program, id),
        };
        let mut pieces = Vec::new();
        let mut at = span.start;
        for &id in &self.inner[id.index()] {
            let inner = own_span(program, id);
            if inner.start >= at && inner.end <= span.end {
                pieces.extend([Piece::Source(Span { start: at, end: inner.start }), Piece::Function(id)]);
                at = inner.end;
            }
        }
        pieces.push(Piece::Source(Span { start: at, end: span.end }));
        Code::Kept(pieces)
    }
}

/// What is replaced in the text around where a function is written anew: without its name or key.
fn own_span(program: &Program, id: FunctionId) -> Span {
    let function = &program.functions[id.index()];
    match function.kind {
        FunctionKind::Field | FunctionKind::StaticBlock => function.span,
        _ => Span { start: function.head.end, end: function.span.end },
    }
}

/// By function, whether it does the same as in `original`, in the same order.
fn unchanged(program: &Program, original: &Program) -> Vec<bool> {
    let mut functions = original.functions.iter();
    let is_unchanged = |function: &Function<Js>, original: &Function<Js>| {
        are_isomorphic(function, original)
            || matches!((tidy(function), tidy(original)), (Some(one), Some(other)) if are_isomorphic(&one, &other))
    };
    let functions = program
        .functions
        .iter()
        .map(|function| functions.next().is_some_and(|original| is_unchanged(&function.body, &original.body)));
    functions.collect()
}

/// A function without copies, redundant phis, empty blocks and unused values, which do not show in its text; none if its
/// graph breaks its contract.
fn tidy(function: &Function<Js>) -> Option<Function<Js>> {
    let mut tidy = function.clone();
    for pass in [Pass::Copies, Pass::RedundantPhis, Pass::EmptyBlocks, Pass::Unused] {
        pass.run(&mut tidy, PassOptions::default()).ok()?;
    }
    Some(tidy)
}

/// By function, those that stand in it, in source order.
fn inner(program: &Program) -> Vec<Vec<FunctionId>> {
    let mut inner = vec![Vec::new(); program.functions.len()];
    for (index, js) in program.functions.iter().enumerate() {
        if let Some(list) = js.parent.and_then(|parent| inner.get_mut(parent.index())) {
            list.push(FunctionId(index as u32));
        }
    }
    inner.iter_mut().for_each(|list: &mut Vec<FunctionId>| list.sort_by_key(|&id| own_span(program, id).start));
    inner
}

fn in_class(program: &Program) -> HashSet<FunctionId, RandomState> {
    let elements = program
        .classes
        .iter()
        .flat_map(|class| class.elements.iter().filter_map(|element| element.function).chain(class.constructor));
    elements.collect()
}

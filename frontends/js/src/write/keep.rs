//! Which functions stay as they stand in the source, and what functions are given by those that make them.
//!
//! A function stays that no pass has changed, if its text means around it what it meant in the source: it mentions each
//! variable by its name there, and relies on the engine where a variable has a dead zone or is a constant.

use super::code::{Code, Piece};
use super::constants::{CHECKS, CellUses};
use super::error::{Unwritable, WriteError};
use super::insts::{all_insts, num_args, op_of};
use super::plan::{Plan, Plans};
use crate::Program;
use crate::dialect::{Element, Immediates, Js, Name, Op, Opcode};
use crate::program::{Comment, FunctionId, FunctionKind};
use crate::source::Span;
use foldhash::fast::RandomState;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::{Arg, Function, are_isomorphic};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Words in comments that tell bundlers how to load the module of an `import()`.
const BUNDLERS: [&str; 4] = ["webpack", "@vite-ignore", "turbopack", "rspack"];

/// A captured cell: its name, and whether the engine guards its dead zone.
pub(super) type Captured = (String, bool);

/// What is known of functions that may stay as they stand in the source.
pub(super) struct Keeping {
    /// Whether functions may stay that need not.
    has_original: bool,
    /// By function, whether its source does what it has to do.
    is_unchanged: Vec<bool>,
    /// By function, those that stand in it, in their order.
    inner: Vec<Vec<FunctionId>>,
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

/// What functions are given by those around them: known with the function that holds them.
pub(super) struct HandedDown {
    /// By function, the cells that it captures, by number.
    pub(super) captured: Vec<Vec<Captured>>,
    /// By function, whether something makes it.
    pub(super) is_made: Vec<bool>,
}

impl HandedDown {
    pub(super) fn new(program: &Program) -> Self {
        let mut is_made = vec![false; program.functions.len()];
        for top in program.top.functions.iter().map(|&(_, id)| id).chain([FunctionId::TOP]) {
            is_made.iter_mut().skip(top.index()).take(1).for_each(|is_made| *is_made = true);
        }
        Self { captured: vec![Vec::new(); program.functions.len()], is_made }
    }

    /// What a function that stays gives to those in its text.
    pub(super) fn give_as_it_stands(&mut self, program: &Program, keeping: &Keeping, id: FunctionId) {
        let own: HashMap<String, bool, RandomState> = self.captured[id.index()].iter().cloned().collect();
        for &inner in &keeping.inner[id.index()] {
            let names = program.functions[inner.index()].captures.iter();
            // The engine guards what it declares itself.
            let captured = names.map(|name| (name.to_string(), own.get(&**name).copied().unwrap_or(true)));
            self.captured[inner.index()] = captured.collect();
            self.is_made[inner.index()] = true;
        }
    }

    /// What a function that is written anew gives to those that it makes.
    pub(super) fn give(&mut self, program: &Program, plan: &Plan, id: FunctionId) -> Result<(), WriteError> {
        let mut give = |function: u32, cells: &[Arg]| {
            self.is_made.iter_mut().skip(function as usize).take(1).for_each(|is_made| *is_made = true);
            let names: Option<Vec<_>> = cells.iter().map(|cell| plan.cell(cell)).collect();
            let known = self.captured.get_mut(function as usize);
            let fits = names.zip(known).is_some_and(|(names, known)| {
                // Several instructions may create the same function. Its text is written once, so all of them must pass
                // cells of the same names.
                let is_new = known.is_empty();
                if is_new {
                    known.clone_from(&names);
                }
                is_new || *known == names
            });
            if fits {
                Ok(())
            } else {
                Err(WriteError { function: id, span: program.functions[id.index()].span, what: Unwritable::Capture })
            }
        };
        for inst in all_insts(&plan.function) {
            let Some(op) = op_of(inst) else { continue };
            match (op.opcode, &op.immediates) {
                (Opcode::Closure, Immediates::Index(function)) => give(*function, inst.args)?,
                // The first argument is the name, the rest are cells.
                (Opcode::ClosureNamed, Immediates::Index(function)) => {
                    give(*function, inst.args.get(1..).unwrap_or_default())?;
                }
                (Opcode::Class | Opcode::ClassNamed, Immediates::Index(class)) => {
                    let Some(class) = program.classes.get(*class as usize) else { continue };
                    let cells = &inst.args[inst.args.len().saturating_sub(class.captures.len())..];
                    let functions =
                        class.elements.iter().filter_map(|element| element.function).chain(class.constructor);
                    functions.map(|function| function.0).try_for_each(|function| give(function, cells))?;
                }
                (Opcode::Object, Immediates::Layout(elements)) => {
                    let mut at = 0;
                    for element in &**elements {
                        if let Element::Method(method) = element {
                            let start = at + usize::from(method.name.is_none());
                            let end = start + method.cells as usize;
                            give(method.function.0, inst.args.get(start..end).unwrap_or_default())?;
                        }
                        at += num_args(element);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

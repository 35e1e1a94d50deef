//! Reads what has been written, and compares what it must have in common with the program.
//!
//! Whatever is wrong with a printer or a name shows here, as an error in place of another program.

use super::Written;
use super::ast::Ast;
use super::code::{Built, Code, Param};
use super::error::Mismatch;
use super::insts::op_of;
use crate::Program;
use crate::dialect::{Immediates, Js, JsString, Name, Opcode};
use crate::program::{FunctionId, FunctionKind, Import, ImportClause, Imported, JsFunction, Top};
use crate::scopes::{FunctionNode, FunctionScope, Scopes};
use crate::source::{Parsed, SourceKind, has_stack_for, with_parsed};
use foldhash::fast::RandomState;
use ssaphire_ir::{Block, Function, InstRef};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Compares a file with its program; `functions` are those in the text, by where their parameters begin.
pub(super) fn verify(
    program: &Program,
    ast: &Ast<'_>,
    written: &Written,
    functions: &[(u32, FunctionId)],
) -> Result<(), (FunctionId, Mismatch)> {
    let kind = match program.functions.first().map(|top| top.kind) {
        Some(FunctionKind::Module) => SourceKind::MODULE,
        Some(FunctionKind::CommonJs) => SourceKind::COMMON_JS,
        _ => SourceKind::SCRIPT,
    };
    let by_start: HashMap<u32, FunctionId, RandomState> = functions.iter().copied().collect();
    // What stays as it stands in the source may have some, too.
    let is_kept = |code: &Option<Code>| matches!(code, Some(Code::Kept(_)));
    let has_jsx = ast.has_jsx || ast.codes.iter().any(is_kept);
    let kind = if has_jsx { kind.with_jsx() } else { kind };
    // Without threads, a text may be nested too deeply to be parsed again.
    if !has_stack_for(&written.text, kind) {
        return Ok(());
    }
    let compared = with_parsed(&written.text, kind, |parsed| {
        let scopes = Scopes::new(&parsed);
        Comparison { program, ast, scopes: &scopes, by_start: &by_start }.compare(&parsed)
    });
    compared.unwrap_or_else(|errors| Err((FunctionId::TOP, Mismatch::Syntax(errors))))
}

struct Comparison<'c, 'p, 'a> {
    program: &'c Program,
    ast: &'c Ast<'c>,
    scopes: &'c Scopes<'p, 'a>,
    by_start: &'c HashMap<u32, FunctionId, RandomState>,
}

impl Comparison<'_, '_, '_> {
    fn compare(&self, parsed: &Parsed<'_>) -> Result<(), (FunctionId, Mismatch)> {
        // By function of the text, the one of the program.
        let mut origin = vec![None; self.scopes.functions.len()];
        origin[0] = Some(FunctionId::TOP);
        let mut num_found = 0;
        for (index, scope) in self.scopes.functions.iter().enumerate().skip(1) {
            let start = crate::lower::head(scope.node, scope.span.start).end;
            let is_function = matches!(scope.node, FunctionNode::Function(_) | FunctionNode::Arrow(_));
            let found = self.by_start.get(&start).filter(|_| is_function);
            let Some(&id) = found else {
                // An arrow function that only the text has is a part of the function around it.
                let around = scope.parent.and_then(|parent| origin[parent as usize]);
                let is_arrow = matches!(scope.node, FunctionNode::Arrow(_));
                origin[index] = around.filter(|&around| is_arrow && around != FunctionId::TOP);
                continue;
            };
            let js = &self.program.functions[id.index()];
            if !is_like(scope, js, self.ast.built(id)) {
                return Err((id, Mismatch::Function));
            }
            origin[index] = Some(id);
            num_found += 1;
        }
        if num_found != self.by_start.len() {
            return Err((FunctionId::TOP, Mismatch::Function));
        }
        self.compare_names(&origin)?;
        if self.program.functions[0].kind == FunctionKind::Module {
            compare_modules(&self.program.top, &crate::lower::declarations(self.scopes, parsed))?;
        }
        Ok(())
    }

    /// What is free in the text is free in the program, and the other way round.
    fn compare_names(&self, origin: &[Option<FunctionId>]) -> Result<(), (FunctionId, Mismatch)> {
        let free: HashSet<(FunctionId, &Name), RandomState> =
            self.program.free.iter().map(|(id, name)| (*id, name)).collect();
        let mut mentioned: HashSet<(FunctionId, &Name), RandomState> = HashSet::default();
        for &(ref name, function) in &self.scopes.free {
            // Which function it belongs to, the text says in its own way.
            if let Some(id) = origin[function as usize].filter(|_| &**name != "arguments") {
                mentioned.insert((id, name));
            }
        }
        let is_kept = |id: FunctionId| matches!(self.ast.codes.get(id.index()), Some(Some(Code::Kept(_))));
        let written: HashSet<FunctionId, RandomState> = origin.iter().flatten().copied().collect();
        // Of what the source mentions, the text mentions all but what stands where control never comes.
        let mut meant: HashSet<(FunctionId, &Name), RandomState> = HashSet::default();
        for (id, name) in &self.program.free {
            if written.contains(id) && is_kept(*id) && &**name != "arguments" {
                meant.insert((*id, name));
            }
        }
        let mut may_mention = meant.clone();
        for &id in origin.iter().flatten() {
            let drops_code = self.ast.built(id).is_none_or(Built::drops_code);
            for op in reachable_insts(&self.program.functions[id.index()].body).filter_map(op_of) {
                let Immediates::Name(name) = &op.immediates else { continue };
                let is_free = matches!(
                    op.opcode,
                    Opcode::GetName | Opcode::TypeofName | Opcode::SetName | Opcode::DeleteName | Opcode::InitName
                );
                if is_free && &**name != "arguments" {
                    may_mention.insert((id, name));
                    // The operations reach by name what a script or a function with a direct `eval` declares, too.
                    if !drops_code && free.contains(&(id, name)) {
                        meant.insert((id, name));
                    }
                }
            }
        }
        let wrong = mentioned.difference(&may_mention).min();
        match wrong.or_else(|| meant.difference(&mentioned).min()) {
            Some(&(id, name)) => Err((id, Mismatch::Name(name.clone()))),
            None => Ok(()),
        }
    }
}

/// The instructions of the blocks to which control may come.
fn reachable_insts(function: &Function<Js>) -> impl Iterator<Item = InstRef<'_, Js>> {
    let mut is_seen = vec![false; function.num_blocks()];
    let mut work: Vec<Block> = vec![function.entry()];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut is_seen[block.index()], true) {
            work.extend(function.block(block).insts().iter().flat_map(|inst| inst.targets));
        }
    }
    let reachable = function.blocks().filter(move |block| is_seen[block.index()]);
    reachable.flat_map(|block| function.block(block).insts().iter())
}

/// Whether a function of the text is what a function of the program is from outside.
fn is_like(scope: &FunctionScope<'_, '_>, js: &JsFunction, built: Option<&Built>) -> bool {
    let params = crate::lower::params(scope.node);
    let num_params = match scope.node {
        FunctionNode::Function(function) => function.params.items.len(),
        FunctionNode::Arrow(arrow) => arrow.params.items.len(),
        _ => 0,
    };
    let is_single = |param: &&Param| {
        matches!(param, Param::Plain(_) | Param::Optional(_) | Param::Default(..) | Param::Pattern(..))
    };
    let has_params = |built: &Built| {
        let num_single = built.params.iter().filter(is_single).count();
        num_params == num_single && params.has_rest == (num_single < built.params.len())
    };
    scope.kind == js.kind
        && (scope.is_async, scope.is_generator, scope.is_strict) == (js.is_async, js.is_generator, js.is_strict)
        && params.length == js.params.length
        && built.map_or(params.has_rest == js.params.has_rest, has_params)
}

fn compare_modules(program: &Top, text: &Top) -> Result<(), (FunctionId, Mismatch)> {
    let exports = |top: &Top| top.exports.iter().map(|export| export.exported.clone()).collect::<BTreeSet<JsString>>();
    if imports(program) != imports(text) || exports(program) != exports(text) {
        return Err((FunctionId::TOP, Mismatch::Module));
    }
    Ok(())
}

/// What is imported, one string for each name: a declaration may have become several.
fn imports(top: &Top) -> BTreeSet<String> {
    let name = |imported: &Imported| match imported {
        Imported::Default => "default".to_owned(),
        Imported::Name(name) => format!("name {}", name.as_escaped()),
        Imported::Namespace => "*".to_owned(),
    };
    let mut found = BTreeSet::new();
    for Import { module, attributes, clause } in &top.imports {
        let from = format!("{} {attributes:?}", module.as_escaped());
        found.insert(from.clone());
        match clause {
            ImportClause::Bind { phase, bindings } => found.extend(
                bindings.iter().map(|one| format!("{from} {phase:?} {} as {}", name(&one.imported), one.local)),
            ),
            ImportClause::Export(forwarded) => found.extend(
                forwarded.iter().map(|one| format!("{from} {} to {}", name(&one.imported), one.exported.as_escaped())),
            ),
            ImportClause::ExportAll => {
                found.insert(format!("{from} all"));
            }
        }
    }
    found
}

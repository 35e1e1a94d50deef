//! The top of a file.

use super::ast::Ast;
use super::code::Code;
use super::exports::{Exported, Exports};
use super::insts::{all_insts, op_of};
use super::plan::Plans;
use super::print::Printer;
use super::{Written, exports, literal, module, prelude};
use crate::Program;
use crate::dialect::{Constant, JsString, Opcode};
use crate::program::{Export, FunctionId, FunctionKind, Local};
use ssaphire_ir::{Arg, Dest, Variable};
use std::collections::BTreeSet;

/// The variables of the top that a module exports.
pub(super) fn exported(program: &Program, plans: &Plans, id: FunctionId) -> Vec<Variable> {
    if id != FunctionId::TOP {
        return Vec::new();
    }
    let cells = exports::cells(program, plans);
    let variable = |export: &Export| match export.local {
        Local::Cell(number) => cells.get(&number).copied(),
        Local::Import(_) => None,
    };
    let mut variables: Vec<Variable> = program.top.exports.iter().filter_map(variable).collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// Those of them that are there before the module begins: what it declares by `var`.
pub(super) fn exported_vars(plans: &Plans, exported: &[Variable]) -> Vec<Variable> {
    let Some(Some(plan)) = plans.plans.first() else { return Vec::new() };
    let function = &plan.function;
    // A cell that starts as `undefined` is one of a `var`; one of a `let`, `const` or `class` starts uninitialized.
    let is_var = |variable: &Variable| {
        all_insts(function).any(|inst| {
            let is_cell = matches!(inst.results, [Dest::Variable(cell)] if plan.same[cell.index()] == *variable);
            let is_undefined = matches!(inst.args, [Arg::Value(value)]
                if function.as_constant(*value) == Some(&Constant::Undefined));
            is_cell && is_undefined && op_of(inst).is_some_and(|op| op.opcode == Opcode::NewCell)
        })
    };
    exported.iter().copied().filter(is_var).collect()
}

/// A file, and what is known of its functions.
pub(super) struct File {
    pub(super) written: Written,
    /// By where their parameters begin in the text.
    pub(super) functions: Vec<(u32, FunctionId)>,
    /// Those that call helpers.
    pub(super) users: BTreeSet<FunctionId>,
}

/// The whole file.
pub(super) fn file(program: &Program, source: &str, plans: &Plans, ast: &Ast<'_>) -> File {
    let mut printer = Printer::new(program, ast, source, &plans.file.prefix);
    printer.exports = Exports::new(program, plans);
    let mut cut = 0;
    let (before, is_script) = match ast.codes.first() {
        Some(Some(Code::Built(_))) => {
            printer.comments_of_head();
            let comments = std::mem::take(&mut printer.out);
            code(program, plans, ast, &mut printer);
            (head(program, &comments), program.functions[0].kind == FunctionKind::Script)
        }
        Some(Some(Code::Kept(_))) => {
            printer.kept_file();
            cut = if printer.helpers.is_empty() { 0 } else { program.functions[0].head.end };
            (printer.cut_head(cut as usize), program.functions[0].kind == FunctionKind::Script)
        }
        _ => (String::new(), false),
    };
    printer.legal_comments();
    let before = before + &prelude::declarations(&printer.helpers, &plans.file.prefix, is_script);
    let shift = before.len() as u32 - cut;
    let mut mappings = printer.mappings;
    mappings.iter_mut().for_each(|mapping| mapping.written += shift);
    let mut functions = printer.functions;
    functions.iter_mut().for_each(|(start, _)| *start += shift);
    let written = Written { text: before + &printer.out, mappings };
    File { written, functions, users: printer.users }
}

/// What precedes the helpers.
fn head(program: &Program, comments: &str) -> String {
    let top = &program.top;
    let mut text = String::new();
    if let Some(hashbang) = &top.hashbang {
        text.extend([hashbang, "\n"]);
    }
    text += comments;
    if top.is_strict && program.functions[0].kind != FunctionKind::Module {
        text += "\"use strict\";\n";
    }
    for declaration in top.imports.iter().flat_map(module::import) {
        text.extend([&declaration, "\n"]);
    }
    text
}

/// What follows the helpers.
fn code<'a>(program: &'a Program, plans: &Plans, ast: &'a Ast<'_>, printer: &mut Printer<'a>) {
    let Some(built) = ast.built(FunctionId::TOP) else { return };
    let top = &program.top;
    if !top.vars.is_empty() {
        let names: Vec<&str> = top.vars.iter().map(|name| &**name).collect();
        printer.line();
        printer.out += &format!("var {};", names.join(", "));
    }
    for (index, name) in plans.checked_names.iter().enumerate() {
        if index == 0 {
            printer.line();
        }
        printer.out.extend([if index == 0 { "let " } else { ", " }, name, " = "]);
        printer.helper(literal::HOLE);
    }
    if !plans.checked_names.is_empty() {
        printer.out.push(';');
    }
    for (name, id) in &top.functions {
        printer.line();
        printer.declaration(name, *id);
    }
    let is_script = program.functions[0].kind == FunctionKind::Script;
    printer.body(&built.body, is_script && built.body.has_own() && top.lexical.is_empty());
    let left: Vec<(String, &JsString)> = printer
        .exports
        .rest(top)
        .map(|(exported, name)| match exported {
            Exported::Import(local) => (local.to_owned(), name),
            Exported::Variable(variable) => (ast.text_of(built.body.name(variable)).to_owned(), name),
        })
        .collect();
    if !left.is_empty() {
        printer.line();
        printer.out += &module::exports(left.into_iter());
    }
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
}

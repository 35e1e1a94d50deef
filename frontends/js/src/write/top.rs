//! The top of a file.

use super::function_text::FunctionText;
use super::insts::{all_insts, op_of};
use super::module;
use super::plan::Plans;
use super::prelude;
use super::text::{DEDENT, INDENT, NEWLINE, protect};
use super::verbatim;
use crate::Program;
use crate::Type;
use crate::dialect::{Constant, Opcode};
use crate::program::{FunctionId, FunctionKind, Local};
use ssaphire_ir::{Arg, Dest, Variable};

/// The variables of the top that a module exports.
pub(super) fn exported(program: &Program, plans: &Plans, id: FunctionId) -> Vec<Variable> {
    if id != FunctionId::TOP {
        return Vec::new();
    }
    let mut variables: Vec<Variable> =
        program.top.exports.iter().filter_map(|export| exported_cell(plans, &export.local)).collect();
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

/// The variable that is an exported cell of the top.
fn exported_cell(plans: &Plans, local: &Local) -> Option<Variable> {
    let Local::Cell(number) = *local else { return None };
    let plan = plans.plans.first()?.as_ref()?;
    let function = &plan.function;
    all_insts(function).find_map(|inst| {
        op_of(inst).filter(|op| op.opcode == Opcode::NewCell)?;
        match inst.results {
            [Dest::Variable(cell)] if *function.variable_type(*cell) == Type::Cell(number) => {
                Some(plan.same[cell.index()])
            }
            _ => None,
        }
    })
}

/// The whole file.
pub(super) fn file(program: &Program, source: &str, plans: &Plans, written: &[Option<FunctionText>]) -> String {
    let top = &program.top;
    let kind = program.functions.first().map(|function| function.kind);
    let is_script = kind == Some(FunctionKind::Script);
    let Some(Some(code)) = written.first() else { return protect(source).into_owned() };
    let Some((lines, has_own)) = &code.lines else {
        return verbatim::file(source, code);
    };
    let mut text = String::new();
    if let Some(hashbang) = &top.hashbang {
        text += &format!("{}{NEWLINE}", protect(hashbang));
    }
    if top.is_strict && kind != Some(FunctionKind::Module) {
        text += &format!("\"use strict\";{NEWLINE}");
    }
    for declaration in top.imports.iter().flat_map(module::import) {
        text += &format!("{declaration}{NEWLINE}");
    }
    let code = code_of(program, plans, written, (lines, *has_own));
    text += &prelude::declarations(&code, is_script);
    text + &code
}

/// What follows the helpers.
fn code_of(
    program: &Program,
    plans: &Plans,
    written: &[Option<FunctionText>],
    (lines, has_own): (&str, bool),
) -> String {
    let top = &program.top;
    let is_script = program.functions.first().map(|function| function.kind) == Some(FunctionKind::Script);
    let mut text = String::new();
    if !top.vars.is_empty() {
        let names: Vec<&str> = top.vars.iter().map(|name| &**name).collect();
        text += &format!("var {};{NEWLINE}", names.join(", "));
    }
    if !plans.checked_names.is_empty() {
        let hole = prelude::Helpers.call("$tdz");
        let names: Vec<String> = plans.checked_names.iter().map(|name| format!("{name} = {hole}")).collect();
        text += &format!("let {};{NEWLINE}", names.join(", "));
    }
    for (name, id) in &top.functions {
        text += &declaration(program, written, name, *id);
        text += NEWLINE;
    }
    let lines = lines.strip_prefix(NEWLINE).unwrap_or(lines);
    if is_script && has_own && top.lexical.is_empty() {
        text += &format!("{{{INDENT}{NEWLINE}{lines}{DEDENT}{NEWLINE}}}");
    } else {
        text += lines;
    }
    if !lines.is_empty() {
        text += NEWLINE;
    }
    if !top.exports.is_empty() {
        let name_of = |local: &Local| match local {
            Local::Import(name) => Some(name.to_string()),
            Local::Cell(_) => {
                let plan = plans.plans.first()?.as_ref()?;
                exported_cell(plans, local).map(|cell| plan.names[cell.index()].clone())
            }
        };
        let named = top.exports.iter().filter_map(|export| Some((name_of(&export.local)?, &export.exported)));
        text += &format!("{}{NEWLINE}", module::exports(named));
    }
    text
}

/// The declaration of a function of a script.
fn declaration(program: &Program, written: &[Option<FunctionText>], name: &str, id: FunctionId) -> String {
    let (Some(js), Some(Some(code))) = (program.functions.get(id.index()), written.get(id.index())) else {
        return String::new();
    };
    if let Some(text) = &code.verbatim {
        return text.clone();
    }
    let is_async = if js.is_async { "async " } else { "" };
    let star = if js.is_generator { "*" } else { "" };
    format!("{is_async}function{star} {name}({}) {}", code.params, code.body)
}

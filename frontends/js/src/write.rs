//! Writes programs as JavaScript.
//!
//! Each function leaves SSA form, is structured
//! ([`structure`](ssaphire::destruct::structure)), and is written at the
//! instruction that creates it: as statements with readable names, with
//! expressions combined where the order of evaluation allows.
//!
//! # Contract
//! The text behaves like the program. Differences are possible only where code
//! observes the text of functions, the depth of the stack, or `document.all`.

mod builder;
mod calls;
mod chains;
mod constants;
mod declare;
mod emit;
mod error;
mod expr;
mod expression;
mod fork;
mod function_text;
mod functions;
mod insts;
mod iterate;
mod jumps;
mod literal;
mod live;
mod module;
mod names;
mod objects;
mod operation;
mod operator;
mod over;
mod plan;
mod prelude;
mod print;
mod protect;
mod rewrite;
mod sink;
mod source_map;
mod steps;
mod text;
mod top;
mod tree;
mod update;
mod uses;
mod verbatim;

pub use error::{Unwritable, WriteError};
pub use text::Mapping;

use crate::Program;
use crate::program::{FunctionId, FunctionKind, JsFunction};
use builder::Builder;
use chains::Part;
use declare::Declarations;
use foldhash::fast::RandomState;
use function_text::FunctionText;
use jumps::Cleaning;
use plan::{Plan, Plans, Unguarded};
use print::Printer;
use std::collections::HashSet;

/// Options of writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {}

/// The result of writing a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The source locations of its statements, in order.
    pub mappings: Vec<Mapping>,
}

/// Writes `program` as JavaScript; `source` is the text that it comes from.
///
/// # Errors
/// If a function violates the rules of the [dialect](crate::dialect).
pub fn write(program: &Program, source: &str, options: &WriteOptions) -> Result<Written, WriteError> {
    let WriteOptions {} = options;
    let mut unguarded = Unguarded::default();
    loop {
        let before = unguarded.clone();
        let written = attempt(program, source, &mut unguarded)?;
        // Functions that have been written already may rely on the engine's guard: all over again, without.
        if unguarded == before {
            return Ok(written);
        }
    }
}

fn attempt(program: &Program, source: &str, unguarded: &mut Unguarded) -> Result<Written, WriteError> {
    let plans = Plans::new(program, source, unguarded)?;
    let strict_by_class = strict_by_class(program);
    let inner = inner(program);
    let mut written: Vec<Option<FunctionText>> = vec![None; program.functions.len()];
    for index in (0..program.functions.len()).rev() {
        let id = FunctionId(index as u32);
        let js = &program.functions[index];
        let refuse = |what| WriteError { function: id, span: js.span, what };
        if plans.plans[index].is_none() {
            written[index] = js.is_verbatim.then(|| verbatim::function(program, source, id, (&inner[index], &written)));
        } else {
            let mut writer = FunctionWriter { program, plans: &plans, written: &written, unguarded, id };
            written[index] = Some(writer.write(strict_by_class.contains(&id)).map_err(refuse)?);
        }
        // What has been written is a part of this function now; what is a part of the file, the file takes.
        if js.parent.is_some() && written[index].is_some() {
            inner[index].iter().for_each(|inner| written[inner.index()] = None);
        }
    }
    let text = top::file(program, source, &plans, &written);
    let (text, mappings) = text::render(&text, &plans.file.prefix);
    Ok(Written { text, mappings })
}

/// By function, those that stand in it, in their order.
fn inner(program: &Program) -> Vec<Vec<FunctionId>> {
    let mut inner = vec![Vec::new(); program.functions.len()];
    for (index, js) in program.functions.iter().enumerate() {
        if let Some(list) = js.parent.and_then(|parent| inner.get_mut(parent.index())) {
            list.push(FunctionId(index as u32));
        }
    }
    inner
}

/// The functions of classes, whose code is strict without saying so.
fn strict_by_class(program: &Program) -> HashSet<FunctionId, RandomState> {
    let elements = program
        .classes
        .iter()
        .flat_map(|class| class.elements.iter().filter_map(|element| element.function).chain(class.constructor));
    elements.collect()
}

/// What it takes to write one function.
struct FunctionWriter<'a> {
    program: &'a Program,
    plans: &'a Plans,
    written: &'a [Option<FunctionText>],
    unguarded: &'a mut Unguarded,
    id: FunctionId,
}

/// A part of a function.
struct PartText {
    lines: String,
    /// Whether it declares variables for all of its statements.
    has_own: bool,
    result: Option<expr::Expr>,
    /// The names that the other part of the function has, too, and one that is free.
    shared: Vec<String>,
    unused: String,
}

impl FunctionWriter<'_> {
    fn write(&mut self, is_in_class: bool) -> Result<FunctionText, Unwritable> {
        let js = &self.program.functions[self.id.index()];
        let plan = self.plans.plans[self.id.index()].as_ref().ok_or(Unwritable::Function(self.id))?;
        let parent = js.parent.and_then(|parent| self.program.functions.get(parent.index()));
        let needs_directive = js.is_strict && !is_in_class && parent.is_some_and(|parent| !parent.is_strict);
        let mut params = params(js, plan);
        let PartText { lines, has_own, result, .. } = if plan.is_split {
            let call = self.part(Part::Call)?;
            params = self.params_with(params, js, plan, &call);
            self.part(Part::Rest)?
        } else {
            self.part(Part::Whole)?
        };
        // Such parameters go with no directive: a key or heritage of a class is strict by where it stands.
        let is_simple = params.iter().all(|param| !param.starts_with("...") && !param.contains('='));
        let (needs_directive, needs_strict_place) = (needs_directive && is_simple, needs_directive && !is_simple);
        let directive = if needs_directive { "\u{1}n\"use strict\";" } else { "" };
        let body = match (lines.is_empty(), needs_directive) {
            (true, false) => "{}".to_owned(),
            _ => format!("{{{}{directive}{lines}{}{}}}", text::INDENT, text::DEDENT, text::NEWLINE),
        };
        let result = result.filter(|_| !needs_directive);
        let lines = (js.parent.is_none()).then_some((lines, has_own));
        Ok(FunctionText { params: params.join(", "), body, result, verbatim: None, lines, needs_strict_place })
    }

    fn part(&mut self, part: Part) -> Result<PartText, Unwritable> {
        let mut builder = Builder::new(self.program, self.plans, self.id, self.written, part)?;
        builder.exported = top::exported(self.program, self.plans, self.id);
        builder.exported_vars = top::exported_vars(self.plans, &builder.exported);
        let mut root = builder.build()?;
        let unused = builder.temporary_like("_");
        let Cleaning { labels, is_plain, .. } = Cleaning::new(&mut builder.tree, &mut root);
        let builder = &builder;
        let mut declarations = Declarations::new(builder, &root)?;
        let unguarded = std::mem::take(&mut declarations.unguarded);
        let failed = unguarded.into_iter().chain(builder.failed_loops.iter().copied());
        self.unguarded.variables.extend(failed.map(|variable| (self.id, variable)));
        self.unguarded.names.append(&mut declarations.inner_inits);
        let js = builder.js;
        let declares_functions = js.parent.is_some() || js.kind == FunctionKind::Module;
        let has_own = declarations.row_of.values().any(|&row| row == 0);
        let shared = builder.shared.iter().filter(|&&variable| !builder.is_known_outside(variable));
        let mut shared: Vec<String> = shared.map(|&variable| builder.name(variable).to_owned()).collect();
        let mut seen = HashSet::new();
        // A parameter is bound already.
        let params = self.plans.plans[self.id.index()].as_ref().map_or(&[][..], |plan| &plan.params);
        shared.retain(|name| !params.contains(name) && seen.insert(name.clone()));
        Ok(PartText {
            result: print::single_result(builder, &root).cloned(),
            unused: builder.name(unused).to_owned(),
            shared,
            has_own,
            lines: Printer::new(builder, declarations, labels, is_plain, declares_functions).print(&root),
        })
    }

    /// Parameters with what the call of a generator does: an object pattern, which has an empty array to take apart, binds
    /// variables that the body has, too, and a computed key in it is evaluated when the function is called.
    fn params_with(&mut self, mut params: Vec<String>, js: &JsFunction, plan: &Plan, call: &PartText) -> Vec<String> {
        let mut before = String::new();
        let mut bound: Vec<String> = call.shared.iter().map(|name| format!("\"\": {name}")).collect();
        if params.last().is_some_and(|last| last == PLAIN_NO_MORE) {
            params.pop();
        }
        if js.params.has_rest
            && let (Some(_), Some(rest)) = (params.pop(), plan.params.last())
        {
            let helper = prelude::Helpers.call("$slice");
            before = format!("{}{rest} = {helper}(arguments, {});", text::NEWLINE, params.len());
            bound.push(format!("\"\": {rest}"));
        }
        let lines = format!("{before}{}", call.lines);
        let code = format!("{{{}{lines}{}{}}}", text::INDENT, text::DEDENT, text::NEWLINE);
        bound.push(format!("[(() => {code})()]: {}", call.unused));
        params.push(format!("...{{ {} }}", bound.join(", ")));
        params
    }
}

/// What makes plain parameters such that `arguments` does not alias them.
const PLAIN_NO_MORE: &str = "...{}";

/// The list of a function's parameters.
fn params(js: &JsFunction, plan: &Plan) -> Vec<String> {
    let names = &plan.params;
    let mut list = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let is_rest = js.params.has_rest && index + 1 == names.len();
        let has_default = !is_rest && index >= js.params.length as usize;
        list.push(match (is_rest, has_default) {
            (true, _) => format!("...{name}"),
            (false, true) => format!("{name} = void 0"),
            (false, false) => name.clone(),
        });
    }
    let is_plain = list.len() == js.params.length as usize && !js.params.has_rest;
    if is_plain && !js.params.are_simple && !js.is_strict && js.kind != FunctionKind::Arrow {
        // Plain parameters would be aliased by `arguments`.
        match js.kind {
            FunctionKind::Getter | FunctionKind::Setter => {}
            _ => list.push(PLAIN_NO_MORE.to_owned()),
        }
    }
    list
}

//! Writes programs as JavaScript.
//!
//! Each function leaves SSA form, is structured
//! ([`structure`](ssaphire::destruct::structure)), and is written at the
//! instruction that creates it: as statements with readable names, with
//! expressions combined where the order of evaluation allows.
//!
//! 1. `keep` finds the functions that stay as they stand in the source; `plan` chooses the names in others, and which
//!    cells become variables of the language.
//! 2. `builder`, driven by `steps`, makes statements (`tree`) of expressions (`ast`), both flat tables of nodes.
//! 3. `rewrite`, `over`, `finally`, `jumps`, `conditions`, `inits` and `heads` find loops and conditions that read better.
//! 4. `declare` finds the place of each declaration, `reuse` gives variables that are declared apart one name,
//!    and `order` puts declared functions where they were.
//! 5. When all functions are there, `print` writes the file; what declarations do not export (`exports`) is in a list at its end.
//! 6. `verify` parses it and compares it with the program.
//!
//! # Contract
//! The text behaves like the program. Differences are possible only where code
//! observes the text of functions, the depth of the stack, or `document.all`.

mod ast;
mod builder;
mod calls;
mod captures;
mod chains;
mod code;
mod compound;
mod conditions;
mod constants;
mod contents;
mod declare;
mod defaults;
mod destructure;
mod emit;
mod error;
mod exports;
mod expr;
mod expression;
mod finally;
mod fork;
mod functions;
mod heads;
mod initial;
mod inits;
mod insts;
mod iterate;
mod jumps;
mod keep;
mod literal;
mod live;
mod module;
mod names;
mod objects;
mod operation;
mod operator;
mod order;
mod over;
mod param_cells;
mod plan;
mod prelude;
mod print;
mod protect;
mod reuse;
mod rewrite;
mod settled;
mod sink;
mod source_map;
mod steps;
mod top;
mod tree;
mod update;
mod uses;
mod verify;

pub use error::{Mismatch, Unwritable, WriteError};
pub use source_map::Mapping;

use crate::Program;
use crate::program::{FunctionId, FunctionKind, JsFunction};
use crate::source::Span;
use ast::{Ast, ExprId, NameId};
use builder::Builder;
use chains::Part;
use code::{Body, Built, Call, Code, Param};
use declare::Declarations;
use jumps::Jumps;
use keep::Keeping;
use plan::{Plan, Plans, Unguarded};
use ssaphire_ir::Variable;
use std::borrow::Cow;
use std::collections::HashSet;
use tree::{Kind, NodeId};

/// Options of writing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct WriteOptions<'p> {
    /// The program before any pass. A function that is the same in both is written as it stands in the source, with its
    /// comments, unless the code around it has changed what its text means. Without this, each function is written anew.
    pub original: Option<&'p Program>,
}

/// The result of writing a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The source locations of its statements and expressions, in order.
    pub mappings: Vec<Mapping>,
}

/// Writes `program` as JavaScript; `source` is the text that it comes from.
///
/// # Errors
/// If a function violates the rules of the [dialect](crate::dialect), or must stay as it is in a source with types; and
/// if the text would be another program.
///
/// # Examples
/// ```
/// use ssaphire_ir::passes::{Pass, PassOptions};
/// use ssaphire_js::source::{SourceKind, with_parsed};
/// use ssaphire_js::write::{WriteOptions, write};
///
/// let source = "// Kept.\nfunction f( x ) { return x; }\nfunction g() { return 6 * 7; }\n";
/// let original = with_parsed(source, SourceKind::SCRIPT, |parsed| ssaphire_js::lower(&parsed))??;
/// let mut program = original.clone();
/// for function in &mut program.functions {
///     Pass::Constants.run(&mut function.body, PassOptions::default())?;
/// }
/// let mut options = WriteOptions::default();
/// options.original = Some(&original);
/// let written = write(&program, source, &options)?;
/// assert_eq!(written.text, "// Kept.\nfunction f( x ) { return x; }\nfunction g() {\n  return 42;\n}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
/// Linear in the size of the source and of the functions, but for the choice of what is combined in expressions, which
/// looks at a bounded number of them.
pub fn write(program: &Program, source: &str, options: &WriteOptions<'_>) -> Result<Written, WriteError> {
    let mut keeping = Keeping::new(program, options.original);
    let mut program = Cow::Borrowed(program);
    let mut better = keeping.with_instructions(&program, source);
    loop {
        if !better.is_empty() {
            keeping.prefer_source(&mut program, options.original, &better);
        }
        match write_once(&program, source, &keeping)? {
            Attempt::Written(written) => return Ok(written),
            Attempt::Better(functions) => better = functions,
        }
    }
}

/// What an attempt to write a file has led to.
enum Attempt {
    Written(Written),
    /// These functions had better stay as they stand in the source.
    Better(Vec<FunctionId>),
}

fn write_once(program: &Program, source: &str, keeping: &Keeping) -> Result<Attempt, WriteError> {
    let mut unguarded = Unguarded::default();
    loop {
        let before = unguarded.clone();
        let plans = Plans::new(program, source, keeping, &unguarded)?;
        let mut ast = Ast::new(program);
        let unwritable = build(program, source, (&plans, keeping), (&mut ast, &mut unguarded))?;
        if !unwritable.is_empty() {
            return Ok(Attempt::Better(unwritable));
        }
        // Functions that have been built already may rely on the engine's guard: all over again, without.
        if unguarded != before {
            continue;
        }
        let file = top::file(program, source, &plans, &ast);
        let better = keeping.better_as_source(&file.users);
        if !better.is_empty() {
            return Ok(Attempt::Better(better));
        }
        return match verify::verify(program, &ast, &file.written, &file.functions) {
            Ok(()) => Ok(Attempt::Written(file.written)),
            Err((function, mismatch)) => {
                let span = program.functions.get(function.index()).map_or(Span::NOWHERE, |js| js.span);
                Err(WriteError { function, span, what: Unwritable::Mismatch(mismatch) })
            }
        };
    }
}

/// Builds the code of all functions, inner functions first. Returns those that cannot be written anew, if their sources
/// will do.
fn build(
    program: &Program,
    source: &str,
    (plans, keeping): (&Plans, &Keeping),
    (ast, unguarded): (&mut Ast<'_>, &mut Unguarded),
) -> Result<Vec<FunctionId>, WriteError> {
    let mut unwritable = Vec::new();
    for index in (0..program.functions.len()).rev() {
        let id = FunctionId(index as u32);
        let js = &program.functions[index];
        let error = |what| WriteError { function: id, span: js.span, what };
        if plans.kept[index] && program.has_erased_types {
            return Err(error(Unwritable::Types));
        }
        ast.codes[index] = if plans.kept[index] {
            Some(keeping.code(program, source, id))
        } else if plans.plans[index].is_some() {
            let mut writer = FunctionWriter { program, plans, ast, unguarded, id };
            let built = writer.write(keeping.in_class.contains(&id));
            // Its new parameters do not allow a `use strict` directive, and the code around it is copied, and sloppy.
            let had_directive = js.params.are_simple && js.parent.is_some_and(|parent| plans.kept[parent.index()]);
            let built = match built {
                Ok(built) if built.needs_strict_place && had_directive => Err(Unwritable::Strict),
                built => built,
            };
            match built.map_err(error) {
                Ok(built) => Some(Code::Built(built)),
                // It makes one that has no code.
                Err(WriteError { what: Unwritable::Function(_), .. }) if !unwritable.is_empty() => None,
                Err(error) => match keeping.instead_of(&error) {
                    Some(function) => {
                        unwritable.push(function);
                        None
                    }
                    None if !unwritable.is_empty() => return Ok(unwritable),
                    None => return Err(error),
                },
            }
        } else {
            None
        };
    }
    Ok(unwritable)
}

/// What it takes to build one function.
struct FunctionWriter<'a, 'p> {
    program: &'a Program,
    plans: &'a Plans,
    ast: &'a mut Ast<'p>,
    unguarded: &'a mut Unguarded,
    id: FunctionId,
}

/// A part of a function: its statements, and the variables that the other part has, too.
struct BuiltPart {
    body: Body,
    shared: Vec<NameId>,
    /// A name that is free.
    unused: NameId,
}

impl FunctionWriter<'_, '_> {
    fn write(&mut self, is_in_class: bool) -> Result<Box<Built>, Unwritable> {
        let js = &self.program.functions[self.id.index()];
        let plan = self.plans.plans[self.id.index()].as_ref().ok_or(Unwritable::Function(self.id))?;
        let parent = js.parent.and_then(|parent| self.program.functions.get(parent.index()));
        let needs_directive = js.is_strict && !is_in_class && parent.is_some_and(|parent| !parent.is_strict);
        let mut params = self.params(js, plan);
        let body = if plan.is_split {
            let call = self.part(Part::Call, &mut params)?;
            params = with_call(params, js, call);
            self.part(Part::Rest, &mut params)?.body
        } else {
            self.part(Part::Whole, &mut params)?.body
        };
        if params.iter().any(|param| matches!(param, Param::Pattern(..))) {
            // With a pattern, `arguments` aliases nothing anyway.
            params.retain(|param| !matches!(param, Param::NoMore));
        }
        // Other parameters go with no directive: a key or heritage of a class is strict by where it stands.
        let is_simple = params.iter().all(|param| matches!(param, Param::Plain(_)));
        let has_directive = needs_directive && is_simple;
        let result = single_result(&body).filter(|_| !has_directive);
        let needs_strict_place = needs_directive && !is_simple;
        if js.names_value && js.name.is_none() && result.is_none() {
            return Err(Unwritable::FieldName);
        }
        Ok(Box::new(Built { params, body, has_directive, result, needs_strict_place }))
    }

    fn part(&mut self, part: Part, params: &mut [Param]) -> Result<BuiltPart, Unwritable> {
        let first = self.ast.next();
        let mut builder = Builder::new(self.program, self.plans, self.id, self.ast, part)?;
        builder.exported = top::exported(self.program, self.plans, self.id);
        builder.exported_vars = top::exported_vars(self.plans, &builder.exported);
        let mut root = builder.build()?;
        builder.restore_finally(&mut root);
        let unused = builder.temporary_like("_");
        let jumps = Jumps::clean(&mut builder.tree, &mut root);
        builder.settle_ifs();
        builder.extend_conditions();
        builder.bring_inits(&mut root);
        if part == Part::Whole {
            builder.take_defaults(&mut root, params);
        }
        let mut declarations = Declarations::new(&builder, &root)?;
        builder.move_to_params(&root, &mut declarations, params);
        let unguarded = std::mem::take(&mut declarations.unguarded);
        let failed = unguarded.into_iter().chain(builder.iteration.failed.iter().copied());
        self.unguarded.variables.extend(failed.map(|variable| (self.id, variable)));
        self.unguarded.names.append(&mut declarations.inner_inits);
        let js = builder.js;
        let declares_functions = js.parent.is_some() || js.kind != FunctionKind::Script;
        let (unused, shared) = (builder.name(unused), shared(&builder));
        let is_seen: Vec<bool> = (0..builder.function.num_variables())
            .map(|variable| builder.is_seen_by_closures(Variable::new(variable)))
            .collect();
        let wanted = builder.wanted_names();
        let Builder { tree, names, exported_vars, drops_code, .. } = builder;
        let vars = exported_vars.into_iter().chain(declarations.vars.iter().copied()).collect();
        let is_top = self.id == FunctionId::TOP;
        let default_export = is_top.then(|| exports::default_without_name(self.program, self.plans)).flatten();
        let default_export = default_export.filter(|&variable| tree.num_mentions(variable) == 1);
        let (heads, updates) = heads::find(self.ast, &tree, (&jumps, &declarations), &is_seen);
        let mut body = Body {
            tree,
            root,
            declarations,
            jumps,
            heads,
            updates,
            names,
            declares_functions,
            vars,
            default_export,
            drops_code,
        };
        if let (Part::Whole, Some(plan)) = (part, &self.plans.plans[self.id.index()]) {
            initial::declare_with_values(self.ast, &mut body, &is_seen);
            reuse::rename(self.ast, &mut body, (first, &plan.params), &wanted);
            order::restore(self.ast, &mut body);
        }
        Ok(BuiltPart { body, shared, unused })
    }

    /// The parameters.
    fn params(&mut self, js: &JsFunction, plan: &Plan) -> Vec<Param> {
        let num_params = plan.params.len();
        let mut list = Vec::new();
        for (index, name) in plan.params.iter().enumerate() {
            let is_rest = js.params.has_rest && index + 1 == num_params;
            let name = self.ast.intern(name);
            list.push(match is_rest {
                true => Param::Rest(name),
                // One with a default is enough for those behind not to count.
                false if index == js.params.length as usize => Param::Optional(name),
                false => Param::Plain(name),
            });
        }
        let is_plain = list.len() == js.params.length as usize && !js.params.has_rest;
        if is_plain && !js.params.are_simple && !js.is_strict && js.kind != FunctionKind::Arrow {
            // Plain parameters would be aliased by `arguments`.
            match js.kind {
                FunctionKind::Getter | FunctionKind::Setter => {}
                _ => list.push(Param::NoMore),
            }
        }
        list
    }
}

/// The names of the variables that the other part of a function has, too. A parameter is bound already.
fn shared(builder: &Builder<'_, '_>) -> Vec<NameId> {
    let shared = builder.shared.iter().filter(|&&variable| !builder.is_known_outside(variable));
    let is_param = |name| builder.plan.params.iter().any(|param| param == name);
    let mut seen = HashSet::new();
    let names = shared.filter(|&&variable| !is_param(builder.name_text(variable)));
    names.map(|&variable| builder.name(variable)).filter(|&name| seen.insert(name)).collect()
}

/// Parameters with what the call of a generator does.
fn with_call(mut params: Vec<Param>, js: &JsFunction, call: BuiltPart) -> Vec<Param> {
    if matches!(params.last(), Some(Param::NoMore)) {
        params.pop();
    }
    let mut rest = None;
    if js.params.has_rest
        && let Some(&Param::Rest(name)) = params.last()
    {
        params.pop();
        rest = Some((name, params.len()));
    }
    let BuiltPart { body, shared: bound, unused, .. } = call;
    params.push(Param::Call(Box::new(Call { rest, bound, body, unused })));
    params
}

/// What a function returns that does nothing else.
fn single_result(body: &Body) -> Option<ExprId> {
    let is_written = |node: &&NodeId| !body.declarations.dropped.contains(node);
    let written: Vec<NodeId> = body.root.iter().filter(is_written).take(2).copied().collect();
    match written[..] {
        [node] if !body.has_own() => match &body.tree.nodes[node].kind {
            Kind::Return(Some(value)) => Some(value.id),
            _ => None,
        },
        _ => None,
    }
}

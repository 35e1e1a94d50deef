//! Builds SSA form directly from the syntax tree.
//!
//! The tree of each function is walked once, in evaluation order, and every
//! step goes to the builder immediately: no graph in variable form is built in
//! between. Compound expressions become operations; `&&`, `||`, `??`, `?.` and
//! `? :` become branches; patterns become the steps that the language
//! prescribes.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | Fig. 3a, `while` | `loops` |
//! | Fig. 3b, `if` | `statement` |
//! | section 2.3, sealing | each block is sealed with its last edge; a handler's at the end of what it protects |
//!
//! # Departures
//! The block after a loop or conditional is created with the first edge to it,
//! so unreachable code is not built: statements after a jump emit no
//! instruction. An operation that may throw inside of a `try` ends its block,
//! so that the handler sees variables as they were before it.

mod access;
mod assignment;
mod binding;
mod call;
mod class;
mod destructure;
mod emit;
mod exceptions;
mod expression;
mod forward;
mod function;
mod iteration;
mod jsx;
mod jump;
mod literal;
mod logic;
mod loops;
mod module;
mod object;
mod pattern;
mod statement;
mod switch;

pub(crate) use emit::TEMPORARY;

use crate::accesses::Access;
use crate::dialect::{Js, JsString, Name};
use crate::program::{Comment, FunctionId, Head, JsFunction, Params, Program};
use crate::scopes::{FunctionNode, Names, Scopes};
use crate::source::{Parsed, SourceError, Span};
use foldhash::fast::RandomState;
use function::Lowering;
use oxc_str::Ident;
use ssaphire::{Certified, SsaBuilder};
use ssaphire_ir::{BuildError, FunctionBuilder};
use std::collections::HashSet;
use std::fmt;

/// The reason why a file cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LowerError {
    /// It uses syntax outside of ECMAScript 2025, such as decorators.
    Unsupported(SourceError),
    /// The builder refused a function: the work limit is exceeded, or the function has too many ids.
    Build {
        /// The span of the function.
        span: Span,
        /// The builder's error.
        error: BuildError,
    },
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(error) => f.write_str(&error.message),
            Self::Build { error, .. } => error.fmt(f),
        }
    }
}

impl std::error::Error for LowerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unsupported(_) => None,
            Self::Build { error, .. } => Some(error),
        }
    }
}

impl LowerError {
    /// The span of the error.
    pub fn span(&self) -> Span {
        match self {
            Self::Unsupported(error) => error.span,
            Self::Build { span, .. } => *span,
        }
    }
}

/// Strings that occur often, one copy of each.
#[derive(Default)]
pub(crate) struct Interner<'a> {
    /// Identifiers.
    names: Names<'a>,
    texts: HashSet<Name, RandomState>,
    strings: HashSet<JsString, RandomState>,
}

impl<'a> Interner<'a> {
    /// The name that an identifier is.
    pub(crate) fn name(&mut self, name: Ident<'a>) -> Name {
        self.names.get(name).clone()
    }

    /// The string that an identifier is.
    pub(crate) fn key(&mut self, name: Ident<'a>) -> JsString {
        JsString::of_identifier(self.name(name))
    }

    /// Another text as a name: with a `#`, or of a message.
    pub(crate) fn text(&mut self, text: &str) -> Name {
        if let Some(name) = self.texts.get(text) {
            return name.clone();
        }
        let name = Name::new(text);
        self.texts.insert(name.clone());
        name
    }

    /// The string that `oxc` holds as `text`, with lone surrogates escaped or not.
    pub(crate) fn string(&mut self, text: &str, is_escaped: bool) -> JsString {
        if is_escaped {
            return JsString::from_escaped(text);
        }
        if let Some(string) = self.strings.get(text) {
            return string.clone();
        }
        let string = JsString::new(text);
        // What is held with escapes would be found by another text.
        if string.as_escaped() == text {
            self.strings.insert(string.clone());
        }
        string
    }
}

/// Lowers all functions of a file with `ssa`; calls `finished` with each function while `ssa` can still certify it.
///
/// # Errors
/// If the file uses syntax that no version of the language has, or the builder refuses a function.
///
/// # Complexity
/// Linear in the size of the file, plus the construction.
pub fn lower_with<B: SsaBuilder>(
    parsed: &Parsed<'_>,
    ssa: &mut Certified<B>,
    finished: impl FnMut(&JsFunction, &mut Certified<B>),
) -> Result<Program, LowerError> {
    lower_all(parsed, ssa, Form::Ssa, finished)
}

/// Lowers all functions of a file.
///
/// # Errors
/// As [`lower_with`].
///
/// # Examples
/// ```
/// use ssaphire_js::source::{SourceKind, with_parsed};
///
/// let source = "function f(x) { if (x > 9) { x = 0; } return x; }";
/// let program = with_parsed(source, SourceKind::SCRIPT, |parsed| ssaphire_js::lower(&parsed))??;
/// let expected = "\
/// func f(%x.0) {
/// block0:
///   %3 = gt %x.0, 9
///   branch %3 to block1, block2
/// block1:
///   jump to block2
/// block2: <- block0, block1
///   %x.1 = phi %x.0, 0
///   return %x.1
/// }
/// ";
/// assert_eq!(program.functions[1].body.to_string(), expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lower(parsed: &Parsed<'_>) -> Result<Program, LowerError> {
    lower_all(parsed, &mut unrecorded(), Form::Ssa, |_, _| {})
}

/// Lowers all functions of a file to variable form: each access is a copy, and any engine can construct the SSA form
/// later, with [`to_ssa`](ssaphire_ir::to_ssa).
///
/// # Errors
/// As [`lower_with`].
pub fn lower_to_variables(parsed: &Parsed<'_>) -> Result<Program, LowerError> {
    lower_all(parsed, &mut unrecorded(), Form::Variables, |_, _| {})
}

/// The declarations of a file that other code sees.
pub(crate) fn declarations(scopes: &Scopes<'_, '_>, parsed: &Parsed<'_>) -> crate::program::Top {
    module::top(scopes, parsed)
}

/// What builds functions that nobody certifies.
fn unrecorded() -> Certified<ssaphire::Builder> {
    let mut ssa = Certified::default();
    ssa.set_recording(false);
    ssa
}

/// What is made of functions besides their SSA form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Ssa,
    Variables,
    /// SSA form with accesses to variables noted.
    Facts,
}

fn lower_all<B: SsaBuilder>(
    parsed: &Parsed<'_>,
    ssa: &mut Certified<B>,
    form: Form,
    mut finished: impl FnMut(&JsFunction, &mut Certified<B>),
) -> Result<Program, LowerError> {
    let mut scopes = Scopes::new(parsed);
    let names = std::mem::take(&mut scopes.names);
    let mut functions = Vec::with_capacity(scopes.functions.len());
    let mut file = File::new(&scopes, names);
    for number in 0..scopes.functions.len() as u32 {
        file.lower(number, ssa, form)?;
        let mut function = describe(&mut file, number);
        if form == Form::Variables {
            forward::forward_reads(&mut function.body);
        }
        finished(&function, ssa);
        functions.push(function);
    }
    let classes = class::describe_all(&scopes, &mut file.interner, &mut file.shared);
    let top = module::top(&scopes, parsed);
    let free = scopes.free.iter().map(|(name, function)| (FunctionId(*function), name.clone())).collect();
    let comments = comments(parsed);
    Ok(Program { functions, classes, top, free, comments, has_erased_types: parsed.has_erased_types })
}

fn comments(parsed: &Parsed<'_>) -> Vec<Comment> {
    let comments = parsed.program.comments.iter();
    let mut comments: Vec<Comment> = comments
        .filter(|comment| comment.attached_to >= comment.span.end)
        .map(|comment| Comment { span: comment.span.into(), before: comment.attached_to })
        .collect();
    comments.sort_by_key(|comment| comment.span.start);
    comments
}

/// A function, and what reads and writes its variables if that was asked for.
pub(crate) type Noted = (ssaphire_ir::Function<Js>, Vec<Access>);

/// A file whose functions are lowered one after the other.
struct File<'s, 'p, 'a> {
    scopes: &'s Scopes<'p, 'a>,
    interner: Interner<'a>,
    shared: function::Shared,
    pending: function::Pending<'p, 'a>,
    /// In its memory each function is built, one after the other.
    memory: Option<Box<ssaphire_ir::Function<Js>>>,
}

impl<'s, 'p, 'a> File<'s, 'p, 'a> {
    fn new(scopes: &'s Scopes<'p, 'a>, names: Names<'a>) -> Self {
        let interner = Interner { names, ..Interner::default() };
        Self {
            scopes,
            interner,
            shared: function::Shared::new(scopes),
            pending: function::Pending::default(),
            memory: None,
        }
    }

    /// Lowers a function, which is [taken](Self::take) next; returns what reads and writes its variables.
    fn lower<B: SsaBuilder>(
        &mut self,
        number: u32,
        ssa: &mut Certified<B>,
        form: Form,
    ) -> Result<Vec<Access>, LowerError> {
        let memory = self.memory.take().unwrap_or_else(|| Box::new(ssaphire_ir::Function::new("")));
        let name = self.interner.name(function::name_of(self.scopes, number));
        let builder = FunctionBuilder::within(memory, ssa, &name);
        let mut lowering =
            Lowering::new(self.scopes, &mut self.interner, &mut self.shared, &mut self.pending, builder, number);
        match form {
            Form::Ssa => {}
            Form::Variables => lowering.builder.keep_variables(),
            Form::Facts => lowering.accesses = Some(Vec::new()),
        }
        lowering.lower();
        let (body, accesses) = lowering.finish()?;
        self.memory = Some(body);
        Ok(accesses)
    }

    fn take(&mut self) -> ssaphire_ir::Function<Js> {
        self.memory.as_mut().map_or_else(|| ssaphire_ir::Function::new(""), |memory| memory.take())
    }
}

/// Lowers all functions of a file with the accesses to their variables noted.
pub(crate) fn lower_facts(scopes: &Scopes<'_, '_>) -> Result<Vec<Noted>, LowerError> {
    let (mut ssa, mut file) = (unrecorded(), File::new(scopes, Names::default()));
    let mut lower = |number| {
        let accesses = file.lower(number, &mut ssa, Form::Facts)?;
        Ok((file.take(), accesses))
    };
    (0..scopes.functions.len() as u32).map(&mut lower).collect()
}

/// The function that has been lowered, with what is known of it.
fn describe(file: &mut File<'_, '_, '_>, number: u32) -> JsFunction {
    let scopes = file.scopes;
    let scope = &scopes.functions[number as usize];
    JsFunction {
        body: file.take(),
        kind: scope.kind,
        is_async: scope.is_async,
        is_generator: scope.is_generator,
        is_strict: scope.is_strict,
        name: file.shared.function_names[number as usize].take(),
        self_name: scope.self_name.map(|id| scopes.binding(id).name.clone()),
        params: params(scope.node),
        captures: scopes.captures_of(number).iter().map(|&id| scopes.binding(id).name.clone()).collect(),
        parent: scope.parent.map(FunctionId),
        span: scope.span,
        head: head(scope.node, scope.span.start),
        memory: scope.memory.clone(),
        is_declaration: matches!(scope.node, FunctionNode::Function(function) if function.is_declaration()),
        is_concise: matches!(scope.node, FunctionNode::Arrow(arrow) if arrow.body.as_expression().is_some()),
        names_value: matches!(scope.node, FunctionNode::Field(value) if literal::is_anonymous(value)),
        is_verbatim: scope.is_verbatim,
    }
}

pub(crate) fn head(node: FunctionNode<'_, '_>, start: u32) -> Head {
    match node {
        FunctionNode::Function(function) => Head { end: function.params.span.start },
        FunctionNode::Arrow(arrow) => Head { end: arrow.params.span.start },
        FunctionNode::Program(program) => {
            let hashbang = program.hashbang.as_ref().map_or(start, |hashbang| hashbang.span.end);
            Head { end: program.directives.last().map_or(hashbang, |last| last.span.end) }
        }
        FunctionNode::Field(_) | FunctionNode::StaticBlock(_) => Head { end: start },
    }
}

pub(crate) fn params(node: FunctionNode<'_, '_>) -> Params {
    let params = match node {
        FunctionNode::Function(function) => &function.params,
        FunctionNode::Arrow(arrow) => &arrow.params,
        FunctionNode::Program(_) | FunctionNode::Field(_) | FunctionNode::StaticBlock(_) => {
            return Params { are_simple: true, ..Params::default() };
        }
    };
    let plain = params.items.iter().take_while(|param| param.initializer.is_none());
    Params {
        length: plain.count() as u32,
        has_rest: params.rest.is_some(),
        are_simple: crate::scopes::are_plain(params),
    }
}

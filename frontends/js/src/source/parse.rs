//! Parses text to a tree.

use super::depth::{require_fit, stack_for};
use super::early::{Clash, clashes_with_wrapper, hidden_functions, read_identifiers};
use super::for_heads::Mended;
use super::{SourceError, SourceErrors, SourceKind, Span};
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_diagnostics::{Diagnostics, LabeledSpan, OxcDiagnostic};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder, Stats};
use oxc_span::SourceType;
use oxc_transformer::{JsxOptions, TransformOptions, Transformer};
use std::cell::Cell;
use std::path::Path;
use std::thread;

/// A source that was parsed without errors.
#[allow(missing_debug_implementations, reason = "an arena shows nothing")]
pub struct Parsed<'a> {
    /// The text.
    pub source: &'a str,
    /// The tree.
    pub program: Program<'a>,
    /// Whether it is a function body, with `return` allowed at the top.
    pub is_commonjs: bool,
    /// Whether it had types, which are erased.
    pub has_erased_types: bool,
    /// What the names in the tree mean to the check, until other numbers are written into the tree.
    pub(crate) scoping: Cell<Option<Box<Scoping>>>,
}

/// Parses `source` and calls `then` with the tree, on a thread whose stack is large enough to recurse into it.
///
/// Types of TypeScript are erased, and its other extensions are translated.
///
/// Where there are no threads, as on `wasm32-unknown-unknown`, this is [`with_parsed_here`] with a stack of 1 MiB.
///
/// # Errors
/// All syntax errors and early errors; or that the source is nested too deeply for any stack.
pub fn with_parsed<T: Send>(
    source: &str,
    kind: SourceKind,
    then: impl FnOnce(Parsed<'_>) -> T + Send,
) -> Result<T, SourceErrors> {
    with_stack(source, kind, || parse(source, kind, true, then))
}

/// [`with_parsed`], with the types of TypeScript still in the tree.
///
/// # Errors
/// As [`with_parsed`].
pub fn with_types<T: Send>(
    source: &str,
    kind: SourceKind,
    then: impl FnOnce(Parsed<'_>) -> T + Send,
) -> Result<T, SourceErrors> {
    with_stack(source, kind, || parse(source, kind, false, then))
}

/// [`with_parsed`] on the calling thread, whose stack has `stack` bytes left.
///
/// # Errors
/// As [`with_parsed`]; also if the source may be nested too deeply for the stack.
pub fn with_parsed_here<T>(
    source: &str,
    kind: SourceKind,
    stack: usize,
    then: impl FnOnce(Parsed<'_>) -> T,
) -> Result<T, SourceErrors> {
    require_fit(source, kind, stack)?;
    parse(source, kind, true, then)
}

/// Where nothing can start a thread.
const HAS_NO_THREADS: bool = cfg!(all(target_family = "wasm", not(target_feature = "atomics")));

/// What linkers give to a module of WebAssembly, unless they are told otherwise.
const STACK_WITHOUT_THREADS: usize = 1 << 20;

/// Whether [`with_parsed`] has the stack for a source; where there are threads, it makes one that is large enough.
pub(crate) fn has_stack_for(source: &str, kind: SourceKind) -> bool {
    !HAS_NO_THREADS || require_fit(source, kind, STACK_WITHOUT_THREADS).is_ok()
}

fn with_stack<T: Send>(
    source: &str,
    kind: SourceKind,
    work: impl FnOnce() -> Result<T, SourceErrors> + Send,
) -> Result<T, SourceErrors> {
    if HAS_NO_THREADS {
        require_fit(source, kind, STACK_WITHOUT_THREADS)?;
        return work();
    }
    let stack = stack_for(source)?;
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| {
            SourceErrors::one(format!("no stack of {stack} bytes, which the parser may need: {error}"), Span::NOWHERE)
        })?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn parse<T>(
    source: &str,
    kind: SourceKind,
    erases_types: bool,
    then: impl FnOnce(Parsed<'_>) -> T,
) -> Result<T, SourceErrors> {
    let allocator = Allocator::default();
    let ty = kind.to_oxc();
    let options = ParseOptions {
        preserve_parens: false,
        allow_return_outside_function: ty.is_commonjs(),
        ..ParseOptions::default()
    };
    let mut program = tree_of(&allocator, source, ty, options)?;
    let erases_types = erases_types && program.source_type.is_typescript();
    let checker = SemanticBuilder::new().with_check_syntax_error(true).with_enum_eval(erases_types);
    let semantic = checker.with_stats(expected(source)).build(&program);
    let errors: Vec<&OxcDiagnostic> = semantic.diagnostics.errors().collect();
    let clashes: Vec<Clash> = errors.iter().filter_map(|error| clash_of(error)).collect();
    let hidden = hidden_functions(&program, semantic.semantic.scoping(), &clashes);
    let read = read_identifiers(&program, errors.iter().filter_map(|error| assigned_in_strict_code(error)).collect());
    let is_error = |error: &&OxcDiagnostic| {
        clash_of(error).is_none_or(|clash| !hidden.contains(&clash))
            && assigned_in_strict_code(error).is_none_or(|place| !read.contains(&place))
    };
    refuse_errors(errors.into_iter().filter(is_error).map(to_error))?;
    if ty.is_commonjs() {
        refuse_errors(clashes_with_wrapper(semantic.semantic.scoping()).into_iter())?;
    }
    let scoping = semantic.semantic.into_scoping();
    let scoping = if erases_types {
        erase_types(&allocator, scoping, &mut program)?;
        Cell::default()
    } else {
        Cell::new(Some(Box::new(scoping)))
    };
    Ok(then(Parsed { source, program, is_commonjs: ty.is_commonjs(), has_erased_types: erases_types, scoping }))
}

/// About as many scopes, names and mentions as there are in a source: to count them takes a walk of its own.
fn expected(source: &str) -> Stats {
    let size = u32::try_from(source.len()).unwrap_or(u32::MAX);
    Stats::new(0, size / 256, size / 128, size / 32)
}

fn tree_of<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    ty: SourceType,
    options: ParseOptions,
) -> Result<Program<'a>, SourceErrors> {
    let parse = |text: &'a str| {
        let parsed = Parser::new(allocator, text, ty).with_options(options).parse();
        refuse(&parsed.diagnostics).map(|()| parsed.program)
    };
    let mut errors = match parse(source) {
        Ok(program) => return Ok(program),
        Err(errors) => errors,
    };
    let mut mended = Mended::new(source);
    while let Some(next) = mended.without_in(allocator, errors.0[0].span) {
        match parse(next.text) {
            Ok(mut program) => return if next.restore(&mut program) { Ok(program) } else { Err(errors) },
            Err(later) if later.0[0].span > errors.0[0].span => (mended, errors) = (next, later),
            Err(_) => break,
        }
    }
    Err(errors)
}

/// Makes JavaScript of TypeScript: types go, enumerations, namespaces and parameter properties become code. JSX stays.
fn erase_types<'a>(allocator: &'a Allocator, scoping: Scoping, program: &mut Program<'a>) -> Result<(), SourceErrors> {
    let options = TransformOptions { jsx: JsxOptions::disable(), ..TransformOptions::default() };
    let transformed = Transformer::new(allocator, Path::new(""), &options).build_with_scoping(scoping, program);
    refuse(&transformed.diagnostics)
}

/// The `arguments` or `eval` of which an error says that strict code assigns to it.
fn assigned_in_strict_code(error: &OxcDiagnostic) -> Option<Span> {
    let is_assigned = error.message.starts_with("Cannot assign to '") && error.message.ends_with("' in strict mode");
    error.labels.first().filter(|_| is_assigned).map(span_of)
}

fn span_of(label: &LabeledSpan) -> Span {
    Span { start: label.offset(), end: label.offset() + label.len() }
}

/// The two declarations of which an error says that they clash.
fn clash_of(error: &OxcDiagnostic) -> Option<Clash> {
    match &error.labels[..] {
        [first, second] if error.message.ends_with("has already been declared") => {
            Some([span_of(first), span_of(second)])
        }
        _ => None,
    }
}

/// The errors among the diagnostics.
fn refuse(diagnostics: &Diagnostics) -> Result<(), SourceErrors> {
    refuse_errors(diagnostics.errors().map(to_error))
}

fn refuse_errors(errors: impl Iterator<Item = SourceError>) -> Result<(), SourceErrors> {
    let mut errors: Vec<SourceError> = errors.collect();
    errors.sort_by_key(|error| error.span);
    if errors.is_empty() { Ok(()) } else { Err(SourceErrors(errors)) }
}

fn to_error(diagnostic: &OxcDiagnostic) -> SourceError {
    let span = diagnostic.labels.first().map_or(Span::NOWHERE, span_of);
    SourceError { message: diagnostic.message.to_string(), span }
}

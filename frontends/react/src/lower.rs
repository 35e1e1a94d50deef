//! From the syntax tree to the HIR.
//!
//! A function is lowered as React Compiler 1.0.0 lowers it, down to the order in which it numbers blocks and identifiers: closures
//! where they stand, with the numbers of the function around them.
//!
//! # Departures
//! React Compiler goes on behind something that it cannot lower, and reports all of it; here the first one ends the function.

mod assign;
mod builder;
mod chain;
mod expression;
mod function;
mod jsx;
mod loops;
mod member;
mod names;
mod object;
mod operator;
mod reorder;
mod roots;
mod statement;
mod target;

use super::function::{ClosureId, HirFunction, Place};
use super::scope::{BindingId, ScopeId, Scopes};
use builder::Builder;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use function::FunctionSyntax;
use ssaphire_js::dialect::Name;
use ssaphire_js::source::{Parsed, Span};
use std::fmt;

/// Why there is no HIR of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What the HIR has no way to say.
    pub reason: String,
    /// Where it is.
    pub span: Span,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.span.start, self.reason)
    }
}

impl std::error::Error for Unsupported {}

/// Which functions of a file are the outermost ones of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// Those right in the file, as React Compiler takes them under `compilationMode: 'all'`.
    TopLevel,
    /// All functions but methods, each of them once more as if it was in the file: to compare as many as possible.
    All,
}

/// A function of the file, and its HIR or why there is none.
#[derive(Clone, Debug)]
pub struct Root {
    /// Where it is.
    pub span: Span,
    /// Its HIR.
    pub hir: Result<HirFunction, Unsupported>,
}

/// Lowers the functions of a file, in the order of the source.
///
/// Calls itself along the syntax tree: it needs the stack that [`with_parsed`](ssaphire_js::source::with_parsed) provides.
pub fn lower(parsed: &Parsed<'_>, roots: Roots) -> Vec<Root> {
    let scopes = Scopes::of(&parsed.program);
    let mut lowered = Vec::new();
    roots::each(&parsed.program, &scopes, roots, |syntax| {
        let hir = Lowering::new(parsed.source, &scopes, &syntax).and_then(|lowering| lowering.nest(&syntax));
        lowered.push(Root { span: syntax.span(), hir });
    });
    lowered
}

type Lowered<T> = Result<T, Unsupported>;

fn unsupported(reason: impl Into<String>, span: impl Into<Span>) -> Unsupported {
    Unsupported { reason: reason.into(), span: span.into() }
}

/// The state of a nest of functions.
struct Lowering<'p, 'a> {
    source: &'a str,
    scopes: &'p Scopes<'a>,
    /// The scope of the outermost function. What is declared outside of it is global.
    outermost: ScopeId,
    nest: HirFunction,
    builder: Builder<'a>,
    /// The identifiers of the bindings met so far.
    places: HashMap<BindingId, Place>,
    /// Which names the nest has given to bindings, so that each has another one.
    taken: HashSet<Name>,
    /// The first number behind a name that may be free.
    next_number: HashMap<&'a str, u32>,
    /// What the function that is being lowered, and those around it, capture.
    context: Vec<BindingId>,
    /// Bindings whose own name in the source has become another one.
    renamed: HashSet<BindingId>,
    /// Bindings that exist before the statement that declares them; these are context variables.
    hoisted: HashSet<BindingId>,
}

impl<'p, 'a> Lowering<'p, 'a> {
    fn new(source: &'a str, scopes: &'p Scopes<'a>, syntax: &FunctionSyntax<'_, 'a>) -> Lowered<Self> {
        let outermost = scopes.function_at(syntax.span().start);
        let outermost = outermost.ok_or_else(|| unsupported("a function without a body", syntax.span()))?.scope;
        let mut lowering = Self {
            source,
            scopes,
            outermost,
            nest: HirFunction::default(),
            builder: Builder::default(),
            places: HashMap::new(),
            taken: HashSet::new(),
            next_number: HashMap::new(),
            context: Vec::new(),
            renamed: HashSet::new(),
            hoisted: HashSet::new(),
        };
        lowering.builder = lowering.new_builder();
        Ok(lowering)
    }

    /// Lowers the outermost function, and all others with it.
    fn nest(mut self, syntax: &FunctionSyntax<'_, 'a>) -> Lowered<HirFunction> {
        self.function_body(syntax, &[], ClosureId::OUTERMOST)?;
        Ok(self.nest)
    }
}

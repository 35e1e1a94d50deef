//! Definitions and uses of variables, by symbol and span: the SSA form for linters and analyzers.
//!
//! Each access to a variable in SSA form has its source location: reads,
//! assignments, and the initial contents of a variable. The SSA form connects
//! an assignment to its reads, and back, through phis. Variables that closures
//! assign, or that a direct `eval` or a `with` can access, have no such
//! accesses: their contents are not determined by a single function.
//!
//! # Examples
//! ```
//! use ssaphire_js::facts::{AccessKind, Facts};
//! use ssaphire_js::source::{SourceKind, with_parsed};
//!
//! let source = "function f(c) { let x = 1; if (c) x = 2; return x; }";
//! let facts = with_parsed(source, SourceKind::SCRIPT, |parsed| Facts::new(&parsed))??;
//! let function = &facts.functions[1];
//! let is_read_of_x = |id: &usize| {
//!     let access = &function.accesses()[*id];
//!     access.kind == AccessKind::Read && facts.symbols[access.symbol.index()].name.as_ref() == "x"
//! };
//! let read = (0..function.accesses().len()).find(is_read_of_x).unwrap();
//! let reaching = function.definitions_of(read);
//! let texts = reaching.iter().map(|&id| &source[function.accesses()[id].span.range()]);
//! assert_eq!(texts.collect::<Vec<_>>(), ["x", "x"]);
//! assert_eq!(reaching.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod context;
mod finding;
mod flow;

pub use crate::accesses::{Access, AccessKind, Context, SymbolId};
pub use finding::{Finding, FindingKind, Idioms};
pub use flow::{Contents, FunctionFacts};

use context::Contexts;

use crate::lower::{LowerError, lower_facts};
use crate::program::FunctionId;
use crate::scopes::{BindingKind, Scopes, Storage};
use crate::source::{Parsed, Span};
use foldhash::fast::RandomState;
use std::collections::HashSet;
use std::sync::Arc;

/// The facts about the variables of a file.
#[derive(Clone, Debug)]
pub struct Facts {
    /// All declared names of the file, by number.
    pub symbols: Vec<Symbol>,
    /// By function, the accesses of its variables.
    pub functions: Vec<FunctionFacts>,
}

/// A declared name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The spelling.
    pub name: Arc<str>,
    /// The kind of declaration.
    pub kind: SymbolKind,
    /// The span of its first declaration.
    pub span: Span,
    /// The function that declares it.
    pub function: FunctionId,
    /// Whether closures mention it.
    pub is_captured: bool,
    /// Whether it is in SSA form in the function that declares it.
    pub is_in_ssa_form: bool,
    /// Whether unreachable code or a type mentions it.
    pub is_mentioned_elsewhere: bool,
}

/// The kind of declaration of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// `var`.
    Var,
    /// A parameter.
    Param,
    /// `let`, or the pattern of a `catch`.
    Let,
    /// `const`.
    Const,
    /// A class.
    Class,
    /// A function.
    Function,
    /// The parameter of a `catch`.
    CatchParam,
    /// The name of a function expression or class expression, inside of it.
    SelfName,
    /// An import.
    Import,
    /// `arguments`.
    Arguments,
}

impl Facts {
    /// Analyzes all functions of a file.
    ///
    /// # Errors
    /// As [`lower`](crate::lower()).
    ///
    /// # Complexity
    /// Linear in the size of the file, plus the construction.
    pub fn new(parsed: &Parsed<'_>) -> Result<Self, LowerError> {
        let scopes = Scopes::new(parsed);
        let mut functions = lower_facts(&scopes)?;
        let contexts = Contexts::new(parsed);
        for access in functions.iter_mut().flat_map(|(_, accesses)| accesses) {
            access.context = contexts.of(access.kind, access.span.start);
        }
        let mut symbols = symbols(&scopes);
        let with_flow = |(function, accesses): (_, Vec<Access>)| FunctionFacts::new(&function, accesses, &symbols);
        let functions: Vec<FunctionFacts> = functions.into_iter().map(with_flow).collect();
        note_mentions_elsewhere(&mut symbols, &functions, &contexts);
        if parsed.has_erased_types {
            note_types(&mut symbols, parsed.source);
        }
        Ok(Self { symbols, functions })
    }
}

/// Marks the symbols that are mentioned elsewhere than in an access.
fn note_mentions_elsewhere(symbols: &mut [Symbol], functions: &[FunctionFacts], contexts: &Contexts) {
    let mut reached: HashSet<(SymbolId, u32), RandomState> = HashSet::default();
    for function in functions {
        let accesses = function.accesses().iter().enumerate();
        reached.extend(
            accesses
                .filter(|&(number, _)| function.is_reachable(number))
                .map(|(_, access)| (access.symbol, access.span.start)),
        );
    }
    for &(symbol, start) in &contexts.mentions {
        if !reached.contains(&(SymbolId(symbol), start)) {
            symbols[symbol as usize].is_mentioned_elsewhere = true;
        }
    }
}

/// Marks the names that a type may mention: those after `typeof`, and those in brackets of their own.
fn note_types(symbols: &mut [Symbol], source: &str) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let word = |text: &'_ str| text[..text.find(|c| !is_part(c)).unwrap_or(text.len())].to_owned();
    let mut names: HashSet<String, RandomState> = HashSet::default();
    for before in ["typeof", "["] {
        names.extend(source.match_indices(before).map(|(at, _)| word(source[at + before.len()..].trim_start())));
    }
    for symbol in symbols {
        symbol.is_mentioned_elsewhere |= names.contains(&*symbol.name);
    }
}

fn symbols(scopes: &Scopes<'_, '_>) -> Vec<Symbol> {
    let symbol = |binding: &crate::scopes::Binding| Symbol {
        name: (*binding.name).into(),
        kind: match binding.kind {
            BindingKind::Var => SymbolKind::Var,
            BindingKind::Param => SymbolKind::Param,
            BindingKind::Let => SymbolKind::Let,
            BindingKind::Const => SymbolKind::Const,
            BindingKind::Class => SymbolKind::Class,
            BindingKind::Function => SymbolKind::Function,
            BindingKind::CatchParam => SymbolKind::CatchParam,
            BindingKind::FunctionSelf | BindingKind::ClassSelf => SymbolKind::SelfName,
            BindingKind::Import => SymbolKind::Import,
            BindingKind::Arguments => SymbolKind::Arguments,
        },
        span: binding.span,
        function: FunctionId(binding.function),
        is_captured: binding.is_captured,
        is_in_ssa_form: matches!(binding.storage, Storage::Local | Storage::Shared { .. }),
        is_mentioned_elsewhere: false,
    };
    scopes.bindings.iter().map(symbol).collect()
}

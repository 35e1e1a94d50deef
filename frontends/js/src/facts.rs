//! Definitions and uses of variables, by symbol and span: the SSA form for linters and analysers.
//!
//! Each access to a variable that is in SSA form is known with its place in the source: reads, assignments, and what a variable
//! begins with. From an assignment the SSA form leads to its reads, and back, through phis.
//! Variables that closures assign, and those that a direct `eval` or a `with` reaches, have no such accesses: what they hold
//! is not decided by one function.
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

mod finding;
mod flow;

pub use finding::{Finding, FindingKind};
pub use flow::FunctionFacts;

use crate::lower::{LowerError, lower_facts};
use crate::program::FunctionId;
use crate::scopes::{BindingKind, Scopes, Storage};
use crate::source::{Parsed, Span};
use std::sync::Arc;

/// What is known of the variables of a file.
#[derive(Clone, Debug)]
pub struct Facts {
    /// All names that the file declares, by number.
    pub symbols: Vec<Symbol>,
    /// By function, what reads and writes its variables.
    pub functions: Vec<FunctionFacts>,
}

/// The number of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

impl SymbolId {
    /// Its position in [`Facts::symbols`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name that the file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// How it is spelled.
    pub name: Arc<str>,
    /// How it is declared.
    pub kind: SymbolKind,
    /// Where it is declared first.
    pub span: Span,
    /// The function that declares it.
    pub function: FunctionId,
    /// Whether closures mention it.
    pub is_captured: bool,
    /// Whether the function that declares it has it in SSA form.
    pub is_in_ssa_form: bool,
}

/// How a name is declared.
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
    /// The name of a function expression or a class inside of it.
    SelfName,
    /// An import.
    Import,
    /// `arguments`.
    Arguments,
}

/// An access to a variable that is in SSA form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The variable.
    pub symbol: SymbolId,
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: AccessKind,
}

/// Kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// It is read.
    Read,
    /// It is assigned.
    Assign,
    /// It is declared with a value, or bound by a pattern, a loop or a `catch`.
    Initialize,
    /// It gets an argument.
    Param,
    /// Its scope begins: a `var` is `undefined`, what has a dead zone is uninitialized.
    Begin,
}

impl Facts {
    /// Looks at all functions of a file.
    ///
    /// # Errors
    /// As [`lower`](crate::lower()).
    ///
    /// # Complexity
    /// Linear in the size of the file besides the construction.
    pub fn new(parsed: &Parsed<'_>) -> Result<Self, LowerError> {
        let scopes = Scopes::new(&parsed.program, parsed.is_commonjs);
        let functions = lower_facts(&scopes)?;
        let functions = functions.into_iter().map(|(function, accesses)| FunctionFacts::new(&function, accesses));
        let functions = functions.collect();
        Ok(Self { symbols: symbols(&scopes), functions })
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
    };
    scopes.bindings.iter().map(symbol).collect()
}

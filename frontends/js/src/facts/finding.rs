//! Doubtful reads and assignments.

use super::{Facts, FunctionFacts, Symbol, SymbolKind};
use crate::accesses::{Access, AccessKind, Context, SymbolId};
use crate::program::FunctionId;
use crate::source::Span;
use foldhash::fast::RandomState;
use ssaphire::Value;
use std::collections::HashSet;
use std::fmt;

/// A doubtful access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The function.
    pub function: FunctionId,
    /// The variable.
    pub symbol: SymbolId,
    /// The spelling of the variable.
    pub name: std::sync::Arc<str>,
    /// The span of the access.
    pub span: Span,
    /// The kind of doubt.
    pub kind: FindingKind,
}

/// Kinds of doubtful accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A variable is read before anything is assigned to it: on all paths, or on some.
    Undefined {
        /// Whether this is true of all paths.
        always: bool,
    },
    /// A `let`, `const` or class is mentioned before it is initialized: on all paths, or on some.
    DeadZone {
        /// Whether this is true of all paths.
        always: bool,
    },
    /// No read sees the value that is assigned here, but other values of the variable are read.
    NeverRead,
    /// The variable is assigned here, and never read.
    Unused,
}

/// The treatment of accesses that are usually intended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Idioms {
    /// They are not findings.
    #[default]
    Skipped,
    /// They are findings: reads without a value on some paths, and unread assignments in every [`Context`].
    Reported,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let may = |always: bool| if always { "is" } else { "may be" };
        match self.kind {
            FindingKind::Undefined { always } => write!(f, "`{name}` {} undefined here", may(always)),
            FindingKind::DeadZone { always } => write!(f, "`{name}` {} uninitialized here", may(always)),
            FindingKind::NeverRead => write!(f, "the value assigned to `{name}` is never read"),
            FindingKind::Unused => write!(f, "`{name}` is assigned, but never read"),
        }
    }
}

impl Facts {
    /// All doubtful accesses, function by function, in the order of evaluation.
    ///
    /// The unread ones do not include variables that closures capture, parameters, functions, classes and imports. Of
    /// several reads of one value that is never assigned, only the first is a finding. [`Idioms::Skipped`] leaves out:
    ///
    /// - reads without a value on some paths only, unless the variable is uninitialized there;
    /// - first reads that test the variable, and those that follow a test in the source;
    /// - an unread literal that a variable is declared with, if the variable is read later, and unread `null` and `undefined`;
    /// - unread names in patterns in which later names need them, of loops over keys or elements, and of a `catch`;
    /// - updates whose value is used, and chains of assignments: `f(i++)`, `a = b = 0`;
    /// - variables whose names begin with `_`, and those that a type or unreachable code mentions.
    ///
    /// # Complexity
    /// Linear in the number of accesses.
    pub fn findings(&self, idioms: Idioms) -> Vec<Finding> {
        let usage = self.usage();
        let mut findings = Vec::new();
        for (number, function) in self.functions.iter().enumerate() {
            let mut looker = Looker { facts: self, function, usage: &usage, idioms, seen: Seen::default() };
            for (access, data) in function.accesses().iter().enumerate() {
                let Some(kind) = looker.look_at(access) else { continue };
                let (function, name) = (FunctionId(number as u32), self.symbols[data.symbol.index()].name.clone());
                findings.push(Finding { function, symbol: data.symbol, name, span: data.span, kind });
            }
        }
        findings
    }

    /// By symbol.
    fn usage(&self) -> Vec<Usage> {
        let mut usage = vec![Usage::default(); self.symbols.len()];
        for function in &self.functions {
            for (number, access) in function.accesses().iter().enumerate() {
                let usage = &mut usage[access.symbol.index()];
                usage.is_read |= access.kind == AccessKind::Read && function.is_reachable(number);
                usage.is_bound_by_need |= access.context.binds_by_need();
            }
        }
        usage
    }
}

/// How all accesses use a variable.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    is_read: bool,
    is_bound_by_need: bool,
}

impl Context {
    /// Whether the syntax needs a variable here, read or not.
    fn binds_by_need(self) -> bool {
        matches!(self, Self::Sibling | Self::LoopHead | Self::Catch)
    }
}

/// Looks at the accesses of a function one after the other.
struct Looker<'f> {
    facts: &'f Facts,
    function: &'f FunctionFacts,
    usage: &'f [Usage],
    idioms: Idioms,
    seen: Seen,
}

/// What earlier accesses have shown.
#[derive(Default)]
struct Seen {
    tested: HashSet<SymbolId, RandomState>,
    /// Values that are known to be none, by a finding.
    reported: HashSet<Value, RandomState>,
    /// Variables without a read that are findings.
    unused: HashSet<SymbolId, RandomState>,
}

impl Looker<'_> {
    fn look_at(&mut self, access: usize) -> Option<FindingKind> {
        let value = self.function.value_of(access)?;
        let data = &self.function.accesses()[access];
        match data.kind {
            AccessKind::Read => self.look_at_read(access, data, value),
            AccessKind::Assign | AccessKind::Initialize => self.look_at_write(access, data),
            AccessKind::Param | AccessKind::Begin | AccessKind::Declare => None,
        }
    }

    fn look_at_read(&mut self, access: usize, data: &Access, value: Value) -> Option<FindingKind> {
        let contents = self.function.contents_of(access);
        if data.context == Context::Tested {
            self.seen.tested.insert(data.symbol);
        }
        let kind = if contents.uninitialized {
            FindingKind::DeadZone { always: !contents.unassigned && !contents.assigned }
        } else if contents.unassigned {
            let always = !contents.assigned;
            let is_idiom = !always || self.seen.tested.contains(&data.symbol);
            if is_idiom && self.idioms == Idioms::Skipped {
                return None;
            }
            FindingKind::Undefined { always }
        } else {
            return None;
        };
        self.seen.reported.insert(value).then_some(kind)
    }

    fn look_at_write(&mut self, access: usize, data: &Access) -> Option<FindingKind> {
        let symbol = &self.facts.symbols[data.symbol.index()];
        let usage = self.usage[data.symbol.index()];
        if self.function.is_read(access) || !may_be_unread(symbol, data) {
            return None;
        }
        let kind = if usage.is_read { FindingKind::NeverRead } else { FindingKind::Unused };
        if self.idioms == Idioms::Skipped {
            let is_idiom = match kind {
                FindingKind::Unused => usage.is_bound_by_need,
                _ => data.context != Context::Plain,
            };
            if is_idiom || symbol.name.starts_with('_') || symbol.is_mentioned_elsewhere {
                return None;
            }
        }
        // One finding for a variable that is never read.
        (kind == FindingKind::NeverRead || self.seen.unused.insert(data.symbol)).then_some(kind)
    }
}

/// Whether an assignment that its own function does not read is unread.
fn may_be_unread(symbol: &Symbol, access: &Access) -> bool {
    let is_variable = match symbol.kind {
        SymbolKind::Var | SymbolKind::Let | SymbolKind::Const | SymbolKind::CatchParam => true,
        // A caller passes an argument, whether or not it is read.
        SymbolKind::Param => access.kind == AccessKind::Assign,
        _ => false,
    };
    // Closures may read a variable that is shared with them; the translation of types has no place in the source.
    is_variable && !symbol.is_captured && access.context != Context::Function && access.span != Span::NOWHERE
}

//! What is doubtful about the variables of a file.

use super::{AccessKind, Facts, SymbolId, SymbolKind};
use crate::program::FunctionId;
use crate::source::Span;
use std::fmt;

/// Something doubtful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The function.
    pub function: FunctionId,
    /// The variable.
    pub symbol: SymbolId,
    /// How it is spelled.
    pub name: std::sync::Arc<str>,
    /// Where.
    pub span: Span,
    /// What.
    pub kind: FindingKind,
}

/// What may be doubtful.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A `var` is read before anything is assigned: on all paths, or on some.
    Undefined {
        /// Whether it is so on all paths.
        always: bool,
    },
    /// A `let`, `const` or class is mentioned before it is initialized: on all paths, or on some.
    DeadZone {
        /// Whether it is so on all paths.
        always: bool,
    },
    /// What is assigned is never read.
    NeverRead,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let may = |always: bool| if always { "is" } else { "may be" };
        match self.kind {
            FindingKind::Undefined { always } => write!(f, "`{name}` {} undefined here", may(always)),
            FindingKind::DeadZone { always } => write!(f, "`{name}` {} uninitialized here", may(always)),
            FindingKind::NeverRead => write!(f, "what is assigned to `{name}` here is never read"),
        }
    }
}

impl Facts {
    /// All that is doubtful, function by function, in the order of evaluation.
    ///
    /// # Complexity
    /// Linear in the number of accesses.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (number, function) in self.functions.iter().enumerate() {
            for (access, data) in function.accesses().iter().enumerate() {
                if !function.is_reachable(access) {
                    continue;
                }
                let symbol = &self.symbols[data.symbol.index()];
                let kind = match data.kind {
                    AccessKind::Read => {
                        let (may_be_absent, always) = function.absence(access);
                        let has_dead_zone = matches!(
                            symbol.kind,
                            SymbolKind::Let | SymbolKind::Const | SymbolKind::Class | SymbolKind::Param
                        );
                        match (may_be_absent, has_dead_zone) {
                            (false, _) => continue,
                            (true, true) => FindingKind::DeadZone { always },
                            (true, false) => FindingKind::Undefined { always },
                        }
                    }
                    // Closures may read what is shared with them.
                    AccessKind::Assign | AccessKind::Initialize
                        if matches!(symbol.kind, SymbolKind::Let | SymbolKind::Var | SymbolKind::Param)
                            && !symbol.is_captured
                            && !function.is_read(access) =>
                    {
                        FindingKind::NeverRead
                    }
                    _ => continue,
                };
                findings.push(Finding {
                    function: FunctionId(number as u32),
                    symbol: data.symbol,
                    name: symbol.name.clone(),
                    span: data.span,
                    kind,
                });
            }
        }
        findings
    }
}

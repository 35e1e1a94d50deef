//! The language of a file.

use oxc_span::SourceType;

/// The language of a file: a script or a module, with or without types and JSX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceKind {
    pub(super) goal: Goal,
    pub(super) has_types: bool,
    pub(super) has_jsx: bool,
}

/// The start symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Script,
    Module,
    /// A module if it imports or exports anything.
    Either,
    /// The body of a function.
    CommonJs,
}

impl SourceKind {
    /// A script.
    pub const SCRIPT: Self = Self { goal: Goal::Script, has_types: false, has_jsx: false };

    /// A module.
    pub const MODULE: Self = Self { goal: Goal::Module, has_types: false, has_jsx: false };

    /// By the extension of a file's name, without its dot: `js`, `mjs`, `cjs`, `jsx`, `ts`, `mts`, `cts`, `tsx`.
    ///
    /// An extension that leaves it open means a module if the file imports or exports anything, otherwise a script.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let (goal, has_types, has_jsx) = match extension {
            "js" | "jsx" => (Goal::Either, false, true),
            "mjs" => (Goal::Module, false, true),
            "cjs" => (Goal::CommonJs, false, true),
            "ts" => (Goal::Either, true, false),
            "mts" => (Goal::Module, true, false),
            "cts" => (Goal::CommonJs, true, false),
            "tsx" => (Goal::Either, true, true),
            _ => return None,
        };
        Some(Self { goal, has_types, has_jsx })
    }

    /// JavaScript, as the body of a function.
    pub const COMMON_JS: Self = Self { goal: Goal::CommonJs, has_types: false, has_jsx: false };

    /// The same language with JSX.
    pub(crate) fn with_jsx(self) -> Self {
        Self { has_jsx: true, ..self }
    }

    pub(super) fn to_oxc(self) -> SourceType {
        let ty = match self.goal {
            Goal::Script => SourceType::script(),
            Goal::Module => SourceType::mjs(),
            Goal::Either => SourceType::unambiguous(),
            Goal::CommonJs => SourceType::cjs(),
        };
        ty.with_typescript(self.has_types).with_jsx(self.has_jsx)
    }
}

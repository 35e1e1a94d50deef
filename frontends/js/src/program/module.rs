//! What a module imports and exports.

use crate::dialect::{JsString, Name};

/// A declaration that requests a module: `import`, or `export` with `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The module specifier.
    pub module: JsString,
    /// The import attributes, if there is a clause of them.
    pub attributes: Option<Attributes>,
    /// What it does with the names of the module.
    pub clause: ImportClause,
}

/// What an [`Import`] does with the names of its module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportClause {
    /// `import`: binds names in this file; none for `import "module"`.
    Bind {
        /// How far the module is loaded.
        phase: ImportPhase,
        /// The bindings, in source order.
        bindings: Vec<ImportBinding>,
    },
    /// `export { .. } from` and `export * as name from`: exports names of the module without binding them here.
    Export(Vec<ForwardedExport>),
    /// `export * from`: exports all names of the module except `default`.
    ExportAll,
}

/// A name that an `import` binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportBinding {
    /// What is bound.
    pub imported: Imported,
    /// The name in this file.
    pub local: Name,
}

/// A name of another module under which a module exports it, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardedExport {
    /// What is exported.
    pub imported: Imported,
    /// The name for importers of this file.
    pub exported: JsString,
}

/// A part of another module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imported {
    /// The default export.
    Default,
    /// The export with this name, which is not `default`.
    Name(JsString),
    /// The object of all exports.
    Namespace,
}

/// How far an `import` loads its module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportPhase {
    /// The module is evaluated.
    #[default]
    Evaluation,
    /// `import defer`: it is evaluated at the first access to its namespace.
    Defer,
    /// `import source`: the default is the module's source, which is not evaluated.
    Source,
}

/// The import attributes of a declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// The keyword before them.
    pub keyword: AttributesKeyword,
    /// The keys and values, in source order.
    pub entries: Vec<(JsString, JsString)>,
}

/// The keyword before import attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttributesKeyword {
    /// `with`.
    #[default]
    With,
    /// `assert`, the keyword of an earlier proposal.
    Assert,
}

/// A binding of this file that it exports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The binding.
    pub local: Local,
    /// The name for importers, `default` for the default export.
    pub exported: JsString,
}

/// A binding that a module exports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// The cell of the top-level code whose type has this number.
    Cell(u32),
    /// What an import binds.
    Import(Name),
}

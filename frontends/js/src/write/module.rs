//! Import and export declarations.

use super::literal;
use crate::dialect::JsString;
use crate::program::{Attributes, AttributesKeyword, Import, ImportBinding, ImportClause, ImportPhase, Imported};
use oxc_syntax::identifier::is_identifier_name;

/// The declarations of an import: one, unless its clause mixes what the syntax keeps apart.
pub(super) fn import(import: &Import) -> Vec<String> {
    let from = from(import);
    match &import.clause {
        ImportClause::Bind { bindings, .. } if bindings.is_empty() => vec![format!("import {from};")],
        ImportClause::Bind { phase, bindings } => {
            let phase = match phase {
                ImportPhase::Evaluation => "",
                ImportPhase::Defer => "defer ",
                ImportPhase::Source => "source ",
            };
            clauses(bindings).iter().map(|clause| format!("import {phase}{clause} from {from};")).collect()
        }
        ImportClause::Export(forwarded) => {
            let (mut declarations, mut named) = (Vec::new(), Vec::new());
            for forwarded in forwarded {
                let exported = export_name(&forwarded.exported);
                match &forwarded.imported {
                    Imported::Namespace => declarations.push(format!("export * as {exported} from {from};")),
                    Imported::Default => named.push(renamed("default", &exported)),
                    Imported::Name(name) => named.push(renamed(&export_name(name), &exported)),
                }
            }
            if !named.is_empty() || declarations.is_empty() {
                declarations.push(format!("export {} from {from};", braces(&named)));
            }
            declarations
        }
        ImportClause::ExportAll => vec![format!("export * from {from};")],
    }
}

/// What stands between `import` and `from`: a default comes first, and braces go with no namespace.
fn clauses(bindings: &[ImportBinding]) -> Vec<String> {
    let mut default = None;
    let (mut namespaces, mut named) = (Vec::new(), Vec::new());
    for ImportBinding { imported, local } in bindings {
        match imported {
            Imported::Default if default.is_none() => default = Some(&**local),
            Imported::Default => named.push(renamed("default", local)),
            Imported::Name(name) => named.push(renamed(&export_name(name), local)),
            Imported::Namespace => namespaces.push(format!("* as {local}")),
        }
    }
    let mut clauses = namespaces;
    if !named.is_empty() {
        clauses.push(braces(&named));
    }
    match (default, clauses.first_mut()) {
        (Some(default), Some(first)) => *first = format!("{default}, {first}"),
        (Some(default), None) => clauses.push(default.to_owned()),
        (None, _) => {}
    }
    clauses
}

/// The declaration of exports; each is a binding and the name for importers.
pub(super) fn exports<'a>(exports: impl Iterator<Item = (String, &'a JsString)>) -> String {
    let list: Vec<String> = exports.map(|(local, exported)| renamed(&local, &export_name(exported))).collect();
    format!("export {};", braces(&list))
}

fn braces(list: &[String]) -> String {
    if list.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", list.join(", ")) }
}

fn renamed(from: &str, to: &str) -> String {
    if from == to { from.to_owned() } else { format!("{from} as {to}") }
}

/// The name of an export, which need not be an identifier.
fn export_name(name: &JsString) -> String {
    match name.as_str() {
        Some(text) if is_identifier_name(text) => text.to_owned(),
        _ => literal::string(name),
    }
}

/// The specifier of the module, with its attributes.
fn from(import: &Import) -> String {
    let attributes = import.attributes.as_ref().map(attributes).unwrap_or_default();
    format!("{}{attributes}", literal::string(&import.module))
}

fn attributes(attributes: &Attributes) -> String {
    let keyword = match attributes.keyword {
        AttributesKeyword::With => "with",
        AttributesKeyword::Assert => "assert",
    };
    let entry = |(key, value): &(JsString, JsString)| format!("{}: {}", export_name(key), literal::string(value));
    let entries: Vec<String> = attributes.entries.iter().map(entry).collect();
    format!(" {keyword} {}", braces(&entries))
}

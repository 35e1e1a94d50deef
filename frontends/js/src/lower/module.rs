//! What the top of a file declares for others.

use super::function::Lowering;
use super::literal::{Hint, number_of};
use crate::dialect::JsString;
use crate::program::{FunctionId, FunctionKind, LexicalKind, Local, Top};
use crate::scopes::{BindingId, BindingKind, Scopes, Storage};
use crate::source::Parsed;
use oxc_ast::ast::{self, Declaration, ExportDefaultDeclarationKind, ModuleDeclaration, ModuleExportName, Statement};
use oxc_span::GetSpan;
use ssaphire::SsaBuilder;

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    /// What a module declaration does where it stands.
    pub(super) fn module_declaration(&mut self, declaration: &'p ModuleDeclaration<'a>) {
        match declaration {
            ModuleDeclaration::ExportDeclaration(export) => self.declaration(&export.declaration),
            ModuleDeclaration::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::ClassDeclaration(class) => self.class_declaration(class),
                declaration => {
                    if let (Some(expression), Some(binding)) = (declaration.as_expression(), self.scopes.default_export)
                    {
                        let value = self.named_expression(expression, Hint::Name(JsString::new("default")));
                        self.initialize(binding, value, export.span.into());
                    }
                }
            },
            ModuleDeclaration::TSExportAssignment(node) => {
                self.unsupported("`export =` is not part of ECMAScript 2025", node.span);
            }
            _ => {}
        }
    }
}

/// What the top of a file declares for others.
pub(super) fn top(scopes: &Scopes<'_, '_>, parsed: &Parsed<'_>) -> Top {
    let program = &parsed.program;
    let mut top = Top {
        hashbang: program.hashbang.as_ref().map(|hashbang| format!("#!{}", hashbang.value)),
        is_strict: program.directives.iter().any(|directive| directive.directive == "use strict"),
        ..Top::default()
    };
    match scopes.functions[0].kind {
        FunctionKind::Module => declare_module(&mut top, scopes, parsed),
        FunctionKind::Script => declare_script(&mut top, scopes, program),
        _ => {}
    }
    top
}

fn declare_script(top: &mut Top, scopes: &Scopes<'_, '_>, program: &ast::Program<'_>) {
    let mut functions: Vec<(BindingId, FunctionId)> = Vec::new();
    for statement in &program.body {
        let mut statement = statement;
        while let Statement::LabeledStatement(labeled) = statement {
            statement = &labeled.body;
        }
        if let Statement::FunctionDeclaration(function) = statement
            && let Some(binding) = function.id.as_ref().and_then(super::binding::of_symbol)
            && function.body.is_some()
        {
            functions.retain(|&(known, _)| known != binding);
            functions.push((binding, FunctionId(number_of(&function.scope_id))));
        }
    }
    for (id, function) in functions {
        top.functions.push((scopes.binding(id).name.clone(), function));
    }
    for &id in &scopes.scopes[scopes.functions[0].body.0 as usize].bindings {
        let binding = scopes.binding(id);
        let name = binding.name.clone();
        match binding.kind {
            BindingKind::Var => top.vars.push(name),
            BindingKind::Let => top.lexical.push((name, LexicalKind::Let)),
            BindingKind::Const => top.lexical.push((name, LexicalKind::Const)),
            BindingKind::Class => top.lexical.push((name, LexicalKind::Class)),
            _ => {}
        }
    }
}

fn declare_module(top: &mut Top, scopes: &Scopes<'_, '_>, parsed: &Parsed<'_>) {
    let text = |span: oxc_span::Span| parsed.source[span.start as usize..span.end as usize].to_owned();
    for statement in &parsed.program.body {
        let Some(declaration) = statement.as_module_declaration() else { continue };
        match declaration {
            ModuleDeclaration::ImportDeclaration(import) if import.import_kind.is_value() => {
                top.imports.push(import_text(import, parsed.source));
            }
            ModuleDeclaration::ExportAllDeclaration(export) if export.export_kind.is_value() => {
                let name = export.exported.as_ref().map(|name| format!(" as {}", text(name.span())));
                let from = from_text(&export.source, export.with_clause.as_deref(), parsed.source);
                top.imports.push(format!("export *{} {from};", name.unwrap_or_default()));
            }
            ModuleDeclaration::ExportFromDeclaration(export) if export.export_kind.is_value() => {
                let specifier = |specifier: &ast::ExportSpecifier<'_>| {
                    format!("{} as {}", text(specifier.local.span()), text(specifier.exported.span()))
                };
                let specifiers: Vec<String> =
                    export.specifiers.iter().filter(|one| one.export_kind.is_value()).map(specifier).collect();
                let from = from_text(&export.source, export.with_clause.as_deref(), parsed.source);
                top.imports.push(format!("export {{ {} }} {from};", specifiers.join(", ")));
            }
            ModuleDeclaration::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    if let ModuleExportName::IdentifierReference(id) = &specifier.local
                        && let Some(binding) = super::binding::of_reference(id)
                    {
                        top.exports.push((local(scopes, binding), text(specifier.exported.span())));
                    }
                }
            }
            ModuleDeclaration::ExportDeclaration(export) => export_declaration(top, scopes, &export.declaration),
            ModuleDeclaration::ExportDefaultDeclaration(export) => {
                let id = match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.id.as_ref(),
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.as_ref(),
                    _ => None,
                };
                let binding = id.and_then(super::binding::of_symbol).or(scopes.default_export);
                if let Some(binding) = binding {
                    top.exports.push((local(scopes, binding), "default".to_owned()));
                }
            }
            _ => {}
        }
    }
}

/// An import declaration without types.
fn import_text(import: &ast::ImportDeclaration<'_>, source: &str) -> String {
    let text = |span: oxc_span::Span| &source[span.start as usize..span.end as usize];
    let from = from_text(&import.source, import.with_clause.as_deref(), source);
    let Some(specifiers) = &import.specifiers else { return format!("import {};", from.trim_start_matches("from ")) };
    let phase = match import.phase {
        None => "",
        Some(ast::ImportPhase::Source) => "source ",
        Some(ast::ImportPhase::Defer) => "defer ",
    };
    let (mut parts, mut named, mut has_braces) = (Vec::new(), Vec::new(), specifiers.is_empty());
    for specifier in specifiers {
        match specifier {
            ast::ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => parts.push(one.local.name.to_string()),
            ast::ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                parts.push(format!("* as {}", one.local.name));
            }
            ast::ImportDeclarationSpecifier::ImportSpecifier(one) => {
                has_braces = true;
                if one.import_kind.is_value() {
                    named.push(format!("{} as {}", text(one.imported.span()), one.local.name));
                }
            }
        }
    }
    if has_braces {
        parts.push(if named.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", named.join(", ")) });
    }
    format!("import {phase}{} {from};", parts.join(", "))
}

/// Where a declaration imports from, with its attributes.
fn from_text(module: &ast::StringLiteral<'_>, with: Option<&ast::WithClause<'_>>, source: &str) -> String {
    let text = |span: oxc_span::Span| &source[span.start as usize..span.end as usize];
    let keyword = |with: &ast::WithClause<'_>| match with.keyword {
        ast::WithClauseKeyword::With => "with",
        ast::WithClauseKeyword::Assert => "assert",
    };
    let with = with.map(|with| {
        let attributes = text(with.span);
        let keyword = if attributes.starts_with('{') { keyword(with) } else { "" };
        format!(" {keyword} {attributes}")
    });
    let with = with.unwrap_or_default();
    format!("from {}{with}", text(module.span))
}

fn local(scopes: &Scopes<'_, '_>, id: BindingId) -> Local {
    let binding = scopes.binding(id);
    match binding.storage {
        Storage::Native | Storage::Named => Local::Import(binding.name.clone()),
        _ => Local::Cell(id.0),
    }
}

fn export_declaration(top: &mut Top, scopes: &Scopes<'_, '_>, declaration: &Declaration<'_>) {
    let mut export = |id: &ast::BindingIdentifier<'_>| {
        if let Some(binding) = super::binding::of_symbol(id) {
            top.exports.push((local(scopes, binding), id.name.to_string()));
        }
    };
    match declaration {
        Declaration::VariableDeclaration(declaration) => {
            for declarator in &declaration.declarations {
                for id in declarator.id.get_binding_identifiers() {
                    export(id);
                }
            }
        }
        Declaration::FunctionDeclaration(function) => function.id.iter().for_each(export),
        Declaration::ClassDeclaration(class) => class.id.iter().for_each(export),
        _ => {}
    }
}

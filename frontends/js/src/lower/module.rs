//! What the top of a file declares for others.

use super::function::Lowering;
use super::literal::{Hint, number_of};
use crate::dialect::{JsString, Name};
use crate::program::{
    Attributes, AttributesKeyword, Export, ForwardedExport, FunctionId, FunctionKind, Import, ImportBinding,
    ImportClause, ImportPhase, Imported, LexicalKind, Local, Top,
};
use crate::scopes::{BindingId, BindingKind, Scopes, Storage};
use crate::source::Parsed;
use oxc_ast::ast::{self, Declaration, ExportDefaultDeclarationKind, ModuleDeclaration, ModuleExportName, Statement};
use ssaphire::SsaBuilder;

/// The name of a default export.
const DEFAULT: &str = "default";

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
                        let value = self.named_expression(expression, Hint::Identifier(DEFAULT.into()));
                        self.initialize(binding, value, export.span.into());
                    }
                }
            },
            ModuleDeclaration::ImportDeclaration(import) => self.require_evaluation(import.phase, import.span),
            ModuleDeclaration::TSExportAssignment(node) => {
                self.unsupported("`export =` is not part of ECMAScript 2025", node.span);
            }
            _ => {}
        }
    }

    /// Refuses the phases of imports that are proposed, but in TypeScript.
    pub(super) fn require_evaluation(&mut self, phase: Option<ast::ImportPhase>, span: oxc_span::Span) {
        let phase = match phase {
            None => return,
            Some(ast::ImportPhase::Source) => "source",
            Some(ast::ImportPhase::Defer) => "defer",
        };
        if !self.scopes.has_erased_types {
            self.unsupported(format!("`import {phase}` is not part of ECMAScript 2025"), span);
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
        FunctionKind::Module => declare_module(&mut top, scopes, program),
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
    for &id in scopes.bindings_of(scopes.functions[0].body) {
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

fn declare_module(top: &mut Top, scopes: &Scopes<'_, '_>, program: &ast::Program<'_>) {
    for statement in &program.body {
        let Some(declaration) = statement.as_module_declaration() else { continue };
        top.imports.extend(import_of(declaration));
        match declaration {
            ModuleDeclaration::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    if let ModuleExportName::IdentifierReference(id) = &specifier.local
                        && let Some(binding) = super::binding::of_reference(id)
                    {
                        let exported = export_name(&specifier.exported);
                        top.exports.push(Export { local: local(scopes, binding), exported });
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
                    top.exports.push(Export { local: local(scopes, binding), exported: JsString::new(DEFAULT) });
                }
            }
            _ => {}
        }
    }
}

/// The request of a declaration, unless it requests no module or only types.
fn import_of(declaration: &ModuleDeclaration<'_>) -> Option<Import> {
    let (module, attributes, clause) = match declaration {
        ModuleDeclaration::ImportDeclaration(import) if import.import_kind.is_value() => {
            (&import.source, &import.with_clause, bound(import))
        }
        ModuleDeclaration::ExportAllDeclaration(export) if export.export_kind.is_value() => {
            let clause = match &export.exported {
                None => ImportClause::ExportAll,
                Some(name) => {
                    let (imported, exported) = (Imported::Namespace, export_name(name));
                    ImportClause::Export(vec![ForwardedExport { imported, exported }])
                }
            };
            (&export.source, &export.with_clause, clause)
        }
        ModuleDeclaration::ExportFromDeclaration(export) if export.export_kind.is_value() => {
            let values = export.specifiers.iter().filter(|specifier| specifier.export_kind.is_value());
            let forwarded = values.map(|specifier| ForwardedExport {
                imported: imported(&specifier.local),
                exported: export_name(&specifier.exported),
            });
            (&export.source, &export.with_clause, ImportClause::Export(forwarded.collect()))
        }
        _ => return None,
    };
    Some(Import { module: string(module), attributes: attributes.as_deref().map(attributes_of), clause })
}

/// What an import declaration binds, without types.
fn bound(import: &ast::ImportDeclaration<'_>) -> ImportClause {
    let phase = match import.phase {
        None => ImportPhase::Evaluation,
        Some(ast::ImportPhase::Source) => ImportPhase::Source,
        Some(ast::ImportPhase::Defer) => ImportPhase::Defer,
    };
    let mut bindings = Vec::new();
    for specifier in import.specifiers.iter().flatten() {
        let (imported, local) = match specifier {
            ast::ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => (Imported::Default, &one.local),
            ast::ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (Imported::Namespace, &one.local),
            ast::ImportDeclarationSpecifier::ImportSpecifier(one) if one.import_kind.is_value() => {
                (imported(&one.imported), &one.local)
            }
            ast::ImportDeclarationSpecifier::ImportSpecifier(_) => continue,
        };
        bindings.push(ImportBinding { imported, local: Name::new(&local.name) });
    }
    ImportClause::Bind { phase, bindings }
}

fn attributes_of(clause: &ast::WithClause<'_>) -> Attributes {
    let keyword = match clause.keyword {
        ast::WithClauseKeyword::With => AttributesKeyword::With,
        ast::WithClauseKeyword::Assert => AttributesKeyword::Assert,
    };
    let key = |key: &ast::ImportAttributeKey<'_>| match key {
        ast::ImportAttributeKey::Identifier(id) => JsString::new(&id.name),
        ast::ImportAttributeKey::StringLiteral(literal) => string(literal),
    };
    let entries = clause.with_entries.iter().map(|entry| (key(&entry.key), string(&entry.value))).collect();
    Attributes { keyword, entries }
}

fn imported(name: &ModuleExportName<'_>) -> Imported {
    let name = export_name(name);
    if name.as_str() == Some(DEFAULT) { Imported::Default } else { Imported::Name(name) }
}

fn export_name(name: &ModuleExportName<'_>) -> JsString {
    match name {
        ModuleExportName::IdentifierName(id) => JsString::new(&id.name),
        ModuleExportName::IdentifierReference(id) => JsString::new(&id.name),
        ModuleExportName::StringLiteral(literal) => string(literal),
    }
}

fn string(literal: &ast::StringLiteral<'_>) -> JsString {
    if literal.lone_surrogates { JsString::from_escaped(&literal.value) } else { JsString::new(&literal.value) }
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
            top.exports.push(Export { local: local(scopes, binding), exported: JsString::new(&id.name) });
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

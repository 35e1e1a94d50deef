//! Classes and modules.

use super::function::set_number;
use super::resolve::{ScopeKind, Target, Walk};
use super::{BindingId, BindingKind, Captures, ClassScope};
use crate::program::{FunctionKind, MemoryReason};
use foldhash::fast::RandomState;
use oxc_ast::ast::{
    self, ClassElement, ExportDefaultDeclarationKind, MethodDefinitionKind, ModuleDeclaration, PropertyKey,
};
use oxc_syntax::symbol::SymbolId;
use std::collections::HashSet;

/// The heritage or a computed key of a class, while it is walked.
pub(super) struct Head<'p, 'a> {
    class: &'p ast::Class<'a>,
    /// The private names that the class declares, once they are needed.
    private: Option<HashSet<&'p str, RandomState>>,
}

fn private_names<'p>(class: &'p ast::Class<'_>) -> HashSet<&'p str, RandomState> {
    let keys = class.body.body.iter().filter_map(ClassElement::property_key);
    keys.filter_map(|key| if let PropertyKey::PrivateIdentifier(id) = key { Some(id.name.as_str()) } else { None })
        .collect()
}

impl<'p, 'a> Walk<'p, 'a> {
    pub(super) fn class(&mut self, class: &'p ast::Class<'a>, is_declaration: bool) {
        let number = self.classes.len() as u32;
        set_number(&class.scope_id, number);
        self.classes.push(ClassScope {
            node: class,
            self_binding: None,
            functions: Vec::new(),
            captures: Captures::default(),
        });
        if is_declaration && let Some(id) = &class.id {
            let binding = self.declare(id.name, BindingKind::Class, id.span.into());
            self.bindings[binding.index()].initialized_at = class.span.end;
            id.symbol_id.set(Some(SymbolId::from_usize(binding.index())));
        }
        self.enter(ScopeKind::Block, None, class.span.start);
        if let Some(id) = &class.id {
            let binding = self.declare(id.name, BindingKind::ClassSelf, id.span.into());
            self.classes[number as usize].self_binding = Some(binding);
        }
        let was_strict = std::mem::replace(&mut self.functions[self.function as usize].is_strict, true);
        let num_captured = self.captured.len();
        if let Some(heritage) = &class.heritage {
            self.in_head(class, was_strict, |walk| walk.expression(&heritage.expression));
        }
        let mut functions = Vec::with_capacity(class.body.body.len());
        for element in &class.body.body {
            if let Some(key) = element.property_key().filter(|_| element.computed()) {
                self.in_head(class, was_strict, |walk| walk.key(key));
            }
            functions.push(self.class_element(class, element));
        }
        let function = self.function as usize;
        self.functions[function].is_strict = was_strict;
        self.classes[number as usize].functions = functions;
        self.leave();
        self.note_class_name(number, num_captured);
    }

    /// Walks the heritage or a computed key of a class.
    fn in_head(&mut self, class: &'p ast::Class<'a>, was_strict: bool, walk: impl FnOnce(&mut Self)) {
        let outer = self.strict_in_sloppy;
        if !was_strict {
            self.strict_in_sloppy = Some(self.function);
        }
        self.heads.push(Head { class, private: None });
        walk(self);
        self.heads.pop();
        self.strict_in_sloppy = outer;
    }

    /// A use of a private name. In the head of the class that declares it, the use must stay inside of the class.
    pub(super) fn private_name(&mut self, id: &'p ast::PrivateIdentifier<'a>) {
        let is_declared = |head: &mut Head<'p, 'a>| {
            let private = head.private.get_or_insert_with(|| private_names(head.class));
            private.contains(id.name.as_str())
        };
        if self.heads.iter_mut().any(is_declared) {
            self.note_dynamic(MemoryReason::ClassHead, id.span.into());
        }
    }

    /// An assignment or a `delete`. In the head of a class it is strict, and may throw where sloppy code would not.
    pub(super) fn note_strict(&mut self, span: crate::source::Span) {
        if self.strict_in_sloppy == Some(self.function) {
            self.note_dynamic(MemoryReason::ClassHead, span);
        }
    }

    /// A closure in the head of a class has the name that the class has inside only where it is written inside.
    fn note_class_name(&mut self, class: u32, num_captured: usize) {
        let ClassScope { node, self_binding: Some(binding), functions, .. } = &self.classes[class as usize] else {
            return;
        };
        let is_in_head = |&(captured, mut function): &(BindingId, u32)| {
            while let Some(parent) = self.functions[function as usize].parent.filter(|&parent| parent != self.function)
            {
                function = parent;
            }
            captured == *binding && !functions.contains(&Some(function))
        };
        if self.captured[num_captured..].iter().any(is_in_head) {
            self.note_dynamic(MemoryReason::ClassHead, node.span.into());
        }
    }

    fn class_element(&mut self, class: &'p ast::Class<'a>, element: &'p ClassElement<'a>) -> Option<u32> {
        let start = class.span.start;
        match element {
            ClassElement::StaticBlock(block) => Some(self.static_block(block, start)),
            ClassElement::MethodDefinition(method) => {
                let kind = match method.kind {
                    MethodDefinitionKind::Constructor if class.heritage.is_some() => FunctionKind::DerivedConstructor,
                    MethodDefinitionKind::Constructor => FunctionKind::Constructor,
                    MethodDefinitionKind::Method => FunctionKind::Method,
                    MethodDefinitionKind::Get => FunctionKind::Getter,
                    MethodDefinitionKind::Set => FunctionKind::Setter,
                };
                method.value.body.as_ref()?;
                Some(self.function(&method.value, kind, start))
            }
            ClassElement::PropertyDefinition(property) => property.value.as_ref().map(|value| self.field(value, start)),
            ClassElement::AccessorProperty(property) => property.value.as_ref().map(|value| self.field(value, start)),
            ClassElement::TSIndexSignature(_) => None,
        }
    }

    pub(super) fn module_declaration(&mut self, declaration: &'p ModuleDeclaration<'a>) {
        match declaration {
            ModuleDeclaration::ImportDeclaration(import) => {
                for specifier in import.specifiers.iter().flatten() {
                    let local = specifier.local();
                    let binding = self.declare(local.name, BindingKind::Import, local.span.into());
                    local.symbol_id.set(Some(SymbolId::from_usize(binding.index())));
                }
            }
            ModuleDeclaration::ExportDeclaration(export) => {
                self.declaration(&export.declaration);
                self.export_declared(&export.declaration);
            }
            ModuleDeclaration::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    if let ast::ModuleExportName::IdentifierReference(id) = &specifier.local {
                        self.reference(id, false);
                        self.exported.push(Target::Reference(&id.reference_id));
                    }
                }
            }
            ModuleDeclaration::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    self.function_declaration(function);
                    self.exported.extend(function.id.iter().map(|id| Target::Symbol(&id.symbol_id)));
                }
                ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                    self.class(class, true);
                    self.exported.extend(class.id.iter().map(|id| Target::Symbol(&id.symbol_id)));
                    if class.id.is_none() {
                        self.default_value(class.span.into());
                    }
                }
                declaration => {
                    if let Some(expression) = declaration.as_expression() {
                        self.expression(expression);
                        self.default_value(export.span.into());
                    }
                }
            },
            _ => {}
        }
    }

    fn default_value(&mut self, span: crate::source::Span) {
        let binding = self.default_export(BindingKind::Const, span);
        self.bindings[binding.index()].initialized_at = span.end;
    }

    fn export_declared(&mut self, declaration: &'p ast::Declaration<'a>) {
        match declaration {
            ast::Declaration::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.export_pattern(&declarator.id);
                }
            }
            ast::Declaration::FunctionDeclaration(function) => {
                self.exported.extend(function.id.iter().map(|id| Target::Symbol(&id.symbol_id)));
            }
            ast::Declaration::ClassDeclaration(class) => {
                self.exported.extend(class.id.iter().map(|id| Target::Symbol(&id.symbol_id)));
            }
            _ => {}
        }
    }

    fn export_pattern(&mut self, pattern: &'p ast::BindingPattern<'a>) {
        match pattern {
            ast::BindingPattern::BindingIdentifier(id) => self.exported.push(Target::Symbol(&id.symbol_id)),
            ast::BindingPattern::AssignmentPattern(assignment) => self.export_pattern(&assignment.left),
            ast::BindingPattern::ObjectPattern(object) => {
                object.properties.iter().for_each(|property| self.export_pattern(&property.value));
                object.rest.iter().for_each(|rest| self.export_pattern(&rest.argument));
            }
            ast::BindingPattern::ArrayPattern(array) => {
                array.elements.iter().flatten().for_each(|element| self.export_pattern(element));
                array.rest.iter().for_each(|rest| self.export_pattern(&rest.argument));
            }
        }
    }
}

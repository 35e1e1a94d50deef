//! Classes.

use super::Interner;
use super::function::{Lowering, Shared};
use super::literal::{Hint, number_of};
use crate::dialect::{Immediates, JsString, Name, Op, Opcode, Type};
use crate::program::{Class, ClassElement, ClassElementKind, ClassKey, FunctionId};
use crate::scopes::{ClassScope, Scopes};
use oxc_ast::ast::{self, PropertyKey};
use ssaphire::{SsaBuilder, Value};

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn class_declaration(&mut self, class: &'p ast::Class<'a>) {
        if class.declare {
            return;
        }
        let name = class.id.as_ref().map_or_else(|| "default".into(), |id| id.name);
        let value = self.class(class, Hint::Identifier(name));
        let binding = class.id.as_ref().map_or(self.scopes.default_export, super::binding::of_symbol);
        if let Some(binding) = binding {
            self.initialize(binding, value, class.span.into());
        }
    }

    /// A class: its superclass and its computed keys are evaluated, then it is made at once.
    pub(super) fn class(&mut self, class: &'p ast::Class<'a>, hint: Hint<'a>) -> Value {
        if let Some(decorator) = class.decorators.first() {
            self.unsupported("decorators are not part of ECMAScript 2025", decorator.span);
        }
        let number = number_of(&class.scope_id);
        let mut args = Vec::new();
        let opcode = match (hint, &class.id) {
            (_, Some(_)) | (Hint::None, None) => Opcode::Class,
            (Hint::Identifier(name), None) => {
                self.shared.class_names[number as usize] = Some(self.interner.key(name));
                Opcode::Class
            }
            (Hint::Name(name), None) => {
                self.shared.class_names[number as usize] = Some(name);
                Opcode::Class
            }
            (Hint::Key(key), None) => {
                args.push(key);
                Opcode::ClassNamed
            }
        };
        if let Some(heritage) = &class.heritage {
            args.push(self.expression(&heritage.expression));
        }
        let scopes = self.scopes;
        for (element, &function) in class.body.body.iter().zip(&scopes.classes[number as usize].functions) {
            self.class_key(element, &mut args);
            if let Some(function) = function {
                self.shared.function_names[function as usize] = self.name_of_field_value(element);
            }
        }
        for &id in scopes.captures_of_class(number) {
            args.push(self.cell(id));
        }
        let op = Op { opcode, span: class.span.into(), immediates: Immediates::Index(number) };
        self.op_typed(op, &args, Type::Any)
    }

    /// Refuses what TypeScript alone has, where that is not erased.
    fn require_plain(&mut self, element: &ast::ClassElement<'_>) {
        let (modifier, span) = match element {
            ast::ClassElement::MethodDefinition(method) => {
                (modifier(method.accessibility, method.r#override, method.optional), method.span)
            }
            ast::ClassElement::PropertyDefinition(property) => {
                let modifier = modifier(property.accessibility, property.r#override, property.optional);
                let own = [(property.declare, "declare"), (property.readonly, "readonly")];
                let own = own.into_iter().find(|&(is_there, _)| is_there).map(|(_, name)| name);
                (modifier.or(own), property.span)
            }
            ast::ClassElement::AccessorProperty(property) => {
                ((!self.scopes.has_erased_types).then_some("accessor"), property.span)
            }
            _ => return,
        };
        if let Some(modifier) = modifier.filter(|_| !self.scopes.has_erased_types) {
            self.unsupported(format!("`{modifier}` of a class element is not part of ECMAScript 2025"), span);
        }
    }

    /// What a field gives its value for a name, if that is known and wanted.
    fn name_of_field_value(&mut self, element: &ast::ClassElement<'a>) -> Option<JsString> {
        let (key, is_computed, value) = match element {
            ast::ClassElement::PropertyDefinition(property) => (&property.key, property.computed, &property.value),
            ast::ClassElement::AccessorProperty(property) => (&property.key, property.computed, &property.value),
            _ => return None,
        };
        if !value.as_ref().is_some_and(super::literal::is_anonymous) {
            return None;
        }
        match key {
            PropertyKey::PrivateIdentifier(id) => Some(JsString::new(&super::expression::private_name(id))),
            _ => self.static_key(key, is_computed),
        }
    }

    fn class_key(&mut self, element: &'p ast::ClassElement<'a>, args: &mut Vec<Value>) {
        self.require_plain(element);
        let (key, is_computed, decorators) = match element {
            ast::ClassElement::MethodDefinition(method) if method.value.body.is_some() => {
                (&method.key, method.computed, &method.decorators)
            }
            ast::ClassElement::PropertyDefinition(property) if !property.declare => {
                (&property.key, property.computed, &property.decorators)
            }
            ast::ClassElement::AccessorProperty(property) => (&property.key, property.computed, &property.decorators),
            _ => return,
        };
        if let Some(decorator) = decorators.first() {
            self.unsupported("decorators are not part of ECMAScript 2025", decorator.span);
        }
        if !matches!(key, PropertyKey::PrivateIdentifier(_)) && self.static_key(key, is_computed).is_none() {
            args.push(self.computed_key(key));
        }
    }
}

fn modifier(accessibility: Option<ast::TSAccessibility>, is_override: bool, is_optional: bool) -> Option<&'static str> {
    match accessibility {
        Some(accessibility) => Some(accessibility.as_str()),
        None if is_override => Some("override"),
        None => is_optional.then_some("?"),
    }
}

/// All classes of a file, as their instructions have them.
pub(super) fn describe_all<'a>(
    scopes: &Scopes<'_, 'a>,
    interner: &mut Interner<'a>,
    shared: &mut Shared,
) -> Vec<Class> {
    let mut classes = Vec::with_capacity(scopes.classes.len());
    for (number, scope) in scopes.classes.iter().enumerate() {
        let name = shared.class_names[number].take();
        classes.push(describe(scopes, interner, (number as u32, scope), name));
    }
    classes
}

fn describe<'a>(
    scopes: &Scopes<'_, 'a>,
    interner: &mut Interner<'a>,
    (number, scope): (u32, &ClassScope<'_, 'a>),
    name: Option<JsString>,
) -> Class {
    let node = scope.node;
    let mut constructor = None;
    let mut elements = Vec::new();
    for (element, &function) in node.body.body.iter().zip(&scope.functions) {
        let function = function.map(FunctionId);
        let (key, is_computed, is_static, kind) = match element {
            ast::ClassElement::StaticBlock(_) => {
                let kind = ClassElementKind::StaticBlock;
                elements.push(ClassElement { is_static: true, key: ClassKey::None, function, kind });
                continue;
            }
            ast::ClassElement::MethodDefinition(method) => {
                if function.is_none() {
                    continue;
                }
                if method.kind == ast::MethodDefinitionKind::Constructor {
                    constructor = function;
                    continue;
                }
                (&method.key, method.computed, method.r#static, ClassElementKind::Method)
            }
            ast::ClassElement::PropertyDefinition(property) => {
                if property.declare {
                    continue;
                }
                (&property.key, property.computed, property.r#static, ClassElementKind::Field)
            }
            ast::ClassElement::AccessorProperty(property) => {
                (&property.key, property.computed, property.r#static, ClassElementKind::Accessor)
            }
            ast::ClassElement::TSIndexSignature(_) => continue,
        };
        let key = class_key(interner, key, is_computed);
        elements.push(ClassElement { is_static, key, function, kind });
    }
    Class {
        name,
        self_name: scope.self_binding.map(|id| scopes.binding(id).name.clone()),
        is_declaration: node.is_declaration(),
        has_superclass: node.heritage.is_some(),
        constructor,
        elements,
        captures: scopes.captures_of_class(number).iter().map(|&id| scopes.binding(id).name.clone()).collect(),
        span: node.span.into(),
    }
}

fn class_key<'a>(interner: &mut Interner<'a>, key: &PropertyKey<'a>, is_computed: bool) -> ClassKey {
    match key {
        PropertyKey::PrivateIdentifier(id) => ClassKey::Private(Name::new(&super::expression::private_name(id))),
        _ if is_computed => ClassKey::Computed,
        PropertyKey::StaticIdentifier(id) => ClassKey::Name(interner.key(id.name)),
        PropertyKey::StringLiteral(literal) => ClassKey::Name(interner.string(&literal.value, literal.lone_surrogates)),
        PropertyKey::NumericLiteral(literal) => ClassKey::Name(JsString::new(&crate::number::to_string(literal.value))),
        PropertyKey::BigIntLiteral(literal) => ClassKey::Name(JsString::new(&literal.value)),
        _ => ClassKey::Computed,
    }
}

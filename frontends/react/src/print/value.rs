//! The text of values.

use super::Printer;
use crate::function::{ClosureId, Place};
use crate::value::{
    CastType, Dependency, DependencyRoot, Element, Global, JsxAttribute, JsxTag, Key, Pattern, Property, PropertyName,
    Quasi, StoreKind, Value,
};
use ssaphire_js::dialect::{Constant, JsString};
use ssaphire_js::number;
use std::fmt::{Result, Write};

pub(super) fn write(out: &mut String, printer: &Printer<'_>, value: &Value) -> Result {
    let place = |place: &Place| printer.place(*place);
    match value {
        Value::LoadLocal { place: it } => write!(out, "LoadLocal {}", place(it)),
        Value::LoadContext { place: it } => write!(out, "LoadContext {}", place(it)),
        Value::LoadGlobal(global) => write_global(out, global),
        Value::StoreLocal { kind, target, value } => write_store(out, printer, "StoreLocal", *kind, (*target, *value)),
        Value::StoreContext { kind, target, value } => {
            write_store(out, printer, "StoreContext", *kind, (*target, *value))
        }
        Value::StoreGlobal { name, value } => write!(out, "StoreGlobal {name} = {}", place(value)),
        Value::DeclareLocal { kind, target } => write!(out, "DeclareLocal {} {}", kind.text(), place(target)),
        Value::DeclareContext { kind, target } => write!(out, "DeclareContext {} {}", kind.text(), place(target)),
        Value::Destructure { kind, pattern, value } => {
            write!(out, "Destructure {} {} = {}", kind.text(), pattern_text(printer, pattern), place(value))
        }
        Value::Primitive(constant) => write_constant(out, constant),
        Value::JsxText(text) => {
            out.push_str("JSXText ");
            write_string(out, &JsString::new(text))
        }
        Value::TemplateLiteral { quasis, operands } => write_template(out, printer, quasis, operands),
        Value::TaggedTemplate { tag, raw } => write!(out, "{}`{raw}`", place(tag)),
        Value::RegExp { pattern, flags } => write!(out, "RegExp /{pattern}/{flags}"),
        Value::MetaProperty { meta, property } => write!(out, "MetaProperty {meta}.{property}"),
        Value::Binary { operator, left, right } => {
            write!(out, "Binary {} {} {}", place(left), operator.as_str(), place(right))
        }
        Value::Unary { operand, .. } => write!(out, "Unary {}", place(operand)),
        Value::PrefixUpdate { target, is_increment, value } => {
            write!(out, "PrefixUpdate {} = {} {}", place(target), update(*is_increment), place(value))
        }
        Value::PostfixUpdate { target, is_increment, value } => {
            write!(out, "PostfixUpdate {} = {} {}", place(target), place(value), update(*is_increment))
        }
        Value::Call { callee, arguments } => write!(out, "Call {}({})", place(callee), elements(printer, arguments)),
        Value::New { callee, arguments } => write!(out, "New {}({})", place(callee), elements(printer, arguments)),
        Value::MethodCall { receiver, property, arguments } => {
            write!(out, "MethodCall {}.{}({})", place(receiver), place(property), elements(printer, arguments))
        }
        Value::Object(properties) => write!(out, "Object {{ {} }}", properties_text(printer, properties)),
        Value::Array(items) => write!(out, "Array [{}]", elements(printer, items)),
        Value::Jsx { tag, attributes, children } => write_jsx(out, printer, tag, attributes, children.as_deref()),
        Value::JsxFragment(children) => {
            let children: Vec<String> = children.iter().map(|child| place(child).to_string()).collect();
            write!(out, "JsxFragment [{}]", children.join(", "))
        }
        Value::Function(closure) => write_closure(out, printer, "Function", *closure),
        Value::ObjectMethod(closure) => write_closure(out, printer, "ObjectMethod", *closure),
        Value::TypeCast { value, ty } => write!(out, "TypeCast {}: {}", place(value), type_text(*ty)),
        Value::Await(value) => write!(out, "Await {}", place(value)),
        Value::NextPropertyOf(object) => write!(out, "NextPropertyOf {}", place(object)),
        Value::Debugger => out.write_str("Debugger"),
        Value::UnsupportedNode(kind) => write!(out, "UnsupportedNode {kind}"),
        _ => write_access(out, printer, value),
    }
}

/// Writes what has to do with properties, iteration and hooks.
fn write_access(out: &mut String, printer: &Printer<'_>, value: &Value) -> Result {
    let place = |place: &Place| printer.place(*place);
    match value {
        Value::PropertyLoad { object, property } => write!(out, "PropertyLoad {}.{}", place(object), name(property)),
        Value::PropertyStore { object, property, value } => {
            write!(out, "PropertyStore {}.{} = {}", place(object), name(property), place(value))
        }
        Value::PropertyDelete { object, property } => {
            write!(out, "PropertyDelete {}.{}", place(object), name(property))
        }
        Value::ComputedLoad { object, property } => write!(out, "ComputedLoad {}[{}]", place(object), place(property)),
        Value::ComputedStore { object, property, value } => {
            write!(out, "ComputedStore {}[{}] = {}", place(object), place(property), place(value))
        }
        Value::ComputedDelete { object, property } => {
            write!(out, "ComputedDelete {}[{}]", place(object), place(property))
        }
        Value::GetIterator { collection } => write!(out, "GetIterator collection={}", place(collection)),
        Value::IteratorNext { iterator, collection } => {
            write!(out, "IteratorNext iterator={} collection={}", place(iterator), place(collection))
        }
        Value::StartMemoize { dependencies } => {
            let dependencies = dependencies.as_ref().map(|dependencies| {
                let text = dependencies.iter().map(|dependency| dependency_text(printer, dependency));
                text.collect::<Vec<_>>().join(",")
            });
            write!(out, "StartMemoize deps={}", dependencies.as_deref().unwrap_or("(none)"))
        }
        Value::FinishMemoize { declaration } => write!(out, "FinishMemoize decl={}", place(declaration)),
        _ => Ok(()),
    }
}

fn write_store(
    out: &mut String,
    printer: &Printer<'_>,
    what: &str,
    kind: StoreKind,
    (target, value): (Place, Place),
) -> Result {
    write!(out, "{what} {} {} = {}", kind.text(), printer.place(target), printer.place(value))
}

fn write_global(out: &mut String, global: &Global) -> Result {
    let text = |text: &JsString| String::from_utf16_lossy(&text.units());
    match global {
        Global::Unbound(name) => write!(out, "LoadGlobal(global) {name}"),
        Global::Module(name) => write!(out, "LoadGlobal(module) {name}"),
        Global::ImportDefault { name, module } => write!(out, "LoadGlobal import {name} from '{}'", text(module)),
        Global::ImportNamespace { name, module } => {
            write!(out, "LoadGlobal import * as {name} from '{}'", text(module))
        }
        Global::ImportSpecifier { name, imported, module } if imported.as_str() == Some(name) => {
            write!(out, "LoadGlobal import {{ {name} }} from '{}'", text(module))
        }
        Global::ImportSpecifier { name, imported, module } => {
            write!(out, "LoadGlobal import {{ {} as {name} }} from '{}'", text(imported), text(module))
        }
    }
}

/// As JSON has it, in which `-0` is `0`, and what is no number `null`.
fn write_constant(out: &mut String, constant: &Constant) -> Result {
    match constant {
        Constant::Undefined => out.write_str("<undefined>"),
        Constant::Boolean(truth) => write!(out, "{truth}"),
        Constant::Number(bits) if f64::from_bits(*bits).is_finite() => {
            out.write_str(&number::to_string(f64::from_bits(*bits)))
        }
        Constant::String(text) => write_string(out, text),
        _ => out.write_str("null"),
    }
}

fn write_string(out: &mut String, text: &JsString) -> Result {
    out.push('"');
    for unit in char::decode_utf16(text.units()) {
        match unit {
            Ok(c @ ('"' | '\\')) => write!(out, "\\{c}")?,
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\u{8}') => out.push_str("\\b"),
            Ok('\u{c}') => out.push_str("\\f"),
            Ok(c) if c < ' ' => write!(out, "\\u{:04x}", u32::from(c))?,
            Ok(c) => out.push(c),
            Err(lone) => write!(out, "\\u{:04x}", lone.unpaired_surrogate())?,
        }
    }
    out.push('"');
    Ok(())
}

fn write_template(out: &mut String, printer: &Printer<'_>, quasis: &[Quasi], operands: &[Place]) -> Result {
    out.push('`');
    for (index, quasi) in quasis.iter().enumerate() {
        out.push_str(&quasi.raw);
        if let Some(&operand) = operands.get(index) {
            write!(out, "${{{}}}", printer.place(operand))?;
        }
    }
    out.push('`');
    Ok(())
}

fn write_closure(out: &mut String, printer: &Printer<'_>, what: &str, closure: ClosureId) -> Result {
    let function = printer.nest.function(closure);
    let name = function.name.as_deref().filter(|_| what == "Function").unwrap_or_default();
    let context: Vec<String> = function.context.iter().map(|&place| printer.place(place).to_string()).collect();
    write!(out, "{what} {name} @context[{}] @aliasingEffects=[]", context.join(","))
}

fn write_jsx(
    out: &mut String,
    printer: &Printer<'_>,
    tag: &JsxTag,
    attributes: &[JsxAttribute],
    children: Option<&[Place]>,
) -> Result {
    let tag = match tag {
        JsxTag::Place(place) => printer.place(*place).to_string(),
        JsxTag::Builtin(name) => name.clone(),
    };
    write!(out, "JSX <{tag}")?;
    for attribute in attributes {
        match attribute {
            JsxAttribute::Named(name, place) => write!(out, " {name}={{{}}}", printer.place(*place))?,
            JsxAttribute::Spread(place) => write!(out, " ...{}", printer.place(*place))?,
        }
    }
    if !attributes.is_empty() {
        out.push(' ');
    }
    let Some(children) = children else { return out.write_str("/>") };
    out.push('>');
    for child in children {
        write!(out, "{{{}}}", printer.place(*child))?;
    }
    write!(out, "</{tag}>")
}

fn name(property: &PropertyName) -> String {
    match property {
        PropertyName::Text(text) => String::from_utf16_lossy(&text.units()),
        PropertyName::Number(value) => number::to_string(*value),
    }
}

fn dependency_text(printer: &Printer<'_>, dependency: &Dependency) -> String {
    let root = match &dependency.root {
        DependencyRoot::Global(name) => name.to_string(),
        DependencyRoot::Local(place) => printer.place(*place).without_effect(),
    };
    let path = dependency.path.iter().map(|(property, is_optional)| {
        let dot = if *is_optional { "?." } else { "." };
        format!("{dot}{}", name(property))
    });
    root + &path.collect::<String>()
}

fn elements(printer: &Printer<'_>, elements: &[Element]) -> String {
    let text = elements.iter().map(|element| match element {
        Element::Place(place) => printer.place(*place).to_string(),
        Element::Spread(place) => format!("...{}", printer.place(*place)),
        Element::Hole => "<hole>".into(),
    });
    text.collect::<Vec<_>>().join(", ")
}

fn properties_text(printer: &Printer<'_>, properties: &[Property]) -> String {
    let text = properties.iter().map(|property| match property {
        Property::Keyed(key, place) => format!("{}: {}", key_text(printer, key), printer.place(*place)),
        Property::Spread(place) => format!("...{}", printer.place(*place)),
    });
    text.collect::<Vec<_>>().join(", ")
}

fn key_text(printer: &Printer<'_>, key: &Key) -> String {
    match key {
        Key::Identifier(name) => name.clone(),
        Key::String(text) => format!("\"{}\"", String::from_utf16_lossy(&text.units())),
        Key::Computed(place) => format!("[{}]", printer.place(*place)),
    }
}

fn pattern_text(printer: &Printer<'_>, pattern: &Pattern) -> String {
    match pattern {
        Pattern::Array(items) => format!("[ {} ]", elements(printer, items)),
        Pattern::Object(properties) => format!("{{ {} }}", properties_text(printer, properties)),
    }
}

fn type_text(ty: CastType) -> &'static str {
    match ty {
        CastType::Array => ":TObject<BuiltInArray>",
        CastType::Primitive => ":TPrimitive",
        CastType::Other => "",
    }
}

fn update(is_increment: bool) -> &'static str {
    if is_increment { "++" } else { "--" }
}

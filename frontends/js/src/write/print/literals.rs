//! Literals: arrays, objects, templates, JSX elements.

use super::function::Key;
use super::{MAX_WIDTH, Printer, Spot, Task, text};
use crate::dialect::{Constant, Element, JsString, TemplatePart};
use crate::write::ast::{Ast, BROKEN, ExprId, ExprKind, Item, level};
use crate::write::insts::num_args;
use crate::write::literal;
use oxc_syntax::identifier::is_identifier_name;
use std::borrow::Cow;

impl<'a> Printer<'a> {
    pub(super) fn array(&mut self, id: ExprId, items: &'a [Item]) {
        let width = |item: &Item| item.value().map_or(0, |value| self.ast.width(value));
        let is_short = self.ast.width(id) <= MAX_WIDTH + 2 || items.iter().all(|item| width(item) < 12);
        let end = if items.last() == Some(&Item::Hole) { ",]" } else { "]" };
        if is_short {
            self.tasks.push(text(end));
            self.items(items, ", ");
            self.out.push('[');
            return;
        }
        let start = self.open("[");
        self.tasks.push(Task::Close(start, end));
        for (index, item) in items.iter().enumerate().rev() {
            if index + 1 < items.len() {
                self.tasks.push(text(","));
            }
            self.items(std::slice::from_ref(item), "");
            self.tasks.push(Task::Line);
        }
    }

    pub(super) fn object_literal(&mut self, id: ExprId, elements: &'a [Element], values: &'a [ExprId]) {
        if elements.is_empty() {
            self.out += "{}";
            return;
        }
        let is_long = self.ast.width(id) > MAX_WIDTH + 4;
        let start = self.out.len() + 1;
        if is_long {
            self.open("{");
            self.tasks.push(Task::Close(start, "}"));
        } else {
            self.out += "{ ";
            self.tasks.push(text(" }"));
        }
        let mut at = values.len();
        for (index, element) in elements.iter().enumerate().rev() {
            let end = at;
            at -= num_args(element).min(at);
            if is_long || index + 1 < elements.len() {
                self.tasks.push(text(if is_long { "," } else { ", " }));
            }
            self.property(element, &values[at..end]);
            if is_long {
                self.tasks.push(Task::Line);
            }
        }
    }

    fn property(&mut self, element: &'a Element, values: &'a [ExprId]) {
        match (element, values) {
            (Element::Value(name), &[value]) => {
                let key = literal::key(name);
                let value_task = Task::Expr(value, Spot::named(level::ASSIGNMENT, name.as_str()));
                if self.ast.is_shorthand(element, value) {
                    self.tasks.push(value_task);
                } else {
                    self.then([Task::Text(Cow::Owned(plain_key(key))), text(": "), value_task]);
                }
            }
            (Element::Computed, &[key, value]) => {
                let value = Task::Expr(value, Spot::named(level::ASSIGNMENT, None));
                self.then([text("["), self.computed_key(key), text("]: "), value]);
            }
            (Element::Spread, &[value]) => self.then([text("..."), Task::Expr(value, Spot::ARGUMENT)]),
            (Element::Proto, &[value]) => self.then([text("__proto__: "), Task::Expr(value, Spot::ARGUMENT)]),
            (Element::Method(method), values) => {
                let key = match (&method.name, values.first()) {
                    (Some(name), _) => Key::Known(name),
                    (None, Some(&key)) => Key::Computed(key),
                    (None, None) => return,
                };
                self.tasks.push(Task::Method(method.function, key));
            }
            _ => {}
        }
    }

    /// What stands between the brackets of a computed key, which the brackets convert.
    pub(super) fn computed_key(&self, key: ExprId) -> Task<'a> {
        let key = match *self.ast.kind(key) {
            ExprKind::ToKey(from) => from,
            _ => key,
        };
        Task::Expr(key, Spot::ARGUMENT)
    }

    /// A template without its quotes; what is a template itself, as a part of it.
    pub(super) fn inside_of_template(&mut self, id: ExprId) {
        let ExprKind::Template { parts, values } = self.ast.kind(id) else { return };
        for (index, part) in parts.iter().enumerate().rev() {
            match values.get(index) {
                Some(&value) if matches!(self.ast.kind(value), ExprKind::Template { .. }) => {
                    self.tasks.push(Task::InsideOfTemplate(value));
                }
                Some(&value) => match self.ast.kind(value) {
                    ExprKind::Constant(Constant::String(part)) => {
                        self.tasks.push(Task::TemplatePart(part));
                    }
                    _ => self.then([text("${"), Task::Expr(value, Spot::ANY), text("}")]),
                },
                None => {}
            }
            self.tasks.push(Task::TemplatePart(part));
        }
    }

    /// A part of a template, perhaps right behind another one.
    pub(super) fn template_part(&mut self, part: &JsString) {
        let text = literal::template_part(part);
        if self.out.ends_with('$') && text.starts_with('{') {
            self.out.push('\\');
        }
        self.out += &text;
    }

    /// The object that a template's tag gets, as a template whose tag gives it back.
    pub(super) fn template_object(&mut self, parts: &[TemplatePart]) {
        self.out += "((strings) => strings)`";
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.out += "${0}";
            }
            self.out += &part.raw;
        }
        self.out.push('`');
    }

    pub(super) fn jsx(&mut self, elements: &'a [Element], values: &'a [ExprId]) {
        let has_children = elements.contains(&Element::Children) && elements.last() != Some(&Element::Children);
        let tag = |at: usize| match elements.first() {
            Some(Element::Tag(name)) if !name.as_escaped().is_empty() => text(name.as_escaped()),
            Some(Element::Tag(_)) => values.get(at).map_or(text(""), |&tag| Task::Expr(tag, Spot::ANY)),
            _ => text(""),
        };
        let has_tag = matches!(elements.first(), Some(Element::Tag(_)));
        if has_children || !has_tag {
            self.then([text("</"), tag(0), text(">")]);
        } else {
            self.tasks.push(text(" />"));
        }
        let mut at = values.len();
        let first_child = elements.iter().position(|element| *element == Element::Children);
        if first_child.is_none() && !has_tag {
            self.tasks.push(text(">"));
        }
        for (index, element) in elements.iter().enumerate().rev() {
            at -= num_args(element).min(at);
            let value = |spot| values.get(at).map_or(text(""), |&value| Task::Expr(value, spot));
            let is_child = first_child.is_some_and(|first| index > first);
            match element {
                Element::Children if has_children || !has_tag => self.tasks.push(text(">")),
                Element::Text(raw) => self.tasks.push(text(raw.as_escaped())),
                Element::Value(_) if is_child => self.then([text("{"), value(Spot::ARGUMENT), text("}")]),
                Element::Spread if is_child => self.then([text("{..."), value(Spot::ARGUMENT), text("}")]),
                Element::Value(name) => match values.get(at).and_then(|&value| self.ast.jsx_string(value)) {
                    Some(value) => {
                        self.then([text(" "), text(name.as_escaped()), text("=\""), text(value), text("\"")]);
                    }
                    None => {
                        self.then([text(" "), text(name.as_escaped()), text("={"), value(Spot::ARGUMENT), text("}")]);
                    }
                },
                Element::Spread => self.then([text(" {..."), value(Spot::ARGUMENT), text("}")]),
                Element::Bare(name) => self.then([text(" "), text(name.as_escaped())]),
                _ => {}
            }
        }
        self.then([text("<"), tag(0)]);
    }
}

impl Ast<'_> {
    /// The text of a string that can stand between quotes in JSX, where nothing can be escaped.
    fn jsx_string(&self, value: ExprId) -> Option<&str> {
        let ExprKind::Constant(Constant::String(string)) = self.kind(value) else { return None };
        string.as_str().filter(|text| !text.contains(|c: char| matches!(c, '"' | '&') || c.is_control()))
    }
}

/// A key that does not set the prototype.
fn plain_key(key: String) -> String {
    if key == "__proto__" || key == "\"__proto__\"" { "[\"__proto__\"]".to_owned() } else { key }
}

/// How a property of that name is read: `.name` or `["name"]`.
pub(super) fn access(name: &JsString) -> String {
    match name.as_str() {
        Some(text) if is_identifier_name(text) => format!(".{text}"),
        _ => format!("[{}]", literal::string(name)),
    }
}

/// The key of a property that gives its name to a function.
pub(super) fn naming_key(name: &JsString) -> String {
    plain_key(literal::key(name))
}

const _: () = assert!(BROKEN > MAX_WIDTH, "what has line breaks is wider than a line");

//! Literals of objects, arrays and JSX.

use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Expr, Shape, Throws, level};
use super::insts::num_args;
use super::literal;
use super::text::{DEDENT, INDENT, NEWLINE, protect};
use crate::dialect::{Element, JsString, Opcode};
use oxc_syntax::identifier::is_identifier_name;
use ssaphire_ir::Arg;

/// Longer lists have a line for each item.
const MAX_WIDTH: usize = 90;

impl Builder<'_> {
    /// An object, array or JSX element.
    pub(super) fn layout(
        &mut self,
        opcode: Opcode,
        elements: &[Element],
        args: &[Arg],
        throws: Throws,
    ) -> Result<Expr, Unwritable> {
        // Behind what runs code when it is put in, nothing else may be computed in place.
        let mut first_running = usize::MAX;
        let mut at = 0;
        for element in elements {
            if matches!(element, Element::Spread) {
                first_running = first_running.min(at);
            }
            at += num_args(element);
        }
        if at != args.len() {
            return Err(Unwritable::Op(opcode.name().to_owned()));
        }
        let room = |index: usize| if index > first_running { Room::Quiet } else { Room::Any };
        let taken = self.take(args, throws, room);
        let parts: Vec<&Expr> = taken.iter().collect();
        let value = match opcode {
            Opcode::Array => {
                let texts = array_elements(elements, &taken);
                Expr::new(array_text(&texts), level::PRIMARY).shaped(Shape::Array(texts))
            }
            Opcode::Object => {
                let texts = self.properties(elements, &taken)?;
                Expr::new(braces(&texts, ","), level::PRIMARY)
            }
            _ => Expr::new(self.jsx(elements, &taken), level::PRIMARY),
        };
        Ok(value.with(&parts))
    }

    fn properties(&mut self, elements: &[Element], taken: &[Expr]) -> Result<Vec<String>, Unwritable> {
        let mut texts = Vec::new();
        let mut at = 0;
        for element in elements {
            let args = &taken[at..at + num_args(element)];
            at += args.len();
            texts.push(match (element, args) {
                (Element::Value(name), [value]) => property(name, value),
                (Element::Computed, [key, value]) => format!("[{}]: {}", computed_key(key), value.in_named_place(None)),
                (Element::Spread, [value]) => format!("...{}", value.as_argument()),
                (Element::Proto, [value]) => format!("__proto__: {}", value.as_argument()),
                (Element::Method(method), _) => {
                    let key = match (&method.name, args.first()) {
                        (Some(name), _) => literal::key(name),
                        (None, Some(key)) => format!("[{}]", computed_key(key)),
                        (None, None) => return Err(Unwritable::Op("object".to_owned())),
                    };
                    self.object_method(method.function, &key)?
                }
                _ => return Err(Unwritable::Op("object".to_owned())),
            });
        }
        Ok(texts)
    }

    fn jsx(&mut self, elements: &[Element], taken: &[Expr]) -> String {
        let (mut tag, mut attributes, mut children) = (String::new(), String::new(), String::new());
        let mut has_children = false;
        let mut at = 0;
        for element in elements {
            let arg = taken.get(at);
            at += num_args(element);
            let value = || arg.map_or_else(String::new, Expr::as_argument);
            match element {
                Element::Tag(name) if name.as_escaped().is_empty() => {
                    tag = arg.map_or_else(String::new, |arg| self.tag(arg));
                }
                Element::Tag(name) => name.as_escaped().clone_into(&mut tag),
                Element::Children => has_children = true,
                Element::Text(text) => children += &protect(text.as_escaped()),
                Element::Value(_) if has_children => children += &format!("{{{}}}", value()),
                Element::Spread if has_children => children += &format!("{{...{}}}", value()),
                Element::Value(name) => attributes += &format!(" {}={{{}}}", name.as_escaped(), value()),
                Element::Spread => attributes += &format!(" {{...{}}}", value()),
                Element::Bare(name) => attributes += &format!(" {}", name.as_escaped()),
                Element::Computed | Element::Proto | Element::Hole | Element::Method(_) => {}
            }
        }
        if children.is_empty() && !tag.is_empty() {
            return format!("<{tag}{attributes} />");
        }
        format!("<{tag}{attributes}>{children}</{tag}>")
    }

    /// The tag of a JSX element that is a value: a name that cannot be taken for that of an HTML element, or a property.
    fn tag(&mut self, value: &Expr) -> String {
        let is_path = value.text.split('.').all(|part| is_identifier_name(part) || part == "this");
        let is_lower = value.text.starts_with(|c: char| c.is_lowercase());
        if is_path && (!is_lower || value.text.contains('.') || value.text == "this") {
            return value.text.clone();
        }
        let variable = self.temporary_like("Tag");
        self.assign(variable, value.clone(), false);
        self.name(variable).to_owned()
    }
}

/// The text between the brackets of a computed key.
pub(super) fn computed_key(key: &Expr) -> String {
    match &key.shape {
        Shape::Key(from) => from.clone(),
        _ => key.as_argument(),
    }
}

fn property(name: &JsString, value: &Expr) -> String {
    let key = literal::key(name);
    let text = value.in_named_place(name.as_str());
    if key == "__proto__" || key == "\"__proto__\"" {
        return format!("[\"__proto__\"]: {text}");
    }
    if value.shape == Shape::Atom && key == text && literal::is_binding_name(&key) {
        key
    } else {
        format!("{key}: {text}")
    }
}

fn array_elements(elements: &[Element], taken: &[Expr]) -> Vec<String> {
    let mut values = taken.iter().map(Expr::as_argument);
    let text = |element: &Element| match element {
        Element::Hole => String::new(),
        Element::Spread => format!("...{}", values.next().unwrap_or_default()),
        _ => values.next().unwrap_or_default(),
    };
    elements.iter().map(text).collect()
}

/// An array literal of elements, those that are empty being holes.
pub(super) fn array_text(elements: &[String]) -> String {
    let comma = if elements.last().is_some_and(String::is_empty) { "," } else { "" };
    let width: usize = elements.iter().map(|element| element.len() + 2).sum();
    if width <= MAX_WIDTH || elements.iter().all(|element| element.len() < 12) {
        return format!("[{}{comma}]", elements.join(", "));
    }
    let lines = elements.join(&format!(",{NEWLINE}"));
    format!("[{INDENT}{NEWLINE}{lines}{comma}{DEDENT}{NEWLINE}]")
}

/// Items in braces, each with `end` behind it or between them.
pub(super) fn braces(items: &[String], end: &str) -> String {
    if items.is_empty() {
        return "{}".to_owned();
    }
    let width: usize = items.iter().map(|item| item.len() + 2).sum();
    let is_long = width > MAX_WIDTH || items.iter().any(|item| item.contains(NEWLINE));
    if !is_long {
        return format!("{{ {} }}", items.join(&format!("{end} ")));
    }
    let lines = items.join(&format!("{end}{NEWLINE}"));
    format!("{{{INDENT}{NEWLINE}{lines}{end}{DEDENT}{NEWLINE}}}")
}

//! Functions and classes as expressions.

use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Shape, Throws, level};
use super::function_text::FunctionText;
use super::literal;
use super::objects::computed_key;
use super::text::{DEDENT, INDENT, NEWLINE};
use crate::dialect::{JsString, Opcode};
use crate::program::{Class, ClassElement, ClassElementKind, ClassKey, FunctionId, FunctionKind, JsFunction};
use ssaphire_ir::Arg;

impl Builder<'_> {
    /// What closures and classes are made by.
    pub(super) fn definition(&mut self, opcode: Opcode, index: u32, args: &[Arg]) -> Result<Expr, Unwritable> {
        let is_named = matches!(opcode, Opcode::ClosureNamed | Opcode::ClassNamed);
        let is_class = matches!(opcode, Opcode::Class | Opcode::ClassNamed);
        let class = self.program.classes.get(index as usize).filter(|_| is_class);
        // Its superclass and keys are evaluated as a part of it, but its name may mean itself there.
        let num_keys = class.map_or(0, |class| args.len().saturating_sub(class.captures.len()));
        let is_hidden = class.is_some_and(|class| self.mentions_own_name(&args[..num_keys], class));
        let first = usize::from(is_named);
        let stands_inside = |arg: &Arg| class.is_some_and(|class| self.comes_from(*arg, class));
        let are_inside: Vec<bool> = args.iter().map(stands_inside).collect();
        let room = |index: usize| match (first..num_keys).contains(&index) && !is_hidden {
            true if are_inside[index] => Room::Any,
            true => Room::Strict,
            false => Room::Atom,
        };
        let taken = self.take(args, Throws::Never, room);
        let mut value = match opcode {
            Opcode::Closure | Opcode::ClosureNamed => self.function_expression(FunctionId(index))?,
            _ => self.class_expression(index, &taken[usize::from(is_named)..])?,
        };
        let parts: Vec<&Expr> = taken.iter().collect();
        value = value.with(&parts);
        if let (true, Some(key)) = (is_named, taken.first()) {
            let key = key.plain();
            // A function without a name gets it from a computed key.
            value.text = format!("({{ [{key}]: {} }})[{key}]", value.text);
            (value.binding, value.shape) = (level::MEMBER, Shape::Plain);
        }
        if matches!(opcode, Opcode::Closure | Opcode::ClosureNamed)
            && self.written(FunctionId(index))?.needs_strict_place
        {
            value = in_strict_code(value);
        }
        Ok(value)
    }

    /// Whether what waits to be an argument mentions a variable that a class hides, because it has the same name.
    fn mentions_own_name(&self, args: &[Arg], class: &Class) -> bool {
        let Some(name) = class.self_name.as_deref() else { return false };
        let is_arg = |variable| args.contains(&Arg::Variable(variable));
        let waiting = self.pending.iter().filter(|pending| is_arg(pending.variable));
        waiting.flat_map(|pending| &pending.value.reads).any(|&variable| self.name(variable) == name)
    }

    /// Whether what waits to be an argument comes from the text of a class.
    fn comes_from(&self, arg: Arg, class: &Class) -> bool {
        let Arg::Variable(variable) = arg else { return false };
        let place = self.pending.iter().find(|pending| pending.variable == variable).and_then(|pending| pending.place);
        place.is_some_and(|place| (class.span.start..class.span.end).contains(&place))
    }

    fn written(&self, id: FunctionId) -> Result<&FunctionText, Unwritable> {
        self.written.get(id.index()).and_then(Option::as_ref).ok_or(Unwritable::Function(id))
    }

    /// A function expression or arrow function.
    fn function_expression(&mut self, id: FunctionId) -> Result<Expr, Unwritable> {
        let js = self.program.functions.get(id.index()).ok_or(Unwritable::Function(id))?;
        let written = self.written(id)?;
        let is_arrow = js.kind == FunctionKind::Arrow;
        let binding = if is_arrow { level::ASSIGNMENT } else { level::PRIMARY };
        if let Some(text) = &written.verbatim {
            return Ok(Expr::new(text.clone(), binding).shaped(self.verbatim_shape(js, text)));
        }
        let is_async = if js.is_async { "async " } else { "" };
        if is_arrow {
            let body = written.result.as_ref().map_or_else(|| written.body.clone(), Expr::as_arrow_body);
            let text = format!("{is_async}({}) => {body}", written.params);
            return Ok(Expr::new(text, binding).shaped(anonymous(js.name.as_ref(), 0, false)));
        }
        let star = if js.is_generator { "*" } else { "" };
        let start = format!("{is_async}function{star} ");
        let name = js.self_name.as_deref().unwrap_or_default();
        let text = format!("{start}{name}({}) {}", written.params, written.body);
        if js.self_name.is_some() {
            return Ok(Expr::new(text, binding));
        }
        let may_insert = self.may_insert(js.name.as_ref(), &[id]);
        let shape = anonymous(js.name.as_ref(), start.len(), may_insert);
        Ok(Expr::new(text, binding).shaped(shape))
    }

    /// What a function as it stands in the source is: it has the name that it has there.
    fn verbatim_shape(&self, js: &JsFunction, text: &str) -> Shape {
        let has_name = js.kind == FunctionKind::Function
            && text
                .trim_start_matches("async")
                .trim_start()
                .strip_prefix("function")
                .is_some_and(|rest| !rest.trim_start_matches(['*', ' ', '\n', '\t', '\r']).starts_with('('));
        if has_name { Shape::Plain } else { anonymous(js.name.as_ref(), 0, false) }
    }

    /// Whether a function or class with these functions may get `name` as a name of its own, since nothing in it means
    /// anything else by it.
    fn may_insert(&self, name: Option<&JsString>, functions: &[FunctionId]) -> bool {
        name.and_then(JsString::as_str).is_some_and(|name| {
            literal::is_binding_name(name)
                && functions.iter().all(|&function| {
                    let plan = self.plans.plans.get(function.index()).and_then(Option::as_ref);
                    !self.plans.file.is_taken(function, name)
                        && plan.is_some_and(|plan| plan.captured.iter().all(|(captured, _)| captured != name))
                })
        })
    }

    /// A method of an object, which is as strict as the code around.
    pub(super) fn object_method(&mut self, id: FunctionId, key: &str) -> Result<String, Unwritable> {
        if self.written(id)?.needs_strict_place {
            return Err(Unwritable::Strict(id));
        }
        self.method(id, key)
    }

    /// A method, getter, setter or constructor with that key.
    pub(super) fn method(&mut self, id: FunctionId, key: &str) -> Result<String, Unwritable> {
        let js = self.program.functions.get(id.index()).ok_or(Unwritable::Function(id))?;
        let written = self.written(id)?;
        if let Some(text) = &written.verbatim {
            return Ok(text.clone());
        }
        let prefix = match (js.kind, js.is_async, js.is_generator) {
            (FunctionKind::Getter, ..) => "get ",
            (FunctionKind::Setter, ..) => "set ",
            (_, true, true) => "async *",
            (_, true, false) => "async ",
            (_, false, true) => "*",
            _ => "",
        };
        Ok(format!("{prefix}{key}({}) {}", written.params, written.body))
    }

    fn class_expression(&mut self, index: u32, args: &[Expr]) -> Result<Expr, Unwritable> {
        let class = self.program.classes.get(index as usize).ok_or_else(|| Unwritable::Op("class".to_owned()))?;
        let (heritage, keys) = match (class.has_superclass, args.split_first()) {
            (true, Some((heritage, keys))) => (format!("extends {} ", heritage.at_least(level::CALL)), keys),
            (true, None) => return Err(Unwritable::Op("class".to_owned())),
            (false, _) => (String::new(), args),
        };
        let mut keys = keys.iter();
        let mut elements = Vec::new();
        if let Some(constructor) = class.constructor {
            elements.push(self.method(constructor, "constructor")?);
        }
        for element in &class.elements {
            elements.push(self.element(element, &mut keys)?);
        }
        let mut text = "class ".to_owned();
        let name_at = text.len();
        if let Some(name) = &class.self_name {
            text += &format!("{name} ");
        }
        text += &heritage;
        text += &block(&elements);
        let mut value = Expr::new(text, level::PRIMARY);
        if class.self_name.is_none() {
            let functions: Vec<FunctionId> =
                class.elements.iter().filter_map(|element| element.function).chain(class.constructor).collect();
            let is_named =
                |arg: &Expr| class.name.as_ref().and_then(JsString::as_str).is_some_and(|name| arg.text.contains(name));
            // A class's name is also in scope in its `extends` clause and in its computed keys.
            let may_insert = !args.iter().any(is_named) && self.may_insert(class.name.as_ref(), &functions);
            value = value.shaped(anonymous(class.name.as_ref(), name_at, may_insert));
        }
        value.effect = if runs(class) { Effect::Runs } else { Effect::None };
        Ok(value)
    }

    fn element<'e>(
        &mut self,
        element: &ClassElement,
        keys: &mut impl Iterator<Item = &'e Expr>,
    ) -> Result<String, Unwritable> {
        let (key, name) = match &element.key {
            ClassKey::Name(name) => (literal::key(name), name.as_str()),
            ClassKey::Private(name) => (name.to_string(), Some(&**name)),
            ClassKey::Computed => {
                let key = keys.next().ok_or_else(|| Unwritable::Op("class".to_owned()))?;
                (format!("[{}]", computed_key(key)), None)
            }
            ClassKey::None => (String::new(), None),
        };
        let is_static = if element.is_static { "static " } else { "" };
        let accessor = if element.kind == ClassElementKind::Accessor { "accessor " } else { "" };
        Ok(match (element.kind, element.function) {
            (ClassElementKind::Method, Some(function)) => format!("{is_static}{}", self.method(function, &key)?),
            (ClassElementKind::StaticBlock, Some(function)) => format!("static {}", self.written(function)?.body),
            (_, None) => format!("{is_static}{accessor}{key};"),
            (_, Some(function)) => {
                let written = self.written(function)?;
                let value = match &written.result {
                    // The field gives it its name.
                    Some(Expr { text, shape: Shape::Anonymous { wanted: None, .. }, .. }) => text.clone(),
                    Some(result) => result.in_named_place(name),
                    // An arrow function has the `this` of the initializer.
                    None => format!("(() => {})()", written.body),
                };
                format!("{is_static}{accessor}{key} = {value};")
            }
        })
    }
}

/// A function where code is strict: what an arrow function with a directive returns.
fn in_strict_code(value: Expr) -> Expr {
    let function = value.plain();
    let text = format!("(() => {{{INDENT}{NEWLINE}\"use strict\";{NEWLINE}return {function};{DEDENT}{NEWLINE}}})()");
    Expr { text, binding: level::CALL, shape: Shape::Plain, ..value }
}

fn anonymous(name: Option<&JsString>, name_at: usize, may_insert: bool) -> Shape {
    Shape::Anonymous { wanted: name.filter(|name| !name.as_escaped().is_empty()).cloned(), name_at, may_insert }
}

/// Whether code runs when a class is made.
fn runs(class: &Class) -> bool {
    // `extends` reads the property `prototype` of the superclass, and a computed key is converted to a property key.
    class.has_superclass || class.elements.iter().any(|element| element.is_static || element.key == ClassKey::Computed)
}

/// Statements or elements in braces, each on its line.
pub(super) fn block(lines: &[String]) -> String {
    if lines.is_empty() {
        return "{}".to_owned();
    }
    format!("{{{INDENT}{NEWLINE}{}{DEDENT}{NEWLINE}}}", lines.join(NEWLINE))
}

//! Expressions.

use super::function::Key;
use super::{MAX_WIDTH, Place, Printer, Spot, Task, text};
use crate::dialect::{Constant, Element, JsString, TemplatePart};
use crate::source::Span;
use crate::write::ast::{BROKEN, ExprId, ExprKind, Item, Naming, binary_level, level};
use crate::write::insts::num_args;
use crate::write::literal;
use oxc_syntax::identifier::is_identifier_name;
use std::borrow::Cow;

impl<'a> Printer<'a> {
    /// Writes an expression, or its beginning, and lets what is left of it follow.
    pub(super) fn expression(&mut self, id: ExprId, spot: Spot<'a>) {
        let kind = self.ast.kind(id);
        if self.needs_parentheses(id, kind, spot) {
            self.out.push('(');
            let place = if spot.place == Place::Object { Place::Plain } else { spot.place };
            self.then([Task::Expr(id, Spot { least: level::ANY, place }), text(")")]);
            // What is in parentheses begins neither a statement nor the body of an arrow function.
            return;
        }
        let span = self.ast.span(id);
        // A variable that is read may be that of any instruction.
        let is_name = matches!(kind, ExprKind::Name(_) | ExprKind::Constant(_) | ExprKind::Word(_));
        if span != Span::NOWHERE && !is_name {
            self.map(span.start);
            if matches!(kind, ExprKind::Call { .. } | ExprKind::New { .. }) {
                self.pure_comment(span.start);
            }
        }
        match *kind {
            ExprKind::Name(name) | ExprKind::Global(name) => self.out += self.ast.text_of(name),
            ExprKind::Constant(ref constant) => self.constant(constant),
            ExprKind::Word(word) => self.out += word,
            ExprKind::Helper(name) => self.helper(name),
            ExprKind::RegExp(ref pair) => self.out.extend(["/", &pair.0, "/", &pair.1]),
            ExprKind::Template { .. } | ExprKind::TemplateObject(_) | ExprKind::Tagged { .. } => {
                self.template(id, kind);
            }
            ExprKind::Member { .. } | ExprKind::Private { .. } | ExprKind::Index { .. } => self.property_of(id, kind),
            ExprKind::Call { .. } | ExprKind::New { .. } | ExprKind::Import { .. } => self.call(id, kind),
            ExprKind::Array(ref items) => self.array(id, items),
            ExprKind::Object { ref elements, ref values } => self.object_literal(id, elements, values),
            ExprKind::Jsx { ref elements, ref values } => self.jsx(elements, values),
            ExprKind::Function(function, naming) => self.function(function, naming, spot.place),
            ExprKind::Class(ref class) => self.class(class, spot.place),
            ExprKind::NamedByKey { key, function } => {
                let any_name = Spot { least: level::ASSIGNMENT, place: Place::AnyName };
                self.then([
                    text("({ ["),
                    Task::Expr(key, Spot::ANY),
                    text("]: "),
                    Task::Expr(function, any_name),
                    text(" })["),
                    Task::Expr(key, Spot::ANY),
                    text("]"),
                ]);
            }
            ExprKind::InStrictCode(function) => {
                let start = self.open("(() => {");
                self.line();
                self.out += "\"use strict\";";
                self.line();
                self.out += "return ";
                self.then([Task::Expr(function, Spot::ANY), text(";"), Task::Close(start, "})()")]);
            }
            // A loop that turned out to be none is written anew, without this question.
            ExprKind::IsDone => self.out += "false",
            _ => self.operation(kind),
        }
    }

    /// Operators with their operands.
    fn operation(&mut self, kind: &'a ExprKind) {
        match *kind {
            ExprKind::Unary { sign, operand } => self.unary(sign, operand),
            ExprKind::Yield { is_delegate, value } => {
                self.out += if is_delegate { "yield* " } else { "yield " };
                self.tasks.push(Task::Expr(value, Spot::ARGUMENT));
            }
            ExprKind::ToNumeric(operand) => {
                self.out += "-(-";
                self.then([Task::Expr(operand, Spot::least(level::UNARY + 1)), text(")")]);
            }
            ExprKind::Step { sign, operand } => self.step(sign, operand),
            ExprKind::ToKey(operand) => {
                self.helper("$toKey");
                self.then([text("("), Task::Expr(operand, Spot::ARGUMENT), text(")")]);
            }
            ExprKind::Update { sign, is_prefix, place } => {
                let place = Task::Expr(place, Spot::least(level::CALL));
                self.then(if is_prefix { [text(sign), place] } else { [place, text(sign)] });
            }
            ExprKind::Binary { sign, left, right } => self.binary(sign, left, right),
            ExprKind::PrivateIn { ref name, object } => {
                self.out.extend([&**name, " in "]);
                self.tasks.push(Task::Expr(object, Spot::least(level::RELATIONAL + 1)));
            }
            ExprKind::Conditional([condition, then, otherwise]) => self.then([
                Task::Expr(condition, Spot::least(level::COALESCE)),
                text(" ? "),
                Task::Expr(then, Spot::ARGUMENT),
                text(" : "),
                Task::Expr(otherwise, Spot::ARGUMENT),
            ]),
            ExprKind::Assign { sign, target, value } => {
                let place = self.naming_by(target, sign);
                self.then([
                    Task::Expr(target, Spot::least(level::CALL)),
                    text(" "),
                    text(sign),
                    text("= "),
                    Task::Expr(value, Spot { least: level::ASSIGNMENT, place }),
                ]);
            }
            ExprKind::Value(operand) => {
                self.out += "(0, ";
                self.then([Task::Expr(operand, Spot::ARGUMENT), text(")")]);
            }
            _ => {}
        }
    }

    fn template(&mut self, id: ExprId, kind: &'a ExprKind) {
        match *kind {
            ExprKind::Template { .. } => {
                self.out.push('`');
                self.then([Task::InsideOfTemplate(id), text("`")]);
            }
            ExprKind::TemplateObject(ref parts) => self.template_object(parts),
            ExprKind::Tagged { tag, ref parts, ref values } => {
                self.tasks.push(text("`"));
                for (index, part) in parts.iter().enumerate().rev() {
                    if let Some(&value) = values.get(index) {
                        self.then([text("${"), Task::Expr(value, Spot::ANY), text("}")]);
                    }
                    self.tasks.push(text(&part.raw));
                }
                self.then([Task::Expr(tag, Spot::least(level::CALL)), text("`")]);
            }
            _ => {}
        }
    }

    /// A property of an object.
    fn property_of(&mut self, id: ExprId, kind: &'a ExprKind) {
        match *kind {
            ExprKind::Member { object, ref name } => {
                let name: [Task<'a>; 2] = if is_identifier_name(name) {
                    [text("."), text(name)]
                } else {
                    [Task::Text(Cow::Owned(format!("[{}", literal::text_string(name)))), text("]")]
                };
                self.then(name);
                self.tasks.extend(self.name_in_source(id).map(Task::From));
                self.object(object);
            }
            ExprKind::Private { object, ref name } => {
                self.then([text("."), text(name)]);
                self.object(object);
            }
            ExprKind::Index { object, key } => {
                self.then([text("["), Task::Expr(key, Spot::ANY), text("]")]);
                self.object(object);
            }
            _ => {}
        }
    }

    fn call(&mut self, id: ExprId, kind: &'a ExprKind) {
        match *kind {
            ExprKind::Call { callee, ref args } => {
                self.arguments(args);
                let span = self.ast.span(id);
                // An engine's place of a call is the name of the method, or else the parenthesis.
                if span != Span::NOWHERE && !matches!(self.ast.kind(callee), ExprKind::Member { .. }) {
                    self.tasks.push(Task::From(span.start));
                }
                self.tasks.push(Task::Expr(callee, Spot::least(level::CALL)));
            }
            ExprKind::New { callee, ref args } => {
                self.out += "new ";
                self.arguments(args);
                self.tasks.push(Task::Expr(callee, Spot::least(level::MEMBER)));
            }
            ExprKind::Import { ref phase, ref args } => {
                self.out += "import";
                if !phase.is_empty() {
                    self.out.extend([".", phase]);
                }
                self.arguments(args);
            }
            _ => {}
        }
    }

    fn needs_parentheses(&self, id: ExprId, kind: &ExprKind, spot: Spot<'_>) -> bool {
        if self.ast.level(id) < spot.least {
            return true;
        }
        let at = self.out.len();
        match *kind {
            // In `1.x`, the point would be a part of the number.
            ExprKind::Constant(Constant::Number(_) | Constant::BigInt(_)) => spot.place == Place::Object,
            ExprKind::Function(_, naming) => {
                let is_wrapped = self.is_wrapped(kind, spot.place);
                !is_wrapped && (at == self.statement_start || naming != Naming::Own && spot.least >= level::CALL)
            }
            ExprKind::Class(ref class) => {
                let is_wrapped = self.is_wrapped(kind, spot.place);
                !is_wrapped && (at == self.statement_start || class.naming != Naming::Own && spot.least >= level::CALL)
            }
            ExprKind::Object { .. } => at == self.statement_start || at == self.arrow_start,
            ExprKind::Name(name) | ExprKind::Global(name) => {
                at == self.statement_start && matches!(self.ast.text_of(name), "let" | "async")
            }
            _ => false,
        }
    }

    /// Where the name of a property is in the source, if its text ends with it.
    fn name_in_source(&self, id: ExprId) -> Option<u32> {
        let ExprKind::Member { name, .. } = self.ast.kind(id) else { return None };
        let text = self.source.get(self.ast.span(id).range())?;
        let start = self.ast.span(id).end.checked_sub(name.len() as u32)?;
        text.ends_with(&**name).then_some(start)
    }

    fn constant(&mut self, constant: &Constant) {
        match constant {
            Constant::Uninitialized => self.helper(literal::HOLE),
            _ => self.out += &literal::constant(constant),
        }
    }

    fn unary(&mut self, sign: &'static str, operand: ExprId) {
        self.out += sign;
        // `- -x` is not `--x`.
        let begins_alike = match *self.ast.kind(operand) {
            ExprKind::Unary { sign: other, .. } | ExprKind::Update { sign: other, is_prefix: true, .. } => {
                other.starts_with(sign) && matches!(sign, "-" | "+")
            }
            ExprKind::ToNumeric(_) => sign == "-",
            ExprKind::Constant(ref constant) => sign == "-" && literal::constant(constant).starts_with('-'),
            _ => false,
        };
        let least = if begins_alike { level::POSTFIX } else { level::UNARY };
        self.tasks.push(Task::Expr(operand, Spot::least(least)));
    }

    fn step(&mut self, sign: &'static str, operand: ExprId) {
        self.helper(if sign == "++" { "$inc" } else { "$dec" });
        // The helper converts to a number itself.
        let operand = match *self.ast.kind(operand) {
            ExprKind::ToNumeric(from) if self.ast.is_place(from) => from,
            _ => operand,
        };
        self.then([text("("), Task::Expr(operand, Spot::ARGUMENT), text(")")]);
    }

    fn binary(&mut self, sign: &'static str, left: ExprId, right: ExprId) {
        let own = binary_level(sign);
        let (left_least, right_least) = match sign {
            "**" => (level::POSTFIX, level::POW),
            // It goes with neither `&&` nor `||` without parentheses.
            "??" => (level::BIT_OR, level::BIT_OR),
            _ => (own, own + 1),
        };
        self.then([
            Task::Expr(left, Spot::least(left_least)),
            text(" "),
            text(sign),
            text(" "),
            Task::Expr(right, Spot::least(right_least)),
        ]);
    }

    /// What an assignment to `target` means for the name of a function.
    fn naming_by(&self, target: ExprId, sign: &str) -> Place<'a> {
        match *self.ast.kind(target) {
            ExprKind::Name(name) | ExprKind::Global(name) if sign.is_empty() => {
                Place::Named(Some(self.ast.text_of(name)))
            }
            _ => Place::Plain,
        }
    }

    fn object(&mut self, object: ExprId) {
        self.tasks.push(Task::Expr(object, Spot { least: level::CALL, place: Place::Object }));
    }

    fn arguments(&mut self, args: &'a [Item]) {
        self.tasks.push(text(")"));
        self.items(args, ", ");
        self.tasks.push(text("("));
    }

    /// Items with something between them.
    fn items(&mut self, items: &'a [Item], between: &'static str) {
        for (index, item) in items.iter().enumerate().rev() {
            match *item {
                Item::Hole => {}
                Item::Value(value) => self.tasks.push(Task::Expr(value, Spot::ARGUMENT)),
                Item::Spread(value) => self.then([text("..."), Task::Expr(value, Spot::ARGUMENT)]),
            }
            if index > 0 {
                self.tasks.push(text(between));
            }
        }
    }

    fn array(&mut self, id: ExprId, items: &'a [Item]) {
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

    fn object_literal(&mut self, id: ExprId, elements: &'a [Element], values: &'a [ExprId]) {
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
    fn template_object(&mut self, parts: &[TemplatePart]) {
        self.out += "((strings) => strings)`";
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.out += "${0}";
            }
            self.out += &part.raw;
        }
        self.out.push('`');
    }

    fn jsx(&mut self, elements: &'a [Element], values: &'a [ExprId]) {
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
                Element::Value(name) => {
                    self.then([text(" "), text(name.as_escaped()), text("={"), value(Spot::ARGUMENT), text("}")]);
                }
                Element::Spread => self.then([text(" {..."), value(Spot::ARGUMENT), text("}")]),
                Element::Bare(name) => self.then([text(" "), text(name.as_escaped())]),
                _ => {}
            }
        }
        self.then([text("<"), tag(0)]);
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

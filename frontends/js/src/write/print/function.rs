//! Functions and classes.

use super::literals::{access, naming_key};
use super::{Place, Printer, Spot, Task, margin, text};
use crate::dialect::JsString;
use crate::program::{ClassElement, ClassElementKind, ClassKey, FunctionId, FunctionKind};
use crate::source::Span;
use crate::write::ast::{ClassExpr, ExprId, ExprKind, Naming, level};
use crate::write::code::{Body, Built, Call, Code, Param, Piece};
use crate::write::literal;
use crate::write::source_map::Mapping;
use std::borrow::Cow;

/// The key of a method.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key<'a> {
    Constructor,
    Known(&'a JsString),
    Private(&'a str),
    Computed(ExprId),
}

/// What a function or class is written with so that its property `name` is as it should be.
#[derive(Clone, Copy, Debug)]
enum Way<'a> {
    /// As it is.
    Bare,
    /// With a name of its own.
    Inserted(&'a str),
    /// As the value of a property with that name.
    ByKey(&'a JsString),
    /// Where no name is given.
    Nameless,
}

impl<'a> Printer<'a> {
    /// A function or arrow function as an expression.
    pub(super) fn function(&mut self, id: FunctionId, naming: Naming, place: Place<'_>) {
        let way = way(naming, self.program.functions[id.index()].name.as_ref(), place);
        self.begin(way);
        let name = self.program.functions[id.index()].self_name.as_deref();
        self.function_with_name(id, if let Way::Inserted(name) = way { Some(name) } else { name });
    }

    /// A class as an expression.
    pub(super) fn class(&mut self, class: &'a ClassExpr, place: Place<'_>) {
        let data = &self.program.classes[class.index as usize];
        let way = way(class.naming, data.name.as_ref(), place);
        self.begin(way);
        self.out += "class ";
        let name = if let Way::Inserted(name) = way { Some(name) } else { data.self_name.as_deref() };
        if let Some(name) = name {
            self.out.extend([name, " "]);
        }
        self.tasks.push(Task::ClassBody(class));
        if let Some(heritage) = class.heritage {
            self.out += "extends ";
            self.then([Task::Expr(heritage, Spot::least(level::CALL)), text(" ")]);
        }
    }

    /// The elements of a class, in their braces.
    pub(super) fn class_body(&mut self, class: &'a ClassExpr) {
        let data = &self.program.classes[class.index as usize];
        let start = self.open("{");
        self.tasks.push(Task::Close(start, "}"));
        // The constructor stands before the elements that follow it in the source.
        let start_of = |id: FunctionId| self.program.functions[id.index()].span.start;
        let follows = |element: &ClassElement| {
            data.constructor.zip(element.function).is_some_and(|(one, other)| start_of(one) < start_of(other))
        };
        let place = data.elements.iter().position(follows).unwrap_or(data.elements.len());
        let (before, behind) = data.elements.split_at(place);
        let mut keys = class.keys.iter().rev().copied();
        let mut push = |printer: &mut Self, element: &'a ClassElement| {
            let key = if element.key == ClassKey::Computed { keys.next() } else { None };
            printer.then([Task::Line, Task::Element(element, key)]);
        };
        behind.iter().rev().for_each(|element| push(self, element));
        if let Some(constructor) = data.constructor {
            self.then([Task::Line, Task::Method(constructor, Key::Constructor)]);
        }
        before.iter().rev().for_each(|element| push(self, element));
    }

    pub(super) fn element(&mut self, element: &'a ClassElement, computed: Option<ExprId>) {
        if let Some(function) = element.function {
            self.comments_before(self.program.functions[function.index()].span.start, true);
        }
        if element.is_static {
            self.out += "static ";
        }
        if element.kind == ClassElementKind::Accessor {
            self.out += "accessor ";
        }
        let key = match (&element.key, computed) {
            (ClassKey::Name(name), _) => Some(Key::Known(name)),
            (ClassKey::Private(name), _) => Some(Key::Private(name)),
            (ClassKey::Computed, Some(key)) => Some(Key::Computed(key)),
            (ClassKey::None | ClassKey::Computed, _) => None,
        };
        let built = element.function.and_then(|function| self.ast.built(function));
        match (element.kind, element.function, key) {
            (ClassElementKind::Method, Some(function), Some(key)) => self.method(function, key),
            (ClassElementKind::StaticBlock, ..) => {
                if let (Some(id), Some(built)) = (element.function, built) {
                    self.then([
                        Task::Within(id),
                        Task::Braces(&built.body, built.has_directive),
                        Task::Within(self.function),
                    ]);
                }
            }
            (_, _, key) => {
                self.tasks.push(text(";"));
                if let (Some(id), Some(built)) = (element.function, built) {
                    self.field_value((id, built), key);
                    self.tasks.push(text(" = "));
                }
                if let Some(key) = key {
                    self.key(key);
                }
            }
        }
    }

    /// Lets the value of a field follow; without a key, it is in the source.
    fn field_value(&mut self, (id, built): (FunctionId, &'a Built), key: Option<Key<'a>>) {
        self.tasks.push(Task::Within(self.function));
        match built.result {
            Some(result) => {
                let place = self.field_place(result, key, self.program.functions[id.index()].names_value);
                self.tasks.push(Task::Expr(result, Spot { least: level::ASSIGNMENT, place }));
            }
            // An arrow function has the `this` of the initializer.
            None => self.then([text("(() => "), Task::Braces(&built.body, false), text(")()")]),
        }
        self.tasks.push(Task::Within(id));
    }

    /// What a field means for the name of its value.
    fn field_place(&self, result: ExprId, key: Option<Key<'a>>, names_value: bool) -> Place<'a> {
        if !matches!(self.ast.kind(result), ExprKind::Function(..) | ExprKind::Class(_)) {
            return Place::Plain;
        }
        match key {
            // The field gives it its name.
            _ if names_value => Place::AnyName,
            Some(Key::Known(name)) => Place::Named(name.as_str()),
            Some(Key::Private(name)) => Place::Named(Some(name)),
            _ => Place::Named(None),
        }
    }

    /// Lets a key follow.
    fn key(&mut self, key: Key<'a>) {
        match key {
            Key::Constructor => self.tasks.push(text("constructor")),
            Key::Known(name) => self.tasks.push(Task::Text(Cow::Owned(literal::key(name)))),
            Key::Private(name) => self.tasks.push(text(name)),
            Key::Computed(key) => self.then([text("["), self.computed_key(key), text("]")]),
        }
    }

    /// A method, getter, setter or constructor with that key.
    pub(super) fn method(&mut self, id: FunctionId, key: Key<'a>) {
        let js = &self.program.functions[id.index()];
        self.out += match (js.kind, js.is_async, js.is_generator) {
            (FunctionKind::Getter, ..) => "get ",
            (FunctionKind::Setter, ..) => "set ",
            (_, true, true) => "async *",
            (_, true, false) => "async ",
            (_, false, true) => "*",
            _ => "",
        };
        self.tasks.push(Task::Tail(id));
        self.key(key);
    }

    /// Opens the expression that gives a function or class its name, and schedules its end.
    fn begin(&mut self, way: Way<'a>) {
        match way {
            Way::Bare | Way::Inserted(_) => {}
            Way::ByKey(name) => {
                self.out.extend(["({ ", &naming_key(name), ": "]);
                self.then([text(" })"), Task::Text(Cow::Owned(access(name)))]);
            }
            Way::Nameless => {
                self.out += "(0, ";
                self.tasks.push(text(")"));
            }
        }
    }

    /// Whether a function or class is put into something that gives it the right name, so that it is not the first
    /// thing of its own text.
    pub(super) fn is_wrapped(&self, kind: &ExprKind, place: Place<'_>) -> bool {
        let way = match *kind {
            ExprKind::Function(id, naming) => way(naming, self.program.functions[id.index()].name.as_ref(), place),
            ExprKind::Class(ref class) => {
                way(class.naming, self.program.classes[class.index as usize].name.as_ref(), place)
            }
            _ => Way::Bare,
        };
        matches!(way, Way::ByKey(_) | Way::Nameless)
    }

    /// A function with a name of its own, or without any.
    pub(super) fn function_with_name(&mut self, id: FunctionId, name: Option<&str>) {
        let js = &self.program.functions[id.index()];
        if js.is_async {
            self.out += "async ";
        }
        if js.kind != FunctionKind::Arrow {
            self.out += if js.is_generator { "function* " } else { "function " };
            self.out += name.unwrap_or_default();
        }
        self.tail(id);
    }

    /// Parameters and body.
    pub(super) fn tail(&mut self, id: FunctionId) {
        self.tail_in(id, false);
    }

    fn tail_in(&mut self, id: FunctionId, in_kept: bool) {
        let built = match self.ast.codes.get(id.index()) {
            Some(Some(Code::Built(built))) => built,
            Some(Some(Code::Kept(_))) => {
                self.functions.push((self.out.len() as u32, id));
                return self.kept(id);
            }
            _ => return,
        };
        self.tasks.push(Task::Within(std::mem::replace(&mut self.function, id)));
        let body = Task::Braces(&built.body, built.has_directive);
        // A parenthesis in place of a name might go with what stands in the line before it, and no expression may end
        // where a block did: the next line might go on with it.
        let js = &self.program.functions[id.index()];
        let result = built.result.filter(|_| !in_kept || js.is_concise);
        let params = self.source.get(js.head.end as usize..).unwrap_or_default();
        let is_bare = in_kept && self.ast.is_arrow(id) && !params.starts_with('(');
        let end = if is_bare { "" } else { ")" };
        match (self.ast.is_arrow(id), result) {
            // In the head of a `for`, an `in` would be that of the loop.
            (true, Some(result)) if in_kept && !self.ast.may_begin_for(result) => {
                self.then([text(end), text(" => ("), Task::Expr(result, Spot::ANY), text(")")]);
            }
            (true, Some(result)) => self.then([text(end), text(" => "), Task::ArrowBody(result)]),
            (true, None) => self.then([text(end), text(" => "), body]),
            (false, _) => self.then([text(") "), body]),
        }
        for (index, param) in built.params.iter().enumerate().rev() {
            self.tasks.push(Task::Param(param));
            if index > 0 {
                self.tasks.push(text(", "));
            }
        }
        self.functions.push((self.out.len() as u32, id));
        if !is_bare {
            self.out.push('(');
        }
    }

    pub(super) fn arrow_body(&mut self, result: ExprId) {
        self.arrow_start = self.out.len();
        self.expression(result, Spot::ARGUMENT);
    }

    pub(super) fn param(&mut self, param: &'a Param) {
        match param {
            Param::Plain(name) => self.out += self.ast.text_of(*name),
            Param::Optional(name) => self.out.extend([self.ast.text_of(*name), " = void 0"]),
            Param::Default(name, default) => {
                let name = self.ast.text_of(*name);
                self.out.extend([name, " = "]);
                self.tasks.push(Task::Expr(*default, Spot::named(level::ASSIGNMENT, Some(name))));
            }
            Param::Pattern(pattern, default) => {
                if let Some(default) = *default {
                    self.then([text(" = "), Task::Expr(default, Spot::ARGUMENT)]);
                }
                self.tasks.push(Task::Expr(*pattern, Spot::ANY));
            }
            Param::Rest(name) => self.out.extend(["...", self.ast.text_of(*name)]),
            Param::NoMore => self.out += "...{}",
            Param::Call(call) => self.call_of_generator(call),
        }
    }

    /// An object pattern, which has an empty array to take apart, binds variables that the body has, too, and a
    /// computed key in it is evaluated when the function is called.
    fn call_of_generator(&mut self, Call { rest, bound, body, unused }: &'a Call) {
        self.out += "...{ ";
        for &name in bound.iter().chain(rest.iter().map(|(name, _)| name)) {
            self.out.extend(["\"\": ", self.ast.text_of(name), ", "]);
        }
        let start = self.open("[(() => {");
        if let Some((name, index)) = rest {
            self.line();
            self.out.extend([self.ast.text_of(*name), " = "]);
            self.helper("$slice");
            self.out += &format!("(arguments, {index});");
        }
        self.then([
            Self::first_row(body),
            Task::LastDeclarations(body),
            Task::Close(start, "})()]: "),
            Task::Name(*unused),
            text(" }"),
        ]);
    }

    /// The statements of a function.
    pub(super) fn braces(&mut self, body: &'a Body, has_directive: bool) {
        let start = self.open("{");
        if has_directive {
            self.line();
            self.out += "\"use strict\";";
        }
        self.then([Self::first_row(body), Task::LastDeclarations(body), Task::Close(start, "}")]);
    }

    /// What stays as it stands in the source.
    pub(super) fn kept(&mut self, id: FunctionId) {
        let Some(Some(Code::Kept(pieces))) = self.ast.codes.get(id.index()) else { return };
        self.tasks.extend(pieces.iter().rev().map(|piece| match *piece {
            Piece::Source(span) => Task::Source(span),
            Piece::Function(inner) => Task::InKept(inner),
        }));
    }

    /// A function behind its head, which is there.
    pub(super) fn in_kept(&mut self, id: FunctionId) {
        if self.ast.built(id).is_some() {
            let start = self.program.functions[id.index()].span.start as usize;
            let line = self.lines.partition_point(|&line| line <= start).saturating_sub(1);
            let line = self.lines.get(line).and_then(|&line| self.source.get(line..)).unwrap_or_default();
            self.tasks.push(Task::Indented(self.margin, self.depth));
            (self.margin, self.depth) = (margin(line), 0);
        }
        match (self.program.functions[id.index()].kind, self.ast.built(id)) {
            (FunctionKind::Field | FunctionKind::StaticBlock, None) => self.kept(id),
            (FunctionKind::Field, Some(built)) => {
                let rest = self.source.get(self.program.functions[id.index()].span.end as usize..).unwrap_or_default();
                // A line break may have ended it, behind the block of an arrow function.
                if !rest.trim_start().starts_with([';', ')']) {
                    self.tasks.push(text(";"));
                }
                self.field_value((id, built), None);
            }
            (FunctionKind::StaticBlock, Some(built)) => {
                self.out += "static ";
                self.then([
                    Task::Within(id),
                    Task::Braces(&built.body, built.has_directive),
                    Task::Within(self.function),
                ]);
            }
            _ => self.tail_in(id, true),
        }
    }

    /// A part of the source: each word is mapped to itself.
    pub(super) fn source(&mut self, span: Span) {
        let text = self.source.get(span.start as usize..span.end as usize).unwrap_or_default();
        let written = self.out.len() as u32;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'$');
        let mut is_inside = false;
        for (at, byte) in text.bytes().enumerate() {
            if is_word(byte) && !is_inside {
                let at = at as u32;
                self.mappings.push(Mapping { written: written + at, source: span.start + at });
            }
            is_inside = is_word(byte);
        }
        self.out += text;
        self.note_comments(span.start, span.end);
    }
}

/// How a function or class gets its property `name`, or none.
fn way<'a>(naming: Naming, name: Option<&'a JsString>, place: Place<'_>) -> Way<'a> {
    match (naming, place, name) {
        (Naming::Nameless, Place::Named(_), _) => Way::Nameless,
        (Naming::Own | Naming::Nameless, ..) | (_, Place::AnyName, _) | (_, _, None) => Way::Bare,
        (_, Place::Named(given), Some(name)) if given.is_some() && given == name.as_str() => Way::Bare,
        (Naming::Wanted { may_insert }, _, Some(name)) => match name.as_str() {
            Some(name) if may_insert => Way::Inserted(name),
            _ => Way::ByKey(name),
        },
    }
}

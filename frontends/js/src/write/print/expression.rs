//! Expressions.

use super::{Place, Printer, Spot, Task, text};
use crate::dialect::Constant;
use crate::source::Span;
use crate::write::ast::{ExprId, ExprKind, Item, Naming, binary_level, level};
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
            ExprKind::Pattern { ref parts, ref values } => self.pattern(id, parts, values),
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
                // Parsers have been seen to refuse `#a in (#b in object)`.
                if matches!(self.ast.kind(object), ExprKind::PrivateIn { .. }) {
                    self.out += "(0, ";
                    self.then([Task::Expr(object, Spot::ARGUMENT), text(")")]);
                } else {
                    self.tasks.push(Task::Expr(object, Spot::least(level::RELATIONAL + 1)));
                }
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
            ExprKind::Function(..) => {
                let is_wrapped = self.is_wrapped(kind, spot.place);
                !is_wrapped && (at == self.statement_start || spot.least >= level::CALL)
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
        // Chains of `&&` mean the same from the left and from the right.
        let is_same = |id| matches!(*self.ast.kind(id), ExprKind::Binary { sign: other, .. } if other == sign);
        let is_chain = matches!(sign, "&&" | "||" | "??");
        let (left_least, right_least) = match sign {
            "**" => (level::POSTFIX, level::POW),
            // It goes with neither `&&` nor `||` without parentheses.
            "??" => (level::BIT_OR, level::BIT_OR),
            _ => (own, own + 1),
        };
        let least = |id, least| if is_chain && is_same(id) { own } else { least };
        let (left_least, right_least) = (least(left, left_least), least(right, right_least));
        self.then([
            Task::Expr(left, Spot::least(left_least)),
            text(" "),
            text(sign),
            text(" "),
            Task::Expr(right, Spot::least(right_least)),
        ]);
    }

    /// What an assignment to `target` means for the name of a function.
    pub(super) fn naming_by(&self, target: ExprId, sign: &str) -> Place<'a> {
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
    pub(super) fn items(&mut self, items: &'a [Item], between: &'static str) {
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
}

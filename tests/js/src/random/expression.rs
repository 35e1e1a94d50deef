//! Expressions, with operands whose order of evaluation is logged.

use super::context::Holds;
use super::generator::Generator;

type Make = fn(&mut Generator, usize) -> String;

/// Makers of expressions, by weight.
const MAKERS: &[(usize, Make)] = &[
    (14, |g, _| g.operand()),
    (12, Generator::logged),
    (12, Generator::binary),
    (6, Generator::logical),
    (4, Generator::conditional),
    (8, Generator::assignment),
    (5, |g, _| g.update()),
    (7, Generator::member),
    (5, Generator::member_assignment),
    (4, Generator::chain),
    (14, Generator::call),
    (5, Generator::array),
    (5, Generator::object),
    (6, |g, _| g.function_expression()),
    (4, Generator::unary),
    (2, Generator::sequence),
    (3, Generator::template),
    (4, Generator::suspension),
    (3, |g, _| g.environment()),
    (3, Generator::trap),
    (2, Generator::destructuring_assignment),
    (2, |g, _| g.class_expression()),
    (2, Generator::trick),
];

const BINARY: &[&str] = &[
    "+", "+", "+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^", "==", "!=", "===", "!==", "<", ">",
    "<=", ">=",
];
const COMPOUND: &[&str] =
    &["+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??="];

/// A key that becomes a string when it is used.
const OBJECT_KEY: &str = "primitive(\"key\", \"p\")";

impl Generator {
    /// An expression, in parentheses if it needs any.
    pub(super) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || !self.spend() {
            return self.operand();
        }
        let make = self.weighted(MAKERS);
        make(self, depth - 1)
    }

    /// An argument, or an element: an expression or a spread one.
    pub(super) fn arguments(&mut self, depth: usize) -> String {
        let mut arguments = Vec::new();
        for _ in 0..self.rng.below(4) {
            let argument =
                if self.rng.chance(12) { format!("...{}", self.iterable(depth)) } else { self.expression(depth) };
            arguments.push(argument);
        }
        arguments.join(", ")
    }

    fn logged(&mut self, depth: usize) -> String {
        let tag = self.tag();
        format!("log({tag}, {})", self.expression(depth))
    }

    fn binary(&mut self, depth: usize) -> String {
        if self.rng.chance(6) {
            let object = self.some_object(depth);
            let name = self.rng.pick(&["\"p\"", "\"q\"", "\"z\""]);
            return format!("({name} in {object})");
        }
        if self.rng.chance(3)
            && let Some(class) = self.holding(Holds::Class)
        {
            return format!("({} instanceof {class})", self.expression(depth));
        }
        let operator = self.rng.pick(BINARY);
        format!("({} {operator} {})", self.expression(depth), self.expression(depth))
    }

    fn logical(&mut self, depth: usize) -> String {
        let operator = self.rng.pick(&["&&", "||", "??"]);
        format!("({} {operator} {})", self.expression(depth), self.expression(depth))
    }

    fn conditional(&mut self, depth: usize) -> String {
        format!("({} ? {} : {})", self.expression(depth), self.expression(depth), self.expression(depth))
    }

    /// The name of a variable to be written: one of a primitive value mostly, and seldom a constant.
    pub(super) fn written(&mut self) -> Option<String> {
        let any = self.rng.chance(4);
        let variable = self.variable(|variable| any || (variable.holds == Holds::Primitive && !variable.is_constant));
        variable.map(|variable| variable.name)
    }

    fn assignment(&mut self, depth: usize) -> String {
        let Some(name) = self.written() else { return self.logged(depth) };
        let operator = if self.rng.chance(50) { "=" } else { self.rng.pick(COMPOUND) };
        format!("({name} {operator} {})", self.expression(depth))
    }

    fn update(&mut self) -> String {
        let target = match self.written() {
            Some(name) if self.rng.chance(75) => name,
            _ => {
                let object = self.some_object(0);
                format!("{object}.{}", self.rng.pick(&["p", "q"]))
            }
        };
        let (before, behind) = self.rng.pick(&[("++", ""), ("--", ""), ("", "++"), ("", "--")]);
        format!("({before}{target}{behind})")
    }

    /// A reference to a property.
    pub(super) fn property(&mut self, depth: usize) -> String {
        if self.context.has_super && self.rng.chance(12) {
            return format!("super.{}", self.rng.pick(&["p", "m0"]));
        }
        if !self.context.privates.is_empty() && self.context.has_arguments && self.rng.chance(30) {
            let index = self.rng.below(self.context.privates.len());
            return format!("this.{}", self.context.privates[index]);
        }
        let object = self.some_object(depth);
        if self.rng.chance(60) {
            return format!("{object}.{}", self.rng.pick(&["p", "q", "r", "x", "length"]));
        }
        let tag = self.tag();
        let key = self.rng.pick(&["\"p\"", "\"q\"", "0", "1", OBJECT_KEY]);
        format!("{object}[log({tag}, {key})]")
    }

    fn member(&mut self, depth: usize) -> String {
        self.property(depth)
    }

    fn member_assignment(&mut self, depth: usize) -> String {
        let target = self.property(depth);
        if self.rng.chance(10) && !target.starts_with("super") && !target.contains('#') {
            return format!("(delete {target})");
        }
        let value = self.expression(depth);
        if self.rng.chance(50) {
            return format!("({target} = {value})");
        }
        // An object would become a property key once for the read and once more for the write in V8, and once in the standard.
        let target = target.replace(OBJECT_KEY, "\"p\"");
        format!("({target} {} {value})", self.rng.pick(COMPOUND))
    }

    /// An optional chain.
    fn chain(&mut self, depth: usize) -> String {
        let start = if self.rng.chance(50) { self.some_object(depth) } else { self.operand() };
        let mut text = format!("({start})");
        for index in 0..1 + self.rng.below(3) {
            let link = match self.rng.below(5) {
                0 | 1 => format!("?.{}", self.rng.pick(&["p", "q", "x"])),
                2 => format!("?.[{}]", self.expression(depth.min(1))),
                3 if index > 0 => format!(".{}", self.rng.pick(&["p", "q"])),
                _ if !self.context.is_calm => format!("?.({})", self.arguments(depth.min(1))),
                _ => "?.r".to_owned(),
            };
            text += &link;
        }
        if self.rng.chance(10) { format!("(delete {text}.p)") } else { text }
    }

    fn unary(&mut self, depth: usize) -> String {
        let operator = self.rng.pick(&["-", "+", "~", "!", "typeof ", "void "]);
        if operator == "typeof " && self.rng.chance(30) {
            return "(typeof nowhere)".to_owned();
        }
        format!("({operator}{})", self.expression(depth))
    }

    fn sequence(&mut self, depth: usize) -> String {
        format!("({}, {})", self.expression(depth), self.expression(depth))
    }

    fn template(&mut self, depth: usize) -> String {
        let tag = if self.rng.chance(30) { "tag" } else { "" };
        format!("{tag}`a${{{}}}\\n${{{}}}`", self.expression(depth), self.expression(depth))
    }

    fn suspension(&mut self, depth: usize) -> String {
        let (can_yield, can_await) = (self.context.can_yield, self.context.can_await);
        let value = if self.rng.chance(20) { self.iterable(depth) } else { self.expression(depth) };
        match self.rng.below(4) {
            0 if can_yield && self.rng.chance(40) => format!("(yield* {})", self.iterable(depth)),
            0 | 1 if can_yield => format!("(yield {value})"),
            _ if can_await => format!("(await {value})"),
            _ if can_yield => "(yield)".to_owned(),
            _ => value,
        }
    }

    /// What a function knows of its call.
    fn environment(&mut self) -> String {
        if !self.context.has_arguments {
            return "(typeof this)".to_owned();
        }
        let text = match self.rng.below(6) {
            0 => "arguments.length",
            1 => "arguments[0]",
            2 => "(arguments[0] = 5)",
            3 => "(new.target === undefined)",
            4 => "(typeof this)",
            _ => "(typeof arguments[1])",
        };
        text.to_owned()
    }

    /// Expressions whose value shows in which order operands are evaluated.
    fn trap(&mut self, depth: usize) -> String {
        let Some(name) = self.written() else { return self.logged(depth) };
        let value = self.expression(depth);
        match self.rng.below(7) {
            0 => format!("({name} + ({name} = {value}) + {name})"),
            1 => format!("[{name}, {name}++, {name}, --{name}]"),
            2 => format!("({name} += ({name} = 3, {value}))"),
            3 => format!("({name} = {name} + ({name} ??= {value}))"),
            4 => format!("log({name}, {name} = {value}, {name})"),
            5 => format!("`${{{name}}}${{{name} = {value}}}${{{name}}}`"),
            _ => format!("(({name} || ({name} = {value})) && {name})"),
        }
    }

    /// Names that are looked up while the program runs.
    fn trick(&mut self, depth: usize) -> String {
        if !self.has_tricks || self.context.is_calm {
            return self.logged(depth);
        }
        let Some(name) = self.written() else { return self.logged(depth) };
        match self.rng.below(3) {
            0 => format!("eval(\"{name}\")"),
            1 => format!("eval(\"{name} = 4\")"),
            _ => format!("(0, eval)(\"typeof {name}\")"),
        }
    }
}

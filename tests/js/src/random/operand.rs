//! What an expression is made of in the end: literals, variables, calls of what there is.

use super::context::Holds;
use super::generator::Generator;

const LITERALS: &[&str] = &[
    "0",
    "1",
    "2",
    "-0",
    "-1",
    "NaN",
    "1.5",
    "\"a\"",
    "\"\"",
    "\"7\"",
    "true",
    "false",
    "null",
    "undefined",
    "3",
    "10",
    "Infinity",
    "4294967296",
    "2n",
];
const MODES: &[&str] = &["", "no return", "return throws", "return primitive", "throws", "throw"];

impl Generator {
    /// A literal or a variable.
    pub(super) fn operand(&mut self) -> String {
        if self.rng.chance(35) {
            return format!("({})", self.rng.pick(LITERALS));
        }
        let any = self.rng.chance(12);
        let variable = self.variable(|variable| any || variable.holds == Holds::Primitive);
        variable.map_or_else(|| "(1)".to_owned(), |variable| variable.name)
    }

    /// What can be iterated.
    pub(super) fn iterable(&mut self, depth: usize) -> String {
        match self.rng.below(8) {
            0 | 1 => {
                let (tag, count, mode) = (self.tag(), self.rng.below(4), self.rng.pick(MODES));
                format!("iterable({tag}, {count}, \"{mode}\")")
            }
            2 | 3 if !self.context.is_calm => match self.holding(Holds::Generator) {
                Some(name) => format!("{name}({})", self.arguments(depth.min(1))),
                None => "\"xyz\"".to_owned(),
            },
            4 => self.holding(Holds::Iterable).unwrap_or_else(|| "[1, , 3]".to_owned()),
            5 if self.rng.chance(15) => self.operand(),
            _ => self.array(depth),
        }
    }

    /// What has properties.
    pub(super) fn some_object(&mut self, depth: usize) -> String {
        let known = self.rng.below(10);
        if known < 7
            && let Some(name) = self.holding(Holds::Object)
        {
            return name;
        }
        if depth == 0 || known == 9 {
            return "({ p: 1, q: { p: 2 } })".to_owned();
        }
        if self.rng.chance(20) && self.context.has_arguments && !self.is_strict {
            return "({ p: arguments })".to_owned();
        }
        self.object(depth - 1)
    }

    /// A call of a function, a method, a class, or a generator.
    pub(super) fn call(&mut self, depth: usize) -> String {
        if self.context.is_calm {
            return self.operand();
        }
        let kinds = [
            (40, Holds::Function),
            (20, Holds::Generator),
            (15, Holds::Class),
            (12, Holds::Async),
            (5, Holds::AsyncGenerator),
            (10, Holds::Object),
        ];
        let kind = self.weighted(&kinds);
        let depth = depth.min(2);
        match self.holding(kind) {
            Some(name) => self.call_of(&name, kind, depth),
            None => format!("(function () {{ return {}; }})()", self.without_suspension(depth)),
        }
    }

    fn call_of(&mut self, name: &str, kind: Holds, depth: usize) -> String {
        let arguments = self.arguments(depth);
        let tag = self.tag();
        match kind {
            Holds::Generator => match self.rng.below(4) {
                0 => format!("[...{name}({arguments})]"),
                1 => format!("{name}({arguments}).next().value"),
                _ => {
                    let letters = self.rng.pick(&["nnn", "nrn", "ntn", "nnt", "rn", "tn", "nnnnn"]);
                    format!("drive({tag}, {name}({arguments}), \"{letters}\")")
                }
            },
            Holds::Async if self.context.can_await && self.rng.chance(60) => format!("(await {name}({arguments}))"),
            Holds::Async => format!("settle({tag}, {name}({arguments}))"),
            Holds::AsyncGenerator => format!("collect({tag}, {name}({arguments}))"),
            Holds::Class => match self.rng.below(5) {
                0 => format!("{name}.s0({arguments})"),
                1 => format!("new {name}({arguments}).m0({})", self.operand()),
                2 => format!("new {name}({arguments}).g0"),
                3 => format!("(new {name}({arguments}).g0 = {})", self.operand()),
                _ => format!("new {name}({arguments})"),
            },
            Holds::Object => format!("{name}.r?.({arguments})"),
            Holds::Function | Holds::Primitive | Holds::Iterable => match self.rng.below(8) {
                0 => format!("new {name}({arguments})"),
                1 => format!("{name}.call({}, {arguments})", self.some_object(0)),
                2 => format!("{name}?.({arguments})"),
                _ => format!("{name}({arguments})"),
            },
        }
    }

    /// An expression that may stand in a function of its own.
    fn without_suspension(&mut self, depth: usize) -> String {
        let outer = self.context.clone();
        self.context.can_yield = false;
        self.context.can_await = false;
        self.context.has_super = false;
        let text = self.expression(depth);
        self.context = outer;
        format!("tick() ? 0 : {text}")
    }

    /// An array literal, with holes and spread elements.
    pub(super) fn array(&mut self, depth: usize) -> String {
        let mut elements = Vec::new();
        for _ in 0..self.rng.below(4) {
            let element = match self.rng.below(10) {
                0 => String::new(),
                1 if depth > 0 => format!("...{}", self.iterable(depth - 1)),
                _ => self.expression(depth),
            };
            elements.push(element);
        }
        format!("[{}]", elements.join(", "))
    }
}

//! Functions of every kind.

use super::expression::Level;
use super::{Context, Tree};

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Function,
    Method,
    Getter,
    Setter,
    Generator,
    Async,
    AsyncGenerator,
    /// A constructor of a class that extends something.
    Derived,
}

impl Kind {
    fn can_yield(self) -> bool {
        matches!(self, Self::Generator | Self::AsyncGenerator)
    }

    fn can_await(self) -> bool {
        matches!(self, Self::Async | Self::AsyncGenerator)
    }
}

/// The kinds that have a keyword, with what stands before their names.
const KEYWORDS: &[(&str, Kind)] = &[
    ("function ", Kind::Function),
    ("function* ", Kind::Generator),
    ("async function ", Kind::Async),
    ("async function* ", Kind::AsyncGenerator),
];

impl Tree {
    /// The context inside of a function.
    fn inside(&self, kind: Kind) -> Context {
        Context {
            is_strict: self.context.is_strict,
            can_return: true,
            can_yield: kind.can_yield(),
            can_await: kind.can_await(),
            has_call: true,
            privates: self.context.privates.clone(),
            ..Context::default()
        }
    }

    /// Parameters and body of a function with a keyword.
    fn function_parts(&mut self, kind: Kind) -> (String, String) {
        let context = self.inside(kind);
        self.within(context, |tree| (tree.parameters(kind), tree.body()))
    }

    /// Parameters and body of a method.
    pub(super) fn method_parts(&mut self, kind: Kind) -> (String, String) {
        let context = Context { has_super: true, has_super_call: kind == Kind::Derived, ..self.inside(kind) };
        self.within(context, |tree| (tree.parameters(kind), tree.body()))
    }

    fn parameters(&mut self, kind: Kind) -> String {
        let num = match kind {
            Kind::Getter => 0,
            Kind::Setter => 1,
            _ => self.draws.below(3),
        };
        // Neither `yield` nor `await` nor a call may stand here.
        let calm = Context { is_calm: true, can_yield: false, can_await: false, ..self.context.clone() };
        let outer = std::mem::replace(&mut self.context, calm);
        let mut parameters = Vec::new();
        for _ in 0..num {
            parameters.push(self.element());
        }
        if kind != Kind::Getter && kind != Kind::Setter && self.draws.chance(15) {
            parameters.push(format!("...{}", self.binding(true)));
        }
        self.context = outer;
        parameters.join(", ")
    }

    /// A body that asks first whether the program has run for long enough.
    fn body(&mut self) -> String {
        let end = self.draws.pick(&["return;", "return 1;"]);
        let mut text = format!("{{ if (tick()) {end} ");
        for _ in 0..1 + self.draws.below(2) {
            text += &self.statement();
            text.push(' ');
        }
        if self.draws.chance(60) {
            text += &format!("return {}; ", self.expression(Level::Sequence));
        }
        text + "}"
    }

    pub(super) fn function_expression(&mut self) -> (String, Level) {
        let (keyword, kind) = self.draws.pick(KEYWORDS);
        let name = if self.draws.chance(30) { self.fresh() } else { String::new() };
        let (parameters, body) = self.scoped(|tree| {
            if !name.is_empty() {
                tree.names.push((name.clone(), false));
            }
            tree.function_parts(kind)
        });
        (format!("{keyword}{name}({parameters}) {body}"), Level::Primary)
    }

    /// A declaration, whose name is in reach from here on.
    pub(super) fn function_declaration(&mut self) -> String {
        let (keyword, kind) = self.draws.pick(KEYWORDS);
        let name = self.declare(true);
        let (parameters, body) = self.function_parts(kind);
        format!("{keyword}{name}({parameters}) {body}")
    }

    pub(super) fn arrow(&mut self) -> (String, Level) {
        let is_async = self.draws.chance(30);
        let context = Context {
            can_return: true,
            can_yield: false,
            can_await: is_async,
            targets: Vec::new(),
            is_calm: false,
            ..self.context.clone()
        };
        let before = if is_async { "async " } else { "" };
        let text = self.within(context, |tree| {
            let parameters = match tree.draws.chance(30) {
                true => tree.declare(true),
                false => format!("({})", tree.parameters(Kind::Function)),
            };
            match tree.draws.chance(40) {
                true => format!("{before}{parameters} => {}", tree.body()),
                // A body that begins with a brace would be a block.
                false => format!("{before}{parameters} => tick() ? 0 : {}", tree.expression(Level::Assign)),
            }
        });
        (text, Level::Assign)
    }
}

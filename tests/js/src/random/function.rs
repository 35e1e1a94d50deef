//! Functions of all kinds.

use super::context::{Context, Holds, Scope};
use super::generator::Generator;

/// The kinds of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Arrow,
    AsyncArrow,
    Generator,
    Async,
    AsyncGenerator,
    Method,
    GeneratorMethod,
    Getter,
    Setter,
    Constructor,
}

impl Kind {
    fn can_yield(self) -> bool {
        matches!(self, Self::Generator | Self::AsyncGenerator | Self::GeneratorMethod)
    }

    fn can_await(self) -> bool {
        matches!(self, Self::Async | Self::AsyncGenerator | Self::AsyncArrow)
    }

    fn is_arrow(self) -> bool {
        matches!(self, Self::Arrow | Self::AsyncArrow)
    }

    fn is_method(self) -> bool {
        matches!(self, Self::Method | Self::GeneratorMethod | Self::Getter | Self::Setter | Self::Constructor)
    }

    /// What the variable of such a function holds.
    pub(super) fn holds(self) -> Holds {
        match self {
            Self::Generator | Self::GeneratorMethod => Holds::Generator,
            Self::Async | Self::AsyncArrow => Holds::Async,
            Self::AsyncGenerator => Holds::AsyncGenerator,
            _ => Holds::Function,
        }
    }
}

impl Generator {
    /// A function that is declared or written as an expression: its head up to the name, and its kind.
    pub(super) fn function_kind(&mut self) -> (&'static str, Kind) {
        self.weighted(&[
            (10, ("function ", Kind::Plain)),
            (6, ("function* ", Kind::Generator)),
            (4, ("async function ", Kind::Async)),
            (2, ("async function* ", Kind::AsyncGenerator)),
        ])
    }

    /// The parameters and the body, in braces, of a function.
    pub(super) fn function_parts(&mut self, kind: Kind) -> (String, String) {
        let outer = self.enter(kind);
        let parameters = if matches!(kind, Kind::Getter) { String::new() } else { self.parameters() };
        let body = self.body();
        self.leave(outer);
        (parameters, body)
    }

    /// The body of a method without parameters.
    pub(super) fn method_body(&mut self, kind: Kind) -> String {
        self.function_parts(kind).1
    }

    /// The body of a setter whose parameter is `v`.
    pub(super) fn setter_body(&mut self) -> String {
        let outer = self.enter(Kind::Setter);
        self.declare("v", Holds::Primitive, false);
        let body = self.body();
        self.leave(outer);
        body
    }

    /// A scope and a context for the inside of a function; the context outside.
    pub(super) fn enter(&mut self, kind: Kind) -> Context {
        self.scopes.push(Scope::default());
        let outer = self.context.clone();
        self.context = Context {
            can_yield: kind.can_yield(),
            can_await: kind.can_await(),
            can_return: true,
            has_arguments: !kind.is_arrow() || outer.has_arguments,
            has_super: kind.is_method() || (kind.is_arrow() && outer.has_super),
            is_calm: false,
            privates: outer.privates.clone(),
            targets: Vec::new(),
        };
        outer
    }

    pub(super) fn leave(&mut self, outer: Context) {
        self.scopes.pop();
        self.context = outer;
    }

    /// Parameters: names, patterns, defaults without calls, a rest parameter.
    fn parameters(&mut self) -> String {
        let inside = self.context.clone();
        self.context.is_calm = true;
        (self.context.can_yield, self.context.can_await) = (false, false);
        let mut parameters = Vec::new();
        for _ in 0..self.rng.below(4) {
            let parameter = match self.rng.below(10) {
                0 => self.pattern(1, "p"),
                1 | 2 => {
                    let value = self.expression(1);
                    let name = self.fresh("p");
                    self.declare(&name, Holds::Primitive, false);
                    format!("{name} = {value}")
                }
                _ => {
                    let name = self.fresh("p");
                    self.declare(&name, Holds::Primitive, false);
                    name
                }
            };
            parameters.push(parameter);
        }
        if self.rng.chance(10) {
            let name = self.fresh("p");
            self.declare(&name, Holds::Iterable, false);
            parameters.push(format!("...{name}"));
        }
        self.context = inside;
        parameters.join(", ")
    }

    /// A body that ends at once when the program has run for long enough.
    pub(super) fn body(&mut self) -> String {
        let budget = 6 + self.rng.below(16);
        let text = self.nested(budget, |g| g.capture(Self::body_lines));
        format!("{{\n{text}\n}}")
    }

    fn body_lines(&mut self) {
        let stop = self.rng.pick(&["return;", "return 0;"]);
        self.line(&format!("if (tick()) {stop}"));
        let statements = 1 + self.rng.below(4);
        self.statements(statements);
        if self.rng.chance(70) {
            let value = self.expression(2);
            self.line(&format!("return {value};"));
        }
    }

    /// A function as an expression, in parentheses.
    pub(super) fn function_expression(&mut self) -> String {
        if !self.may_nest() {
            return self.operand();
        }
        match self.rng.below(6) {
            0 | 1 => {
                let outer = self.enter(Kind::Arrow);
                let parameters = self.parameters();
                let value = self.nested(8, |g| g.expression(2));
                self.leave(outer);
                format!("(({parameters}) => tick() ? 0 : {value})")
            }
            2 => {
                let (parameters, body) = self.function_parts(Kind::Arrow);
                format!("(({parameters}) => {body})")
            }
            3 => {
                let (parameters, body) = self.function_parts(Kind::AsyncArrow);
                format!("(async ({parameters}) => {body})")
            }
            _ => {
                let (head, kind) = self.function_kind();
                let name = if self.rng.chance(30) { self.fresh("n") } else { String::new() };
                let (parameters, body) = self.function_parts(kind);
                format!("({head}{name}({parameters}) {body})")
            }
        }
    }
}

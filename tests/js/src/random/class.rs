//! Classes: fields, private names, accessors, static blocks, `super`.

use super::context::{Context, Holds, Scope};
use super::function::Kind;
use super::generator::Generator;

impl Generator {
    /// A class as an expression, in parentheses.
    pub(super) fn class_expression(&mut self) -> String {
        if !self.may_nest() {
            return self.operand();
        }
        let name = if self.rng.chance(50) { self.fresh("D") } else { String::new() };
        format!("({})", self.class(&name))
    }

    /// A class called `name`.
    pub(super) fn class(&mut self, name: &str) -> String {
        let parent = match self.rng.below(10) {
            0..=2 => self.holding(Holds::Class),
            3 => Some("(log(\"null\"), null)".to_owned()),
            4 => Some("Array".to_owned()),
            _ => None,
        };
        // The code of a class is strict.
        let has_tricks = std::mem::replace(&mut self.has_tricks, false);
        let outer_privates = self.context.privates.clone();
        let private = format!("#{}", self.fresh("x"));
        self.context.privates = vec![private.clone()];
        let members = self.nested(40, |g| g.capture(|g| g.members(&private, parent.is_some())));
        self.has_tricks = has_tricks;
        self.context.privates = outer_privates;
        let extends = parent.map_or_else(String::new, |parent| format!(" extends {parent}"));
        format!("class {name}{extends} {{\n{members}\n}}")
    }

    fn members(&mut self, private: &str, is_derived: bool) {
        let value = self.initializer(true);
        self.line(&format!("{private} = {value};"));
        if self.rng.chance(60) {
            self.constructor(is_derived);
        }
        if self.rng.chance(60) {
            let key = self.class_key("p");
            let value = self.initializer(true);
            self.line(&format!("{key} = {value};"));
        }
        for (chance, prefix, key, kind) in [
            (80, "", "m0", Kind::Method),
            (50, "static ", "s0", Kind::Method),
            (20, "*", "m1", Kind::GeneratorMethod),
            (20, "async ", "m2", Kind::Async),
            (40, "get ", "g0", Kind::Getter),
        ] {
            if self.rng.chance(chance) {
                let key = self.class_key(key);
                let (parameters, body) = self.function_parts(kind);
                self.line(&format!("{prefix}{key}({parameters}) {body}"));
            }
        }
        if self.rng.chance(40) {
            let body = self.setter_body();
            self.line(&format!("set g0(v) {body}"));
        }
        self.private_and_static_members(private);
    }

    fn private_and_static_members(&mut self, private: &str) {
        if self.rng.chance(30) {
            let (parameters, body) = self.function_parts(Kind::Method);
            self.line(&format!("{private}m({parameters}) {body}"));
            let arguments = self.operand();
            self.line(&format!("m3() {{ return tick() ? 0 : this.{private}m({arguments}); }}"));
        }
        if self.rng.chance(30) {
            self.line(&format!("static has(object) {{ return {private} in object; }}"));
        }
        if self.rng.chance(40) {
            let key = self.class_key("t0");
            let value = self.initializer(false);
            self.line(&format!("static {key} = {value};"));
        }
        if self.rng.chance(25) {
            self.static_block();
        }
    }

    fn static_block(&mut self) {
        let outer = self.enter(Kind::Method);
        self.context = Context { has_super: true, ..Context::default() };
        let statements = self.capture(|g| g.statements(2));
        self.leave(outer);
        self.line(&format!("static {{\n{statements}\n}}"));
    }

    fn constructor(&mut self, is_derived: bool) {
        let outer = self.enter(Kind::Constructor);
        self.declare("a", Holds::Primitive, false);
        let body = self.nested(12, |g| g.capture(|g| g.constructor_lines(is_derived)));
        self.leave(outer);
        self.line(&format!("constructor(a) {{\n{body}\n}}"));
    }

    fn constructor_lines(&mut self, is_derived: bool) {
        self.line("if (tick()) return;");
        // Rarely too late, or never.
        let early = self.rng.chance(85);
        if is_derived && early {
            self.line("super(a);");
        }
        self.statements(1);
        if is_derived && !early && self.rng.chance(70) {
            self.line("super(1);");
        }
        self.statements(2);
    }

    fn class_key(&mut self, key: &str) -> String {
        if self.rng.chance(20) {
            let tag = self.tag();
            return format!("[log({tag}, \"{key}\")]");
        }
        key.to_owned()
    }

    /// The value of a field: a function of its own, in which there is no `arguments`.
    fn initializer(&mut self, is_calm: bool) -> String {
        self.scopes.push(Scope::default());
        let outer = self.context.clone();
        self.context = Context { is_calm, has_super: true, privates: outer.privates.clone(), ..Context::default() };
        let value = self.expression(2);
        self.leave(outer);
        format!("tick() ? 0 : {value}")
    }
}

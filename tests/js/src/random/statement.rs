//! Statements.

use super::context::{Holds, Scope};
use super::generator::Generator;

type Write = fn(&mut Generator);

/// Writers of statements, by weight.
const WRITERS: &[(usize, Write)] = &[
    (18, Generator::log_statement),
    (10, Generator::expression_statement),
    (16, Generator::declaration),
    (9, Generator::branch),
    (11, Generator::any_loop),
    (10, Generator::try_statement),
    (7, Generator::jump),
    (4, Generator::switch),
    (3, Generator::labelled_block),
    (3, Generator::plain_block),
    (3, Generator::closures),
    (1, Generator::with_statement),
];

impl Generator {
    /// Statements in a scope of their own, as many as `most`.
    pub(super) fn block(&mut self, most: usize) {
        self.scopes.push(Scope { may_shadow: true, ..Scope::default() });
        let count = 1 + self.rng.below(most);
        self.statements(count);
        self.scopes.pop();
    }

    /// `count` statements in the scope that is there; sometimes with a variable in its dead zone.
    pub(super) fn statements(&mut self, count: usize) {
        let late = (self.rng.chance(12) && count > 1).then(|| (self.fresh("l"), self.rng.below(count)));
        if let Some((name, _)) = &late {
            self.declare(name, Holds::Primitive, false);
        }
        for index in 0..count {
            let is_last = self.budget == 0 || index + 1 == count;
            if let Some((name, place)) = &late
                && (*place == index || (is_last && *place > index))
            {
                let value = self.expression(2);
                self.line(&format!("let {name} = {value};"));
            }
            self.statement();
            if is_last {
                break;
            }
        }
    }

    fn statement(&mut self) {
        if !self.spend() {
            return self.log_statement();
        }
        let write = self.weighted(WRITERS);
        write(self);
    }

    fn log_statement(&mut self) {
        let (tag, value) = (self.tag(), self.expression(3));
        self.line(&format!("log({tag}, {value});"));
    }

    fn expression_statement(&mut self) {
        let value = self.expression(3);
        let value = if value.starts_with(['{', '[', '`']) { format!("({value})") } else { value };
        self.line(&format!("{value};"));
    }

    /// A declaration of variables, of a function, or of a class.
    pub(super) fn declaration(&mut self) {
        let most = if self.may_nest() { 20 } else { 12 };
        match self.rng.below(most) {
            0..=6 => self.variable_declaration(),
            7 | 8 => self.object_declaration(),
            9 | 10 => {
                let pattern = self.capture_pattern();
                self.line(&pattern);
            }
            11 => {
                let value = self.iterable(2);
                let name = self.fresh("l");
                self.line(&format!("const {name} = {value};"));
                self.declare(&name, Holds::Iterable, true);
            }
            12..=16 => self.function_declaration(),
            17 | 18 => {
                let name = self.fresh("C");
                let class = self.class(&name);
                self.line(&class);
                self.declare(&name, Holds::Class, true);
            }
            _ => {
                let value = self.function_expression();
                let name = self.fresh("l");
                self.line(&format!("let {name} = {value};"));
                self.declare(&name, Holds::Function, false);
            }
        }
    }

    fn variable_declaration(&mut self) {
        let keyword = self.rng.pick(&["let", "let", "let", "const", "var"]);
        let name = if keyword == "var" { self.fresh("v") } else { self.lexical_name() };
        // In the scope already, so that the value may read the variable before it is there.
        let early = self.rng.chance(4);
        if early {
            self.declare(&name, Holds::Primitive, keyword == "const");
        }
        let value = self.expression(3);
        if keyword != "const" && self.rng.chance(10) {
            self.line(&format!("{keyword} {name};"));
        } else {
            self.line(&format!("{keyword} {name} = {value};"));
        }
        if !early {
            self.declare(&name, Holds::Primitive, keyword == "const");
        }
    }

    fn object_declaration(&mut self) {
        let value = self.object(2);
        let name = self.fresh("l");
        self.line(&format!("const {name} = {value};"));
        self.declare(&name, Holds::Object, true);
    }

    fn capture_pattern(&mut self) -> String {
        let keyword = self.rng.pick(&["let", "const", "var"]);
        let pattern = self.pattern(2, if keyword == "var" { "v" } else { "l" });
        let value = self.destructured(&pattern, 2);
        format!("{keyword} {pattern} = {value};")
    }

    fn function_declaration(&mut self) {
        let (head, kind) = self.function_kind();
        let name = self.fresh("f");
        let is_recursive = self.rng.chance(40);
        if is_recursive {
            self.declare(&name, kind.holds(), false);
        }
        let (parameters, body) = self.function_parts(kind);
        self.line(&format!("{head}{name}({parameters}) {body}"));
        if !is_recursive {
            self.declare(&name, kind.holds(), false);
        }
        // Hoisted out of a block in sloppy mode, and no variable outside of it in strict mode.
        if self.rng.chance(10) && self.scopes.len() > 2 {
            let outside = self.scopes.len() - 2;
            self.scopes[outside].variables.push(super::context::Variable {
                name,
                holds: kind.holds(),
                is_constant: false,
            });
        }
    }

    fn branch(&mut self) {
        let condition = self.expression(3);
        self.line(&format!("if ({condition}) {{"));
        self.block(3);
        if self.rng.chance(50) {
            self.line("} else {");
            self.block(3);
        }
        self.line("}");
    }

    fn try_statement(&mut self) {
        self.line("try {");
        self.block(3);
        if self.rng.chance(30) {
            self.jump();
        }
        let form = self.rng.below(3);
        if form != 0 {
            self.catch_clause();
        }
        if form != 1 {
            self.line("} finally {");
            self.block(2);
            if self.rng.chance(25) {
                self.jump();
            }
        }
        self.line("}");
    }

    fn catch_clause(&mut self) {
        self.scopes.push(Scope::default());
        match self.rng.below(4) {
            0 => self.line("} catch {"),
            1 => {
                // The text of an engine's message says how the source spells the culprit.
                self.line("} catch ({ name, constructor: { length } = \"\" }) {");
                self.line("log(name, length);");
            }
            _ => {
                let name = self.fresh("e");
                self.line(&format!("}} catch ({name}) {{"));
                let tag = self.tag();
                self.line(&format!("log({tag}, {name});"));
                self.declare(&name, Holds::Primitive, false);
            }
        }
        self.block(2);
        self.scopes.pop();
    }

    fn plain_block(&mut self) {
        self.line("{");
        self.block(3);
        self.line("}");
    }

    /// A loop that keeps closures over its variables, which are called behind it.
    fn closures(&mut self) {
        let (list, name, tag) = (self.fresh("l"), self.fresh("l"), self.tag());
        let keyword = self.rng.pick(&["let", "var", "let"]);
        let step = self.rng.pick(&["++", " += 1"]);
        self.line(&format!("const {list} = [];"));
        self.line(&format!("for ({keyword} {name} = 0; {name} < 3; {name}{step}) {{"));
        self.line("if (tick()) break;");
        self.scopes.push(Scope::default());
        self.declare(&name, Holds::Primitive, false);
        let inner = self.fresh("l");
        let value = self.expression(2);
        self.line(&format!("let {inner} = {value};"));
        self.declare(&inner, Holds::Primitive, false);
        self.line(&format!("{list}.push(() => [{name}, {inner}++, {name} + {inner}]);"));
        self.statements(1);
        self.scopes.pop();
        self.line("}");
        self.line(&format!("for (const closure of {list}) log({tag}, closure(), closure());"));
    }

    fn with_statement(&mut self) {
        if !self.has_tricks {
            return self.log_statement();
        }
        let object = self.some_object(1);
        self.line(&format!("with ({object}) {{"));
        self.scopes.push(Scope::default());
        self.declare("q", Holds::Primitive, false);
        self.statements(2);
        self.scopes.pop();
        self.line("}");
    }
}

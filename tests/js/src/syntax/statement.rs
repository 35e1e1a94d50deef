//! Statements and declarations.

use super::expression::Level;
use super::{Leave, Tree};

type Make = fn(&mut Tree) -> String;

const MAKERS: &[Make] = &[
    Tree::expression_statement,
    Tree::expression_statement,
    Tree::expression_statement,
    Tree::logged,
    Tree::logged,
    Tree::variables,
    Tree::variables,
    Tree::function_declaration,
    Tree::class_declaration,
    Tree::block,
    Tree::if_statement,
    Tree::while_statement,
    Tree::do_statement,
    Tree::for_statement,
    Tree::for_each,
    Tree::switch,
    Tree::try_statement,
    Tree::labeled,
    Tree::jump,
    Tree::throw,
    Tree::with,
    |_| ";".to_owned(),
    |_| "debugger;".to_owned(),
];

impl Tree {
    /// A statement or a declaration, as in a block.
    pub(super) fn statement(&mut self) -> String {
        if !self.spend() {
            return self.logged();
        }
        let make = self.draws.pick(MAKERS);
        make(self)
    }

    /// A statement that is the body of another one.
    fn inner(&mut self) -> String {
        let statement = self.scoped(Self::statement);
        let is_declaration = ["let ", "const ", "class ", "function", "async function"];
        match is_declaration.iter().any(|start| statement.starts_with(start)) {
            true => format!("{{ {statement} }}"),
            false => statement,
        }
    }

    pub(super) fn block(&mut self) -> String {
        let statements = self.scoped(|tree| {
            let num = 1 + tree.draws.below(3);
            (0..num).map(|_| tree.statement()).collect::<Vec<_>>()
        });
        format!("{{ {} }}", statements.join(" "))
    }

    fn expression_statement(&mut self) -> String {
        let text = self.expression(Level::Sequence);
        // These would begin something else.
        let begins = ["{", "function", "class", "async function", "let"].iter().any(|start| text.starts_with(start));
        if begins || text.starts_with(['"', '\'']) { format!("({text});") } else { format!("{text};") }
    }

    fn logged(&mut self) -> String {
        match self.context.is_calm {
            true => self.expression_statement(),
            false => format!("log({}, {});", self.draws.below(100), self.expression(Level::Assign)),
        }
    }

    fn variables(&mut self) -> String {
        let (keyword, may_write) = self.draws.pick(&[("let", true), ("const", false), ("var", true)]);
        let mut parts = Vec::new();
        for _ in 0..1 + self.draws.below(2) {
            let value = self.expression(Level::Assign);
            let binding = self.binding(may_write);
            let needs_value = keyword == "const" || binding.starts_with(['{', '[']);
            parts.push(if needs_value || self.draws.chance(70) { format!("{binding} = {value}") } else { binding });
        }
        format!("{keyword} {};", parts.join(", "))
    }

    fn if_statement(&mut self) -> String {
        let test = self.expression(Level::Sequence);
        match self.draws.chance(50) {
            // A branch without braces would take the `else`.
            true => format!("if ({test}) {} else {}", self.block(), self.inner()),
            false => format!("if ({test}) {}", self.inner()),
        }
    }

    /// What `write` writes inside of a statement that can be left.
    fn target_of(&mut self, label: Option<String>, leave: Leave, write: impl FnOnce(&mut Self) -> String) -> String {
        self.context.targets.push((label, leave));
        let text = write(self);
        self.context.targets.pop();
        text
    }

    fn loop_body(&mut self) -> String {
        self.target_of(None, Leave::Loop, Self::inner)
    }

    fn while_statement(&mut self) -> String {
        format!("while (!tick() && {}) {}", self.expression(Level::BitOr), self.loop_body())
    }

    fn do_statement(&mut self) -> String {
        format!("do {} while (!tick() && {});", self.loop_body(), self.expression(Level::BitOr))
    }

    fn for_statement(&mut self) -> String {
        self.scoped(|tree| {
            let first = match tree.draws.below(4) {
                0 => String::new(),
                1 => tree.without_in(),
                _ => {
                    let (value, keyword) = (tree.without_in(), tree.draws.pick(&["let", "var", "const"]));
                    format!("{keyword} {} = {value}", tree.binding(keyword != "const"))
                }
            };
            let update = if tree.draws.chance(70) { tree.expression(Level::Sequence) } else { String::new() };
            format!("for ({first}; !tick() && {}; {update}) {}", tree.expression(Level::BitOr), tree.loop_body())
        })
    }

    /// An expression for the head of a `for`.
    fn without_in(&mut self) -> String {
        let text = self.expression(Level::Assign);
        match text.contains(" in ") || text.starts_with("let") || text.starts_with("async") {
            true => format!("({text})"),
            false => text,
        }
    }

    fn for_each(&mut self) -> String {
        let values = self.expression(Level::Assign);
        self.scoped(|tree| {
            let head = match tree.draws.below(5) {
                0 => {
                    let target = tree.target();
                    if target.starts_with("let") || target.starts_with("async") {
                        format!("({target})")
                    } else {
                        target
                    }
                }
                1 => tree.target_pattern(),
                _ => {
                    let keyword = tree.draws.pick(&["let", "var", "const"]);
                    format!("{keyword} {}", tree.binding(keyword != "const"))
                }
            };
            let (before, of) = match tree.draws.below(3) {
                0 => ("", "in"),
                1 if tree.context.can_await => (" await", "of"),
                _ => ("", "of"),
            };
            let body = tree.target_of(None, Leave::Loop, Self::block);
            format!("for{before} ({head} {of} {values}) {{ if (tick()) break; {body} }}")
        })
    }

    fn switch(&mut self) -> String {
        let value = self.expression(Level::Sequence);
        let cases = self.target_of(None, Leave::Switch, |tree| {
            let mut cases = String::new();
            let default = tree.draws.below(4);
            for number in 0..tree.draws.below(4) {
                match number == default {
                    true => cases += "default: ",
                    false => cases += &format!("case {}: ", tree.expression(Level::Sequence)),
                }
                // A name of one case is in its dead zone in the others.
                cases += &tree.scoped(Self::statement);
                cases += if tree.draws.chance(50) { " break; " } else { " " };
            }
            cases
        });
        format!("switch ({value}) {{ {cases} }}")
    }

    fn try_statement(&mut self) -> String {
        let body = self.block();
        let catch = self.scoped(|tree| match tree.draws.below(3) {
            0 => String::new(),
            1 => format!(" catch {}", tree.block()),
            _ => format!(" catch ({}) {}", tree.binding(true), tree.block()),
        });
        match catch.is_empty() || self.draws.chance(30) {
            true => format!("try {body}{catch} finally {}", self.block()),
            false => format!("try {body}{catch}"),
        }
    }

    fn labeled(&mut self) -> String {
        let label = self.fresh().replace('v', "L");
        let outer = label.clone();
        self.target_of(Some(label), Leave::Block, |tree| {
            let statement = tree.inner();
            // A label of a loop is one for `continue`, which nobody needs who has another.
            format!("{outer}: {statement}")
        })
    }

    fn jump(&mut self) -> String {
        let mut jumps: Vec<String> = Vec::new();
        for (label, leave) in &self.context.targets {
            match (label, leave) {
                (Some(label), _) => jumps.push(format!("break {label};")),
                (None, Leave::Loop) => jumps.extend(["break;".to_owned(), "continue;".to_owned()]),
                (None, _) => jumps.push("break;".to_owned()),
            }
        }
        if self.context.can_return {
            jumps.push(format!("return {};", self.expression(Level::Sequence)));
        }
        // `continue` needs a loop around.
        if !self.context.targets.iter().any(|(_, leave)| *leave == Leave::Loop) {
            jumps.retain(|jump| jump != "continue;");
        }
        match jumps.len() {
            0 => self.throw(),
            num => {
                let jump = jumps[self.draws.below(num)].clone();
                format!("if (tick() || {}) {jump}", self.expression(Level::BitOr))
            }
        }
    }

    fn throw(&mut self) -> String {
        format!("if ({}) throw {};", self.expression(Level::Sequence), self.expression(Level::Sequence))
    }

    fn with(&mut self) -> String {
        match self.context.is_strict || self.context.is_calm || !self.draws.chance(15) {
            true => self.logged(),
            false => format!("with ({}) {}", self.expression(Level::Sequence), self.inner()),
        }
    }
}

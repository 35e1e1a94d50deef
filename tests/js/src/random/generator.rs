//! A program from a seed, or from bytes.

use super::context::{Context, Holds, Scope, Variable};
use crate::compare::Realm;
use crate::draws::Draws;
use ssaphire_tests::Rng;

/// The program that follows from `seed`.
pub fn generate(seed: u64) -> String {
    program(Draws::Seed(Rng::new(seed)))
}

/// The program that follows from `seed`, and where it runs.
pub fn program_of(seed: u64) -> (String, Realm) {
    (generate(seed), Realm::Ticking)
}

/// The program that `bytes` describe: few bytes make a small one.
pub fn generate_from(bytes: &[u8]) -> String {
    program(Draws::Bytes(bytes.iter().rev().copied().collect()))
}

fn program(draws: Draws) -> String {
    let mut generator = Generator::new(draws);
    generator.program();
    indent(&generator.lines.join("\n"))
}

/// A program being written.
pub(super) struct Generator {
    pub(super) rng: Draws,
    /// Finished lines.
    pub(super) lines: Vec<String>,
    /// Scopes around, the innermost last.
    pub(super) scopes: Vec<Scope>,
    pub(super) context: Context,
    pub(super) is_strict: bool,
    /// Whether `with` and direct `eval` may appear.
    pub(super) has_tricks: bool,
    /// How many statements and operations may still be written.
    pub(super) budget: usize,
    /// How many functions and classes are around.
    pub(super) nesting: usize,
    names: usize,
    tags: usize,
}

impl Generator {
    fn new(mut rng: Draws) -> Self {
        let (is_strict, has_tricks) = (rng.chance(50), rng.chance(12));
        Self {
            rng,
            lines: Vec::new(),
            scopes: vec![Scope::default()],
            context: Context::default(),
            is_strict,
            has_tricks: has_tricks && !is_strict,
            budget: 0,
            nesting: 0,
            names: 0,
            tags: 0,
        }
    }

    fn program(&mut self) {
        if self.is_strict {
            self.line("\"use strict\";");
        }
        let is_wrapped = self.rng.chance(75);
        let is_async = is_wrapped && self.rng.chance(20);
        if is_wrapped {
            self.line(if is_async { "(async function () {" } else { "(function () {" });
            let context = Context { can_return: true, has_arguments: true, can_await: is_async, ..Context::default() };
            self.context = context;
        }
        for _ in 0..3 + self.rng.below(4) {
            self.budget = 30;
            self.declaration();
        }
        for _ in 0..2 + self.rng.below(5) {
            self.budget = 15 + self.rng.below(60);
            self.section();
        }
        self.log_variables();
        if is_wrapped {
            self.line(if is_async { "})().catch(error => log(\"main\", error));" } else { "})();" });
        }
    }

    /// Statements whose exceptions do not end the program.
    fn section(&mut self) {
        self.line("try {");
        self.block(6);
        let tag = self.tag();
        self.line("} catch (error) {");
        self.line(&format!("log({tag}, error);"));
        self.line("}");
    }

    fn log_variables(&mut self) {
        let names: Vec<String> = self.scopes[0].variables.iter().map(|variable| variable.name.clone()).collect();
        for name in names {
            self.line(&format!("log(\"{name}\", {name});"));
        }
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    /// What `write` writes, instead of having it in the program.
    pub(super) fn capture(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.lines);
        write(self);
        std::mem::replace(&mut self.lines, before).join("\n")
    }

    /// Takes one from the budget; `false` if there is nothing to take.
    pub(super) fn spend(&mut self) -> bool {
        let is_left = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        is_left
    }

    /// What `write` writes as the inside of a function or a class, which may spend a part of the budget.
    pub(super) fn nested<T>(&mut self, most: usize, write: impl FnOnce(&mut Self) -> T) -> T {
        let given = self.budget.min(most);
        let kept = self.budget - given;
        self.budget = given;
        self.nesting += 1;
        let result = write(self);
        self.nesting -= 1;
        self.budget += kept;
        result
    }

    /// Whether there is room for another function or class.
    pub(super) fn may_nest(&self) -> bool {
        self.nesting < 3 && self.budget >= 5 && !self.context.is_calm
    }

    /// A name that there was not before.
    pub(super) fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// A string that tells one place of the program from all others.
    pub(super) fn tag(&mut self) -> String {
        self.tags += 1;
        format!("\"#{}\"", self.tags)
    }

    /// Makes a variable visible in the innermost scope.
    pub(super) fn declare(&mut self, name: &str, holds: Holds, is_constant: bool) {
        let variable = Variable { name: name.to_owned(), holds, is_constant };
        if let Some(scope) = self.scopes.last_mut() {
            scope.variables.push(variable);
        }
    }

    /// The name of a new `let`: sometimes that of a variable outside, which it hides.
    pub(super) fn lexical_name(&mut self) -> String {
        let hidden = self.outer_lexical().filter(|_| self.scopes.last().is_some_and(|scope| scope.may_shadow));
        match hidden {
            Some(name) if self.rng.chance(25) => name,
            _ => self.fresh("l"),
        }
    }

    /// A `let` outside of the innermost scope, by a name that is not in it.
    fn outer_lexical(&mut self) -> Option<String> {
        let (inner, outer) = self.scopes.split_last()?;
        let is_inner = |name: &str| inner.variables.iter().any(|variable| variable.name == name);
        let names: Vec<&String> =
            outer.iter().flat_map(|scope| &scope.variables).map(|variable| &variable.name).collect();
        let names: Vec<&String> = names.into_iter().filter(|name| name.starts_with('l') && !is_inner(name)).collect();
        (!names.is_empty()).then(|| names[self.rng.below(names.len())].clone())
    }

    /// A variable that is in reach and `is_wanted`.
    pub(super) fn variable(&mut self, is_wanted: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let all: Vec<&Variable> =
            self.scopes.iter().flat_map(|scope| &scope.variables).filter(|variable| is_wanted(variable)).collect();
        // Variables of inner scopes are more interesting.
        let start = if all.len() > 6 && self.rng.chance(50) { all.len() - 6 } else { 0 };
        let all = &all[start..];
        (!all.is_empty()).then(|| all[self.rng.below(all.len())].clone())
    }

    /// The name of a variable that holds this.
    pub(super) fn holding(&mut self, holds: Holds) -> Option<String> {
        self.variable(|variable| variable.holds == holds).map(|variable| variable.name)
    }

    /// One of `choices` by weight.
    pub(super) fn weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut position = self.rng.below(total);
        for &(weight, choice) in choices {
            if position < weight {
                return choice;
            }
            position -= weight;
        }
        choices[0].1
    }
}

/// `text` with its lines indented by the braces around them.
fn indent(text: &str) -> String {
    let (mut depth, mut indented) = (0usize, String::new());
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with(['}', ']', ')']) {
            depth = depth.saturating_sub(1);
        }
        indented.push_str(&"  ".repeat(depth));
        indented.push_str(line);
        indented.push('\n');
        if line.ends_with(['{', '[', '(']) || line.ends_with("=>") {
            depth += 1;
        }
    }
    indented
}

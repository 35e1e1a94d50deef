//! Random syntax trees: every kind of node of the language below every kind that may have it.
//!
//! [`generate`] writes a program with as few parentheses as the grammar allows, so that what is written back has to put them
//! where they belong. The programs of [`random`](crate::random) have variables and values that make sense; these mostly throw,
//! each statement by itself.

mod class;
mod expression;
mod function;
mod module;
mod object;
mod pattern;
mod statement;

use crate::compare::Realm;
use crate::draws::Draws;
use ssaphire_tests::Rng;

/// The program that follows from `seed`, a module or a script.
pub fn generate(seed: u64, is_module: bool) -> String {
    program(Draws::Seed(Rng::new(seed)), is_module)
}

/// The program that follows from `seed`, every second one a module, and where it runs.
pub fn program_of(seed: u64) -> (String, Realm) {
    let is_module = seed % 2 == 1;
    (generate(seed, is_module), if is_module { Realm::Module } else { Realm::Ticking })
}

/// The program that `bytes` describe: few bytes make a small one.
pub fn generate_from(bytes: &[u8], is_module: bool) -> String {
    program(Draws::Bytes(bytes.iter().rev().copied().collect()), is_module)
}

fn program(draws: Draws, is_module: bool) -> String {
    let mut tree = Tree::new(draws, is_module);
    let mut text = if is_module { tree.imports() } else { String::new() };
    if !is_module && tree.draws.chance(30) {
        tree.context.is_strict = true;
        text += "\"use strict\";\n";
    }
    for _ in 0..2 + tree.draws.below(4) {
        tree.budget = 40;
        text += &tree.section();
    }
    if is_module {
        text += &tree.exports();
    }
    text
}

/// A program being written.
struct Tree {
    draws: Draws,
    /// How many more nodes with children may be written in this statement.
    budget: usize,
    /// Names of variables in reach, the innermost last, and whether each may be written.
    names: Vec<(String, bool)>,
    context: Context,
    is_module: bool,
    fresh: usize,
}

/// What is allowed at a place.
#[derive(Clone, Debug, Default)]
struct Context {
    is_strict: bool,
    can_return: bool,
    can_yield: bool,
    can_await: bool,
    /// `arguments`, `new.target`.
    has_call: bool,
    /// `super.a`.
    has_super: bool,
    /// `super()`.
    has_super_call: bool,
    /// Whether nothing may be called here: it would come before a function asks whether the program has run for long enough.
    is_calm: bool,
    /// The private names of the classes around.
    privates: Vec<String>,
    /// Statements around that may be left, by label, and whether each is a loop.
    targets: Vec<(Option<String>, Leave)>,
}

/// How a statement may be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    Loop,
    Switch,
    Block,
}

impl Tree {
    fn new(draws: Draws, is_module: bool) -> Self {
        let context = Context { is_strict: is_module, can_await: is_module, ..Context::default() };
        Self { draws, budget: 0, names: Vec::new(), context, is_module, fresh: 0 }
    }

    /// Statements whose exceptions do not end the program.
    fn section(&mut self) -> String {
        let body = self.block();
        let tag = self.draws.below(100);
        format!("try {body} catch (error) {{ log({tag}, error); }}\n")
    }

    /// Takes one from the budget; `false` if there is nothing to take.
    fn spend(&mut self) -> bool {
        let is_left = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        is_left
    }

    /// A name that there was not before.
    fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    /// A new variable, in reach from here on.
    fn declare(&mut self, may_write: bool) -> String {
        let name = self.fresh();
        self.names.push((name.clone(), may_write));
        name
    }

    /// A variable in reach, mostly one of those declared last.
    fn name(&mut self) -> Option<String> {
        let num = self.names.len();
        let start = if num > 6 && self.draws.chance(70) { num - 6 } else { 0 };
        (num > 0).then(|| self.names[start + self.draws.below(num - start)].0.clone())
    }

    /// A variable to write.
    fn written(&mut self) -> Option<String> {
        let names: Vec<&String> = self.names.iter().filter(|(_, may_write)| *may_write).map(|(name, _)| name).collect();
        let num = names.len();
        (num > 0).then(|| names[self.draws.below(num)].clone())
    }

    /// What `write` writes, whose names are forgotten afterwards.
    fn scoped<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let num_names = self.names.len();
        let result = write(self);
        self.names.truncate(num_names);
        result
    }

    /// What `write` writes in another context.
    fn within<T>(&mut self, context: Context, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context, context);
        let result = self.scoped(write);
        self.context = outer;
        result
    }
}

#[cfg(test)]
mod tests;

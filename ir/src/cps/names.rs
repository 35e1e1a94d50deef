//! Names of continuations and values, short and unique within a function.
//!
//! A continuation is named after its block, or after its role: `then`, `else`,
//! `case` and `catch` for targets of branches and calls, `loop` for a header,
//! `back` for the code after a call, `next` for anything else. A value is named
//! after its variable, or `t`. The second use of a name gets the suffix `.1`,
//! and so on, so every name is a word with at most one number.

use super::{Continuation, Cps, Meaning, Nesting, TailKind};
use crate::dialect::{Control, Semantics};
use crate::function::Action;
use foldhash::fast::RandomState;
use ssaphire_graph::Value;
use std::collections::HashMap;
use std::fmt::{self, Write};

/// The name of a value without variable.
const NO_VARIABLE: &str = "t";

/// The spelling of names in an output language.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    /// Spells a name. The result must not end with a dot and a number.
    pub(super) spell: fn(&str) -> String,
    /// Reserved names.
    pub(super) taken: &'static [&'static str],
    /// Whether operations and functions share a name space with continuations.
    pub(super) calls_by_name: bool,
}

/// A name: a word, and the number of earlier uses of the word.
#[derive(Clone, Copy, Debug, Default)]
struct Name {
    word: u32,
    version: u32,
}

/// The names of the continuations and values of a function.
pub(super) struct Names {
    words: Vec<String>,
    values: Vec<Name>,
    continuations: Vec<Name>,
}

impl Names {
    /// Assigns names in the order of the nested form, except to values that need none.
    pub(super) fn new<D: Semantics>(
        cps: &Cps<D>,
        nesting: &Nesting,
        spelling: Spelling,
        is_named: impl Fn(Continuation, Value) -> bool,
    ) -> Self {
        let mut giver = Giver::new(spelling);
        if spelling.calls_by_name {
            giver.take(cps.name());
            called(cps).for_each(|name| giver.take(name));
        }
        let mut values = vec![Name::default(); cps.num_values()];
        let mut continuations = vec![Name::default(); cps.num_continuations()];
        let roles = roles(cps, nesting);
        for of in nesting.in_text_order() {
            if of != Continuation::BODY {
                continuations[of.index()] = giver.give(cps.label(of).unwrap_or(roles[of.index()]));
            }
            let results = cps.bindings(of).flat_map(|binding| binding.results);
            for &value in cps.params(of).iter().chain(results).filter(|&&value| is_named(of, value)) {
                values[value.index()] = giver.give(cps.variable_name(value).unwrap_or(NO_VARIABLE));
            }
        }
        Self { words: giver.words, values, continuations }
    }

    /// Writes the name of a value that is bound.
    pub(super) fn value(&self, value: Value, out: &mut dyn Write) -> fmt::Result {
        self.write(self.values[value.index()], out)
    }

    /// Writes the name of a continuation.
    pub(super) fn continuation(&self, of: Continuation, out: &mut dyn Write) -> fmt::Result {
        self.write(self.continuations[of.index()], out)
    }

    fn write(&self, Name { word, version }: Name, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&self.words[word as usize])?;
        if version == 0 { Ok(()) } else { write!(out, ".{version}") }
    }
}

/// Gives names, each one once.
struct Giver {
    spelling: Spelling,
    words: Vec<String>,
    /// By spelled word, how many things have it.
    counts: Vec<u32>,
    places: HashMap<String, u32, RandomState>,
}

impl Giver {
    fn new(spelling: Spelling) -> Self {
        let mut giver = Self { spelling, words: Vec::new(), counts: Vec::new(), places: HashMap::default() };
        spelling.taken.iter().for_each(|taken| giver.take(taken));
        giver
    }

    /// Reserves a name.
    fn take(&mut self, name: &str) {
        let is_known = self.places.contains_key(&(self.spelling.spell)(name));
        if !is_known {
            self.give(name);
        }
    }

    fn give(&mut self, wanted: &str) -> Name {
        let Self { spelling, words, counts, places } = self;
        let spelled = (spelling.spell)(wanted);
        let word = match places.get(&spelled) {
            Some(&word) => word,
            None => {
                places.insert(spelled.clone(), words.len() as u32);
                words.push(spelled);
                counts.push(0);
                words.len() as u32 - 1
            }
        };
        let count = &mut counts[word as usize];
        *count += 1;
        Name { word, version: *count - 1 }
    }
}

/// The operations and functions that are called by name.
fn called<D: Semantics>(cps: &Cps<D>) -> impl Iterator<Item = &str> {
    let in_body = cps.continuations().flat_map(|of| cps.bindings(of)).filter_map(|binding| match binding.action {
        Action::Op(op) => Some(op),
        Action::Copy => None,
    });
    let ops = in_body.chain(cps.continuations().filter_map(|of| cps.tail(of).op));
    ops.map(|op| D::callee(op).unwrap_or_else(|| D::op_name(op)))
}

/// The role of each continuation for its predecessors.
fn roles<D: Semantics>(cps: &Cps<D>, nesting: &Nesting) -> Vec<&'static str> {
    let mut roles: Vec<Option<&'static str>> = vec![None; cps.num_continuations()];
    for of in cps.continuations() {
        let tail = cps.tail(of);
        let num_targets = tail.continuations.len();
        for (slot, &target) in tail.continuations.iter().enumerate() {
            let is_call = tail.op.is_some_and(|op| D::control(op) == Control::Call);
            let role = match (tail.kind, slot) {
                _ if nesting.contains(target, of) => "loop",
                (TailKind::Jump, _) => "next",
                (TailKind::Call, _) => "back",
                (TailKind::Operation, 0) if is_call => "back",
                (TailKind::Operation, _) if tail.op.is_some_and(|op| D::properties(op).may_throw) => "catch",
                (TailKind::Operation, 0) if num_targets == 2 => "then",
                (TailKind::Operation, 1) if num_targets == 2 => "else",
                (TailKind::Operation, _) => "case",
            };
            let known = &mut roles[target.index()];
            *known = match *known {
                // A join is no arm of a single branch.
                Some(before) if before != "loop" && role != "loop" => Some("next"),
                Some("loop") => Some("loop"),
                _ => Some(role),
            };
        }
    }
    roles.into_iter().map(|role| role.unwrap_or("next")).collect()
}

/// The number of uses of each value.
pub(super) fn count_uses<D: Semantics>(cps: &Cps<D>) -> Vec<u32> {
    let mut num_uses = vec![0; cps.num_values()];
    for of in cps.continuations() {
        let args = cps.bindings(of).flat_map(|binding| binding.args);
        args.chain(cps.tail(of).args).for_each(|value| num_uses[value.index()] += 1);
    }
    num_uses
}

/// The constant that a value is, or `None`.
pub(super) fn constant<D: Semantics>(cps: &Cps<D>, value: Value) -> Option<&D::Constant> {
    match cps.meaning(value) {
        Meaning::Constant(constant) => Some(constant),
        Meaning::Bound | Meaning::Undefined => None,
    }
}

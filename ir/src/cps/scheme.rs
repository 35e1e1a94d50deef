//! Continuations of the dialect `basic` as a program in Scheme that runs.
//!
//! A program is the [`RUNTIME`], a definition for each function, and a
//! [`start`]. A function is a procedure whose last parameter is `ret`; a
//! continuation is a procedure in a `letrec` of the one that defines it. Every
//! call is a tail call, so the stack of a run does not grow with its loops.
//!
//! | here | in Scheme |
//! |---|---|
//! | a group of continuations | `letrec` |
//! | operations | `let*`, of calls of the runtime |
//! | `branch` | `(ssa:branch x then else)` |
//! | a call | `(ssa:call "f" (list a) 1 (list back))`: by name, where the program runs |
//! | a return | `(ret a b)` |
//! | what is undefined | `ssa:undef`, which arithmetic passes on |
//!
//! The program does what the interpreter does: numbers wrap around, and traps
//! end it with a message and exit code 1. There is no limit to its steps.
//! `read` takes numbers from standard input; the arguments of the function that
//! is started come from the command line.
//!
//! Scheme here is Guile 3: of the runtime, `ash`, `logand` and their like are no
//! part of a standard.

use super::names::{Names, Spelling};
use super::{Binding, Continuation, Cps, Meaning, Nesting, Tail, TailKind};
use crate::basic::{Basic, Call, Op};
use crate::function::Action;
use ssaphire_graph::Value;
use std::fmt::{self, Write};

/// What every program begins with: the operations.
pub const RUNTIME: &str = include_str!("scheme/runtime.scm");

/// Writes the definition of a function.
///
/// # Errors
/// If the writer fails.
///
/// # Complexity
/// O(length of the text), besides the dominator tree. Nothing is recursive; a reader of the text may well be, so
/// what is nested deeply is for small functions.
pub fn print(cps: &Cps<Basic>, out: &mut dyn Write) -> fmt::Result {
    let nesting = Nesting::new(cps);
    let names = Names::new(cps, &nesting, SPELLING, |_, _| true);
    Printer { cps, nesting: &nesting, names: &names }.function(out)
}

/// Writes the call that starts a program: of the function of that name.
///
/// # Errors
/// If the writer fails.
pub fn start(name: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_str("(ssa:start ")?;
    string(name, out)?;
    out.write_str(")\n")
}

/// Words of Scheme that are written in a function. Those of the runtime have a colon, which no name has.
const SPELLING: Spelling = Spelling { spell, taken: &["ret", "lambda", "letrec", "list"], calls_by_name: false };

/// A name as an identifier: what is no letter, digit, `_` or `-` is `_`.
fn spell(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let spelled = name.chars().map(|c| if is_plain(c) { c } else { '_' });
    if starts_well { spelled.collect() } else { "v".chars().chain(spelled).collect() }
}

/// Writes a string.
fn string(text: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            _ if c.is_control() => write!(out, "\\x{:x};", u32::from(c))?,
            _ => out.write_char(c)?,
        }
    }
    out.write_str("\"")
}

/// Columns by which what is nested is indented further, up to so many times.
const INDENT: usize = 4;

const MAX_LEVEL: usize = 16;

/// What is left to write.
enum Step {
    /// A continuation, which may be the first or the last of its group.
    Define { of: Continuation, is_first: bool },
    /// The tail of a continuation behind its group, and the parentheses that end it.
    Tail(Continuation),
}

struct Printer<'c> {
    cps: &'c Cps<Basic>,
    nesting: &'c Nesting,
    names: &'c Names,
}

impl Printer<'_> {
    fn function(&self, out: &mut dyn Write) -> fmt::Result {
        let params = self.cps.params(Continuation::BODY);
        out.write_str("(ssa:define! ")?;
        string(self.cps.name(), out)?;
        write!(out, " {}\n  (lambda (", params.len())?;
        for &param in params {
            self.value(param, out)?;
            out.write_str(" ")?;
        }
        out.write_str("ret)")?;
        let mut steps = Vec::new();
        self.body(Continuation::BODY, &mut steps, out)?;
        while let Some(step) = steps.pop() {
            match step {
                Step::Define { of, is_first } => {
                    self.line(of, if is_first { -4 } else { -2 }, out)?;
                    out.write_str(if is_first { "(letrec ((" } else { "(" })?;
                    self.names.continuation(of, out)?;
                    out.write_str(" (lambda")?;
                    self.list(self.cps.params(of), out)?;
                    self.body(of, &mut steps, out)?;
                }
                Step::Tail(of) => self.end(of, out)?,
            }
        }
        // Of `lambda` and the definition.
        out.write_str("))\n")
    }

    /// Writes the operations of a continuation; its group and its tail come next.
    fn body(&self, of: Continuation, steps: &mut Vec<Step>, out: &mut dyn Write) -> fmt::Result {
        if self.cps.bindings(of).len() > 0 {
            self.line(of, 0, out)?;
            out.write_str("(let* (")?;
            for (index, binding) in self.cps.bindings(of).enumerate() {
                if index > 0 {
                    self.line(of, 7, out)?;
                }
                self.binding(binding, out)?;
            }
            out.write_str(")")?;
        }
        steps.push(Step::Tail(of));
        let group = self.nesting.group(of).iter().enumerate().rev();
        steps.extend(group.map(|(index, &of)| Step::Define { of, is_first: index == 0 }));
        Ok(())
    }

    /// Writes the tail of a continuation, and ends what its body has begun; but for the function, the continuation, too.
    fn end(&self, of: Continuation, out: &mut dyn Write) -> fmt::Result {
        let has_group = !self.nesting.group(of).is_empty();
        if has_group {
            // Of the list of the group.
            out.write_str(")")?;
        }
        let has_bindings = self.cps.bindings(of).len() > 0;
        self.line(of, if has_group || has_bindings { 2 } else { 0 }, out)?;
        self.tail(self.cps.tail(of), out)?;
        let is_inside = of != Continuation::BODY;
        let ends = usize::from(has_group) + usize::from(has_bindings) + 2 * usize::from(is_inside);
        (0..ends).try_for_each(|_| out.write_str(")"))
    }

    /// Begins a line in a continuation, so many columns further than its body.
    fn line(&self, of: Continuation, further: isize, out: &mut dyn Write) -> fmt::Result {
        let columns = INDENT * (1 + self.nesting.level(of).min(MAX_LEVEL));
        let indent = columns.saturating_add_signed(further);
        write!(out, "\n{:indent$}", "")
    }

    /// `(y (i64:add x 1))`, for each result, or for none under a name that nothing uses.
    fn binding(&self, binding: Binding<'_, Basic>, out: &mut dyn Write) -> fmt::Result {
        match binding.action {
            Action::Copy => {
                for (index, (&result, &arg)) in binding.results.iter().zip(binding.args).enumerate() {
                    out.write_str(if index == 0 { "(" } else { " (" })?;
                    self.value(result, out)?;
                    out.write_str(" ")?;
                    self.value(arg, out)?;
                    out.write_str(")")?;
                }
                Ok(())
            }
            Action::Op(op) => {
                out.write_str("(")?;
                match binding.results {
                    [] => out.write_str("ssa:none")?,
                    results => results.iter().take(1).try_for_each(|&result| self.value(result, out))?,
                }
                let module = if matches!(op, Op::Unary(_) | Op::Binary(_)) { "i64" } else { "ssa" };
                write!(out, " ({module}:{}", op.name())?;
                self.items(binding.args, out)?;
                out.write_str("))")
            }
        }
    }

    fn tail(&self, tail: Tail<'_, Basic>, out: &mut dyn Write) -> fmt::Result {
        let Tail { op, kind, args, continuations } = tail;
        if let (TailKind::Jump, &[to]) = (kind, continuations) {
            out.write_str("(")?;
            self.names.continuation(to, out)?;
            self.items(args, out)?;
            return out.write_str(")");
        }
        match op {
            Some(Op::Branch) => {
                out.write_str("(ssa:branch")?;
                self.items(args, out)?;
                self.continuations(continuations, out)?;
                out.write_str(")")
            }
            Some(Op::Switch) => {
                out.write_str("(ssa:switch")?;
                self.items(args, out)?;
                out.write_str(" (list")?;
                self.continuations(continuations, out)?;
                out.write_str("))")
            }
            Some(Op::Return) => {
                out.write_str("(ret")?;
                self.items(args, out)?;
                out.write_str(")")
            }
            Some(Op::Call(call)) => self.call(call, args, continuations, out),
            _ => out.write_str("(ssa:trap \"reached `unreachable`\")"),
        }
    }

    fn call(&self, call: &Call, args: &[Value], continuations: &[Continuation], out: &mut dyn Write) -> fmt::Result {
        let has_effects = call.must + call.maybe + call.uses > 0;
        out.write_str(if has_effects { "(ssa:opaque " } else { "(ssa:call " })?;
        string(&call.callee, out)?;
        if has_effects {
            write!(out, " {} {}", call.maybe, call.uses)?;
        }
        out.write_str(" (list")?;
        self.items(args, out)?;
        let num_results = continuations.first().map_or(0, |&to| self.cps.params(to).len());
        write!(out, ") {num_results} (list")?;
        self.continuations(continuations, out)?;
        out.write_str("))")
    }

    fn list(&self, values: &[Value], out: &mut dyn Write) -> fmt::Result {
        out.write_str(" (")?;
        for (index, &value) in values.iter().enumerate() {
            out.write_str(if index == 0 { "" } else { " " })?;
            self.value(value, out)?;
        }
        out.write_str(")")
    }

    /// The values, with a space before each.
    fn items(&self, values: &[Value], out: &mut dyn Write) -> fmt::Result {
        for &value in values {
            out.write_str(" ")?;
            self.value(value, out)?;
        }
        Ok(())
    }

    fn continuations(&self, continuations: &[Continuation], out: &mut dyn Write) -> fmt::Result {
        for &of in continuations {
            out.write_str(" ")?;
            self.names.continuation(of, out)?;
        }
        Ok(())
    }

    fn value(&self, value: Value, out: &mut dyn Write) -> fmt::Result {
        match self.cps.meaning(value) {
            Meaning::Bound => self.names.value(value, out),
            Meaning::Constant(constant) => write!(out, "{constant}"),
            Meaning::Undefined => out.write_str("ssa:undef"),
        }
    }
}

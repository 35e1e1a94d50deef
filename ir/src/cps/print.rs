//! Prints continuations in the style of Fig. 8 of Braun et al. 2013.
//!
//! The last operation of a continuation is written inside the tail if only the
//! tail uses its result: `branch(x == 0, then, else)`.
//!
//! # Departures
//! The figure has neither operations in the body of a continuation nor
//! continuations in those of others. Here an operation is `let y := x + 1 in`,
//! or, without results, `print(y);`. A nested group is indented further, up to
//! a limit. Operations with immediates are written as their dialect does it.

use super::names::{Names, Spelling, constant, count_uses};
use super::{Binding, Continuation, Cps, Meaning, Nesting, Tail, TailKind};
use crate::dialect::{Control, Semantics};
use crate::function::{Action, Arg, Dest};
use crate::text::{InstPrinter, Spell, is_plain_name, quote_string};
use ssaphire_graph::{Block, Value};
use std::fmt::{self, Write};

/// The placement of continuations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Inside the body of the continuation that dominates them: everything they mention is in scope there.
    #[default]
    Nested,
    /// One after the other, as blocks with parameters.
    Flat,
}

/// Columns by which the body of the function is indented.
const INDENT: usize = 2;

/// The extra indentation of a group, and of the bodies in it, in columns.
const NAME_INDENT: usize = 4;

const BODY_INDENT: usize = 2;

/// The deepest nesting of groups that is indented.
const MAX_LEVEL: usize = 8;

/// The type of a continuation takes nothing and never returns.
const NEVER: &str = "⊥";

/// Writes the continuations of a function.
///
/// # Errors
/// If the writer fails.
///
/// # Complexity
/// O(length of the text), besides the dominator tree. Nothing is recursive.
pub fn print<D: Semantics>(cps: &Cps<D>, layout: Layout, out: &mut dyn Write) -> fmt::Result {
    let nesting = Nesting::new(cps);
    let num_uses = count_uses(cps);
    let is_named = |of, value| written_in_tail(cps, &num_uses, of).is_none_or(|binding| binding.results != [value]);
    let names = Names::new(cps, &nesting, SPELLING, is_named);
    let printer = Printer { cps, nesting: &nesting, names: &names, num_uses: &num_uses };
    printer.head(out)?;
    match layout {
        Layout::Nested => printer.nested(out)?,
        Layout::Flat => printer.flat(out)?,
    }
    out.write_str("}\n")
}

/// The continuations of a function, written.
pub fn to_string<D: Semantics>(cps: &Cps<D>, layout: Layout) -> String {
    let mut text = String::new();
    // Writing to a string never fails, and a failure of the dialect is no reason to stop a debugger.
    let _ = print(cps, layout, &mut text);
    text
}

/// Names that are not plain are quoted; reserved ones are numbered.
const SPELLING: Spelling = Spelling { spell, taken: &["ret", "let", "in", "undef"], calls_by_name: true };

fn spell(name: &str) -> String {
    if is_plain_name(name) {
        return name.to_owned();
    }
    let mut quoted = String::new();
    let _ = quote_string(name, '\'', &mut quoted);
    quoted
}

/// A pending step of the nested form.
enum Step {
    /// A continuation, which may be the first of its group.
    Define { of: Continuation, is_first: bool },
    /// The tail of a continuation, after the group defined in it.
    Tail(Continuation),
}

/// The last operation of a continuation, if only the tail uses its result.
fn written_in_tail<'c, D: Semantics>(cps: &'c Cps<D>, num_uses: &[u32], of: Continuation) -> Option<Binding<'c, D>> {
    let last = cps.bindings(of).next_back()?;
    let (&[result], Action::Op(op)) = (last.results, last.action) else { return None };
    let is_used_here = num_uses[result.index()] == 1 && cps.tail(of).args.contains(&result);
    (is_used_here && D::properties(op).computes).then_some(last)
}

struct Printer<'c, D: Semantics> {
    cps: &'c Cps<D>,
    nesting: &'c Nesting,
    names: &'c Names,
    num_uses: &'c [u32],
}

impl<D: Semantics> Printer<'_, D> {
    /// `f(x : int, ret : int → ⊥) → ⊥ {`.
    fn head(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&spell(self.cps.name()))?;
        out.write_str("(")?;
        for &param in self.cps.params(Continuation::BODY) {
            self.param(param, out)?;
            out.write_str(", ")?;
        }
        out.write_str("ret : ")?;
        self.returned(out)?;
        writeln!(out, " → {NEVER}) → {NEVER} {{")
    }

    /// The parameters of `ret`: the types of the first return, or `..` if another return has other types.
    fn returned(&self, out: &mut dyn Write) -> fmt::Result {
        let mut returns = self.cps.continuations().filter_map(|of| self.returns(of));
        let Some(first) = returns.next() else { return out.write_str("()") };
        let types = |args: &[Value]| args.iter().map(|&arg| self.cps.ty(arg).clone()).collect::<Vec<_>>();
        let expected = types(first);
        if !returns.all(|args| types(args) == expected) {
            return out.write_str("(..)");
        }
        if let [ty] = &expected[..] {
            return self.ty(ty, out);
        }
        out.write_str("(")?;
        for (index, ty) in expected.iter().enumerate() {
            out.write_str(if index == 0 { "" } else { ", " })?;
            self.ty(ty, out)?;
        }
        out.write_str(")")
    }

    /// The returned values, if the continuation ends with a return.
    fn returns(&self, of: Continuation) -> Option<&[Value]> {
        let tail = self.cps.tail(of);
        tail.op.filter(|op| D::control(op) == Control::Return).map(|_| tail.args)
    }

    fn nested(&self, out: &mut dyn Write) -> fmt::Result {
        let mut steps = vec![Step::Tail(Continuation::BODY)];
        self.bindings(Continuation::BODY, self.body_indent(Continuation::BODY), out)?;
        self.group(Continuation::BODY, &mut steps);
        while let Some(step) = steps.pop() {
            match step {
                Step::Define { of, is_first } => {
                    let indent = self.body_indent(of) - NAME_INDENT - BODY_INDENT;
                    write!(out, "{:indent$}{}", "", if is_first { "let " } else { "    " })?;
                    self.definition(of, out)?;
                    self.bindings(of, self.body_indent(of), out)?;
                    steps.push(Step::Tail(of));
                    self.group(of, &mut steps);
                }
                Step::Tail(of) => {
                    let indent = self.body_indent(of);
                    if !self.nesting.group(of).is_empty() {
                        writeln!(out, "{:indent$}in", "")?;
                    }
                    self.tail(of, indent, out)?;
                }
            }
        }
        Ok(())
    }

    /// Schedules the continuations that are defined in `of`.
    fn group(&self, of: Continuation, steps: &mut Vec<Step>) {
        let group = self.nesting.group(of).iter().enumerate().rev();
        steps.extend(group.map(|(index, &of)| Step::Define { of, is_first: index == 0 }));
    }

    fn body_indent(&self, of: Continuation) -> usize {
        INDENT + self.nesting.level(of).min(MAX_LEVEL) * (NAME_INDENT + BODY_INDENT)
    }

    fn flat(&self, out: &mut dyn Write) -> fmt::Result {
        for of in self.cps.continuations() {
            if of != Continuation::BODY {
                self.definition(of, out)?;
            }
            self.bindings(of, INDENT, out)?;
            self.tail(of, INDENT, out)?;
        }
        Ok(())
    }

    /// `next := (a : int) → ⊥`.
    fn definition(&self, of: Continuation, out: &mut dyn Write) -> fmt::Result {
        self.names.continuation(of, out)?;
        out.write_str(" := (")?;
        for (index, &param) in self.cps.params(of).iter().enumerate() {
            out.write_str(if index == 0 { "" } else { ", " })?;
            self.param(param, out)?;
        }
        writeln!(out, ") → {NEVER}")
    }

    fn param(&self, value: Value, out: &mut dyn Write) -> fmt::Result {
        self.names.value(value, out)?;
        out.write_str(" : ")?;
        self.ty(self.cps.ty(value), out)
    }

    fn ty(&self, ty: &D::Type, out: &mut dyn Write) -> fmt::Result {
        if *ty == D::Type::default() { out.write_str(D::DEFAULT_TYPE) } else { D::print_type(ty, out) }
    }

    /// The bindings of a continuation, one line each.
    fn bindings(&self, of: Continuation, indent: usize, out: &mut dyn Write) -> fmt::Result {
        let in_tail = usize::from(self.written_in_tail(of).is_some());
        let num_written = self.cps.bindings(of).len() - in_tail;
        for binding in self.cps.bindings(of).take(num_written) {
            write!(out, "{:indent$}", "")?;
            if binding.results.is_empty() {
                self.computed(binding, out)?;
                out.write_str(";\n")?;
                continue;
            }
            out.write_str("let ")?;
            for (index, &result) in binding.results.iter().enumerate() {
                out.write_str(if index == 0 { "" } else { ", " })?;
                self.names.value(result, out)?;
            }
            out.write_str(" := ")?;
            self.computed(binding, out)?;
            out.write_str(" in\n")?;
        }
        Ok(())
    }

    /// The right side of a binding.
    fn computed(&self, binding: Binding<'_, D>, out: &mut dyn Write) -> fmt::Result {
        let spelled = Spelled { printer: self, in_tail: None };
        match binding.action {
            Action::Copy => spelled.list(binding.args, out),
            Action::Op(op) => spelled.operation(op, binding.args, binding.results, &[], out),
        }
    }

    fn written_in_tail(&self, of: Continuation) -> Option<Binding<'_, D>> {
        written_in_tail(self.cps, self.num_uses, of)
    }

    fn tail(&self, of: Continuation, indent: usize, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{:indent$}", "")?;
        let Tail { op, kind, args, continuations } = self.cps.tail(of);
        let spelled = Spelled { printer: self, in_tail: self.written_in_tail(of) };
        match (op, kind) {
            (_, TailKind::Jump) => {
                continuations.iter().try_for_each(|&to| self.names.continuation(to, out))?;
                spelled.in_parentheses(args, out)?;
            }
            (Some(op), _) if D::control(op) == Control::Return => {
                out.write_str("ret")?;
                spelled.in_parentheses(args, out)?;
            }
            (Some(op), _) => {
                let results = continuations.first().map_or(&[][..], |&to| self.cps.params(to));
                spelled.operation(op, args, results, continuations, out)?;
            }
            (None, _) => out.write_str(NEVER)?,
        }
        out.write_str("\n")
    }
}

/// The spelling of operands, one of which may be an inlined operation.
struct Spelled<'p, 'c, D: Semantics> {
    printer: &'p Printer<'c, D>,
    in_tail: Option<Binding<'p, D>>,
}

impl<D: Semantics> Spelled<'_, '_, D> {
    fn operation(
        &self,
        op: &D::Op,
        args: &[Value],
        results: &[Value],
        continuations: &[Continuation],
        out: &mut dyn Write,
    ) -> fmt::Result {
        if let (Some(sign), &[left, right]) = (D::sign(op), args) {
            self.value(left, out)?;
            write!(out, " {sign} ")?;
            return self.value(right, out);
        }
        let args: Vec<Arg> = args.iter().copied().map(Arg::Value).collect();
        let results: Vec<Dest> = results.iter().copied().map(Dest::Value).collect();
        let targets: Vec<Block> = continuations.iter().map(|of| Block::new(of.index())).collect();
        D::print_inst(op, &mut InstPrinter::with_spelling(out, self, &args, &results, &targets))
    }

    fn in_parentheses(&self, args: &[Value], out: &mut dyn Write) -> fmt::Result {
        out.write_str("(")?;
        self.list(args, out)?;
        out.write_str(")")
    }

    fn list(&self, args: &[Value], out: &mut dyn Write) -> fmt::Result {
        for (index, &arg) in args.iter().enumerate() {
            out.write_str(if index == 0 { "" } else { ", " })?;
            self.value(arg, out)?;
        }
        Ok(())
    }

    fn value(&self, value: Value, out: &mut dyn Write) -> fmt::Result {
        let Printer { cps, names, .. } = self.printer;
        if let Some(constant) = constant(cps, value) {
            return D::print_constant(constant, out);
        }
        if cps.meaning(value) == Meaning::Undefined {
            return out.write_str("undef");
        }
        match self.in_tail {
            Some(binding) if binding.results == [value] => self.printer.computed(binding, out),
            _ => names.value(value, out),
        }
    }
}

impl<D: Semantics> Spell for Spelled<'_, '_, D> {
    fn writes_calls(&self) -> bool {
        true
    }

    fn arg(&self, arg: Arg, out: &mut dyn Write) -> fmt::Result {
        match arg {
            Arg::Value(value) => self.value(value, out),
            Arg::Variable(_) => Ok(()),
        }
    }

    fn dest(&self, dest: Dest, out: &mut dyn Write) -> fmt::Result {
        match dest {
            Dest::Value(value) => self.value(value, out),
            Dest::Variable(_) => Ok(()),
        }
    }

    fn target(&self, _: Block, _: usize, target: Block, out: &mut dyn Write) -> fmt::Result {
        self.printer.names.continuation(Continuation::new(target.index() as u32), out)
    }
}

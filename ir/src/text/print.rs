//! Printing.

use super::inst::InstPrinter;
use super::spell::{Speller, plain_or_quoted};
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, IncomingEdge, InstRef, PhiRef, Phis};
use ssaphire_graph::{Block, IdSet, Value, Variable};
use std::fmt::{self, Display, Write};

/// The spelling of phis. The parser reads every spelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhiStyle {
    /// `%i.1 = phi 0, %i.2`, operands in the order of the incoming edges.
    #[default]
    List,
    /// `block1(%i.1):`, and `jump block1(0)` at each edge.
    #[doc(alias = "block_params")]
    Params,
    /// `upsilon %i.1 = 0` before the terminator of each edge's source, `on slot 1` where it has several edges.
    Upsilon,
}

/// The spelling of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameStyle {
    /// `%x.3`, version 3 of `x`; `%7` where a value is a version of no variable.
    #[default]
    Source,
    /// `%7`, for value number 7. The parser reads it, but the names of variables are lost.
    Index,
    /// `v7`. The parser would read these as names of variables.
    SsaVal,
}

/// Options of printing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintOptions {
    /// The spelling of phis.
    pub phis: PhiStyle,
    /// The spelling of values.
    pub names: NameStyle,
}

/// Writes `function`.
///
/// # Errors
/// If the writer fails.
pub fn print<D: Syntax>(function: &Function<D>, options: PrintOptions, out: &mut dyn Write) -> fmt::Result {
    let printer = Printer::new(function, options);
    printer.head(out)?;
    for block in function.blocks() {
        printer.block(block, out)?;
    }
    out.write_str("}\n")
}

/// The text of `function`.
pub fn to_string<D: Syntax>(function: &Function<D>, options: PrintOptions) -> String {
    let mut text = String::new();
    // Writing to a string never fails, and a failure of the dialect is no reason to stop a debugger.
    let _ = print(function, options, &mut text);
    text
}

impl<D: Syntax> Display for Function<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self, PrintOptions::default(), f)
    }
}

/// Writes the parts of one function.
pub(crate) struct Printer<'f, D: Syntax> {
    function: &'f Function<D>,
    pub(crate) spell: Speller<'f, D>,
    options: PrintOptions,
}

impl<'f, D: Syntax> Printer<'f, D> {
    pub(crate) fn new(function: &'f Function<D>, options: PrintOptions) -> Self {
        Self { function, spell: Speller::new(function, options.names, options.phis), options }
    }

    fn head(&self, out: &mut dyn Write) -> fmt::Result {
        let declares = needs_declarations(&self.spell, self.options);
        out.write_str("func ")?;
        plain_or_quoted(&self.function.name, out)?;
        out.write_str("(")?;
        for index in 0..self.function.params.len() {
            out.write_str(if index == 0 { "" } else { ", " })?;
            self.param(index, declares, out)?;
        }
        out.write_str(") {\n")?;
        if self.function.entry != Block::new(0) {
            out.write_str("entry: ")?;
            self.spell.label(self.function.entry, out)?;
            out.write_str("\n")?;
        }
        if declares { self.declarations(out) } else { Ok(()) }
    }

    /// `x` binds a variable to the parameter `%x.0`, `%x.0` binds none, `x = %y.0` says it all.
    fn param(&self, index: usize, declares: bool, out: &mut dyn Write) -> fmt::Result {
        let param = self.function.params[index];
        let Some(data) = self.function.values.get(param.value) else { return self.spell.value(param.value, out) };
        let has_short_name = data.name == param.variable && self.spell.version(param.value) == 0;
        let has_short_name = has_short_name && self.options.names == NameStyle::Source;
        if let Some(variable) = param.variable {
            self.spell.variable(variable, out)?;
            out.write_str(if has_short_name { "" } else { " = " })?;
        }
        if param.variable.is_none() || !has_short_name {
            self.spell.value(param.value, out)?;
        }
        let declared = param.variable.filter(|_| declares);
        let declared = declared.and_then(|variable| self.function.variables.ty(variable));
        if *data.ty == declared.cloned().unwrap_or_default() {
            return Ok(());
        }
        if *data.ty == D::Type::default() {
            return out.write_str(": _");
        }
        self.spell.annotation(data.ty, out)
    }

    /// All variables in their order, one line for each run of variables of one type.
    fn declarations(&self, out: &mut dyn Write) -> fmt::Result {
        let mut last: Option<&D::Type> = None;
        for (variable, new) in self.function.variables.keys().zip(self.function.variables.types()) {
            match last {
                Some(ty) if *ty == *new => out.write_str(", ")?,
                Some(ty) => {
                    self.spell.annotation(ty, out)?;
                    out.write_str("\nvar ")?;
                }
                None => out.write_str("var ")?,
            }
            self.spell.variable(variable, out)?;
            last = Some(new);
        }
        if let Some(ty) = last {
            self.spell.annotation(ty, out)?;
            out.write_str("\n")?;
        }
        Ok(())
    }

    pub(crate) fn block(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        let data = self.function.block(block);
        self.spell.label(block, out)?;
        if self.options.phis == PhiStyle::Params {
            self.block_params(data.phis(), out)?;
        }
        out.write_str(":")?;
        self.incoming(block, out)?;
        out.write_str("\n")?;
        if self.options.phis != PhiStyle::Params {
            data.phis().iter().try_for_each(|phi| self.phi(phi, out))?;
        }
        let body = data.insts().len() - usize::from(!data.targets().is_empty());
        for (index, inst) in data.insts().iter().enumerate() {
            if index == body && self.options.phis == PhiStyle::Upsilon {
                self.upsilons(block, out)?;
            }
            out.write_str("  ")?;
            print_inst(&self.spell, block, inst, out)?;
            out.write_str("\n")?;
        }
        Ok(())
    }

    fn block_params(&self, phis: Phis<'_>, out: &mut dyn Write) -> fmt::Result {
        for (index, phi) in phis.iter().enumerate() {
            out.write_str(if index == 0 { "(" } else { ", " })?;
            self.defined(phi.value, out)?;
        }
        out.write_str(if phis.is_empty() { "" } else { ")" })
    }

    /// A value where it is defined: with its type.
    fn defined(&self, value: Value, out: &mut dyn Write) -> fmt::Result {
        self.spell.dest(Dest::Value(value), out)?;
        let ty = self.function.values.get(value).map(|data| data.ty);
        ty.map_or(Ok(()), |ty| self.spell.annotation(ty, out))
    }

    /// The incoming edges, where the text has to say what their order is.
    fn incoming(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        let data = self.function.block(block);
        let incoming = data.incoming();
        let lists_operands = self.options.phis == PhiStyle::List && !data.phis().is_empty();
        if incoming.is_empty() || (!lists_operands && incoming.is_sorted()) {
            return Ok(());
        }
        let mut sorted = incoming.to_vec();
        sorted.sort_unstable();
        for (index, edge) in incoming.iter().enumerate() {
            out.write_str(if index == 0 { " <- " } else { ", " })?;
            self.spell.label(edge.source, out)?;
            if is_repeated(&sorted, edge) {
                write!(out, ".{}", edge.slot)?;
            }
        }
        Ok(())
    }

    /// A phi as a line of the text, indented.
    pub(crate) fn phi(&self, phi: PhiRef<'_>, out: &mut dyn Write) -> fmt::Result {
        out.write_str("  ")?;
        self.defined(phi.value, out)?;
        out.write_str(" = phi")?;
        if phi.operands.is_empty() || self.options.phis == PhiStyle::Upsilon {
            return out.write_str("()\n");
        }
        for (index, &operand) in phi.operands.iter().enumerate() {
            out.write_str(if index == 0 { " " } else { ", " })?;
            self.spell.value(operand, out)?;
        }
        out.write_str("\n")
    }

    fn upsilons(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        let targets = self.function.block(block).targets();
        for (slot, &target) in targets.iter().enumerate() {
            for (phi, operand) in self.spell.passed(block, slot, target) {
                out.write_str("  upsilon ")?;
                self.spell.value(phi.value, out)?;
                out.write_str(" = ")?;
                self.spell.value(operand, out)?;
                if targets.len() > 1 {
                    write!(out, " on slot {slot}")?;
                }
                out.write_str("\n")?;
            }
        }
        Ok(())
    }
}

/// Whether another edge of the same source is among the `sorted` ones.
fn is_repeated(sorted: &[IncomingEdge], edge: &IncomingEdge) -> bool {
    let first = sorted.partition_point(|other| other.source < edge.source);
    sorted[first..].get(1).is_some_and(|second| second.source == edge.source)
}

/// Writes an instruction on one line, without indentation.
pub(crate) fn print_inst<D: Syntax>(
    spell: &Speller<'_, D>,
    block: Block,
    inst: InstRef<'_, D>,
    out: &mut dyn Write,
) -> fmt::Result {
    for (index, &dest) in inst.results.iter().enumerate() {
        out.write_str(if index == 0 { "" } else { ", " })?;
        spell.dest(dest, out)?;
        if let Dest::Value(value) = dest {
            let ty = spell.function.values.get(value).map(|data| data.ty);
            let follows = match inst.action {
                Action::Op(op) => D::result_type(op, index),
                Action::Copy => None,
            };
            ty.filter(|&ty| follows.as_ref() != Some(ty)).map_or(Ok(()), |ty| spell.annotation(ty, out))?;
        }
    }
    out.write_str(if inst.results.is_empty() { "" } else { " = " })?;
    let InstRef { args, results, targets, .. } = inst;
    let mut printer = InstPrinter { out, spell, block, args, results, targets };
    match inst.action {
        Action::Op(op) => D::print_inst(op, &mut printer),
        Action::Copy => printer.args(0..inst.args.len()),
    }
}

/// Whether the text would give the variables other numbers or types than they have.
///
/// Without declarations a variable gets the next number where it is first
/// mentioned, its type from the parameter it is bound to, and has to be
/// written somewhere.
fn needs_declarations<D: Syntax>(spell: &Speller<'_, D>, PrintOptions { names, phis }: PrintOptions) -> bool {
    let function = spell.function;
    if names != NameStyle::Source && !function.has_accesses() && function.params.iter().all(|p| p.variable.is_none()) {
        return false;
    }
    let mut mentions = Mentions { function, names, next: 0, in_order: true, known: IdSet::new(), read: IdSet::new() };
    let mut types: Vec<D::Type> = vec![D::Type::default(); function.num_variables()];
    for param in &function.params {
        mentions.param(param.variable, param.value);
        let ty = function.values.get(param.value).map(|data| data.ty);
        let bound = param.variable.and_then(|variable| types.get_mut(variable.index()));
        if let Some((bound, ty)) = bound.zip(ty) {
            bound.clone_from(ty);
        }
    }
    function.blocks().for_each(|block| mentions.block(block, spell, phis));
    let all_known = mentions.read.iter().all(|variable| mentions.known.contains(variable));
    let all_mentioned = mentions.in_order && mentions.next == function.num_variables();
    let same_types = function.variables.types().eq(types.iter());
    !(all_mentioned && all_known && same_types)
}

/// In which order a text mentions variables.
struct Mentions<'f, D: Syntax> {
    function: &'f Function<D>,
    names: NameStyle,
    next: usize,
    in_order: bool,
    known: IdSet<Variable>,
    read: IdSet<Variable>,
}

impl<D: Syntax> Mentions<'_, D> {
    fn variable(&mut self, variable: Variable) {
        self.in_order &= variable.index() <= self.next;
        self.next += usize::from(variable.index() == self.next);
    }

    fn value(&mut self, value: Value) {
        let Some(data) = self.function.values.get(value) else { return };
        if let Some(name) = data.name.filter(|_| self.names == NameStyle::Source) {
            self.variable(name);
        }
    }

    fn param(&mut self, variable: Option<Variable>, value: Value) {
        if let Some(variable) = variable {
            self.variable(variable);
            self.known.insert(variable);
        }
        self.value(value);
    }

    /// In the order in which [`Printer::block`] writes them.
    fn block(&mut self, block: Block, spell: &Speller<'_, D>, phis: PhiStyle) {
        let data = self.function.block(block);
        for phi in data.phis().iter() {
            self.value(phi.value);
            let operands = if phis == PhiStyle::List { phi.operands } else { &[] };
            operands.iter().for_each(|&operand| self.value(operand));
        }
        for inst in data.insts().iter() {
            let passed = (0..).zip(inst.targets).flat_map(|(slot, &target)| spell.passed(block, slot, target));
            match phis {
                PhiStyle::List => self.inst(inst),
                PhiStyle::Params => {
                    self.inst(inst);
                    passed.for_each(|(_, operand)| self.value(operand));
                }
                PhiStyle::Upsilon => {
                    passed.flat_map(|(phi, operand)| [phi.value, operand]).for_each(|value| self.value(value));
                    self.inst(inst);
                }
            }
        }
    }

    fn inst(&mut self, inst: InstRef<'_, D>) {
        for &dest in inst.results {
            match dest {
                Dest::Value(value) => self.value(value),
                Dest::Variable(variable) => {
                    self.variable(variable);
                    self.known.insert(variable);
                }
            }
        }
        for &arg in inst.args {
            match arg {
                Arg::Value(value) => self.value(value),
                Arg::Variable(variable) => {
                    self.variable(variable);
                    self.read.insert(variable);
                }
            }
        }
    }
}

//! Writes a function as LLVM has it.

mod names;

use crate::dialect::{Kind, Op, RESULT};
use crate::function::{Label, LlvmFunction};
use crate::template::{Piece, pieces};
pub(crate) use names::Names;
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, InstRef, PhiRef};
use std::fmt;

/// The text of the function, from `define` to the closing brace.
impl fmt::Display for LlvmFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        Writer { function: self, names: Names::of(self) }.write(&mut text);
        f.write_str(&text)
    }
}

impl LlvmFunction {
    /// The numbers of blocks in the source and in the text of the function, where they differ.
    pub fn renumbered_blocks(&self) -> Vec<(u32, u32)> {
        let names = Names::of(self);
        let numbers = self.body.blocks().zip(&self.frame.labels).filter_map(|(block, label)| match label {
            Label::Number(old) => Some((*old, names.number_of(block)?)),
            Label::Name(_) => None,
        });
        numbers.filter(|(old, new)| old != new).collect()
    }
}

/// The names that a function is written with.
pub(crate) fn names_of(function: &LlvmFunction) -> Names<'_> {
    Names::of(function)
}

/// An instruction of a function, in one line.
pub(crate) fn inst_of(function: &LlvmFunction, block: Block, place: usize) -> String {
    let writer = Writer { function, names: Names::of(function) };
    let mut text = String::new();
    if let Some(inst) = function.body.block(block).insts().get(place) {
        writer.inst(block, &inst, &mut text);
    }
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

struct Writer<'f> {
    function: &'f LlvmFunction,
    names: Names<'f>,
}

impl Writer<'_> {
    fn write(&self, out: &mut String) {
        let body = &self.function.body;
        let params = body.params().iter().zip(&self.function.frame.has_hole);
        let mut named = params.filter(|(_, has_hole)| **has_hole).map(|(param, _)| param.value);
        for piece in pieces(&self.function.frame.header) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Arg | Piece::Target => {
                    if let Some(value) = named.next() {
                        self.value(value, out);
                    }
                }
            }
        }
        out.push('\n');
        for block in body.blocks() {
            self.block(block, out);
        }
        out.push('}');
    }

    fn block(&self, block: Block, out: &mut String) {
        let body = &self.function.body;
        let is_first = block == body.entry();
        if !is_first {
            out.push('\n');
        }
        if !is_first || self.names.is_named(block) {
            self.names.block(block, out);
            out.push_str(":\n");
        }
        let data = body.block(block);
        data.phis().iter().for_each(|phi| self.phi(block, phi, out));
        let insts = data.insts();
        let starts_with_pad = insts.get(0).is_some_and(|inst| kind_of(&inst) == Some(Kind::Pad));
        if !starts_with_pad {
            self.records(block, out);
        }
        for (place, inst) in insts.iter().enumerate() {
            self.inst(block, &inst, out);
            if place == 0 && starts_with_pad {
                self.records(block, out);
            }
        }
    }

    fn phi(&self, block: Block, phi: PhiRef<'_>, out: &mut String) {
        let body = &self.function.body;
        out.push_str("  ");
        self.value(phi.value, out);
        out.push_str(" = phi ");
        let info = phi.variable.and_then(|variable| Some((variable, self.function.frame.info(variable)?)));
        if let Some((variable, info)) = info {
            // A phi of a promoted slot has none of its own.
            out.push_str(&info.flags);
            out.push_str(body.variable_type(variable).text());
        }
        for (place, (edge, &operand)) in body.block(block).incoming().iter().zip(phi.operands).enumerate() {
            out.push_str(if place == 0 { " [ " } else { ", [ " });
            self.value(operand, out);
            out.push_str(", %");
            self.names.block(edge.source, out);
            out.push_str(" ]");
        }
        out.push_str(info.map_or("", |(_, info)| &info.metadata));
        out.push('\n');
    }

    /// The records of new phis.
    fn records(&self, block: Block, out: &mut String) {
        let data = self.function.body.block(block);
        let is_place = data.insts().get(0).is_none_or(|inst| !is_catch_switch(&inst));
        for phi in data.phis().iter().filter(|_| is_place) {
            let Some(info) = phi.variable.and_then(|variable| self.function.frame.info(variable)) else { continue };
            if info.is_slot {
                for record in info.records.iter().filter(|record| record.has_hole) {
                    self.text(&record.text, &[Arg::Value(phi.value)], &[], out);
                }
            }
        }
    }

    fn inst(&self, block: Block, inst: &InstRef<'_, crate::dialect::Llvm>, out: &mut String) {
        let Action::Op(op) = inst.action else { return };
        if op.kind() == Kind::Edges {
            return;
        }
        // The edges of an instruction with a result belong to the one after it.
        let is_result = op.kind() == Kind::Call && op.name() == RESULT;
        let targets = if is_result { self.function.body.block(block).targets() } else { inst.targets };
        match inst.results {
            [ssaphire_ir::Dest::Value(value)] => {
                out.push_str("  ");
                self.value(*value, out);
                out.push_str(" = ");
                let text = if is_result { op.rest() } else { op.text() };
                self.pieces(text, inst.args, targets, out);
                out.push('\n');
            }
            _ => self.text(op.text(), inst.args, targets, out),
        }
    }

    fn text(&self, text: &str, args: &[Arg], targets: &[Block], out: &mut String) {
        out.push_str(if text.starts_with('#') { "    " } else { "  " });
        self.pieces(text, args, targets, out);
        out.push('\n');
    }

    fn pieces(&self, text: &str, args: &[Arg], targets: &[Block], out: &mut String) {
        let (mut args, mut targets) = (args.iter(), targets.iter());
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Arg => {
                    if let Some(&Arg::Value(value)) = args.next() {
                        self.value(value, out);
                    }
                }
                Piece::Target => {
                    if let Some(&target) = targets.next() {
                        out.push('%');
                        self.names.block(target, out);
                    }
                }
            }
        }
    }

    fn value(&self, value: Value, out: &mut String) {
        self.names.operand(self.function, value, out);
    }
}

fn kind_of(inst: &InstRef<'_, crate::dialect::Llvm>) -> Option<Kind> {
    match inst.action {
        Action::Op(op) => Some(op.kind()),
        Action::Copy => None,
    }
}

/// Nothing but phis may precede it.
fn is_catch_switch(inst: &InstRef<'_, crate::dialect::Llvm>) -> bool {
    let of = |op: &Op| op.text().starts_with("catchswitch") || op.rest().starts_with("catchswitch");
    matches!(inst.action, Action::Op(op) if of(op))
}

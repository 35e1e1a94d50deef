//! What is wrong with a function, in the names of the sources.

use super::verdict::NotPromotion;
use super::witness::{Witness, find, path_to_other_than_constant, way};
use crate::dialect::{Kind, Llvm};
use crate::function::LlvmFunction;
use crate::module::FunctionText;
use crate::read::{At, offset_of};
use crate::write::{Names, inst_of, names_of};
use ssaphire::{Block, Value};
use ssaphire_ir::judge::Unproved;
use ssaphire_ir::{Action, Dest, InstRef};

/// So many characters of an instruction are shown.
const WIDTH: usize = 60;

/// So many predecessors are shown.
const SHOWN: usize = 6;

/// Why a function is not accepted, and where.
#[derive(Debug)]
pub(super) struct Explanation {
    pub(super) reason: NotPromotion,
    pub(super) before: At,
    pub(super) after: At,
    pub(super) path: Vec<String>,
}

impl From<NotPromotion> for Explanation {
    fn from(reason: NotPromotion) -> Self {
        Self { reason, before: At::Function, after: At::Function, path: Vec::new() }
    }
}

impl Explanation {
    /// One about a block of the function after, with a path to it.
    pub(super) fn at_block(after: &LlvmFunction, block: Block, reason: NotPromotion) -> Self {
        let path = way(&after.body, None, block).unwrap_or_default();
        Self { reason, before: At::Block(block), after: At::Block(block), path: labels(after, &path) }
    }

    /// The place in the module before, in which the function is `text`.
    pub(super) fn offset_before(&self, text: &FunctionText<'_>) -> usize {
        match &self.reason {
            NotPromotion::Before(error) => error.offset,
            _ => offset_of(text, &self.before),
        }
    }

    /// The place in the module after, in which the function is `text`.
    pub(super) fn offset_after(&self, text: &FunctionText<'_>) -> usize {
        match &self.reason {
            NotPromotion::After(error) => error.offset,
            _ => offset_of(text, &self.after),
        }
    }
}

/// What differs in a function promoted here and one after promotion without its records; `all_after` has them.
pub(super) fn explain(
    unproved: Unproved,
    before: &LlvmFunction,
    after: &LlvmFunction,
    all_after: &LlvmFunction,
) -> Explanation {
    let names = names_of(after);
    let in_block = |block: Block, text: String| Explanation::at_block(after, block, NotPromotion::Differs(text));
    let witness = match unproved {
        Unproved::Blocks => return NotPromotion::Differs("not a promotion: other blocks".to_owned()).into(),
        Unproved::Edges { block } => {
            let forms = [&before.body, &after.body];
            let ends = forms.map(|form| form.block(block).insts().len().saturating_sub(1));
            let mut explanation = in_block(block, edges(block, before, after));
            if let Some(path) = path_to_other_than_constant(forms, block, ends) {
                explanation.path = labels(after, &path);
            }
            return Explanation { before: At::End(block), after: At::End(block), ..explanation };
        }
        _ => find(&before.body, &after.body),
    };
    if let Some(witness) = witness {
        return of_witness(&witness, before, after, all_after);
    }
    match unproved {
        Unproved::Operations { block } => {
            let label = names.label(block);
            in_block(block, format!("not a promotion: block `{label}` has other instructions with an effect"))
        }
        Unproved::Values { before: value, after: other } => {
            let (was, is) = (Described::of(before, value), Described::of(after, other));
            let text = format!("{} has become {}, which is not known to be equal", was.text, is.text);
            Explanation { before: was.at, after: is.at, ..NotPromotion::Differs(text).into() }
        }
        other => NotPromotion::Differs(other.to_string()).into(),
    }
}

fn labels(function: &LlvmFunction, blocks: &[Block]) -> Vec<String> {
    let names = names_of(function);
    blocks.iter().map(|&block| names.label(block)).collect()
}

/// How the end of a block, or its predecessors, differ.
fn edges(block: Block, before: &LlvmFunction, after: &LlvmFunction) -> String {
    let names = names_of(after);
    let label = names.label(block);
    let end = |function: &LlvmFunction| {
        let last = function.body.block(block).insts().len().saturating_sub(1);
        // A terminator with a result comes before its edges.
        [last, last.saturating_sub(1)]
            .map(|place| inst_of(function, block, place))
            .into_iter()
            .find(|text| !text.is_empty())
    };
    let [was, is] = [end(before), end(after)].map(Option::unwrap_or_default);
    if was != is {
        return format!(
            "not a promotion: block `{label}` ends with `{}` instead of `{}`",
            shortened(is),
            shortened(was)
        );
    }
    let predecessors = |function: &LlvmFunction| {
        let names = names_of(function);
        let incoming = function.body.block(block).incoming().iter();
        let labels: Vec<String> = incoming.take(SHOWN).map(|edge| format!("`{}`", names.label(edge.source))).collect();
        if labels.is_empty() { "none".to_owned() } else { labels.join(", ") }
    };
    let (was, is) = (predecessors(before), predecessors(after));
    format!("not a promotion: the predecessors of block `{label}` are {is} instead of {was}")
}

fn of_witness(witness: &Witness, before: &LlvmFunction, after: &LlvmFunction, all_after: &LlvmFunction) -> Explanation {
    let Witness { block, insts, values, ref path } = *witness;
    let names = names_of(after);
    let label = names.label(block);
    let shown =
        |function: &LlvmFunction, place: Option<usize>| place.map(|place| shortened(inst_of(function, block, place)));
    let (inst, inst_after) = (shown(before, insts[0]), shown(after, insts[1]));
    let place_before = insts[0].map_or(At::Block(block), |place| place_of(before, block, place));
    let (text, at) = match (values, inst, inst_after) {
        (Some([was, is]), _, Some(inst)) => {
            let (was, is) = (Described::of(before, was), Described::of(after, is));
            let text = match is.text == was.text {
                false => {
                    format!(
                        "not a promotion: `{inst}` in block `{label}` depends on {} instead of {}",
                        is.text, was.text
                    )
                }
                true => format!(
                    "not a promotion: `{inst}` in block `{label}` depends on {}, which is not known to be what it was",
                    is.text
                ),
            };
            (text, was.at)
        }
        (_, Some(inst), Some(inst_after)) if inst == inst_after => {
            let text =
                format!("not a promotion: `{inst}` in block `{label}` has other operands or targets than it had");
            (text, place_before)
        }
        (_, Some(inst), Some(inst_after)) => {
            (format!("not a promotion: `{inst}` in block `{label}` has become `{inst_after}`"), place_before)
        }
        (_, Some(inst), None) => (format!("not a promotion: block `{label}` has lost `{inst}`"), place_before),
        (.., Some(inst)) => (format!("not a promotion: `{inst}` in block `{label}` was not there"), At::Block(block)),
        (.., None) => (format!("not a promotion: block `{label}` differs"), At::Block(block)),
    };
    Explanation {
        reason: NotPromotion::Differs(text),
        before: if matches!(at, At::Function) { At::Block(block) } else { at },
        after: insts[1].map_or(At::Block(block), |place| At::Inst(block, place_with_records(all_after, block, place))),
        path: labels(after, path),
    }
}

/// Where an instruction of a function promoted here stands in its source: by its result, or at the end of its block.
fn place_of(before: &LlvmFunction, block: Block, place: usize) -> At {
    let insts = before.body.block(block).insts();
    match insts.get(place).map(|inst| inst.results) {
        _ if place + 1 == insts.len() => At::End(block),
        Some(&[Dest::Value(value)]) => At::Result(names_of(before).spelled(before, value)),
        _ => At::Block(block),
    }
}

/// The place of an instruction among all of its block, records for debuggers too.
fn place_with_records(function: &LlvmFunction, block: Block, place: usize) -> usize {
    let is_record = |inst: &InstRef<'_, Llvm>| matches!(inst.action, Action::Op(op) if matches!(op.kind(), Kind::Debug | Kind::Declare));
    let mut insts = function.body.block(block).insts().iter().enumerate().filter(|(_, inst)| !is_record(inst));
    insts.nth(place).map_or(place, |(place, _)| place)
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text,
    }
}

/// A value, as it is called in a message.
struct Described {
    text: String,
    /// Where it is defined; the function if that has no place of its own.
    at: At,
}

impl Described {
    fn of(function: &LlvmFunction, value: Value) -> Self {
        let names: Names<'_> = names_of(function);
        let name = names.spelled(function, value);
        for block in function.body.blocks() {
            let data = function.body.block(block);
            let defines = |dest: &Dest| matches!(*dest, Dest::Value(defined) if defined == value);
            let (kind, at) = if let Some(phi) = data.phis().iter().find(|phi| phi.value == value) {
                let is_of_slot =
                    phi.variable.and_then(|variable| function.frame.info(variable)).is_some_and(|info| info.is_slot);
                ("the phi", if is_of_slot { At::Block(block) } else { At::Result(name.clone()) })
            } else if data.insts().iter().any(|inst| inst.results.iter().any(defines)) {
                ("the result", At::Result(name.clone()))
            } else {
                continue;
            };
            return Self { text: format!("{kind} `{name}` in block `{}`", names.label(block)), at };
        }
        Self { text: format!("`{name}`"), at: At::Function }
    }
}

//! Spells out what two functions may spell differently, so that instructions can be compared as texts.

use super::metadata::Metadata;
use crate::dialect::{Constant, Kind, Llvm, Op};
use crate::function::LlvmFunction;
use crate::template;
use ssaphire::graph::IdSet;
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Inst, InstRef, ValueKind};

/// Writes constants that promotion has made operands into the texts of instructions, where a reader finds them.
pub(super) fn inline_constants(function: &mut LlvmFunction) {
    let body = &mut function.body;
    let blocks: Vec<Block> = body.blocks().collect();
    for block in blocks {
        let inlined = |inst: InstRef<'_, Llvm>| {
            let Action::Op(op) = inst.action else { return inst.to_inst() };
            let constant = |arg: &Arg| match *arg {
                Arg::Value(value) => match body.value(value).kind {
                    ValueKind::Constant(constant) => Some(constant.text()),
                    ValueKind::Undefined => Some("undef"),
                    _ => None,
                },
                Arg::Variable(_) => None,
            };
            // What is stored is an operand in any case; where it is stored is one only if it is a value.
            let first = usize::from(matches!(op.kind(), Kind::Store(_)));
            let constants =
                || inst.args.iter().enumerate().map(|(index, arg)| constant(arg).filter(|_| index >= first));
            if constants().all(|constant| constant.is_none()) {
                return inst.to_inst();
            }
            let text = template::with_constants(op.text(), constants());
            let args = inst.args.iter().zip(constants()).filter(|(_, constant)| constant.is_none());
            let args = args.map(|(arg, _)| *arg).collect();
            Inst { action: Action::Op(Op::new(&text)), args, ..inst.to_inst() }
        };
        let insts = body.block(block).insts().iter().map(inlined).collect();
        body.set_insts(block, insts);
    }
}

/// Removes what is not compared.
pub(super) fn remove_records(function: &mut LlvmFunction) {
    let body = &mut function.body;
    let blocks: Vec<Block> = body.blocks().collect();
    for block in blocks {
        body.retain_insts(
            block,
            |inst| !matches!(inst.action, Action::Op(op) if matches!(op.kind(), Kind::Debug | Kind::Declare)),
        );
    }
}

/// Makes constants of undefined values: an undefined value may not become one that may be poison, and only LLVM's own clean-up
/// replaces one with anything else.
pub(super) fn spell_undefined(function: &mut LlvmFunction) {
    let body = &mut function.body;
    let is_undefined = |&value: &Value| matches!(body.value(value).kind, ValueKind::Undefined);
    let undefined: IdSet<Value> = body.values().filter(is_undefined).collect();
    let constant = body.constant(Constant::new("undef"));
    body.map_uses(|value| if undefined.contains(value) { constant } else { value });
}

/// A text with single blanks, if it has others and no strings: LLVM breaks lines where people need not.
fn in_one_line(text: &str) -> Option<String> {
    let is_spread = text.contains("  ") || text.contains(['\n', '\r', '\t']);
    (is_spread && !text.contains('"')).then(|| text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
}

/// Spells metadata by what it says.
pub(super) fn normalize(function: &mut LlvmFunction, metadata: &Metadata<'_>) {
    let body = &mut function.body;
    let blocks: Vec<Block> = body.blocks().collect();
    for block in blocks {
        let spelled = |inst: InstRef<'_, Llvm>| {
            let text = match inst.action {
                Action::Op(op) => {
                    let spelled = metadata.spelled(op.text());
                    in_one_line(spelled.as_deref().unwrap_or(op.text())).or(spelled)
                }
                Action::Copy => None,
            };
            let inst = inst.to_inst();
            match text {
                Some(text) => Inst { action: Action::Op(Op::new(&text)), ..inst },
                None => inst,
            }
        };
        let insts = body.block(block).insts().iter().map(spelled).collect();
        body.set_insts(block, insts);
    }
}

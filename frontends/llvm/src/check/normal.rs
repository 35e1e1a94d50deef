//! Spells out what two functions may spell differently, so that instructions can be compared as texts.

use super::metadata::Metadata;
use crate::dialect::{Constant, FLAGS, Kind, Llvm, Op, Type};
use crate::function::LlvmFunction;
use crate::template;
use ssaphire::graph::IdSet;
use ssaphire::{Block, Value};
use ssaphire_ir::judge::prove_translation;
use ssaphire_ir::passes::remove_redundant_phis;
use ssaphire_ir::{Action, Arg, Inst, InstRef, List, ValueKind};

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

/// A function without its redundant phis, if it has some, and computes the same without them.
pub(super) fn without_redundant_phis(function: &LlvmFunction) -> Option<LlvmFunction> {
    let mut fewer = function.clone();
    if remove_redundant_phis(&mut fewer.body).ok()? == 0 {
        return None;
    }
    spell_undefined(&mut fewer);
    prove_translation(&function.body, &fewer.body).ok()?;
    inline_constants(&mut fewer);
    Some(fewer)
}

/// Makes operations of the flags of phis: a phi with flags may be poison where the value that it merges is not.
pub(super) fn spell_flags(function: &mut LlvmFunction) {
    let (mut insts, mut spelled) = (Vec::new(), Vec::new());
    let blocks: Vec<Block> = function.body.blocks().collect();
    for &block in &blocks {
        let phis = function.body.block(block).phis().iter().map(|phi| (phi.value, function.flags_of(phi)));
        let flagged: Vec<_> = phis
            .filter(|(_, flags)| !flags.is_empty())
            .map(|(phi, flags)| (phi, Op::new(&format!("{FLAGS} {flags}{{}}"))))
            .collect();
        for (phi, op) in flagged {
            let result = function.body.new_value(None, Type::default());
            let args = std::iter::once(Arg::Value(phi)).collect();
            let inst = Inst { action: Action::Op(op), args, results: List::new(), targets: List::new() };
            insts.push((block, inst.with_results([result])));
            spelled.push((phi, result));
        }
    }
    if spelled.is_empty() {
        return;
    }
    spelled.sort_unstable();
    let of = |value: Value| spelled.binary_search_by_key(&value, |&(phi, _)| phi).ok().map(|at| spelled[at].1);
    let body = &mut function.body;
    body.map_uses(|value| of(value).unwrap_or(value));
    // The instructions of a block come one after the other.
    for of_block in insts.chunk_by(|(one, _), (other, _)| one == other) {
        let block = of_block[0].0;
        let rest = body.block(block).insts().iter().map(|inst| inst.to_inst());
        let all = of_block.iter().map(|(_, inst)| inst.clone()).chain(rest).collect();
        body.set_insts(block, all);
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

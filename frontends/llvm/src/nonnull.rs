//! Whether a value is a pointer that is certainly not null.
//!
//! | LLVM's `isKnownNonZero` | here |
//! |---|---|
//! | globals, slots, `nonnull` and `dereferenceable` parameters and results, `!nonnull` loads | the same |
//! | `getelementptr inbounds` with a base that is not null, or an index that is not 0 | the same, for indices that are numbers |
//! | phis of such values | the same |
//! | an access through the pointer, or a branch on its comparison with null, in a dominating place | the same |
//! | an assumption that stands before, in the same block | the same, for those that promotion makes |
//! | a `nonnull` argument of a call before (LLVM 22) | not known |

use crate::dialect::{Kind, Llvm, Op};
use crate::poison::{Maker, Values};
use crate::scan::until_comma;
use foldhash::fast::RandomState;
use ssaphire::graph::DominatorTree;
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Function, InstRef, ValueKind};
use std::collections::HashMap;

/// So many operations are looked back.
const DEPTH: u32 = 6;

pub(crate) fn is_never_null(values: &Values<'_>, value: Value) -> bool {
    is_never(values, value, DEPTH)
}

fn is_never(values: &Values<'_>, value: Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match (values.body.value(value).kind, values.maker(value)) {
        (ValueKind::Constant(constant), _) => is_address(constant.text()),
        (ValueKind::Param(number), _) => values.frame.params.get(number as usize).is_some_and(|param| param.is_nonnull),
        (_, Maker::Phi(operands)) => operands.iter().all(|&operand| is_never(values, operand, depth)),
        (_, Maker::Inst(op, args)) => is_result_never(values, op, args, depth),
        _ => false,
    }
}

fn is_result_never(values: &Values<'_>, op: &Op, args: &[Arg], depth: u32) -> bool {
    let text = op.text();
    match op.kind() {
        Kind::Alloca(_) => !text.contains("addrspace"),
        Kind::Load(_) => text.contains("!nonnull"),
        Kind::Call => {
            let head = text.split('@').next().unwrap_or("");
            head.split_ascii_whitespace().any(|word| word == "nonnull" || word.starts_with("dereferenceable("))
        }
        Kind::Address => {
            let base =
                args.first().is_some_and(|arg| matches!(*arg, Arg::Value(base) if is_never(values, base, depth)));
            match op.name() {
                "getelementptr" => text.contains(" inbounds ") && (base || has_other_index(text)),
                name => name == "bitcast" && base,
            }
        }
        _ => false,
    }
}

/// What execution has passed on the way to a place, in the order of a walk over the dominator tree.
#[derive(Default)]
pub(crate) struct Passed {
    /// By pointer, the blocks in which execution does not go on if it is null; the last one is the innermost.
    blocks: HashMap<Value, Vec<Block>, RandomState>,
    /// By pointer, the last block with an assumption.
    assumed: HashMap<Value, Block, RandomState>,
}

impl Passed {
    /// Notes what a branch to this block alone has compared.
    pub(crate) fn enter(&mut self, body: &Function<Llvm>, values: &Values<'_>, block: Block) {
        let [edge] = body.block(block).incoming() else { return };
        let Some(branch) = body.block(edge.source).terminator() else { return };
        let (Action::Op(op), &[Arg::Value(condition)], [then, otherwise]) =
            (branch.action, branch.args, branch.targets)
        else {
            return;
        };
        if let Maker::Inst(comparison, &[Arg::Value(pointer)]) = values.maker(condition)
            && op.kind() == Kind::Branch
            && comparison.text().ends_with(" {}, null")
            && then != otherwise
        {
            let taken = if *then == block { "icmp ne " } else { "icmp eq " };
            if comparison.text().starts_with(taken) {
                self.blocks.entry(pointer).or_default().push(block);
            }
        }
    }

    /// Notes an access.
    pub(crate) fn pass(&mut self, inst: &InstRef<'_, Llvm>, block: Block) {
        let Action::Op(op) = inst.action else { return };
        let address = match op.kind() {
            Kind::Load(_) => inst.args.first(),
            Kind::Store(_) => inst.args.get(1),
            _ => None,
        };
        if let Some(&Arg::Value(address)) = address {
            self.blocks.entry(address).or_default().push(block);
        }
    }

    /// Notes an assumption.
    pub(crate) fn assume(&mut self, value: Value, block: Block) {
        self.assumed.insert(value, block);
    }

    /// Whether execution would not have come here, if a pointer was null.
    pub(crate) fn excludes_null(&mut self, value: Value, block: Block, tree: &DominatorTree) -> bool {
        if self.assumed.get(&value) == Some(&block) {
            return true;
        }
        let Some(blocks) = self.blocks.get_mut(&value) else { return false };
        // The walk has left the others for good.
        while blocks.last().is_some_and(|&last| !tree.dominates(last, block)) {
            blocks.pop();
        }
        !blocks.is_empty()
    }
}

/// Whether an index behind the base is a number other than 0.
fn has_other_index(text: &str) -> bool {
    let (mut rest, mut place) = (text, 0);
    loop {
        let part = until_comma(rest);
        let number = part.rsplit(' ').next().unwrap_or("");
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if place > 1 && is_number && number != "0" {
            return true;
        }
        let Some(next) = rest[part.len()..].strip_prefix(',') else { return false };
        (rest, place) = (next, place + 1);
    }
}

/// Whether a constant is the address of a global, or computed from one.
fn is_address(text: &str) -> bool {
    text.starts_with('@')
        || text.contains('@') && (text.starts_with("getelementptr inbounds") || text.starts_with("bitcast"))
}

//! Whether a value may be poison.
//!
//! An undefined value may become any value, but not poison. So a phi of a value and undefined ones is that value only if it is
//! never poison; LLVM asks the same from version 20 on (`isGuaranteedNotToBePoison`).

use crate::dialect::{Kind, Llvm, Op};
use crate::function::Frame;
use ssaphire::graph::{DominatorTree, IdMap};
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Dest, Function, ValueKind};

/// So many operations are looked back.
const DEPTH: u32 = 6;

/// So many dominators are looked at.
const STEPS: usize = 64;

/// Words with which an operation gives poison for some arguments.
const FLAGS: [&str; 17] = [
    " nsw",
    " nuw",
    " exact",
    " inbounds",
    " nusw",
    " nneg",
    " disjoint",
    " samesign",
    " nnan",
    " ninf",
    " fast",
    " poison",
    "!range",
    "!nonnull",
    "!align",
    " inrange",
    " undef",
];

/// Operations that give poison for some arguments, whatever their flags.
const PARTIAL: [&str; 9] =
    ["shl", "lshr", "ashr", "extractelement", "insertelement", "shufflevector", "fptosi", "fptoui", "getelementptr"];

/// What values are made of.
pub(crate) struct Values<'f> {
    pub(crate) frame: &'f Frame,
    pub(crate) body: &'f Function<Llvm>,
    /// By value, its operation and arguments, or the operands of its phi.
    makers: IdMap<Value, Maker<'f>>,
}

/// What a value is made of.
#[derive(Clone, Copy)]
pub(crate) enum Maker<'f> {
    Other,
    Inst(&'f Op, &'f [Arg]),
    Phi(&'f [Value]),
}

impl<'f> Values<'f> {
    pub(crate) fn of(frame: &'f Frame, body: &'f Function<Llvm>) -> Self {
        let mut makers = IdMap::filled(body.num_values(), Maker::Other);
        for block in body.blocks() {
            body.block(block).phis().iter().for_each(|phi| makers[phi.value] = Maker::Phi(phi.operands));
            for inst in body.block(block).insts().iter() {
                if let (Action::Op(op), [Dest::Value(value)]) = (inst.action, inst.results) {
                    makers[*value] = Maker::Inst(op, inst.args);
                }
            }
        }
        Self { frame, body, makers }
    }

    /// What a value is made of.
    pub(crate) fn maker(&self, value: Value) -> Maker<'f> {
        self.makers[value]
    }

    /// Whether a value is certainly not poison.
    pub(crate) fn is_never_poison(&self, value: Value) -> bool {
        self.is_never(value, DEPTH)
    }

    /// Whether a value is certainly not poison at the top of a block: or a branch on the way there had undefined behavior.
    pub(crate) fn is_never_poison_at(&self, value: Value, block: Block, tree: &DominatorTree) -> bool {
        let mut above = std::iter::successors(tree.idom(block), |&block| tree.idom(block)).take(STEPS);
        self.is_never_poison(value) || above.any(|above| self.branches_on(above, value))
    }

    /// Whether a block branches on a value, or on a result that is poison if the value is.
    fn branches_on(&self, block: Block, value: Value) -> bool {
        let terminator = self.body.block(block).terminator();
        let condition = terminator.and_then(|inst| match (inst.action, inst.args) {
            (Action::Op(op), &[Arg::Value(condition)]) if matches!(op.kind(), Kind::Branch | Kind::Switch) => {
                Some(condition)
            }
            _ => None,
        });
        condition.is_some_and(|condition| {
            let spreads = |op: &Op| matches!(op.kind(), Kind::Compute | Kind::Address) && op.name() != "select";
            let is_argument = matches!(self.makers[condition], Maker::Inst(op, args) if spreads(op) && args.contains(&Arg::Value(value)));
            condition == value || is_argument
        })
    }

    fn is_never(&self, value: Value, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match (self.body.value(value).kind, self.makers[value]) {
            (ValueKind::Constant(constant), _) => is_plain(constant.text()),
            (ValueKind::Param(number), _) => {
                self.frame.params.get(number as usize).is_some_and(|param| param.is_defined)
            }
            (_, Maker::Phi(operands)) => operands.iter().all(|&operand| self.is_never(operand, depth)),
            (_, Maker::Inst(op, args)) => self.is_result_never(op, args, depth),
            _ => false,
        }
    }

    fn is_result_never(&self, op: &Op, args: &[Arg], depth: u32) -> bool {
        let text = op.text();
        match op.kind() {
            Kind::Alloca(_) => true,
            Kind::Load(_) => text.contains("!noundef"),
            Kind::Call => text.split(['@', '"', '(']).next().is_some_and(|head| head.contains(" noundef")),
            Kind::Other if op.name() == "freeze" => true,
            Kind::Compute | Kind::Address => {
                let is_whole = !PARTIAL.contains(&op.name()) && !FLAGS.iter().any(|flag| text.contains(flag));
                let is_never = |arg: &Arg| matches!(*arg, Arg::Value(value) if self.is_never(value, depth));
                is_whole && args.iter().all(is_never)
            }
            _ => false,
        }
    }
}

/// Whether a value is `undef` or `poison`, or was never stored.
pub(crate) fn is_undefined(body: &Function<Llvm>, value: Value) -> bool {
    match body.value(value).kind {
        ValueKind::Undefined => true,
        ValueKind::Constant(constant) => matches!(constant.text(), "undef" | "poison"),
        _ => false,
    }
}

/// Whether a value is a constant that may have undefined behavior: one that divides, as LLVM 14 and before have them.
pub(crate) fn may_trap(body: &Function<Llvm>, value: Value) -> bool {
    let divides = |text: &str| text.contains("div (") || text.contains("rem (");
    matches!(body.value(value).kind, ValueKind::Constant(constant) if divides(constant.text()))
}

/// Whether a constant is a number, a word for one, or the address of a global.
fn is_plain(text: &str) -> bool {
    let is_number = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+'));
    text.starts_with('@') && !text.contains(' ') || is_number && !matches!(text, "undef" | "poison")
}

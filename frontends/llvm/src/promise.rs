//! What a load that is gone said of its value: `!nonnull`, `!noundef`.
//!
//! `mem2reg` keeps that as an assumption about the value, in place of the load. Until SSA form is constructed, the value is a variable,
//! and whether an assumption is needed is not known. So an operation stands there, `#nonnull ptr {}`, and is spelled out afterwards.
//!
//! | value | LLVM's `convertMetadataToAssumes` | here |
//! |---|---|---|
//! | undefined, though `!noundef` | `store i1 true, ptr poison` (not in LLVM 16 and before) | the same |
//! | `!nonnull` and `!noundef` (LLVM 14: `!nonnull`), and `isKnownNonZero` does not know it | `icmp ne` with `null`, and `llvm.assume` | the same, but that less is known: see [`nonnull`](crate::nonnull) |
//! | undefined, in a slot without a store that is loaded in one block | nothing in LLVM 14 (an assumption in 16) | the same |

use crate::dialect::{Access, Constant, Kind, Llvm, Op, Type};
use crate::function::{LlvmFunction, Rules};
use crate::nonnull::{Passed, is_never_null};
use crate::poison::{Values, is_undefined};
use crate::template::constants_in;
use ssaphire::graph::{CfgError, DominatorTree, FlatCfg, IdMap};
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Dest, Function, Inst, InstRef, ValueKind};

/// Not null, or else undefined behavior.
pub(crate) const NONNULL: &str = "#nonnull";

/// Not undefined, or else undefined behavior.
pub(crate) const NOUNDEF: &str = "#noundef";

/// The call that an assumption is, and the function that it calls, which a module has to declare.
const ASSUME: &str = "call void @llvm.assume(i1 {})";
pub(crate) const ASSUME_START: &str = "call void @llvm.assume(";
pub(crate) const DECLARATION: &str = "declare void @llvm.assume(i1 noundef)";

/// What marks code that is not reached.
const MARK: &str = "store i1 {}, ptr poison, align 1";

/// What a load promises of its value, if that outlives the load.
pub(crate) fn promise_of(load: &Op, access: Access, rules: Rules) -> Option<Op> {
    let text = load.text();
    if !text.contains('!') {
        return None;
    }
    let is_defined = text.contains("!noundef");
    let name = if text.contains("!nonnull") && (is_defined || rules.assumes_nonnull) {
        NONNULL
    } else if is_defined && !rules.forgets_noundef {
        NOUNDEF
    } else {
        return None;
    };
    Some(Op::new(&format!("{name} {} {{}}", access.ty(text))))
}

/// The text and the value of a promise.
fn promise<'f>(inst: &InstRef<'f, Llvm>) -> Option<(&'f str, Value)> {
    match (inst.action, inst.args) {
        (Action::Op(op), &[Arg::Value(value)]) if op.kind() == Kind::Promise => Some((op.text(), value)),
        _ => None,
    }
}

/// Whether there are promises.
pub(crate) fn has_promises(body: &Function<Llvm>) -> bool {
    body.blocks().any(|block| body.block(block).insts().iter().any(|inst| promise(&inst).is_some()))
}

/// What becomes of a promise.
enum Spelled {
    Nothing,
    /// The code is not reached.
    Mark,
    /// A comparison with this text, whose result is assumed.
    Assumption(String),
}

/// Spells out all promises, as LLVM does.
///
/// # Errors
/// If the graph breaks the contract.
///
/// # Complexity
/// O(size of the function), plus that of a dominator tree.
pub(crate) fn spell(function: &mut LlvmFunction) -> Result<(), CfgError> {
    if !has_promises(&function.body) {
        return Ok(());
    }
    let spelled = Speller::new(function)?.spell_all();
    for (block, spelled) in spelled {
        let mut spelled = spelled.into_iter();
        replace(&mut function.body, block, |_, _| spelled.next().unwrap_or(Spelled::Nothing));
    }
    Ok(())
}

/// Decides what becomes of promises.
struct Speller<'f> {
    function: &'f LlvmFunction,
    values: Values<'f>,
    tree: DominatorTree,
    passed: Passed,
}

impl<'f> Speller<'f> {
    fn new(function: &'f LlvmFunction) -> Result<Self, CfgError> {
        let tree = DominatorTree::new(&FlatCfg::new(&function.body)?);
        Ok(Self { function, values: Values::of(&function.frame, &function.body), tree, passed: Passed::default() })
    }

    /// By block, what becomes of its promises.
    fn spell_all(mut self) -> Vec<(Block, Vec<Spelled>)> {
        let body = &self.function.body;
        let unreachable = body.blocks().filter(|&block| !self.tree.is_reachable(block));
        let blocks: Vec<Block> = self.tree.preorder().iter().copied().chain(unreachable).collect();
        blocks.into_iter().map(|block| (block, self.spell_block(block))).collect()
    }

    fn spell_block(&mut self, block: Block) -> Vec<Spelled> {
        let body = &self.function.body;
        self.passed.enter(body, &self.values, block);
        let mut spelled = Vec::new();
        for inst in body.block(block).insts().iter() {
            match promise(&inst) {
                Some((text, value)) => spelled.push(self.spelled(text, value, block)),
                None => self.passed.pass(&inst, block),
            }
        }
        spelled
    }

    fn spelled(&mut self, text: &str, value: Value, block: Block) -> Spelled {
        let rules = self.function.frame.rules;
        if !rules.forgets_noundef && is_undefined(&self.function.body, value) {
            return Spelled::Mark;
        }
        if !text.starts_with(NONNULL)
            || is_never_null(&self.values, value)
            || self.passed.excludes_null(value, block, &self.tree)
        {
            return Spelled::Nothing;
        }
        self.passed.assume(value, block);
        Spelled::Assumption(comparison(text))
    }
}

/// The comparison of a value with null.
pub(crate) fn comparison(text: &str) -> String {
    let ty = text.strip_prefix(NONNULL).and_then(|text| text.strip_suffix("{}")).unwrap_or("").trim_ascii();
    format!("icmp ne {ty} {{}}, null")
}

/// Replaces the promises of a block, in order, by their texts and values.
fn replace(body: &mut Function<Llvm>, block: Block, mut spelled: impl FnMut(&str, Value) -> Spelled) {
    let old = body.block(block).insts().to_vec();
    if !old.iter().any(|inst| promise(&inst.as_ref()).is_some()) {
        return;
    }
    let mut insts = Vec::with_capacity(old.len());
    for inst in old {
        let Some((text, value)) = promise(&inst.as_ref()) else {
            insts.push(inst);
            continue;
        };
        match spelled(text, value) {
            Spelled::Nothing => {}
            Spelled::Mark => {
                let yes = body.constant(Constant::new("true"));
                insts.push(Inst::op(Op::new(MARK), [yes]));
            }
            Spelled::Assumption(comparison) => {
                let result = body.new_value(None, Type::default());
                insts.push(Inst::op(Op::new(&comparison), [value]).with_results([result]));
                insts.push(Inst::op(Op::new(ASSUME), [result]));
            }
        }
    }
    body.set_insts(block, insts);
}

/// Spells out those promises that another function, over the same blocks, has kept at the same place; the others go, and all of them
/// without such a function. That it has kept them for the same values is for others to see.
///
/// # Complexity
/// O(size of both functions).
pub(crate) fn spell_as(body: &mut Function<Llvm>, kept: Option<&Function<Llvm>>) {
    if !has_promises(body) {
        return;
    }
    let spelled: Vec<Spelled> = match kept {
        Some(kept) => {
            let alignment = Alignment { forms: [body, kept], makers: [makers(body), makers(kept)] };
            body.blocks().flat_map(|block| alignment.of_block(block)).collect()
        }
        None => Vec::new(),
    };
    let mut spelled = spelled.into_iter();
    let blocks: Vec<Block> = body.blocks().collect();
    for block in blocks {
        replace(body, block, |_, _| spelled.next().unwrap_or(Spelled::Nothing));
    }
}

/// What a promise is spelled by in another function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Nothing, if the next instruction is not another one.
    Nothing,
    /// One instruction, which marks code that is not reached.
    Mark,
    /// A comparison, and an assumption of its result.
    Assumption,
}

/// What spells a promise in another function, by the two instructions that are next there, unless they are also next here.
pub(crate) fn spelling(promise: &Op, here: [&str; 2], there: [&str; 2]) -> Spelling {
    let is_assumption = |[comparison_text, assumption]: [&str; 2]| {
        assumption == ASSUME && constants_in(&comparison(promise.text()), comparison_text).is_some()
    };
    if there[0] == MARK && here[0] != MARK {
        Spelling::Mark
    } else if promise.text().starts_with(NONNULL) && is_assumption(there) && !is_assumption(here) {
        Spelling::Assumption
    } else {
        Spelling::Nothing
    }
}

/// A function with promises, and one in which some of them may be spelled out.
struct Alignment<'f> {
    forms: [&'f Function<Llvm>; 2],
    makers: [IdMap<Value, Option<InstRef<'f, Llvm>>>; 2],
}

fn makers(body: &Function<Llvm>) -> IdMap<Value, Option<InstRef<'_, Llvm>>> {
    let mut makers = IdMap::filled(body.num_values(), None);
    for inst in body.blocks().flat_map(|block| body.block(block).insts().iter()) {
        if let [Dest::Value(value)] = inst.results {
            makers[*value] = Some(inst);
        }
    }
    makers
}

impl<'f> Alignment<'f> {
    /// What becomes of each promise of a block.
    fn of_block(&self, block: Block) -> Vec<Spelled> {
        let [body, other] = self.forms;
        // With other blocks, the functions differ anyhow.
        let has_block = block.index() < other.num_blocks();
        let insts = has_block.then(|| other.block(block).insts().iter().filter(is_more_than_result));
        let mut there = insts.into_iter().flatten().peekable();
        let mut spelled = Vec::new();
        for inst in body.block(block).insts().iter().filter(is_more_than_result) {
            let Some((text, value)) = promise(&inst) else {
                there.next();
                continue;
            };
            let found = there.peek().map_or(Spelled::Nothing, |next| self.spelled_by(text, value, next));
            if !matches!(found, Spelled::Nothing) {
                there.next();
            }
            spelled.push(found);
        }
        spelled
    }

    /// What a promise is spelled by, if an instruction of the other function may be that.
    fn spelled_by(&self, text: &str, value: Value, inst: &InstRef<'f, Llvm>) -> Spelled {
        match (inst.action, inst.args) {
            (Action::Op(op), [_]) if op.text() == MARK && is_undefined(self.forms[0], value) => Spelled::Mark,
            (Action::Op(op), &[Arg::Value(condition)]) if op.text() == ASSUME && text.starts_with(NONNULL) => {
                let comparison = comparison(text);
                match self.makers[1][condition] {
                    Some(made) if self.compares(&made, &comparison, value) => Spelled::Assumption(comparison),
                    _ => Spelled::Nothing,
                }
            }
            _ => Spelled::Nothing,
        }
    }

    /// Whether an instruction of the other function may be this comparison of a value.
    fn compares(&self, made: &InstRef<'f, Llvm>, comparison: &str, value: Value) -> bool {
        let Action::Op(op) = made.action else { return false };
        let body = self.forms[0];
        match (body.value(value).kind, made.args) {
            (ValueKind::Constant(constant), []) => op.text() == comparison.replace("{}", constant.text()),
            (ValueKind::Undefined, []) => op.text() == comparison.replace("{}", "undef"),
            (kind, &[Arg::Value(other)]) if op.text() == comparison => {
                let op_of = |inst: InstRef<'f, Llvm>| match inst.action {
                    Action::Op(op) => Some(op),
                    Action::Copy => None,
                };
                let [one, two] = [self.makers[0][value], self.makers[1][other]].map(|made| made.and_then(op_of));
                // The operands of phis and instructions are left to the proof.
                one == two && (one.is_some() || kind == self.forms[1].value(other).kind)
            }
            _ => false,
        }
    }
}

fn is_more_than_result(inst: &InstRef<'_, Llvm>) -> bool {
    !matches!(inst.action, Action::Op(op) if matches!(op.kind(), Kind::Compute | Kind::Address))
}

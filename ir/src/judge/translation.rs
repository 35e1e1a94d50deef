//! Translation validation: whether a function does after a pass what it did before.
//!
//! The pass is not asked. Blocks and edges that control can come to have to be the same, and in each block the same
//! operations with an effect, in the same order; then every value that these use has to be what it was. That is
//! decided by *claims*, pairs of a value of each form, which start at the uses and are judged each by its definitions:
//!
//! | the value before | is that after, if |
//! |---|---|
//! | a copy | its source is |
//! | a constant, or an operation or phi that is always the same constant | that is the same constant |
//! | a parameter | that is the same one |
//! | a result of an operation that has to stay | that is the same result of the same operation |
//! | the result of an operation that only computes, or of one that may trap and is gone | that is computed by the same operation, and the arguments are claimed; what is gone was executed before |
//! | a phi | that is a phi of the same block, and the operands are claimed by edge; or each operand is claimed to be that value, which is there at the top of the block |
//! | undefined | anything |
//!
//! # Why it is right
//! Claims may rely on one another in a circle. Suppose that one fails, at the first moment of an execution when it does:
//! both values are there and differ. Where they are computed alike, arguments differed when the later of the two
//! definitions was passed, for what dominates a definition has not changed since; where they are phis, operands differed at
//! the end of the predecessor; and a value that is there at the top of the block, from a strict dominator, is still the same
//! as at the end of the predecessor. Each time, a claim has failed before. (That values are there where they are used is
//! what the [rules of SSA form](ssaphire::check::rules()) say, which are checked apart from this.)
//!
//! The answer is no proof of the contrary: a pass may use laws that are not in the table.
//!
//! # Complexity
//! O(size of the functions), plus a dominator tree; there are at most a few times as many claims as uses.
//!
//! # Departures
//! No paper is followed. Necula 2000 validates a translation by equations between two forms, too, but simplifies symbolic terms.

mod constants;

use crate::dialect::Semantics;
use crate::function::{Action, Arg, Dest, Function, InstRef, ValueKind};
use constants::constants;
use ssaphire::graph::{CfgError, DominatorTree, FlatCfg, IdMap};
use ssaphire::{Block, Value};
use std::collections::BTreeSet;
use std::fmt;

/// Claims for each use and operand of the function before: beyond, there is no answer.
const CLAIMS_PER_USE: usize = 4;

/// Why it is not known that two forms of a function do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unproved {
    /// The graph of one of them breaks its contract.
    Cfg,
    /// They have other blocks, or another entry.
    Blocks,
    /// A block has other incoming edges, or another terminator.
    Edges {
        /// The block.
        block: Block,
    },
    /// A block has other operations with an effect.
    Operations {
        /// The block.
        block: Block,
    },
    /// A value is not known to be what it was.
    Values {
        /// The value before.
        before: Value,
        /// The value after.
        after: Value,
    },
    /// One value is claimed to be too many others.
    Claims,
}

impl Unproved {
    /// Whether the graph has changed, so that nothing was compared.
    pub fn is_graph(self) -> bool {
        matches!(self, Self::Blocks | Self::Edges { .. })
    }
}

impl Unproved {
    /// Whether something was compared and found to differ: a reason to refuse the result of a pass that uses no other laws
    /// than those of the table.
    pub fn is_refutation(self) -> bool {
        matches!(self, Self::Operations { .. } | Self::Values { .. })
    }
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cfg => f.write_str("a graph breaks its contract"),
            Self::Blocks => f.write_str("the blocks differ"),
            Self::Edges { block } => write!(f, "{block}: the edges differ"),
            Self::Operations { block } => write!(f, "{block}: the operations with an effect differ"),
            Self::Values { before, after } => {
                write!(f, "{before}: replaced with {after}, which is not known to be equal")
            }
            Self::Claims => f.write_str("too many values replace each other"),
        }
    }
}

impl std::error::Error for Unproved {}

impl From<CfgError> for Unproved {
    fn from(_: CfgError) -> Self {
        Self::Cfg
    }
}

/// Proves that `after` does what `before` does: see [the module](self). Both are in SSA form; values that a pass has left
/// as they were have the same numbers in both.
///
/// # Errors
/// Why that is not known.
///
/// # Examples
/// ```
/// use ssaphire_ir::judge::prove_translation;
/// use ssaphire_ir::passes::propagate_constants;
/// use ssaphire_ir::{Basic, Function, text};
///
/// let before: Function<Basic> = text::parse("func f(x) {\na:\n  %1 = add 1, 2\n  %2 = add x, %1\n  return %2\n}\n")?;
/// let mut ssa = ssaphire::Certified::default();
/// let before = ssaphire_ir::to_ssa(&before, &mut ssa)?;
/// let mut after = before.clone();
/// propagate_constants(&mut after)?;
/// assert_eq!(prove_translation(&before, &after), Ok(()));
/// let other: Function<Basic> = text::parse("func f(x) {\na:\n  %2 = add x, 4\n  return %2\n}\n")?;
/// let other = ssaphire_ir::to_ssa(&other, &mut ssa)?;
/// assert!(prove_translation(&before, &other).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove_translation<D: Semantics>(before: &Function<D>, after: &Function<D>) -> Result<(), Unproved> {
    if before.num_blocks() != after.num_blocks() || before.entry() != after.entry() {
        return Err(Unproved::Blocks);
    }
    if before.num_blocks() == 0 {
        return Ok(());
    }
    let tree = DominatorTree::new(&FlatCfg::new(before)?);
    let reachable = before.blocks().filter(|&block| tree.is_reachable(block)).collect::<Vec<_>>();
    if let Some(&block) = reachable.iter().find(|&&block| !has_same_edges(before, after, block)) {
        return Err(Unproved::Edges { block });
    }
    let mut proof = Proof::new(before, after, tree);
    for &block in &reachable {
        proof.match_operations(block)?;
    }
    proof.judge()
}

/// Whether a block has the same edges, by the same terminator: one that chose among edges to one block may have become a jump.
fn has_same_edges<D: Semantics>(before: &Function<D>, after: &Function<D>, block: Block) -> bool {
    let has_same_end = match (before.block(block).insts().iter().last(), after.block(block).insts().iter().last()) {
        (Some(one), Some(two)) => are_alike(&one, &two),
        (one, two) => one.is_none() && two.is_none(),
    };
    has_same_end && before.block(block).incoming() == after.block(block).incoming()
}

/// How a value is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    /// By nothing in a block: a parameter, a constant.
    Global,
    /// Block and place among its phis.
    Phi(Block, usize),
    /// Block, place among its instructions, and place among the results of that.
    Inst(Block, usize, usize),
}

/// A form, with the place where each value is made.
struct Form<'f, D: Semantics> {
    function: &'f Function<D>,
    makers: IdMap<Value, Maker>,
    constants: IdMap<Value, Option<D::Constant>>,
}

impl<'f, D: Semantics> Form<'f, D> {
    fn new(function: &'f Function<D>, tree: &DominatorTree) -> Self {
        let mut makers = IdMap::filled(function.num_values(), Maker::Global);
        for block in function.blocks() {
            for (place, phi) in function.block(block).phis().iter().enumerate() {
                makers[phi.value] = Maker::Phi(block, place);
            }
            for (place, inst) in function.block(block).insts().iter().enumerate() {
                for (result, dest) in inst.results.iter().enumerate() {
                    if let Dest::Value(value) = *dest {
                        makers[value] = Maker::Inst(block, place, result);
                    }
                }
            }
        }
        Self { function, makers, constants: constants(function, tree) }
    }

    fn inst(&self, block: Block, place: usize) -> Option<InstRef<'f, D>> {
        self.function.block(block).insts().get(place)
    }

    fn operands(&self, block: Block, place: usize) -> &'f [Value] {
        self.function.block(block).phis().get(place).map_or(&[], |phi| phi.operands)
    }

    /// What a value is a copy of, or itself. Copies of one another in a circle are no SSA form: there may be as many as values.
    fn source(&self, mut value: Value) -> Value {
        for _ in 0..self.makers.len() {
            let Maker::Inst(block, place, 0) = self.makers[value] else { break };
            match self.inst(block, place) {
                Some(InstRef { action: Action::Copy, args: &[Arg::Value(source)], .. }) => value = source,
                _ => break,
            }
        }
        value
    }

    /// The block from whose top or middle on a value is there; `None` if it is everywhere.
    fn home(&self, value: Value) -> Option<Block> {
        match self.makers[value] {
            Maker::Global => None,
            Maker::Phi(block, _) => Some(block),
            // Results of a terminator are there from the top of its normal successor on.
            Maker::Inst(block, place, _) => {
                Some(self.inst(block, place).and_then(|inst| inst.targets.first().copied()).unwrap_or(block))
            }
        }
    }

    /// Whether an instruction may be gone if nothing uses its result, and on what condition.
    fn leave(&self, inst: &InstRef<'_, D>) -> Leave {
        let Action::Op(op) = inst.action else { return Leave::Free };
        let is_constant = |dest: &Dest| matches!(*dest, Dest::Value(value) if self.constants[value].is_some());
        let is_known = !inst.results.is_empty() && inst.results.iter().all(is_constant);
        match inst.results {
            _ if !inst.targets.is_empty() || D::is_terminator(op) => Leave::Never,
            _ if is_known || !D::properties(op).has_effect => Leave::Free,
            &[Dest::Value(result)] if D::properties(op).computes => Leave::IfDoneBefore(result),
            _ => Leave::Never,
        }
    }
}

/// Whether an instruction may be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    Never,
    Free,
    /// If its result is claimed to be that of the same operation, which was executed before: that trapped as well.
    IfDoneBefore(Value),
}

/// An instruction that is gone, and has to have been done before.
struct Gone {
    result: Value,
    block: Block,
    /// The number of instructions of the block after that come before its place.
    place: usize,
}

/// Whether an instruction gives the same whenever it is executed with the same arguments.
fn computes<D: Semantics>(inst: &InstRef<'_, D>) -> bool {
    match inst.action {
        Action::Copy => true,
        Action::Op(op) => D::properties(op).computes && !D::is_terminator(op) && inst.targets.is_empty(),
    }
}

/// Whether an instruction can stand wherever its arguments are.
fn only_computes<D: Semantics>(inst: &InstRef<'_, D>) -> bool {
    let must_stay = |op| {
        let properties = D::properties(op);
        properties.has_effect || properties.needs_defined
    };
    computes(inst) && !matches!(inst.action, Action::Op(op) if must_stay(op))
}

/// Two forms, and what is claimed of them.
struct Proof<'f, D: Semantics> {
    before: Form<'f, D>,
    after: Form<'f, D>,
    tree: DominatorTree,
    /// By result of an operation that stays: the one it is after.
    stays: IdMap<Value, Option<Value>>,
    gone: Vec<Gone>,
    claims: BTreeSet<(Value, Value)>,
    /// Those that are still to be judged.
    pending: Vec<(Value, Value)>,
    claims_left: usize,
}

impl<'f, D: Semantics> Proof<'f, D> {
    fn new(before: &'f Function<D>, after: &'f Function<D>, tree: DominatorTree) -> Self {
        let blocks = before.blocks().map(|block| before.block(block));
        let num_uses: usize = blocks
            .map(|block| {
                let args: usize = block.insts().iter().map(|inst| inst.args.len()).sum();
                args + block.phis().len() * block.incoming().len()
            })
            .sum();
        Self {
            stays: IdMap::filled(before.num_values(), None),
            before: Form::new(before, &tree),
            after: Form::new(after, &tree),
            tree,
            gone: Vec::new(),
            claims: BTreeSet::new(),
            pending: Vec::new(),
            claims_left: CLAIMS_PER_USE * (num_uses + 1),
        }
    }

    /// Finds for each operation that stays the one it is after, and claims what both use.
    fn match_operations(&mut self, block: Block) -> Result<(), Unproved> {
        let differ = Unproved::Operations { block };
        let (before, after) = (self.before.function.block(block), self.after.function.block(block));
        let mut rest = before.insts().iter().filter(|inst| !only_computes(inst));
        let stay = after.insts().iter().enumerate().filter(|(_, inst)| !only_computes(inst));
        for (place, inst) in stay {
            let found = loop {
                let other = rest.next().ok_or(differ)?;
                let leave = self.before.leave(&other);
                // One that may go is told by its results, whose numbers a pass leaves as they were.
                if are_alike(&other, &inst) && (leave == Leave::Never || other.results == inst.results) {
                    break other;
                }
                self.let_go(leave, block, place)?;
            };
            for pair in found.results.iter().zip(inst.results) {
                if let (&Dest::Value(one), &Dest::Value(two)) = pair {
                    self.stays[one] = Some(two);
                }
            }
            self.claim_args(&found, &inst).ok_or(differ)??;
        }
        let end = after.insts().len();
        rest.try_for_each(|inst| self.let_go(self.before.leave(&inst), block, end))
    }

    /// An instruction is gone.
    fn let_go(&mut self, leave: Leave, block: Block, place: usize) -> Result<(), Unproved> {
        match leave {
            Leave::Never => Err(Unproved::Operations { block }),
            Leave::Free => Ok(()),
            Leave::IfDoneBefore(result) => {
                self.gone.push(Gone { result, block, place });
                Ok(())
            }
        }
    }

    /// Whether what is gone is claimed to be the result of an operation that was executed before.
    fn was_done_before(&self, gone: &Gone) -> bool {
        let claimed =
            self.claims.range((gone.result, Value::new(0))..).take_while(|(before, _)| *before == gone.result);
        claimed.into_iter().any(|&(_, after)| match self.after.makers[after] {
            Maker::Inst(block, place, 0) => {
                self.tree.strictly_dominates(block, gone.block) || block == gone.block && place < gone.place
            }
            _ => false,
        })
    }

    /// Claims that arguments are the same; `None` if there are others.
    fn claim_args(&mut self, one: &InstRef<'_, D>, two: &InstRef<'_, D>) -> Option<Result<(), Unproved>> {
        for pair in one.args.iter().zip(two.args) {
            let (&Arg::Value(one), &Arg::Value(two)) = pair else { return None };
            if let Err(unproved) = self.claim(one, two) {
                return Some(Err(unproved));
            }
        }
        Some(Ok(()))
    }

    fn claim(&mut self, before: Value, after: Value) -> Result<(), Unproved> {
        let claim = (self.before.source(before), self.after.source(after));
        if self.claims.insert(claim) {
            self.claims_left = self.claims_left.checked_sub(1).ok_or(Unproved::Claims)?;
            self.pending.push(claim);
        }
        Ok(())
    }

    /// Judges all claims, and those they rely on.
    fn judge(mut self) -> Result<(), Unproved> {
        while let Some((before, after)) = self.pending.pop() {
            if !self.follows(before, after)? {
                return Err(Unproved::Values { before, after });
            }
        }
        match self.gone.iter().find(|gone| !self.was_done_before(gone)) {
            Some(gone) => Err(Unproved::Operations { block: gone.block }),
            None => Ok(()),
        }
    }

    /// Whether a claim follows from others, which are made.
    fn follows(&mut self, before: Value, after: Value) -> Result<bool, Unproved> {
        let (kind, kind_after) = (self.before.function.value(before).kind, self.after.function.value(after).kind);
        if matches!(kind, ValueKind::Undefined) {
            return Ok(true);
        }
        if let Some(constant) = &self.before.constants[before] {
            return Ok(self.after.constants[after].as_ref() == Some(constant));
        }
        match (self.before.makers[before], self.after.makers[after]) {
            (Maker::Global, _) => Ok(matches!(kind, ValueKind::Param(_)) && kind == kind_after),
            (Maker::Inst(..), _) if self.stays[before] == Some(after) => Ok(true),
            (Maker::Inst(block, place, result), Maker::Inst(other_block, other_place, other_result)) => {
                let (one, two) = (self.before.inst(block, place), self.after.inst(other_block, other_place));
                match (one, two) {
                    (Some(one), Some(two)) if result == other_result => {
                        let is_good = computes(&one) && are_alike(&one, &two);
                        if is_good {
                            self.claim_args(&one, &two).unwrap_or(Err(Unproved::Values { before, after }))?;
                        }
                        Ok(is_good)
                    }
                    _ => Ok(false),
                }
            }
            (Maker::Inst(..), _) => Ok(false),
            (Maker::Phi(block, place), maker) => self.claim_operands(block, place, maker, after),
        }
    }

    /// Claims that operands of a phi before are those of a phi of the same block after, or all the same value.
    fn claim_operands(&mut self, block: Block, place: usize, maker: Maker, after: Value) -> Result<bool, Unproved> {
        let operands = self.before.operands(block, place);
        let others = match maker {
            Maker::Phi(other, place) if other == block => Some(self.after.operands(block, place)),
            _ => None,
        };
        let is_above = |home: Option<Block>| home.is_none_or(|home| self.tree.strictly_dominates(home, block));
        if others.is_none() && !is_above(self.after.home(after)) {
            return Ok(false);
        }
        for (index, edge) in self.before.function.block(block).incoming().iter().enumerate() {
            // What comes by an edge that is never taken does not matter.
            if !self.tree.is_reachable(edge.source) {
                continue;
            }
            let other = others.map_or(Some(after), |others| others.get(index).copied());
            let (Some(&operand), Some(other)) = (operands.get(index), other) else { return Ok(false) };
            self.claim(operand, other)?;
        }
        Ok(true)
    }
}

/// Whether two instructions are the same but for their values.
fn are_alike<D: Semantics>(one: &InstRef<'_, D>, two: &InstRef<'_, D>) -> bool {
    let is_same_op = match (one.action, two.action) {
        (Action::Op(one), Action::Op(two)) => one == two,
        (Action::Copy, Action::Copy) => true,
        _ => false,
    };
    let lens = |inst: &InstRef<'_, D>| (inst.args.len(), inst.results.len());
    is_same_op && lens(one) == lens(two) && one.targets == two.targets
}

//! Compares a form that was constructed through memory with one that was constructed directly.
//!
//! Blocks, edges and operations have to be the same. Then each value of the
//! direct form that something uses must have one counterpart: definitions by
//! their places, phis by their uses, phis that those use by theirs, and so on.
//!
//! The counterpart of a phi is a phi of the same block whose operands are
//! counterparts of its own; or a single value, the counterpart of all its
//! operands, that is available at the top of the block. A value that is defined in
//! a strict dominator is available: no path leads from the block through the
//! dominator to a use without passing the block again, so both values were computed
//! in the same iteration.
//! Any value may be the counterpart of an undefined value, and of a phi that merges only undefined values, perhaps of
//! several variables and through other phis: this is the only difference between `mem2reg` and direct construction.
//!
//! # Complexity
//! O(*n* log *n*) for functions of size *n*, dominator tree included.

use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, InstRef, ValueKind};
use crate::passes::remove_redundant_phis;
use ssaphire::graph::{CfgError, DominatorTree, FlatCfg, IdMap, IdSet};
use ssaphire::{Block, Value};
use std::fmt;

/// The comparison of a form constructed through memory with one constructed directly.
///
/// Redundant and dead phis are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same, up to the names of values.
    Same,
    /// It is equivalent, but has defined values where the direct form has undefined ones, or fewer phis.
    Refines,
    /// It may not be equivalent.
    Differs(Disagreement),
}

/// A difference between two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Disagreement {
    /// Other blocks, or another entry.
    Blocks,
    /// A block has other incoming edges.
    Edges {
        /// The block.
        block: Block,
    },
    /// A block has other instructions.
    Instructions {
        /// The block.
        block: Block,
    },
    /// Where one form has a value, the other has something that is not its counterpart.
    Values {
        /// The block where both are used: of operands, that of the phi.
        block: Block,
        /// The value of the direct form.
        direct: Value,
        /// That of the other one.
        other: Value,
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocks => f.write_str("the blocks differ"),
            Self::Edges { block } => write!(f, "{block}: the incoming edges differ"),
            Self::Instructions { block } => write!(f, "{block}: the instructions differ"),
            Self::Values { block, direct, other } => {
                write!(f, "{direct}: used in {block}, where the other form has {other}")
            }
        }
    }
}

impl std::error::Error for Disagreement {}

/// Compares `other`, which [`OverMemory`](super::OverMemory) has constructed, with `direct`: both are SSA forms of one
/// function.
///
/// # Errors
/// If the graph of one of them breaks its contract.
pub fn agreement<D: Syntax>(direct: &Function<D>, other: &Function<D>) -> Result<Agreement, CfgError> {
    let (mut direct, mut other) = (direct.clone(), other.clone());
    remove_redundant_phis(&mut direct)?;
    remove_redundant_phis(&mut other)?;
    let tree = DominatorTree::new(&FlatCfg::new(&direct)?);
    let mut comparison = Comparison::new(&direct, &other, tree);
    Ok(match comparison.run() {
        Err(disagreement) => Agreement::Differs(disagreement),
        Ok(()) if comparison.is_same => Agreement::Same,
        Ok(()) => Agreement::Refines,
    })
}

/// Two forms under comparison.
struct Comparison<'f, D: Syntax> {
    direct: &'f Function<D>,
    other: &'f Function<D>,
    tree: DominatorTree,
    /// By phi of the direct form: its block, and its place there.
    phis: IdMap<Value, Option<(Block, usize)>>,
    /// The phis of the direct form that merge nothing but undefined values.
    undefined: IdSet<Value>,
    /// By value of the other form: the block from whose top or middle on it is there; `None` for globals.
    home: IdMap<Value, Option<Block>>,
    /// By phi of the other form: its block, and its place there.
    other_phis: IdMap<Value, Option<(Block, usize)>>,
    /// By value of the direct form.
    counterpart: IdMap<Value, Option<Value>>,
    /// The phis of the other form that are counterparts.
    taken: IdSet<Value>,
    /// Phis of the direct form whose operands are to be compared.
    work: Vec<Value>,
    /// Whether all counterparts are what they stand for, one to one.
    is_same: bool,
}

impl<'f, D: Syntax> Comparison<'f, D> {
    fn new(direct: &'f Function<D>, other: &'f Function<D>, tree: DominatorTree) -> Self {
        let counterpart = IdMap::filled(direct.num_values(), None);
        let (phis, other_phis) = (phis(direct), phis(other));
        let undefined = undefined_phis(direct, &tree);
        let home = other_phis.values().map(|phi| phi.map(|(block, _)| block)).collect();
        let (taken, work) = (IdSet::new(), Vec::new());
        Self { direct, other, tree, phis, undefined, home, other_phis, counterpart, taken, work, is_same: true }
    }

    fn run(&mut self) -> Result<(), Disagreement> {
        if self.direct.num_blocks() != self.other.num_blocks() || self.direct.entry() != self.other.entry() {
            return Err(Disagreement::Blocks);
        }
        // Unreachable code is never executed.
        let blocks: Vec<Block> = self.direct.blocks().filter(|&block| self.tree.is_reachable(block)).collect();
        blocks.iter().try_for_each(|&block| self.match_definitions(block))?;
        blocks.iter().try_for_each(|&block| self.match_uses(block))?;
        while let Some(phi) = self.work.pop() {
            self.match_operands(phi)?;
        }
        Ok(())
    }

    /// The same operations in the same order: their results are counterparts.
    fn match_definitions(&mut self, block: Block) -> Result<(), Disagreement> {
        let (direct, other) = (self.direct.block(block), self.other.block(block));
        if direct.incoming() != other.incoming() {
            return Err(Disagreement::Edges { block });
        }
        if direct.insts().len() != other.insts().len() {
            return Err(Disagreement::Instructions { block });
        }
        for (one, two) in direct.insts().iter().zip(other.insts().iter()) {
            if !are_alike(one, two) {
                return Err(Disagreement::Instructions { block });
            }
            // Results of a terminator are there from the top of its normal successor on.
            let home = two.targets.first().copied().unwrap_or(block);
            for pair in one.results.iter().zip(two.results) {
                if let (&Dest::Value(value), &Dest::Value(result)) = pair {
                    self.counterpart[value] = Some(result);
                    self.home[result] = Some(home);
                }
            }
        }
        Ok(())
    }

    fn match_uses(&mut self, block: Block) -> Result<(), Disagreement> {
        let (direct, other) = (self.direct.block(block), self.other.block(block));
        for (one, two) in direct.insts().iter().zip(other.insts().iter()) {
            for pair in one.args.iter().zip(two.args) {
                if let (&Arg::Value(value), &Arg::Value(used)) = pair {
                    self.match_value(block, value, used)?;
                }
            }
        }
        Ok(())
    }

    fn match_value(&mut self, block: Block, value: Value, used: Value) -> Result<(), Disagreement> {
        let (kind, kind_of_used) = (self.direct.value(value).kind, self.other.value(used).kind);
        let is_good = match (kind, self.counterpart[value]) {
            (ValueKind::Undefined, _) => {
                self.is_same &= kind_of_used == kind;
                true
            }
            (ValueKind::Param(_) | ValueKind::Constant(_), _) => kind_of_used == kind,
            (ValueKind::Phi, Some(counterpart)) if counterpart != used && self.undefined.contains(value) => {
                self.is_same = false;
                true
            }
            (_, Some(counterpart)) => counterpart == used,
            (ValueKind::Phi, None) => self.match_phi(value, used) || self.undefined.contains(value),
            _ => false,
        };
        if is_good { Ok(()) } else { Err(Disagreement::Values { block, direct: value, other: used }) }
    }

    /// Whether `used` may be the counterpart of the phi, if its operands agree.
    fn match_phi(&mut self, phi: Value, used: Value) -> bool {
        let Some((block, _)) = self.phis[phi] else { return false };
        let is_phi_here = self.other_phis[used].is_some_and(|(other, _)| other == block);
        self.is_same &= is_phi_here && self.taken.insert(used);
        self.counterpart[phi] = Some(used);
        self.work.push(phi);
        is_phi_here || self.home[used].is_none_or(|home| self.tree.strictly_dominates(home, block))
    }

    fn match_operands(&mut self, phi: Value) -> Result<(), Disagreement> {
        let (Some((block, index)), Some(used)) = (self.phis[phi], self.counterpart[phi]) else { return Ok(()) };
        let of_phi = operands(self.direct, block, index);
        let of_used = self.other_phis[used].filter(|&(other, _)| other == block);
        let of_used = of_used.map(|(_, index)| operands(self.other, block, index));
        for (place, edge) in self.direct.block(block).incoming().iter().enumerate() {
            if self.tree.is_reachable(edge.source) {
                let operand = of_used.map_or(used, |operands| operands[place]);
                self.match_value(block, of_phi[place], operand)?;
            }
        }
        Ok(())
    }
}

/// The phis that merge nothing but undefined values and one another, on edges that may be taken.
fn undefined_phis<D: Syntax>(function: &Function<D>, tree: &DominatorTree) -> IdSet<Value> {
    let (mut undefined, mut defined, mut uses) = (IdSet::new(), Vec::new(), Vec::new());
    for block in function.blocks().filter(|&block| tree.is_reachable(block)) {
        let block = function.block(block);
        for phi in block.phis().iter() {
            undefined.insert(phi.value);
            for (&operand, edge) in phi.operands.iter().zip(block.incoming()) {
                match function.value(operand).kind {
                    _ if !tree.is_reachable(edge.source) => {}
                    ValueKind::Undefined => {}
                    ValueKind::Phi => uses.push((operand, phi.value)),
                    _ => defined.push(phi.value),
                }
            }
        }
    }
    uses.sort_unstable();
    while let Some(phi) = defined.pop() {
        if undefined.remove(phi) {
            let first = uses.partition_point(|&(operand, _)| operand < phi);
            defined.extend(uses[first..].iter().take_while(|&&(operand, _)| operand == phi).map(|&(_, user)| user));
        }
    }
    undefined
}

/// By value, the block of the phi that it is, and its place there.
fn phis<D: Syntax>(function: &Function<D>) -> IdMap<Value, Option<(Block, usize)>> {
    let mut phis = IdMap::filled(function.num_values(), None);
    for block in function.blocks() {
        for (index, phi) in function.block(block).phis().iter().enumerate() {
            phis[phi.value] = Some((block, index));
        }
    }
    phis
}

/// The operands of phi number `index` of `block`; both are from [`phis`].
fn operands<D: Syntax>(function: &Function<D>, block: Block, index: usize) -> &[Value] {
    function.block(block).phis().get(index).map_or(&[], |phi| phi.operands)
}

/// Whether two instructions are the same but for their values.
fn are_alike<D: Syntax>(one: InstRef<'_, D>, two: InstRef<'_, D>) -> bool {
    let is_same_op = match (one.action, two.action) {
        (Action::Op(one), Action::Op(two)) => one == two,
        (Action::Copy, Action::Copy) => true,
        _ => false,
    };
    let has_values = |args: &[Arg], results: &[Dest]| {
        args.iter().all(|arg| matches!(arg, Arg::Value(_))) && results.iter().all(|dest| matches!(dest, Dest::Value(_)))
    };
    let lens = |inst: InstRef<'_, D>| (inst.args.len(), inst.results.len());
    let is_plain = has_values(one.args, one.results) && has_values(two.args, two.results);
    is_same_op && is_plain && lens(one) == lens(two) && one.targets == two.targets
}

//! The computations of a function, by value and by operator and arguments.
//!
//! A result may replace the same operation wherever its block dominates, as far as that is known while blocks are
//! filled: in its own block, and in blocks whose chain of [known dominators](SsaBuilder::known_dominator) passes it.
//!
//! Values are resolved when they are compared: an entry made before an argument was forwarded is found under the value
//! that the argument resolved to then, or missed.

use crate::calls::SsaBuilder;
use crate::thresholds::FoldThresholds;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdMap, Operator, PackedOption, Value, internal_id};

internal_id!(
    /// Number of a computation, in the order of instructions.
    pub(super) ComputationId, "computation"
);
internal_id!(
    /// Number of an entry of the table.
    EntryId, "entry"
);
internal_id!(
    /// Number of a use of a value by a computation.
    UserId, "user"
);

/// One operation that an instruction computes; its arguments are `args[start..start + len]`, as they were given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computation {
    pub(super) operator: Operator,
    pub(super) block: Block,
    pub(super) value: Value,
    start: u32,
    len: u32,
    pub(super) is_gone: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    computation: ComputationId,
    next: PackedOption<EntryId>,
}

#[derive(Clone, Copy, Debug)]
struct User {
    computation: ComputationId,
    next: PackedOption<UserId>,
}

/// An operation to look up; its arguments are resolved.
#[derive(Clone, Copy)]
pub(super) struct Expression<'a> {
    pub(super) operator: Operator,
    pub(super) args: &'a [Value],
    /// The operator that gives the same result for the two arguments exchanged.
    pub(super) exchanged: Option<Operator>,
}

/// The blocks whose computations are available in the current block.
#[derive(Clone, Debug, Default)]
struct Above {
    block: PackedOption<Block>,
    round: u32,
    /// By block: the last round in which it was above.
    rounds: IdMap<Block, u32>,
}

/// The computations of one function.
#[derive(Clone, Debug, Default)]
pub(super) struct Computations {
    thresholds: FoldThresholds,
    pub(super) list: IdMap<ComputationId, Computation>,
    args: Vec<Value>,
    /// By value: the computation of it.
    computed_by: IdMap<Value, PackedOption<ComputationId>>,
    entries: IdMap<EntryId, Entry>,
    /// A power of two of them, by the low bits of hashes.
    buckets: Vec<PackedOption<EntryId>>,
    users: IdMap<UserId, User>,
    /// By value: the last use.
    last_user: IdMap<Value, PackedOption<UserId>>,
    above: Above,
}

impl Computations {
    pub(super) fn new(thresholds: FoldThresholds) -> Self {
        Self { thresholds, ..Self::default() }
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.args.clear();
        self.computed_by.clear();
        self.entries.clear();
        self.buckets.clear();
        self.users.clear();
        self.last_user.clear();
        self.above.block = PackedOption::NONE;
        self.above.round = 0;
        self.above.rounds.clear();
    }

    pub(super) fn args(&self, computation: ComputationId) -> &[Value] {
        let Computation { start, len, .. } = self.list[computation];
        &self.args[start as usize..(start + len) as usize]
    }

    /// The operator and the arguments that compute `value`.
    pub(super) fn computation(&self, value: Value) -> Option<(Operator, &[Value])> {
        let computation = self.computed_by.get(value)?.expand()?;
        Some((self.list[computation].operator, self.args(computation)))
    }

    /// The block of the instruction that computes `value`.
    pub(super) fn block_of(&self, value: Value) -> Option<Block> {
        let computation = self.computed_by.get(value)?.expand()?;
        Some(self.list[computation].block)
    }

    /// An available result of the expression in `block`, and whether it is computed with the arguments exchanged.
    ///
    /// With `before`, a computation of `block`, only computations above it count.
    pub(super) fn find(
        &mut self,
        ssa: &mut impl SsaBuilder,
        block: Block,
        expression: Expression<'_>,
        before: Option<ComputationId>,
    ) -> Option<(Value, bool)> {
        let hash = hash(expression);
        let mut next = *self.buckets.get(hash as usize & self.buckets.len().wrapping_sub(1))?;
        for _ in 0..self.thresholds.entries {
            let entry = self.entries[next.expand()?];
            next = entry.next;
            let Computation { block: there, value, is_gone, .. } = self.list[entry.computation];
            let is_before = before.is_none_or(|before| there != block || entry.computation < before);
            if entry.hash != hash || is_gone || !is_before {
                continue;
            }
            match self.is_same(ssa, expression, entry.computation) {
                Some(is_exchanged) if self.above.is_above(ssa, there, block, self.thresholds.dominators) => {
                    return Some((value, is_exchanged));
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the arguments are exchanged, if the computation is one of the expression; `None` if it is not.
    fn is_same(
        &self,
        ssa: &mut impl SsaBuilder,
        expression: Expression<'_>,
        computation: ComputationId,
    ) -> Option<bool> {
        let (operator, args) = (self.list[computation].operator, self.args(computation));
        let Expression { operator: wanted, args: wanted_args, exchanged } = expression;
        let is_equal = args.len() == wanted_args.len()
            && args.iter().zip(wanted_args).all(|(&arg, &wanted)| ssa.resolve(arg) == wanted);
        if operator == wanted && is_equal {
            return Some(false);
        }
        match (args, wanted_args) {
            (&[a, b], &[x, y]) if exchanged == Some(operator) && ssa.resolve(a) == y && ssa.resolve(b) == x => {
                Some(true)
            }
            _ => None,
        }
    }

    /// Adds an instruction of `block`.
    pub(super) fn insert(
        &mut self,
        block: Block,
        expression: Expression<'_>,
        given: &[Value],
        value: Value,
    ) -> ComputationId {
        let (start, len) = (self.args.len() as u32, given.len() as u32);
        self.args.extend_from_slice(given);
        let operator = expression.operator;
        let computation = self.list.push(Computation { operator, block, value, start, len, is_gone: false });
        self.computed_by.grow_to(value, PackedOption::NONE);
        self.computed_by[value] = computation.into();
        self.enter(computation, expression);
        computation
    }

    /// Adds an instruction of `block` of which only the operator is known: it is never found for an expression.
    pub(super) fn insert_opaque(&mut self, block: Block, operator: Operator, value: Value) {
        let start = self.args.len() as u32;
        let computation = self.list.push(Computation { operator, block, value, start, len: 0, is_gone: false });
        self.computed_by.grow_to(value, PackedOption::NONE);
        self.computed_by[value] = computation.into();
    }

    /// Enters the computation in the table as one of the expression.
    pub(super) fn enter(&mut self, computation: ComputationId, expression: Expression<'_>) {
        if self.entries.len() >= self.buckets.len() {
            self.grow();
        }
        let hash = hash(expression);
        let index = hash as usize & (self.buckets.len() - 1);
        let entry = self.entries.push(Entry { hash, computation, next: self.buckets[index] });
        self.buckets[index] = entry.into();
    }

    fn grow(&mut self) {
        let len = (2 * self.buckets.len()).max(64);
        self.buckets.clear();
        self.buckets.resize(len, PackedOption::NONE);
        for entry in (0..self.entries.len()).map(EntryId::new) {
            let index = self.entries[entry].hash as usize & (len - 1);
            self.entries[entry].next = self.buckets[index].replace(entry);
        }
    }

    /// Notes that the computation uses `value`.
    pub(super) fn add_user(&mut self, value: Value, computation: ComputationId) {
        self.last_user.grow_to(value, PackedOption::NONE);
        let next = self.last_user[value];
        self.last_user[value] = self.users.push(User { computation, next }).into();
    }

    /// The computations that use `value`, the last one first.
    pub(super) fn users(&self, value: Value) -> impl Iterator<Item = ComputationId> + '_ {
        let mut next = self.last_user.get(value).copied().unwrap_or_default();
        core::iter::from_fn(move || {
            let user = self.users[next.expand()?];
            next = user.next;
            Some(user.computation)
        })
    }

    /// Notes that the instruction of the computation has been removed.
    pub(super) fn remove(&mut self, computation: ComputationId) {
        let data = &mut self.list[computation];
        data.is_gone = true;
        self.computed_by[data.value] = PackedOption::NONE;
    }
}

impl Above {
    /// Whether `there` dominates `block`, as far as that is known.
    fn is_above(&mut self, ssa: &impl SsaBuilder, there: Block, block: Block, most: u32) -> bool {
        if there == block {
            return true;
        }
        if self.block.expand() != Some(block) {
            self.climb(ssa, block, most);
        }
        self.rounds.get(there) == Some(&self.round)
    }

    /// Marks the nearest known dominators of `block`, at most `most`.
    fn climb(&mut self, ssa: &impl SsaBuilder, block: Block, most: u32) {
        self.block = block.into();
        self.round += 1;
        let mut at = block;
        for _ in 0..most {
            let Some(dominator) = ssa.known_dominator(at) else { return };
            self.rounds.grow_to(dominator, 0);
            self.rounds[dominator] = self.round;
            at = dominator;
        }
    }
}

/// A hash that is the same for an expression and for its form with exchanged arguments.
fn hash(expression: Expression<'_>) -> u32 {
    let Expression { operator, args, exchanged } = expression;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = |value: Value| value.index() as u64;
    let hash = match (exchanged, args) {
        (Some(exchanged), &[x, y]) => {
            let first = mix(mix(0, operator.index() as u64), number(x));
            let second = mix(mix(0, exchanged.index() as u64), number(y));
            // The sum is symmetric; each argument is mixed with the operator that takes it first.
            mix(first.wrapping_add(second), 2)
        }
        _ => args.iter().fold(mix(1, operator.index() as u64), |hash, &arg| mix(hash, number(arg))),
    };
    (hash >> 32) as u32
}

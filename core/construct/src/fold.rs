//! Optimization during construction: operations that need no instruction get none.
//!
//! A host that asks [`Folder::apply`] for the result of an operation gets, in this order: a constant, if all arguments
//! are constants; the value that an algebraic identity gives; the result of the same operation, if it was computed for the
//! same arguments where control has passed; or else what a new instruction computes.
//! [`Folder::terminate`] adds the one edge by which a branch on constants leaves, so that no edge leads to what it never
//! takes, and the front end need not build it ([`SsaBuilder::is_unreachable`]).
//!
//! What operations compute, the host says ([`FoldHost`]). A recording builder (`Certified`) notes each operation, and the
//! judge checks what became of it ([`Note`]).
//!
//! | Braun et al. 2013, section 3.1 | here |
//! |---|---|
//! | constant folding | [`FoldHost::evaluate`] |
//! | arithmetic simplification | [`FoldHost::simplify`] |
//! | common subexpression elimination | `table` |
//! | copy propagation | a read's value, written: [`SsaBuilder::write_variable`] |
//! | Fig. 4, a branch that is decided | [`Folder::terminate`] |
//! | a removed phi's users, optimized again | [`Folder::resimplify`] |
//!
//! # Complexity
//! O(arguments) expected for each operation, beside what the host's functions take. Lookups of common subexpressions
//! stop after [`LONGEST_CHAIN`] entries and [`MOST_DOMINATORS`] dominators: what they miss is computed again.
//!
//! # Departures
//! The paper folds in the constructors of instructions, which are the host's. An incomplete phi is opaque: nothing is
//! concluded from its operands until it is forwarded.

mod late;
mod table;

use crate::calls::SsaBuilder;
use crate::error::EdgeError;
use crate::host::{PhiHost, Placed, Shown, Uses};
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdError, Operator, Value, Variable};
use table::{Computations, Expression};

pub use table::{LONGEST_CHAIN, MOST_DOMINATORS};

/// The operations of a host, as far as folding asks about them.
///
/// The host numbers its operations, immediates included, by [`Operator`]s. An operation has one result; those with none or
/// several, and those that have an effect, are none of the folder's business: the host appends them itself.
///
/// # Contract
/// An answer may depend on the operator, on the constants among the arguments, and on which arguments are equal, but on nothing else about them.
pub trait FoldHost: PhiHost {
    /// Whether `value` is a constant of the host.
    ///
    /// The caller declares the constants that it passes as arguments ([`SsaBuilder::global`]), or a recording builder takes
    /// them for values without a definition; the folder declares those that [`evaluate`](Self::evaluate) and
    /// [`simplify`](Self::simplify) make.
    fn is_constant(&self, value: Value) -> bool;

    /// Whether `operator` computes the same result again where it was computed before for the same arguments, and does
    /// nothing else. It may trap: then it trapped before.
    fn is_repeatable(&self, operator: Operator) -> bool;

    /// The operator that gives the same result if its two arguments are exchanged: itself, if it is commutative.
    fn exchanged(&self, operator: Operator) -> Option<Operator>;

    /// The constant that `operator` gives for constants; `None` if it traps on them, or if the host does not say.
    ///
    /// * Called: by [`Folder::apply`] and [`Folder::resimplify`], if all arguments are constants.
    /// * State: the values are resolved.
    /// * May change: the host's constants.
    fn evaluate(&mut self, operator: Operator, args: &[Value]) -> Option<Value>;

    /// What `applied` is by an algebraic identity, if that is simpler; the arguments of another operator go into `args`, which is empty.
    ///
    /// * Called: as [`evaluate`](Self::evaluate), if some argument is not a constant, or if `evaluate` had no answer: first without, then with an argument that is seen
    ///   through, for each argument that an instruction of the folder computes.
    /// * State: the values are resolved, and in the order of the call: where arguments may be exchanged, an identity has
    ///   to be looked for in both orders.
    /// * May change: the host's constants.
    fn simplify(&mut self, applied: Applied<'_>, args: &mut Vec<Value>) -> Option<Simplified>;

    /// The slot by which a branch that does nothing else leaves its block, if it is decided by constants.
    ///
    /// * Called: by [`Folder::terminate`], if there are several targets.
    /// * State: the values are resolved, and all are constants.
    /// * May change: nothing.
    fn chosen_slot(&self, operator: Operator, args: &[Value], num_targets: usize) -> Option<u32>;

    /// Appends an instruction to `block`: its result.
    ///
    /// * Called: by [`Folder::apply`], if nothing else gives the result.
    /// * State: the arguments are as they were handed out, and may have been forwarded since: as for any other
    ///   instruction, the host resolves them when it writes the result.
    /// * May change: instructions of `block`, and the host's values.
    fn append(&mut self, block: Block, operator: Operator, args: &[Value]) -> Value;

    /// Takes note that the instruction which computes `value` has to go: the value has been replaced.
    ///
    /// * Called: by [`Folder::resimplify`]. The host may remove the instruction at once or later.
    /// * State: [`Ssa::resolve`](crate::Ssa::resolve) gives the value that is there instead.
    /// * May change: instructions.
    fn remove(&mut self, value: Value);
}

/// An operator, applied to values, one of which may be seen through: it is computed by an operator too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied<'a> {
    /// The operator.
    pub operator: Operator,
    /// Its arguments.
    pub args: &'a [Value],
    /// The index of the argument that is seen through, the operator that computes it, and that one's arguments.
    pub seen_through: Option<(usize, Operator, &'a [Value])>,
}

/// What something simpler is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simplified {
    /// One of the values that were applied, or a constant.
    Value(Value),
    /// Another operator, applied.
    Operator(Operator),
}

/// What a recording builder is told of an operation.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Note<'a> {
    /// An instruction computes `value`.
    Computed {
        /// The result.
        value: Value,
        /// The operator.
        operator: Operator,
        /// Its arguments.
        args: &'a [Value],
    },
    /// An operation gives `value`, which is there already.
    Folded {
        /// The result.
        value: Value,
        /// The operator.
        operator: Operator,
        /// Its arguments: what they stand for at this time, which is what was looked at.
        args: &'a [Value],
        /// By which law; `None` if `value` is computed by the same operator from the same arguments.
        law: Option<Law<'a>>,
    },
    /// An instruction has computed `old`, which is going to be replaced.
    FoldedLate {
        /// The result that is replaced.
        old: Value,
        /// By this value.
        new: Value,
        /// The arguments of the instruction: what they stand for at this time.
        args: &'a [Value],
        /// As for [`Note::Folded`].
        law: Option<Law<'a>>,
    },
    /// A branch leaves by one of its slots.
    Left {
        /// The operator.
        operator: Operator,
        /// Its arguments.
        args: &'a [Value],
        /// By which law.
        law: Law<'a>,
    },
}

/// An instance of a law about operators.
#[derive(Clone, Copy)]
pub struct Law<'a> {
    /// The left side.
    pub applied: Applied<'a>,
    /// The right side.
    pub replacement: Replacement<'a>,
    /// Whether a value is a constant: the law may be about it alone.
    pub is_constant: &'a dyn Fn(Value) -> bool,
}

/// The right side of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement<'a> {
    /// A value.
    Value(Value),
    /// An operator, applied to values.
    Operator(Operator, &'a [Value]),
    /// By which slot a branch leaves, of so many.
    Slot(u32, u32),
}

/// What is folded. All of it, by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FoldOptions {
    /// Operations on constants.
    pub constants: bool,
    /// Algebraic identities.
    pub identities: bool,
    /// Operations that were computed before.
    pub common: bool,
    /// Copies of values, by hosts that have instructions for them: copies of variables leave nothing in any case.
    pub copies: bool,
    /// Branches on constants.
    pub branches: bool,
    /// Operations on phis that turn out to be something else.
    pub late: bool,
}

impl FoldOptions {
    /// Nothing is folded.
    pub const NONE: Self =
        Self { constants: false, identities: false, common: false, copies: false, branches: false, late: false };
    /// Everything is.
    pub const ALL: Self =
        Self { constants: true, identities: true, common: true, copies: true, branches: true, late: true };
}

impl Default for FoldOptions {
    fn default() -> Self {
        Self::ALL
    }
}

/// How much was folded, in one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoldStats {
    /// Operations asked for.
    pub operations: u64,
    /// Operations on constants that became constants.
    pub constants: u64,
    /// Operations that became something simpler by an identity.
    pub identities: u64,
    /// Operations that were there already.
    pub common: u64,
    /// Branches that became jumps.
    pub branches: u64,
    /// Instructions removed after a phi that they used was forwarded.
    pub late: u64,
}

impl FoldStats {
    /// Operations that left no instruction of their own, and instructions that were removed.
    pub fn folded(&self) -> u64 {
        self.constants + self.identities + self.common + self.late
    }
}

impl core::ops::AddAssign for FoldStats {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.constants += other.constants;
        self.identities += other.identities;
        self.common += other.common;
        self.branches += other.branches;
        self.late += other.late;
    }
}

/// Folds operations during construction.
///
/// It drives a builder from outside, and needs its `known_dominator` alone; so it works with any engine.
///
/// # Contract
/// Operations are applied to the block that is being filled, in the order of its code. Every operation that may be
/// folded goes through [`apply`](Self::apply). Every call of the builder that takes the host may forward a phi: it is
/// given [`watch`](Self::watch) of the host, or what uses the phi is not simplified late. [`clear`](Self::clear) comes
/// before each function.
///
/// # Examples
/// ```
/// use ssaphire::fold::{Applied, FoldHost, FoldOptions, Folder, Simplified};
/// use ssaphire::{Block, Builder, Operator, PhiHost, SsaBuilder, Value, Variable};
///
/// const ADD: Operator = Operator::new(0);
///
/// /// Values are constants, or instructions that add.
/// #[derive(Default)]
/// struct Host { values: Vec<Option<i64>> }
///
/// impl Host {
///     fn value(&mut self, constant: Option<i64>) -> Value {
///         self.values.push(constant);
///         Value::new(self.values.len() - 1)
///     }
/// }
///
/// impl PhiHost for Host {
///     fn new_phi(&mut self, _: Block, _: Variable) -> Value { self.value(None) }
///     fn undefined(&mut self, _: Variable) -> Value { self.value(None) }
/// }
///
/// impl FoldHost for Host {
///     fn is_constant(&self, value: Value) -> bool { self.values[value.index()].is_some() }
///     fn is_repeatable(&self, _: Operator) -> bool { true }
///     fn exchanged(&self, operator: Operator) -> Option<Operator> { Some(operator) }
///     fn evaluate(&mut self, _: Operator, args: &[Value]) -> Option<Value> {
///         let sum = args.iter().map(|&arg| self.values[arg.index()]).sum::<Option<i64>>()?;
///         Some(self.value(Some(sum)))
///     }
///     fn simplify(&mut self, applied: Applied<'_>, _: &mut Vec<Value>) -> Option<Simplified> {
///         let &[x, y] = applied.args else { return None };
///         (self.values[y.index()] == Some(0)).then_some(Simplified::Value(x)) // x + 0
///     }
///     fn chosen_slot(&self, _: Operator, _: &[Value], _: usize) -> Option<u32> { None }
///     fn append(&mut self, _: Block, _: Operator, _: &[Value]) -> Value { self.value(None) }
///     fn remove(&mut self, _: Value) {}
/// }
///
/// let (mut host, mut ssa, mut folder) = (Host::default(), Builder::default(), Folder::new(FoldOptions::ALL));
/// let (entry, [x, zero, one]) = (Block::new(0), [None, Some(0), Some(1)].map(|constant| host.value(constant)));
/// assert_eq!(folder.apply(&mut ssa, &mut host, entry, ADD, &[x, zero])?, x);
/// let sum = folder.apply(&mut ssa, &mut host, entry, ADD, &[x, one])?;
/// assert_eq!(folder.apply(&mut ssa, &mut host, entry, ADD, &[one, x])?, sum);
/// assert_eq!((folder.stats().identities, folder.stats().common), (1, 1));
/// # Ok::<(), ssaphire::IdError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Folder {
    options: FoldOptions,
    stats: FoldStats,
    computations: Computations,
    /// Values that were forwarded or replaced, to whose users nobody has looked since.
    forwarded: Vec<Value>,
    /// Values that are computed, and that folded operations do not use.
    maybe_unused: Vec<Value>,
    /// The arguments at hand, those of one that is seen through, and those of a simpler operator.
    args: Arguments,
    inner: Arguments,
    simpler: Arguments,
}

/// Some values, as they were handed out, and what they stand for so far.
///
/// What is handed out again is what was handed out before: a recording builder may have heard of nothing else.
#[derive(Clone, Debug, Default)]
struct Arguments {
    given: Vec<Value>,
    resolved: Vec<Value>,
}

impl Arguments {
    fn set(&mut self, ssa: &mut impl SsaBuilder, args: &[Value]) {
        self.given.clear();
        self.given.extend_from_slice(args);
        self.resolved.clear();
        self.resolved.extend(args.iter().map(|&arg| ssa.resolve(arg)));
    }

    /// As what this value was given, if it is one of these.
    fn as_given(&self, resolved: Value) -> Option<Value> {
        let place = self.resolved.iter().position(|&arg| arg == resolved)?;
        self.given.get(place).copied()
    }
}

/// What an operation is, before it is known whether an instruction is needed.
enum Found {
    /// A value, as it was given, and what it stands for.
    Value(Value, Value),
    /// Another operator, applied to the arguments in `simplified`.
    Operator(Operator),
    Nothing,
}

/// How much of an operation was looked at when it was found simpler.
#[derive(Clone, Copy)]
enum Seen {
    Arguments,
    /// And how the argument of this index is computed, from the arguments in `inner`.
    Through(usize, Operator),
}

impl Folder {
    /// A folder for functions, one after the other.
    pub fn new(options: FoldOptions) -> Self {
        Self {
            options,
            stats: FoldStats::default(),
            computations: Computations::default(),
            forwarded: Vec::new(),
            maybe_unused: Vec::new(),
            args: Arguments::default(),
            inner: Arguments::default(),
            simpler: Arguments::default(),
        }
    }

    /// What is folded.
    pub fn options(&self) -> FoldOptions {
        self.options
    }

    /// How much was folded since the last [`clear`](Self::clear).
    pub fn stats(&self) -> &FoldStats {
        &self.stats
    }

    /// By which operator, and from which arguments, the value is computed: as they were given, and forwarded since
    /// perhaps. `None` if no instruction that may be [repeated](FoldHost::is_repeatable) computes it.
    ///
    /// For hosts that know more laws than values tell: of branches on what is negated, for instance.
    pub fn computation(&self, value: Value) -> Option<(Operator, &[Value])> {
        self.computations.computation(value)
    }

    /// Values that are computed, and that operations folded since would have used: each may not be needed any more.
    pub fn maybe_unused(&self) -> &[Value] {
        &self.maybe_unused
    }

    /// The block of the instruction that computes the value, if [`computation`](Self::computation) knows of one.
    pub fn computed_in(&self, value: Value) -> Option<Block> {
        self.computations.block_of(value)
    }

    /// Forgets the function; keeps memory and options.
    pub fn clear(&mut self) {
        self.stats = FoldStats::default();
        self.computations.clear();
        self.forwarded.clear();
        self.maybe_unused.clear();
    }

    /// The host, to be given to calls of a builder: the folder takes note of what they forward.
    pub fn watch<'a>(&'a mut self, host: &'a mut dyn PhiHost) -> Watched<'a> {
        Watched { host, forwarded: if self.options.late { Some(&mut self.forwarded) } else { None } }
    }

    /// The value that `operator` gives for `args` at this point of `block`.
    ///
    /// # Errors
    /// If the builder records, and what the host appended is not below the limit of values.
    ///
    /// # Complexity
    /// O(arguments) expected, and what the host takes for at most one simplification for each argument.
    pub fn apply(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        block: Block,
        operator: Operator,
        args: &[Value],
    ) -> Result<Value, IdError> {
        self.stats.operations += 1;
        self.args.set(ssa, args);
        match self.simplify(ssa, host, operator)? {
            (Found::Value(value, resolved), seen) => {
                self.note_folded(ssa, host, block, (operator, value), Replacement::Value(resolved), seen)?;
                Ok(value)
            }
            (Found::Operator(simpler), seen) => self.compute_simpler(ssa, host, block, operator, simpler, seen),
            (Found::Nothing, _) => {
                let args = core::mem::take(&mut self.args);
                let value = self.compute(ssa, host, block, operator, &args);
                self.args = args;
                value
            }
        }
    }

    /// Fills `block`, which ends in a branch that does nothing but choose a target: the slot that it chooses, whose edge alone is added; or
    /// `None`, if all are.
    ///
    /// The host ends its block accordingly: by a jump to the one target, or by the branch.
    ///
    /// # Errors
    /// As [`SsaBuilder::try_terminate`].
    ///
    /// # Complexity
    /// O(arguments and targets).
    pub fn terminate(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &impl FoldHost,
        block: Block,
        (operator, args): (Operator, &[Value]),
        targets: &[Block],
    ) -> Result<Option<u32>, EdgeError> {
        self.args.set(ssa, args);
        let resolved = &self.args.resolved;
        let is_decided = self.options.branches && targets.len() > 1 && all_constant(host, resolved);
        let slot = if is_decided { host.chosen_slot(operator, resolved, targets.len()) } else { None };
        let Some((slot, &target)) = slot.and_then(|slot| Some((slot, targets.get(slot as usize)?))) else {
            ssa.try_terminate(block, targets)?;
            return Ok(None);
        };
        ssa.try_terminate(block, &[target])?;
        self.stats.branches += 1;
        let applied = Applied { operator, args: &self.args.resolved, seen_through: None };
        let replacement = Replacement::Slot(slot, targets.len() as u32);
        let law = Law { applied, replacement, is_constant: &|value| host.is_constant(value) };
        // The block is below its limit, since it was filled, and nothing else is numbered here.
        let _ = ssa.try_note(block, Note::Left { operator, args, law });
        Ok(Some(slot))
    }

    /// What `operator`, applied to the arguments at hand, is by a table of constants or an identity.
    fn simplify(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        operator: Operator,
    ) -> Result<(Found, Seen), IdError> {
        let (found, seen) = self.look_up_law(ssa, host, operator);
        let Self { args, inner, simpler, computations, maybe_unused, .. } = self;
        let mut as_given = |value: Value| {
            if host.is_constant(value) {
                // A law may have made a constant that nobody has told the builder of.
                return ssa.try_global(value).map(|()| value);
            }
            let given = match seen {
                Seen::Arguments => args.as_given(value),
                Seen::Through(..) => args.as_given(value).or_else(|| inner.as_given(value)),
            };
            Ok(given.unwrap_or(value))
        };
        let found = match found {
            Found::Value(_, value) => Found::Value(as_given(value)?, value),
            Found::Operator(operator) => {
                simpler.given.clear();
                for &arg in &simpler.resolved {
                    simpler.given.push(as_given(arg)?);
                }
                Found::Operator(operator)
            }
            Found::Nothing => return Ok((Found::Nothing, seen)),
        };
        let is_computed = |arg: &&Value| computations.computation(**arg).is_some();
        maybe_unused.extend(args.resolved.iter().filter(is_computed));
        Ok((found, seen))
    }

    /// What [`simplify`](Self::simplify) finds, in terms of what values stand for.
    fn look_up_law(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        operator: Operator,
    ) -> (Found, Seen) {
        let Self { options, stats, args, inner, simpler, computations, .. } = self;
        let args = &args.resolved;
        let is_constant = options.constants && all_constant(host, args);
        if let Some(value) = if is_constant { host.evaluate(operator, args) } else { None } {
            stats.constants += 1;
            return (Found::Value(value, value), Seen::Arguments);
        }
        if !options.identities {
            return (Found::Nothing, Seen::Arguments);
        }
        simpler.resolved.clear();
        let applied = Applied { operator, args, seen_through: None };
        if let Some(simplified) = host.simplify(applied, &mut simpler.resolved) {
            stats.identities += 1;
            return (simplified.into(), Seen::Arguments);
        }
        for (index, &arg) in args.iter().enumerate() {
            let Some((inside, inside_args)) = computations.computation(arg) else { continue };
            inner.set(ssa, inside_args);
            let applied = Applied { operator, args, seen_through: Some((index, inside, &inner.resolved)) };
            if let Some(simplified) = host.simplify(applied, &mut simpler.resolved) {
                stats.identities += 1;
                return (simplified.into(), Seen::Through(index, inside));
            }
        }
        (Found::Nothing, Seen::Arguments)
    }

    /// The result of a simpler operation: computed before or by a new instruction; and a note that `operator` gives it too.
    fn compute_simpler(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        block: Block,
        operator: Operator,
        simpler: Operator,
        seen: Seen,
    ) -> Result<Value, IdError> {
        let args = core::mem::take(&mut self.simpler);
        let value = self.compute(ssa, host, block, simpler, &args);
        self.simpler = args;
        let value = value?;
        // What was found may be computed with its arguments exchanged: the law is about what is there.
        let (found, found_args) = self.computations.computation(value).unwrap_or((simpler, &self.simpler.resolved));
        let found_args: Vec<Value> = found_args.iter().map(|&arg| ssa.resolve(arg)).collect();
        let replacement = Replacement::Operator(found, &found_args);
        self.note_folded(ssa, host, block, (operator, value), replacement, seen)?;
        Ok(value)
    }

    /// The result of the operation where it was computed before, or that of a new instruction.
    fn compute(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        block: Block,
        operator: Operator,
        args: &Arguments,
    ) -> Result<Value, IdError> {
        let exchanged = exchanged(host, operator, &args.resolved);
        let expression = Expression { operator, args: &args.resolved, exchanged };
        let is_repeatable = host.is_repeatable(operator);
        let found = if self.options.common && is_repeatable {
            self.computations.find(ssa, block, expression, None)
        } else {
            None
        };
        if let Some((value, is_exchanged)) = found {
            self.stats.common += 1;
            note_common(ssa, host, block, expression, value, is_exchanged)?;
            return Ok(value);
        }
        let value = host.append(block, operator, &args.given);
        if is_repeatable {
            self.computations.insert(block, expression, &args.given, value, self.options.late);
        }
        ssa.try_note(block, Note::Computed { value, operator, args: &args.given })?;
        Ok(value)
    }

    /// Notes that the arguments at hand give a value by a law.
    fn note_folded(
        &self,
        ssa: &mut impl SsaBuilder,
        host: &impl FoldHost,
        block: Block,
        (operator, value): (Operator, Value),
        replacement: Replacement<'_>,
        seen: Seen,
    ) -> Result<(), IdError> {
        let law =
            Law { applied: self.applied(operator, seen), replacement, is_constant: &|value| host.is_constant(value) };
        ssa.try_note(block, Note::Folded { value, operator, args: &self.args.resolved, law: Some(law) })
    }

    /// The arguments at hand, applied.
    fn applied(&self, operator: Operator, seen: Seen) -> Applied<'_> {
        let seen_through = match seen {
            Seen::Arguments => None,
            Seen::Through(index, inner) => Some((index, inner, &*self.inner.resolved)),
        };
        Applied { operator, args: &self.args.resolved, seen_through }
    }
}

/// Notes that an operation is there already, perhaps with its arguments exchanged.
fn note_common(
    ssa: &mut impl SsaBuilder,
    host: &impl FoldHost,
    block: Block,
    expression: Expression<'_>,
    value: Value,
    is_exchanged: bool,
) -> Result<(), IdError> {
    let is_constant = |value: Value| host.is_constant(value);
    let turned = exchanged_args(expression.args);
    let law = if is_exchanged { exchange_law(expression, &turned, &is_constant) } else { None };
    ssa.try_note(block, Note::Folded { value, operator: expression.operator, args: expression.args, law })
}

/// The law that two arguments may be exchanged.
fn exchange_law<'a>(
    expression: Expression<'a>,
    turned: &'a [Value],
    is_constant: &'a dyn Fn(Value) -> bool,
) -> Option<Law<'a>> {
    let Expression { operator, args, exchanged } = expression;
    let applied = Applied { operator, args, seen_through: None };
    Some(Law { applied, replacement: Replacement::Operator(exchanged?, turned), is_constant })
}

impl From<Simplified> for Found {
    fn from(simplified: Simplified) -> Self {
        match simplified {
            Simplified::Value(value) => Self::Value(value, value),
            Simplified::Operator(operator) => Self::Operator(operator),
        }
    }
}

fn all_constant(host: &impl FoldHost, args: &[Value]) -> bool {
    args.iter().all(|&arg| host.is_constant(arg))
}

/// The operator for exchanged arguments, if there are two.
fn exchanged(host: &impl FoldHost, operator: Operator, args: &[Value]) -> Option<Operator> {
    if args.len() == 2 { host.exchanged(operator) } else { None }
}

/// Two arguments, exchanged; of any other number, nothing that matters.
fn exchanged_args(args: &[Value]) -> [Value; 2] {
    match *args {
        [first, second] => [second, first],
        _ => [Value::new(0); 2],
    }
}

/// A host, whose builder's forwardings a [`Folder`] takes note of.
pub struct Watched<'a> {
    host: &'a mut dyn PhiHost,
    forwarded: Option<&'a mut Vec<Value>>,
}

impl PhiHost for Watched<'_> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        self.host.new_phi(block, variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.host.undefined(variable)
    }

    fn forwarded(&mut self, from: Value, to: Value) {
        if let Some(forwarded) = &mut self.forwarded {
            forwarded.push(from);
        }
        self.host.forwarded(from, to);
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        self.host.visit_code(visit)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.host.visit_uses(visit)
    }

    fn is_strict(&self) -> bool {
        self.host.is_strict()
    }
}

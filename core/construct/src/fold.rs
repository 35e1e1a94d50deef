//! Optimization during construction: constant folding, algebraic identities, common subexpressions, decided branches.
//!
//! A host that asks [`Folder::apply`] for the result of an operation gets, in this order: a constant, if all arguments
//! are constants; the value that an algebraic identity gives; the result of the same operation on the same arguments in
//! a known dominator; or else the result of a new instruction.
//! For a branch on constants, [`Folder::terminate`] adds only the edge that it takes. So no edge enters blocks that it
//! never takes, and the front end need not build them ([`SsaBuilder::is_unreachable`]).
//!
//! The host defines the operations ([`FoldHost`]). A recording builder (`Certified`) notes each operation, and the
//! judge checks its outcome ([`Note`]).
//!
//! | Braun et al. 2013, section 3.1 | here |
//! |---|---|
//! | constant folding | [`FoldHost::evaluate`] |
//! | arithmetic simplification | [`FoldHost::simplify`] |
//! | common subexpression elimination | `table` |
//! | copy propagation | a read's value, written: [`try_write_variable`](SsaBuilder::try_write_variable) |
//! | Fig. 4, a branch that is decided | [`Folder::terminate`] |
//! | a removed phi's users, optimized again | [`Folder::resimplify`] |
//!
//! # Complexity
//! O(arguments) expected for each operation, besides the host's functions. Lookups of common subexpressions stop after
//! as many entries and dominators as [`FoldThresholds`] allow; an operation that they miss is computed again.
//!
//! # Departures
//! The paper folds in the constructors of instructions, which belong to the host here. An incomplete phi is opaque: the
//! folder concludes nothing from its operands until it is forwarded.

mod arguments;
mod host;
mod late;
mod options;
mod table;
mod watched;

use crate::calls::SsaBuilder;
use crate::error::CallError;
use crate::host::PhiHost;
use alloc::vec::Vec;
use arguments::{Arguments, exchanged_args};
use ssaphire_graph::{Block, Operator, Value};
use table::{Computations, Expression};

pub use crate::note::{Applied, Law, Note, Replacement};
pub use crate::thresholds::FoldThresholds;
pub use host::{FoldHost, Simplified};
pub use options::{FoldOptions, FoldStats};
pub use watched::Watched;

/// Folds operations during construction.
///
/// It drives a builder from outside and relies only on its `known_dominator`, so it works with any engine.
///
/// # Contract
/// Operations are applied to the block that is being filled, in the order of its code. Every operation that may be
/// folded goes through [`apply`](Self::apply). Every call of the builder that takes the host may forward a phi: pass it
/// [`watch`](Self::watch) of the host, or users of the phi are not simplified late. Call [`clear`](Self::clear) before
/// each function.
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
/// # Ok::<(), ssaphire::CallError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Folder {
    options: FoldOptions,
    stats: FoldStats,
    computations: Computations,
    /// Values that were forwarded or replaced, and whose users have not been revisited since.
    forwarded: Vec<Value>,
    /// Computed arguments of folded operations: these operations do not use them.
    maybe_unused: Vec<Value>,
    /// The arguments of the current operation, of one that is seen through to, and of a simpler one.
    args: Arguments,
    inner: Arguments,
    simpler: Arguments,
}

/// The result of looking for a simpler form of an operation.
enum Found {
    /// A value, as it was given, and the value it resolves to.
    Value(Value, Value),
    /// Another operator, applied to the arguments in `simplified`.
    Operator(Operator),
    Nothing,
}

/// The part of an operation that a simplification is based on.
#[derive(Clone, Copy)]
enum Seen {
    Arguments,
    /// Also the operator that computes the argument with this index, from the arguments in `inner`.
    Through(usize, Operator),
}

impl Folder {
    /// Creates a folder; it serves any number of functions, one after the other.
    pub fn new(options: FoldOptions) -> Self {
        Self {
            options,
            stats: FoldStats::default(),
            computations: Computations::new(options.thresholds),
            forwarded: Vec::new(),
            maybe_unused: Vec::new(),
            args: Arguments::default(),
            inner: Arguments::default(),
            simpler: Arguments::default(),
        }
    }

    /// The kinds of operations that are folded.
    pub fn options(&self) -> FoldOptions {
        self.options
    }

    /// The counters since the last [`clear`](Self::clear).
    pub fn stats(&self) -> &FoldStats {
        &self.stats
    }

    /// The operator and the arguments that compute the value; the arguments as given, so they may have been forwarded
    /// since. `None` if no instruction that may be [repeated](FoldHost::is_repeatable) computes it.
    ///
    /// For hosts with further laws, such as one for a branch on a negated value.
    pub fn computation(&self, value: Value) -> Option<(Operator, &[Value])> {
        self.computations.computation(value)
    }

    /// Computed values that operations folded since then would have used: each may be unused now.
    pub fn maybe_unused(&self) -> &[Value] {
        &self.maybe_unused
    }

    /// The block of the instruction that computes the value, if [`computation`](Self::computation) has one.
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

    /// A wrapper of the host for calls of a builder: the folder notes the values that they forward.
    pub fn watch<'a>(&'a mut self, host: &'a mut dyn PhiHost) -> Watched<'a> {
        Watched::new(host, if self.options.late { Some(&mut self.forwarded) } else { None })
    }

    /// The value that `operator` gives for `args` at this point of `block`.
    ///
    /// # Errors
    /// If the builder records, and the value that the host appended is not below its limit.
    ///
    /// # Complexity
    /// O(arguments) expected, plus the host's time for at most one simplification per argument.
    pub fn apply(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        block: Block,
        operator: Operator,
        args: &[Value],
    ) -> Result<Value, CallError> {
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

    /// Notes that an instruction of the host computes `value` with `operator`, from more than its arguments: it is
    /// never folded, but a law may see through it. A load of a byte, say, is below 256.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    ///
    /// # Complexity
    /// O(1) amortized.
    pub fn note_opaque(
        &mut self,
        ssa: &mut impl SsaBuilder,
        block: Block,
        value: Value,
        operator: Operator,
    ) -> Result<(), CallError> {
        if self.options.identities {
            self.computations.insert_opaque(block, operator, value);
        }
        note(ssa, block, Note::Opaque { value, operator })
    }

    /// Fills `block`, which ends in a branch that only chooses a target; returns the chosen slot if it is decided, and
    /// adds only its edge. If it returns `None`, all edges are added. The host ends its block with a jump or with the
    /// branch.
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
    ) -> Result<Option<u32>, CallError> {
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
        let _ = note(ssa, block, Note::Left { operator, args, targets, law });
        Ok(Some(slot))
    }

    /// Simplifies `operator`, applied to the current arguments, by constant evaluation or an identity.
    fn simplify(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        operator: Operator,
    ) -> Result<(Found, Seen), CallError> {
        let (found, seen) = self.look_up_law(ssa, host, operator);
        let Self { args, inner, simpler, computations, maybe_unused, .. } = self;
        let mut as_given = |value: Value| {
            if host.is_constant(value) {
                // A law may have made a constant that has not been declared to the builder.
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

    /// The result of [`simplify`](Self::simplify), in resolved values.
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
            if !host.may_see_through(operator, index, inside) {
                continue;
            }
            inner.set(ssa, inside_args);
            let applied = Applied { operator, args, seen_through: Some((index, inside, &inner.resolved)) };
            if let Some(simplified) = host.simplify(applied, &mut simpler.resolved) {
                stats.identities += 1;
                return (simplified.into(), Seen::Through(index, inside));
            }
        }
        (Found::Nothing, Seen::Arguments)
    }

    /// The result of a simpler operation, found or from a new instruction; notes that `operator` gives it, too.
    fn compute_simpler(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        block: Block,
        operator: Operator,
        simpler: Operator,
        seen: Seen,
    ) -> Result<Value, CallError> {
        let args = core::mem::take(&mut self.simpler);
        let value = self.compute(ssa, host, block, simpler, &args);
        self.simpler = args;
        let value = value?;
        // The value found may be computed with exchanged arguments: the law is about the existing instruction.
        let mut found = simpler;
        if let Some((operator, args)) = self.computations.computation(value) {
            found = operator;
            self.simpler.resolved.clear();
            self.simpler.resolved.extend(args.iter().map(|&arg| ssa.resolve(arg)));
        }
        let replacement = Replacement::Operator(found, &self.simpler.resolved);
        self.note_folded(ssa, host, block, (operator, value), replacement, seen)?;
        Ok(value)
    }

    /// The earlier result of the same operation, or that of a new instruction.
    fn compute(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        block: Block,
        operator: Operator,
        args: &Arguments,
    ) -> Result<Value, CallError> {
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
            note_common(ssa, host, block, (expression, &args.given), value, is_exchanged)?;
            return Ok(value);
        }
        let value = host.append(block, operator, &args.given);
        if is_repeatable {
            let computation = self.computations.insert(block, expression, &args.given, value);
            if self.options.late {
                let may_be_forwarded = |arg: &&Value| !host.is_constant(**arg);
                args.resolved
                    .iter()
                    .filter(may_be_forwarded)
                    .for_each(|&arg| self.computations.add_user(arg, computation));
            }
        }
        note(ssa, block, Note::Computed { value, operator, args: &args.given })?;
        Ok(value)
    }

    /// Notes that the operator and the current arguments give a value by a law.
    fn note_folded(
        &self,
        ssa: &mut impl SsaBuilder,
        host: &impl FoldHost,
        block: Block,
        (operator, value): (Operator, Value),
        replacement: Replacement<'_>,
        seen: Seen,
    ) -> Result<(), CallError> {
        let law =
            Law { applied: self.applied(operator, seen), replacement, is_constant: &|value| host.is_constant(value) };
        note(ssa, block, Note::Folded { value, operator, args: &self.args.given, law: Some(law) })
    }

    /// The operator, applied to the current arguments.
    fn applied(&self, operator: Operator, seen: Seen) -> Applied<'_> {
        let seen_through = match seen {
            Seen::Arguments => None,
            Seen::Through(index, inner) => Some((index, inner, &*self.inner.resolved)),
        };
        Applied { operator, args: &self.args.resolved, seen_through }
    }
}

/// Notes that an operation was computed before, perhaps with its arguments exchanged.
fn note_common(
    ssa: &mut impl SsaBuilder,
    host: &impl FoldHost,
    block: Block,
    (expression, given): (Expression<'_>, &[Value]),
    value: Value,
    is_exchanged: bool,
) -> Result<(), CallError> {
    let is_constant = |value: Value| host.is_constant(value);
    let turned = exchanged_args(expression.args);
    let law = if is_exchanged { exchange_law(expression, &turned, &is_constant) } else { None };
    note(ssa, block, Note::Folded { value, operator: expression.operator, args: given, law })
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

/// Passes the note to the builder's recorder, if it records.
fn note(ssa: &mut impl SsaBuilder, block: Block, note: Note<'_>) -> Result<(), CallError> {
    ssa.recorder().map_or(Ok(()), |recorder| recorder.record_note(block, note))
}

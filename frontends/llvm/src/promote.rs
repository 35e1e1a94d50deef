//! Promotion of slots: rounds of variables and SSA construction.

mod clean_up;

use crate::function::LlvmFunction;
use crate::promise;
use crate::variables::{Loads, to_variables};
use ssaphire::graph::IdMap;
use ssaphire::{Certified, SsaBuilder, Value};
use ssaphire_ir::{Action, Arg, BuildError, Dest, Function, InstRef, to_ssa};

use crate::dialect::Llvm;

/// The rounds of promotion that a function gets at most, so that a chain of slots that hold each other's addresses takes linear time.
/// LLVM has no such limit; what clang and rustc write takes two.
pub const MOST_ROUNDS: u32 = 16;

/// What becomes of a phi of one value and undefined ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undefined {
    /// It is the value, as in LLVM.
    Folded,
    /// It stays.
    Kept,
}

impl LlvmFunction {
    /// The function with its promotable slots as variables, for any way of SSA construction; `None` if it has none.
    ///
    /// # Errors
    /// If the graph breaks the contract.
    ///
    /// # Complexity
    /// O(*n* log *n*) for a function of size *n*.
    pub fn to_variables(&self) -> Result<Option<Self>, BuildError> {
        Ok(to_variables(self, Loads::Variables)?)
    }

    /// [`to_variables`](Self::to_variables) with no variables but slots: each load is a copy from a variable to a value. For counting what
    /// there is to construct; a construction of this form may leave phis that merge copies of one value.
    ///
    /// # Errors
    /// As [`to_variables`](Self::to_variables).
    pub fn to_slot_variables(&self) -> Result<Option<Self>, BuildError> {
        Ok(to_variables(self, Loads::Values)?)
    }

    /// The function as LLVM leaves it, after SSA construction of its [variables](Self::to_variables): without copies, and without phis
    /// of one value and undefined ones, or of one value alone.
    ///
    /// # Errors
    /// If the graph breaks the contract.
    pub fn cleaned(self) -> Result<Self, BuildError> {
        let mut function = self.cleaned_of(Undefined::Folded)?;
        promise::spell(&mut function)?;
        Ok(function)
    }

    pub(crate) fn cleaned_of(self, undefined: Undefined) -> Result<Self, BuildError> {
        let mut function = self;
        remove_copies(&mut function.body);
        clean_up::clean_up(&mut function, undefined)?;
        function.body.canonicalize();
        Ok(function)
    }

    /// The function with all slots promoted that can be, in up to [`MOST_ROUNDS`] rounds: a promotion may make others promotable.
    /// `None` if no slot is promotable. `ssa` can certify the last round.
    ///
    /// # Errors
    /// If the graph breaks the contract, or the work limit is exceeded.
    pub fn promote<B: SsaBuilder>(&self, ssa: &mut Certified<B>) -> Result<Option<Self>, BuildError> {
        let mut promoted: Option<Self> = None;
        for _ in 0..MOST_ROUNDS {
            let Some(variables) = promoted.as_ref().unwrap_or(self).to_variables()? else { break };
            let body = to_ssa(&variables.body, ssa)?;
            promoted = Some(Self { frame: variables.frame, body }.cleaned()?);
        }
        Ok(promoted)
    }
}

/// Replaces each copy of a value with the value.
pub(crate) fn remove_copies(function: &mut Function<Llvm>) {
    let mut source: IdMap<Value, Option<Value>> = IdMap::new();
    let mut blocks = Vec::new();
    for block in function.blocks() {
        for (copy, value) in function.block(block).insts().iter().filter_map(|inst| copied(&inst)) {
            if blocks.is_empty() {
                source.reset(function.num_values(), None);
            }
            if blocks.last() != Some(&block) {
                blocks.push(block);
            }
            source[copy] = Some(value);
        }
    }
    if blocks.is_empty() {
        return;
    }
    // What is copied is no copy: reads give what was written, and only phis use copies.
    function.map_uses(|value| source.get(value).copied().flatten().unwrap_or(value));
    for block in blocks {
        function.retain_insts(block, |inst| copied(&inst).is_none());
    }
}

/// The result and the source of a copy.
fn copied(inst: &InstRef<'_, Llvm>) -> Option<(Value, Value)> {
    match (inst.action, inst.results, inst.args) {
        (Action::Copy, &[Dest::Value(copy)], &[Arg::Value(source)]) => Some((copy, source)),
        _ => None,
    }
}

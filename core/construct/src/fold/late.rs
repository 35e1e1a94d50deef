//! Late simplification, after a phi that an operation uses was forwarded, or a value replaced.

use super::arguments::exchanged_args;
use super::table::{ComputationId, Expression};
use super::{FoldHost, Folder, Found, Law, Note, Replacement, exchange_law, exchanged, note};
use crate::calls::SsaBuilder;
use crate::error::CallError;
use alloc::vec::Vec;
use ssaphire_graph::Value;

impl Folder {
    /// Revisits the users of values forwarded since the last call: replaces ([`try_replace`](SsaBuilder::try_replace)) and
    /// [removes](FoldHost::remove) the instructions that have become simpler, then revisits their users in turn.
    ///
    /// A good time to call it is after sealing a block with incomplete phis.
    ///
    /// # Errors
    /// As [`try_replace`](SsaBuilder::try_replace).
    ///
    /// # Complexity
    /// O(uses of forwarded values), times the cost of [`apply`](Self::apply).
    pub fn resimplify(&mut self, ssa: &mut impl SsaBuilder, host: &mut impl FoldHost) -> Result<(), CallError> {
        let mut users: Vec<ComputationId> = Vec::new();
        while let Some(value) = self.forwarded.pop() {
            users.clear();
            users.extend(self.computations.users(value));
            // In instruction order, so that later users find earlier ones.
            users.sort_unstable();
            users.dedup();
            for &user in &users {
                self.look_again(ssa, host, user)?;
            }
        }
        Ok(())
    }

    fn look_again(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        computation: ComputationId,
    ) -> Result<(), CallError> {
        let data = self.computations.list[computation];
        if data.is_gone {
            return Ok(());
        }
        self.args.set(ssa, self.computations.args(computation));
        let (operator, old) = (data.operator, data.value);
        let (found, seen) = self.simplify(ssa, host, operator)?;
        if let Found::Value(value, resolved) = found {
            // In unreachable code a value may come to be computed from itself: then its instruction has to stay.
            if ssa.resolve(old) == resolved {
                return Ok(());
            }
            let is_constant = |value: Value| host.is_constant(value);
            let applied = self.applied(operator, seen);
            let law = Law { applied, replacement: Replacement::Value(resolved), is_constant: &is_constant };
            note(ssa, data.block, Note::FoldedLate { old, new: value, args: &self.args.given, law: Some(law) }).ok();
            return self.replace(ssa, host, computation, value);
        }
        let args = core::mem::take(&mut self.args);
        let exchanged = exchanged(host, operator, &args.resolved);
        let expression = Expression { operator, args: &args.resolved, exchanged };
        let result = self.look_for_common(ssa, host, computation, (expression, &args.given));
        self.args = args;
        result
    }

    /// Replaces the computation with an equal one above it; if there is none, enters it in the table under its current
    /// arguments.
    fn look_for_common(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        computation: ComputationId,
        (expression, given): (Expression<'_>, &[Value]),
    ) -> Result<(), CallError> {
        let data = self.computations.list[computation];
        let found = match self.options.common {
            true => self.computations.find(ssa, data.block, expression, Some(computation)),
            false => None,
        };
        if let Some((value, is_exchanged)) = found {
            let (is_constant, turned) = (|value: Value| host.is_constant(value), exchanged_args(expression.args));
            let law = if is_exchanged { exchange_law(expression, &turned, &is_constant) } else { None };
            note(ssa, data.block, Note::FoldedLate { old: data.value, new: value, args: given, law }).ok();
            return self.replace(ssa, host, computation, value);
        }
        self.computations.enter(computation, expression);
        for &arg in expression.args {
            self.computations.add_user(arg, computation);
        }
        Ok(())
    }

    fn replace(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        computation: ComputationId,
        new: Value,
    ) -> Result<(), CallError> {
        let old = self.computations.list[computation].value;
        // The builder reports this forwarding, too.
        ssa.try_replace(&mut self.watch(host), old, new)?;
        self.computations.remove(computation);
        self.stats.late += 1;
        host.remove(old);
        Ok(())
    }
}

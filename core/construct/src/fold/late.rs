//! Operations whose arguments have turned out to be something else: a phi was forwarded, or a value replaced.

use super::table::{ComputationId, Expression};
use super::{FoldHost, Folder, Found, Law, Note, Replacement, exchange_law, exchanged, exchanged_args};
use crate::calls::SsaBuilder;
use crate::error::ReplaceError;
use alloc::vec::Vec;
use ssaphire_graph::Value;

impl Folder {
    /// Looks again at instructions that use what has been forwarded since the last call; those that are found simpler
    /// are replaced ([`SsaBuilder::replace`]) and [removed](FoldHost::remove), and so are others that use these.
    ///
    /// A good time is after a block with incomplete phis has been sealed.
    ///
    /// # Errors
    /// As [`SsaBuilder::try_replace`].
    ///
    /// # Complexity
    /// O(uses of what was forwarded), times what [`apply`](Self::apply) takes.
    pub fn resimplify(&mut self, ssa: &mut impl SsaBuilder, host: &mut impl FoldHost) -> Result<(), ReplaceError> {
        let mut users: Vec<ComputationId> = Vec::new();
        while let Some(value) = self.forwarded.pop() {
            users.clear();
            users.extend(self.computations.users(value));
            // Those that come first are looked at first, so that others find them.
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
    ) -> Result<(), ReplaceError> {
        let data = self.computations.list[computation];
        if data.is_gone {
            return Ok(());
        }
        self.args.set(ssa, self.computations.args(computation));
        let (operator, old) = (data.operator, data.value);
        let (found, seen) = self.simplify(ssa, host, operator).map_err(ReplaceError::Id)?;
        if let Found::Value(value, resolved) = found {
            // In unreachable code a value may come to be computed from itself: somebody has to compute it.
            if ssa.resolve(old) == resolved {
                return Ok(());
            }
            let is_constant = |value: Value| host.is_constant(value);
            let applied = self.applied(operator, seen);
            let law = Law { applied, replacement: Replacement::Value(resolved), is_constant: &is_constant };
            ssa.try_note(data.block, Note::FoldedLate { old, new: value, args: &self.args.given, law: Some(law) }).ok();
            return self.replace(ssa, host, computation, value);
        }
        let args = core::mem::take(&mut self.args);
        let exchanged = exchanged(host, operator, &args.resolved);
        let expression = Expression { operator, args: &args.resolved, exchanged };
        let result = self.look_for_common(ssa, host, computation, (expression, &args.given));
        self.args = args;
        result
    }

    /// Replaces the computation by an equal one above it; without one, lets it be found under what its arguments are now.
    fn look_for_common(
        &mut self,
        ssa: &mut impl SsaBuilder,
        host: &mut impl FoldHost,
        computation: ComputationId,
        (expression, given): (Expression<'_>, &[Value]),
    ) -> Result<(), ReplaceError> {
        let data = self.computations.list[computation];
        let found = match self.options.common {
            true => self.computations.find(ssa, data.block, expression, Some(computation)),
            false => None,
        };
        if let Some((value, is_exchanged)) = found {
            let (is_constant, turned) = (|value: Value| host.is_constant(value), exchanged_args(expression.args));
            let law = if is_exchanged { exchange_law(expression, &turned, &is_constant) } else { None };
            ssa.try_note(data.block, Note::FoldedLate { old: data.value, new: value, args: given, law }).ok();
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
    ) -> Result<(), ReplaceError> {
        let old = self.computations.list[computation].value;
        // The builder tells of this forwarding, too.
        ssa.try_replace(&mut self.watch(host), old, new)?;
        self.computations.remove(computation);
        self.stats.late += 1;
        host.remove(old);
        Ok(())
    }
}

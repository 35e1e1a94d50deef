//! What is computed and not yet in a statement.
//!
//! Results that are read once wait until they are read, and become part of what reads them, as long as nothing that is executed in
//! between could make a difference. Whatever has to be executed before something else is written out first, with all that waits in
//! front of it; so what waits stays in its order.

use super::ast::{ExprId, ExprKind, Naming};
use super::builder::{Builder, Pending};
use super::expr::{Effect, Expr, Throws};
use super::tree::Kind;
use crate::dialect::JsString;
use crate::source::Span;
use ssaphire_ir::{Arg, Variable};

/// Deeper expressions are cut into statements.
const MAX_SIZE: u32 = 60;

/// More that waits is written: so looking through it takes no time.
const MAX_PENDING: usize = 1000;

/// What may be put in the place of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// Anything.
    Any,
    /// Anything but a function or class that gets its name from the variable it is assigned to.
    Nameless,
    /// What has no effect, for something happens before it that did not.
    Quiet,
    /// What means the same in a class, where all code is strict, or is from there.
    Class(Span),
    /// A variable or constant.
    Atom,
    /// Anything, also an element of which the converted key is still to be read: it is assigned at this place.
    Element,
}

impl Builder<'_, '_> {
    /// The expressions of arguments, which are computed in this order; `throws` is where exceptions of what takes them go.
    pub(super) fn take(&mut self, args: &[Arg], throws: Throws, room: impl Fn(usize) -> Room) -> Vec<Expr> {
        loop {
            let found: Vec<(usize, usize)> = args
                .iter()
                .enumerate()
                .filter_map(|(index, &arg)| Some((index, self.pending_position(arg)?)))
                .collect();
            match self.first_obstacle(args, &found, throws, &room) {
                Some(position) => self.flush_through(position),
                None => return self.remove(args, &found),
            }
        }
    }

    fn pending_position(&self, arg: Arg) -> Option<usize> {
        let Arg::Variable(variable) = arg else { return None };
        if !self.states[variable.index()].is_pending {
            return None;
        }
        self.pending.iter().rposition(|pending| pending.variable == variable)
    }

    /// The position of something that cannot be computed in the place of its argument.
    fn first_obstacle(
        &self,
        args: &[Arg],
        found: &[(usize, usize)],
        throws: Throws,
        room: &impl Fn(usize) -> Room,
    ) -> Option<usize> {
        let mut is_taken = vec![false; self.pending.len()];
        found.iter().for_each(|&(_, position)| is_taken[position] = true);
        let mut together = throws;
        for (nth, &(index, position)) in found.iter().enumerate() {
            let value = &self.pending[position].value;
            together = together.join(value.throws);
            let has_room = match room(index) {
                Room::Nameless => !self.is_named_by(value.id, self.pending[position].variable),
                Room::Quiet => value.effect == Effect::None,
                Room::Class(span) => self.js.is_strict || self.ast.is_strict_within(value.id, span),
                Room::Atom => false,
                Room::Any | Room::Element => true,
            };
            let has_room = has_room && (value.key.is_none() || room(index) == Room::Element);
            if !has_room || value.size > MAX_SIZE || together == Throws::Mixed {
                return Some(position);
            }
            // What waits behind it, and stays, is executed before it from now on.
            let mut passed = (position + 1..self.pending.len()).filter(|&other| !is_taken[other]);
            let disturbs = |other: &Pending| {
                let is_used = value.reads.contains(&other.variable) || value.writes.contains(&other.variable);
                is_used || !value.commutes(&other.value) || self.is_caught_with(value, other.variable)
            };
            if passed.any(|other| disturbs(&self.pending[other])) {
                return Some(position);
            }
            // What was computed before it is computed after it from now on.
            let mut swapped = found[nth + 1..].iter().map(|&(_, other)| other).filter(|&other| other < position);
            if let Some(other) = swapped.find(|&other| !value.commutes(&self.pending[other].value)) {
                return Some(other);
            }
            let reads_before = args[..index]
                .iter()
                .any(|arg| matches!(arg, Arg::Variable(variable) if value.writes.contains(variable)));
            if reads_before {
                return Some(position);
            }
        }
        None
    }

    /// Whether a function or class has the name of this variable, and no other way to get it.
    fn is_named_by(&self, id: ExprId, variable: Variable) -> bool {
        let name = match self.ast.kind(id) {
            ExprKind::Function(id, Naming::Wanted { may_insert: false }) => &self.program.functions[id.index()].name,
            ExprKind::Class(class) if class.naming == (Naming::Wanted { may_insert: false }) => {
                &self.program.classes[class.index as usize].name
            }
            _ => return false,
        };
        name.as_ref().and_then(JsString::as_str) == Some(self.name_text(variable))
    }

    fn remove(&mut self, args: &[Arg], found: &[(usize, usize)]) -> Vec<Expr> {
        let mut taken: Vec<Option<Expr>> = vec![None; args.len()];
        let mut order = found.to_vec();
        order.sort_unstable_by_key(|&(_, position)| std::cmp::Reverse(position));
        for (index, position) in order {
            let Pending { variable, value, .. } = self.pending.remove(position);
            self.states[variable.index()].is_pending = false;
            taken[index] = Some(value);
        }
        taken.into_iter().zip(args).map(|(taken, &arg)| taken.unwrap_or_else(|| self.atom(arg))).collect()
    }

    /// A variable or constant.
    pub(super) fn atom(&mut self, arg: Arg) -> Expr {
        match arg {
            Arg::Variable(variable) => {
                let variable = self.plan.same.get(variable.index()).copied().unwrap_or(variable);
                self.variable(variable)
            }
            Arg::Value(value) => match self.function.as_constant(value) {
                Some(constant) => self.ast.constant(constant.clone()),
                None => self.ast.undefined(),
            },
        }
    }

    /// Lets `value` wait to be read.
    pub(super) fn pend(&mut self, variable: Variable, value: Expr, place: Option<u32>) {
        self.wait(Pending { variable, value, place, assigns: false });
    }

    /// Lets an assignment wait until its variable is read for the first time; whether it does. It need not, if all that
    /// waits may wait longer: then it is a statement.
    pub(super) fn pend_assignment(&mut self, variable: Variable, value: &Expr) -> bool {
        if self.is_seen_by_closures(variable) || self.due(value, Some(variable)).is_none() {
            return false;
        }
        let target = self.variable(variable).id;
        let assignment = self.ast.assignment(target, value.id);
        let id = match *self.ast.kind(assignment) {
            ExprKind::Update { sign, place, .. } => self.ast.add(ExprKind::Update { sign, is_prefix: true, place }),
            _ => assignment,
        };
        let mut value = value.clone().rewritten(id);
        value.writes.push(variable);
        let place = self.place;
        self.wait(Pending { variable, value, place, assigns: true });
        true
    }

    fn wait(&mut self, pending: Pending) {
        let Pending { variable, value, .. } = &pending;
        if self.pending.len() >= MAX_PENDING {
            self.flush_through(0);
        }
        // What else reads a variable that it has taken for itself has to come first.
        if let Some(last) = self.pending.iter().rposition(|pending| value.reads.contains(&pending.variable)) {
            self.flush_through(last);
        }
        self.states[variable.index()].is_pending = true;
        self.pending.push(pending);
    }

    /// Writes what waits, up to this position.
    pub(super) fn flush_through(&mut self, position: usize) {
        for pending in self.pending.drain(..=position).collect::<Vec<_>>() {
            self.states[pending.variable.index()].is_pending = false;
            self.states[pending.variable.index()].is_set = false;
            self.write_out(pending);
        }
    }

    /// Writes all that waits.
    pub(super) fn flush(&mut self) {
        if let Some(last) = self.pending.len().checked_sub(1) {
            self.flush_through(last);
        }
    }

    /// Writes the assignments that wait, and what waits before them: whatever follows may read the variables.
    pub(super) fn flush_assignments(&mut self) {
        if let Some(last) = self.pending.iter().rposition(|pending| pending.assigns) {
            self.flush_through(last);
        }
    }

    pub(super) fn write_out(&mut self, pending: Pending) {
        let Pending { variable, mut value, place, assigns } = pending;
        if assigns {
            let kind = self.as_statement(variable, value);
            let node = self.tree.add_at(kind, place);
            self.seq.push(node);
            return;
        }
        // Its object or its converted key was to be computed with it, and is read again.
        if let Some(receiver) = value.receiver.take() {
            let object = self.write_part(*receiver, &mut value, place);
            value.id = self.ast.with_object(value.id, object);
        }
        if let Some(key) = value.key.take() {
            let key = self.write_part(*key, &mut value, place);
            value.id = self.ast.with_key(value.id, key);
        }
        let node = self.tree.add_at(Kind::Assign { variable, value, is_new: false }, place);
        self.seq.push(node);
    }

    /// An assignment that waited, as a statement.
    fn as_statement(&mut self, variable: Variable, mut value: Expr) -> Kind {
        match *self.ast.kind(value.id) {
            ExprKind::Assign { sign: "", value: assigned, .. } => {
                value.id = assigned;
                value.forget_write(variable);
                return Kind::Assign { variable, value, is_new: false };
            }
            ExprKind::Update { sign, place, .. } => {
                value.id = self.ast.add(ExprKind::Update { sign, is_prefix: false, place });
            }
            _ => {}
        }
        Kind::Do(value)
    }

    /// Assigns a part of `value` to its variable, which `value` reads from then on.
    fn write_part(&mut self, (variable, part): (Variable, Expr), value: &mut Expr, place: Option<u32>) -> ExprId {
        let node = self.tree.add_at(Kind::Assign { variable, value: part, is_new: false }, place);
        self.seq.push(node);
        value.reads.push(variable);
        self.variable(variable).id
    }

    /// Writes what waits and has to be executed before `value`, and before an assignment of `written`.
    pub(super) fn flush_for(&mut self, value: &Expr, written: Option<Variable>) {
        if let Some(last) = self.due(value, written) {
            self.flush_through(last);
        }
    }

    /// The last of what waits and has to be executed before `value`, and before an assignment of `written`.
    fn due(&self, value: &Expr, written: Option<Variable>) -> Option<usize> {
        let is_due = |pending: &Pending| {
            let of_written = written.is_some_and(|written| {
                pending.variable == written
                    || pending.value.reads.contains(&written)
                    || pending.value.writes.contains(&written)
            });
            let mut all_written = value.writes.iter().copied().chain(written);
            of_written
                || !pending.value.commutes(value)
                || value.reads.contains(&pending.variable)
                || all_written.any(|written| self.is_caught_with(&pending.value, written))
        };
        self.pending.iter().rposition(is_due)
    }

    /// Whether a handler for exceptions of `value` may read what `variable` held before.
    pub(super) fn is_caught_with(&self, value: &Expr, variable: Variable) -> bool {
        match value.throws {
            Throws::To(handler) => self.may_be_caught(handler, variable),
            Throws::Mixed => true,
            Throws::Out | Throws::Never => false,
        }
    }

    /// Assigns `value` to a variable, now.
    pub(super) fn assign(&mut self, variable: Variable, value: Expr, is_new: bool) {
        if self.is_seen_by_closures(variable) {
            // Whatever runs code may read it.
            let running = Expr { effect: Effect::Runs, ..value.clone() };
            self.flush_for(&running, Some(variable));
        } else {
            self.flush_for(&value, Some(variable));
        }
        let place = self.place;
        let node = self.tree.add_at(Kind::Assign { variable, value, is_new }, place);
        self.seq.push(node);
    }

    /// Executes `value` for its effect, now.
    pub(super) fn execute(&mut self, value: Expr) {
        self.flush_for(&value, None);
        self.push(Kind::Do(value));
    }

    /// Appends a statement.
    pub(super) fn push(&mut self, kind: Kind) {
        let is_simple = super::tree::children(&kind).next().is_none();
        let place = self.place.filter(|_| is_simple);
        let node = self.tree.add_at(kind, place);
        self.seq.push(node);
    }
}

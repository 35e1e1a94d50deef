//! Translation of a journal's entries to a program's events.
//!
//! Needs: every call made, so that a value written once is distinguished from one written twice.

use super::evidence::Evidence;
use super::folding::{AppliedId, Argument, Folding};
use super::{Claim, Entry, Known, Origin, root};
use crate::program::{Grounds, ProgramEvent, ProgramWriter};
use ssaphire_graph::{IdMap, Value, Variable};

/// Translates entries, block by block; allocates temporaries on the way.
pub(super) struct Translation<'a> {
    known: &'a mut IdMap<Value, Known>,
    folding: &'a Folding,
    evidence: &'a Evidence,
    num_variables: usize,
    claim: &'a dyn Claim,
    pub(super) num_unclaimed: usize,
}

impl<'a> Translation<'a> {
    /// Temporaries are numbered from `num_variables` on.
    pub(super) fn new(
        known: &'a mut IdMap<Value, Known>,
        (folding, evidence): (&'a Folding, &'a Evidence),
        num_variables: usize,
        claim: &'a dyn Claim,
    ) -> Self {
        for known in known.values_mut() {
            known.temporary = None;
        }
        Self { known, folding, evidence, num_variables, claim, num_unclaimed: 0 }
    }

    pub(super) fn write(&mut self, entry: Entry, writer: &mut ProgramWriter<'_>) {
        match entry {
            Entry::Read(variable, value) => self.write_read(variable, value, writer),
            Entry::Write(variable, value) => self.write_write(variable, value, writer),
            Entry::FirstWrite(variable, value) => {
                if !self.known[value].is_defined {
                    self.write_make(value, writer);
                }
                self.write_write(variable, value, writer);
            }
            Entry::Copy(dst, src) => writer.event(ProgramEvent::Copy { dst, src }),
            Entry::Make(value) => self.write_make(value, writer),
            Entry::Apply(applied) => self.write_application(applied, writer),
        }
    }

    /// Writes the application of an operation, with its outcome.
    fn write_application(&mut self, applied: AppliedId, writer: &mut ProgramWriter<'_>) {
        let data = self.folding.applied(applied);
        let is_replaced = data.value.is_some_and(|value| self.claim.resolve(value) != value);
        let (name, value, grounds) = match (data.grounds, data.late) {
            (Grounds::Computed, Some((new, late))) if is_replaced => (data.value, Some(new), late),
            // It was replaced for an unrecorded reason: nothing is claimed.
            (Grounds::Computed | Grounds::Opaque, None) if is_replaced => return,
            (grounds, _) => (None, data.value, grounds),
        };
        let is_computed = matches!(grounds, Grounds::Computed | Grounds::Opaque);
        // The arguments of an instruction exist; those of a folded operation may have been replaced later.
        let value = value.map(|value| if !is_computed && self.is_late(value) { value } else { self.stands_for(value) });
        writer.application(data.operator, value, grounds, []);
        for &arg in self.folding.args(data) {
            let arg = if is_computed { self.stands_for(arg.value) } else { self.argument(arg) };
            writer.argument(arg);
        }
        self.folding.targets(data).iter().for_each(|&target| writer.target(target));
        if let Some(name) = name {
            writer.late(name);
        }
    }

    /// The argument of a folded operation: the value that it resolves to in the end, or a value that was replaced
    /// later, if that resolves to the same. So the judge finds a builder that takes two values for one while it builds.
    fn argument(&mut self, arg: Argument) -> Value {
        let stands_for = self.stands_for(arg.value);
        let is_kept = self.is_late(arg.stood_for) && self.stands_for(arg.stood_for) == stands_for;
        if is_kept { arg.stood_for } else { stands_for }
    }

    fn stands_for(&mut self, value: Value) -> Value {
        stands_for(self.known, self.claim, value)
    }

    /// Whether the value was computed and replaced later.
    fn is_late(&self, value: Value) -> bool {
        let computed = self.known.get(value).and_then(|known| known.computed.expand());
        computed.is_some_and(|applied| self.folding.applied(applied).late.is_some())
    }

    fn write_read(&mut self, variable: Variable, value: Value, writer: &mut ProgramWriter<'_>) {
        let stands_for = self.claim.resolve(value);
        if self.claim.is_dropped(value) && !self.evidence.is_relied_on(stands_for) {
            self.num_unclaimed += 1;
        } else {
            writer.event(ProgramEvent::Use { variable, value: stands_for });
        }
        let Known { origin, moves, .. } = self.known[value];
        if origin == Origin::Answered && moves > 0 {
            writer.event(ProgramEvent::Copy { dst: self.temporary(value), src: variable });
        }
    }

    fn write_write(&mut self, variable: Variable, value: Value, writer: &mut ProgramWriter<'_>) {
        let root = root(self.known, value);
        let event = match self.known[value].origin {
            Origin::Global => self.content_of(root, variable),
            _ if self.is_plain(value) => ProgramEvent::Def { variable, value },
            _ => ProgramEvent::Copy { dst: variable, src: self.temporary(value) },
        };
        writer.event(event);
    }

    /// Writes that an instruction makes `value`, or its replacement, here.
    fn write_make(&mut self, value: Value, writer: &mut ProgramWriter<'_>) {
        if self.known[value].origin == Origin::Global || self.is_plain(value) {
            return;
        }
        let root = root(self.known, value);
        // Replacements whose first call was `replace` are made here, too; all of them have the same root.
        let mut made = Some(value);
        while let Some(value) = made {
            if value == root {
                let variable = self.temporary(root);
                writer.event(ProgramEvent::Def { variable, value });
            }
            made = self.made_with(value);
        }
        made = Some(value);
        while let Some(value) = made {
            if value != root {
                let variable = self.temporary(value);
                writer.event(self.content_of(root, variable));
            }
            made = self.made_with(value);
        }
    }

    /// The replacement that counts as made with `value`, if there is no better place for it.
    fn made_with(&self, value: Value) -> Option<Value> {
        let made = self.known[value].makes?;
        let Known { origin, is_defined, .. } = self.known[made];
        (origin == Origin::Made && !is_defined).then_some(made)
    }

    /// The event that assigns the content of the replacement `root` to `variable`.
    fn content_of(&mut self, root: Value, variable: Variable) -> ProgramEvent {
        match self.known[root].origin {
            Origin::Global => ProgramEvent::Def { variable, value: root },
            _ => ProgramEvent::Copy { dst: variable, src: self.temporary(root) },
        }
    }

    /// Whether the one write of `value` can serve as its definition, too.
    fn is_plain(&self, value: Value) -> bool {
        let known = self.known[value];
        known.origin == Origin::Made && !known.is_defined && known.moves == 1 && known.replacement.is_none()
    }

    fn temporary(&mut self, value: Value) -> Variable {
        let next = self.num_variables;
        let temporary = *self.known[value].temporary.get_or_insert_with(|| Variable::new(next));
        if temporary.index() == next {
            self.num_variables += 1;
        }
        temporary
    }
}

/// The value that `value` resolves to in applications. The claim resolves it, unless an instruction made it or it is a
/// global: then it resolves to its replacement by the host, or itself, whatever the claim resolves it to.
pub(super) fn stands_for(known: &mut IdMap<Value, Known>, claim: &dyn Claim, value: Value) -> Value {
    if known.get(value).is_none() {
        return claim.resolve(value);
    }
    let root = root(known, value);
    match known[root].origin {
        Origin::Made | Origin::Global => root,
        Origin::Answered | Origin::Unseen => claim.resolve(root),
    }
}

//! The notes on operations, recorded for the judge.

use super::Certified;
use ssaphire_check as check;
use ssaphire_construct::SsaBuilder;
use ssaphire_construct::fold::{Applied, Law, Note, Replacement};
use ssaphire_graph::{Block, IdError, Value};

impl<B: SsaBuilder> Certified<B> {
    pub(super) fn keep_note(&mut self, block: Block, note: Note<'_>) -> Result<(), IdError> {
        let ids = self.options().ids;
        ids.check_block(block)?;
        let check_all = |values: &[Value]| values.iter().try_for_each(|&value| ids.check_value(value));
        match note {
            Note::Computed { value, operator, args } => {
                check_all(args)?;
                ids.check_value(value)?;
                self.begin();
                self.journal.computed(block, value, operator, args);
            }
            Note::Opaque { value, operator } => {
                ids.check_value(value)?;
                self.begin();
                self.journal.computed_opaquely(block, value, operator);
            }
            Note::Folded { value, operator, args, law } => {
                check_all(args)?;
                ids.check_value(value)?;
                self.begin();
                self.journal.folded(block, value, operator, args, law.map(rewriting));
            }
            Note::FoldedLate { old, new, args, law } => {
                check_all(args)?;
                check_all(&[old, new])?;
                self.journal.folded_late(old, new, args, law.map(rewriting));
            }
            Note::Left { operator, args, targets, law } => {
                check_all(args)?;
                self.begin();
                self.journal.left(block, operator, args, targets, rewriting(law));
            }
            // A kind of note added later claims nothing.
            _ => {}
        }
        Ok(())
    }
}

/// A law, in the types of the judge.
fn rewriting(law: Law<'_>) -> check::Rewriting<'_> {
    let Applied { operator, args, seen_through } = law.applied;
    let replacement = match law.replacement {
        Replacement::Value(value) => check::Replacement::Value(value),
        Replacement::Operator(operator, args) => check::Replacement::Operator(operator, args),
        Replacement::Slot(slot, of) => check::Replacement::Slot(slot, of),
    };
    let applied = check::Applied { operator, args, seen_through };
    check::Rewriting { applied, replacement, is_constant: law.is_constant }
}

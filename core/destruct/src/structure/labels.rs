//! Labels as the reader sees them: what no exit and no repeat names has none.
//!
//! A translation labels each loop, and puts a labeled block around all that stands before a placed node.
//! Whether something leaves a block is known when it has been translated.

use super::step::{Construct, Label, Step};
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdMap, PackedOption};

/// What becomes of a label.
#[derive(Clone, Copy, Default)]
struct Fate {
    is_named: bool,
    /// The label it becomes, once it is met in the text. None if it is not named.
    label: PackedOption<Label>,
    /// How many loops and labeled blocks are open in it, itself included.
    level: u32,
}

/// The labels of a program, by their numbers in the translation.
struct Labels {
    fates: IdMap<Label, Fate>,
    num_named: usize,
    /// How many loops and labeled blocks are open.
    level: u32,
}

/// Removes the labeled blocks that nothing leaves, numbers the other labels in the order of the text, and fills in
/// how much each exit and repeat leaves.
pub(super) fn settle(steps: &mut Vec<Step>, num_labels: usize) {
    let mut labels = Labels { fates: IdMap::filled(num_labels, Fate::default()), num_named: 0, level: 0 };
    for step in &*steps {
        if let Step::Exit { label, .. } | Step::Repeat { label, .. } = *step {
            labels.fates[label].is_named = true;
        }
    }
    steps.retain_mut(|step| match labels.settled(*step) {
        Some(settled) => {
            *step = settled;
            true
        }
        None => false,
    });
}

impl Labels {
    /// The replacement of the next step, or `None` if it is removed.
    fn settled(&mut self, step: Step) -> Option<Step> {
        Some(match step {
            Step::Loop { label: Some(label) } => Step::Loop { label: self.open(label) },
            Step::Labeled { label } if self.fates[label].is_named => Step::Labeled { label: self.open(label)? },
            Step::End(Construct::Loop(Some(label))) => Step::End(Construct::Loop(self.close(label))),
            Step::End(Construct::Labeled(label)) if self.fates[label].is_named => {
                Step::End(Construct::Labeled(self.close(label)?))
            }
            Step::Labeled { .. } | Step::End(Construct::Labeled(_)) => return None,
            Step::Exit { label, .. } => {
                Step::Exit { label: self.fates[label].label.expand()?, depth: self.depth(label) }
            }
            Step::Repeat { label, .. } => {
                Step::Repeat { label: self.fates[label].label.expand()?, depth: self.depth(label) }
            }
            _ => step,
        })
    }

    fn open(&mut self, label: Label) -> Option<Label> {
        self.level += 1;
        let fate = &mut self.fates[label];
        fate.level = self.level;
        if fate.is_named {
            fate.label = Label::new(self.num_named).into();
            self.num_named += 1;
        }
        fate.label.expand()
    }

    fn close(&mut self, label: Label) -> Option<Label> {
        self.level -= 1;
        self.fates[label].label.expand()
    }

    /// How many loops and labeled blocks are open inside of the one with that label.
    fn depth(&self, label: Label) -> u32 {
        self.level - self.fates[label].level
    }
}

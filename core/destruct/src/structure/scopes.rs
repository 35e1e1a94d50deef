//! The constructs open around the current step, and the target of its end.

use super::step::Label;
use ssaphire_graph::{Block, IdMap, PackedOption};

/// The node that comes next where control falls through, if any does.
pub(super) type Follow = PackedOption<Block>;

/// The loops and labeled blocks around the step at hand, by labels in the order of opening.
pub(super) struct Scopes {
    all: IdMap<Label, Scope>,
    /// By node: the innermost open scope whose end leads to it.
    leaving: IdMap<Block, PackedOption<Label>>,
    /// By header: its loop.
    loop_of: IdMap<Block, PackedOption<Label>>,
}

/// A loop or labeled block.
#[derive(Clone, Copy)]
struct Scope {
    follow: Follow,
    /// The innermost one around it whose end leads to the same node.
    around: PackedOption<Label>,
}

/// How to get to a node.
pub(super) enum Way {
    /// By the end of a scope.
    Exit(Label),
    /// By the beginning of a loop.
    Repeat(Label),
}

impl Scopes {
    /// None yet, for that many nodes.
    pub(super) fn new(num_nodes: usize) -> Self {
        Self {
            all: IdMap::new(),
            leaving: IdMap::filled(num_nodes, PackedOption::NONE),
            loop_of: IdMap::filled(num_nodes, PackedOption::NONE),
        }
    }

    /// Opens a scope whose end leads to `follow`.
    pub(super) fn open(&mut self, follow: Follow) -> Label {
        let label = self.all.push(Scope { follow, around: PackedOption::NONE });
        if let Some(follow) = follow.expand() {
            self.all[label].around = self.leaving[follow].replace(label);
        }
        label
    }

    /// Opens the loop of `header`, whose exits lead to `follow`.
    pub(super) fn open_loop(&mut self, header: Block, follow: Follow) -> Label {
        let label = self.open(follow);
        self.loop_of[header] = label.into();
        label
    }

    /// Closes the innermost open scope, which has that label.
    pub(super) fn close(&mut self, label: Label) {
        let Scope { follow, around } = self.all[label];
        if let Some(follow) = follow.expand() {
            self.leaving[follow] = around;
        }
    }

    /// How to get to `target` from where it does not come next, past as few scopes as can be.
    ///
    /// A scope whose end repeats a loop stands in that loop, so its exit is the shorter way.
    pub(super) fn way_to(&self, target: Block) -> Way {
        let repeat = || self.loop_of[target].expand().expect("an edge leads forward, or back to an open loop");
        self.leaving[target].expand().map_or_else(|| Way::Repeat(repeat()), Way::Exit)
    }

    /// How many there are, closed ones included.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

//! The steps a structured program is made of.

use core::ops::Range;
use ssaphire_graph::{Block, internal_id};

internal_id!(
    /// Names a loop or labeled block that an exit or a repeat leads to; numbered in the order of the text.
    pub Label, "L"
);

/// A step of a structured program: an action, or the beginning or end of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Opens a loop. The end of its body repeats it.
    Loop {
        /// Its label, or `None` if no exit and no repeat names it.
        label: Option<Label>,
    },
    /// Opens a labeled block, which some exit leaves. The end of its body continues after it.
    Labeled {
        /// Its label.
        label: Label,
    },
    /// Executes the basic block. If a fork on its terminator follows, it is the next step.
    Execute(Block),
    /// Opens a fork, which consists of arms. A slot without an arm continues after the fork.
    Fork(Selector),
    /// Opens an arm for its [`Structured::slots`](super::Structured::slots). Its end continues after the fork.
    Arm(Arm),
    /// Closes the innermost construct that is open.
    End(Construct),
    /// Sets the dispatch variable.
    ///
    /// A fork on it is the next thing that happens: no block is executed before that, and it is not set again.
    SetDispatch(u32),
    /// Goes to the end of a loop or labeled block around this step.
    Exit {
        /// The loop or labeled block that it leaves.
        label: Label,
        /// How many other loops and labeled blocks it leaves on the way: 0 if the label names the innermost one.
        depth: u32,
    },
    /// Goes to the beginning of a loop around this step.
    Repeat {
        /// The loop.
        label: Label,
        /// How many other loops and labeled blocks it leaves on the way: 0 if the label names the innermost one.
        depth: u32,
    },
}

/// The number that selects the arm of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The slot that the terminator of the block takes, which is executed by the step before.
    Terminator(Block),
    /// The dispatch variable.
    Dispatch,
}

/// The construct that a [`Step::End`] closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// The body of a loop, with the label of the loop.
    Loop(Option<Label>),
    /// The body of a labeled block, with its label.
    Labeled(Label),
    /// A fork.
    Fork,
    /// An arm.
    Arm,
}

/// An arm of a fork, identified by its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    start: u32,
    end: u32,
}

impl Arm {
    /// An arm for that range of the slots of the program.
    pub(super) fn new(range: Range<usize>) -> Self {
        Self { start: range.start as u32, end: range.end as u32 }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

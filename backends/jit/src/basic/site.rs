//! The sites where a run can end early, with the reasons.

use ssaphire_graph::Block;
use ssaphire_ir::interp::{Limits, Trap, TrapKind};
use ssaphire_ir::{Action, Basic, Function};

/// An instruction at which running code calls the machine or may end the run.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) function: u32,
    pub(super) block: Block,
    pub(super) index: u32,
    pub(super) why: Why,
}

/// The reason why a run ends at a site.
#[derive(Clone, Debug)]
pub(super) enum Why {
    /// For this reason.
    Kind(TrapKind),
    /// Fewer steps are left than the stretch of operations that begins here needs.
    Steps,
    /// Too many calls have not returned.
    Frames,
    /// A function has returned fewer results than this instruction expects.
    Results { wanted: usize },
    /// The machine executed the operation, and reported the trap itself.
    Machine,
    /// The stack is exhausted.
    Stack,
}

/// The state at the end of a run.
pub(super) struct End {
    pub(super) steps_left: u64,
    pub(super) num_results: u64,
    pub(super) failure: Option<TrapKind>,
    pub(super) limits: Limits,
}

impl Site {
    /// The trap of a run that ended here.
    pub(super) fn trap(&self, functions: &[Function<Basic>], end: End) -> Trap {
        let End { limits, .. } = end;
        let mut index = self.index as usize;
        let kind = match &self.why {
            Why::Kind(kind) => kind.clone(),
            Why::Steps => {
                let function = functions.get(self.function as usize);
                index = function.map_or(index, |function| operation(function, self.block, index, end.steps_left));
                TrapKind::OutOfSteps { limit: limits.steps }
            }
            Why::Frames => TrapKind::TooManyFrames { limit: limits.frames },
            &Why::Results { wanted } => TrapKind::ResultCount { wanted, given: end.num_results as usize },
            Why::Machine => end.failure.unwrap_or(TrapKind::Malformed),
            Why::Stack => TrapKind::Dialect("call stack exhausted".to_owned()),
        };
        Trap { kind, function: self.function as usize, block: self.block, index }
    }
}

/// The index of operation number `number` from `index` on; copies do not count.
fn operation(function: &Function<Basic>, block: Block, index: usize, number: u64) -> usize {
    let insts = function.block(block).insts();
    let mut operations =
        (index..insts.len()).filter(|&at| insts.get(at).is_some_and(|inst| matches!(inst.action, Action::Op(_))));
    usize::try_from(number).ok().and_then(|number| operations.nth(number)).unwrap_or(index)
}

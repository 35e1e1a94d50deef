//! The detour over memory beside direct construction (Braun et al. 2013, section 6.1, Table 1).
//!
//! # Departures
//! Slots, which LLVM has one of for each variable as well, are memory operations, too. Direct construction ends with a
//! minimal form.

use crate::dialect::Syntax;
use crate::function::{Action, Function};
use crate::memory::{Memory, MemoryOp, mem2reg, to_memory};
use ssaphire_graph::CfgError;
use std::ops::AddAssign;

/// What is counted in a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormSize {
    /// Instructions, with memory operations and phis.
    pub instructions: u64,
    /// Slots, loads and stores.
    pub memory: u64,
    /// Phis.
    pub phis: u64,
}

/// The sizes of a function on both ways to SSA form, or their sum over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detour {
    /// With a slot for each variable.
    pub slots: FormSize,
    /// When slots have become values.
    pub promoted: FormSize,
    /// Made at once.
    pub direct: FormSize,
}

impl Detour {
    /// Takes `function`, in variable form, over memory; `direct` is its SSA form, made by its front end.
    ///
    /// # Errors
    /// If its edges are not those of a graph.
    pub fn of<D: Syntax>(function: &Function<D>, direct: &Function<D>) -> Result<Self, CfgError> {
        let mut memory = to_memory(function);
        let slots = FormSize::of_memory(&memory);
        mem2reg(&mut memory)?;
        Ok(Self { slots, promoted: FormSize::of_memory(&memory), direct: FormSize::of(direct) })
    }

    /// Instructions made directly by those left after the detour; none where nothing is left.
    pub fn ratio(&self) -> Option<f64> {
        let [direct, promoted] = [self.direct, self.promoted].map(|form| form.instructions);
        (promoted > 0).then(|| direct as f64 / promoted as f64)
    }
}

impl FormSize {
    /// Of a form without slots.
    pub fn of<D: Syntax>(function: &Function<D>) -> Self {
        Self::counting(function, |_| false)
    }

    /// Of a form over memory.
    pub fn of_memory<D: Syntax>(function: &Function<Memory<D>>) -> Self {
        Self::counting(function, |op| !matches!(op, MemoryOp::Inner(_)))
    }

    fn counting<D: Syntax>(function: &Function<D>, is_memory: impl Fn(&D::Op) -> bool) -> Self {
        let mut size = Self::default();
        for block in function.blocks().map(|block| function.block(block)) {
            let phis = block.phis().len() as u64;
            let memory = block.insts().iter().filter(|inst| matches!(inst.action, Action::Op(op) if is_memory(op)));
            size.phis += phis;
            size.memory += memory.count() as u64;
            size.instructions += phis + block.insts().len() as u64;
        }
        size
    }
}

impl AddAssign for FormSize {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.memory += other.memory;
        self.phis += other.phis;
    }
}

impl AddAssign for Detour {
    fn add_assign(&mut self, other: Self) {
        self.slots += other.slots;
        self.promoted += other.promoted;
        self.direct += other.direct;
    }
}

#[cfg(test)]
mod tests {
    use super::{Detour, FormSize};
    use crate::basic::Basic;
    use crate::build::to_ssa;
    use crate::function::Function;
    use crate::text::parse;
    use ssaphire::Certified;

    /// A parameter that one arm writes.
    const ARM: &str =
        "func f(c) {\ntop:\n  branch c, left, bottom\nleft:\n  c = neg c\n  jump bottom\nbottom:\n  return c\n}\n";

    fn detour(text: &str) -> Detour {
        let function: Function<Basic> = parse(text).unwrap();
        Detour::of(&function, &to_ssa(&function, &mut Certified::default()).unwrap()).unwrap()
    }

    #[test]
    fn a_variable_is_a_slot_and_a_load_or_store_for_each_access() {
        let Detour { slots, promoted, direct } = detour(ARM);
        // The slot, the store of the parameter and another, three loads; a branch, a negation, a jump, a return.
        assert_eq!(slots, FormSize { instructions: 10, memory: 6, phis: 0 });
        assert_eq!(promoted, FormSize { instructions: 5, memory: 0, phis: 1 });
        assert_eq!(direct, promoted);
    }

    #[test]
    fn sums_and_ratios_are_of_instructions() {
        let mut sum = detour(ARM);
        assert_eq!(sum.ratio(), Some(1.0));
        sum += detour(ARM);
        assert_eq!(sum.slots, FormSize { instructions: 20, memory: 12, phis: 0 });
        sum.direct.instructions = 5;
        assert_eq!(sum.ratio(), Some(0.5));
        assert_eq!(Detour::default().ratio(), None);
    }

    /// Both writes copy the same: `mem2reg` leaves two phis that merge nothing else.
    #[test]
    fn phis_that_stand_for_another_value_are_counted_where_they_stay() {
        let text = "func f(y, c) {\ntop:\n  x = y\n  jump head\nhead:\n  branch c, body, join\nbody:\n  x = y\n  jump join\n\
                    join:\n  branch c, head, bottom\nbottom:\n  return x\n}\n";
        let Detour { promoted, direct, .. } = detour(text);
        assert_eq!((promoted.phis, direct.phis), (2, 0));
        assert_eq!(promoted.instructions, direct.instructions + 2);
    }
}

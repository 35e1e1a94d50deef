//! Faults that tests switch on, to see that they would be found.
//!
//! Each is a mistake that is easily made, at the place where it would be made.
//! Without the feature `faults` there is nothing to switch: [`is_on`] is
//! `false` for the compiler to see. With it, a fault is on in one thread only.

/// One mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A phi counts as anchored with two equal operands.
    AnchoredByOneValue,
    /// An anchored phi counts as a phi of the value graph, in which it has no operands.
    AnchoredPhisStayPhis,
    /// A phi stands for its immediate dominator, which may be redundant itself.
    ReplacedByImmediateDominator,
    /// Phis into which no value flows stay.
    UnreachedPhisStay,
    /// Numbers of values are left behind for the next graph.
    NumbersAreLeft,
    /// Algorithm 5 decomposes inner phis after all components of their level.
    InnerPhisAreLast,
    /// Algorithm 5 takes inner components of one phi for handled.
    InnerSinglePhisAreHandled,
    /// Algorithm 5 compares operands as they were.
    OuterOperandsAreStale,
    /// Algorithm 5 does not decompose components with several outer values.
    InnerPhisAreForgotten,
    /// Finished components still lower the number of those that lead to them.
    FinishedComponentsLower,
}

impl Fault {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::AnchoredByOneValue,
        Self::AnchoredPhisStayPhis,
        Self::ReplacedByImmediateDominator,
        Self::UnreachedPhisStay,
        Self::NumbersAreLeft,
        Self::InnerPhisAreLast,
        Self::InnerSinglePhisAreHandled,
        Self::OuterOperandsAreStale,
        Self::InnerPhisAreForgotten,
        Self::FinishedComponentsLower,
    ];
}

#[cfg(feature = "faults")]
mod switch {
    extern crate std;

    use super::Fault;
    use core::cell::Cell;

    std::thread_local! {
        static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Switches a fault on, or all of them off, in the calling thread.
    pub fn switch(fault: Option<Fault>) {
        FAULT.set(fault);
    }

    /// Whether the fault is on in the calling thread.
    pub(crate) fn is_on(fault: Fault) -> bool {
        FAULT.get() == Some(fault)
    }
}

#[cfg(feature = "faults")]
pub(crate) use switch::is_on;
#[cfg(feature = "faults")]
pub use switch::switch;

/// Whether the fault is on: never, in ordinary builds.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) const fn is_on(_: Fault) -> bool {
    false
}

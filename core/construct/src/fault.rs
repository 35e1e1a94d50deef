//! Faults that tests switch on, to see that they would be found.
//!
//! Each is a mistake that is easily made, at the place where it would be made.
//! Without the feature `faults` there is nothing to switch: [`is_on`] is
//! `false` for the compiler to see. With it, a fault is on in one thread only.

mod at_the_end;
mod list;

pub use list::Fault;

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

    /// While a fault is on, nothing goes on for ever.
    pub(crate) fn check_work(steps: u64) {
        assert!(steps < 1 << 22 || FAULT.get().is_none(), "a fault makes it go on for ever");
    }

    /// Whether the fault is on in the calling thread.
    pub(crate) fn is_on(fault: Fault) -> bool {
        FAULT.get() == Some(fault)
    }
}

#[cfg(feature = "faults")]
pub use switch::switch;
#[cfg(feature = "faults")]
pub(crate) use switch::{check_work, is_on};

/// Whether the fault is on: never, in ordinary builds.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) const fn is_on(_: Fault) -> bool {
    false
}

/// While a fault is on, nothing goes on for ever.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) const fn check_work(_: u64) {}

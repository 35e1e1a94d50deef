//! Which mutant is on: one at a time, in one thread.
//!
//! The copy of the sources that `ssaphire-mutants` makes calls [`is_on`] at each place where a mistake is made.
//! In the workspace itself nothing calls it, and there are no mutants.

mod names;

pub use names::NAMES;

use std::cell::Cell;

/// Number of no mutant.
const NONE: u32 = u32::MAX;

thread_local! {
    static ON: Cell<u32> = const { Cell::new(NONE) };
    static CALLS_LEFT: Cell<u64> = const { Cell::new(0) };
}

/// Runs while the mutant of that number is on in the calling thread.
///
/// # Panics
/// If `run` does, or calls [`is_on`] more than `max_calls` times: the mutant may keep a loop from ending.
pub fn with_mutant<T>(mutant: usize, max_calls: u64, run: impl FnOnce() -> T) -> T {
    let _off = Off;
    ON.set(mutant as u32);
    CALLS_LEFT.set(max_calls);
    run()
}

/// Switches the mutant off when it is dropped, in a panic too.
struct Off;

impl Drop for Off {
    fn drop(&mut self) {
        ON.set(NONE);
    }
}

/// Whether the mutant of that number is on in the calling thread.
///
/// # Panics
/// If a mutant is on, and this is called more often than [`with_mutant`] was told.
#[inline]
pub fn is_on(mutant: u32) -> bool {
    let on = ON.get();
    on != NONE && is_this(mutant, on)
}

fn is_this(mutant: u32, on: u32) -> bool {
    let left = CALLS_LEFT.get();
    assert!(left > 0, "the mutant does not terminate: too many calls of `is_on`");
    CALLS_LEFT.set(left - 1);
    mutant == on
}

#[cfg(test)]
mod tests {
    use super::{is_on, with_mutant};
    use std::panic::catch_unwind;
    use std::thread;

    #[test]
    fn one_mutant_is_on_in_one_thread() {
        assert!(!is_on(0));
        with_mutant(1, 100, || {
            assert_eq!([0, 1].map(is_on), [false, true]);
            thread::spawn(|| assert!(!is_on(1))).join().unwrap();
        });
        assert!(!is_on(1));
    }

    #[test]
    fn a_mutant_that_does_not_terminate_is_stopped() {
        assert!(with_mutant(0, 100, || (0..100).all(|_| is_on(0))));
        catch_unwind(|| with_mutant(0, 100, || (0..101).all(|_| is_on(0)))).unwrap_err();
        assert!((0..101).all(|_| !is_on(0)));
    }
}

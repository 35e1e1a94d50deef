//! Which mutant is on: one at a time, in one thread or in the whole process.
//!
//! The copy of the sources that `ssaphire-mutants` makes calls [`is_on`] at each place where a mistake is made.
//! In the workspace itself nothing calls it, and there are no mutants.

mod names;
mod process;

pub use names::{ARE_APART, FILES, NAMES};

use std::cell::{Cell, RefCell};
use std::mem::take;
use std::panic::panic_any;

/// Number of no mutant.
const NONE: u32 = u32::MAX;

/// Stands for no mutant while calls are counted.
const TRACED: u32 = u32::MAX - 1;

thread_local! {
    static ON: Cell<u32> = const { Cell::new(NONE) };
    static CALLS_LEFT: Cell<u64> = const { Cell::new(0) };
    static REACHED: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
}

/// Runs while the mutant of that number is on in the calling thread.
///
/// # Panics
/// If `run` does. With [`TooManyCalls`] if it calls [`is_on`] more than `max_calls` times: the mutant may keep a loop
/// from ending.
pub fn with_mutant<T>(mutant: usize, max_calls: u64, run: impl FnOnce() -> T) -> T {
    let _off = Off;
    ON.set(mutant as u32);
    CALLS_LEFT.set(max_calls);
    run()
}

/// What a mutant panics with that is asked for too often.
pub struct TooManyCalls;

/// What correct sources do.
pub struct Trace {
    /// Calls of [`is_on`].
    pub num_calls: u64,
    /// By mutant, whether one of its places was executed. The numbers may end early.
    reached: Vec<bool>,
}

impl Trace {
    /// Whether a place of the mutant was executed. If none was, the mutant would have changed nothing.
    pub fn reaches(&self, mutant: usize) -> bool {
        self.reached.get(mutant).copied().unwrap_or(false)
    }
}

/// Runs without a mutant.
///
/// # Panics
/// If `run` does.
pub fn trace(run: impl FnOnce()) -> Trace {
    REACHED.take();
    with_mutant(TRACED as usize, u64::MAX, run);
    Trace { num_calls: u64::MAX - CALLS_LEFT.get(), reached: REACHED.with_borrow_mut(take) }
}

/// Switches the mutant off when it is dropped, in a panic too.
struct Off;

impl Drop for Off {
    fn drop(&mut self) {
        ON.set(NONE);
    }
}

/// Whether the mutant of that number is on in the calling thread, or in the process.
///
/// # Panics
/// If a mutant is on, and this is called more often than [`with_mutant`] was told, or than any test calls it.
#[inline]
pub fn is_on(mutant: u32) -> bool {
    match ON.get() {
        NONE => process::is_on(mutant),
        on => is_this(mutant, on),
    }
}

fn is_this(mutant: u32, on: u32) -> bool {
    let left = CALLS_LEFT.get();
    if left == 0 {
        panic_any(TooManyCalls);
    }
    CALLS_LEFT.set(left - 1);
    if on == TRACED {
        REACHED.with_borrow_mut(|reached| note(reached, mutant as usize));
    }
    mutant == on
}

fn note(reached: &mut Vec<bool>, mutant: usize) {
    if reached.len() <= mutant {
        reached.resize(mutant + 1, false);
    }
    reached[mutant] = true;
}

#[cfg(test)]
mod tests {
    use super::{TooManyCalls, is_on, trace, with_mutant};
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
        let stopped = catch_unwind(|| with_mutant(0, 100, || (0..101).all(|_| is_on(0)))).unwrap_err();
        assert!(stopped.is::<TooManyCalls>());
        assert!((0..101).all(|_| !is_on(0)));
    }

    #[test]
    fn a_trace_tells_which_mutants_would_change_something() {
        let calls = trace(|| assert!([2, 0, 2].into_iter().all(|mutant| !is_on(mutant))));
        assert_eq!(calls.num_calls, 3);
        assert_eq!([0, 1, 2, 3].map(|mutant| calls.reaches(mutant)), [true, false, true, false]);
        assert_eq!(trace(|| ()).num_calls, 0);
        assert!(!trace(|| ()).reaches(2));
    }
}

//! A mutant that is on in the whole process: the environment says which.
//!
//! For tests that start threads, and for mutants that may end the process.

use crate::TooManyCalls;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::panic::panic_any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Under this variable, the number of the mutant that is on.
const ON: &str = "SSAPHIRE_MUTANT";

/// Under this variable, the file to which the numbers of the mutants are written whose places are executed, one a line.
const TRACE: &str = "SSAPHIRE_MUTANTS_TRACE";

/// More often than any test calls [`is_on`](crate::is_on): a mutant may keep a loop from ending.
const MAX_CALLS: u64 = 1 << 27;

static STATE: OnceLock<State> = OnceLock::new();

enum State {
    Off,
    On { mutant: u32, num_calls: AtomicU64 },
    Traced(Mutex<Reached>),
}

struct Reached {
    mutants: BTreeSet<u32>,
    file: File,
}

#[inline]
pub(crate) fn is_on(mutant: u32) -> bool {
    match STATE.get_or_init(State::of_environment) {
        State::Off => false,
        state => state.is_on(mutant),
    }
}

impl State {
    fn of_environment() -> Self {
        if let Some(number) = env::var_os(ON) {
            let mutant = number.to_string_lossy().parse().expect("a mutant has a number");
            return Self::On { mutant, num_calls: AtomicU64::new(0) };
        }
        env::var_os(TRACE).map_or(Self::Off, |path| Self::traced(&path))
    }

    fn traced(path: &OsStr) -> Self {
        let file = OpenOptions::new().create(true).append(true).open(path).expect("the trace can be written");
        Self::Traced(Mutex::new(Reached { mutants: BTreeSet::new(), file }))
    }

    fn is_on(&self, mutant: u32) -> bool {
        match self {
            Self::Off => false,
            Self::On { mutant: on, num_calls } => {
                if num_calls.fetch_add(1, Ordering::Relaxed) > MAX_CALLS {
                    panic_any(TooManyCalls);
                }
                *on == mutant
            }
            Self::Traced(reached) => {
                reached.lock().unwrap_or_else(PoisonError::into_inner).note(mutant);
                false
            }
        }
    }
}

impl Reached {
    fn note(&mut self, mutant: u32) {
        if self.mutants.insert(mutant) {
            // At once: the process may end in any way.
            writeln!(self.file, "{mutant}").expect("the trace can be written");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CALLS, State};
    use crate::TooManyCalls;
    use std::sync::atomic::AtomicU64;
    use std::thread;
    use std::{env, fs, process};

    #[test]
    fn one_mutant_is_on_in_all_threads() {
        let state = State::On { mutant: 3, num_calls: AtomicU64::new(0) };
        thread::scope(|scope| scope.spawn(|| assert!(state.is_on(3) && !state.is_on(4))).join()).unwrap();
        assert!(state.is_on(3) && !State::Off.is_on(3));
    }

    #[test]
    fn a_mutant_that_does_not_terminate_is_stopped() {
        let state = State::On { mutant: 3, num_calls: AtomicU64::new(MAX_CALLS - 10) };
        let stopped = thread::scope(|scope| scope.spawn(|| (0..20).all(|_| state.is_on(3))).join());
        assert!(stopped.unwrap_err().is::<TooManyCalls>());
    }

    #[test]
    fn each_mutant_that_is_reached_is_written_once() {
        let path = env::temp_dir().join(format!("ssaphire-mutants-{}", process::id()));
        let state = State::traced(path.as_os_str());
        assert!([5, 2, 5].into_iter().all(|mutant| !state.is_on(mutant)));
        assert_eq!(fs::read_to_string(&path).unwrap(), "5\n2\n");
        fs::remove_file(&path).unwrap();
    }
}

//! A stack of its own for running code.

use crate::Error;
use std::thread;

/// The size of the stack, in bytes of address space; the system commits memory as it grows.
const STACK: usize = 1 << 28;

/// Bytes of it that running code reserves for one function, and for the callbacks.
const RESERVE: usize = 1 << 23;

/// Calls `run` on a stack of its own, with the lowest address to use.
///
/// The stack is that of a new thread or, where the system refuses a thread, one that the calling thread switches to.
pub(crate) fn on_stack<R: Send>(run: impl FnOnce(u64) -> R + Send) -> Result<R, Error> {
    let mut run = Some(run);
    let on_thread = thread::scope(|scope| {
        let work = || run.take().map(|run| run(lowest()));
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        Some(thread.join().map_err(|_| Error::Machine("the thread that ran the code was stopped".to_owned())))
    });
    let result = match on_thread {
        Some(result) => result?,
        None => run.map(on_changed_stack),
    };
    result.ok_or_else(|| Error::Machine("there is no stack to run on".to_owned()))
}

/// Calls `run` on a stack that the calling thread switches to.
fn on_changed_stack<R>(run: impl FnOnce(u64) -> R) -> R {
    stacker::grow(STACK, || run(lowest()))
}

/// The lowest address to use on a stack that has just been entered.
fn lowest() -> u64 {
    let here = 0u8;
    (&raw const here).addr().saturating_sub(STACK - RESERVE) as u64
}

#[cfg(test)]
mod tests {
    use super::{STACK, on_changed_stack, on_stack};

    /// Bytes of the stack from here down to the lowest address to use.
    fn room(lowest: u64) -> usize {
        let here = 0u8;
        (&raw const here).addr() - lowest as usize
    }

    #[test]
    fn there_is_as_much_stack_on_this_thread_as_on_another() {
        let fits = |room: usize| room > STACK / 10 * 9 && room < STACK;
        assert!(fits(on_changed_stack(room)));
        assert_eq!(on_stack(room).map(fits), Ok(true));
    }

    #[test]
    fn the_stack_can_be_used_down_to_there() {
        fn deep(levels: usize) -> usize {
            let frame = std::hint::black_box([levels; 1024]);
            if levels == 0 { 0 } else { deep(levels - 1) + frame[17] - levels + 1 }
        }
        assert_eq!(on_changed_stack(|_| deep(10_000)), 10_000, "80 MB of frames");
    }
}

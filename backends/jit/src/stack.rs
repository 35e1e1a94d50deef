//! A stack of its own for running code.

use crate::Error;
use std::thread;

/// Bytes of the stack, in address space; memory is taken as it grows.
const STACK: usize = 1 << 28;

/// Bytes of it that running code leaves to one function, and to what it calls back.
const RESERVE: usize = 1 << 23;

/// Runs something on a stack of its own, and tells it the lowest address to use.
pub(crate) fn on_stack<R: Send>(run: impl FnOnce(u64) -> R + Send) -> Result<R, Error> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            let here = 0u8;
            let top = (&raw const here).addr();
            run((top.saturating_sub(STACK - RESERVE)) as u64)
        });
        let joined = thread.map_err(Error::machine)?.join();
        joined.map_err(|_| Error::Machine("the thread that ran the code was stopped".to_owned()))
    })
}

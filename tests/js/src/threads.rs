//! Work on several threads.

use std::io;
use std::panic::resume_unwind;
use std::thread;

/// What `work` returns on each of `jobs` threads, of which there is one at least.
///
/// # Errors
/// The first error of any.
pub(crate) fn on_threads<T: Send>(jobs: usize, work: impl Fn() -> io::Result<T> + Sync) -> io::Result<Vec<T>> {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(&work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

//! Time, and memory where the program counts it.
//!
//! Two programs are made of this package. The one that takes times has the
//! system's allocator; the other, the same but for [`ALLOCATOR`], counts bytes
//! and allocations. What is timed is so never slowed by what counts.
//!
//! Times are those the processor spends on the calling thread: a machine that
//! does something else meanwhile disturbs them less than a clock on the wall.

use cpu_time::ThreadTime;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::hint::black_box;
use std::time::Duration;

/// The allocator of the program that counts.
pub static ALLOCATOR: PeakMemAlloc<&'static StatsAlloc<System>> = PeakMemAlloc::new(&INSTRUMENTED_SYSTEM);

/// What something took from the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The most bytes it held at a time, beyond what was held before.
    pub peak: u64,
    /// Allocations, and changes of size.
    pub allocations: u64,
}

/// Runs `work`: its result, and what it took from the heap; `None` in the program that does not count.
///
/// Other threads must not allocate meanwhile.
pub fn memory<T>(work: impl FnOnce() -> T) -> (T, Option<Memory>) {
    ALLOCATOR.reset_peak_memory();
    let before = allocations();
    let result = work();
    let memory = Memory { peak: ALLOCATOR.get_peak_memory() as u64, allocations: allocations() - before };
    (result, is_counting().then_some(memory))
}

/// Whether this program counts allocations.
pub fn is_counting() -> bool {
    let before = allocations();
    black_box(Box::new(black_box(0u8)));
    allocations() > before
}

fn allocations() -> u64 {
    let stats = INSTRUMENTED_SYSTEM.stats();
    (stats.allocations + stats.reallocations) as u64
}

/// The time the calling thread spends on `work`, and its result.
pub fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = ThreadTime::now();
    let result = work();
    (result, start.elapsed())
}

/// The shortest of `runs` times that `work` takes; noise only adds.
pub fn shortest(runs: usize, mut work: impl FnMut()) -> Duration {
    (0..runs.max(1)).map(|_| time(&mut work).1).min().unwrap_or_default()
}

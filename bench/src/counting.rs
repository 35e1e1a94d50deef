//! The benchmarks, with an allocator that counts; times taken here mean little.

use peakmem_alloc::PeakMemAlloc;
use ssaphire_bench::measure;
use stats_alloc::StatsAlloc;
use std::alloc::System;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: &PeakMemAlloc<&StatsAlloc<System>> = &measure::ALLOCATOR;

fn main() -> ExitCode {
    ssaphire_bench::command::main()
}

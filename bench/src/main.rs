//! The benchmarks, with the system's allocator.

use std::process::ExitCode;

fn main() -> ExitCode {
    ssaphire_bench::command::main()
}

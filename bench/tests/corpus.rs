//! The traces of the real programs are those that the published figures were taken on.
//!
//! Every event of them is counted, the results on the smallest are known to
//! the last phi, and building it a second time allocates nothing.

use peakmem_alloc::PeakMemAlloc;
use ssaphire_bench::subject::Subject;
use ssaphire_bench::trace::{Counts, Trace};
use ssaphire_bench::{counter, measure, results, wasm};
use ssaphire_literature::Engine;
use stats_alloc::StatsAlloc;
use std::alloc::System;
use std::io::Write;
use std::path::Path;
use std::{env, fs, io};

#[global_allocator]
static ALLOCATOR: &PeakMemAlloc<&StatsAlloc<System>> = &measure::ALLOCATOR;

/// Under this variable a test that would be skipped fails.
const NO_SKIP: &str = "SSAPHIRE_NO_SKIP";

/// The trace of a program, or `None` where the corpus was not fetched.
#[track_caller]
fn trace_of(file: &str) -> Option<Trace> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/corpus").join(file);
    let Ok(module) = fs::read(path) else {
        let may_skip = env::var_os(NO_SKIP).is_none_or(|value| value.is_empty() || value == "0");
        assert!(may_skip, "no {file}, and {NO_SKIP} is set");
        // Not `println!`, which the test runner keeps back when a test passes.
        writeln!(io::stderr(), "skipped: no {file}").expect("standard error can be written");
        return None;
    };
    let recorded = wasm::record(&module).unwrap();
    assert_eq!(recorded.skipped, 0);
    Some(recorded.trace)
}

/// Functions, blocks, variables, writes, reads, edges, events.
#[track_caller]
fn check(file: &str, [functions, blocks, variables, writes, reads, edges, events]: [u64; 7]) {
    if let Some(trace) = trace_of(file) {
        let counts = trace.counts();
        let values = counts.values;
        assert_eq!(counts, Counts { functions, blocks, variables, values, writes, reads, edges, events });
    }
}

// One test: the counting allocator counts everything.
#[test]
fn the_traces_are_those_of_the_published_figures() {
    check("esbuild.wasm", [5_307, 420_640, 31_680, 502_224, 919_634, 819_770, 3_104_418]);
    check("swc.wasm", [16_346, 848_420, 138_259, 840_408, 1_860_315, 1_236_838, 6_094_403]);
    check("duckdb-mvp.wasm", [62_171, 1_360_173, 419_071, 1_753_279, 3_623_071, 1_917_338, 10_817_042]);
    check("sql-wasm.wasm", [1_968, 39_184, 11_741, 38_011, 81_635, 54_696, 276_382]);
    if let Some(trace) = trace_of("sql-wasm.wasm") {
        results_are_known(&trace);
    }
}

fn results_are_known(trace: &Trace) {
    let result = results::of_cranelift(trace);
    assert_eq!([result.built.params, result.built.arguments, result.cleaned.params], [10_271, 40_597, 8_245]);
    for &engine in Engine::ON_THE_FLY {
        let stats = results::of_engine(engine, trace);
        assert!(stats.phis_kept <= 7_719, "{engine}: {} phis", stats.phis_kept);
        let (memory, steady) = counter::count(Subject::Engine(engine), trace).expect("this program counts");
        assert!(memory.peak > 0 && memory.allocations > 0);
        assert_eq!(steady, 0, "{engine} allocates in the steady state");
    }
}

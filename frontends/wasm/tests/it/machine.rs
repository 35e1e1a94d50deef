//! Modules that run.

use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_wasm::{Instance, Number, RunError, load};

#[track_caller]
fn call(wat: &str, name: &str, args: &[Number]) -> Result<Vec<Number>, RunError> {
    let module = load(wat).unwrap_or_else(|error| panic!("{error}"));
    let function = module.function_named(name).unwrap_or_else(|| panic!("{name}: no such function"));
    Instance::new(&module, Limits::default())?.call(function, args)
}

#[track_caller]
fn trap(wat: &str) -> String {
    match call(wat, "f", &[]) {
        Err(RunError::Trap(trap)) => trap.kind.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_examples_run() {
    let sieve = include_str!("../../../../examples/sieve.wat");
    let count = |limit| call(sieve, "count_primes", &[Number::I32(limit)]);
    assert_eq!(count(100), Ok(vec![Number::I32(25)]));
    assert_eq!(count(4096), Ok(vec![Number::I32(564)]));
    let polish = include_str!("../../../../examples/dispatch.wat");
    assert_eq!(call(polish, "run", &[Number::I32(10)]), Ok(vec![Number::I64(3_628_800)]));
}

#[test]
fn traps_have_the_words_of_the_specification() {
    let f = |body: &str| format!("(module (memory 1) (table 2 funcref) (type $t (func)) (func (export \"f\") {body}))");
    assert_eq!(trap(&f("(unreachable)")), "unreachable");
    assert_eq!(trap(&f("(drop (i32.div_s (i32.const 1) (i32.const 0)))")), "integer divide by zero");
    assert_eq!(trap(&f("(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))")), "integer overflow");
    assert_eq!(trap(&f("(drop (i32.trunc_f32_s (f32.const nan)))")), "invalid conversion to integer");
    assert_eq!(trap(&f("(drop (i64.load (i32.const 65529)))")), "out of bounds memory access");
    assert_eq!(trap(&f("(drop (i32.load offset=4294967295 (i32.const -1)))")), "out of bounds memory access");
    assert_eq!(trap(&f("(call_indirect (type $t) (i32.const 2))")), "undefined element");
    assert_eq!(trap(&f("(call_indirect (type $t) (i32.const 1))")), "uninitialized element");
    let other =
        "(module (table funcref (elem $g)) (func $g (param i32)) (func (export \"f\") (call_indirect (i32.const 0))))";
    assert_eq!(trap(other), "indirect call type mismatch");
}

#[test]
fn signs_offsets_and_bounds_are_those_of_the_specification() {
    let f = |result: &str, body: &str| {
        let wat = format!("(module (memory 1) (func (export \"f\") (result {result}) {body}))");
        call(&wat, "f", &[]).map(|results| results[0])
    };
    let stored = "(i32.store offset=4 (i32.const 0) (i32.const 7)) (i32.load (i32.const 4))";
    assert_eq!(f("i32", stored), Ok(Number::I32(7)));
    assert_eq!(f("i32", "(memory.grow (i32.const 100000))"), Ok(Number::I32(-1)));
    let short = "(i64.store16 (i32.const 0) (i64.const -2)) (i64.load16_s (i32.const 0))";
    assert_eq!(f("i64", short), Ok(Number::I64(-2)));
    assert_eq!(f("i64", "(i64.extend_i32_u (i32.const -1))"), Ok(Number::I64(0xffff_ffff)));
    assert_eq!(f("i64", "(i64.extend_i32_s (i32.const -1))"), Ok(Number::I64(-1)));
    let large = "(module (func (export \"f\") (drop (i32.trunc_f64_s (f64.const 2147483648)))))";
    assert_eq!(trap(large), "integer overflow");
    let subtype = "(module (type $s (sub (func))) (type $t (sub $s (func))) (table funcref (elem $g))
        (func $g (type $t)) (func (export \"f\") (call_indirect (type $s) (i32.const 0))))";
    assert_eq!(call(subtype, "f", &[]), Ok(vec![]));
}

#[test]
fn calls_are_bounded_by_the_limit_alone() {
    let wat = "(module (func $f (export \"f\") (call $f)))";
    let module = load(wat).expect("the module is valid");
    let limits = Limits { steps: 1_000_000, frames: 100_000 };
    let outcome = Instance::new(&module, limits).and_then(|mut instance| instance.call(0, &[]));
    let Err(RunError::Trap(trap)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(trap.kind, TrapKind::TooManyFrames { limit: 100_000 });
}

#[test]
fn what_is_not_covered_is_named() {
    let vector = "(module (func (export \"f\") (drop (i32x4.neg (v128.const i32x4 1 2 3 4)))))";
    assert_eq!(call(vector, "f", &[]), Err(RunError::Operator("i32x4.neg".to_owned())));
    let wanted = |name: &str| Err(RunError::Import { module: "env".to_owned(), name: name.to_owned() });
    let function = "(module (import \"env\" \"g\" (func $g)) (func (export \"f\") (call $g)) (func (export \"h\")))";
    assert_eq!(call(function, "f", &[]), wanted("g"));
    assert_eq!(call(function, "h", &[]), Ok(vec![]), "what is not called need not be there");
    let global = "(module (import \"env\" \"g\" (global i32)) (func (export \"f\")))";
    assert_eq!(call(global, "f", &[]), wanted("g"));
    let memory = "(module (memory 65536) (func (export \"f\")))";
    assert_eq!(call(memory, "f", &[]), Err(RunError::TooLarge));
    assert_eq!(call("(module (func (export \"f\")))", "f", &[Number::I32(1)]), Err(RunError::Arguments));
}

#[test]
fn a_start_function_runs_first() {
    let wat = "(module (global $g (mut i32) (i32.const 1)) (start $s)
        (func $s (global.set $g (i32.const 42)))
        (func (export \"f\") (result i32) (global.get $g)))";
    assert_eq!(call(wat, "f", &[]), Ok(vec![Number::I32(42)]));
    assert!(matches!(call("(module (start $s) (func $s (unreachable)))", "s", &[]), Err(RunError::Trap(_))));
}

#[test]
fn memories_show_what_was_stored() {
    let wat = "(module (memory 1) (memory (export \"m\") 1 2) (data (memory 1) (i32.const 3) \"abc\")
        (func (export \"f\") (i32.store 1 (i32.const 4) (memory.grow 1 (i32.const 1)))))";
    let module = load(wat).expect("the module is valid");
    let mut instance = Instance::new(&module, Limits::default()).expect("there is an instance");
    let memory = module.exported_memory("m").expect("the memory is exported");
    assert_eq!(instance.memory(memory).map(|bytes| (bytes.len(), &bytes[2..8])), Some((1 << 16, &b"\0abc\0\0"[..])));
    assert_eq!(instance.call(0, &[]), Ok(vec![]));
    assert_eq!(
        instance.memory(memory).map(|bytes| (bytes.len(), &bytes[2..8])),
        Some((2 << 16, &b"\0a\x01\0\0\0"[..]))
    );
    assert_eq!(instance.memory(2), None);
    assert_eq!(module.exported_memory("f"), None);
}

#[test]
fn arguments_are_read_in_decimal_and_by_their_bits() {
    use wasmparser::ValType;
    assert_eq!(Number::parse("-7", ValType::I32), Some(Number::I32(-7)));
    assert_eq!(Number::parse("0xffffffff", ValType::I32), Some(Number::I32(-1)));
    assert_eq!(Number::parse("1.5", ValType::F64), Some(Number::F64(1.5f64.to_bits())));
    assert_eq!(Number::parse("0x7fc00001", ValType::F32), Some(Number::F32(0x7fc0_0001)));
    assert_eq!(Number::parse("4294967296", ValType::I32), None);
    assert_eq!(Number::parse("1", ValType::V128), None);
}

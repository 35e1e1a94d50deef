//! Modules: what is refused, what is not covered, what stays from call to call.

use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_jit::wasm::{Compile, Instance, RunError, Setup};
use ssaphire_jit::{Error, Options, OurBuilder};
use ssaphire_wasm::{MissingImports, Module, Number, Pool, RunError as Refusal, load};

fn module(wat: &str) -> Module {
    load(wat).unwrap_or_else(|error| panic!("{error}"))
}

fn instance(module: &Module) -> Instance<'_> {
    Instance::new(module, Limits::default(), &Options::quick()).unwrap()
}

#[test]
fn memory_and_globals_stay_from_call_to_call_until_a_reset() {
    let module = module(
        "(module (memory 1 3) (global $g (mut i64) (i64.const 5)) (data (i32.const 8) \"\\07\")
           (func $f (result i32 i64)
             (i32.store8 (i32.const 8) (i32.add (i32.load8_u (i32.const 8)) (i32.const 1)))
             (global.set $g (i64.add (global.get $g) (i64.const 1)))
             (drop (memory.grow (i32.const 1)))
             (memory.copy (i32.const 9) (i32.const 8) (i32.const 1))
             (i32.load8_u (i32.const 9)) (global.get $g)))",
    );
    let mut instance = instance(&module);
    let mut next = || instance.call(0, &[]).unwrap();
    assert_eq!(next(), [Number::I32(8), Number::I64(6)]);
    assert_eq!(next(), [Number::I32(9), Number::I64(7)]);
    assert_eq!(instance.memory(0).map(<[u8]>::len), Some(3 << 16));
    assert_eq!(instance.global(0), Some(Number::I64(7)));
    assert!(instance.set_global(0, Number::I64(40)) && !instance.set_global(0, Number::I32(1)));
    assert_eq!(instance.call(0, &[]).unwrap(), [Number::I32(10), Number::I64(41)]);
    instance.reset().unwrap();
    assert_eq!(instance.memory(0).map(<[u8]>::len), Some(1 << 16));
    assert_eq!(instance.call(0, &[]).unwrap(), [Number::I32(8), Number::I64(6)]);
}

#[test]
fn bodies_that_are_not_valid_are_refused_before_they_are_translated() {
    // A function that returns an `i32` and leaves an `i64`.
    let valid = module("(module (func (result i32) (i32.const 7)))");
    let bytes: Vec<u8> = valid.bytes().iter().map(|&byte| if byte == 0x41 { 0x42 } else { byte }).collect();
    let broken = Module::parse_without_bodies(bytes).unwrap();
    let refused = Instance::new(&broken, Limits::default(), &Options::quick()).err();
    assert!(matches!(refused, Some(RunError::Refused(Refusal::Module(_)))), "{refused:?}");
}

#[test]
fn a_try_is_not_covered_and_stops_only_who_comes_there() {
    // Behind each of them, however it ends, the function goes on.
    let wat = "(module (tag $t)
        (func (export \"f\") (param i32) (result i32)
          (block
            (br_if 0 (i32.eqz (local.get 0)))
            (block
              (br 0)
              try try (loop (br 0)) delegate 0 catch $t (unreachable) catch_all (unreachable) end)
            (br_if 0 (i32.eq (local.get 0) (i32.const 1)))
            try try (throw $t) delegate 1 catch_all end)
          (i32.const 7)))";
    let module = module(wat);
    let mut instance = instance(&module);
    assert_eq!(instance.call(0, &[Number::I32(0)]), Ok(vec![Number::I32(7)]));
    assert_eq!(instance.call(0, &[Number::I32(1)]), Ok(vec![Number::I32(7)]));
    let refused = Err(RunError::Refused(Refusal::Operator("try".to_owned())));
    assert_eq!(instance.call(0, &[Number::I32(2)]), refused);
}

#[test]
fn pages_of_another_size_are_counted() {
    let wat = "(module (memory 3 10 (pagesize 1))
        (func (export \"f\") (result i32)
          (i32.add (i32.mul (i32.const 100) (memory.grow (i32.const 2))) (memory.size))))";
    let module = module(wat);
    let mut instance = instance(&module);
    assert_eq!(instance.call(0, &[]), Ok(vec![Number::I32(305)]));
}

#[test]
fn operators_that_are_not_covered_stop_only_who_comes_there() {
    let module = module(
        "(module (func $f (param i32) (result i32)
           (block $out
             (br_if $out (local.get 0))
             (block (result v128) (v128.const i32x4 1 2 3 4)) (drop)
             (return (i32.const 1)))
           (if (i32.eq (local.get 0) (i32.const 2)) (then (drop (i32x4.neg (v128.const i32x4 1 2 3 4)))))
           (i32.const 3)))",
    );
    let mut instance = instance(&module);
    let not_covered = |name: &str| Err(RunError::Refused(Refusal::Operator(name.to_owned())));
    assert_eq!(instance.call(0, &[Number::I32(1)]), Ok(vec![Number::I32(3)]));
    assert_eq!(instance.call(0, &[Number::I32(0)]), not_covered("block"));
    assert_eq!(instance.call(0, &[Number::I32(2)]), not_covered("v128.const"));
    let names: Vec<&str> = instance.not_covered().map(|what| what.name.as_str()).collect();
    assert_eq!(names, ["block", "v128.const"]);
}

#[test]
fn imports_that_are_not_there_stop_only_who_calls_them() {
    let module = module(
        "(module (import \"env\" \"g\" (func $g (param i64) (result i32)))
           (func $f (param i32) (result i32)
             (if (result i32) (local.get 0) (then (call $g (i64.const 1))) (else (i32.const 4)))))",
    );
    let mut instance = instance(&module);
    assert_eq!(instance.call(1, &[Number::I32(0)]), Ok(vec![Number::I32(4)]));
    let absent = Refusal::Import { module: "env".to_owned(), name: "g".to_owned() };
    assert_eq!(instance.call(1, &[Number::I32(1)]), Err(RunError::Refused(absent.clone())));
    assert_eq!(instance.call(0, &[Number::I64(1)]), Err(RunError::Refused(absent)));
    assert_eq!(instance.call(0, &[Number::I32(1)]), Err(RunError::Refused(Refusal::Arguments)));
}

#[test]
fn imported_memories_tables_and_globals_are_refused_or_made() {
    let module = module(
        "(module (import \"env\" \"memory\" (memory 1)) (import \"env\" \"table\" (table 2 funcref))
           (import \"env\" \"base\" (global $base i32)) (import \"env\" \"top\" (global $top (mut i64)))
           (data (global.get $base) \"\\07\") (elem (global.get $base) $f)
           (func $f (result i32) (i32.load8_u (global.get $base)))
           (func (result i32) (call_indirect (result i32) (global.get $base)))
           (func (result i64) (global.set $top (i64.add (global.get $top) (i64.const 3))) (global.get $top)))",
    );
    let with = |missing| Instance::with_setup(&module, OurBuilder, Setup { missing, ..Setup::default() });
    let refused = Refusal::Import { module: "env".to_owned(), name: "memory".to_owned() };
    assert_eq!(with(MissingImports::Refused).err(), Some(RunError::Refused(refused)));
    let mut instance = with(MissingImports::Made).unwrap();
    assert_eq!(instance.call(0, &[]), Ok(vec![Number::I32(7)]));
    assert_eq!(instance.call(1, &[]), Ok(vec![Number::I32(7)]));
    assert_eq!(instance.call(2, &[]), Ok(vec![Number::I64(3)]));
    assert_eq!(instance.call(2, &[]), Ok(vec![Number::I64(6)]));
    instance.reset().unwrap();
    assert_eq!(instance.call(2, &[]), Ok(vec![Number::I64(3)]));
}

fn when_called(module: &Module, threads: usize) -> Result<Instance<'_>, RunError> {
    let (compile, pool, options) = (Compile::WhenCalled, Pool::new(threads), Options::quick());
    Instance::with_setup(module, OurBuilder, Setup { compile, pool, options, ..Setup::default() })
}

#[test]
fn imports_need_not_be_there_before_a_function_that_uses_them_is_called() {
    let module = module(
        "(module (import \"env\" \"memory\" (memory 1)) (import \"env\" \"top\" (global $top (mut i32)))
           (type $t (func (result i32))) (table 3 funcref) (elem (i32.const 0) $seven $loads)
           (func $seven (type $t) (i32.const 7))
           (func $loads (type $t) (i32.load (i32.const 0)))
           (func $by_table (param i32) (result i32) (call_indirect (type $t) (local.get 0)))
           (func $gets (result i32) (global.get $top))
           (func $by_number (param i32) (result i32)
             (if (result i32) (local.get 0) (then (call $loads)) (else (call $gets)))))",
    );
    let absent = |name: &str| {
        let import = Refusal::Import { module: "env".to_owned(), name: name.to_owned() };
        Err(RunError::Refused(import))
    };
    for threads in [1, 3] {
        let mut instance = when_called(&module, threads).unwrap();
        assert_eq!(instance.call(2, &[Number::I32(0)]), Ok(vec![Number::I32(7)]));
        assert_eq!(instance.call(2, &[Number::I32(1)]), absent("memory"));
        assert_eq!(instance.call(3, &[]), absent("top"));
        assert_eq!(instance.call(4, &[Number::I32(1)]), absent("memory"));
        assert_eq!(instance.call(4, &[Number::I32(0)]), absent("top"));
        instance.reset().unwrap();
        assert_eq!(instance.call(2, &[Number::I32(0)]), Ok(vec![Number::I32(7)]));
        assert_eq!(instance.call(1, &[]), absent("memory"));
        let mut trap = |place| match instance.call(2, &[Number::I32(place)]) {
            Err(RunError::Trap { kind, .. }) => kind.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!([2, 3].map(&mut trap), ["uninitialized element", "undefined element"]);
    }
    let (compile, missing) = (Compile::WhenCalled, MissingImports::Made);
    let setup = Setup { compile, missing, ..Setup::default() };
    assert_eq!(Instance::with_setup(&module, OurBuilder, setup).unwrap().call(3, &[]), Ok(vec![Number::I32(0)]));
}

#[test]
fn functions_are_compiled_when_they_are_called() {
    // What is not covered is known of functions that have been compiled.
    let module = module(
        "(module (type $f (func (param i64 f32) (result f64 i32))) (table 1 funcref) (elem (i32.const 0) $second)
           (func $first (param i32) (result i32) (local v128)
             (if (local.get 0) (then (call $second (i64.const 1) (f32.const 2)) (drop) (drop)))
             (i32.const 1))
           (func $second (type $f) (drop (v128.const i32x4 0 0 0 0)) (unreachable))
           (func $third (result i32) (drop (call_indirect (type $f) (i64.const 1) (f32.const 2) (i32.const 0))) (drop) (i32.const 2))
           (func $down (param i32) (result i32)
             (if (result i32) (local.get 0)
               (then (i32.add (i32.const 1) (call $up (i32.sub (local.get 0) (i32.const 1)))))
               (else (i32.const 0))))
           (func $up (param i32) (result i32) (call $down (local.get 0))))",
    );
    let mut instance = when_called(&module, 1).unwrap();
    let names = |instance: &Instance<'_>| instance.not_covered().map(|what| what.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&instance), [""; 0]);
    assert_eq!(instance.call(3, &[Number::I32(50)]), Ok(vec![Number::I32(50)]));
    assert_eq!(names(&instance), [""; 0]);
    let refused = |name: &str| Err(RunError::Refused(Refusal::Operator(name.to_owned())));
    assert_eq!(instance.call(0, &[Number::I32(0)]), refused("local of type v128"));
    assert_eq!(names(&instance), ["local of type v128"]);
    assert_eq!(instance.call(2, &[]), refused("v128.const"));
    assert_eq!(names(&instance), ["local of type v128", "v128.const"]);
}

#[test]
fn a_function_that_has_no_code_stops_only_who_calls_it() {
    // A loop around each read takes more work than is allowed.
    let loops = "(loop (br_if 0 (local.get 0)))".repeat(100);
    let module = module(&format!(
        "(module (func $small (param i32) (result i32)
           (if (local.get 0) (then (call $large (i32.const 0)))) (i32.const 5))
         (func $large (param i32) {loops}))"
    ));
    let construction = ssaphire::Options::default().with_work_limit(30);
    let (compile, options) = (Compile::WhenCalled, Options { construction, ..Options::quick() });
    for threads in [1, 2] {
        let setup = Setup { compile, options: options.clone(), pool: Pool::new(threads), ..Setup::default() };
        let mut instance = Instance::with_setup(&module, OurBuilder, setup).unwrap();
        for _ in 0..2 {
            assert_eq!(instance.call(0, &[Number::I32(0)]), Ok(vec![Number::I32(5)]));
            for (function, args) in [(0, [Number::I32(1)]), (1, [Number::I32(0)])] {
                let refused = instance.call(function, &args);
                let Err(RunError::Code(Error::Refused { function, message })) = refused else { panic!("{refused:?}") };
                assert_eq!((&*function, message.contains("work")), ("large", true), "{message}");
            }
        }
    }
    let all = Instance::with_setup(&module, OurBuilder, Setup { options, ..Setup::default() });
    assert!(matches!(all.err(), Some(RunError::Code(Error::Refused { .. }))));
}

#[test]
fn a_segment_that_goes_where_an_import_says_needs_that() {
    let module = module(
        "(module (import \"env\" \"base\" (global $base i32)) (memory 1) (data (global.get $base) \"\\07\")
           (func $f (result i32) (i32.const 1)))",
    );
    let refused = Refusal::Import { module: "env".to_owned(), name: "base".to_owned() };
    assert_eq!(when_called(&module, 1).err(), Some(RunError::Refused(refused)));
}

#[test]
fn machine_code_is_the_same_for_any_number_of_threads() {
    let function = |number| format!("(func (param i32) (result i32) (i32.add (local.get 0) (i32.const {number})))");
    let functions: String = (0..300).map(function).collect();
    let module = module(&format!("(module {functions})"));
    let answers = |pool| {
        let mut instance = Instance::with_setup(&module, OurBuilder, Setup { pool, ..Setup::default() }).unwrap();
        (0..300).map(|index| instance.call(index, &[Number::I32(5)]).unwrap()).collect::<Vec<_>>()
    };
    let expected: Vec<_> = (0..300).map(|number| vec![Number::I32(5 + number)]).collect();
    assert_eq!((answers(Pool::alone()), answers(Pool::new(3))), (expected.clone(), expected));
}

#[test]
fn runs_end_at_their_limits() {
    let module = module("(module (func $down (param i32) (call $down (local.get 0))) (func $on (loop (br 0))))");
    let limits = Limits { steps: 100_000, frames: 300 };
    let mut instance = Instance::new(&module, limits, &Options::default()).unwrap();
    let trap = |kind, function| Err(RunError::Trap { kind, function });
    assert_eq!(instance.call(0, &[Number::I32(1)]), trap(TrapKind::TooManyFrames { limit: 300 }, 0));
    assert_eq!(instance.call(1, &[]), trap(TrapKind::OutOfSteps { limit: 100_000 }, 1));
    let unlimited = Limits { steps: u64::MAX, frames: usize::MAX };
    let mut instance = Instance::new(&module, unlimited, &Options::default()).unwrap();
    let exhausted = TrapKind::Dialect("call stack exhausted".to_owned());
    assert_eq!(instance.call(0, &[Number::I32(1)]), trap(exhausted, 0));
}

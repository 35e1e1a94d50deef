//! Proposals that are not on by default in `wasmparser`: built, or refused by name.

use crate::judged::{self, check};
use ssaphire::Certified;
use ssaphire_ir::interp::Limits;
use ssaphire_wasm::{Instance, Module, Number, Reason, TranslateOptions, load, translate};

#[test]
fn a_resume_has_a_way_out_for_each_label() {
    check(
        "(type $f (func (param i32) (result i32))) (type $c (cont $f))
         (type $g (func (param i64) (result i32))) (type $d (cont $g))
         (tag $yield (param f32) (result i64)) (tag $e)
         (func $f (param $k (ref $c)) (param $x i32) (result i32)
           (block $on (result f32 (ref null $d))
             (block $handler
               (try_table (catch $e $handler)
                 (local.set $x (i32.const 8))
                 (return (resume $c (on $yield $on) (i32.const 1) (local.get $k)))))
             (return (local.get $x)))
           (drop) (drop)
           (local.get $x))",
        "func f(%k.0: ref.1, %x.0) {
         var k: ref.1
         var x
         var stack: f32
         var stack_2: ref.null.3
         block0:
           %4 = resume 1(1, %k.0) to block3, block1, block2
         block1:
           %5: f32, %6: ref.null.3 = suspended 0
           jump block4
         block2:
           catch 1
           jump block5
         block3:
           return %4
         block4:
           return 8
         block5:
           return 8
         }",
    );
}

#[test]
fn what_suspends_may_be_resumed_by_an_exception() {
    check(
        "(type $f (func)) (type $c (cont $f)) (tag $t) (tag $e)
         (func $f (param $x i32) (result i32)
           (block $handler
             (try_table (catch $e $handler)
               (suspend $t)
               (local.set $x (i32.const 1))
               (resume_throw $c $e (cont.new $c (ref.null $f)))))
           (local.get $x))",
        "func f(%x.0) {
         block0:
           suspend 0() to block2, block1
         block1: <- block0, block2
           %x.1 = phi %x.0, 1
           catch 1
           jump block4
         block2:
           %4: ref.1 = cont.new 1 null.0
           resume_throw 1 1(%4) to block3, block1
         block3:
           jump block4
         block4: <- block1, block3
           %x.2 = phi %x.1, 1
           return %x.2
         }",
    );
}

#[test]
fn casts_by_descriptor_refine_both_ways_out() {
    check(
        "(rec
           (type $s (descriptor $d) (struct (field i32)))
           (type $d (describes $s) (struct)))
         (func $f (param $r anyref) (param $d (ref (exact $d))) (result i32)
           (block $cast (result (ref (exact $s)))
             (drop (br_on_cast_desc_eq $cast anyref (ref (exact $s)) (local.get $r) (local.get $d)))
             (return (i32.const 1)))
           (struct.get $s 0))",
        "func f(%r.0: ref.null.any, %d.0: ref.exact.1) {
         var r: ref.null.any
         var d: ref.exact.1
         var stack: ref.exact.0
         block0:
           %3: ref.exact.0 = br_on_cast_desc_eq ref.null.any ref.exact.0 %r.0, %d.0, block1, block2
         block1:
           jump block3
         block2:
           return 1
         block3:
           %4 = struct.get 0 0 %3
           return %4
         }",
    );
}

#[test]
fn atomic_operations_keep_their_order() {
    check(
        "(memory 1 1 shared) (global $g (shared mut i32) (i32.const 0))
         (type $s (shared (struct (field (mut i32)))))
         (func $f (param $x i32) (param $s (ref null (shared any))) (result i32)
           (global.atomic.set acqrel $g (global.atomic.get seqcst $g))
           (atomic.fence)
           (i32.atomic.store offset=4 acqrel (local.get $x) (i32.atomic.load (local.get $x)))
           (pause)
           (global.atomic.rmw.add acqrel $g (i32.const 1)))",
        "func f(%x.0, %s.0: ref.null.shared.any) {
         var x
         var s: ref.null.shared.any
         block0:
           %3 = global.atomic.get 0
           global.atomic.set acqrel 0 %3
           atomic.fence
           %4 = i32.atomic.load %x.0
           i32.atomic.store acqrel offset=4 %x.0, %4
           pause
           %5 = global.atomic.rmw.add acqrel 0 1
           return %5
         }",
    );
}

#[test]
fn memory_is_discarded() {
    check(
        "(memory 1) (func $f (param $x i32) (memory.discard (local.get $x) (i32.const 65536)))",
        "func f(%x.0) {
         block0:
           memory.discard 0 %x.0, 65536
           return
         }",
    );
}

#[test]
fn pages_may_have_one_byte() {
    let wat = "(module (memory (export \"m\") 3 10 (pagesize 1))
        (func $f (param i32) (result i32) (i32.store8 (local.get 0) (i32.const 7))
          (i32.add (i32.mul (i32.const 100) (memory.grow (i32.const 2))) (memory.size))))";
    let module = load(wat).unwrap_or_else(|error| panic!("{error}"));
    let mut instance = Instance::new(&module, Limits::default()).expect("there is an instance");
    assert_eq!(instance.call(0, &[Number::I32(2)]), Ok(vec![Number::I32(305)]));
    assert_eq!(instance.memory(0), Some(&[0, 0, 7, 0, 0][..]));
    assert!(instance.call(0, &[Number::I32(5)]).is_err());
}

/// Why the last function of a module is not translated, and where that stands; the first one is.
#[track_caller]
fn refusal(fields: &str) -> (Reason, u64) {
    let module = load(format!("(module (func $fine (nop)) {fields})")).unwrap_or_else(|error| panic!("{error}"));
    let mut ssa = Certified::default();
    let mut translate = |index| translate(&module, index, &mut ssa, TranslateOptions::default());
    let last = translate(module.num_functions() - 1).expect_err("it is not covered");
    assert!(translate(0).is_ok());
    (last.reason, last.offset)
}

#[test]
fn what_is_not_covered_is_refused_by_operator_and_proposal() {
    let (reason, offset) = refusal(
        "(type $a (array (mut i8)))
         (func (param (ref $a)) (result i32) (i32.load (type $a) (local.get 0) (i32.const 0)))",
    );
    assert_eq!(reason, Reason::Unsupported { operator: "i32.load", proposal: "multibyte_array_access" });
    assert_eq!(reason.to_string(), "`i32.load` of proposal multibyte_array_access is not supported");
    assert!(offset > 0x20, "{offset}");
    let (reason, _) = refusal(
        "(type $f (func)) (type $c (cont $f)) (tag $t)
         (func (resume $c (on $t switch) (ref.null $c)))",
    );
    assert_eq!(reason, Reason::Unsupported { operator: "resume", proposal: "stack_switching" });
}

#[test]
fn a_section_of_an_unknown_kind_stops_no_function() {
    let module = judged::module("(module (func $f (result i32) (i32.const 3)))");
    let mut bytes = module.bytes().to_vec();
    // Behind the header, a section of kind 99 with three bytes.
    bytes.splice(8..8, [99, 3, 1, 2, 3]);
    let module = Module::parse(bytes).unwrap_or_else(|error| panic!("{error}"));
    let mut instance = Instance::new(&module, Limits::default()).expect("there is an instance");
    assert_eq!(instance.call(0, &[]), Ok(vec![Number::I32(3)]));
}

#[test]
fn types_are_those_of_before_where_custom_descriptors_are_not_needed() {
    check(
        "(type $s (struct)) (func $f (result (ref $s)) (struct.new $s))",
        "func f() {
         block0:
           %0: ref.0 = struct.new 0
           return %0
         }",
    );
}

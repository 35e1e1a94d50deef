//! How operators of every kind are spelled.

use crate::judged::{self, check};

#[test]
fn memory() {
    check(
        "(memory 1) (memory $m i64 1) (data \"x\")
         (func $f (param $p i32) (param $q i64)
           (i32.store offset=4 (local.get $p) (i32.load8_u (local.get $p)))
           (i64.store16 $m offset=8 align=1 (local.get $q) (i64.load $m (local.get $q)))
           (memory.fill (local.get $p) (memory.size) (memory.grow (i32.const 1)))
           (memory.copy 0 $m (local.get $p) (local.get $q) (i32.const 2))
           (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1))
           (data.drop 0))",
        "func f(%p.0, %q.0: i64) {
         var p
         var q: i64
         block0:
           %5 = i32.load8_u %p.0
           i32.store offset=4 %p.0, %5
           %6: i64 = i64.load memory=1 %q.0
           i64.store16 memory=1 offset=8 align=1 %q.0, %6
           %7 = memory.size 0
           %8 = memory.grow 0 1
           memory.fill 0 %p.0, %7, %8
           memory.copy 0 1 %p.0, %q.0, 2
           memory.init 0 0 0, 0, 1
           data.drop 0
           return
         }",
    );
}

#[test]
fn threads() {
    check(
        "(memory 1 1 shared)
         (func $f (param $p i32) (result i32)
           (i32.atomic.store offset=4 (local.get $p) (i32.atomic.rmw8.cmpxchg_u (local.get $p) (i32.const 0) (i32.const 1)))
           (atomic.fence)
           (memory.atomic.wait32 (local.get $p) (i32.const 0) (i64.const -1)))",
        "func f(%p.0) {
         block0:
           %4 = i32.atomic.rmw8.cmpxchg_u %p.0, 0, 1
           i32.atomic.store offset=4 %p.0, %4
           atomic.fence
           %5 = memory.atomic.wait32 %p.0, 0, -1_i64
           return %5
         }",
    );
}

#[test]
fn vectors() {
    check(
        "(memory 1)
         (func $f (param $p i32) (param $v v128) (result v128)
           (v128.load16_lane offset=2 3 (local.get $p)
             (i8x16.shuffle 0 1 2 3 4 5 6 7 24 25 26 27 28 29 30 31
               (local.get $v)
               (i32x4.replace_lane 1 (v128.const i64x2 1 -1) (i32x4.extract_lane 0 (local.get $v))))))",
        "func f(%p.0, %v.0: v128) {
         var p
         var v: v128
         block0:
           %3 = i32x4.extract_lane 0 %v.0
           %4: v128 = i32x4.replace_lane 1 0xffffffffffffffff0000000000000001_v128, %3
           %5: v128 = i8x16.shuffle 0 1 2 3 4 5 6 7 24 25 26 27 28 29 30 31 %v.0, %4
           %6: v128 = v128.load16_lane offset=2 3 %p.0, %5
           return %6
         }",
    );
}

#[test]
fn tables_and_references() {
    check(
        "(type $t (func (param i32) (result i64)))
         (table $a 1 funcref) (table $b 1 externref)
         (elem declare func $f)
         (global $g (mut i32) (i32.const 0))
         (func $f (param $x externref) (param $i i32)
           (table.set $b (local.get $i) (select (result externref) (local.get $x) (ref.null extern) (global.get $g)))
           (table.set $a (table.size $a) (ref.func $f))
           (global.set $g (ref.is_null (table.get $b (local.get $i))))
           (drop (call_indirect $a (type $t) (i32.const 7) (local.get $i))))",
        "func f(%x.0: ref.null.extern, %i.0) {
         var x: ref.null.extern
         var i
         block0:
           %4 = global.get 0
           %5: ref.null.extern = select %x.0, null.extern, %4
           table.set 1 %i.0, %5
           %6 = table.size 0
           %7: ref.1 = ref.func 0 \"f\"
           table.set 0 %6, %7
           %8: ref.null.extern = table.get 1 %i.0
           %9 = ref.is_null %8
           global.set 0 %9
           %10: i64 = call_indirect 0 0(7, %i.0)
           return
         }",
    );
}

#[test]
fn garbage_collected_objects() {
    check(
        "(type $s (struct (field (mut i32)) (field i64)))
         (type $a (array (mut i8)))
         (func $f (param $x anyref) (result i32) (local $o (ref null $s))
           (local.set $o (struct.new $s (i32.const 1) (i64.const 2)))
           (struct.set $s 0 (local.get $o) (i31.get_s (ref.cast i31ref (local.get $x))))
           (array.get_u $a (array.new_fixed $a 2 (i32.const 1) (i32.const 2)) (ref.test (ref $s) (local.get $o))))",
        "func f(%x.0: ref.null.any) {
         var x: ref.null.any
         var o: ref.null.0
         block0:
           %o.0: ref.0 = struct.new 0 1, 2_i64
           %5: ref.null.i31 = ref.cast_null i31 %x.0
           %6 = i31.get_s %5
           struct.set 0 0 %o.0, %6
           %7: ref.1 = array.new_fixed 1 2 1, 2
           %8 = ref.test 0 %o.0
           %9 = array.get_u 1 %7, %8
           return %9
         }",
    );
}

#[test]
fn operators_with_two_results() {
    check(
        "(func $f (param $x i64) (result i64 i64) (i64.mul_wide_s (local.get $x) (i64.const 3)))",
        "func f(%x.0: i64) {
         var x: i64
         block0:
           %2: i64, %3: i64 = i64.mul_wide_s %x.0, 3_i64
           return %2, %3
         }",
    );
}

#[test]
fn names_come_from_names_exports_imports_and_numbers() {
    let module = judged::module(
        "(module (import \"env\" \"read\" (func)) (func) (func $given (export \"public\")) (func (export \"only\")))",
    );
    let names: Vec<_> = (0..module.num_functions()).map(|index| module.function_name(index)).collect();
    assert_eq!(names, ["env.read", "func1", "given", "only"]);
    let found =
        ["env.read", "func1", "given", "public", "only", "func0", "func01"].map(|name| module.function_named(name));
    assert_eq!(found, [Some(0), Some(1), Some(2), Some(2), Some(3), None, None]);
}

#[test]
fn an_export_comes_before_a_name_of_the_name_section() {
    let module = judged::module(
        "(module (func $f) (func $g (export \"f\")) (func $twice) (func (@name \"twice\")) (memory (export \"h\") 1) (func $h))",
    );
    assert_eq!((module.function_name(0), module.function_name(1)), ("f".to_owned(), "g".to_owned()));
    let found = ["f", "g", "twice", "h", "none"].map(|name| module.functions_named(name));
    assert_eq!(found, [vec![1], vec![1], vec![2, 3], vec![4], vec![]]);
    assert_eq!(["f", "g", "h"].map(|name| module.exported_function(name)), [Some(1), None, None]);
}

//! Deep, wide, many: what a valid module can be made of.

use crate::judged;
use ssaphire::check::{Mode, Program, judge};
use ssaphire::{Certified, Options, SsaBuilder};
use ssaphire_wasm::{Error, Module, Reason, TranslateOptions, load, translate, translate_all};
use std::fmt::Write;
use std::thread;

/// Builds and judges the last function of a module, on a small stack: its numbers of blocks and kept phis.
#[track_caller]
fn build_on_small_stack(fields: &str) -> (usize, u64) {
    // Not the text format's nesting is to be tested here, but ours.
    let module = judged::module(&format!("(module {fields})"));
    let build = move || {
        let mut ssa = Certified::default();
        let index = module.num_functions() - 1;
        let function =
            translate(&module, index, &mut ssa, TranslateOptions::default()).map_err(|error| error.to_string())?;
        let mut program = Program::new();
        ssa.certify(&mut program).map_err(|error| error.to_string())?;
        match judge(&program, Mode::Exact).violations.first() {
            Some(violation) => Err(violation.to_string()),
            None => Ok((function.num_blocks(), ssa.stats().phis_kept)),
        }
    };
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(build).expect("a thread starts");
    thread.join().expect("nothing panics").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn blocks_in_blocks() {
    let depth = 200_000;
    let body = format!("{} local.get $x br_table 0 1000 199999 {}", "block ".repeat(depth), "end ".repeat(depth));
    let (blocks, phis) = build_on_small_stack(&format!("(func (param $x i32) {body})"));
    assert_eq!((blocks, phis), (4, 0));
}

#[test]
fn loops_in_loops() {
    let depth = 50_000;
    let enter = "loop local.get $x i32.clz local.set $x ".repeat(depth);
    let leave = "local.get $x br_if 0 end ".repeat(depth);
    let (blocks, phis) = build_on_small_stack(&format!("(func (param $x i32) {enter} {leave})"));
    assert_eq!((blocks, phis), (1 + 2 * depth, depth as u64));
}

#[test]
fn conditionals_in_a_row_and_in_each_other() {
    let count = 50_000;
    let one = "local.get $x if local.get $x i32.clz local.set $x end ";
    let (blocks, phis) = build_on_small_stack(&format!("(func (param $x i32) {} )", one.repeat(count)));
    // Nothing reads what the last one joins.
    assert_eq!((blocks, phis), (1 + 2 * count, count as u64 - 1));
    let count = 35_000;
    let (enter, leave) = ("local.get $x if ".repeat(count), "else i32.const 1 local.set $x end ".repeat(count));
    let (blocks, phis) =
        build_on_small_stack(&format!("(func (param $x i32) (result i32) {enter} {leave} local.get $x)"));
    assert_eq!((blocks, phis), (1 + 3 * count, count as u64));
}

#[test]
fn handlers_in_handlers() {
    let depth = 2_000;
    let calls = |calls| {
        let enter = "block try_table (catch $t 0) ".repeat(depth);
        let body = "i32.const 1 local.set $x call $g ".repeat(calls);
        let leave = "end end ".repeat(depth);
        format!(
            "(import \"env\" \"g\" (func $g)) (tag $t) (func (result i32) (local $x i32) {enter} {body} {leave} local.get $x)"
        )
    };
    let (blocks, _) = build_on_small_stack(&calls(10));
    assert_eq!(blocks, 1 + 2 * depth + 10);
    // A few kilobytes can have 10^7 edges, or more than are allowed.
    let mut options = TranslateOptions::default();
    options.edge_limit = 100_000;
    let module = judged::module(&format!("(module {})", calls(51)));
    let error = translate(&module, 1, &mut Certified::default(), options).expect_err("these are too many");
    assert_eq!(error.reason, Reason::TooManyEdges { limit: 100_000 });
    assert_eq!((error.index, error.name.as_str()), (1, "func1"));
}

/// Each handler has an edge from each call, and a phi for each local: a few kilobytes of each.
#[test]
fn phis_of_many_handlers_are_limited() {
    let (depth, calls, locals) = (300, 300, 100);
    let enter = "block try_table (catch $t 0) ".repeat(depth);
    let body: String =
        (0..calls).map(|call| format!("i32.const {call} local.set {} call $g ", call % locals)).collect();
    let sum: String = (0..locals).map(|local| format!("local.get {local} i32.add ")).collect();
    let fields = format!(
        "(import \"env\" \"g\" (func $g)) (tag $t) (func (result i32) (local {}) {enter} {body} {} i32.const 0 {sum})",
        "i32 ".repeat(locals),
        "end end ".repeat(depth),
    );
    let module = judged::module(&format!("(module {fields})"));
    let mut ssa = Certified::default();
    for limit in [1 << 22, 1 << 17] {
        let mut options = TranslateOptions::default();
        options.edge_limit = limit;
        let error = translate(&module, 1, &mut ssa, options).expect_err("these are too many");
        assert_eq!(error.reason, Reason::TooManyOperands { limit: limit.min(1 << 20) });
        assert_eq!(ssa.options().work_limit, None, "the builder gets its own limit back");
    }
}

/// Each legacy `catch` clause handles every call in its `try`, so it has that many operands for each local.
#[test]
fn phis_of_many_catches_are_limited() {
    let (tries, tags, calls, locals) = (3, 300, 300, 100);
    let declared: String = (0..tags * tries).map(|tag| format!("(tag $t{tag}) ")).collect();
    let body: String =
        (0..calls).map(|call| format!("i32.const {call} local.set {} call $g ", call % locals)).collect();
    let catches = |one: usize| (0..tags).map(|tag| format!("catch $t{} ", one * tags + tag)).collect::<String>();
    let leave: String = (0..tries).map(|one| format!("{} end ", catches(one))).collect();
    let sum: String = (0..locals).map(|local| format!("local.get {local} i32.add ")).collect();
    let fields = format!(
        "(import \"env\" \"g\" (func $g)) {declared} (func (result i32) (local {}) {} {body} {leave} i32.const 0 {sum})",
        "i32 ".repeat(locals),
        "try ".repeat(tries),
    );
    let module = judged::module(&format!("(module {fields})"));
    let error = translate(&module, 1, &mut Certified::default(), TranslateOptions::default());
    // The steps run out before the result is there whose operands would be counted.
    let reason = error.expect_err("these are too many").reason;
    assert!(matches!(reason, Reason::TooManySteps { limit } if limit < 1 << 26), "{reason}");
}

#[test]
fn as_many_locals_as_there_may_be() {
    let count = 49_999;
    let mut body = String::new();
    for local in 0..count {
        let _ = write!(body, "local.get {local} local.get 0 i32.add local.set {} ", local + 1);
    }
    let locals = "i32 ".repeat(count);
    let fields = format!(
        "(func (param i32) (result i32) (local {locals}) loop {body} local.get 0 br_if 0 end local.get {count})"
    );
    let (blocks, phis) = build_on_small_stack(&fields);
    // Only locals that are read before the loop has written them are joined; that is none of those it writes.
    assert_eq!((blocks, phis), (3, 0));
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let mut fields = String::new();
    for function in 0..2_000 {
        let step = "local.get $x if local.get $x i32.const 3 i32.div_u local.set $x end ".repeat(function % 7);
        let _ = write!(fields, "(func (param $x i32) (result i32) loop {step} local.get $x br_if 0 end local.get $x) ");
    }
    let module = judged::module(&format!("(module {fields})"));
    let texts = |threads| {
        let mut texts = Vec::new();
        let work = |translated: ssaphire_wasm::Translated<'_>| translated.result.map(|function| function.to_string());
        let take = |index, text| texts.push((index, text));
        translate_all(&module, TranslateOptions::default(), &Options::default(), threads, work, take);
        texts
    };
    let one = texts(1);
    assert!(one.iter().map(|&(index, _)| index).eq(0..2_000));
    assert_eq!(one, texts(2));
    assert_eq!(one, texts(4));
    assert_eq!(one, texts(0));
}

#[test]
fn what_is_no_module_is_refused_with_its_place() {
    let refused = |bytes: &[u8]| load(bytes).err().unwrap_or_else(|| panic!("{bytes:?} is no module"));
    assert_eq!(
        refused(b"(module\n  (func (i32.ad)))").to_string(),
        "2:10: unknown operator or unexpected token\n    2 |   (func (i32.ad)))\n      |          ^"
    );
    let invalid = refused(b"(module (func (i32.add)))").to_string();
    assert!(invalid.starts_with("1:16: function 0 `func0`: type mismatch"), "{invalid}");
    assert!(matches!(refused(b"\0asm\x01\0\0"), Error::Binary { .. }));
    assert!(matches!(refused(b""), Error::Binary { .. }));
    assert_eq!(
        refused(b"(module\n  \xff)").to_string(),
        "2:3: expected WebAssembly text, found invalid UTF-8 at byte 0xa\n    2 |   \n      |   ^"
    );
    let magic = "byte 0x0: expected a WebAssembly module, which begins with the magic number `\\0asm`";
    assert_eq!(refused(b"\0ELF").to_string(), magic);
    assert_eq!(refused(b"(component)"), Error::Component);
    assert_eq!(refused(b";; of two\n(component $c (core module))"), Error::Component);
    let module = Module::parse(*b"\0asm\x01\0\0\0").unwrap_or_else(|error| panic!("{error}"));
    let error = translate(&module, 0, &mut Certified::default(), TranslateOptions::default()).expect_err("no function");
    assert_eq!(error.reason, Reason::NotDefined);
}

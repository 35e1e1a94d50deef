//! Text that `build` writes is read again, in every dialect and spelling; what is wrong in such text is said of the input.

use crate::support::{COPIES, Folder, GCD, SUCCESSOR, SUM};

/// Blocks, locals of several types, a table of jumps, a handler, and names that need quotes.
const MODULE: &str = "\
(module
  (memory 1)
  (tag $failed (param i64))
  (func $\"odd name\" (param $n i32) (param $x f64) (result f64) (local $s f64)
    (block $done
      (loop $again
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $s (f64.add (local.get $s) (f64.load offset=8 (local.get $n))))
        (local.set $n (i32.sub (local.get $n) (i32.const 8)))
        (br_table $again $again $done (local.get $n))))
    (f64.mul (local.get $s) (f64.const nan:0x4)))
  (func $catches (param $x i64) (result i64)
    (block $caught (result i64)
      (try_table (catch $failed $caught)
        (local.set $x (i64.const 5))
        (throw $failed (local.get $x)))
      (unreachable))
    (i64.add (local.get $x))))
";

pub(crate) const LANGUAGES: [(&str, &[u8]); 5] = [
    ("sum.ssa", SUM.as_bytes()),
    ("copies.ssa", COPIES.as_bytes()),
    ("gcd.while", GCD.as_bytes()),
    ("m.wat", MODULE.as_bytes()),
    ("f.wasm", SUCCESSOR),
];

#[test]
fn every_dialect_is_read_again_in_every_spelling() {
    let folder = Folder::new("read_back_all");
    LANGUAGES.iter().for_each(|(file, content)| folder.file(file, content));
    for (file, _) in LANGUAGES {
        for emit in ["text", "memory"] {
            let listed = folder.stdout(&format!("build {file} --emit {emit} -q"));
            for phi in ["list", "params", "upsilon"] {
                let written = folder.stdout(&format!("build {file} --emit {emit} --phi {phi} -q"));
                folder.file("again.ssa", &written);
                assert_eq!(folder.stdout("build again.ssa -q"), listed, "{file} --emit {emit} --phi {phi}");
                assert_eq!(folder.stdout(&format!("build again.ssa --phi {phi}")), written, "{file} {emit} {phi}");
                assert!(folder.stdout("check again.ssa").ends_with("every result is accepted\n"), "{file} {emit}");
            }
        }
    }
}

#[test]
fn functions_of_several_dialects_stand_in_one_text() {
    let folder = Folder::new("read_back_mixed");
    LANGUAGES.iter().for_each(|(file, content)| folder.file(file, content));
    let all = folder.stdout("build f.wasm sum.ssa m.wat gcd.while -q");
    let dialects: Vec<&str> = all.lines().filter(|line| line.starts_with("dialect ")).collect();
    assert_eq!(dialects, ["dialect wasm", "dialect basic", "dialect wasm", "dialect basic"]);
    folder.file("all.ssa", &all);
    let functions = |text: &str| text.lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join("\n");
    let squeezed = |text: &str| functions(text).replace("\n\n", "\n");
    assert_eq!(squeezed(&folder.stdout("build all.ssa -q")), squeezed(&all));
    // The line stands before the function that is written, whichever functions are.
    let one = folder.stdout("build all.ssa -f sum -q");
    assert!(one.starts_with("func sum("), "{one}");
    let other = folder.stdout("build all.ssa -f catches -q");
    assert!(other.starts_with("dialect wasm\n\nfunc catches("), "{other}");
    // What is computed from functions is no text to be read again.
    assert!(!folder.stdout("build all.ssa --emit domtree").contains("dialect"));
}

#[test]
fn a_dialect_that_is_not_known_or_not_run_is_named() {
    let folder =
        Folder::with("read_back_unknown", "a.ssa", "; from elsewhere\ndialect mips\nfunc f() {\na:\n  ret\n}\n");
    for command in ["build", "check", "stats", "run"] {
        let expected = "error: a.ssa:2:9: `mips`: no such dialect\n    2 | dialect mips\n      |         ^\n";
        assert_eq!(folder.refusal(&format!("{command} a.ssa")), expected);
    }
    folder.file("f.wasm", SUCCESSOR);
    folder.file("f.ssa", folder.stdout("build f.wasm"));
    folder.file("m.ssa", folder.stdout("build f.wasm --emit memory"));
    let message = folder.refusal("run m.ssa --args 1");
    let expected = "error: m.ssa: function `f` is of dialect `memory.wasm`: all functions of a text that is run must be of `basic`, or all of `wasm`\n";
    assert_eq!(message, expected);
    let ended = folder.run("build m.ssa --via-memory");
    let expected = "error: m.ssa: function 0 `f`: already in memory form: `--via-memory` requires variables\n";
    assert!(ended.status == 1 && ended.stderr.starts_with(expected), "{}", ended.stderr);
}

/// What `opt` and `build` write of a module, whose functions call one another by the numbers that they have there.
#[test]
fn text_of_webassembly_runs_where_it_needs_nothing_of_its_module() {
    let module = r#"(module
        (import "env" "g" (func $g)) (memory 1) (tag $t (param i32))
        (func $square (param $x i64) (result i64) (i64.mul (local.get $x) (local.get $x)))
        (func $sum (param $n i32) (result i64) (local $s i64)
          (loop $l
            (local.set $s (i64.add (local.get $s) (call $square (i64.extend_i32_u (local.get $n)))))
            (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
          (local.get $s))
        (func $caught (result i32) (block $h (result i32) (try_table (catch $t $h) (throw $t (i32.const 7))) (i32.const 0)))
        (func $load (result i32) (i32.load (i32.const 0)))
        (func $out (call $g)))"#;
    let folder = Folder::with("read_back_run", "m.wat", module);
    for (command, options) in [("opt", ""), ("build", ""), ("opt", " --passes none"), ("opt", " --emit variables")] {
        folder.file("m.ssa", folder.stdout(&format!("{command} m.wat -q{options}")));
        for more in ["", " --via-memory", " --fold", " --no-judge"] {
            let run = |arguments: &str| folder.stdout(&format!("run m.ssa {arguments}{more}"));
            assert_eq!(run("--entry sum --args 3"), "14\n", "{command}{options}{more}");
            assert_eq!(run("--entry square --args 12"), "144\n");
            assert_eq!(run("--entry caught"), "7\n");
        }
        let message = folder.refusal("run m.ssa --entry load");
        let expected = "error: m.ssa: function `load` uses `i32.load`: the text form has no memories, globals, tables and types of a module\n";
        assert_eq!(message, expected);
        let message = folder.refusal("run m.ssa --entry out");
        assert_eq!(message, "error: m.ssa: function `out` calls function 0, which is not in the text\n");
    }
    folder.file("part.ssa", folder.stdout("opt m.wat -q -f square -f caught -f sum"));
    assert_eq!(folder.stdout("run part.ssa --entry sum --args 3"), "14\n");
    folder.file("part.ssa", folder.stdout("opt m.wat -q -f sum"));
    let message = folder.refusal("run part.ssa --args 3");
    assert_eq!(message, "error: part.ssa: function `sum` calls function 1, which is not in the text\n");
    assert!(folder.refusal("run m.ssa --entry sum --args 3 --jit").contains("which the text form does not have"));
}

/// Nothing that breaks these rules reaches an engine, so none is blamed.
#[test]
fn a_text_that_breaks_the_rules_of_its_form_is_refused_as_input() {
    let not_dominated = "func f(c) {\na:\n  branch c, b, d\nb:\n  %7 = add 1, 2\n  jump d\nd:\n  return %7\n}\n";
    let cases = [
        (not_dominated, "8:10: %7: used in a block that its definition in `b` does not dominate"),
        ("func f() {\na:\n  print %0\n  %0 = read()\n  return\n}\n", "3:9: %0: used before its definition"),
        ("func f() {\na:\n  x = %0\n  %0 = read()\n  return x\n}\n", "3:7: %0: used before its definition"),
        ("func f() {\na:\n  %0 = 1\n  %0 = 2\n  return\n}\n", "4:3: %0: defined twice"),
        ("func f() {\na:\n  return %0\n}\n", "3:10: %0: used but never defined"),
        (
            "func f(c) {\na:\n  branch c, b, d\nb:\n  %7 = read()\n  jump d\nd: <- a, b\n  %8 = phi %7, 0\n  return %8\n}\n",
            "8:12: %7: used on the edge from `a`, which its definition in `b` does not dominate",
        ),
        (
            "func f() {\na: <- a\n  %0 = phi 1\n  jump a\n}\n",
            "3:3: %0: phi in the entry, where control enters without an edge",
        ),
        (
            "func f(c) {\na:\n  branch c, b, b\nb: <- a.1, a.0\n  return\n}\n",
            "4:1: the list must name each incoming edge of the block once, edges of one source by ascending slot",
        ),
    ];
    let folder = Folder::new("read_back_rules");
    for (text, expected) in cases {
        folder.file("wrong.ssa", text);
        for command in ["build", "build --via-memory", "check", "check --via-memory", "stats", "run"] {
            let message = folder.refusal(&format!("{command} wrong.ssa"));
            assert!(message.starts_with(&format!("error: wrong.ssa:{expected}\n")), "{command}: {message}");
        }
    }
    folder.file("two.ssa", format!("{not_dominated}{}", not_dominated.replace(" f(", " g(")));
    assert_eq!(folder.refusal("check two.ssa").matches("\nerror: two.ssa:17:10: ").count(), 1, "all that is wrong");
}

#[test]
fn a_byte_order_mark_is_skipped_in_every_text() {
    let folder = Folder::new("read_back_mark");
    let marked = |text: &str| format!("\u{feff}{text}");
    for (file, text) in [("sum.ssa", SUM), ("gcd.while", GCD), ("m.wat", MODULE)] {
        folder.file(file, text);
        let (plain, name) = (folder.stdout(&format!("build {file} -q")), format!("marked_{file}"));
        folder.file(&name, marked(text));
        assert_eq!(folder.stdout(&format!("build {name} -q")), plain, "{file}");
    }
    folder.file("sum.cert", marked(&folder.stdout("build sum.ssa --emit cert")));
    assert!(folder.stdout("check --certificate sum.cert").starts_with("sum.cert: sum: accepted"));
    folder.file("wrong.ssa", marked("hello"));
    assert!(folder.refusal("build wrong.ssa").starts_with("error: wrong.ssa:1:1: expected a function"));
    folder.file("wrong.wat", marked("(module (func (i32.add)"));
    assert!(folder.refusal("build wrong.wat").starts_with("error: wrong.wat:1:"));
    folder.file("bytes.while", b"\xef\xbb\xbfx := \xff;\n");
    assert_eq!(
        folder.refusal("build bytes.while"),
        "error: bytes.while:1:6: expected While, found invalid UTF-8 at byte 0x8\n"
    );
}

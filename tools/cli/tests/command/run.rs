//! `ssaphire run`.

use crate::support::{Folder, GCD, SUCCESSOR, SUM};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// How to ask for each way to run that this command has.
pub(crate) const JIT: &[&str] = if cfg!(feature = "jit") { &["", " --jit"] } else { &[""] };

/// Programs of `examples/`, and arguments to run them with.
pub(crate) const EXAMPLES: [(&str, &str); 13] = [
    ("automaton.while", "--args 0 --input-values 1,1,2,1,2,1,1,1,0"),
    ("automaton.while", "--args 0 --input-values 1,2"),
    ("collatz.while", "--args 27"),
    ("collatz.while", "--args 27 --fuel 100"),
    ("primes.while", "--entry primes --args 500"),
    ("primes.while", "--entry gcd --args 270,192"),
    ("sum.while", "--args 1000"),
    ("thesis.while", ""),
    ("dispatch.wat", "--entry run --args 1"),
    ("dispatch.wat", "--entry run --args 12"),
    ("dispatch.wat", "--entry multiply --args 6,7"),
    ("sieve.wat", "--entry count_primes --args 100"),
    ("sieve.wat", "--entry count_primes --args 60000"),
];

/// The arguments that run an example.
pub(crate) fn example(file: &str, arguments: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    format!("run {} {arguments}", path.display())
}

#[test]
fn examples_run_directly_and_over_memory() {
    let folder = Folder::new("run_examples");
    for (file, arguments) in EXAMPLES {
        let arguments = example(file, arguments);
        let ended = folder.run(&arguments);
        assert_ne!(ended.status, 2, "{arguments}: {ended:?}");
        assert_eq!(folder.run(&format!("{arguments} --via-memory")), ended, "{arguments}");
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let names = fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let seen: BTreeSet<String> = EXAMPLES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(names.collect::<BTreeSet<_>>(), seen, "each example runs");
}

#[test]
fn results_come_one_per_line_after_what_was_printed() {
    let folder = Folder::with("run_results", "gcd.while", GCD);
    let ended = folder.run("run gcd.while");
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, "6, 7\n7\n", ""));
    assert_eq!(folder.run("run gcd.while --form source"), ended, "the syntax tree does the same");
    assert_eq!(folder.stdout("run gcd.while --entry gcd --args 270,192"), "6\n");
    assert_eq!(folder.stdout("run gcd.while --entry gcd --args -4,0"), "-4\n");
}

#[test]
fn both_forms_of_a_graph_run() {
    let folder = Folder::with("run_forms", "sum.ssa", SUM);
    for form in ["ssa", "source"] {
        assert_eq!(folder.stdout(&format!("run sum.ssa --args 10 --form {form}")), "45\n");
    }
}

#[test]
fn modules_run() {
    let folder = Folder::with("run_wasm", "f.wasm", SUCCESSOR);
    assert_eq!(folder.stdout("run f.wasm --args 41"), "42\n");
    let message = folder.refusal("run f.wasm --args 1.5");
    assert_eq!(message, "error: f.wasm: `1.5` is not a number of type i32\n");
    assert!(folder.refusal("run f.wasm --args 1 --form source").contains("SSA form only"));
}

/// A debug name that is also the name of another export; a function exported twice, once as `main`.
#[test]
fn an_entry_is_an_export_before_it_is_a_debug_name() {
    let wrong_entry =
        r#"(module (func $f (result i32) (i32.const 1)) (func $g (export "f") (result i32) (i32.const 2)))"#;
    let folder = Folder::with("run_exports", "wrong_entry.wat", wrong_entry);
    let export_main =
        r#"(module (func $g (export "main") (export "f") (result i32) (i32.const 2)) (func $h (export "x")))"#;
    folder.file("export_main.wat", export_main);
    for jit in JIT {
        let run = |arguments: &str| folder.stdout(&format!("run {arguments}{jit}"));
        assert_eq!(run("wrong_entry.wat --entry f"), "2\n");
        assert_eq!(run("wrong_entry.wat --entry g"), "2\n");
        assert_eq!(run("wrong_entry.wat --entry 0"), "1\n");
        assert_eq!(run("export_main.wat"), "2\n");
        assert_eq!(["main", "f", "g"].map(|name| run(&format!("export_main.wat --entry {name}"))), ["2\n"; 3]);
        assert_eq!(run("export_main.wat --entry x"), "");
    }
    let both = "dialect wasm\n\nfunc f() {\nblock0:\n  return 1\n}\n\nfunc g() {\nblock0:\n  return 2\n}\n";
    assert_eq!(folder.stdout("build wrong_entry.wat -q -f f"), both, "`-f` selects by either name");
}

#[test]
fn a_name_of_several_functions_or_of_none_with_code_is_no_entry() {
    let twice = r#"(module (import "env" "f" (func $g)) (export "out" (func $g))
        (func $h (result i32) (i32.const 1)) (func (@name "h") (result i32) (i32.const 2)))"#;
    let folder = Folder::with("run_ambiguous", "t.wat", twice);
    let expected = "error: `h` is the name of functions 1 and 2: choose one by its number\n";
    assert_eq!(folder.refusal("run t.wat --entry h"), expected);
    assert_eq!(folder.stdout("run t.wat --entry 2"), "2\n");
    let expected = "error: `out` is function 0, which is imported and has no code to run\n";
    assert_eq!(folder.refusal("run t.wat --entry out"), expected);
    folder.file("two.ssa", format!("{SUM}{SUM}").replace("sum", "main"));
    assert!(folder.refusal("run two.ssa --args 1").contains("`main` is the name of functions 0 and 1"));
}

#[test]
fn an_operator_that_cannot_run_is_named() {
    let module = "(module (func $f (result v128) (i32x4.add (v128.const i32x4 1 2 3 4) (v128.const i32x4 1 2 3 4))))";
    let message = Folder::with("run_operator", "f.wat", module).refusal("run f.wat");
    assert!(message.contains("i32x4.add"), "{message}");
}

#[test]
fn a_trace_has_a_line_per_operation() {
    let ended = Folder::with("run_trace", "sum.ssa", SUM).run("run sum.ssa --args 1 --trace");
    let expected = "\
sum before: jump
sum header: lt 0, 1 -> 1
sum header: branch 1 -> slot 0
sum body: add 0, 0 -> 0
sum body: add 0, 1 -> 1
sum body: jump
sum header: lt 1, 1 -> 0
sum header: branch 0 -> slot 1
sum after: return 0
";
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, "0\n", expected));
}

#[test]
fn a_trap_is_a_finding() {
    let folder = Folder::with("run_trap", "t.while", "func f(x) { print x; return 1 / x; }");
    let ended = folder.run("run t.while --args 0");
    assert_eq!((ended.status, ended.stdout.as_str()), (1, "0\n"));
    assert_eq!(ended.stderr, "error: t.while: trap: function `f`, block0, instruction 1: division by zero\n");
    let ended = folder.run("run t.while --args 0 --json");
    let ran: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((ended.status, &ran["printed"], &ran["results"]), (1, &serde_json::json!(["0"]), &().into()));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&ended.stderr).unwrap()["severity"], "error");
}

#[test]
fn a_run_without_end_ends_with_its_fuel() {
    let ended = Folder::with("run_fuel", "l.while", "while true { skip; }").run("run l.while --fuel 1000");
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""));
    assert!(ended.stderr.ends_with("more than 1000 steps\n"), "{}", ended.stderr);
}

#[test]
fn what_a_program_reads_is_given() {
    let folder = Folder::with("run_input", "r.while", "x := read(); y := read(); return x - y;");
    assert_eq!(folder.stdout("run r.while --input-values 5,7"), "-2\n");
    let ended = folder.run("run r.while --input-values 5");
    assert!(ended.status == 1 && ended.stderr.ends_with("end of input\n"), "{ended:?}");
}

#[test]
fn arguments_have_to_fit() {
    let folder = Folder::with("run_arguments", "sum.ssa", SUM);
    assert_eq!(folder.refusal("run sum.ssa"), "error: sum.ssa: the function takes 1 argument, got 0\n");
    assert!(folder.refusal("run sum.ssa --args ten").contains("`ten` is not a signed 64-bit integer"));
    assert_eq!(folder.refusal("run sum.ssa --args="), "error: sum.ssa: the function takes 1 argument, got 0\n");
    assert_eq!(folder.refusal("run sum.ssa --args=1,,2"), "error: `--args`: argument 2 is empty\n");
    folder.file("none.while", "return 7;");
    assert_eq!(folder.stdout("run none.while --args="), "7\n");
    folder.file("two.ssa", format!("{SUM}{}", SUM.replace("sum", "other")));
    let message = folder.refusal("run two.ssa --args 1");
    assert_eq!(message, "error: two.ssa: defines `sum` and `other`; choose one with `--entry`\n");
}

#[test]
fn what_was_made_over_memory_runs() {
    let folder = Folder::with("run_over_memory", "gcd.while", GCD);
    assert_eq!(folder.stdout("run gcd.while --via-memory"), "6, 7\n7\n");
    folder.file("sum.ssa", SUM);
    let traced = folder.run("run sum.ssa --args 3 --trace --via-memory");
    assert_eq!(traced, folder.run("run sum.ssa --args 3 --trace"), "not one load or store is left");
    folder.file("f.wasm", SUCCESSOR);
    assert_eq!(folder.stdout("run f.wasm --args 41 --via-memory"), "42\n");
    let message = folder.refusal("run sum.ssa --args 3 --via-memory --form source");
    assert_eq!(message, "error: `--form source` runs no SSA form, so it conflicts with `--via-memory`\n");
    let message = folder.refusal("run sum.ssa --args 3 --via-memory --algorithm auto");
    assert_eq!(message, "error: `--algorithm` applies to direct construction only and conflicts with `--via-memory`\n");
}

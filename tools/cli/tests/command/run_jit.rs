//! `ssaphire run --jit`.

use crate::run::{EXAMPLES, example};
use crate::support::{Folder, GCD, SUCCESSOR};

#[test]
fn machine_code_says_what_the_interpreter_says() {
    let folder = Folder::new("run_jit");
    for (file, arguments) in EXAMPLES {
        let arguments = example(file, arguments);
        let interpreted = folder.run(&arguments);
        for more in ["--jit", "--jit --algorithm braun", "--jit --algorithm scc"] {
            assert_eq!(folder.run(&format!("{arguments} {more}")), interpreted, "{arguments} {more}");
        }
    }
}

#[test]
fn what_was_made_over_memory_is_compiled_where_it_is_no_bytecode() {
    let folder = Folder::with("run_jit_over_memory", "gcd.while", GCD);
    assert_eq!(folder.stdout("run gcd.while --via-memory --jit"), "6, 7\n7\n");
    folder.file("f.wasm", SUCCESSOR);
    let message = folder.refusal("run f.wasm --args 41 --via-memory --jit");
    assert!(message.contains("compiles WebAssembly from bytecode"), "{message}");
}

#[test]
fn traps_of_machine_code_are_findings() {
    let module = "(module (memory 1) (func $f (param i32) (result i32) (i32.load (local.get 0))))";
    let folder = Folder::with("run_jit_trap", "f.wat", module);
    assert_eq!(folder.stdout("run f.wat --jit --args 65532"), "0\n");
    let ended = folder.run("run f.wat --jit --args 65533");
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""));
    assert_eq!(ended.stderr, "error: f.wat: trap: function `f`: out of bounds memory access\n");
    let endless = Folder::with("run_jit_fuel", "l.wat", "(module (func (loop (br 0))))");
    let ended = endless.run("run l.wat --jit --fuel 1000");
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (1, "error: l.wat: trap: function `func0`: more than 1000 steps\n")
    );
}

#[test]
fn what_has_no_machine_code_is_refused() {
    let folder = Folder::with("run_jit_refused", "gcd.while", GCD);
    assert!(folder.refusal("run gcd.while --jit --form source").contains("compiles the SSA form"));
    assert!(folder.refusal("run gcd.while --jit --trace").contains("cannot be used with"));
    let module = "(module (func $f (param i32) (result i32)
        (if (local.get 0) (then (drop (i32x4.neg (v128.const i32x4 1 2 3 4)))))
        (i32.const 7)))";
    let folder = Folder::with("run_jit_operator", "f.wat", module);
    assert_eq!(folder.stdout("run f.wat --jit --args 0"), "7\n", "only what is come to has to be covered");
    let message = folder.refusal("run f.wat --jit --args 1");
    assert!(message.contains("`v128.const` is not supported"), "{message}");
}

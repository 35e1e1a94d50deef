//! `build --emit cps`, `cps-flat` and `scheme`.

use crate::support::{Folder, GCD, SUCCESSOR, SUM, SUM_LINE};
use ssaphire_ir::cps::scheme;

const SUM_NESTED: &str = "\
sum(n : int, ret : int → ⊥) → ⊥ {
  let header := (i : int, s : int) → ⊥
        let body := () → ⊥
              let s.1 := s + i in
              header(i + 1, s.1)
            after := () → ⊥
              ret(s)
        in
        branch(i < n, body, after)
  in
  header(0, 0)
}
";

const SUM_FLAT: &str = "\
sum(n : int, ret : int → ⊥) → ⊥ {
  header(0, 0)
header := (i : int, s : int) → ⊥
  branch(i < n, body, after)
body := () → ⊥
  let s.1 := s + i in
  header(i + 1, s.1)
after := () → ⊥
  ret(s)
}
";

#[test]
fn continuations_are_nested_or_one_after_the_other() {
    let folder = Folder::with("cps", "sum.ssa", SUM);
    let ended = folder.run("build sum.ssa --emit cps");
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, SUM_NESTED, SUM_LINE));
    assert_eq!(folder.stdout("build sum.ssa --emit cps-flat -q"), SUM_FLAT);
    assert_eq!(folder.stdout("build sum.ssa --emit cps -q --via-memory"), SUM_NESTED);
}

#[test]
fn every_dialect_has_continuations() {
    let folder = Folder::with("cps_dialects", "f.wasm", SUCCESSOR);
    let stdout = folder.stdout("build f.wasm --emit cps -q");
    assert!(stdout.contains(" : i32, ret : i32 → ⊥) → ⊥ {\n  ret(i32.add("), "{stdout}");
    folder.file("gcd.while", GCD);
    folder.file("slots.ssa", folder.stdout("build gcd.while --emit memory -q"));
    assert!(folder.stdout("build slots.ssa --emit cps -q").contains("let b.2 := load(b.1) in\n"));
    let several = folder.stdout("build f.wasm gcd.while --emit cps -q");
    assert!(several.starts_with("; f.wasm\n") && several.contains("\n\n; gcd.while\ngcd("), "{several}");
}

#[test]
fn folding_leaves_fewer_continuations() {
    let folder =
        Folder::with("cps_fold", "f.while", "func f(x) { m := 0; if x & m { r := 0; } else { r := x; } return r; }");
    let folded = folder.stdout("build f.while --emit cps -q --fold");
    let without = folder.stdout("build f.while --emit cps -q");
    assert!(folded.contains("ret(x)\n") && !folded.contains("branch"), "{folded}");
    assert!(without.contains("branch(x & 0, then, else)\n"), "{without}");
}

#[test]
fn a_file_becomes_one_program_in_scheme() {
    let folder = Folder::with("scheme", "gcd.while", GCD);
    let program = folder.stdout("build gcd.while --emit scheme -q");
    let functions = program.strip_prefix(scheme::RUNTIME).expect("the runtime comes first");
    assert!(functions.starts_with("\n(ssa:define! \"gcd\" 2\n  (lambda (a b ret)\n"), "{functions}");
    assert!(functions.contains("(ssa:call \"gcd\" (list 12 18) 1 (list back))"), "{functions}");
    assert!(functions.ends_with("\n\n(ssa:start \"main\")\n"), "{functions}");
    assert_eq!(functions.matches('(').count(), functions.matches(')').count());
    let other = folder.stdout("build gcd.while --emit scheme -q -f gcd");
    assert!(other.ends_with("\n\n(ssa:start \"gcd\")\n"), "{other}");
}

#[test]
fn scheme_is_of_one_input_in_the_dialect_basic() {
    let folder = Folder::with("scheme_refusals", "f.wasm", SUCCESSOR);
    folder.file("gcd.while", GCD);
    let refused = folder.run("build f.wasm --emit scheme -q");
    let expected = "error: f.wasm: function 0 `f`: of dialect `wasm`, but `--emit scheme` requires dialect `basic`\n";
    assert_eq!((refused.status, refused.stdout.as_str(), refused.stderr.as_str()), (1, "", expected));
    let several = folder.refusal("build gcd.while gcd.while --emit scheme");
    assert!(several.contains("`--emit scheme` takes a single input"), "{several}");
    let json = folder.refusal("build gcd.while --emit cps --json");
    assert!(json.contains("`--json` requires `--emit json`"), "{json}");
    let phi = folder.refusal("build gcd.while --emit cps --phi params");
    assert!(phi.contains("`--phi` requires text"), "{phi}");
}

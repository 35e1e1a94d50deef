//! `ssaphire opt --emit`: While programs again, and functions out of SSA form.

use crate::opt_round_trip::runs;
use crate::support::Folder;
use std::fs;
use std::path::Path;

const PASSES: &str = "constants,copies,value-numbering,loop-invariants,dead-code,empty-blocks";

#[test]
fn while_programs_are_written_as_while_programs_that_do_the_same() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/while");
    let folder = Folder::new("opt_leave");
    let (mut num_programs, mut num_texts) = (0, 0);
    let mut paths: Vec<_> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "while"));
    paths.sort();
    for path in paths {
        let (source, name) = (fs::read_to_string(&path).unwrap(), path.display());
        folder.file("program.while", &source);
        for method in ["naive", "per-variable", "coloring", "coalescing"] {
            let ended = folder.run(&format!("opt program.while --passes {PASSES} --leave {method}"));
            assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
            let is_text = ended.stderr.contains("written as text");
            let out = if is_text { "out.ssa" } else { "out.while" };
            folder.file(out, &ended.stdout);
            num_programs += usize::from(!is_text);
            num_texts += usize::from(is_text);
            for run in runs(&source) {
                let before = folder.run(&format!("run program.while {run}"));
                let after = folder.run(&format!("run {out} {run}"));
                assert_eq!((after.status, after.stdout), (before.status, before.stdout), "{name}: {run}");
            }
        }
    }
    assert!(num_programs > 60 && num_texts > 0, "{num_programs} {num_texts}");
}

#[test]
fn what_is_structured_keeps_its_structure() {
    let source = "\
func f(n) {
  s := 0;
  while n > 0 {
    if n % 3 == 0 {
      s := s + n;
    }
    n := n - 1;
  }
  return s;
}
";
    let folder = Folder::with("opt_structured", "f.while", source);
    assert_eq!(folder.stdout("opt f.while --passes dead-code -q"), source);
    let text = folder.stdout("opt f.while --passes dead-code -q --emit variables");
    assert!(
        text.starts_with("func f(n) {\nblock0:\n") && text.contains("s = add s, n") && !text.contains("phi"),
        "{text}"
    );
    folder.file("f.ssa", text);
    assert_eq!(folder.stdout("run f.ssa --args 10"), folder.stdout("run f.while --args 10"));
}

#[test]
fn a_list_of_statements_stays_one() {
    let folder = Folder::with("opt_bare", "bare.while", "x := read();\nwhile x > 1 { print x; x := x - 1; }\n");
    let text = folder.stdout("opt bare.while --passes dead-code -q");
    assert!(!text.contains("func") && text.contains("while x > 1 {"), "{text}");
}

#[test]
fn loops_with_several_ways_in_are_written_as_text() {
    let source = "\
func f(n) {
  if n > 5 { goto middle; }
  top:
  n := n - 1;
  middle:
  print n;
  if n > 0 { goto top; }
}
";
    let folder = Folder::with("opt_irreducible", "f.while", source);
    let ended = folder.run("opt f.while --passes copies");
    assert_eq!(ended.status, 0);
    let note = "f.while: written as text: f: has a loop with several entries, which While cannot express\n";
    assert!(ended.stderr.starts_with(note), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("func f(n) {\nblock0:\n") && !ended.stdout.contains("phi"), "{}", ended.stdout);
}

#[test]
fn storage_that_cannot_be_shared_is_an_error() {
    let source = "func f(a[]) {\n  array b;\n  b := a;\n  a[0] <- 1;\n  print a[0], b[1];\n}\n";
    let folder = Folder::with("opt_storage", "f.while", source);
    let ended = folder.run("opt f.while --passes copies");
    assert_eq!((ended.status, &*ended.stdout), (1, ""));
    assert!(ended.stderr.contains("live at once, but share the storage of x0"), "{}", ended.stderr);
}

#[test]
fn modules_leave_ssa_form_as_text_too() {
    let module = "(module (func (export \"f\") (param i32) (result i32) (local i32)\n  loop\n    local.get 0\n    \
                  local.get 1\n    i32.add\n    local.set 1\n    local.get 0\n    i32.const 1\n    i32.sub\n    local.tee 0\n    \
                  br_if 0\n  end\n  local.get 1))\n";
    let folder = Folder::with("opt_wat", "f.wat", module);
    let text = folder.stdout("opt f.wat --passes dead-code -q --emit variables --leave coalescing");
    assert!(text.starts_with("dialect wasm\n") && !text.contains("phi"), "{text}");
    folder.file("f.ssa", text);
    assert!(folder.stdout("check f.ssa").ends_with("every result is accepted\n"));
    let ended = folder.run("opt f.wat --passes dead-code -q --emit program");
    assert!(ended.stdout.contains("dialect wasm"), "{}", ended.stdout);
}

#[test]
fn copies_of_whole_arrays_are_counted() {
    let folder = Folder::with("opt_arrays", "one.while", "func f(a[]) {\n  a[0] := 1;\n  print a[0], a[1];\n}\n");
    folder.file("two.while", "func f(a[]) {\n  array b;\n  b := a;\n  b[0] := 1;\n  print a[0], b[1];\n}\n");
    for (file, count) in [("one.while", 0), ("two.while", 1)] {
        let ended = folder.run(&format!("opt {file} --passes copies"));
        let expected = format!("copies in place of phis: 0, copies of arrays: {count}, blocks on edges: 0\n");
        assert!(ended.status == 0 && ended.stderr.ends_with(&expected), "{}", ended.stderr);
    }
}

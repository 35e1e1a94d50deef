//! JavaScript: what is read, warned of, written, and refused.

use crate::support::Folder;

const LOOP: &str = "\
function sum(items) {
  let total = 0;
  for (const item of items) total += item.price ?? 1;
  return total;
}
";

#[test]
fn every_function_of_a_file_is_built_and_read_back() {
    let folder = Folder::with("js_build", "a.js", LOOP);
    let ended = folder.run("build a.js");
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.starts_with("dialect js\n\nfunc top() {\n") && ended.stdout.contains("iterator_next"));
    folder.file("a.ssa", &ended.stdout);
    assert_eq!(folder.stdout("build a.ssa -q"), ended.stdout);
    assert!(folder.stdout("build a.js -q --emit json").contains("\"get_iterator\""));
    assert!(folder.stdout("check a.js").contains("every result is accepted"));
    assert!(folder.stdout("stats a.js --json").contains("\"kept\""));
}

#[test]
fn javascript_is_written_again() {
    let folder = Folder::with("js_opt", "a.js", LOOP);
    folder.stdout("opt a.js -o out.js -q");
    let written = std::fs::read_to_string(folder.path("out.js")).unwrap();
    assert!(written.contains("function sum(items) {") && written.contains("item.price"), "{written}");
    // What was written is read again.
    folder.stdout("check out.js");
    assert!(folder.stdout("opt a.js -q --emit ssa").contains("iterator_next"));
}

#[test]
fn variables_without_a_value_are_warned_of() {
    let source = "function f(c) {\n  var x;\n  if (c) x = 1;\n  let y = 2;\n  y = x;\n  return z;\n  let z;\n}\n";
    let folder = Folder::with("js_warn", "a.js", source);
    let ended = folder.run("build a.js --warn -q");
    let expected = "\
warning: a.js:4:7: what is assigned to `y` here is never read
    4 |   let y = 2;
      |       ^
warning: a.js:5:3: what is assigned to `y` here is never read
    5 |   y = x;
      |   ^
warning: a.js:5:7: `x` may be undefined here
    5 |   y = x;
      |       ^
warning: a.js:6:10: `z` is uninitialized here
    6 |   return z;
      |          ^
";
    for line in expected.lines() {
        assert!(ended.stderr.contains(line), "{line}\n{}", ended.stderr);
    }
    assert_eq!(ended.status, 0);
    assert_eq!(folder.run("build a.js -q").stderr, "");
}

#[test]
fn the_hir_is_that_of_react_compiler() {
    let folder = Folder::with("js_hir", "a.jsx", "function f() { let y = 1; if (y > 0) { y = 2; } return y; }");
    let ssa = folder.stdout("build a.jsx --emit hir --stage ssa -q");
    assert!(ssa.contains("phi(bb"), "{ssa}");
    assert!(folder.stdout("build a.jsx --emit hir --diff -q").contains(" |   <unknown> y$"));
    folder.file("b.js", "function f() { var x; }");
    let ended = folder.run("build b.js --emit hir");
    assert!(ended.status == 1 && ended.stderr.contains("error: b.js:1:"), "{}", ended.stderr);
    assert_eq!(folder.run("build a.jsx --stage ssa").status, 2);
    folder.file("c.while", "return 1;");
    assert_eq!(folder.run("build c.while --emit hir").status, 2);
}

#[test]
fn syntax_errors_have_a_caret() {
    let folder = Folder::with("js_wrong", "a.js", "let x = 1;\nlet x = (2;\n");
    let ended = folder.run("build a.js");
    assert_eq!((ended.status, &*ended.stdout), (2, ""));
    assert!(
        ended.stderr.contains("error: a.js:2:") && ended.stderr.contains("    2 | let x = (2;\n"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains('^'), "{}", ended.stderr);
    folder.file("deep.js", format!("x = {}1", "[".repeat(4_000_000)));
    let ended = folder.run("build deep.js");
    assert!(ended.status == 2 && ended.stderr.contains("too large"), "{}", ended.stderr);
    folder.file("d.ts", "@sealed class C {}");
    let ended = folder.run("build d.ts");
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    assert_eq!(folder.run("run a.js").status, 2);
}

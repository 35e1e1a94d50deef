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
fn a_source_map_tells_where_statements_come_from() {
    let folder = Folder::with("js_map", "a.js", LOOP);
    folder.stdout("opt a.js --passes none -o out.js --source-map out.js.map -q");
    let written = std::fs::read_to_string(folder.path("out.js")).unwrap();
    assert!(written.ends_with("\n//# sourceMappingURL=out.js.map\n"), "{written}");
    let map = std::fs::read_to_string(folder.path("out.js.map")).unwrap();
    let map: serde_json::Value = serde_json::from_str(&map).unwrap();
    assert_eq!(
        (&map["version"], &map["sources"][0], &map["sourcesContent"][0]),
        (&3.into(), &"a.js".into(), &LOOP.into())
    );
    assert!(map["mappings"].as_str().unwrap().len() > 20, "{map}");
    folder.file("b.js", LOOP);
    assert!(folder.refusal("opt a.js b.js --source-map out.js.map").contains("--source-map"));
    assert!(folder.refusal("opt a.js --emit ssa --source-map out.js.map").contains("--source-map"));
}

#[test]
fn what_keeps_variables_in_memory_is_counted() {
    let source = "function f(x) { eval('x'); }\nfunction g(x) { x = 1; return arguments; }\nfunction h() {}\n";
    let folder = Folder::with("js_memory", "a.js", source);
    let counted = folder.run("stats a.js").stderr;
    let reasons = "a direct eval reaches them (2), arguments aliases the parameters (1), other scripts reach them (1)";
    assert_eq!(counted, format!("4 of 4 functions built; variables stay in memory in 3: {reasons}\n"));
    let json: serde_json::Value = serde_json::from_str(&folder.stdout("stats a.js --json")).unwrap();
    assert_eq!((&json["in_memory"], &json["reasons"]["a direct eval reaches them"]), (&3.into(), &2.into()));
}

#[test]
fn variables_without_a_value_are_warned_of() {
    let source = "function f(c) {\n  var x;\n  if (c) x = 1;\n  let y = 2;\n  y = x;\n  return z;\n  let z;\n}\n";
    let folder = Folder::with("js_warn", "a.js", source);
    let likely = "\
warning: a.js:4:7: `y` is assigned, but never read
    4 |   let y = 2;
      |       ^
warning: a.js:6:10: `z` is uninitialized here
    6 |   return z;
      |          ^
";
    let ended = folder.run("build a.js --warn -q");
    assert_eq!((ended.status, &*ended.stderr), (0, likely));
    assert_eq!(folder.run("build a.js --warn=likely -q").stderr, likely);
    let all = folder.run("build a.js --warn=all -q").stderr;
    assert!(all.contains("a.js:5:7: `x` may be undefined here\n"), "{all}");
    assert_eq!(folder.run("build a.js -q").stderr, "");
    assert_eq!(folder.run("build a.js --warn=some").status, 2);
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

#[test]
fn a_line_of_70000_characters_has_a_place_in_two_columns() {
    let long = "a".repeat(70_000);
    let source = format!("function f(a) {{ let x = 1; if (a) {{ x = \"{long}\" }} return x }}");
    let folder = Folder::with("javascript_long", "a.js", source);
    let written = folder.stdout("build a.js --emit hir --diff -q");
    let longest = |text: &str| text.lines().filter(|line| line.len() > 70_000).count();
    assert_eq!(longest(&written), 1, "no other line is padded to its width");
}

/// Each level closes an iterator if a level inside of it throws, with all that it has assigned so far.
#[test]
#[cfg(target_os = "linux")]
fn nested_patterns_are_written_in_memory_that_grows_with_the_text() {
    let folder = Folder::new("js_nested");
    let depth = 1_000;
    let open: String = (0..depth).map(|level| format!("[v{level}, ")).collect();
    let names: String = (0..depth).map(|level| format!("v{level}, ")).collect();
    folder.file(
        "nested.js",
        format!("function f(x) {{ let {open}b{} = x; return [{names}b]; }} f();\n", "]".repeat(depth)),
    );
    // Bytes of address space, of which the program itself takes a part; live sets of all blocks alone would take 800 MB.
    let limited =
        format!("ulimit -v 600000; exec '{}' opt --rewrite --threads 1 nested.js", env!("CARGO_BIN_EXE_ssaphire"));
    let mut command = std::process::Command::new("sh");
    let output =
        command.args(["-c", &limited]).env("MALLOC_ARENA_MAX", "1").current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.len() > 5_000_000);
}

#[test]
fn a_file_that_no_pass_changes_comes_back_as_it_is() {
    let source = "#!/usr/bin/env node\n// A license.\nfunction  add( a,b ){ return a+b } /* kept */\nadd( 1,2 )";
    let folder = Folder::with("js_kept", "a.js", source);
    assert_eq!(folder.stdout("opt -q a.js"), source);
    assert_eq!(folder.stdout("opt -q --passes none a.js"), source);
    let anew = folder.stdout("opt -q --rewrite a.js");
    assert!(anew.contains("function add(a, b) {\n  return a + b;\n}\n"), "{anew}");
    assert_eq!(folder.run("opt --rewrite --emit ssa a.js").status, 2);
    folder.file("b.js", format!("{source}\nconst six = ( x ) => x * ( 2*3 );\n"));
    assert_eq!(folder.stdout("opt -q b.js"), format!("{source}\nconst six = (x) => x * 6;\n"));
}

//! Loops that count in their heads.

use super::forms::{check, check_same};
use super::written;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_js::source::SourceKind;
use ssaphire_js::source::with_parsed;
use ssaphire_js::write::{WriteOptions, write};

#[test]
fn a_condition_stays_where_its_closures_see_what_the_body_declares() {
    check_same(
        "
function f(g) {
  for (;;) {
    if (g(() => x)) {
      break;
    }
    const x = 1;
  }
}
",
    );
}

#[test]
fn loops_count_in_their_heads() {
    check_same(
        "
function f(a) {
  let s = a.first;
  for (let i = 0; i < a.length; i++) {
    s += a[i];
  }
  for (let j = a.length - 1; j >= 0; j -= 2) {
    a.step(j);
  }
  return s;
}
",
    );
    // It is read behind the loop, so it is declared before.
    check_same(
        "
function f(a) {
  let i = 0;
  while (a[i]) {
    a.step();
    i++;
  }
  return i;
}
",
    );
    // An `in` in the head would be that of a `for-in`.
    check_same(
        "
function f(a) {
  let i = a in a;
  while (i < 9) {
    a.step();
    i++;
  }
}
",
    );
}

#[test]
fn constants_stand_before_what_a_loop_counts_with() {
    check_same(
        "
function f(a, b) {
  let s = 0;
  let t = \"\";
  for (let i = a.length; i > 0; i--) {
    for (let j = 0; j < b; j++) {
      s += i * j;
      t += a.x;
    }
  }
  return s + t;
}
",
    );
    // A handler that sees `best` is not to see the constant.
    let source = "
function f(a) {
  let best = a.best;
  try {
    let i = a.length;
    best = 0;
    while (i > 0) { best += a[i]; i--; }
  } catch { return best; }
  return -best;
}
";
    let text = written(source, SourceKind::SCRIPT);
    assert!(text.contains("while (i > 0) {"), "{text}");
    // Nor what is read, or what closures see.
    let text = written(
        "function f(a) { let s = 1; g(() => s); s = 2; for (let i = a.b; i < 9; i++) { s += i; } return s; }",
        SourceKind::SCRIPT,
    );
    assert!(text.contains("s = 2;\n"), "{text}");
}

#[test]
fn heads_do_what_each_round_did() {
    // Rounds that are continued elsewhere count otherwise.
    let source = "
function f(a) {
  let i = 0;
  outer: while (i < 9) {
    while (a.more()) {
      if (a.odd()) {
        i += 2;
        continue outer;
      }
    }
    i++;
  }
}
";
    let text = written(source, SourceKind::SCRIPT);
    assert!(text.contains("while (i < 9) {"), "{text}");
    // What the body declares is not seen in the head.
    let source = "function f(a) { for (let i = 0; i < 9; ) { const by = a.by(); a.step(by); i += by; } }";
    let text = written(source, SourceKind::SCRIPT);
    assert!(text.contains("while (i < 9) {"), "{text}");
    check(
        "function f(a) { for (let i = 0; i < 9; i++) { a.step(i ^= 1); } }",
        "function f(a) {\n  for (let i = 0; i < 9; i++) {\n    a.step(i ^= 1);\n  }\n}",
    );
    check(
        "function f(a) { for (let i = 0; i < 9; i++) { if (a.odd()) continue; a.step(i); } }",
        "
function f(a) {
  for (let i = 0; i < 9; i++) {
    if (!a.odd()) {
      a.step(i);
    }
  }
}
",
    );
}

#[test]
fn finally_clauses_stay() {
    for body in [
        "  try {\n    return a.b();\n  } finally {\n    a.c();\n  }\n",
        "  a.a();\n  try {\n    a.b();\n  } finally {\n    a.c();\n  }\n  a.d();\n",
        "  try {\n    if (a.x) {\n      return;\n    }\n    a.b();\n  } finally {\n    a.c();\n  }\n  return a.d();\n",
        "  for (const b of a) {\n    try {\n      if (b.x) {\n        break;\n      }\n      b.b();\n    } finally {\n      \
         a.c();\n    }\n    b.d();\n  }\n",
        "  try {\n    a.b();\n  } catch (error) {\n    return a.e(error);\n  } finally {\n    a.c();\n  }\n  a.d();\n",
        "  try {\n    try {\n      return a.b();\n    } finally {\n      a.c();\n    }\n  } finally {\n    a.d();\n  }\n",
    ] {
        check_same(&format!("function f(a) {{\n{body}}}"));
    }
}

#[test]
fn going_on_past_a_clause_keeps_it_apart() {
    let source = "function f(max, tick, log) {
  do try { do 1; while (!tick() && max); } finally { log(); } while (!tick && log);
}";
    let text = with_parsed(source, SourceKind::SCRIPT, |parsed| {
        let mut program = ssaphire_js::lower(&parsed).unwrap();
        // The inner loop becomes one with the outer one, so that its `continue` does not end the `try`.
        for function in &mut program.functions {
            Pass::EmptyBlocks.run(&mut function.body, PassOptions::default()).unwrap();
        }
        write(&program, source, &WriteOptions::default()).unwrap().text
    });
    let text = text.unwrap();
    assert!(!text.contains("finally"), "{text}");
}

//! Loops that count in their heads.

use super::forms::{check, check_same};
use super::written;
use ssaphire_js::source::SourceKind;

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
    let text = written("function f(a) { for (let i = 0; i < 9; i++) { a.step(i ^= 1); } }", SourceKind::SCRIPT);
    assert!(text.contains("while (i < 9) {"), "{text}");
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

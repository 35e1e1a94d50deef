//! Names and declarations are those of the source.

use super::written;
use ssaphire_js::source::SourceKind;

/// The source is what is written.
#[track_caller]
fn check_same(source: &str) {
    assert_eq!(written(source, SourceKind::SCRIPT).trim_end(), source.trim_matches('\n'));
}

#[test]
fn what_paths_give_is_called_by_what_it_is_assigned_to() {
    check_same(
        "
function f(a, start, end) {
  const length = a == null ? 0 : a.length;
  const root = a.b || a.c || g(length);
  start = start < 0 ? length + start : start >>> 0;
  if (end > length) {
    end = length;
  }
  return root && root.g(start, end, length) + length;
}
",
    );
}

#[test]
fn versions_of_a_variable_that_are_not_there_at_once_are_one() {
    check_same(
        "
function f(a, b) {
  a = Object(a);
  b = g(a);
  let c = a.c(b);
  h(c);
  c = a.d(c);
  h(c, c);
  for (let i = 0; i < c; i++) {
    h(i);
  }
  for (let i = 1; i < c; i += 2) {
    h(i, a);
  }
  return c;
}
",
    );
    // Both are there at once.
    let text = written("function f(a) { let b = g(a); const old = b; b = h(b); return old + b; }", SourceKind::SCRIPT);
    assert!(text.contains("return b + h(b);"), "{text}");
    // The second one is declared where the first one is mentioned.
    let text =
        written("function f(a) { { let b = g(a); h(b, b); { let b = k(a); h(b, b); } h(b); } }", SourceKind::SCRIPT);
    assert!(text.contains("const b_2 = k(a);"), "{text}");
    // A parameter and what its function declares cannot have one name.
    let text = written("function f(b) { { let b = k(); h(b, b); } return b; }", SourceKind::SCRIPT);
    assert!(text.contains("const b_2 = k();") && text.contains("return b;"), "{text}");
}

#[test]
fn var_stands_where_it_is_assigned() {
    check_same(
        "
function f(a) {
  function g() {
    return b + a[c];
  }
  var b = a.b;
  var c = h(g);
  b = c = a.d;
  return g;
}
",
    );
    // In a script, `var` would make a property of the global object; and other statements may mention it first.
    let text = written("{ let a; k(() => a); a = g(); }", SourceKind::SCRIPT);
    assert!(!text.contains("var a"), "{text}");
}

#[test]
fn a_parameter_that_closures_see_is_assigned() {
    check_same(
        "
function f(options) {
  options = options || {};
  return () => options;
}
",
    );
}

#[test]
fn assignments_are_parts_of_what_reads_them() {
    check_same(
        "
function f(a, b) {
  let c;
  a.b(c = b.c());
  a.x[b] = a.y[c] = a.d = true;
  while ((c = a.next(c)) !== null) {
    a.e(c);
  }
  while (--b > 0) {
    a.f(b);
  }
  return c;
}
",
    );
    // What is declared anew in each round, and seen by closures, is no part of the condition.
    let text =
        written("function f(a) { for (;;) { let b = a.next(); if (!b) break; a.e(() => b++); } }", SourceKind::SCRIPT);
    assert!(text.contains("for (;;)"), "{text}");
}

#[test]
fn functions_that_are_declared_are_called_by_their_names() {
    // Nothing assigns `g`, so that it may be read behind the arguments.
    check_same(
        "
function f(a) {
  function g() {
    return f;
  }
  g(g);
  return g(a ? a.b() : a.c() || 1);
}
",
    );
    let text = written(
        "function f(a) { function g() {} k(() => { g = a; }); return g(a.b() ? 1 : a.c() || 1); }",
        SourceKind::SCRIPT,
    );
    assert!(text.contains("= g;") || text.contains("g(a.b()"), "{text}");
}

#[test]
fn commonjs_declares_functions() {
    let source = "
function f(a) {
  return a;
}
var b = f(1) || {};
function g() {
  return b;
}
f(g);
b.c = f(g());
";
    let text = written(source, SourceKind::COMMON_JS);
    assert!(
        text.contains("function f(a) {") && text.contains("function g() {") && text.contains("b = f(1) || {};"),
        "{text}"
    );
}

#[test]
fn names_stay_apart_where_they_would_hide_each_other() {
    // What a loop runs over is evaluated in the scope of its variable.
    let source = "function f() { const k = g(); h(k, k); { const list = k.items; for (const k of list) h(k); } }";
    let text = written(source, SourceKind::SCRIPT);
    assert!(text.contains("for (const k_2 of k.items)"), "{text}");
    // What is caught has a name although nothing reads it.
    let text = written("log(a); try { g(); } catch (a) { var [a] = []; }", SourceKind::SCRIPT);
    assert!(text.contains("catch (a_2) {\n  [a_2] = [];"), "{text}");
}

#[test]
fn chains_assign_one_value() {
    let text = written("function f(a, b, c) { a.x[b] = (a.y[c] = 1, 2); }", SourceKind::SCRIPT);
    assert!(text.contains("a.y[c] = 1;") && text.contains("[b] = 2;"), "{text}");
    // What is assigned in the value of a pattern is not declared by it.
    let text = written("function f(log) { log(log.a, ([] = null != log).new); }", SourceKind::SCRIPT);
    assert!(text.contains("= null != log;"), "{text}");
}

#[test]
fn temporaries_leave_names_to_the_source() {
    check_same(
        "
function f(a) {
  let t = a.t;
  if (a.b) {
    t = a.c() ? a.d() : a.e();
  }
  return t + a.f(t);
}
",
    );
}

#[test]
fn defaults_are_declared_before_the_condition() {
    check_same(
        "
function f(a) {
  let name = \"\", index = 0;
  if (a.b) {
    name = a.c();
    index = 5;
  } else if (a.d) {
    name = a.e();
    index = a.f();
  }
  let x, y;
  if (a.g) {
    a.h();
    x = 1;
  } else {
    a.i();
    y = 2;
  }
  return name + index + a.j(x, y);
}
",
    );
    // The variable of the round before is another one.
    check_same(
        "
function f(a) {
  for (const b of a) {
    let m;
    if (b.x) {
      b.y();
      m = b.z;
    }
    b.q(m);
  }
}
",
    );
    // Closures would see the default.
    let text = written(
        "function f(a) { let x; if (a.b) { a.c(() => x); x = a.d(); } else { x = 0; } return x; }",
        SourceKind::SCRIPT,
    );
    assert!(!text.contains("let x = 0"), "{text}");
}

#[test]
fn what_all_paths_end_with_stands_behind_them() {
    check_same(
        "
function f(a) {
  const { length } = a;
  if (a.b) {
    a.reverse();
  }
  let index = length;
  while (index--) {
    a.c(a[index]);
  }
  return index + length;
}
",
    );
}

#[test]
fn conditions_in_arguments_leave_calls_whole() {
    check_same(
        "
function f(a) {
  a.b.c(a.d ?? a.e, a.f || a.g());
  return a.h.i(a.j ? a.k : 2).l(a.m && a.n && a.o());
}
",
    );
}

#[test]
fn one_value_is_assigned_by_one_statement() {
    check_same(
        "
function f(a, b, n) {
  for (let i = 0; i < n; i++) {
    a[i] = b[i] = i;
  }
  a[\"p\"] = a[\"q\"] = b.r = true;
}
",
    );
}

#[test]
fn captured_variables_that_are_assigned_once_are_constants() {
    let source = "
function f(a) {
  var SIZE = 200, scale = a.b || a.c;
  g(SIZE * 2, scale);
  return () => SIZE + scale;
}
";
    let wanted = "
function f(a) {
  const SIZE = 200;
  const scale = a.b || a.c;
  g(200 * 2, scale);
  return () => SIZE + scale;
}
";
    assert_eq!(written(source, SourceKind::SCRIPT).trim(), wanted.trim());
    // Each of these may be read before, or is assigned again.
    for source in [
        "function f(a) { g(() => x); var x = a.b; return () => x; }",
        "function f(a) { if (a) { var x = a.b; } return () => x; }",
        "function f(a) { var x = a.b; var x = a.c; return () => x; }",
        "function f(a) { for (;;) { if (g()) break; var x = a.b; } return () => x; }",
        "function f(a) { x = 1; var x = a.b; return () => x; }",
        "function f(a) { h(); var x = a.b; function h() { return x; } return h; }",
    ] {
        let text = written(source, SourceKind::SCRIPT);
        assert!(!text.contains("const x"), "{source} -> {text}");
    }
}

#[test]
fn constants_that_are_functions_stand_where_they_stood() {
    check_same(
        "
function f(a) {
  const one = (x) => x + 1;
  const two = (x) => one(x);
  const { three } = a;
  function four() {
    return three;
  }
  const five = (x) => two(x) + four();
  const six = a.g(one);
  return [() => one, () => five, six, six];
}
",
    );
}

#[test]
fn parameters_behind_a_default_have_none() {
    check_same(
        "
function f(a = 0, b, c) {
  return a + b + c;
}
",
    );
}

#[test]
fn nothing_is_tested_for_nothing() {
    let text = written("function f(a) { if (a.b) return; }", SourceKind::SCRIPT);
    assert_eq!(text.trim(), "function f(a) {\n  a.b;\n}");
    let text = written("function f(a) { if (a) { return; } a = 1; }", SourceKind::SCRIPT);
    assert_eq!(text.trim(), "function f(a) {}");
}

#[test]
fn objects_and_classes_have_the_order_of_the_source() {
    check_same(
        "
function f(a, b) {
  a.b = { ...a.c, ...b(), d: 1, ...b(2) };
  return class C extends a.D {
    static from() {
      return 1;
    }
    x = 1;
    constructor() {
      super();
    }
    y() {}
  };
}
",
    );
}

//! What is written is what a person would write.

use super::{without_helpers, written};
use ssaphire_js::source::SourceKind;

#[track_caller]
pub(crate) fn check(source: &str, expected: &str) {
    let text = without_helpers(&written(source, SourceKind::SCRIPT));
    assert_eq!(text.trim(), expected.trim(), "{text}");
}

/// The source comes back as it is.
#[track_caller]
pub(crate) fn check_same(source: &str) {
    check(source, source);
}

#[test]
fn loops_have_their_conditions_back() {
    check_same(
        "
function f(a) {
  let s = 0;
  while (s < a.length) {
    s += a.step(s);
    a.end();
  }
  return s;
}
",
    );
    check_same(
        "
function f(a) {
  do {
    a.step();
  } while (a.goesOn);
}
",
    );
    check_same(
        "
function f(a) {
  for (;;) {
    a.first();
    if (a.isOver) {
      break;
    }
    a.second();
  }
  a.end();
}
",
    );
}

#[test]
fn a_parameter_that_takes_the_value_of_a_keyword_is_not_called_by_it() {
    check_same("function f(v) {\n  if (a) {\n    v = this;\n  }\n  return g(v, this.x);\n}");
    check_same("function f(v) {\n  g(function () {} ? this : v);\n}");
}

#[test]
fn defaults_stand_with_their_parameters() {
    check_same(
        "
function f(a, b = a.c, d = [], e = (x) => x) {
  return g(a, b, d, e);
}
",
    );
    check("function f(a = void 0) { return a; }", "function f(a = void 0) {\n  return a;\n}");
    // It reads what is not there yet, waits, or is not the default of its parameter.
    for source in [
        "async function f(a = void 0) { if (a === void 0) { a = await g(); } return a; }",
        "function f(a = void 0) { const b = g(); if (a === void 0) { a = b; } return a; }",
        "function f(a) { if (a === void 0) { a = 1; } return a; }",
        "function f(a = void 0, b = void 0) { if (a === void 0) { a = b; } return a + b; }",
        "function f(a = void 0, b = void 0) { if (b === void 0) { b = 1; } if (a === void 0) { a = b; } return a + b; }",
    ] {
        let text = without_helpers(&written(source, SourceKind::SCRIPT));
        assert!(text.contains("if (a === void 0)") || text.contains("if (b === void 0)"), "{text}");
    }
}

#[test]
fn parameters_keep_defaults_and_patterns() {
    check_same(
        "
function f({ a, c }, b = 6, [d, e] = [], g = h(b, a), { i } = {}) {
  return [() => b, a, c, d, e, () => g, i];
}
function j(k, { l } = k, m = 3) {
  function n() {
    return m();
  }
  return [n, n, () => !k, l];
}
function o(p, q = () => p) {
  return [q, () => q];
}
",
    );
    // A closure that the default makes sees no later value, and none of the pattern that is not there yet.
    let text = written("function f(a, b = 1) { g(() => b); b = 2; for (;;) { b = h(() => b); } }", SourceKind::SCRIPT);
    assert!(text.contains("let b_2 = b;"), "{text}");
    let text =
        written("function f(b) { if (!b) b = 1; const c = b; g(() => c); b = h(); return b + c; }", SourceKind::SCRIPT);
    assert!(text.contains("const c = b;"), "{text}");
    let text = written("function f(b = a, { a }) { return b + a; }", SourceKind::SCRIPT);
    assert!(!text.contains("(b = a"), "{text}");
}

#[test]
fn patterns_come_back() {
    check_same(
        "
function f(xs, m) {
  for (const [k, { v = 1, ...rest }] of xs) {
    m(k, v, rest);
  }
}
function swap(o, i, j) {
  [o[i], o[j], this.last] = [o[j], o[i], j];
}
function g([a, b], { c, d: [e] = [] }) {
  return () => [a, b, c, e];
}
",
    );
    let source = "function f(o, j) { let i; ({ p: o.p, i } = j); return i; }";
    assert!(written(source, SourceKind::SCRIPT).contains("({ p: o.p, i } = j);"));
}

#[test]
fn leaving_an_outer_loop_needs_a_label() {
    check_same(
        "
function f(a) {
  L1: while (a.x()) {
    while (a.y()) {
      if (a.z()) {
        break L1;
      }
    }
  }
}
",
    );
}

#[test]
fn expressions_are_put_together_again() {
    check_same(
        "
function f(a, b) {
  return a.b.c(1, b + 2 * a.d)[a.e](`x${b}y`, -b ** 2) ? [a, , ...b] : { a, b: 1, [b]: 2, ...a };
}
"
        .replace("-b ** 2", "(-b) ** 2")
        .as_str(),
    );
    check_same(
        "
function f(a, b) {
  a.x = b.y = a.z++ + 1;
  a.x += 2;
  return (a.b || b.c) && (a.d ?? b.e);
}
"
        .replace("a.z++ + 1", "a.z + 1")
        .as_str(),
    );
}

#[test]
fn assignments_to_elements_need_no_helper() {
    check_same(
        "
function f(a, i, g) {
  a[i] += 1;
  a[i + 1] *= g(a[i]);
  a[i]++;
  a[0] ^= a[1];
  return [a[i]--, ++a[i], a[i] -= g(2)];
}
",
    );
}

#[test]
fn the_order_of_effects_stays() {
    check(
        "
function f(a, b) { const x = a(); const y = b(); return y - x; }
",
        "
function f(a, b) {
  const x = a();
  return b() - x;
}
",
    );
    check_same(
        "
function f(a) {
  const x = a.x;
  a();
  return x;
}
",
    );
}

#[test]
fn conditions_are_joined() {
    check(
        "
function f(a, b) { if (a && b.c || !b) { a.x(); } else { a.y(); } }
",
        "
function f(a, b) {
  if (a && b.c || !b) {
    a.x();
  } else {
    a.y();
  }
}
",
    );
}

#[test]
fn one_try_comes_back_as_one() {
    check_same(
        "
function f(a) {
  try {
    a.x();
    if (a.b) {
      a.y();
    }
    while (a.c()) {
      a.z();
    }
    return a.d;
  } catch (e) {
    return e;
  }
}
",
    );
    check_same(
        "
function f(a) {
  try {
    try {
      a.x();
    } catch (e) {
      a.y(e);
    }
    a.z();
  } catch (e_2) {
    a.w(e_2);
  }
  return a;
}
",
    );
}

#[test]
fn closures_name_what_they_capture() {
    check_same(
        "
function f(a) {
  let n = 0;
  function g() {
    return n++ + a;
  }
  return [g, () => n];
}
",
    );
    check_same(
        "
function f(list) {
  const fs = [];
  for (const x of list) {
    fs.push(() => x);
  }
  return fs;
}
",
    );
}

#[test]
fn loops_over_iterables_are_closed_by_the_engine() {
    check_same(
        "
function f(list, g) {
  try {
    for (const x of list) {
      if (x === 1) {
        break;
      }
      for (const y of x) {
        g(y);
      }
    }
  } catch (e) {
    g(e);
  }
}
",
    );
}

#[test]
fn what_follows_a_loop_is_executed_behind_it() {
    let source = "function f(list, g) { out: { for (const x of list) { if (x) break out; } return 1; } g(); }";
    let text = written(source, SourceKind::SCRIPT);
    let call = text.find("g();").expect("a call");
    let (close, end) = (text.rfind("$iteratorClose(").unwrap_or(0), text.rfind("break").unwrap_or(0));
    assert!(close.max(end) < call, "{text}");
}

#[test]
fn functions_have_their_names() {
    check_same(
        "
function f(a) {
  a.x = function () {};
  a.y = { g: () => 1, h() {
    return 2;
  } };
  const k = () => 3;
  return [k, k, function named() {}];
}
"
        .replace(
            "a.y = { g: () => 1, h() {\n    return 2;\n  } };",
            "a.y = {\n    g: () => 1,\n    h() {\n      return 2;\n    },\n  };",
        )
        .as_str(),
    );
}

#[test]
fn classes_come_back() {
    check_same(
        "
function f(B) {
  return class extends B {
    constructor(x) {
      super(x);
      this.#p = x;
    }
    #p = 1;
    static s = 2;
    get p() {
      return this.#p;
    }
    static {
      this.t = 3;
    }
    async *[Symbol.asyncIterator]() {
      yield await super.m();
    }
  };
}
",
    );
}

#[test]
fn classes_are_declared_as_they_were() {
    let source = "\
class A {
  m() {
    return A;
  }
}
const B = class {};
const C = class D extends B {};
class G {}
function f(g) {
  if (g) {
    class E extends A {}
    g(E, () => E);
  }
}
G = f(A, B, C, C, () => G);
";
    let text = written(source, SourceKind::COMMON_JS);
    assert_eq!(text, source, "{text}");
    // A variable with another name is no declaration.
    let source = "function f(g) { const A = g(); { class A {} g(A, A); } return A; }";
    let text = written(source, SourceKind::SCRIPT);
    assert!(text.contains("const A_2 = class A {};"), "{text}");
}

#[test]
fn strings_in_jsx_stand_between_quotes() {
    let source = "f(<a b=\"c d\" e={'\"'} g={\"&lt;\"} h={1} i={\"\\n\"} />);\n";
    let kind = SourceKind::from_extension("jsx").expect("a language");
    let text = written(source, kind);
    assert_eq!(text, source, "{text}");
}

#[test]
fn proposals_stay_in_typescript() {
    let source = "\
import defer * as a from \"x\";
import source b from \"y\";
const t = class {
  accessor c = 1;
};
f(t, a, b);
";
    let kind = SourceKind::from_extension("mts").expect("a language");
    let text = written(source, kind);
    assert_eq!(text, source, "{text}");
}

#[test]
fn parentheses_stand_where_the_grammar_needs_them() {
    let returns = [
        "(a.x || b.x) ?? c.x",
        "a.x ?? (b.x || c.x)",
        "a.x ?? (b.x && c.x)",
        "(a.x ? b.x : c.x) ? 1 : 2",
        "a.x ? b.x ? 1 : 2 : 3",
        "a - (b - c)",
        "(-a) ** b",
        "(-0) ** b",
        "(a ** b) ** c",
        "a ** b ** c",
        "-(-a)",
        "new (a())(b)",
        "new (a.b())(c)",
        "`\\`${a}\\${${b}`",
        "[a * -0, 1 / 0, a * 1e999, -1e999, -0]",
        "a(...[b, , c])",
        "(0, a.b)()",
        "a.x-- + a.y++",
    ];
    for value in returns {
        check_same(&format!("function f(a, b, c) {{\n  return {value};\n}}"));
    }
}

#[test]
fn conditions_of_loops_read_what_is_declared_before_them() {
    let loops = |body: &str| format!("function f(a) {{\n{body}}}");
    check_same(&loops("  let i = a.n;\n  while (i-- > 0) {\n    a.b(i);\n  }\n"));
    check_same(&loops("  let t = a.n;\n  do {\n    a.y(t);\n    t = a.x();\n    a.w();\n  } while (t);\n  a.end();\n"));
    check(
        &loops("  let t;\n  do {\n    t = a.x();\n    a.y(t);\n    a.w();\n  } while (t);\n  a.end();\n"),
        &loops(
            "  for (;;) {\n    const t = a.x();\n    a.y(t);\n    a.w();\n    if (!t) {\n      break;\n    }\n  }\n  \
             a.end();\n",
        ),
    );
}

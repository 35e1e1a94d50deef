//! Functions that no pass has changed stay as they stand in the source.

use super::{without_helpers, written_in_part};
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_js::source::{SourceKind, with_parsed};
use ssaphire_js::write::{Unwritable, WriteOptions, write};

/// A source after the propagation of constants and the removal of dead code.
#[track_caller]
fn optimized(source: &str, kind: SourceKind) -> String {
    through_passes(source, kind, true)
}

/// The same, with all functions written anew unless their sources are kept.
#[track_caller]
fn through_passes(source: &str, kind: SourceKind, keeps: bool) -> String {
    let text = with_parsed(source, kind, |parsed| {
        let original = ssaphire_js::lower(&parsed).expect("a program");
        let mut program = original.clone();
        for function in &mut program.functions {
            for pass in [Pass::Constants, Pass::Copies, Pass::DeadCode, Pass::EmptyBlocks, Pass::Unused] {
                pass.run(&mut function.body, PassOptions::default()).expect("a graph that keeps its contract");
            }
        }
        let mut options = WriteOptions::default();
        options.original = Some(&original).filter(|_| keeps);
        write(&program, source, &options).expect("a program that can be written").text
    });
    text.expect("a source without errors")
}

/// With a jump to a `throw` behind the loop, the engine would close the iterator first.
#[test]
fn what_is_thrown_in_a_loop_stays_in_it() {
    let source = "function f(xs, g) {\n  out: for (const x of xs) {\n    for (const y of x) {\n      if (y) continue out;\n      \
                  if (y + 1) break out;\n      g(y);\n    }\n  }\n}\n";
    let text = through_passes(source, SourceKind::SCRIPT, false);
    assert!(!text.contains("for (const x of xs)") || text.contains("for (const y of x)"), "{text}");
    assert_eq!(optimized(source, SourceKind::SCRIPT), source);
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let text = without_helpers(&optimized(source, SourceKind::SCRIPT));
    assert_eq!(text.trim(), expected.trim(), "{text}");
    assert_eq!(optimized(&text, SourceKind::SCRIPT), text, "a second time");
}

#[test]
fn a_file_that_nothing_changes_is_its_source() {
    let sources = [
        "",
        "#!/usr/bin/env node\n'use strict' // strict\r\nvar a=1;/* b */ function f ( ) {return a}",
        "a\n++b\n;[1].map(x=>x)",
        "class A { static #x; get [`y`]( ) { return A.#x } static { this.z = () => 1 } w = async function* ( ) { } }",
        "label: for (;;) { let f = async x => await x; if (f()) break label }",
        "function f(){ return 1; dead(function g(){ return f }) }",
        "var x = '\u{1F600}\\u2028'; `${x}\\n\n`; /re/g; 0xff; 1_000; x ?? (x ||= 2); x?.[0]?.()",
    ];
    for source in sources {
        assert_eq!(optimized(source, SourceKind::SCRIPT), source);
    }
    assert_eq!(
        optimized("import a, { b as c } from 'd';\nexport default ( a )\nexport { c as 'e f' }", SourceKind::MODULE),
        "import a, { b as c } from 'd';\nexport default ( a )\nexport { c as 'e f' }"
    );
}

/// Where a global variable is initialized is known only when the rest is written.
#[test]
fn global_variables_are_declared_once() {
    let text = optimized(
        "let a = 1;\ntry {\n  for (let i = 0; i < 3; i++) {\n    if (b) break;\n    switch (1) {\n      default:\n        \
         for (const {} of []) {\n          if (1) break;\n        }\n    }\n  }\n  if (1) throw 1;\n} catch (e) {} finally {}\n",
        SourceKind::SCRIPT,
    );
    assert_eq!(text.matches("let a").count(), 1, "{text}");
}

#[test]
fn what_changes_is_written_in_its_place() {
    check(
        "
// A comment.
const f = ( a,b ) => a+b; // another
function g() { return 6 * 7; } /* and one */ function h ( ) { return 1 }
",
        "
// A comment.
const f = ( a,b ) => a+b; // another
function g() {
  return 42;
} /* and one */ function h ( ) { return 1 }
",
    );
}

#[test]
fn functions_in_changed_ones_stay() {
    check(
        "
function outer( list ) {
	const limit = 2 * 3;
	// Adds them up.
	function add( a, b ) { return a+b; /* both */ }
	return list.filter(function ( x ) { return x<limit }).reduce( add );
}
",
        "
function outer(list) {
	const limit = 6;
	// Adds them up.
	function add( a, b ) { return a+b; /* both */ }
	return list.filter(function ( x ) { return x<limit }).reduce(add);
}
",
    );
}

#[test]
fn no_function_is_given_helpers() {
    let source = "function f( o ) { const [a = o.a, b] = o; return a + b + (1 + 2) }\n";
    check(source, source);
}

#[test]
fn a_parenthesis_is_no_call_of_the_line_before() {
    check("f\nx => 1 + 2\nasync\ny => 3 + 4\n", "f\nx => 3\nasync\ny => 7\n");
    // An `in` would be that of the loop.
    check("for (let f = x => (1 + 2 in x); f(y); ) { }\n", "for (let f = x => (3 in x); f(y); ) { }\n");
}

#[test]
fn parts_of_classes_are_written_in_their_places() {
    check(
        "
class A {
  a = 1 + 2; static b = [ 3 ];
  static { this.c = 4 + 5; }
  static { this.d=6 }
  [`m`]( ) { return 7 + 8 }
  get n( ) { return 9 }
}
",
        "
class A {
  a = 3; static b = [ 3 ];
  static {
    this.c = 9;
  }
  static { this.d=6 }
  [`m`]() {
    return 15;
  }
  get n( ) { return 9 }
}
",
    );
}

#[test]
fn a_function_whose_variables_have_other_names_is_written_anew() {
    // Two variables are called `x` in the function around: only one of them can keep its name.
    let source = "
function f(list) {
  { let x = list.a; list.push(function ( ) { return x++ }); }
  { let x = list.b; list.push(function ( ) { return x++ }); }
}
";
    let text = written_in_part(source, SourceKind::SCRIPT, |number| number != 1);
    assert!(text.contains("function ( ) { return x++ }"), "{text}");
    assert!(text.contains("return x_2++;"), "{text}");
}

#[test]
fn an_assignment_of_a_constant_throws_as_before() {
    let source = "function f() { const x = g(); return () => { x = 1 } }";
    let text = written_in_part(source, SourceKind::SCRIPT, |number| number != 1);
    assert!(text.contains("TypeError"), "{text}");
}

#[test]
fn types_are_not_copied() {
    let source = "function f(a: number): number { return a }\n";
    let kind = SourceKind::from_extension("ts").expect("a kind");
    assert_eq!(optimized(source, kind), "function f(a) {\n  return a;\n}\n");
    let source = "function f(a: number): number { return eval('a') }\n";
    let error = with_parsed(source, kind, |parsed| {
        let program = ssaphire_js::lower(&parsed).expect("a program");
        write(&program, source, &WriteOptions::default()).expect_err("types")
    });
    assert_eq!(error.expect("a source without errors").what, Unwritable::Types);
}

#[test]
fn comments_stay_in_front_of_statements() {
    let source = "\
// A licence.
/* Of two comments. */
'use strict';
/**
 * Doc.
 */
function f(a) {
  // The first.
  const b = a.b(), c = a.c(); // lost
  /* not
  a star */
  if (b) {
    // Inside.
    return c;
  }
  return /* @__PURE__ */ a.d(/* inline */ b);
}
const g = /* @__PURE__ */ (() => 1)();
class A {
  // Of a method.
  static m() { return 1 + 2; }
}
use(g, A, /*! a licence inside */ f);
";
    let expected = "\
// A licence.
/* Of two comments. */
\"use strict\";
/**
 * Doc.
 */
function f(a) {
  // The first.
  const b = a.b();
  const c = a.c();
  /* not
  a star */
  if (b) {
    // Inside.
    return c;
  }
  return /* @__PURE__ */ a.d(b);
}
const g = /* @__PURE__ */ (() => 1)();
class A {
  // Of a method.
  static m() {
    return 1 + 2;
  }
}
use(g, A, f);
/*! a licence inside */
";
    assert_eq!(super::written(source, SourceKind::SCRIPT), expected);
}

#[test]
fn what_cannot_be_written_anew_stays() {
    // Code before the start of its body is written as a parameter, which goes with no directive.
    let source = "var o = { *m() { 'use strict'; return this } };";
    assert_eq!(written_in_part(source, SourceKind::SCRIPT, |number| number == 0), source);
}

#[test]
fn a_block_ends_lines_that_an_expression_would_not() {
    let sources = [
        ("var r = x => { return 1 + 2 }\n[0]\n", "var r = x => {\n  return 3;\n}\n[0]\n"),
        ("var h = x => y => { return 1 + 2 }\n`t`\n", "var h = x => y => {\n  return 3;\n}\n`t`\n"),
        ("class C { f = x => { return 1 + 2 }\n['g'] = 4 }\n", "class C { f = x => {\n  return 3;\n}\n['g'] = 4 }\n"),
        (
            "for (var q = () => { return 1 + 2 in x }; ;) { break }\n",
            "for (var q = () => {\n  return 3 in x;\n}; ;) { break }\n",
        ),
        ("class C { f = 1 + 2 ? x : y => { }\n*g() { } }\n", "class C { f = x;\n*g() { } }\n"),
    ];
    for (source, expected) in sources {
        check(source, expected);
    }
}

#[test]
fn comments_stay_in_front_of_types_and_patterns_with_braces() {
    let source = "\
// The first.
import { a } from \"a\";
/** Of a constant. */
export const C: React.FC<{ a: number; b: { c: 1 }[] }> = () => a;
/** Of an interface. */
interface D {
  e: number;
}
export const f = (g: D) => a;
// Of a pattern.
const { h, i: { j } } = a;
a(h, j);
";
    let expected = "\
// The first.
import { a } from \"a\";
/** Of a constant. */
export const C = () => a;
export const f = (g) => a;
// Of a pattern.
const { h, i: { j } } = a;
a(h, j);
";
    let kind = SourceKind::from_extension("tsx").expect("a language");
    let text = super::written(source, kind);
    assert_eq!(text, expected, "{text}");
}

#[test]
fn comments_in_front_of_imports_stay_there() {
    let source = "/** @jsx h */\n/*! A licence. */\nimport a from 'b';\nexport const c = a(6 * 7);\n";
    let expected = "/** @jsx h */\n/*! A licence. */\nimport a from \"b\";\nexport const c = a(42);\n";
    assert_eq!(optimized(source, SourceKind::MODULE), expected);
}

#[test]
fn functions_with_words_to_bundlers_stay() {
    let source = "function f() { const k = 1 + 2; return import(/* webpackChunkName: \"a\" */ './a' + k) }\n";
    check(source, source);
}

#[test]
fn entities_in_attributes_are_decoded() {
    let kind = SourceKind::from_extension("jsx").expect("a kind");
    let text = super::written("const a = <b c=\"x&amp;y&#33;&eacute;\\n\" />;", kind);
    assert!(text.contains("c={\"x&y!\u{e9}\\\\n\"}"), "{text}");
}

#[test]
fn long_strings_are_not_computed() {
    let doubled = format!("function f() {{ let a = 'x'; {} return a; }}\n", "a = a + a; ".repeat(60));
    assert!(optimized(&doubled, SourceKind::SCRIPT).len() < 10_000);
    let doubled = format!("function f() {{ let a = 'x'; {} return a; }}\n", "a = `${a}${a}`; ".repeat(60));
    assert!(optimized(&doubled, SourceKind::SCRIPT).len() < 10_000);
}

#[test]
fn lines_end_like_those_of_the_source() {
    let source = "function f() {\r\n\treturn 1 + 2;\r\n}\r\n";
    assert_eq!(optimized(source, SourceKind::SCRIPT), "function f() {\r\n\treturn 3;\r\n}\r\n");
}

#[test]
fn comments_of_what_is_gone_are_gone() {
    let source = "function f() {\n  // Gone.\n  const k = 1 + 2;\n  g();\n  return k;\n}\n";
    check(source, "function f() {\n  g();\n  return 3;\n}\n");
}

#[test]
fn helpers_leave_the_names_of_what_stays_alone() {
    let source = "
function a() {
  let $TypeError = 0;
  return function () { const k = c(1 + 2); return () => { k = $TypeError; }; };
}
";
    let text = optimized(source, SourceKind::SCRIPT);
    assert!(text.contains("throw new $$TypeError("), "{text}");
}

#[test]
fn a_variable_that_the_engine_does_not_guard_is_checked() {
    // The inner function assigns a constant, so it is written anew, with its `let` before the `switch`.
    let source = "
function f() {
  const k = c(1 + 2);
  return function (t) {
    if (t > 5) k = 1;
    switch (t) {
      case 0:
        let x = 1;
      case 1:
        g(() => x);
    }
  };
}
";
    let text = optimized(source, SourceKind::SCRIPT);
    assert!(text.contains("g(() => $check(x, \"x\"))"), "{text}");
}

#[test]
fn empty_blocks_are_no_change() {
    let source = "function f(a, b) { if (a) { if (b) { g() } else { } } else { } while (g()) { if (b) continue; else break } }\n";
    assert_eq!(optimized(source, SourceKind::SCRIPT), source);
}

#[test]
fn fields_are_written_with_their_class() {
    let source = "function f() {\n  use(1 + 2);\n  return class {\n    a = g( );\n    static { h( ); }\n  };\n}\n";
    let expected =
        "function f() {\n  use(3);\n  return class {\n    a = g();\n    static {\n      h();\n    }\n  };\n}\n";
    check(source, expected);
}

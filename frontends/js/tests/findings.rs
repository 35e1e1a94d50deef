//! Doubtful reads and assignments: each idiom, beside the mistake that looks like it.

use ssaphire_js::facts::{Facts, Idioms};
use ssaphire_js::source::{Source, SourceKind, with_parsed};

fn findings(source: &str, extension: &str, idioms: Idioms) -> Vec<String> {
    let kind = SourceKind::from_extension(extension).expect("the extension is known");
    let facts =
        with_parsed(source, kind, |parsed| Facts::new(&parsed)).expect("the source is right").expect("it is lowered");
    let lines = Source::new(source);
    let show = |finding: &ssaphire_js::facts::Finding| {
        let place = lines.place(finding.span.into());
        format!("{}:{}: {finding}", place.line, place.column)
    };
    facts.findings(idioms).iter().map(show).collect()
}

/// What is found in the body of a function with parameters `a`, `b` and `c`, without idioms.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    check_file(&format!("function f(a, b, c) {{\n{body}\n}}\n"), "js", expected);
}

#[track_caller]
fn check_file(source: &str, extension: &str, expected: &[&str]) {
    assert_eq!(findings(source, extension, Idioms::Skipped), expected, "{source}");
}

/// What is found only if idioms are asked for.
#[track_caller]
fn check_idiom(body: &str, expected: &[&str]) {
    check(body, &[]);
    let source = format!("function f(a, b, c) {{\n{body}\n}}\n");
    assert_eq!(findings(&source, "js", Idioms::Reported), expected, "{source}");
}

#[test]
fn a_declaration_without_a_value_is_no_assignment() {
    check("let x; if (a) x = 1; else x = 2; return x;", &[]);
    check("var x; x = a(); return x;", &[]);
    check("for (const k of a) { let x; x = k(); b(x); }", &[]);
    check("let x = a(); x = b(); return x;", &["2:5: the value assigned to `x` is never read"]);
    check("var x = a(); x = b(); return x;", &["2:5: the value assigned to `x` is never read"]);
}

#[test]
fn a_variable_that_nothing_reads_is_one_finding() {
    check("let x = a(); x = b();", &["2:5: `x` is assigned, but never read"]);
    check("const x = a();", &["2:7: `x` is assigned, but never read"]);
    check("const { x, y } = a; return x;", &["2:12: `y` is assigned, but never read"]);
    check("const [x, y] = a; return x;", &["2:11: `y` is assigned, but never read"]);
    check("for (var i = 0; a(); ) b();", &["2:10: `i` is assigned, but never read"]);
    check("const _x = a(); const [, y] = a; return y;", &[]);
    check_file(
        "const x = 1; export const y = 2; const z = 3; export { z };",
        "mjs",
        &["1:7: `x` is assigned, but never read"],
    );
    check_file("const x = 1; module.exports = 2;", "cjs", &["1:7: `x` is assigned, but never read"]);
    // Other scripts may read it.
    check_file("const x = 1; var y = 2;", "js", &[]);
}

#[test]
fn names_that_the_syntax_needs_may_stay_unread() {
    check_idiom("const { x, ...y } = a; return y;", &["2:9: `x` is assigned, but never read"]);
    check_idiom("const [x, y] = a; return y;", &["2:8: `x` is assigned, but never read"]);
    check_idiom("for (const k of a) b();", &["2:12: `k` is assigned, but never read"]);
    check_idiom("let k; for (k in a) b();", &["2:13: `k` is assigned, but never read"]);
    check_idiom("try { a(); } catch (e) { b(); }", &["2:21: `e` is assigned, but never read"]);
    check("try { a(); } catch (e) { e = b(); }", &[]);
    check("try { a(); } catch (e) { b(e); e = b(); }", &["2:32: the value assigned to `e` is never read"]);
    check("for (const [k, v] of a) b(k);", &["2:16: `v` is assigned, but never read"]);
    check_file("function f(a, { b }, c = 1, [d] = []) {}", "mjs", &[]);
}

#[test]
fn constants_that_declare_an_intent_may_stay_unread() {
    for value in ["null", "undefined", "void 0", "0", "-1", "''", "false", "!0", "``", "[]", "{}"] {
        check_idiom(
            &format!("let x = {value}; if (a) x = b(); else x = c(); return x;"),
            &["2:5: the value assigned to `x` is never read"],
        );
    }
    check_idiom("let x = a(); b(x); x = null;", &["2:20: the value assigned to `x` is never read"]);
    check("let x = 0; x = 1; x = 2; return x;", &["2:12: the value assigned to `x` is never read"]);
    check("let x = [a];\nx = a(); return x;", &["2:5: the value assigned to `x` is never read"]);
    check("let x = 0;", &["2:5: `x` is assigned, but never read"]);
}

#[test]
fn updates_and_chains_whose_value_is_used() {
    check_idiom("let i = 0; a[i++] = 1; a[i++] = 2;", &["2:26: the value assigned to `i` is never read"]);
    check_idiom("let x, y; x = y = a(); b(x, y); x = y = 0; b(x);", &["2:37: the value assigned to `y` is never read"]);
    check("let i = a(); b(i); i++;", &["2:20: the value assigned to `i` is never read"]);
    check("let i = a(); b(i); i += 2;", &["2:20: the value assigned to `i` is never read"]);
    check("let i = a(); b(i); return i = c();", &["2:27: the value assigned to `i` is never read"]);
    check("a = a + 1;", &["2:1: the value assigned to `a` is never read"]);
}

#[test]
fn exceptions_closures_and_generators_read() {
    check("let x = 1; try { x = 2; a(); x = 3; b(); } catch { return x; }", &[]);
    check("let x = 1; try { x = a(); } finally { b(x); }", &[]);
    check("let x = 1; a(() => x); x = 2;", &[]);
    check("let x = 1; eval(a); x = 2;", &[]);
    check("let x = 1; with (a) { b(); } x = 2;", &[]);
    check("a = 2; return arguments[0];", &[]);
    check_file("function* f() { let x = 1; yield; try { yield x; x = 2; yield; } finally { g(x); } }", "js", &[]);
    check("{ function g() {} g(); }", &[]);
    check_file(
        "'use strict'; function f(a) { a = 2; return arguments[0]; }",
        "js",
        &["1:31: `a` is assigned, but never read"],
    );
}

#[test]
fn mentions_that_control_never_reaches_count() {
    check("let x = a(); return; b(x);", &[]);
    check("let x = a(); x = b(); return; c(x);", &[]);
    check_file("const x = { a: 1 }; export type T = typeof x;", "ts", &[]);
    check_file("const x = Symbol(); export interface T { [x]: number }", "ts", &[]);
    check_file("const x = 1; export type T = number;", "ts", &["1:7: `x` is assigned, but never read"]);
    check_file("enum E { A = 1 } namespace N { export const x = E.A; } export let y = N.x;", "ts", &[]);
    check_file("const A = a(); export default () => <A.b />;", "jsx", &[]);
    check_file("export default () => { const A = a(); return <A />; };", "jsx", &[]);
}

#[test]
fn a_read_that_finds_no_value_on_any_path() {
    check("var x; return x.y;", &["2:15: `x` is undefined here"]);
    check("let x; return x.y;", &["2:15: `x` is undefined here"]);
    check("b(x); b(x); var x = 1; b(x);", &["2:3: `x` is undefined here"]);
    check("b(x); let x = 1; b(x);", &["2:3: `x` is uninitialized here"]);
    check("switch (a) { case 1: let x = b(); b(x); break; default: c(x); }", &["2:59: `x` is uninitialized here"]);
    check("var x = x || {}; return x;", &[]);
    check("let x; if (x === undefined) x = 1; return x;", &[]);
}

#[test]
fn a_read_that_finds_no_value_on_some_paths() {
    check_idiom("var x; if (a) x = 1; b(x);", &["2:24: `x` may be undefined here"]);
    check_idiom("let x; if (a) x = 1; b(x); c(x);", &["2:24: `x` may be undefined here"]);
    for test in ["x == null", "x", "!x", "typeof x == 'string'", "x && x.y", "undefined !== x", "a || x"] {
        let source = format!("let x; if (a) x = b; if ({test}) return x;");
        check(&source, &[]);
    }
    check("switch (a) { case 1: let x = b(); case 2: c(x); }", &["2:45: `x` may be uninitialized here"]);
}

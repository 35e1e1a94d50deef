//! Parsing on the calling thread: a source is refused only if it may be nested too deep for the stack.

use ssaphire_js::source::{SourceKind, with_parsed_here};

const STACK: usize = 1 << 20;

/// The message for `source`, if it is refused.
fn refusal(source: &str, extension: &str) -> Option<String> {
    let kind = SourceKind::from_extension(extension).expect("a language");
    let parse = || with_parsed_here(source, kind, STACK, |_| ()).err().map(|errors| errors.to_string());
    // The test's own frames have to be elsewhere.
    let thread = std::thread::Builder::new().stack_size(STACK + (64 << 10));
    std::thread::scope(|scope| {
        thread.spawn_scoped(scope, parse).expect("a thread").join().expect("the stack is large enough")
    })
}

#[track_caller]
fn is_read(line: &str, extension: &str) {
    let source = format!("{line}\n").repeat(2_000);
    assert_eq!(refusal(&source, extension), None, "{line}");
}

#[track_caller]
fn is_refused(before: &str, after: &str) {
    let source = format!("{}{}", before.repeat(2_000), after.repeat(2_000));
    let message = refusal(&source, "js").unwrap_or_default();
    assert!(message.contains("nested deeper"), "{before}: {message}");
}

#[test]
fn what_is_flat_is_read_however_long_it_is() {
    for line in [
        "f(a, [b, { c: d }], `x${e}y`);",
        "if (a) { b() } else { c() }",
        "if (a) b = (c + d) / 2; else e[0] = 1",
        "a = b / 2 / c; d = (e) / 3; f = g[0] / 4",
        "a = b\n  / (c * d);",
        "if (a) /[)}/\"]/.test(b); return_ = typeof /'/;",
        "a = '(['; b = \"{`\"; // it's ( one\n/* {[( ' */ c = `(${d})'`;",
        "do { a() } while (b(c)); d: for (;;) { break d }",
        "while (a-->0) b <<= 1;",
        "function f() { return a ? b : c }",
    ] {
        is_read(line, "js");
    }
    is_read("if (a) { type T = Map<A, Array<B | C>>; let a: T = b! / (c as number) + d; }", "mts");
}

#[test]
fn what_is_deep_is_refused() {
    for [before, after] in [
        ["(", ")"],
        ["[", "]"],
        ["if (a) ; else ", ";"],
        ["if (a) if (b) c; else ", ";"],
        ["do ", "; while (a);"],
        ["do do ; while (a); while (b, function () {", "});"],
        ["a: b: c, d: ", ";"],
        ["x = class\nA { [", "]() {} }"],
        ["a = b ? c : ", "1"],
        ["a => ", "1"],
    ] {
        is_refused(before, after);
    }
}

#[test]
fn nothing_in_strings_comments_templates_or_regular_expressions_closes_a_bracket() {
    for closing in [
        "'}';",
        "\"}\";",
        "/* } */",
        "// }\n",
        "`}`;",
        "/}/;",
        "typeof /}/;",
        "break\n/}/;",
        "`${'}'}`;",
        "a. if (b) / c; '}';",
    ] {
        is_refused(&format!("{{{closing}"), "}");
    }
}

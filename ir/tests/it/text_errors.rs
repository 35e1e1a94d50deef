//! Texts that are no functions: what is said, and where.

use ssaphire_ir::Basic;
use ssaphire_ir::text::{SyntaxErrorKind, parse};

/// What is wrong, and where.
#[track_caller]
fn check_error(text: &str, line: usize, column: usize, message: &str) {
    let errors = parse::<Basic>(text).expect_err("the text is wrong").errors;
    let found: Vec<_> = errors.iter().map(|error| (error.line, error.column, error.kind.to_string())).collect();
    assert_eq!(found, [(line, column, message.to_owned())]);
}

#[track_caller]
fn check_body_error(body: &str, line: usize, column: usize, message: &str) {
    check_error(&format!("func f(p) {{\n{body}\n}}\n"), line, column, message);
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    check_error("", 1, 1, "expected a function");
    check_error("hello", 1, 1, "expected a function or the end of the file");
    check_error("func f() {\na:\n  return\n}\nmore", 5, 1, "expected a function or the end of the file");
    check_error("func f() {\na:\n  return\n", 3, 3, "expected `}` at the end of the function");
    check_error("func f() {\n}\n", 2, 1, "function without blocks");
    check_error("func f(x, x) {\na:\n return\n}", 1, 11, "`x`: declared or bound twice");
    check_error("func f {\na:\n return\n}", 1, 8, "expected `(`");
    check_body_error("a:\n  jump b", 3, 8, "`b`: no block has this label");
    check_body_error("a:\n  return\na:\n  return", 4, 1, "`a`: another block has this label");
    check_body_error("a:\n  x = frob p\n  return", 3, 7, "`frob`: no such operation");
    check_body_error("a:\n  x = add p\n  return", 3, 12, "expected `,`");
    check_body_error("a:\n  x, y = neg p\n  return", 3, 10, "wrong number of results: expected 1, got 2");
    check_body_error("a:\n  x, y = p\n  return", 3, 10, "wrong number of arguments: expected 2, got 1");
    check_body_error("a:\n  x = add p, p, p\n  return", 3, 15, "expected the end of the line");
    check_body_error("a:\n  return %x.1", 3, 10, "%x.1: used but never defined");
    check_body_error("a:\n  %0 = 1\n  %0 = 2\n  return", 4, 3, "%0: defined twice");
    check_body_error("a:\n  return x", 3, 10, "`x`: read but never written (`var x` would declare it)");
    check_body_error("a:\n  return\n  return", 4, 3, "instruction after the terminator of its block");
    check_body_error("a:\n  x = 1\nb:\n  return", 2, 1, "`a`: block without a terminator");
    check_body_error("a:\n  x = 1 $ 2\n  return", 3, 9, "expected the end of the line");
    check_body_error("a:\n  x = \u{e4}\n  return", 3, 7, "unexpected character 'ä'");
    check_body_error("a:\n  return 'x", 3, 10, "the quote does not end on this line");
    check_body_error("  return", 2, 3, "expected a label");
    check_body_error("a:\n  jump b\n'\\q':\n  return\nb:\n  return", 4, 1, "unknown escape sequence");
    check_body_error("a:\n  return %'\\q'.1", 3, 10, "unknown escape sequence");
    check_body_error("a:\n  return 99999999999999999999", 3, 10, "this number is too large");
    check_body_error("a:\n  = 1\n  return", 3, 3, "expected an operation");
    check_body_error("a:\n  5 = p\n  return", 3, 3, "expected a variable or a value to write");
}

#[test]
fn errors_about_phis_and_edges_say_where() {
    let arity = "a:\n  branch p, b, b\nb: <- a, a\n  %0 = phi 1\n  return";
    check_body_error(arity, 5, 8, "wrong number of operands: expected 2, one per incoming edge, got 1");
    let unlisted = "a:\n  branch p, b, b\nb:\n  %0 = phi 1, 2\n  return";
    check_body_error(unlisted, 4, 1, "a block with phis must list its incoming edges: `label: <- a, b`");
    let wrong = "the list must name each incoming edge of the block once, edges of one source by ascending slot";
    check_body_error("a:\n  branch p, b, b\nb: <- a.1, a.0\n  return", 4, 1, wrong);
    check_body_error("a:\n  branch p, b, b\nb: <- a\n  return", 4, 1, wrong);
    check_body_error("a:\n  jump b\nb: <- b\n  return", 4, 1, wrong);
    check_body_error(
        "a:\n  jump b\nb:\n  x = 1\n  %0 = phi x\n  return",
        6,
        8,
        "phis come before all instructions of their block",
    );
    check_body_error(
        "a:\n  jump b\nb:\n  %0 = phi p\n  return",
        5,
        12,
        "expected a value: `%x.3`, `%7`, a constant or `undef`",
    );
    check_body_error("a:\n  jump b\nb:\n  x = phi 1\n  return", 5, 3, "expected one value that the phi defines");
    let results = "a:\n  x = call f() to b, b\nb:\n  return";
    check_body_error(results, 2, 1, "the first target of a terminator with results must not have other incoming edges");
}

#[test]
fn an_error_shows_its_line_with_a_caret() {
    let errors = parse::<Basic>("func f() {\na:\n\tjump nowhere\n}").expect_err("no such block");
    assert_eq!(errors.to_string(), "3:7: `nowhere`: no block has this label\n    3 | \tjump nowhere\n      | \t     ^");
}

#[test]
fn all_errors_of_a_text_come_at_once_up_to_a_limit() {
    let lines: String = (0..100).map(|index| format!("  x = frob {index}\n")).collect();
    let errors = parse::<Basic>(&format!("func f() {{\na:\n{lines}}}\n")).expect_err("no such operation").errors;
    assert_eq!(errors.len(), 20);
    assert!(errors.iter().all(|error| error.kind == SyntaxErrorKind::UnknownOp("frob".to_owned())));
}

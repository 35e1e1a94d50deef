//! Errors of syntax: how they are shown, and their limit.

use ssaphire_ir::Basic;
use ssaphire_ir::text::{SyntaxErrorKind, parse};

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

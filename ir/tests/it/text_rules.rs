//! Errors about the rules of SSA form: their limit, and none on valid texts.

use ssaphire_ir::text::{Outline, SyntaxErrors};
use ssaphire_ir::{Basic, Function, Syntax};

fn parse_valid<D: Syntax>(text: &str) -> Result<Function<D>, SyntaxErrors> {
    Outline::new(text)?.functions().next().expect("a function").parse_valid()
}

#[test]
fn errors_are_limited() {
    use std::fmt::Write;
    let mut text = String::from("func f() {\na:\n");
    for value in 1..1000 {
        let _ = writeln!(text, "  %{} = neg %{value}", value - 1);
    }
    text += "  %999 = 1\n  return\n}\n";
    let errors = parse_valid::<Basic>(&text).expect_err("all are used before").errors;
    assert_eq!(errors.len(), SyntaxErrors::LIMIT);
}

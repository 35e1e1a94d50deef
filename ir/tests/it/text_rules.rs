//! Errors about the rules of SSA form: their limit, and none on valid texts.

use ssaphire_ir::text::{NameStyle, Outline, PhiStyle, PrintOptions, SyntaxErrors, to_string};
use ssaphire_ir::{Basic, Function, Syntax, generate};

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

#[test]
fn what_is_right_is_read_as_without_a_check() {
    for &shape in generate::Shape::ALL {
        for seed in 0..40 {
            let function = generate::function(shape, 1 + seed as usize % 13, seed);
            for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
                let options = PrintOptions { phis, names: NameStyle::Source };
                for function in [&function, &generate::maximal_ssa(&function)] {
                    let text = to_string(function, options);
                    match parse_valid::<Basic>(&text) {
                        Ok(read) => assert!(read == *function, "{text}"),
                        Err(errors) => panic!("{text}\n{errors}"),
                    }
                }
            }
        }
    }
}

//! The rules of SSA form refuse no function that keeps them, on random functions.

use ssaphire_ir::text::{NameStyle, Outline, PhiStyle, PrintOptions, SyntaxErrors, to_string};
use ssaphire_ir::{Basic, Dialect, Function};
use ssaphire_tests::functions::{self, Shape, maximal_ssa};
use ssaphire_tests::seeds;

fn parse_valid<D: Dialect>(text: &str) -> Result<Function<D>, SyntaxErrors> {
    Outline::new(text)?.functions().next().expect("a function").parse_valid()
}

#[test]
fn what_is_right_is_read_as_without_a_check() {
    for &shape in Shape::ALL {
        for seed in seeds(0..40) {
            let function = functions::generate(shape, 1 + seed as usize % 13, seed);
            for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
                let options = PrintOptions { phis, names: NameStyle::Source };
                for function in [&function, &maximal_ssa(&function)] {
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

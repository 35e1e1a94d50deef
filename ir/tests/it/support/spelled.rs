//! Functions in every spelling of phis.

use ssaphire_ir::text::{NameStyle, PhiStyle, PrintOptions, parse, to_string};
use ssaphire_ir::{Function, Syntax};

/// What is printed is read back as the same, however phis are spelled.
#[track_caller]
pub(crate) fn check_spellings<D: Syntax>(function: &Function<D>) {
    assert_eq!(function.check_form(), []);
    for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
        let text = to_string(function, PrintOptions { phis, names: NameStyle::Source });
        match parse::<D>(&text) {
            Ok(read) => assert!(read == *function, "{phis:?}: {text}\nread as\n{read}"),
            Err(errors) => panic!("{phis:?}: {text}\n{errors}"),
        }
    }
}

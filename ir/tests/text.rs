//! Texts in, texts out.

use ssaphire_ir::text::{NameStyle, PhiStyle, PrintOptions, parse, to_string};
use ssaphire_ir::{Basic, Function};

#[track_caller]
fn read(text: &str) -> Function<Basic> {
    match parse(text) {
        Ok(function) => function,
        Err(errors) => panic!("{errors}"),
    }
}

/// The text prints as itself.
#[track_caller]
fn check(text: &str) {
    let function = read(text);
    assert_eq!(function.check_form(), []);
    let printed = function.to_string();
    assert_eq!(printed, text);
    assert_eq!(read(&printed), function);
}

#[test]
fn the_variable_form_prints_as_it_is_written() {
    check(
        "\
func sum(n) {
block0:
  i = 0
  s = 0
  jump block1
block1:
  c = lt i, n
  branch c, block2, block3
block2:
  s = add s, i
  i = add i, 1
  jump block1
block3:
  return s
}
",
    );
}

const SUM: &str = "\
func sum(%n.0) {
block0:
  jump block1
block1: <- block0, block2
  %i.0 = phi 0, %i.1
  %s.0 = phi 0, %s.1
  %c.0 = lt %i.0, %n.0
  branch %c.0, block2, block3
block2:
  %s.1 = add %s.0, %i.0
  %i.1 = add %i.0, 1
  jump block1
block3:
  return %s.0
}
";

#[test]
fn the_ssa_form_prints_as_it_is_written() {
    check(SUM);
}

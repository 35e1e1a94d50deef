//! Programs into SSA form, out of it again, and written.

use ssaphire::Certified;
use ssaphire::destruct::Method;
use ssaphire_ir::{Basic, Function, leave_ssa, text};
use ssaphire_while::{Options, build, parse, write};

fn built(source: &str) -> Vec<Function<Basic>> {
    let parsed = parse(source, &Options::default()).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let mut ssa = Certified::default();
    (0..parsed.functions().len()).map(|index| build(&parsed, index, &mut ssa).unwrap().function).collect()
}

/// The functions, out of SSA form and written one after the other.
fn written(functions: &[Function<Basic>]) -> String {
    let left = functions.iter().map(|function| leave_ssa(function, Method::PerVariable).unwrap());
    left.map(|left| write(&left.function, false).unwrap()).collect()
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let functions = built(source);
    assert_eq!(written(&functions), expected);
}

#[test]
fn loops_and_conditionals_look_as_they_did() {
    let source = "\
func f(n, m) {
  s := 0;
  while n > 0 {
    if n % 2 == 0 {
      s := s + n;
    } else {
      s := s - 1;
    }
    n := n - 1;
  }
  repeat {
    m := m * 2;
    print m;
  } until m >= 100;
  return s, m;
}
";
    check(source, source);
}

#[test]
fn exits_of_inner_loops_are_breaks_and_those_of_outer_ones_gotos() {
    let source = "\
func f(n) {
  while true {
    while n > 0 {
      if n == 7 { goto out; }
      n := read();
      if n == 5 { break; }
    }
    n := n + 1;
  }
  out:
  return n;
}
";
    let functions = built(source);
    let text = written(&functions);
    assert!(text.contains("goto") && !text.contains("undefined"), "{text}");
}

#[test]
fn arrays_are_declared_and_updated_in_place() {
    let source = "\
func f(a[], n)[] {
  array b;
  b := a;
  b[n] := a[0] + 1;
  a[1] <- 2;
  print a[n], b[0];
  return b;
}
";
    let functions = built(source);
    let text = written(&functions);
    assert_eq!(built(&text).len(), 1, "{text}");
    assert!(
        text.starts_with("func f(a[], n)[] {\n") && text.contains("b[n] := ") && text.contains("a[1] <- 2;"),
        "{text}"
    );
}

#[test]
fn what_the_language_cannot_say_is_an_error() {
    let error = |source: &str| {
        let function: Function<Basic> = text::parse(source).unwrap();
        write(&leave_ssa(&function, Method::Naive).unwrap().function, false).unwrap_err().to_string()
    };
    let both = "func f(%x.0) {\nvar x\nblock0:\n  branch %x.0, block1, block2\nblock1: <- block0, block2\n  jump block2\n\
                block2: <- block0, block1\n  jump block1\n}\n";
    assert_eq!(error(both), "f: has a loop with several entries, which While cannot express");
    let logical = "func f(%x.0) {\nvar x\nblock0:\n  %1 = land %x.0, 1\n  return %1\n}\n";
    assert_eq!(error(logical), "f: block0: land: While has no such operation");
    let function: Function<Basic> = text::parse("func f(%x.0) {\nvar x\nblock0:\n  return %x.0\n}\n").unwrap();
    assert_eq!(write(&function, false).unwrap_err().to_string(), "f: has not left SSA form");
}

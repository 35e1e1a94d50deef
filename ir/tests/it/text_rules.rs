//! Texts whose values break the rules of SSA form: what is said, and where.

use ssaphire_ir::memory::Memory;
use ssaphire_ir::text::{NameStyle, Outline, PhiStyle, PrintOptions, SyntaxErrors, parse, to_string};
use ssaphire_ir::{Basic, Function, Syntax, generate};

fn parse_valid<D: Syntax>(text: &str) -> Result<Function<D>, SyntaxErrors> {
    Outline::new(text)?.functions().next().expect("a function").parse_valid()
}

#[track_caller]
fn check_in<D: Syntax>(text: &str, expected: &[(usize, usize, &str)]) {
    assert!(parse::<D>(text).is_ok(), "the structure is right: {text}");
    let errors = parse_valid::<D>(text).expect_err("a rule is broken");
    let found: Vec<_> = errors.errors.iter().map(|error| (error.line, error.column, error.kind.to_string())).collect();
    let found: Vec<_> = found.iter().map(|(line, column, kind)| (*line, *column, kind.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

#[track_caller]
fn check(body: &str, expected: &[(usize, usize, &str)]) {
    check_in::<Basic>(&format!("func f(p) {{\n{body}\n}}\n"), expected);
}

#[test]
fn uses_before_definitions_in_a_block() {
    check("a:\n  print p, %0\n  %0 = neg p\n  return %0", &[(3, 12, "%0: used before its definition")]);
    check("a:\n  %0 = neg %0\n  return %0", &[(3, 12, "%0: used before its definition")]);
    check("a:\n  x = %0\n  %0 = 1\n  return x", &[(3, 7, "%0: used before its definition")]);
    check("a:\n  %0, %1 = %1, 2\n  return %0", &[(3, 12, "%1: used before its definition")]);
    let modified = "a:\n  x, %v.1 = call f(%v.1) modifies %v.1\n  return x";
    check(modified, &[(3, 20, "%v.1: used before its definition")]);
}

#[test]
fn uses_that_a_definition_does_not_dominate() {
    let mixed =
        "a:\n  branch p, b, c\nb:\n  %v.0 = neg p\n  x = %v.0\n  jump c\nc:\n  x = add %v.0, 1\n  return x, %v.0";
    check(mixed, &[(9, 11, "%v.0: used in a block that its definition in `b` does not dominate")]);
    let both = "a:\n  branch p, b, c\nb:\n  %0 = neg p\n  %1 = neg p\n  jump c\nc:\n  return %1, %0";
    let expected = [
        (9, 10, "%1: used in a block that its definition in `b` does not dominate"),
        (9, 14, "%0: used in a block that its definition in `b` does not dominate"),
    ];
    check(both, &expected);
    let result = "a:\n  %r.0 = call f() to b, c\nb:\n  return %r.0\nc:\n  return %r.0";
    check(result, &[(7, 10, "%r.0: used in a block that its definition in `b` does not dominate")]);
    // A block that nothing leads to is not judged.
    let unreachable = "func f(p) {\na:\n  return\nb:\n  print %0\n  %0 = neg p\n  jump c\nc:\n  return %0\n}\n";
    assert!(parse_valid::<Basic>(unreachable).is_ok());
}

#[test]
fn operands_of_phis_in_every_spelling() {
    let message = "%v.0: used on the edge from `a`, which its definition in `b` does not dominate";
    let head = |params: &str| format!("a:\n  branch p, b, c{params}\nb:\n  %v.0 = neg p\n  jump c{params}\n");
    let listed = head("") + "c: <- a, b\n  %0 = phi 1, %v.0\n  %1 = phi %v.0, undef\n  return %0, %1";
    check(&listed, &[(9, 12, message)]);
    let shuffled = head("") + "c: <- b, a\n  %1 = phi undef.'v, w':_, %v.0\n  return %1";
    check(&shuffled, &[(8, 28, message)]);
    let passed = head("(3, %v.0)") + "c(%0, %1):\n  return %0, %1";
    check(&passed, &[(3, 21, message)]);
    let upsilons = "a:\n  upsilon %0 = 7 on slot 1\n  upsilon %1 = %v.0 on slot 1\n  branch p, b, c\nb:\n  \
                    %v.0 = neg p\n  upsilon %0 = %v.0\n  upsilon %1 = %v.0\n  jump c\nc:\n  %0 = phi()\n  \
                    %1 = phi()\n  return %0, %1";
    check(upsilons, &[(4, 16, message)]);
    let slots = "a:\n  upsilon %1 = 7 on slot 0\n  upsilon %1 = %2 on slot 1\n  branch p, b, b\nb:\n  %1 = phi()\n  \
                 %2 = neg p\n  return %1, %2";
    check(slots, &[(4, 16, "%2: used on the edge from `a`, which its definition in `b` does not dominate")]);
}

#[test]
fn a_phi_in_the_entry_has_no_operand_for_the_start() {
    let looped = "a: <- b\n  %x.0 = phi 1\n  jump b\nb:\n  print %x.0\n  jump a";
    check(looped, &[(3, 3, "%x.0: phi in the entry, where control enters without an edge")]);
    let param = "a(%x.0):\n  jump b\nb:\n  print %x.0\n  jump a(2)";
    check(param, &[(2, 3, "%x.0: phi in the entry, where control enters without an edge")]);
    check(
        "a:\n  %x.0 = phi()\n  return %x.0",
        &[(3, 3, "%x.0: phi in the entry, where control enters without an edge")],
    );
}

#[test]
fn all_dialects_have_the_rules() {
    let text = "func f() {\na:\n  %0 = load %1\n  %1 = slot _\n  return %0\n}\n";
    check_in::<Memory<Basic>>(text, &[(3, 13, "%1: used before its definition")]);
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

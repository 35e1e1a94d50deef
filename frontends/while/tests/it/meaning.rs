//! What programs do, as trees and in SSA form.

use ssaphire::Certified;
use ssaphire_ir::basic::{BasicMachine, behavior_of};
use ssaphire_ir::interp::Limits;
use ssaphire_while::{Calls, Options, build, interpret, parse};

/// Called with 1, 2 and so on, the first function behaves like that; calls run the functions of the file.
#[track_caller]
fn check(source: &str, expected: &str) {
    let program = parse(source, &Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let args: Vec<i64> = (1..=program.functions()[0].params.len() as i64).collect();
    let machine = BasicMachine::new(0, vec![10, 20]);
    let limits = Limits { steps: 100_000, frames: 100 };
    let tree = interpret(&program, 0, &args, machine.clone(), limits, Calls::Direct);
    assert_eq!(tree.to_string().trim().replace('\n', "; "), expected, "{source}");
    let mut ssa = Certified::default();
    let functions = (0..program.functions().len()).map(|index| build(&program, index, &mut ssa).unwrap().function);
    let functions: Vec<_> = functions.collect();
    let machine = machine.with_functions(&functions);
    assert_eq!(behavior_of(&functions, 0, &args, machine, limits), tree, "{source}");
}

#[track_caller]
fn check_value(expression: &str, expected: &str) {
    check(&format!("return {expression};"), &format!("return {expected}"));
}

#[test]
fn operators_bind_as_the_grammar_says() {
    check_value("2 + 3 * 4 - 1", "13");
    check_value("10 - 4 - 3", "3");
    check_value("100 / 5 / 2 % 7", "3");
    check_value("1 << 2 + 1", "8");
    check_value("7 & 3 == 3", "1");
    check_value("1 | 6 & 3 ^ 2", "1");
    check_value("1 | 4 ^ 4", "1");
    check_value("-2 * -3", "6");
    check_value("- 2 - -3", "1");
    check_value("!0 + ~0", "0");
    check_value("1 < 2 && 2 < 3 || 1 / 0", "1");
    check_value("0 && 1 || 1", "1");
    check_value("1 || 1 && 0", "1");
    check_value("(1 || 1) && 0", "0");
    check_value("5 && 7, !5, !!5, 0 || 0", "1, 0, 1, 0");
}

#[test]
fn numbers_are_64_bits_and_wrap_around() {
    check_value("9223372036854775807 + 1", "-9223372036854775808");
    check_value("-9223372036854775808 / -1", "-9223372036854775808");
    check_value("0x10, 0xfF, -0x1", "16, 255, -1");
    check_value("-7 / 2, -7 % 2, -8 >> 1, 1 << 65", "-3, -1, -4, 2");
    check_value("true + true, false", "2, 0");
}

#[test]
fn what_is_not_known_is_undefined_until_it_matters() {
    check("return x, x + 1, !x;", "return undef, undef, undef");
    check("print x; if x { }", "print undef; trap: depends on an undefined value");
    check("y := x || 1;", "trap: depends on an undefined value");
    check("y := 0 && x; return y;", "return 0");
    check("return x / 0;", "trap: division by zero");
}

#[test]
fn input_output_and_calls() {
    check("x := read(); print x, read(); return read();", "read 10; read 20; print 10, 20; trap: end of input");
    check(
        "func f(a, b) { g(a); return h(b) + 1; } func g(x) { print x; } func h(x) { return x * 2; }",
        "print 1; return 5",
    );
    check(
        "func f(n) { return fact(5); } func fact(n) { if n < 2 { return 1; } return n * fact(n - 1); }",
        "return 120",
    );
    check("func f() { return g(); } func g() { }", "trap: wrong number of results: expected 1, got 0");
}

#[test]
fn runs_are_limited() {
    let limits = Limits { steps: 50, frames: 3 };
    let run = |source: &str| {
        let program = parse(source, &Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
        interpret(&program, 0, &[], BasicMachine::new(0, vec![]), limits, Calls::Direct).to_string()
    };
    assert_eq!(run("while true { }"), "trap: more than 50 steps\n");
    assert_eq!(run("l: goto l;"), "trap: more than 50 steps\n");
    assert_eq!(run("repeat { continue; } until false;"), "trap: more than 50 steps\n");
    assert_eq!(run("func f() { f(); }"), "trap: more than 3 nested calls\n");
}

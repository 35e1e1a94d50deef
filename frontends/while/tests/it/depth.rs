//! Deep and long programs pass everything on a small stack.

use ssaphire::Certified;
use ssaphire::check::{Mode, Program as Certificate, validate};
use ssaphire_ir::basic::{BasicMachine, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_while::{Calls, Program, build, interpret, parse};

const DEPTH: usize = 20_000;

/// Parses, prints, parses again, builds, judges and runs; `result` is what it returns.
#[track_caller]
fn check(source: String, result: &str) {
    let result = result.to_owned();
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
        let program = parsed(&source);
        let printed = program.to_string();
        assert!(printed.len() < 100 * source.len(), "the output is in proportion");
        assert!(parsed(&printed) == program);
        let limits = Limits { steps: 100_000_000, ..Limits::default() };
        let tree = interpret(&program, 0, &[1], BasicMachine::new(0, vec![]), limits, Calls::Opaque);
        assert_eq!(tree.to_string(), format!("return {result}\n"));
        let mut ssa = Certified::default();
        let built = build(&program, 0, &mut ssa).expect("there is no limit");
        assert_eq!(behavior(&built.function, &[1], BasicMachine::new(0, vec![]), limits), tree);
        let mut certificate = Certificate::new();
        ssa.certify(&mut certificate).expect("the function fits a certificate");
        assert_eq!(validate(&certificate, Mode::Exact), Ok(()));
    });
    assert!(thread.expect("a thread can be started").join().is_ok());
}

fn parsed(source: &str) -> Program {
    parse(source, &ssaphire_while::Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn function(body: &str) -> String {
    format!("func main(x) {{ y := 0; {body} return x, y; }}")
}

fn nested(before: &str, inside: &str, after: &str) -> String {
    [&before.repeat(DEPTH), inside, &after.repeat(DEPTH)].concat()
}

#[test]
fn nested_conditionals() {
    check(function(&nested("if x { ", "y := 7;", "} ")), "1, 7");
}

#[test]
fn nested_second_arms() {
    check(function(&nested("if !x { y := 1; } else { y := y + 1; ", "", "}")), "1, 20000");
}

#[test]
fn a_chain_of_else_ifs() {
    let chain = "else if x == 2 { y := 2; }".repeat(DEPTH);
    check(function(&format!("if x == 2 {{ y := 1; }} {chain} else {{ y := 9; }}")), "1, 9");
}

#[test]
fn nested_loops() {
    check(function(&nested("while x == 1 { y := y + 1; ", "x := 5;", "}")), "5, 20000");
    check(function(&nested("repeat { y := y + 1; ", "x := 5;", "} until x == 5;")), "5, 20000");
}

#[test]
fn conditionals_in_a_row() {
    check(function(&"if x == 1 { y := y + 2; } ".repeat(DEPTH)), "1, 40000");
}

#[test]
fn labels_in_a_row() {
    let labels: String =
        (0..DEPTH / 10).map(|index| format!("if x == 2 {{ goto l{index}; }} l{index}: y := y + 1;")).collect();
    check(function(&labels), "1, 2000");
}

#[test]
fn nested_expressions() {
    check(function(&format!("y := {};", nested("(", "x", ")"))), "1, 1");
    check(function(&format!("y := {};", nested("-", "x", ""))), "1, 1");
    check(function(&format!("y := {};", nested("-(x + ", "1", ")"))), "1, 1");
    check(function(&format!("y := {};", nested("x - ", "1", ""))), "1, -19999");
}

#[test]
fn nested_conditions() {
    check(function(&format!("if {} {{ y := 3; }}", nested("!", "x", ""))), "1, 3");
    check(function(&format!("y := {};", nested("x && ", "x", ""))), "1, 1");
    check(function(&format!("y := {};", nested("0 || (x && ", "x", ")"))), "1, 1");
    check(function(&format!("y := {};", nested("1 + (x && ", "0", ")"))), "1, 2");
}

#[test]
fn nested_calls_and_long_lists() {
    let nest = nested("f(", "", ")");
    let program = parsed(&format!("x := {nest}; print {} 1;", "x, ".repeat(DEPTH)));
    assert!(parsed(&program.to_string()) == program);
    let built = build(&program, 0, &mut Certified::default()).expect("there is no limit");
    assert_eq!(built.function.block(built.function.entry()).insts().len(), DEPTH + 2);
}

#[test]
fn broken_nests_are_refused() {
    for source in [nested("if x { ", "", ""), nested("(", "", ""), nested("x := (", "1", ""), nested("f(", "", "")] {
        assert!(parse(&source, &ssaphire_while::Options::default()).is_err());
    }
}

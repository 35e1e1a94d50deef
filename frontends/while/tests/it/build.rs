//! What the builder is told, and what comes of it.

use ssaphire::{Certified, Event, Options};
use ssaphire_ir::text::{PrintOptions, to_string};
use ssaphire_while::{Built, Program, build, parse};

fn parsed(source: &str) -> Program {
    parse(source, &ssaphire_while::Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn built(program: &Program) -> Built {
    let mut options = Options::default();
    options.report_undefined_reads = true;
    build(program, 0, &mut Certified::with_options(options)).expect("there is no limit")
}

/// The SSA form of `source` is `expected`.
#[track_caller]
fn check(source: &str, expected: &str) {
    let text = to_string(&built(&parsed(source)).function, PrintOptions::default());
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    let (found, expected): (Vec<String>, Vec<String>) = (lines(&text), lines(expected));
    assert_eq!(found, expected, "\n{text}");
}

/// The events that fill and seal, and phis, in order; blocks by number.
#[track_caller]
fn check_events(source: &str, expected: &str) {
    let mut ssa = Certified::with_observer(Options::default(), Vec::<Event>::new());
    build(&parsed(source), 0, &mut ssa).expect("there is no limit");
    let events = ssa.take_events().into_iter().filter_map(|event| match event {
        Event::Filled { block } => Some(format!("fill {}", block.index())),
        Event::Sealed { block } => Some(format!("seal {}", block.index())),
        Event::EdgeAdded { from, to, .. } => Some(format!("edge {} {}", from.index(), to.index())),
        Event::PhiMade { block, .. } | Event::IncompletePhi { block, .. } => Some(format!("phi {}", block.index())),
        _ => None,
    });
    let expected: Vec<String> = expected.split([',', '\n']).map(|event| event.trim().to_owned()).collect();
    assert_eq!(events.collect::<Vec<_>>(), expected);
}

/// The warnings for `source`, with their places.
#[track_caller]
fn check_warnings(source: &str, expected: &[&str]) {
    let program = parsed(source);
    let warnings = built(&program).warnings;
    let printed = warnings.iter().map(|warning| warning.at(&program).to_string().lines().next().unwrap().to_owned());
    assert_eq!(printed.collect::<Vec<_>>(), expected);
}

#[test]
fn a_while_is_filled_and_sealed_as_the_paper_draws_it() {
    check_events(
        "func f(x) { while x { x := x - 1; } }",
        "seal 0, fill 0, edge 0 1
         phi 1, fill 1, edge 1 2, edge 1 3
         seal 2, fill 2, edge 2 1
         seal 1, seal 3, fill 3",
    );
}

#[test]
fn an_if_is_filled_and_sealed_as_the_paper_draws_it() {
    check_events(
        "func f(x) { if x { y := 1; } else { y := 2; } print y; }",
        "seal 0, fill 0, edge 0 1, edge 0 2
         seal 1, fill 1, edge 1 3
         seal 2, fill 2, edge 2 3
         seal 3, phi 3, fill 3",
    );
}

#[test]
fn a_label_stays_unsealed_until_the_end() {
    check_events(
        "func f(x) { again: if x { goto again; } skip; }",
        "seal 0, fill 0, edge 0 1
         phi 1, fill 1, edge 1 2, edge 1 3
         seal 2, fill 2, edge 2 1
         seal 3, fill 3, seal 1",
    );
}

#[test]
fn copies_and_constants_leave_nothing_and_operators_one_instruction_each() {
    check(
        "func f(a) { x := a; y := x; z := -3; x := y; return x + z * y, true; }",
        "func f(%a.0) {
         var a, x, y, z
         block0:
         %3 = mul -3, %a.0
         %4 = add %a.0, %3
         return %4, 1
         }",
    );
}

#[test]
fn conditions_branch_at_once() {
    check(
        "func f(a, b) { if !(a < 1 && !b) { print a; } }",
        "func f(%a.0, %b.0) {
         block0:
         %3 = lt %a.0, 1
         branch %3, block3, block1
         block1:
         print %a.0
         jump block2
         block2: <- block3, block1
         return
         block3:
         branch %b.0, block1, block2
         }",
    );
}

#[test]
fn a_condition_as_a_value_is_a_phi() {
    check(
        "func f(a, b) { return 5 + (a || b); }",
        "func f(%a.0, %b.0) {
         block0:
         branch %a.0, block1, block3
         block1:
         jump block4
         block2:
         jump block4
         block3:
         branch %b.0, block1, block2
         block4: <- block1, block2
         %truth.0 = phi 1, 0
         %6 = add 5, %truth.0
         return %6
         }",
    );
}

#[test]
fn blocks_that_nothing_reaches_are_made_only_for_statements() {
    check(
        "func f(a) { if a { return 1; } else { return 2; } }",
        "func f(%a.0) {
         block0:
         branch %a.0, block1, block2
         block1:
         return 1
         block2:
         return 2
         }",
    );
    check(
        "func f(a) { repeat { return a; } until a; print a; }",
        "func f(%a.0) {
         block0:
         jump block1
         block1:
         return %a.0
         block2:
         print undef.a
         return
         }",
    );
}

#[test]
fn calls_are_opaque_and_read_their_arguments_from_left_to_right() {
    check(
        "func f(a) { g(read(), a); return g(f(1), 2); } func g(a, b) { }",
        "func f(%a.0) {
         block0:
         %3 = read()
         call g(%3, %a.0)
         %4 = call f(1)
         %5 = call g(%4, 2)
         return %5
         }",
    );
}

#[test]
fn reads_before_writes_are_reported_with_their_places() {
    check_warnings(
        "x := y;\nz := x + 1;",
        &["1:6: `y`: is read before it is written", "2:6: `x`: is read before it is written"],
    );
    check_warnings(
        "func f(a) {\n  if a { b := 1; }\n  return a + b;\n}",
        &["3:14: `b`: may be read before it is written"],
    );
    check_warnings("func f(a) { while a { b := 1; a := a - 1; if a { print b; } } }", &[]);
    check_warnings("func f() { return 0; print a; }", &[]);
    check_warnings("func f(a) { b := a; print b; return b; print a; }", &[]);
    check_warnings(
        "a := a && b;",
        &["1:6: `a`: is read before it is written", "1:11: `b`: is read before it is written"],
    );
}

#[test]
fn warnings_show_the_place() {
    let program = parsed("print 1,\n\tx;");
    let warnings = built(&program).warnings;
    assert_eq!(
        warnings[0].at(&program).to_string(),
        "2:2: `x`: is read before it is written\n    2 | \tx;\n      | \t^"
    );
}

#[test]
fn a_work_budget_is_an_error() {
    let mut options = Options::default();
    options.work_limit = Some(3);
    let program = parsed("func f(x) { while x { x := x - 1; } return x; }");
    assert!(build(&program, 0, &mut Certified::with_options(options)).is_err());
}

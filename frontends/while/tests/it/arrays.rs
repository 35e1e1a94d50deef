//! Arrays and records: what is accepted, what it does, and what SSA form it has.

use ssaphire::Certified;
use ssaphire_ir::basic::{BasicMachine, behavior_of};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::text::{PrintOptions, to_string};
use ssaphire_while::{Calls, Options, Program, build, interpret, parse};

#[track_caller]
fn parsed(source: &str) -> Program {
    parse(source, &Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// Called with 1, 2 and so on, the first function behaves like that, as a tree and in SSA form.
#[track_caller]
fn check(source: &str, expected: &str) {
    let program = parsed(source);
    let args: Vec<i64> = (1..=program.functions()[0].params.len() as i64).collect();
    let (machine, limits) = (BasicMachine::new(0, vec![10, 20]), Limits { steps: 100_000, frames: 100 });
    let tree = interpret(&program, 0, &args, machine.clone(), limits, Calls::Direct);
    assert_eq!(tree.to_string().trim().replace('\n', "; "), expected, "{source}");
    let mut ssa = Certified::default();
    let functions = (0..program.functions().len()).map(|index| build(&program, index, &mut ssa).unwrap().function);
    let functions: Vec<_> = functions.collect();
    assert!(functions.iter().all(|function| function.check_form().is_empty()));
    let machine = machine.with_functions(&functions);
    assert_eq!(behavior_of(&functions, 0, &args, machine, limits), tree, "{source}");
}

/// Of each error: line, column and kind.
#[track_caller]
fn check_errors(source: &str, expected: &str) {
    let errors = parse(source, &Options::default()).expect_err("something is wrong");
    let first_line = |error: &ssaphire_while::Error| error.to_string().lines().next().unwrap().to_owned();
    assert_eq!(errors.iter().map(first_line).collect::<Vec<_>>().join("; "), expected, "{source}");
}

/// The SSA form of the first function is `expected`.
#[track_caller]
fn check_form(source: &str, expected: &str) {
    let built = build(&parsed(source), 0, &mut Certified::default()).expect("there is no limit");
    let text = to_string(&built.function, PrintOptions::default());
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    let (found, expected): (Vec<String>, Vec<String>) = (lines(&text), lines(expected));
    assert_eq!(found, expected, "\n{text}");
}

#[test]
pub(crate) fn arrays_are_values() {
    check(
        "array a, b; a[0] := 1; b := a; a[0] := 2; b[1] := 3; return a[0], b[0], a[1], b[1];",
        "return 2, 1, undef, 3",
    );
    check(
        "array a; a[-5] := 1; a[9223372036854775807] := 2; print a;",
        "print [-5: 1, 9223372036854775807: 2]; return",
    );
    check("array a; print a, a[3]; a[3] := 4; a[3] := a[7]; print a;", "print undef, undef; print undef; return");
    check("array a; a[0] := 1; a[x] := 2; return a[0], a[x];", "return undef, undef");
    check("array a; a[0] = 5; if a[0] && !a[0] { } else { return a[a[0] - 5]; }", "return 5");
}

#[test]
pub(crate) fn the_index_is_evaluated_before_the_element() {
    check("array a; a[read()] := read(); return a;", "read 10; read 20; return [10: 20]");
    check("array a; a[read()] <- read(); return a;", "read 10; read 20; return [10: 20]");
}

#[test]
pub(crate) fn functions_take_and_return_arrays_and_change_none_of_their_callers() {
    check(
        "func f() { array a, b; a[0] := 1; b := g(a, 7); return h(a), h(b); }
         func g(a[], x)[] { a[0] := a[0] + x; return a; }
         func h(r[]) { return r[0]; }",
        "return 1, 8",
    );
    check("func f()[] { array a; a[1] := 2; return a, 3; }", "return [1: 2], 3");
    check("func f() { array a; a := g(); } func g()[] { }", "trap: wrong number of results: expected 1, got 0");
}

#[test]
pub(crate) fn an_argument_that_is_a_number_stands_for_an_array_with_all_elements() {
    check("func f(a[]) { x := a[0]; a[0] := x + 1; return x == a[0] - 1, a[1] == a[1];  }", "return 1, 1");
}

#[test]
pub(crate) fn records_are_arrays_with_an_index_by_name() {
    check(
        "array r; r.x := 1; r.y := 2; r.x := r.x + r.y; print r; return r.x, r[1];",
        "print [0: 3, 1: 2]; return 3, 2",
    );
    check("func f()[] { array r; r.y := 5; r.x := g(r); return r; } func g(s[]) { return s.x, s.y; }", "return [0: 5]");
    check("func f() { array r; r.y := 5; return g(r); } func g(s[]) { return s.y; }", "return 5");
}

#[test]
pub(crate) fn a_hidden_update_knows_one_element() {
    check("array a; a[0] := 1; a[1] <- 2; return a[0], a[1];", "return undef, 2");
    check("array a; a[1]<-2; b := a[1]<-2; return b;", "return 0");
}

#[test]
pub(crate) fn a_hidden_update_has_no_operand_for_the_array_before() {
    check_form(
        "func f(n) { array a; i := 0; while i < n { a[i] <- i; i := i + 1; print a[i]; } }",
        "func f(%n.0) {
         var n
         var a: array
         var i
         block0:
         jump block1
         block1: <- block0, block2
         %i.0 = phi 0, %i.1
         %4 = lt %i.0, %n.0
         branch %4, block2, block3
         block2:
         %a.0 = hidden_update %i.0, %i.0
         %i.1 = add %i.0, 1
         %7 = access %a.0, %i.1
         print %7
         jump block1
         block3:
         return
         }",
    );
}

#[test]
pub(crate) fn types_stand_where_they_are_declared() {
    check_errors("x[0] := 1;", "1:1: `x`: holds a number (`array x;` would declare an array)");
    check_errors("y := 1 + x.next;", "1:10: `x`: holds a number (`array x;` would declare an array)");
    check_errors("array a; x := a;", "1:15: expected a number, found an array");
    check_errors("array a; a := 1 + 2;", "1:15: expected an array, found a number");
    check_errors(
        "array a; a[a] := 1; a[1] := a;",
        "1:12: expected a number, found an array; 1:29: expected a number, found an array",
    );
    check_errors(
        "array a; if a { } while a { } repeat { } until a;",
        [
            "1:13: expected a number, found an array",
            "1:25: expected a number, found an array",
            "1:48: expected a number, found an array",
        ]
        .join("; ")
        .as_str(),
    );
    check_errors(
        "array a; x := -a; x := a + a; x := !a && a;",
        [
            "1:16: expected a number, found an array",
            "1:24: expected a number, found an array",
            "1:28: expected a number, found an array",
            "1:37: expected a number, found an array",
            "1:42: expected a number, found an array",
        ]
        .join("; ")
        .as_str(),
    );
    check_errors(
        "func f(a[], b) { f(b, a); b := g(); a := f(a, 1); } func g()[] { return 1; } func h(a[]) { return a; }",
        "1:20: expected an array, found a number; 1:23: expected a number, found an array; \
         1:32: expected a number, found an array; 1:42: expected an array, found a number; \
         1:73: expected an array, found a number; 1:99: expected a number, found an array",
    );
    check_errors("array a, a;", "1:10: `a`: already a variable");
    check_errors("func f(a) { array a; }", "1:19: `a`: already a variable");
    check_errors("func f(a, a[]) { }", "1:11: `a`: already a parameter");
    check_errors("x := 1; array a;", "1:9: `array` must come before all statements of the function");
    check_errors("if 1 { array a; }", "1:8: `array` must come before all statements of the function");
    assert!(parse("; array a; array b; a := b;", &Options::default()).is_ok());
}

#[test]
pub(crate) fn elements_are_written_as_the_grammar_says() {
    check_errors("array a; a[1 := 2;", "1:14: `=` assigns; `==` compares");
    check_errors("array a; x := a[1;", "1:18: expected `]`, found `;`");
    check_errors("array a; x := a[];", "1:17: expected an expression, found `]`");
    check_errors("array a; x := a.1;", "1:17: expected a field, found `1`");
    check_errors("array a; a[1] + 2;", "1:15: expected `:=` or `<-`, found `+`");
    check_errors("array a; a[1] < -2;", "1:15: expected `:=` or `<-`, found `<`");
    check_errors("array;", "1:6: expected the name of an array, found `;`");
    check_errors("func f(a[1]) { }", "1:10: expected `]`, found `1`");
    check_errors("array a; x := f(1)[2];", "1:19: expected `;`, found `[`");
}

#[test]
pub(crate) fn printed_arrays_are_parsed_to_the_same_tree() {
    let source =
        "func f(a[], n)[] { array b, r; b := a; b[n + 1] := -a[b[0]] * r.x; r.y <- -1; return b; } func g() { }";
    let program = parsed(source);
    let printed = "func f(a[], n)[] {\n  array b, r;\n  b := a;\n  b[n + 1] := -a[b[0]] * r.x;\n  r.y <- -1;\n  return b;\n}\n\n\
                   func g() {\n}\n";
    assert_eq!(program.to_string(), printed);
    assert!(parsed(printed) == program);
    assert!(parsed("array a; x := a.u;") != parsed("array a; x := a.v;"));
    assert!(parsed("func f() { array a; }") != parsed("func f() { }"));
}

#[test]
pub(crate) fn indices_nest_on_the_heap() {
    let depth = 100_000;
    let source = format!("array a; a[{}0{}] := 1;", "a[".repeat(depth), "]".repeat(depth));
    let program = parsed(&source);
    assert_eq!(program.to_string().len(), source.len() + 1);
    let built = build(&program, 0, &mut Certified::default()).expect("there is no limit");
    assert_eq!(built.function.block(built.function.entry()).insts().len(), depth + 2);
    let run = interpret(&program, 0, &[], BasicMachine::new(0, vec![]), Limits::default(), Calls::Direct);
    assert_eq!(run.to_string(), "return \n");
}

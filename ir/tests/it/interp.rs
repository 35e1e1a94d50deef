//! What runs do.

use ssaphire_ir::basic::{BasicMachine, Op, behavior};
use ssaphire_ir::interp::{Arity, Content, Flow, Interpreter, Limits, Machine, TrapKind};
use ssaphire_ir::text::{parse, parse_all};
use ssaphire_ir::{Basic, Function};

/// Runs the body of `f(x)` with `x = 7`: everything that can be seen.
#[track_caller]
fn check(body: &str, expected: &str) {
    let text = format!("func f(x) {{\n{body}\n}}\n");
    let function: Function<Basic> = parse(&text).unwrap_or_else(|errors| panic!("{errors}"));
    let limits = Limits { steps: 20, frames: 5 };
    let behavior = behavior(&function, &[7], BasicMachine::new(1, vec![40, 2]), limits);
    assert_eq!(behavior.to_string(), expected);
}

#[test]
fn copies_and_phis_happen_at_once() {
    check("a:\n  y = 1\n  x, y = y, x\n  return x, y", "return 1, 7\n");
    let swap = "a:\n  jump b\nb: <- a, b\n  %i.0 = phi 0, %i.1\n  %p.0 = phi 1, %q.0\n  %q.0 = phi 2, %p.0\n  \
                %i.1 = add %i.0, 1\n  %c.0 = lt %i.1, 2\n  branch %c.0, b, c\nc:\n  return %p.0, %q.0";
    check(swap, "return 2, 1\n");
}

#[test]
fn what_is_undefined_is_passed_on_until_something_has_to_know() {
    check("var y, z\na:\n  z = y\n  print z\n  z = add z, 1\n  return z, x", "print undef\nreturn undef, 7\n");
    check("var y\na:\n  branch y, b, b\nb:\n  return", "trap: depends on an undefined value\n");
    check("var y\na:\n  switch y, [b], b\nb:\n  return", "trap: depends on an undefined value\n");
    check("a:\n  print undef\n  %0 = add undef, 1\n  return %0", "print undef\nreturn undef\n");
    check("var y\na:\n  y = div y, 0\n  return y", "trap: division by zero\n");
}

#[test]
fn a_value_that_was_not_defined_is_not_undefined() {
    let text = "a:\n  branch 0, b, c\nb:\n  %0 = add 1, 1\n  jump c\nc:\n  return %0";
    let function: Function<Basic> =
        parse(&format!("func f() {{\n{text}\n}}\n")).expect("a function, if not in SSA form");
    let run = behavior(&function, &[], BasicMachine::new(0, vec![]), Limits::default());
    assert!(matches!(run.outcome, Err(TrapKind::NotDefined(_))));
}

#[test]
fn runs_end_in_other_ways_too() {
    check("a:\n  jump a", "trap: more than 20 steps\n");
    check(
        "a:\n  y = read()\n  z = read()\n  y = add y, z\n  print y\n  z = read()\n  return",
        "read 40\nread 2\nprint 42\ntrap: end of input\n",
    );
    check("a:\n  unreachable", "trap: reached `unreachable`\n");
    check("a:\n  x = rem x, 0\n  return", "trap: division by zero\n");
}

#[test]
fn a_switch_takes_the_last_target_for_what_it_does_not_list() {
    for (chosen, expected) in [(0, 10), (1, 11), (2, 12), (7, 12), (-1, 12)] {
        let blocks = "b:\n  return 10\nc:\n  return 11\nd:\n  return 12";
        check(&format!("a:\n  switch {chosen}, [b, c], d\n{blocks}"), &format!("return {expected}\n"));
    }
}

#[test]
fn opaque_calls_follow_from_seed_arguments_and_count() {
    let text = "func f(x) {\na:\n  y = call g(x)\n  z = call g(x)\n  return y, z\n}\n";
    let function: Function<Basic> = parse(text).expect("a function");
    let run = |seed, arg| behavior(&function, &[arg], BasicMachine::new(seed, vec![]), Limits::default());
    assert_eq!(run(1, 2), run(1, 2));
    let different = (0..20).filter(|&seed| run(seed, 2).outcome != run(seed + 1, 2).outcome).count();
    assert!(different > 10);
    let by_count = (0..20).filter(|&seed| run(seed, 2).outcome.is_ok_and(|results| results[0] != results[1])).count();
    assert!(by_count > 10);
}

#[test]
fn a_variable_that_a_call_may_modify_sometimes_keeps_what_it_held() {
    let text = "func f(x) {\na:\n  x = call g() maybe x\n  return x\n}\n";
    let function: Function<Basic> = parse(text).expect("a function");
    let kept = |seed: u64| {
        let run = behavior(&function, &[1000], BasicMachine::new(seed, vec![]), Limits::default());
        run.outcome == Ok(vec![Content::Known(1000.into())])
    };
    let kept = (0..100).filter(|&seed| kept(seed)).count();
    assert!((20..80).contains(&kept), "{kept} of 100");
}

#[test]
fn a_handler_sees_the_variables_as_they_were_before_the_call() {
    let text = "func f(x) {\na:\n  x = call g() to b, h\nb:\n  return 0, x\nh:\n  return 1, x\n}\n";
    let function: Function<Basic> = parse(text).expect("a function");
    let mut thrown = 0;
    for seed in 0..100 {
        let run = behavior(&function, &[1000], BasicMachine::new(seed, vec![]), Limits::default());
        let results = run.outcome.expect("it returns");
        let is_thrown = results[0] == Content::Known(1.into());
        assert_eq!(is_thrown, results[1] == Content::Known(1000.into()));
        thrown += usize::from(is_thrown);
    }
    assert!((5..60).contains(&thrown), "{thrown} of 100");
}

/// Where `unreachable` throws, and calls lead to function 1.
struct Thrower;

impl Machine<Basic> for Thrower {
    type Content = i64;

    fn constant(&mut self, constant: &i64) -> i64 {
        *constant
    }

    fn execute(
        &mut self,
        op: &Op,
        args: &[Content<i64>],
        _: Arity,
        results: &mut Vec<Content<i64>>,
    ) -> Result<Flow, TrapKind> {
        results.extend_from_slice(args);
        match op {
            Op::Unreachable => Ok(Flow::Throw),
            Op::Call(call) => Ok(Flow::Call(if call.callee == "deep" { 2 } else { 1 })),
            Op::Return => Ok(Flow::Return),
            _ => Err(TrapKind::Malformed),
        }
    }
}

#[test]
fn what_is_thrown_unwinds_to_the_nearest_handler() {
    let text = "\
func main(x) {
a:
  x = call middle(x) to b, h
b:
  return x
h:
  return x, x
}
func middle(y) {
a:
  y = call deep(y)
  return y
}
func deep(z) {
a:
  unreachable
}
";
    let functions = parse_all::<Basic>(text).unwrap_or_else(|errors| panic!("{errors}"));
    let run = |start| {
        let outcome = Interpreter::new(&functions, Limits::default()).run(&mut Thrower, start, vec![Content::Known(5)]);
        outcome.map_err(|trap| (trap.kind, trap.function, trap.block.index(), trap.index))
    };
    assert_eq!(run(0), Ok(vec![Content::Known(5), Content::Known(5)]));
    assert_eq!(run(1), Err((TrapKind::Uncaught, 1, 0, 0)));
}

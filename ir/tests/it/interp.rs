//! Runs: opaque calls, undefined values and exceptions.

use ssaphire_ir::basic::{BasicMachine, Op, behavior};
use ssaphire_ir::interp::{Arity, Content, Flow, Interpreter, Limits, Machine, TrapKind};
use ssaphire_ir::text::{parse, parse_all};
use ssaphire_ir::{Basic, Function};

#[test]
fn a_value_that_was_not_defined_is_not_undefined() {
    let text = "a:\n  branch 0, b, c\nb:\n  %0 = add 1, 1\n  jump c\nc:\n  return %0";
    let function: Function<Basic> =
        parse(&format!("func f() {{\n{text}\n}}\n")).expect("a function, if not in SSA form");
    let run = behavior(&function, &[], BasicMachine::new(0, vec![]), Limits::default());
    assert!(matches!(run.outcome, Err(TrapKind::NotDefined(_))));
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

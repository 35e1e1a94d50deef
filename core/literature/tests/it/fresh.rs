//! Hosts that return values which are in use, on every engine.

use crate::recorder::{Recorder, block, var};
use ssaphire_construct::{PhiHost, SsaBuilder, Strict};
use ssaphire_graph::{Block, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fmt::Display;

/// A value that a host may return.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    /// The next number, as it should be.
    Fresh,
    /// The value of that number.
    Number(usize),
    /// What it returned for the phi made first.
    FirstPhi,
    /// What it returned for the undefined variable asked first.
    FirstUndefined,
}

/// Returns what it is told to for `x6`, and fresh values for other variables.
struct Scripted {
    host: Recorder,
    phi: Answer,
    undefined: Answer,
    returned: [Option<Value>; 2],
}

const X6: usize = 6;

impl Scripted {
    fn new(phi: Answer, undefined: Answer) -> Self {
        let host = Recorder { next_value: 20, ..Recorder::default() };
        Self { host, phi, undefined, returned: [None, None] }
    }

    fn answer(&mut self, answer: Answer, variable: Variable) -> Value {
        match answer {
            _ if variable != var(X6) => self.host.value(),
            Answer::Fresh => self.host.value(),
            Answer::Number(number) => Value::new(number),
            Answer::FirstPhi => self.returned[0].unwrap(),
            Answer::FirstUndefined => self.returned[1].unwrap(),
        }
    }
}

impl PhiHost for Scripted {
    fn new_phi(&mut self, _: Block, variable: Variable) -> Value {
        let value = self.answer(self.phi, variable);
        self.returned[0].get_or_insert(value);
        value
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        let value = self.answer(self.undefined, variable);
        self.returned[1].get_or_insert(value);
        value
    }
}

/// The first error in words.
fn step<T, E: Display>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// A function with every kind of value, before a phi of `x6` is made in block 4, and `x7`, which is undefined, is read.
///
/// Blocks: 0 entry, 1 loop, 2 and 3 the arms of a conditional, 4 the join, 5 nothing leads there.
/// Values: v0 is an initial value, v1 written and overwritten in the entry, v2 to v5 written in the arms, v6 a replaced
/// value, v7 what it stands for, v8 a global, v9 written by an edge's way, v10 a global written in an arm, v11 in use by nobody.
fn build(ssa: &mut AnyBuilder, host: &mut dyn PhiHost) -> Result<(), String> {
    let value = Value::new;
    step(ssa.try_set_initial(var(0), value(0)))?;
    step(ssa.try_global(value(8)))?;
    for (variable, number) in [(1, 1), (1, 12), (2, 6)] {
        step(ssa.try_write_variable(block(0), var(variable), value(number)))?;
    }
    step(ssa.try_replace(host, value(6), value(7)))?;
    // Of an undefined variable, and of a loop: the phi of x1 stands for v12 in the end.
    step(ssa.try_read_variable(host, block(0), var(3)))?;
    step(ssa.try_terminate(block(0), &[block(1)]))?;
    step(ssa.try_read_variable(host, block(1), var(1)))?;
    step(ssa.try_terminate(block(1), &[block(1), block(2), block(3)]))?;
    for sealed in [1, 2, 3] {
        step(ssa.try_seal_block(host, block(sealed)))?;
    }
    step(ssa.try_global(value(10)))?;
    for (arm, variable, number) in [(2, 4, 2), (2, X6, 3), (2, 5, 10), (3, 4, 4), (3, X6, 5)] {
        step(ssa.try_write_variable(block(arm), var(variable), value(number)))?;
    }
    step(ssa.try_terminate(block(2), &[block(4)]))?;
    step(ssa.try_terminate(block(3), &[block(4)]))?;
    step(ssa.try_terminate(block(5), &[block(4)]))?;
    step(ssa.try_seal_block(host, block(5)))?;
    step(ssa.try_seal_block(host, block(4)))?;
    step(ssa.try_read_variable(host, block(4), var(4)))?;
    step(ssa.try_read_variable(host, block(4), var(X6)))?;
    step(ssa.try_terminate(block(4), &[]))?;
    step(ssa.finish(host).map(drop))
}

/// What comes of the answers, by every engine: nothing wrong, or the words of the error.
#[track_caller]
fn check(phi: Answer, undefined: Answer, expected: Result<(), &str>) {
    let expected = expected.map_err(str::to_string);
    for &engine in Engine::ALL {
        let mut ssa = AnyBuilder::new(engine);
        let mut host = Strict::new(Scripted::new(phi, undefined));
        assert_eq!(build(&mut ssa, &mut host), expected, "{engine}, strict");
        let left = step(ssa.finish(&mut host).map(drop)).unwrap_err();
        assert_eq!(expected.as_ref().err().unwrap_or(&left), &left, "{engine}: the builder has stopped");

        ssa.clear();
        let mut host = Scripted::new(phi, undefined);
        let expected = if cfg!(debug_assertions) { expected.clone() } else { Ok(()) };
        assert_eq!(build(&mut ssa, &mut host), expected, "{engine}");
    }
}

#[track_caller]
fn check_phi(answer: Answer, value: &str) {
    let words = format!("{value}: returned by the host as the phi of x6 in block4, but it is already in use");
    check(answer, Answer::Fresh, Err(&words));
}

#[track_caller]
fn check_undefined(answer: Answer, value: &str) {
    let words = format!(
        "{value}: returned by the host for the undefined x6, but it is already in use and was not declared as global"
    );
    check(Answer::Fresh, answer, Err(&words));
}

#[test]
fn fresh_values_are_right_in_any_order_of_numbers() {
    check(Answer::Fresh, Answer::Fresh, Ok(()));
    check(Answer::Number(11), Answer::Fresh, Ok(()));
    check(Answer::Fresh, Answer::Number(11), Ok(()));
}

#[test]
fn a_phi_is_no_value_of_the_caller() {
    check_phi(Answer::Number(0), "v0");
    // Overwritten in its block: nothing the builder keeps tells of it any more.
    check_phi(Answer::Number(1), "v1");
    check_phi(Answer::Number(3), "v3");
    check_phi(Answer::Number(4), "v4");
    // Given to `replace`, and to `global`.
    for number in 6..=8 {
        check_phi(Answer::Number(number), &format!("v{number}"));
    }
}

#[test]
fn a_phi_is_no_value_that_the_host_has_returned() {
    // The phi of x1 has been removed since a read returned it.
    check_phi(Answer::FirstPhi, "v21");
    check_phi(Answer::FirstUndefined, "v20");
}

#[test]
fn an_undefined_value_is_no_phi_and_no_result() {
    check_undefined(Answer::Number(3), "v3");
    check_undefined(Answer::Number(4), "v4");
    check_undefined(Answer::FirstPhi, "v21");
    // In the entry too: it may be an instruction's result.
    check_undefined(Answer::Number(12), "v12");
    check_undefined(Answer::Number(6), "v6");
    check_undefined(Answer::Number(7), "v7");
}

#[test]
fn an_undefined_value_may_be_a_parameter_a_constant_or_the_same_again() {
    check(Answer::Fresh, Answer::Number(0), Ok(()));
    check(Answer::Fresh, Answer::Number(8), Ok(()));
    check(Answer::Fresh, Answer::Number(10), Ok(()));
    check(Answer::Fresh, Answer::FirstUndefined, Ok(()));
}

#[test]
fn numbers_beyond_the_limit_are_refused_in_all_builds() {
    for &engine in Engine::ALL {
        for (phi, undefined) in [(Answer::Number(1 << 30), Answer::Fresh), (Answer::Fresh, Answer::Number(1 << 30))] {
            let mut host = Scripted::new(phi, undefined);
            let words = "v1073741824: exceeds the limit of 67108864 values (returned by the host)";
            let mut ssa = AnyBuilder::new(engine);
            assert_eq!(build(&mut ssa, &mut host), Err(words.to_string()), "{engine}");
        }
    }
}

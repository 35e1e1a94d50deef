//! What is recorded builds the same again.

use super::{RecordError, Recorder};
use crate::replay::{EngineReplay, ReplayHost};
use crate::trace::sample::random_trace;
use crate::trace::{Calls, FunctionTrace, Trace, Type, text};
use ssaphire::{Block, Observed, Options, SsaBuilder, SsaBuilderExt, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use std::collections::HashMap;

fn recording(engine: Engine) -> AnyBuilder<Recorder> {
    AnyBuilder::with_observer(engine, Options::default(), Recorder::new())
}

/// The values of a function's accesses, in order.
struct Accesses<'a> {
    values: &'a [Value],
    found: Vec<Value>,
    next: usize,
}

impl Calls for Accesses<'_> {
    fn new_block(&mut self) {}
    fn switch_to(&mut self, _: u32) {}
    fn seal(&mut self, _: u32) {}
    fn fresh(&mut self, _: Type) {
        self.next += 1;
    }
    fn read(&mut self, _: u32) {
        self.found.push(self.values[self.next]);
        self.next += 1;
    }
    fn write(&mut self, _: u32, value: u32) {
        self.found.push(self.values[value as usize]);
    }
    fn jump(&mut self, _: u32) {}
    fn branch(&mut self, _: [u32; 2]) {}
    fn table(&mut self, _: &[u32]) {}
    fn leave(&mut self) {}
}

/// What a function became, with values numbered by first occurrence in its accesses, then its phis.
fn shape<C: SsaBuilder>(function: FunctionTrace<'_>, replay: &EngineReplay<C>) -> Vec<usize> {
    let host = replay.host();
    let aliases: HashMap<Value, Value> = host.aliases().iter().copied().collect();
    let mut numbers: HashMap<Value, usize> = HashMap::new();
    let mut number = |value: Value| {
        let next = numbers.len();
        *numbers.entry(aliases.get(&value).copied().unwrap_or(value)).or_insert(next)
    };
    let mut accesses = Accesses { values: replay.values(), found: Vec::new(), next: 0 };
    function.replay(&mut accesses);
    let mut shape: Vec<usize> = accesses.found.into_iter().map(&mut number).collect();
    for phi in host.phis() {
        shape.extend([phi.block.index(), phi.variable.index(), number(phi.value), phi.first_operand as usize]);
    }
    shape.extend(host.operands().iter().map(|&operand| number(operand)));
    shape
}

#[test]
fn what_was_recorded_replays_to_the_same_phis() {
    let trace = random_trace(3, 500);
    let mut num_phis = 0;
    for engine in Engine::ALL.iter().copied().filter(|engine| engine.takes_any_graph()) {
        let mut replay = EngineReplay::through(recording(engine));
        let mut expected = Vec::new();
        for function in trace.functions() {
            replay.replay(function);
            expected.push(shape(function, &replay));
            num_phis += replay.host().phis().len();
        }
        let (again, errors) = std::mem::take(replay.construction_mut().observer_mut()).into_trace();
        assert_eq!((again.check(), errors), (Ok(()), Vec::new()));
        assert_eq!((again.len(), again.counts().edges), (trace.len(), trace.counts().edges));
        let mut replay = EngineReplay::new(engine);
        for (function, expected) in again.functions().zip(expected) {
            replay.replay(function);
            assert_eq!(shape(function, &replay), expected, "{engine}");
        }
    }
    assert!(num_phis > 1_000, "{num_phis} phis");
}

/// The trace of the one function that `build` builds.
fn recorded(build: impl FnOnce(&mut AnyBuilder<Recorder>, &mut ReplayHost)) -> (Trace, Vec<(usize, RecordError)>) {
    let (mut ssa, mut host) = (recording(Engine::default()), ReplayHost::default());
    build(&mut ssa, &mut host);
    ssa.finish(&mut host).unwrap();
    std::mem::take(ssa.observer_mut()).into_trace()
}

#[track_caller]
fn check(build: impl FnOnce(&mut AnyBuilder<Recorder>, &mut ReplayHost), expected: &[&str]) {
    let (trace, errors) = recorded(build);
    assert_eq!((trace.check(), errors), (Ok(()), Vec::new()));
    let text = text::print(&trace);
    let lines: Vec<&str> = text.lines().skip(2).filter(|&line| line != "end").collect();
    assert_eq!(lines, expected);
}

const X: Variable = Variable::new(0);

#[test]
fn an_entry_of_another_number_becomes_the_first_block() {
    let [one, four] = [1, 4].map(Block::new);
    let build = |ssa: &mut AnyBuilder<Recorder>, host: &mut ReplayHost| {
        ssa.set_entry(four).unwrap();
        ssa.terminate(four, &[one]);
        ssa.seal_block(host, one);
        ssa.terminate(one, &[]);
    };
    // The entry counts as sealed, so it is sealed in the trace.
    check(build, &["block", "block", "switch 0", "seal 0", "jump 1", "seal 1", "switch 1", "return"]);
}

#[test]
fn initial_values_are_written_first_and_late_edges_come_with_the_terminator() {
    let blocks @ [before, left, right] = [0, 1, 2].map(Block::new);
    let build = |ssa: &mut AnyBuilder<Recorder>, host: &mut ReplayHost| {
        ssa.observer_mut().set_type(X, Type::F64);
        ssa.terminate(before, &[left]);
        let value = host.value();
        ssa.set_initial(X, value);
        ssa.add_edge(before, right);
        ssa.seal_block(host, left);
        let read = ssa.read_variable(host, left, X);
        ssa.write_variable(left, X, read);
        ssa.terminate(left, &[]);
        ssa.terminate(right, &[]);
        ssa.seal_block(host, right);
    };
    let expected = "variable f64; block; block; block; switch 0; fresh f64; write 0 0; seal 0; branch 1 2; seal 1; \
                    switch 1; read 0; write 0 1; return; switch 2; return; seal 2";
    check(build, &expected.split("; ").collect::<Vec<_>>());
    assert_eq!(blocks.len(), 3);
}

#[test]
fn what_a_trace_has_no_call_for_is_told() {
    let block = Block::new(0);
    let (trace, errors) = recorded(|ssa, host| {
        ssa.terminate(block, &[]);
        ssa.read_at_end(host, block, X);
    });
    assert!(trace.is_empty());
    assert_eq!(errors, [(0, RecordError::ReadAfterEnd { block, variable: X })]);

    let (_, errors) = recorded(|ssa, host| {
        let [old, new] = [host.value(), host.value()];
        ssa.write_variable(block, X, old);
        ssa.replace(host, old, new);
        ssa.terminate(block, &[]);
    });
    assert_eq!(errors, [(0, RecordError::Replaced { value: Value::new(0) })]);
}

#[test]
fn a_function_that_was_cleared_can_be_forgotten() {
    let build = |ssa: &mut AnyBuilder<Recorder>, _: &mut ReplayHost| {
        ssa.write_variable(Block::new(7), X, Value::new(0));
        ssa.clear();
        ssa.observer_mut().forget_function();
        ssa.terminate(Block::new(0), &[]);
    };
    check(build, &["block", "switch 0", "seal 0", "return"]);
}

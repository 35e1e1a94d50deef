//! Any sequence of calls gives a result that the judge accepts, or a typed error that has changed nothing.

use crate::calls::{Call, Subject, call_or_panic};
use ssaphire::check::{Judge, Mode, Program, quality};
use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Builder, Certified, Engine, Event, Options, Stopped, Value, Variable};
use ssaphire_tests::{Origin, Rng, TestHost};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

const BLOCKS: usize = 6;
const VARIABLES: usize = 3;

/// Makes up calls, and keeps to what a host owes: values are used where they are there, and replaced by what is the same.
struct Caller {
    rng: Rng,
    /// By block, the values it wrote or read.
    known: Vec<Vec<Value>>,
    /// Values written. One written before in the same block may stand for them, and so may a global.
    written: Vec<(Block, Value)>,
    globals: Vec<Value>,
    cfg: Option<FlatCfg>,
}

impl Caller {
    fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            known: vec![Vec::new(); BLOCKS],
            written: Vec::new(),
            globals: Vec::new(),
            cfg: None,
        }
    }

    fn block(&mut self) -> Block {
        Block::new(self.rng.below(BLOCKS))
    }

    fn variable(&mut self) -> Variable {
        Variable::new(self.rng.below(VARIABLES))
    }

    fn targets(&mut self, block: Block) -> Vec<Block> {
        match &self.cfg {
            Some(cfg) if self.rng.chance(90) => cfg.targets(block).to_vec(),
            _ => (0..self.rng.below(4)).map(|_| self.block()).collect(),
        }
    }

    fn graph(&mut self) -> FlatCfg {
        let targets: Vec<Vec<Block>> =
            (0..BLOCKS).map(|_| (0..self.rng.below(3)).map(|_| self.block()).collect()).collect();
        FlatCfg::from_successors(self.block(), &targets).expect("targets are blocks")
    }

    /// A value to write in `block`: a new one, or one that is there.
    fn value(&mut self, block: Block, hosts: &mut [TestHost]) -> Value {
        let known = &self.known[block.index()];
        if !known.is_empty() && self.rng.chance(30) {
            return self.rng.pick(known);
        }
        if self.rng.chance(15) {
            return self.rng.pick(&self.globals);
        }
        let values = hosts.iter_mut().map(|host| host.value(Origin::Write(block, 0)));
        values.last().expect("there is a host")
    }

    fn replacement(&mut self) -> Option<Call> {
        let (block, old) = *self.written.get(self.rng.below(self.written.len()))?;
        let earlier = self.written.iter().take_while(|&&(_, value)| value != old);
        let mut others: Vec<Value> = earlier.filter(|&&(other, _)| other == block).map(|&(_, value)| value).collect();
        others.extend(&self.globals);
        Some(Call::Replace(old, self.rng.pick(&others)))
    }

    fn call(&mut self, is_first: bool, hosts: &mut [TestHost]) -> Call {
        let (block, variable) = (self.block(), self.variable());
        let kind = if is_first && self.rng.chance(50) { self.rng.below(2) } else { self.rng.below(100) };
        match kind {
            0 => Call::SetEntry(block),
            1 => Call::Announce(self.graph()),
            2..20 => Call::Write(block, variable, self.value(block, hosts)),
            20..25 => {
                let value = hosts.iter_mut().map(|host| host.value(Origin::Write(block, 0))).last();
                Call::WriteOnEdge(block, self.rng.below(3), variable, value.expect("there is a host"))
            }
            25..45 => Call::Read(block, variable),
            45..50 => Call::ReadAt(block, variable, self.rng.below(100) as u32),
            50..68 => Call::Terminate(block, self.targets(block)),
            68..71 => Call::AddEdge(block, self.block()),
            71..85 => Call::Seal(block),
            85 => Call::SealAll,
            86..90 => Call::Expect(block, self.rng.below(4) as u32),
            90..94 => Call::Hint(block, (0..self.rng.below(3)).map(|_| self.variable()).collect()),
            94..97 => {
                let value = hosts.iter_mut().map(|host| host.value(Origin::Undefined(None))).last();
                Call::SetInitial(variable, value.expect("there is a host"))
            }
            97..99 => self.replacement().unwrap_or(Call::Read(block, variable)),
            _ => Call::Finish,
        }
    }

    /// The call was accepted.
    fn note(&mut self, call: &Call, answer: Option<Value>) {
        match call {
            Call::Write(block, _, value) => {
                if !self.known[block.index()].contains(value) && !self.globals.contains(value) {
                    self.written.push((*block, *value));
                }
                self.known[block.index()].push(*value);
            }
            Call::Read(block, _) | Call::ReadAt(block, ..) => self.known[block.index()].extend(answer),
            Call::Announce(cfg) => self.cfg = Some(cfg.clone()),
            // A value is replaced once: afterwards its name means the other.
            Call::Replace(old, _) => self.written.retain(|(_, value)| value != old),
            _ => {}
        }
    }

    /// The calls that are missing before a function can be finished.
    fn ending(&self, builder: &Builder<Vec<Event>>) -> Vec<Call> {
        let unfilled = (0..BLOCKS).map(Block::new).filter(|&block| !builder.is_filled(block));
        let targets = |block| self.cfg.as_ref().map_or(Vec::new(), |cfg| cfg.targets(block).to_vec());
        let mut calls: Vec<Call> = unfilled.map(|block| Call::Terminate(block, targets(block))).collect();
        // Edges that were expected and never came are not expected any more.
        for block in (0..BLOCKS).map(Block::new).filter(|&block| !builder.is_sealed(block)) {
            let enters = |event: &&Event| matches!(event, Event::EdgeAdded { to, .. } if *to == block);
            calls.push(Call::Expect(block, builder.observer().iter().filter(enters).count() as u32));
        }
        calls.extend([Call::SealAll, Call::Finish]);
        calls
    }
}

fn options(rng: &mut Rng) -> Options {
    let mut options = Options::with_engine(rng.pick(&Engine::ALL));
    options.minimize = rng.chance(50);
    options.verify_hints = true;
    options.report_undefined_reads = rng.chance(30);
    options.work_limit = rng.chance(20).then(|| rng.below(60) as u64);
    options
}

/// The subject hears all calls, its twin those that were not refused.
struct Pair<S> {
    subject: S,
    twin: S,
    hosts: [TestHost; 2],
    calls: Vec<Call>,
    num_refused: usize,
}

impl<S: Subject> Pair<S> {
    #[track_caller]
    fn call(&mut self, call: Call, caller: &mut Caller) {
        self.calls.push(call);
        let call = self.calls.last().expect("just pushed");
        let (stopped, stats) = (self.subject.stopped(), self.subject.stats());
        let num_events = self.subject.events().len();
        let [host, twin_host] = &mut self.hosts;
        let answer = self.subject.call(host, call);
        if let Ok(value) = answer {
            caller.note(call, value);
        }
        let is_refused = answer.is_err() && stopped == self.subject.stopped();
        if is_refused {
            self.num_refused += 1;
            assert_eq!(self.subject.stats(), stats, "{:?}", self.calls);
            assert_eq!(self.subject.events().len(), num_events, "{:?}", self.calls);
        } else {
            let twin_answer = self.twin.call(twin_host, call);
            assert_eq!(answer, twin_answer, "{:?}", self.calls);
        }
        if let Some(why) = stopped {
            assert_eq!(answer, Err(why.to_string()), "{:?}", self.calls);
        }
        assert_eq!(self.hosts[0].origins, self.hosts[1].origins, "{:?}", self.calls);
    }

    fn run(&mut self, caller: &mut Caller) {
        for _ in 0..2 {
            let values = self.hosts.iter_mut().map(|host| host.value(Origin::Undefined(None)));
            let value = values.last().expect("there is a host");
            caller.globals.push(value);
            self.subject.global(value);
            self.twin.global(value);
        }
        for number in 0..5 + caller.rng.below(50) {
            let call = caller.call(number == 0, &mut self.hosts);
            self.call(call, caller);
        }
        for call in caller.ending(self.subject.builder()) {
            self.call(call, caller);
        }
        assert_eq!(self.subject.events(), self.twin.events(), "{:?}", self.calls);
        assert!(self.subject.stopped().is_some(), "finished, or stopped by an error: {:?}", self.calls);
    }
}

#[test]
fn a_refused_call_has_changed_nothing() {
    let mut num_refused = 0;
    for seed in 0..6_000 {
        let mut caller = Caller::new(seed);
        let options = options(&mut caller.rng);
        let builder = || Builder::with_observer(options.clone(), Vec::new());
        let hosts = [TestHost::default(), TestHost::default()];
        let mut pair = Pair { subject: builder(), twin: builder(), hosts, calls: Vec::new(), num_refused: 0 };
        pair.run(&mut caller);
        num_refused += pair.num_refused;
    }
    assert!(num_refused > 10_000, "{num_refused}");
}

/// What the host has replaced is seen through, too.
fn check_quality(program: &Program, options: &Options, calls: &[Call]) {
    let mut findings = quality::dead_phis(program);
    if !options.engine.leaves_trivial_phis() {
        findings.extend(quality::trivial_phis(program));
    }
    if options.minimize {
        findings.extend(quality::redundant_phis(program));
    }
    assert_eq!(findings, [], "{calls:?}");
}

#[test]
fn any_sequence_of_calls_gives_what_the_judge_accepts() {
    let (mut judge, mut program) = (Judge::new(), Program::new());
    let mut num_finished = 0;
    for seed in 0..6_000 {
        let mut caller = Caller::new(seed);
        let options = options(&mut caller.rng);
        let builder = || Certified::with_observer(options.clone(), Vec::new());
        let hosts = [TestHost::default(), TestHost::default()];
        let mut pair = Pair { subject: builder(), twin: builder(), hosts, calls: Vec::new(), num_refused: 0 };
        pair.run(&mut caller);
        if pair.subject.stopped() == Some(Stopped::Finished) {
            num_finished += 1;
            pair.subject.certify(&mut program).unwrap_or_else(|error| panic!("{error}: {:?}", pair.calls));
            let verdict = judge.judge(&program, Mode::Exact);
            assert_eq!(verdict.violations, [], "{:?}", pair.calls);
            check_quality(&program, &options, &pair.calls);
        }
    }
    assert!(num_finished > 3_000, "{num_finished}");
}

#[test]
fn a_cleared_builder_is_as_new() {
    let mut reused: Vec<Builder<Vec<Event>>> = Vec::new();
    for seed in 0..3_000 {
        let mut caller = Caller::new(seed);
        let options = options(&mut caller.rng);
        let new = Builder::with_observer(options.clone(), Vec::new());
        // A builder that has seen other functions, and may have been left in the middle of one.
        let twin = match reused.iter().position(|builder| builder.options() == &options) {
            Some(place) => reused.swap_remove(place),
            None => new.clone(),
        };
        let hosts = [TestHost::default(), TestHost::default()];
        let mut pair = Pair { subject: new, twin, hosts, calls: Vec::new(), num_refused: 0 };
        Subject::clear(&mut pair.twin);
        pair.run(&mut caller);
        reused.push(pair.twin);
    }
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What `call` panics with.
fn panic_of(call: impl FnOnce()) -> Option<String> {
    IS_QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_QUIET.set(false);
    let payload = result.err()?;
    payload.downcast_ref::<String>().cloned().or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
}

#[test]
fn what_try_returns_is_what_the_other_form_panics_with() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !IS_QUIET.get() {
            others(info);
        }
    }));
    let mut words = Vec::new();
    for seed in 0..400 {
        let mut caller = Caller::new(seed);
        let mut builder = Builder::with_observer(options(&mut caller.rng), Vec::new());
        let mut hosts = [TestHost::default()];
        caller.globals.push(hosts[0].value(Origin::Undefined(None)));
        for number in 0..40 {
            let call = caller.call(number == 0, &mut hosts);
            let (mut other, mut other_host) = (builder.clone(), hosts[0].clone());
            let answer = builder.call(&mut hosts[0], &call);
            let mut has_other_form = None;
            let panic = panic_of(|| has_other_form = call_or_panic(&mut other, &mut other_host, &call));
            if has_other_form.is_some() || panic.is_some() {
                assert_eq!(answer.as_ref().err(), panic.as_ref());
                words.extend(panic);
            }
            if let Ok(value) = answer {
                caller.note(&call, value);
            }
        }
    }
    assert!(words.len() > 2_000, "{}", words.len());
    assert!(words.iter().all(|words| words.starts_with(|first: char| first.is_ascii_lowercase())), "entity first");
}

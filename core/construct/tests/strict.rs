//! Hosts that keep values which stand for others, wrapped in `Strict`.

mod recorder;

use recorder::{Recorder, block, var};
use ssaphire_construct::{
    Builder, Engine, FinishError, Forwarding, HostError, KeptPhis, Options, PhiHost, Strict, Uses,
};
use ssaphire_graph::{Block, Value, Variable};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the host does with the operand of its one instruction.
#[derive(Clone, Copy, PartialEq)]
enum Care {
    /// Replaces it by what it stands for.
    Resolves,
    /// Keeps it as it was read.
    Forgets,
    /// Says before `finish` that nothing uses it, and keeps it all the same.
    Hides,
}

struct Host {
    values: Recorder,
    care: Care,
    reports: bool,
    operand: Option<Value>,
    is_finished: bool,
}

impl Host {
    fn new(care: Care, reports: bool) -> Strict<Self> {
        Strict::new(Self { values: Recorder::default(), care, reports, operand: None, is_finished: false })
    }
}

impl PhiHost for Host {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.values.value()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.values.value()
    }

    fn finish(&mut self, _: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        self.is_finished = true;
        if self.care == Care::Resolves {
            self.operand = self.operand.map(|operand| stands_for.resolve(operand));
        }
        Ok(())
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        if !self.reports {
            return Uses::EveryRead;
        }
        if self.care != Care::Hides || self.is_finished {
            self.operand.into_iter().for_each(visit);
        }
        Uses::Visited
    }
}

/// `x = ..; loop { if (..) { x = .. } }; use x`, or without the write: then the phi of the loop stands for the first value.
fn build(engine: Engine, host: &mut Strict<Host>, writes: bool) -> Result<(), FinishError> {
    let mut ssa = Builder::new(Options::with_engine(engine));
    let first = host.values.value();
    ssa.write_variable(block(0), var(0), first);
    ssa.terminate(block(0), &[block(1)]);
    let read = ssa.read_variable(host, block(1), var(0));
    host.operand = Some(read);
    if writes {
        let second = host.values.value();
        ssa.write_variable(block(1), var(0), second);
    }
    ssa.terminate(block(1), &[block(1)]);
    ssa.seal_block(host, block(1));
    ssa.finish(host)
}

/// The words of the panic, if there is one.
fn words(call: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(call)).err()?;
    Some(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| panic.downcast_ref::<&str>().unwrap().to_string()))
}

const FORWARDED: &str = "v1: used after finish, but it stands for v0: a resolve is missing";
const DROPPED: &str = "v1: used after finish, but it is a phi that was dropped as unused";

#[test]
fn a_forgotten_resolve_is_found_after_finish() {
    for engine in Engine::ALL {
        for (care, writes, expected) in [
            (Care::Resolves, false, None),
            (Care::Forgets, false, Some(FORWARDED)),
            (Care::Hides, false, Some(FORWARDED)),
            (Care::Resolves, true, None),
            // The phi stays, and the operand is it.
            (Care::Forgets, true, None),
            (Care::Hides, true, Some(DROPPED)),
        ] {
            let mut host = Host::new(care, true);
            let found = words(|| build(engine, &mut host, writes).unwrap());
            assert_eq!(found.as_deref(), expected, "{engine}, writes: {writes}");
        }
    }
}

#[test]
fn a_host_that_reports_no_uses_shows_its_operands_by_hand() {
    for engine in Engine::ALL {
        for (care, expected) in [(Care::Resolves, None), (Care::Forgets, Some(FORWARDED))] {
            let mut host = Host::new(care, false);
            assert_eq!(words(|| build(engine, &mut host, false).unwrap()), None, "{engine}: nothing to see");
            let found = words(|| host.check_uses(host.operand));
            assert_eq!(found.as_deref(), expected, "{engine}");
        }
    }
}

#[test]
fn uses_before_finish_prove_nothing() {
    let host = Host::new(Care::Resolves, false);
    assert_eq!(words(|| host.check_uses(None)).as_deref(), Some("uses are checked after finish"));
}

#[test]
fn a_host_that_refuses_is_not_asked_for_its_uses() {
    struct Refusing;
    impl PhiHost for Refusing {
        fn new_phi(&mut self, _: Block, _: Variable) -> Value {
            Value::new(1)
        }
        fn undefined(&mut self, _: Variable) -> Value {
            Value::new(2)
        }
        fn finish(&mut self, _: &KeptPhis<'_>, _: &Forwarding<'_>) -> Result<(), HostError> {
            Err(HostError::new("no room"))
        }
        fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
            visit(Value::new(1));
            Uses::Visited
        }
    }
    let (mut ssa, mut host) = (Builder::default(), Strict::new(Refusing));
    ssa.write_variable(block(0), var(0), Value::new(0));
    ssa.terminate(block(0), &[block(1)]);
    ssa.read_variable(&mut host, block(1), var(0));
    ssa.terminate(block(1), &[]);
    ssa.seal_block(&mut host, block(1));
    assert_eq!(ssa.finish(&mut host), Err(FinishError::Host(HostError::new("no room"))));
}

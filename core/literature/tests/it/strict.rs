//! Hosts that keep values which stand for others, wrapped in `Strict`.

use crate::recorder::{Recorder, block, var};
use ssaphire_construct::{PhiHost, Ssa, SsaBuilder, SsaBuilderExt, Strict, Uses};
use ssaphire_graph::{Block, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the host does with the operand of its one instruction.
#[derive(Clone, Copy, PartialEq)]
enum Care {
    /// Replaces it by what it stands for.
    Resolves,
    /// Keeps it as it was read.
    Forgets,
    /// Says before the result is written that nothing uses it, and keeps it all the same.
    Hides,
}

struct Host {
    values: Recorder,
    care: Care,
    reports: bool,
    operand: Option<Value>,
    is_written: bool,
}

impl Host {
    fn new(care: Care, reports: bool) -> Strict<Self> {
        Strict::new(Self { values: Recorder::default(), care, reports, operand: None, is_written: false })
    }
}

impl PhiHost for Host {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.values.value()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.values.value()
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        if !self.reports {
            return Uses::EveryRead;
        }
        if self.care != Care::Hides || self.is_written {
            self.operand.into_iter().for_each(visit);
        }
        Uses::Visited
    }
}

impl Host {
    fn write(&mut self, result: &Ssa<'_>) {
        self.is_written = true;
        if self.care == Care::Resolves {
            self.operand = self.operand.map(|operand| result.resolve(operand));
        }
    }
}

/// `x = ..; loop { if (..) { x = .. } }; use x`, or without the write: then the phi of the loop stands for the first value.
/// The result is written and checked.
fn build(engine: Engine, host: &mut Strict<Host>, writes: bool, check: fn(&Strict<Host>, &Ssa<'_>)) {
    let mut ssa = AnyBuilder::new(engine);
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
    let result = ssa.finish(host).unwrap();
    host.write(&result);
    check(host, &result);
}

/// The words of the panic, if there is one.
fn words(call: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(call)).err()?;
    Some(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| panic.downcast_ref::<&str>().unwrap().to_string()))
}

const FORWARDED: &str = "v1: used in the result, but it stands for v0: a resolve is missing";
const DROPPED: &str = "v1: used in the result, but it is a phi that was dropped as unused";

#[test]
fn a_forgotten_resolve_is_found() {
    for &engine in Engine::ALL {
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
            let found = words(|| build(engine, &mut host, writes, Strict::check));
            assert_eq!(found.as_deref(), expected, "{engine}, writes: {writes}");
        }
    }
}

#[test]
fn a_host_that_reports_no_uses_shows_its_operands_by_hand() {
    for &engine in Engine::ALL {
        for (care, expected) in [(Care::Resolves, None), (Care::Forgets, Some(FORWARDED))] {
            let unseen = words(|| build(engine, &mut Host::new(care, false), false, Strict::check));
            assert_eq!(unseen, None, "{engine}: nothing to see");
            let check = |host: &Strict<Host>, result: &Ssa<'_>| host.check_uses(result, host.operand);
            let found = words(|| build(engine, &mut Host::new(care, false), false, check));
            assert_eq!(found.as_deref(), expected, "{engine}");
        }
    }
}

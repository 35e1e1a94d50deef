//! Any sequence of public calls of the builder.

use crate::calls::{Call, Caller, Pair, Subject};
use ssaphire::check::{Judge, Mode, Program, quality};
use ssaphire::{Certified, Event, Options, Stopped};
use ssaphire_literature::{AnyBuilder, Engine};

/// All that holds of any sequence of calls.
///
/// # Panics
/// If it does not.
pub fn check(bytes: &[u8]) {
    let (before, after) = bytes.split_at(bytes.len() / 2);
    check_refusals(bytes);
    check_results(bytes);
    check_clear(after, before);
}

/// A refused call has changed nothing: how many were refused.
///
/// # Panics
/// If one has.
pub fn check_refusals(bytes: &[u8]) -> usize {
    let mut caller = Caller::new(bytes);
    let (engine, options) = caller.construction();
    let new = AnyBuilder::with_observer(engine, options, Vec::new());
    let mut pair = Pair::new(new.clone(), new);
    pair.run(&mut caller);
    pair.num_refused
}

/// What is built is what the judge accepts: whether something was.
///
/// # Panics
/// If the judge does not.
pub fn check_results(bytes: &[u8]) -> bool {
    let mut caller = Caller::new(bytes);
    let (engine, options) = caller.construction();
    let new = || Certified::with_builder(AnyBuilder::with_observer(engine, options.clone(), Vec::new()));
    let mut pair = Pair::new(new(), new());
    pair.run(&mut caller);
    if pair.stopped() != Some(Stopped::Finished) {
        return false;
    }
    let mut program = Program::new();
    let proved = pair.subject.certify_ranked(&mut program).unwrap_or_else(|error| panic!("{error}: {:?}", pair.calls));
    assert!(!options.minimize || proved.minimal.is_ok(), "{proved:?}: {:?}", pair.calls);
    assert_eq!(Judge::new().judge(&program, Mode::Exact).violations, [], "{:?}", pair.calls);
    check_quality(&program, engine, &options, &pair.calls);
    true
}

/// A builder that has seen another function, and may have been left in the middle of it, is as new when it is cleared.
///
/// # Panics
/// If it is not.
pub fn check_clear(bytes: &[u8], bytes_before: &[u8]) {
    let mut caller = Caller::new(bytes);
    let (engine, options) = caller.construction();
    let new = AnyBuilder::with_observer(engine, options, Vec::new());
    let mut used = hear(bytes_before, new.clone());
    used.start_over();
    Pair::new(new, used).run(&mut caller);
}

/// A builder that has heard calls of another function.
fn hear(bytes: &[u8], mut builder: AnyBuilder<Vec<Event>>) -> AnyBuilder<Vec<Event>> {
    let mut caller = Caller::new(bytes);
    let mut hosts = [crate::TestHost::default()];
    caller.global(&mut hosts);
    while let Some(call) = caller.next_call(&mut hosts) {
        if let Ok(answer) = builder.call(&mut hosts[0], &call) {
            caller.note(&call, answer);
        }
    }
    builder
}

/// What the host has replaced is seen through, too.
fn check_quality(program: &Program, engine: Engine, options: &Options, calls: &[Call]) {
    let mut findings = Vec::new();
    if options.minimize || !engine.decides_at_end() {
        findings.extend(quality::dead_phis(program));
    }
    if !engine.leaves_trivial_phis() {
        findings.extend(quality::trivial_phis(program));
    }
    if options.minimize {
        findings.extend(quality::redundant_phis(program));
    }
    assert_eq!(findings, [], "{calls:?}");
}

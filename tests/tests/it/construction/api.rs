//! Any sequence of calls gives a result that the judge accepts, or a typed error that has changed nothing.

use ssaphire::SsaBuilder;
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::calls::{Caller, Subject, call_or_panic};
use ssaphire_tests::fuzzing::{calls, random_bytes};
use ssaphire_tests::{TestHost, seeds, share};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
pub(crate) fn a_refused_call_has_changed_nothing() {
    let num_refused: usize = (0..6_000).map(|seed| calls::check_refusals(&random_bytes(seed))).sum();
    assert!(num_refused > 10_000, "{num_refused}");
}

#[test]
pub(crate) fn any_sequence_of_calls_gives_what_the_judge_accepts() {
    let num_finished = seeds(0..6_000).filter(|&seed| calls::check_results(&random_bytes(seed))).count();
    assert!(num_finished > share(3_000), "{num_finished}");
}

#[test]
pub(crate) fn a_cleared_builder_is_as_new() {
    (0..3_000).for_each(|seed| calls::check_clear(&random_bytes(seed), &random_bytes(seed + 3_000)));
}

#[test]
pub(crate) fn a_builder_that_has_seen_no_call_returns_no_phis() {
    for &engine in Engine::ALL {
        let mut builder = AnyBuilder::new(engine);
        let result = builder.finish(&mut TestHost::default()).unwrap_or_else(|error| panic!("{engine}: {error}"));
        assert_eq!(result.phis.iter().count(), 0, "{engine}");
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
pub(crate) fn what_try_returns_is_what_the_other_form_panics_with() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !IS_QUIET.get() {
            others(info);
        }
    }));
    let mut words = Vec::new();
    for seed in 0..400 {
        let bytes = random_bytes(seed);
        let mut caller = Caller::new(&bytes);
        let (engine, options) = caller.construction();
        let mut builder = AnyBuilder::with_observer(engine, options, Vec::new());
        let mut hosts = [TestHost::default()];
        caller.global(&mut hosts);
        while let Some(call) = caller.next_call(&mut hosts) {
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

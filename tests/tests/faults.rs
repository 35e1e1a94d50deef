//! Mistakes that are easily made would be found: each fault that can be switched on fails a property.
//!
//! Run by `cargo test --package ssaphire-tests --features faults --test faults`.

#[path = "construction/at_end.rs"]
mod at_end;
#[path = "construction/climbs.rs"]
mod climbs;
#[path = "construction/contracts.rs"]
mod contracts;
#[path = "construction/redirect.rs"]
mod redirect;
#[path = "construction/same.rs"]
mod same;
#[path = "construction/sealed.rs"]
mod sealed;
#[path = "construction/watched.rs"]
mod watched;

use ssaphire::Engine;
use ssaphire::fault::{Fault, switch};
use ssaphire_ir::judge::Inspector;
use ssaphire_tests::fuzzing::{Target, calls, construction, judged, minimizer, random_bytes, whole};
use std::cell::Cell;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::thread;

/// Properties with the number of inputs they are given, cheap ones first.
const PROPERTIES: [(&str, Target, u64); 7] = [
    ("minimizer", minimizer::check, 2_000),
    ("whole", whole::check, 2_000),
    ("construction", construction::check, 2_000),
    ("default", construction::check_default, 5_000),
    ("calls", calls::check, 4_000),
    ("contracts", |_| CONTRACTS.iter().for_each(|contract| contract()), 1),
    // Which of two lists is visited changes costs alone.
    ("watched", |_| watched::hubs_are_looked_at_once_and_not_for_each_phi_of_the_chain(), 1),
];

/// What few random functions come upon.
const CONTRACTS: [fn(); 20] = [
    at_end::what_a_variable_holds_on_entry_is_not_what_dead_code_reads,
    at_end::a_value_that_comes_from_itself_is_undefined,
    contracts::an_operand_for_an_edge_from_unreachable_code_keeps_no_phi,
    contracts::a_right_hint_around_an_irreducible_loop_is_believed,
    climbs::a_variable_in_a_hint_that_is_taken_on_trust_stops_at_the_header,
    climbs::a_header_that_was_passed_once_is_not_passed_again,
    climbs::a_loop_that_writes_a_variable_with_the_same_bit_needs_no_phi,
    climbs::a_value_is_not_stored_below_the_join_that_merges_it,
    climbs::a_join_is_passed_and_the_loop_around_it_is_not,
    climbs::a_block_beside_the_path_is_not_on_it,
    climbs::joins_far_below_their_dominator_are_joins,
    climbs::what_an_inner_loop_writes_beside_the_way_is_written_in_the_outer_one,
    contracts::an_answer_that_not_all_ways_pass_breaks_the_hint,
    contracts::a_wrong_hint_that_shows_at_the_end_is_found_there,
    redirect::a_block_that_an_edge_no_longer_enters_is_not_reached,
    same::a_value_that_enters_sealed_code_reaches_all_of_it,
    sealed::a_hint_where_only_the_loop_enters_gives_an_incomplete_phi,
    same::a_loop_that_writes_what_enters_it_needs_no_phi,
    same::a_phi_goes_with_a_younger_one_that_merges_what_was_replaced,
    same::a_hint_is_not_broken_by_unreachable_code,
];

/// So many inputs are given to each property before more are given to any.
const FIRST: u64 = 150;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The property that fails while the fault is on, and for which input: most fail for one of the first.
fn finder(fault: Fault) -> Option<(&'static str, u64)> {
    let early = PROPERTIES.map(|(name, target, num_inputs)| (name, target, 0..num_inputs.min(FIRST)));
    let late = PROPERTIES.map(|(name, target, num_inputs)| (name, target, FIRST..num_inputs));
    early.into_iter().chain(late).find_map(|(name, target, mut seeds)| {
        let fails = |&seed: &u64| {
            switch(Some(fault));
            let result = catch_unwind(|| target(&random_bytes(seed)));
            switch(None);
            result.is_err()
        };
        Some((name, seeds.find(fails)?))
    })
}

/// Panics of threads that are to be quiet are not shown: a fault may well end in one.
fn be_quiet_where_asked() {
    let others = take_hook();
    set_hook(Box::new(move |info| {
        if !IS_QUIET.get() {
            others(info);
        }
    }));
}

#[test]
fn every_fault_is_found() {
    be_quiet_where_asked();
    // On two threads: a fault is on in one of them.
    let half = |part: usize| {
        IS_QUIET.set(true);
        let find = |&fault: &Fault| {
            let finder = finder(fault);
            println!("{fault:?}: {finder:?}");
            finder.is_none().then_some(fault)
        };
        Fault::ALL.iter().skip(part).step_by(2).filter_map(find).collect::<Vec<Fault>>()
    };
    let survivors = thread::scope(|scope| {
        let halves = [0, 1].map(|part| scope.spawn(move || half(part)));
        halves.map(|half| half.join().expect("panics are caught")).concat()
    });
    assert_eq!(survivors, []);
}

/// So many functions are made with each fault, by each engine.
const JUDGED: u64 = 60;

/// The first function that the fault makes another one, which is accepted all the same; and how many are changed.
fn accepted(fault: Fault) -> (Option<(u64, Engine)>, u64) {
    let mut inspector = Inspector::default();
    let (mut found, mut num_changed) = (None, 0);
    for (seed, engine) in (0..JUDGED).flat_map(|seed| Engine::ALL.map(|engine| (seed, engine))) {
        let function = judged::decode(&random_bytes(seed));
        let Some((right, _)) = judged::build(&function, engine, seed % 3, &mut inspector) else { continue };
        switch(Some(fault));
        let wrong = catch_unwind(|| judged::build(&function, engine, seed % 3, &mut Inspector::default()));
        switch(None);
        if let Ok(Some((wrong, refusals))) = wrong
            && !judged::is_same(&right, &wrong)
        {
            num_changed += 1;
            if refusals.is_empty() {
                found = found.or(Some((seed, engine)));
            }
        }
    }
    (found, num_changed)
}

/// Nothing but the judge of the command looks here: no path is walked, and no other result is compared.
#[test]
fn what_a_fault_changes_is_refused_by_the_judge_alone() {
    be_quiet_where_asked();
    IS_QUIET.set(true);
    let mut survivors = Vec::new();
    let mut num_changed = 0;
    for &fault in Fault::ALL {
        let (found, changed) = accepted(fault);
        num_changed += changed;
        survivors.extend(found.map(|found| (fault, found)));
    }
    println!("{num_changed} functions changed");
    assert!(num_changed > 1000, "{num_changed}");
    assert_eq!(survivors, []);
}

//! Mistakes that are easily made would be found: each fault that can be switched on fails a property.
//!
//! Run by `cargo test --package ssaphire-tests --features faults --test faults`.

#[path = "construction/contracts.rs"]
mod contracts;

use ssaphire::fault::{Fault, switch};
use ssaphire_tests::fuzzing::{Target, calls, construction, minimizer, random_bytes};
use std::cell::Cell;
use std::panic::{catch_unwind, set_hook, take_hook};

/// Properties with the number of inputs they are given, cheap ones first.
const PROPERTIES: [(&str, Target, u64); 4] = [
    ("minimizer", minimizer::check, 2_000),
    ("construction", construction::check, 2_000),
    ("calls", calls::check, 4_000),
    // Of a host that reports its uses, and so beyond what `calls` makes up.
    ("contracts", |_| contracts::an_operand_for_an_edge_from_unreachable_code_keeps_no_phi(), 1),
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

#[test]
fn every_fault_is_found() {
    let others = take_hook();
    set_hook(Box::new(move |info| {
        if !IS_QUIET.get() {
            others(info);
        }
    }));
    IS_QUIET.set(true);
    let found: Vec<_> = Fault::ALL.iter().map(|&fault| (fault, finder(fault))).collect();
    IS_QUIET.set(false);
    for (fault, finder) in &found {
        println!("{fault:?}: {finder:?}");
    }
    let survivors: Vec<Fault> = found.iter().filter(|(_, finder)| finder.is_none()).map(|&(fault, _)| fault).collect();
    assert_eq!(survivors, []);
}

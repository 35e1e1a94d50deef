//! Mistakes that are easily made would be found: each fault that can be switched on fails a property.
//!
//! Run by `cargo test --package ssaphire-tests --features faults --test faults`.

use ssaphire::fault::{Fault, switch};
use ssaphire_tests::fuzzing::{Target, calls, construction, minimizer, random_bytes};
use std::cell::Cell;
use std::panic::{catch_unwind, set_hook, take_hook};

/// Properties with the number of inputs they are given, cheap ones first.
const PROPERTIES: [(&str, Target, u64); 3] = [
    ("minimizer", minimizer::check, 2_000),
    ("construction", construction::check, 2_000),
    ("calls", calls::check, 4_000),
];

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The property that fails while the fault is on, and for which input.
fn finder(fault: Fault) -> Option<(&'static str, u64)> {
    let fails = |&(name, target, num_inputs): &(&'static str, Target, u64)| {
        let seed = (0..num_inputs).find(|&seed| {
            switch(Some(fault));
            let result = catch_unwind(|| target(&random_bytes(seed)));
            switch(None);
            result.is_err()
        })?;
        Some((name, seed))
    };
    PROPERTIES.iter().find_map(fails)
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

//! Any function, built by the default engine with its rows given up at every moment, and judged each time.

use super::construction::decode;
use crate::court::TestCase;
use crate::host::TestHost;
use crate::plan::drive;
use ssaphire::check::{Judge, Mode, Program};
use ssaphire::{Certified, Options, SsaBuilder, Thresholds};
use std::ops::AddAssign;

/// How much was built and judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Functions.
    pub functions: u64,
    /// Results, one for each moment.
    pub built: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.functions += other.functions;
        self.built += other.built;
    }
}

/// The function that the bytes describe is built right, at whatever moment its rows are given up.
///
/// # Panics
/// If it is not.
pub fn check(bytes: &[u8]) {
    tally(bytes, 0, 1);
}

/// As [`check`], at every `step`th moment from the `first` on: how much was built.
///
/// # Panics
/// As there, and if `step` is 0.
pub fn tally(bytes: &[u8], first: u64, step: usize) -> Tally {
    let mut test = decode(bytes);
    let num_events = build(&test, None);
    let mut tally = Tally { functions: 1, built: 1 };
    let mut build_all = |test: &TestCase, step: usize| {
        for events in (first..=num_events).step_by(step) {
            build(test, Some(events));
            tally.built += 1;
        }
    };
    build_all(&test, step);
    // With all other thresholds at their least, too.
    test.thresholds = Thresholds::LEAST;
    test.thresholds.row_bytes = Thresholds::DEFAULT.row_bytes;
    test.thresholds.region_steps_per_edge = Thresholds::DEFAULT.region_steps_per_edge;
    build_all(&test, 3 * step);
    tally
}

/// The function that the bytes describe is built right, however many steps linking may take.
///
/// # Panics
/// If it is not.
pub fn check_links(bytes: &[u8]) {
    let mut test = decode(bytes);
    test.thresholds = Thresholds::DEFAULT;
    (test.thresholds.climb_steps, test.thresholds.climb_steps_per_block) = (0, 0);
    for steps in 0..=8 {
        test.thresholds.link_steps_per_block = steps;
        build(&test, None);
    }
}

/// Builds the function as its first plan says, and judges the result: the number of accesses and edges.
fn build(test: &TestCase, row_events: Option<u64>) -> u64 {
    let TestCase { case, plans, shares_undefined, reports_uses, mut thresholds } = test.clone();
    thresholds.row_events = row_events;
    let options = Options::default().with_thresholds(thresholds);
    let (mut ssa, mut host) = (Certified::with_options(options), TestHost::default());
    (host.shares_undefined, host.reports_uses) = (shares_undefined, reports_uses);
    let what = || format!("rows given up after {row_events:?}\n{:?}\n{case:?}", plans[0]);
    drive(&case, &plans[0], &mut host, &mut ssa).unwrap_or_else(|error| panic!("{error}: {}", what()));
    let mut program = Program::new();
    let proved = ssa.certify_ranked(&mut program).unwrap_or_else(|error| panic!("{error}: {}", what()));
    assert!(proved.minimal.is_ok(), "{proved:?}: {}", what());
    let verdict = Judge::new().judge(&program, Mode::Exact);
    assert_eq!(verdict.violations, [], "{}", what());
    assert_eq!(ssa.differences(), Some(&[][..]), "{}", what());
    let stats = ssa.stats();
    stats.reads + stats.writes + stats.edges
}

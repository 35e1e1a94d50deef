//! Every small program, told in every way and order, by every engine.

use ssaphire_literature::Engine;
use ssaphire_tests::small::{Census, Counts, Orders, Programs, Share, Space, Survey, Telling};
use std::thread;

/// All engines, each building one function in so many; the default engine all of them.
fn shares(one_in: u64) -> Vec<Share> {
    let share = |engine| Share { engine, one_in: if engine == Engine::default() { 1 } else { one_in } };
    let mut shares: Vec<_> = Engine::ALL.iter().copied().map(share).collect();
    // First the one that builds everything: what the others build is compared with it.
    shares.sort_by_key(|share| share.one_in);
    shares
}

/// Every graph of `space`, on two threads: what was built.
fn check(space: Space, shares: Vec<Share>) -> Counts {
    let survey = &Survey::new(space, shares);
    let half = |part| {
        let mut census = Census::default();
        for graph in (part..survey.num_graphs()).step_by(2) {
            census.check_graph(survey, graph).unwrap_or_else(|finding| panic!("{finding}"));
        }
        *census.counts()
    };
    let mut counts = Counts::default();
    thread::scope(|scope| {
        let halves = [0, 1].map(|part| scope.spawn(move || half(part)));
        for half in halves {
            counts += half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    counts
}

const NUM_ENGINES: u64 = Engine::ALL.len() as u64;

#[test]
fn every_program_of_up_to_three_blocks_is_right() {
    let count = |num_blocks| check(Space::plain("up to three", num_blocks, Orders::All), shares(1)).cases;
    assert_eq!(count(1), 2 * 3 * NUM_ENGINES);
    assert!(count(2) > 0);
    assert_eq!(count(3), 18 * 56 * 6 * 3 * NUM_ENGINES);
}

const IN_FULL: &[Telling] = &[Telling::OnTheFly, Telling::Complete];

#[test]
fn every_program_of_four_blocks_is_right() {
    let counts = check(Space::plain("four", 4, Orders::All).told(IN_FULL), shares(1));
    assert_eq!(counts.cases, 190 * 240 * 24 * 2 * NUM_ENGINES);
    assert_eq!(counts.judged, 190 * 240);
    // Irreducible graphs leave `minimize` something to do.
    assert!(counts.stats.redundant_phis > 0);
}

#[test]
fn every_program_of_four_blocks_is_right_when_announced() {
    let counts = check(Space::plain("four", 4, Orders::All).told(&[Telling::Announced]), shares(16));
    assert!(counts.cases > 190 * 240 * 24 * (1 + (NUM_ENGINES - 1) / 20), "{}", counts.cases);
}

#[test]
fn every_program_of_five_blocks_is_right() {
    let counts = check(Space::plain("five", 5, Orders::Two).told(IN_FULL), shares(32));
    assert_eq!(counts.judged, 2_773 * 992);
    let by_default = 2_773 * 992 * 2 * 2;
    assert!(counts.cases > by_default + (NUM_ENGINES - 1) * by_default / 40, "{}", counts.cases);
}

#[test]
fn parallel_edges_and_edges_to_the_entry_change_nothing() {
    let count = |num_blocks| check(Space::wide("wide", num_blocks, Orders::All), shares(1)).cases;
    // Of one block alone: it ends, or comes back to itself by one edge or by two.
    assert_eq!(count(1), 3 * 2 * 3 * NUM_ENGINES);
    assert_eq!(count(2), 18 * 12 * 2 * 3 * NUM_ENGINES);
    assert_eq!(count(3), 175 * 56 * 6 * 3 * NUM_ENGINES);
}

#[test]
fn copies_leave_no_more_phis_than_the_pruned_placement() {
    let count = |num_blocks, programs| check(Space::copies("copies", num_blocks, programs), shares(1)).cases;
    // Of two blocks, the second of which may come back to itself.
    assert_eq!(count(2, Programs::All), 2 * (43 * 43 - 21 * 21) * 2 * 2 * NUM_ENGINES);
    assert_eq!(count(3, Programs::Sampled(8)), 18 * 8 * 30 * 6 * 2 * NUM_ENGINES);
    assert_eq!(count(4, Programs::Sampled(1)), 190 * 30 * 24 * 2 * NUM_ENGINES);
}

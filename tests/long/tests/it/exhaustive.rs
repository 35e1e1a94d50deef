//! Every small program, told in every way and order, by every engine.

use ssaphire_literature::Engine;
use ssaphire_tests::Part;
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

/// Builds the functions of the graphs of `space` that belong to `part`, on two threads.
fn check(space: Space, shares: Vec<Share>, part: Part) -> Counts {
    let survey = &Survey::new(space, shares);
    let half = |half| {
        let mut census = Census::default();
        for graph in part.cases(0..survey.num_graphs() as u64).skip(half).step_by(2) {
            let graph = graph as usize;
            census.check_graph(survey, graph).unwrap_or_else(|finding| panic!("{finding}"));
        }
        *census.counts()
    };
    let mut counts = Counts::default();
    thread::scope(|scope| {
        let halves = [0, 1].map(|place| scope.spawn(move || half(place)));
        for half in halves {
            counts += half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    counts
}

const NUM_ENGINES: u64 = Engine::ALL.len() as u64;

/// The number of cases among `all` that belong to `part`.
fn num_cases(all: u64, part: Part) -> u64 {
    part.cases(0..all).count() as u64
}

#[test]
fn every_program_of_up_to_three_blocks_is_right() {
    let count = |num_blocks| check(Space::plain("up to three", num_blocks, Orders::All), shares(1), Part::WHOLE).cases;
    assert_eq!(count(1), 2 * 3 * NUM_ENGINES);
    assert!(count(2) > 0);
    assert_eq!(count(3), 18 * 56 * 6 * 3 * NUM_ENGINES);
}

const IN_FULL: &[Telling] = &[Telling::OnTheFly, Telling::Complete];

#[test]
fn every_program_of_four_blocks_is_right() {
    let part = Part::of_environment();
    let counts = check(Space::plain("four", 4, Orders::All).told(IN_FULL), shares(1), part);
    let num_graphs = num_cases(190, part);
    assert_eq!(counts.cases, num_graphs * 240 * 24 * 2 * NUM_ENGINES);
    assert_eq!(counts.judged, num_graphs * 240);
    // Irreducible graphs leave `minimize` something to do.
    assert!(counts.stats.redundant_phis > 0);
}

#[test]
fn every_program_of_four_blocks_is_right_when_announced() {
    let part = Part::of_environment();
    let counts = check(Space::plain("four", 4, Orders::All).told(&[Telling::Announced]), shares(16), part);
    assert!(counts.cases > num_cases(190, part) * 240 * 24 * (1 + (NUM_ENGINES - 1) / 20), "{}", counts.cases);
}

#[test]
fn every_program_of_five_blocks_is_right() {
    let part = Part::of_environment();
    let counts = check(Space::plain("five", 5, Orders::Two).told(IN_FULL), shares(32), part);
    let judged = num_cases(2_773, part) * 992;
    assert_eq!(counts.judged, judged);
    let by_default = judged * 2 * 2;
    assert!(counts.cases > by_default + (NUM_ENGINES - 1) * by_default / 40, "{}", counts.cases);
}

#[test]
fn parallel_edges_and_edges_to_the_entry_change_nothing() {
    let count = |num_blocks, part| check(Space::wide("wide", num_blocks, Orders::All), shares(1), part).cases;
    // Of one block alone: it ends, or comes back to itself by one edge or by two.
    assert_eq!(count(1, Part::WHOLE), 3 * 2 * 3 * NUM_ENGINES);
    assert_eq!(count(2, Part::WHOLE), 18 * 12 * 2 * 3 * NUM_ENGINES);
    let part = Part::of_environment();
    assert_eq!(count(3, part), num_cases(175, part) * 56 * 6 * 3 * NUM_ENGINES);
}

#[test]
fn copies_leave_no_more_phis_than_the_pruned_placement() {
    let part = Part::of_environment();
    let count =
        |num_blocks, programs, part| check(Space::copies("copies", num_blocks, programs), shares(1), part).cases;
    // Of two blocks, the second of which may come back to itself.
    assert_eq!(count(2, Programs::All, Part::WHOLE), 2 * (43 * 43 - 21 * 21) * 2 * 2 * NUM_ENGINES);
    assert_eq!(count(3, Programs::Sampled(8), Part::WHOLE), 18 * 8 * 30 * 6 * 2 * NUM_ENGINES);
    assert_eq!(count(4, Programs::Sampled(1), part), num_cases(190, part) * 30 * 24 * 2 * NUM_ENGINES);
}

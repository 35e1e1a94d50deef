//! Every program of up to three blocks, told in every way and order, by every engine. `ssaphire-long-tests` has larger ones.

use ssaphire_literature::Engine;
use ssaphire_tests::small::{Census, Orders, Programs, Share, Space, Survey, Telling};

/// Goes through all graphs of the space: how many programs were built.
fn count(space: Space) -> u64 {
    let survey = Survey::new(space, Engine::ALL.iter().copied().map(Share::all).collect());
    let mut census = Census::default();
    for graph in 0..survey.num_graphs() {
        census.check_graph(&survey, graph).unwrap_or_else(|finding| panic!("{finding}"));
    }
    census.counts().cases
}

const NUM_ENGINES: u64 = Engine::ALL.len() as u64;

#[test]
fn every_program_of_up_to_three_blocks_is_right() {
    let plain = |num_blocks, tellings: &'static [Telling]| {
        count(Space::plain("up to three", num_blocks, Orders::All).told(tellings))
    };
    let all = &[Telling::OnTheFly, Telling::Complete, Telling::Announced];
    assert_eq!(plain(1, all), 2 * 3 * NUM_ENGINES);
    assert!(plain(2, all) > 0);
    assert_eq!(plain(3, &[Telling::OnTheFly]), 18 * 56 * 6 * NUM_ENGINES);
}

#[test]
fn parallel_edges_and_edges_to_the_entry_change_nothing() {
    let wide = |num_blocks| count(Space::wide("wide", num_blocks, Orders::All));
    assert_eq!(wide(1), 3 * 2 * 3 * NUM_ENGINES);
    assert_eq!(wide(2), 18 * 12 * 2 * 3 * NUM_ENGINES);
}

#[test]
fn copies_leave_no_more_phis_than_the_pruned_placement() {
    let copies = |num_blocks, programs| count(Space::copies("copies", num_blocks, programs));
    assert_eq!(copies(2, Programs::Sampled(8)), 2 * 8 * 30 * 2 * 2 * NUM_ENGINES);
    assert_eq!(copies(3, Programs::Sampled(1)), 18 * 30 * 6 * 2 * NUM_ENGINES);
}

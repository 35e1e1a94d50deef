//! Graphs and their texts; large graphs on a small stack.

extern crate std;

use super::{Handling, Irreducible, Options, Report, Step, Structured, structure};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg};

fn cfg(targets: &[&[usize]]) -> FlatCfg {
    let blocks = |targets: &&[usize]| targets.iter().map(|&target| Block::new(target)).collect();
    let targets: Vec<Vec<Block>> = targets.iter().map(blocks).collect();
    FlatCfg::from_successors(Block::new(0), &targets).unwrap()
}

fn split(limit: usize) -> Options {
    Options::default().with_irreducible(Irreducible::Split { limit })
}

/// The text without what only shows its structure: lines are joined by single spaces.
fn text(structured: &Structured) -> String {
    structured.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(targets: &[&[usize]], expected: &str) {
    let structured = structure(&cfg(targets), Options::default());
    assert_eq!(text(&structured), expected);
    assert_eq!(structured.report(), &Report { work: structured.report().work, ..Report::default() });
    assert_eq!(text(&structure(&cfg(targets), split(100))), expected);
}

#[test]
fn what_joins_behind_a_fork_needs_no_label() {
    check(&[&[1, 2], &[2], &[]], "block0 { 0: block1 } block2");
    check(&[&[1, 2], &[3], &[3], &[]], "block0 { 0: block1 1: block2 } block3");
    check(&[&[1, 1], &[]], "block0 block1");
}

#[test]
fn the_rest_stands_behind_an_arm_that_ends() {
    check(&[&[1, 2], &[], &[3, 4], &[], &[]], "block0 { 0: block1 } block2 { 0: block3 } block4");
    check(&[&[1], &[2, 3], &[1], &[]], "block0 L0: loop { block1 { 1: exit L0 } block2 } block3");
    // Both arms repeat the loop.
    check(&[&[1], &[2, 3], &[1], &[1]], "block0 loop { block1 { 0: block2 1: block3 } }");
}

#[test]
fn an_entry_with_incoming_edges_begins_a_loop() {
    check(&[&[0]], "loop { block0 }");
    check(&[&[1, 0], &[]], "L0: loop { block0 { 0: exit L0 } } block1");
    check(&[&[0, 0, 1], &[0, 1]], "loop { block0 { 2: { L0: loop { block1 { 0: exit L0 } } } } }");
}

#[test]
fn arms_fall_through_by_exits_of_labeled_blocks() {
    check(
        &[&[1, 2, 3, 4, 4], &[2], &[3], &[4], &[]],
        "L0: { L1: { block0 { 0: block1 2: exit L1 3, 4: exit L0 } block2 } block3 } block4",
    );
}

#[test]
fn exits_and_repeats_cross_several_loops() {
    let nested: &[&[usize]] = &[&[1], &[2, 6], &[3, 5], &[4, 6], &[2, 1], &[1], &[]];
    check(
        nested,
        "block0 L0: loop { block1 { 1: exit L0 } L1: loop { block2 { 1: exit L1 } block3 { 1: exit L0 } \
         block4 { 1: repeat L0 } } block5 } block6",
    );
    let structured = structure(&cfg(nested), Options::default());
    let depths = structured.steps().iter().filter_map(|step| match step {
        Step::Exit { depth, .. } | Step::Repeat { depth, .. } => Some(*depth),
        _ => None,
    });
    assert_eq!(depths.collect::<Vec<_>>(), [0, 0, 1, 1]);
}

#[test]
fn what_loops_share_stands_behind_them_and_what_one_exit_leads_to_stays_inside() {
    check(
        &[&[1], &[2, 6], &[3, 5], &[4, 5], &[1], &[], &[]],
        "block0 L0: loop { block1 { 1: block6 } block2 { 1: exit L0 } block3 { 1: exit L0 } block4 } block5",
    );
}

#[test]
fn unreachable_blocks_are_absent() {
    check(&[&[2], &[2, 1], &[]], "block0 block2");
    assert_eq!(structure(&FlatCfg::default(), Options::default()), Structured::default());
}

#[test]
fn regions_in_regions_share_a_dispatcher_and_are_split_one_by_one() {
    let graph = cfg(&[&[1, 2, 3], &[2, 4], &[3, 1], &[1, 2], &[]]);
    let dispatched = structure(&graph, Options::default());
    assert_eq!(
        text(&dispatched),
        "block0 { 0: next = 0 1: next = 1 2: next = 2 } \
         L0: loop { next { 0: { block1 { 1: exit L0 } next = 1 repeat L0 } 1: { block2 { 1: next = 0; repeat L0 } } } \
         block3 { 0: next = 0 1: next = 1 } } block4"
    );
    let handlings = |structured: &Structured| -> Vec<Handling> {
        structured.report().regions.iter().map(|region| region.handling).collect()
    };
    assert_eq!(handlings(&dispatched), [Handling::Dispatched { num_targets: 3 }]);
    let by_copies = structure(&graph, split(3));
    assert_eq!(
        text(&by_copies),
        "L0: { block0 { 0: exit L0 2: { block3 { 0: exit L0 } } } \
         L1: loop { block2 { 1: exit L1 } block3 { 0: exit L1 } } } \
         L2: loop { block1 { 1: exit L2 } L3: loop { block2 { 1: exit L3 } block3 { 0: exit L3 } } } block4"
    );
    assert_eq!(handlings(&by_copies), [2, 1].map(|num_copies| Handling::Split { num_copies }));
    assert!(!by_copies.report().limit_reached);
    let partly = structure(&graph, split(2));
    assert_eq!(handlings(&partly), [Handling::Split { num_copies: 2 }, Handling::Dispatched { num_targets: 2 }]);
    assert!(partly.report().limit_reached && partly.has_dispatch());
}

#[test]
fn deep_lines_are_indented_by_no_more_than_sixty_four_spaces() {
    let targets: Vec<Vec<usize>> = nested_choices(40);
    let targets: Vec<&[usize]> = targets.iter().map(Vec::as_slice).collect();
    let text = structure(&cfg(&targets), Options::default()).to_string();
    let indents: Vec<usize> = text.lines().map(|line| line.len() - line.trim_start().len()).collect();
    assert_eq!(indents.iter().max(), Some(&64));
    assert!(text.contains("\n  0: {\n    block1 {\n"), "{text}");
}

/// Choices in each other: block `i` below `depth` skips to its own end, `2 * depth - i`, or goes on.
fn nested_choices(depth: usize) -> Vec<Vec<usize>> {
    let mut targets: Vec<Vec<usize>> = (0..depth).map(|block| vec![block + 1, 2 * depth - block]).collect();
    targets.extend((depth..2 * depth).map(|block| vec![block + 1]));
    targets.push(vec![]);
    targets
}

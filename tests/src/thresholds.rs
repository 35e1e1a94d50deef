//! Thresholds of builders, as bytes choose them.

use crate::choices::Choices;
use ssaphire::Thresholds;

/// The default ones if there are no bytes; else often others, among them the least and rows that are given up anywhere.
pub fn thresholds(choices: &mut Choices<'_>) -> Thresholds {
    let kind = choices.below(8);
    let number = choices.below(60);
    let row_events = Some(number as u64);
    match kind {
        0..=2 => Thresholds::DEFAULT,
        3 => Thresholds::LEAST,
        4 | 5 => row_thresholds(row_events),
        6 => {
            let mut thresholds = Thresholds::LEAST;
            (thresholds.row_bytes, thresholds.row_events) = (Thresholds::DEFAULT.row_bytes, row_events);
            thresholds.region_steps_per_edge = Thresholds::DEFAULT.region_steps_per_edge;
            thresholds
        }
        _ => mixed(choices, number),
    }
}

/// The default ones, but for rows that are given up after that many events.
fn row_thresholds(row_events: Option<u64>) -> Thresholds {
    let mut thresholds = Thresholds::DEFAULT;
    thresholds.row_events = row_events;
    thresholds
}

/// Each is the default one or a small one; those of regions, and how long rows are kept for nothing, depend on `number`.
fn mixed(choices: &mut Choices<'_>, number: usize) -> Thresholds {
    let mut thresholds = Thresholds::DEFAULT;
    (thresholds.region_edges, thresholds.region_steps_per_edge) = (number % 4, number as u32 / 4);
    thresholds.needless_per_event = number as u32 % 3;
    let mut choose = |limit: usize| choices.chance(50).then(|| choices.below(limit));
    if let Some(bytes) = choose(40) {
        (thresholds.row_bytes_per_event, thresholds.row_bytes) = (bytes as u64, 0);
    }
    if let Some(steps) = choose(6) {
        thresholds.climb_steps = steps as u32;
    }
    if let Some(steps) = choose(3) {
        thresholds.climb_steps_per_block = steps as u32;
    }
    if let Some(steps) = choose(6) {
        thresholds.link_steps_per_block = steps as u32;
    }
    if let Some(blocks) = choose(4) {
        thresholds.linked_group = blocks;
    }
    if let Some(definitions) = choose(4) {
        thresholds.listed_definitions = definitions as u8;
    }
    if let Some(bits) = choose(4) {
        thresholds.table_bits = bits as u8;
    }
    if let Some(blocks) = choose(5) {
        thresholds.memo_stride = blocks as u32;
    }
    if let Some(phis) = choose(3) {
        thresholds.compared_phis = phis;
    }
    if let Some(blocks) = choose(4) {
        thresholds.passed_dominators = blocks as u32;
    }
    thresholds
}

//! `ssaphire check` without `--by engine`: a line for each file.

use super::{DIFFER, Plan, Report, Tally};
use crate::diagnostic::plain;
use crate::input::Input;
use crate::table::{Align, Table};

/// The columns after the file, in order.
const TITLES: [&str; 7] = ["functions", "results", "phis", "accepted", DIFFER, "refused", "not built"];

/// The table.
pub(super) fn table(report: &Report, inputs: &[Input], plan: &Plan) -> Table {
    // With redundant phis, results may differ.
    let is_shown = |title: &str| title != DIFFER || plan.is_minimal;
    let titles = TITLES.into_iter().filter(|title| is_shown(title));
    let head = [("file", Align::Left)].into_iter().chain(titles.map(|title| (title, Align::Right)));
    let mut table = Table::new(head);
    for ((input, tallies), &not_built) in inputs.iter().zip(&report.tallies).zip(&report.not_built_of) {
        let cells = TITLES.into_iter().zip(counts(tallies, not_built)).filter(|(title, _)| is_shown(title));
        table.row([plain(&input.name)].into_iter().chain(cells.map(|(_, count)| count.to_string())));
    }
    table
}

/// What is counted of a file, by column.
fn counts(tallies: &[Tally], not_built: u64) -> [u64; TITLES.len()] {
    let sum = |count: fn(&Tally) -> u64| -> u64 { tallies.iter().map(count).sum() };
    let (results, refused) = (sum(Tally::results), sum(|tally| tally.refused));
    let (functions, phis) = tallies.first().map_or((0, 0), |first| (first.functions, first.kept));
    [functions, results, phis, results - refused, sum(|tally| tally.differing), refused, not_built]
}

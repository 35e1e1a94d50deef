//! The command `rows`: the default engine on many random functions, with rows given up at one moment of [`ONE_IN`], other
//! ones for each function.

use crate::survey::Arguments;
use ssaphire_tests::fuzzing::{random_bytes, rows};
use std::time::Instant;

/// Builds all functions, and prints how many results were judged.
pub(crate) fn run(arguments: &Arguments) {
    let start = Instant::now();
    let rows::Tally { functions, built } = arguments.survey(count);
    println!("{functions} functions, {built} results, none refused, {:.1} seconds", start.elapsed().as_secs_f64());
}

/// The distance of the moments at which rows of one function are given up.
const ONE_IN: u64 = 8;

fn count(tally: &mut rows::Tally, number: u64) {
    *tally += rows::tally(&random_bytes(number), number % ONE_IN, ONE_IN as usize);
}

#[cfg(test)]
mod tests {
    use super::count;
    use crate::survey::survey;

    #[test]
    fn threads_change_no_total() {
        assert_eq!(survey(3, 4, 1, count), survey(3, 4, 2, count));
    }
}

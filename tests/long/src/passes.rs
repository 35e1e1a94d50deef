//! The command `passes`: each pass, and sequences of passes, on many random functions of all shapes.
//!
//! After each step the function keeps the rules of SSA form and does what it did.

use crate::survey::Arguments;
use ssaphire_tests::fuzzing::passes::Tally;
use std::time::Instant;

/// Takes all functions, and prints a line for each pass.
pub(crate) fn run(arguments: &Arguments) {
    let start = Instant::now();
    let tally: Tally = arguments.survey(Tally::add);
    println!("{tally}, {:.1} seconds", start.elapsed().as_secs_f64());
}

#[cfg(test)]
mod tests {
    use crate::survey::survey;
    use ssaphire_tests::fuzzing::passes::Tally;

    #[test]
    fn parts_and_threads_add_up() {
        let mut sum: Tally = survey(0, 20, 1, Tally::add);
        sum += survey(20, 10, 2, Tally::add);
        assert_eq!(sum, survey(0, 30, 3, Tally::add));
        assert_eq!(sum.functions, 30);
    }
}

//! Parts of a space of cases, which add up to the whole space.

use crate::rng::Rng;
use std::env;
use std::ops::Range;
use std::str::FromStr;

/// Under this variable, tests that take minutes take the part that it names: `K/N`, the K-th of N parts.
pub const PART: &str = "SSAPHIRE_PART";

/// Under this variable, random tests take the part of their seeds that it names; a third of them if it is not set.
pub const SEEDS: &str = "SSAPHIRE_SEEDS";

/// The seeds among `all` that a random test takes.
pub fn seeds(all: Range<u64>) -> impl Iterator<Item = u64> + Clone {
    Part::of_seeds().cases(all)
}

/// `count`, which is expected of all seeds, for those that are taken: the quotient, rounded down.
#[must_use]
pub fn share(count: usize) -> usize {
    count / Part::of_seeds().of
}

/// One of some parts of about the same size: of each `of` cases in a row, one that is drawn by lot.
///
/// Every `of`-th case would not do: tests take shapes in turn, and every sixth case may be of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of the part, from 0.
    pub number: usize,
    /// The number of parts.
    pub of: usize,
}

impl Part {
    /// All cases.
    pub const WHOLE: Self = Self { number: 0, of: 1 };

    /// The part that the environment variable [`PART`] names, or all cases where it is not set.
    ///
    /// # Panics
    /// If the variable is set to another text than `K/N`.
    #[track_caller]
    #[must_use]
    pub fn of_environment() -> Self {
        Self::of_variable(PART).unwrap_or(Self::WHOLE)
    }

    /// The part of seeds that the environment variable [`SEEDS`] names, or the first of three where it is not set.
    ///
    /// # Panics
    /// If the variable is set to another text than `K/N`.
    #[track_caller]
    #[must_use]
    pub fn of_seeds() -> Self {
        Self::of_variable(SEEDS).unwrap_or(Self { number: 0, of: 3 })
    }

    #[track_caller]
    fn of_variable(name: &str) -> Option<Self> {
        let text = env::var_os(name)?;
        let text = text.to_string_lossy();
        Some(text.parse().unwrap_or_else(|problem| panic!("{name}={text}: {problem}")))
    }

    /// Whether these are all cases, so that exact totals can be expected.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.of == 1
    }

    /// The cases among `all` that belong to this part, in order.
    pub fn cases(self, all: Range<u64>) -> impl Iterator<Item = u64> + Clone {
        let drawn = move |row: u64| row + ((self.number + Rng::new(row).below(self.of)) % self.of) as u64;
        all.clone().step_by(self.of).map(drawn).filter(move |case| all.contains(case))
    }

    /// The least that this part finds where all cases find `count`: four standard deviations below the quotient, for a part is drawn
    /// by lot.
    #[must_use]
    pub fn at_least(self, count: u64) -> u64 {
        let quotient = self.share(count);
        if self.is_whole() { count } else { quotient.saturating_sub(4 * quotient.isqrt()) }
    }

    /// The places of this part among `count` cases, where parts are runs of cases in a row.
    #[must_use]
    pub fn run(self, count: usize) -> Range<usize> {
        count * self.number / self.of..count * (self.number + 1) / self.of
    }

    /// `count`, which is expected of all cases, for this part: the quotient, rounded down.
    #[must_use]
    pub fn share(self, count: u64) -> u64 {
        count / self.of as u64
    }
}

impl FromStr for Part {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let message = "not of the form K/N with K from 1 to N";
        let (number, of) = text.split_once('/').ok_or(message)?;
        let number: usize = number.parse().map_err(|_| message)?;
        let of: usize = of.parse().map_err(|_| message)?;
        if (1..=of).contains(&number) { Ok(Self { number: number - 1, of }) } else { Err(message) }
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn a_part_finds_less_than_its_share_at_times() {
        assert_eq!(Part::WHOLE.at_least(200), 200);
        let part = Part { number: 3, of: 24 };
        assert_eq!([200, 2_400, 1_000_000].map(|count| part.at_least(count)), [0, 60, 40_850]);
    }

    #[test]
    fn runs_are_all_places_in_order() {
        for count in [0, 3, 10] {
            let places = (0..4).flat_map(|number| Part { number, of: 4 }.run(count));
            assert!(places.eq(0..count), "{count}");
        }
    }

    #[test]
    fn a_part_is_one_of_some() {
        assert_eq!("3/8".parse(), Ok(Part { number: 2, of: 8 }));
        for wrong in ["", "3", "0/8", "9/8", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_add_up() {
        let mut cases: Vec<u64> = (0..4).flat_map(|number| Part { number, of: 4 }.cases(10..20)).collect();
        cases.sort_unstable();
        assert_eq!(cases, Vec::from_iter(10..20));
        assert!(Part::WHOLE.cases(10..20).eq(10..20));
    }

    #[test]
    fn a_part_has_cases_of_what_is_taken_in_turn() {
        for number in 0..6 {
            let mut counts = [0; 3];
            Part { number, of: 6 }.cases(0..6_000).for_each(|case| counts[(case % 3) as usize] += 1);
            assert!(counts.iter().all(|count| (250..400).contains(count)), "{counts:?}");
        }
    }
}

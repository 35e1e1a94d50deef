//! Many random functions of all shapes, on which each step is taken by itself, and then some of them one after the other.

use super::{Step, alike, check_steps, settle, to_form};
use crate::choices::Choices;
use crate::functions::{self, Shape};
use crate::rng::Rng;
use ssaphire_ir::{Basic, Function};
use std::fmt;
use std::ops::AddAssign;

/// How many steps are taken one after the other.
const SEQUENCE: usize = 8;

/// How much was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Functions.
    pub functions: usize,
    /// By step: how often it was taken, how often it changed something, and how much in all.
    pub steps: [[usize; 3]; Step::COUNT],
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.functions += other.functions;
        let (ours, theirs) = (self.steps.iter_mut().flatten(), other.steps.iter().flatten());
        ours.zip(theirs).for_each(|(sum, number)| *sum += number);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<36} {:>10} {:>10} {:>12}", "step", "taken", "changed", "changes")?;
        for (index, [taken, changed, changes]) in self.steps.iter().enumerate() {
            let name = Step::number(index, 0).to_string();
            writeln!(f, "{name:<36} {taken:>10} {changed:>10} {changes:>12}")?;
        }
        write!(f, "{} functions", self.functions)
    }
}

impl Tally {
    /// Takes all steps on function number `number`, one by one, and some of them one after the other.
    ///
    /// # Panics
    /// If a function does not stay valid, or does not do what it did.
    pub fn add(&mut self, number: u64) {
        let mut rng = Rng::new(number);
        let function = sample(number, &mut rng);
        for index in 0..Step::COUNT {
            self.note(index, check_steps(&function, &[Step::number(index, rng.next_u64())])[0]);
        }
        let sequence = [(); SEQUENCE].map(|()| rng.below(Step::COUNT));
        let steps = sequence.map(|index| Step::number(index, rng.next_u64()));
        for (index, done) in sequence.into_iter().zip(check_steps(&function, &steps)) {
            self.note(index, done);
        }
        self.functions += 1;
    }

    fn note(&mut self, index: usize, done: usize) {
        let [taken, changed, changes] = &mut self.steps[index];
        *taken += 1;
        *changed += usize::from(done > 0);
        *changes += done;
    }
}

/// A function of each shape in turn, every third one of loops that run alike.
fn sample(number: u64, rng: &mut Rng) -> Function<Basic> {
    let (seed, bytes) = (rng.next_u64(), rng.next_u64().to_le_bytes());
    if number.is_multiple_of(3) {
        return to_form(&alike::function(seed), rng.chance(50));
    }
    let shape = Shape::ALL[(number / 3) as usize % Shape::ALL.len()];
    let mut function = functions::generate(shape, 1 + rng.below(20), seed);
    settle(&mut function, &mut Choices::new(&bytes), rng);
    to_form(&function, rng.chance(50))
}

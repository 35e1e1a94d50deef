//! What may be done to a function in SSA form: a pass, or a live range that is split or cut short somewhere.

use crate::rng::Rng;
use ssaphire_ir::passes::{Pass, PassOptions, PhiTags, rematerialize, split_live_range};
use ssaphire_ir::{Basic, Block, Function, Value};
use std::fmt;

/// Something that changes a function, and nothing that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A pass; value numbering with these tags.
    Pass(Pass, PhiTags),
    /// A few live ranges are split; which and where follows from the seed.
    Split(u64),
    /// A few values are computed again; which and where follows from the seed.
    Rematerialize(u64),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass(pass @ Pass::ValueNumbering, tags) => {
                let tags = match tags {
                    PhiTags::Condition => "condition",
                    PhiTags::Loop => "loop",
                    _ => "block",
                };
                write!(f, "{pass}, tags by {tags}")
            }
            Self::Pass(pass, _) => pass.fmt(f),
            Self::Split(_) => f.write_str("split live ranges"),
            Self::Rematerialize(_) => f.write_str("computed again"),
        }
    }
}

impl Step {
    /// Number of different steps, whatever their seeds.
    pub const COUNT: usize = Pass::ALL.len() + 4;

    /// Step number `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn number(index: usize, seed: u64) -> Self {
        let tags = [PhiTags::Condition, PhiTags::Loop];
        match (Pass::ALL.get(index), index - Pass::ALL.len().min(index)) {
            (Some(&pass), _) => Self::Pass(pass, PhiTags::Block),
            (None, place @ (0 | 1)) => Self::Pass(Pass::ValueNumbering, tags[place]),
            (None, 2) => Self::Split(seed),
            (None, 3) => Self::Rematerialize(seed),
            (None, _) => panic!("there are {} steps", Self::COUNT),
        }
    }

    /// Takes the step: how much it has changed.
    pub fn run(self, function: &mut Function<Basic>) -> usize {
        match self {
            Self::Pass(pass, phi_tags) => {
                let mut options = PassOptions::default();
                // Otherwise a run that does not end may end.
                options.dead_code.keep_loops = true;
                // Any two edges that arrive at two phis by an empty block share their operands.
                options.thresholds.multiplied = 1;
                // The values of copies are repaired together in half of the functions, and one by one in the others.
                if function.num_values().is_multiple_of(2) {
                    options.threading.thresholds.repair_steps = 0;
                }
                // Rounds that insert phis are taken back in a quarter of them, whichever way these are found.
                if function.num_values() % 8 < 2 {
                    options.threading.max_operands = 0;
                }
                options.phi_tags = phi_tags;
                pass.run(function, options).expect("the graph keeps its contract")
            }
            Self::Split(seed) => at_points(function, seed, |function, value, points| {
                split_live_range(function, value, points).map_or(0, |split| split.copies.len() + split.phis)
            }),
            Self::Rematerialize(seed) => at_points(function, seed, |function, value, points| {
                let (block, inst) = points[0];
                usize::from(rematerialize(function, value, block, inst).is_ok())
            }),
        }
    }
}

/// Does something about a few values, at some points each.
fn at_points(
    function: &mut Function<Basic>,
    seed: u64,
    work: impl Fn(&mut Function<Basic>, Value, &[(Block, usize)]) -> usize,
) -> usize {
    let mut rng = Rng::new(seed);
    let mut done = 0;
    for _ in 0..8 {
        let value = Value::new(rng.below(function.num_values().max(1)));
        let mut points: Vec<(Block, usize)> = (0..1 + rng.below(4))
            .map(|_| {
                let block = Block::new(rng.below(function.num_blocks()));
                (block, rng.below(function.block(block).insts().len()))
            })
            .collect();
        points.sort_unstable();
        points.dedup();
        done += work(function, value, &points);
    }
    done
}

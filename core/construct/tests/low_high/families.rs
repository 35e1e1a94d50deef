//! Phi graphs by shape.

use crate::graph::Graph;

/// Pseudo-random numbers that follow from a seed (SplitMix64).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    /// A number in `0..limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ mixed >> 31) * limit as u128) >> 64) as usize
    }
}

/// How operands are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Any values.
    Uniform,
    /// Values and earlier phis.
    Acyclic,
    /// The phi before, and any values: long depth-first paths, long jumps.
    FarSpine,
    /// The phi before, and phis nearby.
    NearSpine,
    /// A path with arcs both ways between two values.
    Ladder,
    /// Four neighbors each, in a square with values around it.
    Grid,
    /// Loop headers in a nest, joins in the bodies, jumps into loops.
    Nest,
}

impl Family {
    /// All of them.
    pub(crate) const ALL: [Self; 7] =
        [Self::Uniform, Self::Acyclic, Self::FarSpine, Self::NearSpine, Self::Ladder, Self::Grid, Self::Nest];

    /// A graph with so many values and about so many phis. Some of them may be redundant.
    pub(crate) fn graph(self, num_values: usize, num_phis: usize, rng: &mut Rng) -> Graph {
        let len = num_values + num_phis;
        let phi = |index: usize| num_values + index;
        let phis = match self {
            Self::Nest => return nest(num_values, num_phis, rng),
            Self::Grid => return grid(num_phis),
            Self::Ladder => (0..num_phis)
                .map(|index| {
                    let (first, last) = (index == 0, index + 1 == num_phis);
                    vec![if first { 0 } else { phi(index - 1) }, if last { 1 } else { phi(index + 1) }]
                })
                .collect(),
            Self::Uniform => (0..num_phis).map(|_| (0..2 + rng.below(2)).map(|_| rng.below(len)).collect()).collect(),
            Self::Acyclic => {
                let operands = |index, rng: &mut Rng| (0..2 + rng.below(2)).map(|_| rng.below(phi(index))).collect();
                (0..num_phis).map(|index| operands(index, rng)).collect()
            }
            Self::FarSpine | Self::NearSpine => (0..num_phis)
                .map(|index| {
                    let far = |rng: &mut Rng| match self {
                        Self::FarSpine => rng.below(len),
                        _ => (phi(index) + rng.below(81)).saturating_sub(40).min(len - 1),
                    };
                    let mut operands = vec![phi(index) - 1, far(rng), far(rng)];
                    if index + 1 == num_phis || index == num_phis / 2 {
                        operands.push(0);
                    }
                    operands
                })
                .collect(),
        };
        Graph { num_values, phis }
    }
}

fn grid(num_phis: usize) -> Graph {
    let side = (1..).find(|side| (side + 1) * (side + 1) > num_phis).unwrap_or(1);
    // Row and column 0 and `side + 1` are outside.
    let at = |row: usize, column: usize| match (1..=side).contains(&row) && (1..=side).contains(&column) {
        true => 2 + (row - 1) * side + column - 1,
        false => (row + column) % 2,
    };
    let neighbors =
        |row, column| vec![at(row + 1, column), at(row - 1, column), at(row, column + 1), at(row, column - 1)];
    let phis = (1..=side).flat_map(|row| (1..=side).map(move |column| neighbors(row, column))).collect();
    Graph { num_values: 2, phis }
}

fn nest(num_values: usize, num_phis: usize, rng: &mut Rng) -> Graph {
    let mut phis: Vec<Vec<usize>> = Vec::new();
    let mut open = Vec::new();
    let mut current = 0;
    for phi in num_values..num_values + num_phis {
        match rng.below(20) {
            0..8 => {
                phis.push(vec![current]);
                open.push(phi);
            }
            8..14 if !open.is_empty() => {
                let back = if rng.below(2) == 0 { current } else { rng.below(num_values) };
                let header = open.pop().unwrap_or(phi);
                phis[header - num_values].push(back);
                phis.push(vec![current, rng.below(num_values)]);
            }
            8..17 => phis.push(vec![current, rng.below(num_values)]),
            _ => {
                phis.push(vec![rng.below(num_values), num_values + rng.below(num_phis)]);
                continue;
            }
        }
        current = phi;
    }
    for header in open {
        phis[header - num_values].push(current);
    }
    Graph { num_values, phis }
}

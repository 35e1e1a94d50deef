//! What a fuzzer runs: each target is one function of bytes, and panics where something is wrong.
//!
//! `cargo test` gives each of them bytes that follow from seeds; `fuzz/` gives
//! them those that a fuzzer finds worth trying. Few bytes make small inputs.

pub mod applications;
pub mod calls;
pub mod congruence;
pub mod construction;
pub mod cps;
pub mod folding;
pub mod judged;
pub mod leaving;
pub mod memory;
pub mod minimizer;
pub mod passes;
pub mod renaming;
pub mod repair;
pub mod rows;
pub mod structured;
pub mod whole;

use crate::rng::Rng;

/// A target: bytes in, and a panic where something is wrong.
pub type Target = fn(&[u8]);

/// The targets that take the core and the reference IR, by the names they have in `fuzz/`.
pub const TARGETS: [(&str, Target); 16] = [
    ("applications", applications::check),
    ("calls", calls::check),
    ("congruence", congruence::check),
    ("construction", construction::check),
    ("cps", cps::check),
    ("folding", folding::check),
    ("judged", judged::check),
    ("leaving", leaving::check),
    ("memory", memory::check),
    ("minimizer", minimizer::check),
    ("passes", passes::check),
    ("renaming", renaming::check),
    ("repair", repair::check),
    ("rows", rows::check),
    ("structured", structured::check),
    ("whole", whole::check),
];

/// Up to 300 bytes that follow from the seed.
pub fn random_bytes(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    (0..rng.below(300)).map(|_| rng.next_u64() as u8).collect()
}

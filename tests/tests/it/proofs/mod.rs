//! Proofs that a result is minimal and pruned: every result has them, and the judge accepts no others.

mod engines;
mod foreign;
mod vectors;

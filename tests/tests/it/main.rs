//! What spans crates.

mod construction;
mod corpus;
mod cytron;
mod folding;
mod fuzzing;
mod judging;
mod proofs;
mod quoted_words;
mod repair_costs;
mod thesis;

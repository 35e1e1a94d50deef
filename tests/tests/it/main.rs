//! What spans crates.

mod construction;
mod corpus;
mod cytron;
mod engines;
mod from_text_to_text;
mod fuzzing;
mod judging;
mod proofs;
mod size;
mod thesis;

//! What spans crates.

mod construction;
mod continuations;
mod corpus;
mod cytron;
mod folding;
mod fuzzing;
mod growth;
mod ir;
mod judge;
mod judging;
mod leaving;
mod proofs;
mod quoted_words;
mod repair_costs;
mod scheme;
mod structured;
mod thesis;
mod while_programs;

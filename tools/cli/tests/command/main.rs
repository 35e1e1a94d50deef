//! The real binary: what it writes, where, and how it ends.

mod build;
mod certificate;
mod check;
mod destination;
mod emit;
mod folders;
mod help;
mod opt;
mod opt_round_trip;
mod output;
mod over_memory;
mod pages;
mod read_back;
mod run;
#[cfg(feature = "jit")]
mod run_jit;
mod stats;
mod stats_tables;
mod support;
mod text_places;
mod wrong_input;

//! The real binary: what it writes, where, and how it ends.

mod build;
mod certificate;
mod check;
mod continuations;
mod destination;
mod emit;
mod fold;
mod folders;
mod help;
mod javascript;
mod opt;
mod opt_leave;
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

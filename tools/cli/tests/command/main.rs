//! The real binary: what it writes, where, and how it ends.

mod build;
mod certificate;
mod check;
mod continuations;
mod destination;
mod emit;
#[cfg(not(all(feature = "jit", feature = "js", feature = "llvm")))]
mod features;
mod fold;
mod folders;
mod help;
#[cfg(feature = "js")]
mod javascript;
#[cfg(feature = "llvm")]
mod llvm;
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

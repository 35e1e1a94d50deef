//! The real binary: what it writes, where, and how it ends.

mod build;
mod certificate;
mod check;
mod emit;
mod output;
mod over_memory;
mod pages;
mod read_back;
mod run;
mod stats;
mod stats_tables;
mod support;
mod wrong_input;

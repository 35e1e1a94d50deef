//! The surface that users see, through the facade.

mod debug;
mod driver;
mod errors;
mod folded_reads;
mod judging;
mod names;
mod registers;
mod threads;

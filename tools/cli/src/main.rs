//! The `ssaphire` command.
//!
//! Arguments, files and screens: no algorithm. [`source`] hides the languages
//! behind one trait, [`judge`] asks the judge about one function, and
//! [`commands`] has a file per command.

mod arguments;
mod built;
mod commands;
mod compiler;
mod console;
mod construction;
mod destination;
mod diagnostic;
mod folder;
mod input;
mod judge;
mod language;
mod pipeline;
mod progress;
mod selection;
mod source;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run()
}

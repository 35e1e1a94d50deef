//! The `ssaphire` command.

fn main() {}

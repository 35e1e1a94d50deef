//! What takes minutes: `cargo test --profile thorough --package ssaphire-long-tests`.

mod continuations;
mod engines;
mod exhaustive;
mod from_text_to_text;
mod fuzzing;
mod large;
mod leaving;
mod properties;
mod structured;
mod whole;

//! The reference IR, on random functions and on the corpus.
//!
//! What takes neither is tested in its own package.

mod agreement;
mod analysis;
mod corpus;
mod dead_code_random;
mod depth;
mod fold;
#[path = "../../../../ir/tests/it/support/json_form.rs"]
mod json_form;
mod live_ranges;
mod memory;
#[path = "../../../../ir/tests/it/support/memory_run.rs"]
mod memory_run;
mod random;
#[path = "../../../../ir/tests/it/support/spelled.rs"]
mod spelled;
mod support;
mod text_rules;
mod translation;

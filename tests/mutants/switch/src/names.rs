//! All mutants: none but in the copy.

/// Their names, by number.
pub const NAMES: &[&str] = &[];

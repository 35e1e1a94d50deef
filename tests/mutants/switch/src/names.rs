//! All mutants: none but in the copy.

/// Their names, by number.
pub const NAMES: &[&str] = &[];

/// The file that each changes first, relative to the workspace.
pub const FILES: &[&str] = &[];

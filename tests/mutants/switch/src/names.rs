//! All mutants: none but in the copy.

/// Their names, by number.
pub const NAMES: &[&str] = &[];

/// The file that each changes first, relative to the workspace.
pub const FILES: &[&str] = &[];

/// Whether the tests of the package of that file look for it.
pub const ARE_APART: &[bool] = &[];

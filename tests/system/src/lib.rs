//! What a fuzzer runs of front ends and readers: targets as those of [`ssaphire_tests::fuzzing`].
//!
//! The tests themselves are in `tests/`, one file or folder per subject.

pub mod llvm;
pub mod modules;
pub mod texts;

use ssaphire_tests::fuzzing::Target;

/// The targets, by the names they have in `fuzz/`.
pub const TARGETS: [(&str, Target); 3] = [("llvm", llvm::check), ("modules", modules::check), ("texts", texts::check)];

/// The guide for users of `cranelift-frontend`, so that its examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/move-from-cranelift.md")]
struct MoveFromCranelift;

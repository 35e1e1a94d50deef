//! What the tests that span crates share.
//!
//! The tests themselves are in `tests/`, one file or folder per subject.

use std::env;
use std::io::{self, Write};

/// Under this variable a test that would be skipped fails.
pub const NO_SKIP: &str = "SSAPHIRE_NO_SKIP";

/// Says that the calling test is skipped for want of `reason`; the caller returns.
///
/// For external data and tools that a machine may lack, and for nothing else.
/// The line `skipped: ...` is shown for tests that pass, too.
///
/// # Panics
/// If the environment variable [`NO_SKIP`] is set and neither empty nor `0`.
#[track_caller]
pub fn skipped(reason: &str) {
    let may_skip = env::var_os(NO_SKIP).is_none_or(|value| value.is_empty() || value == "0");
    match verdict(reason, may_skip) {
        // Not `println!`, which the test runner keeps back when a test passes.
        Ok(line) => writeln!(io::stderr(), "{line}").expect("standard error can be written"),
        Err(complaint) => panic!("{complaint}"),
    }
}

fn verdict(reason: &str, may_skip: bool) -> Result<String, String> {
    let line = format!("skipped: {reason}");
    if may_skip { Ok(line) } else { Err(format!("{line}, and {NO_SKIP} is set")) }
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn a_skip_is_a_line_or_a_failure() {
        assert_eq!(verdict("no engine", true).unwrap(), "skipped: no engine");
        assert_eq!(verdict("no engine", false).unwrap_err(), "skipped: no engine, and SSAPHIRE_NO_SKIP is set");
    }
}

//! Versions of Cranelift.

use std::fmt;
use std::str::FromStr;

/// The oldest line that our builder compiles on.
pub(super) const OLDEST: u32 = 132;

/// A version `0.MINOR.PATCH` of Cranelift's crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(super) minor: u32,
    pub(super) patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0.{}.{}", self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.strip_prefix("0.").and_then(|rest| rest.split_once('.'));
        let parsed = numbers.and_then(|(minor, patch)| Some((minor.parse().ok()?, patch.parse().ok()?)));
        let Some((minor, patch)) = parsed else {
            return Err("not a version of Cranelift: give all three numbers, as in 0.136.0".to_owned());
        };
        if minor < OLDEST {
            return Err(format!("too old: 0.{OLDEST} is the oldest line supported"));
        }
        Ok(Self { minor, patch })
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn a_version_has_three_numbers() {
        let version: Version = "0.136.0".parse().unwrap();
        assert_eq!((version, version.to_string().as_str()), (Version { minor: 136, patch: 0 }, "0.136.0"));
        for text in ["", "0.136", "1.136.0", "0.136.x", "=0.136.0", "0.136.0.1"] {
            assert!(text.parse::<Version>().unwrap_err().starts_with("not a version of Cranelift"), "{text}");
        }
        assert_eq!("0.131.9".parse::<Version>().unwrap_err(), "too old: 0.132 is the oldest line supported");
    }
}

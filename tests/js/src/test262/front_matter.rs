//! What a test says of itself: the part of YAML that the suite uses.

use crate::node::Phase;

/// The error that a test has to end with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negative {
    /// When.
    pub phase: Phase,
    /// The name of its constructor.
    pub name: String,
}

/// What a test says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// How it is to be run.
    pub flags: Vec<String>,
    /// Files of the harness that it needs.
    pub includes: Vec<String>,
    /// Features that it is about.
    pub features: Vec<String>,
    /// The error that it has to end with.
    pub negative: Option<Negative>,
}

impl FrontMatter {
    /// What `source` says of itself, or `None` if it says nothing.
    pub fn of(source: &str) -> Option<Self> {
        let (_, rest) = source.split_once("/*---")?;
        let (text, _) = rest.split_once("---*/")?;
        let mut matter = Self::default();
        let (mut phase, mut name) = (None, None);
        let mut key = "";
        for line in text.split(['\n', '\r']) {
            let is_nested = line.starts_with([' ', '\t']);
            let line = line.trim();
            if !is_nested && let Some((word, value)) = line.split_once(':') {
                key = word;
                matter.add(key, list(value));
            } else if let Some(item) = line.strip_prefix("- ") {
                matter.add(key, vec![item.trim().to_owned()]);
            } else if key == "negative"
                && let Some((word, value)) = line.split_once(':')
            {
                match word {
                    "phase" => phase = Phase::named(value.trim()),
                    "type" => name = Some(value.trim().to_owned()),
                    _ => {}
                }
            }
        }
        matter.negative = phase.zip(name).map(|(phase, name)| Negative { phase, name });
        Some(matter)
    }

    /// Whether it has this flag.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|other| other == flag)
    }

    fn add(&mut self, key: &str, items: Vec<String>) {
        match key {
            "flags" => self.flags.extend(items),
            "includes" => self.includes.extend(items),
            "features" => self.features.extend(items),
            _ => {}
        }
    }
}

/// The items of a list in brackets; none if there are no brackets.
fn list(value: &str) -> Vec<String> {
    let inner = value.trim().strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or("");
    inner.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{FrontMatter, Negative};
    use crate::node::Phase;

    #[test]
    fn lists_in_one_line_and_in_many_are_read() {
        let source = "// copyright\n/*---\nes6id: 1: 2\ninfo: |\n  flags: [no]\n  - neither\nflags: [async, onlyStrict]\n\
                      includes:\n  - a.js\n  - b.js\nfeatures: [x,\u{20}y]\n---*/\ncode: [z]";
        let matter = FrontMatter::of(source).unwrap();
        assert_eq!(matter.flags, ["async", "onlyStrict"]);
        assert_eq!(matter.includes, ["a.js", "b.js"]);
        assert_eq!(matter.features, ["x", "y"]);
        assert_eq!(matter.negative, None);
    }

    #[test]
    fn the_error_expected_is_read_whatever_the_line_ends() {
        for end in ["\n", "\r", "\r\n"] {
            let source = ["/*---", "negative:", "  phase: parse", "  type: SyntaxError", "---*/"].join(end);
            let negative = Negative { phase: Phase::Parse, name: "SyntaxError".to_owned() };
            assert_eq!(FrontMatter::of(&source).unwrap().negative, Some(negative));
        }
        assert_eq!(FrontMatter::of("var x;"), None);
    }
}

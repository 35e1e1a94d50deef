//! The ways to run one test.

use super::FrontMatter;
use ssaphire_js::source::SourceKind;
use std::borrow::Cow;

/// A way to run a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// As a script, as it is.
    Sloppy,
    /// As a script that begins with `"use strict"`.
    Strict,
    /// As a module.
    Module,
    /// As a script, as it is and without the harness.
    Raw,
}

impl Mode {
    /// The ways in which a test is to be run.
    pub fn of(matter: &FrontMatter) -> &'static [Self] {
        if matter.has("raw") {
            return if matter.has("module") { &[Self::Module] } else { &[Self::Raw] };
        }
        if matter.has("module") {
            &[Self::Module]
        } else if matter.has("onlyStrict") {
            &[Self::Strict]
        } else if matter.has("noStrict") {
            &[Self::Sloppy]
        } else {
            &[Self::Sloppy, Self::Strict]
        }
    }

    /// The word that stands for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sloppy => "sloppy",
            Self::Strict => "strict",
            Self::Module => "module",
            Self::Raw => "raw",
        }
    }

    /// The mode called `name`.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Sloppy, Self::Strict, Self::Module, Self::Raw].into_iter().find(|mode| mode.name() == name)
    }

    /// The program that a test is in this mode.
    pub fn text(self, source: &str) -> Cow<'_, str> {
        match self {
            Self::Strict => Cow::Owned(format!("\"use strict\";\n{source}")),
            Self::Sloppy | Self::Module | Self::Raw => Cow::Borrowed(source),
        }
    }

    /// What the program is written in.
    pub fn kind(self) -> SourceKind {
        match self {
            Self::Module => SourceKind::MODULE,
            Self::Sloppy | Self::Strict | Self::Raw => SourceKind::SCRIPT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mode;
    use crate::test262::FrontMatter;

    #[test]
    fn flags_choose_the_modes() {
        let modes = |flags: &str| Mode::of(&FrontMatter::of(&format!("/*---\nflags: [{flags}]\n---*/")).unwrap());
        assert_eq!(modes(""), [Mode::Sloppy, Mode::Strict]);
        assert_eq!(modes("async, onlyStrict"), [Mode::Strict]);
        assert_eq!(modes("noStrict"), [Mode::Sloppy]);
        assert_eq!(modes("module, async"), [Mode::Module]);
        assert_eq!(modes("raw"), [Mode::Raw]);
    }
}

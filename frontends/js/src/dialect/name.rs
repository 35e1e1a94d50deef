//! Strings of JavaScript.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A string of JavaScript: any sequence of 16-bit units.
///
/// It is stored as text in which the replacement character U+FFFD is followed by four hexadecimal digits: the code unit
/// that it represents, a lone surrogate or U+FFFD itself.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JsString(Arc<str>);

/// The character before the digits of a lone surrogate.
pub(crate) const ESCAPE: char = '\u{FFFD}';

impl JsString {
    /// The string with this text, in which U+FFFD represents itself.
    pub fn new(text: &str) -> Self {
        if text.is_ascii() || !text.contains(ESCAPE) {
            return Self(text.into());
        }
        Self(text.replace(ESCAPE, "\u{FFFD}fffd").into())
    }

    /// The string with this text, in which lone surrogates are written as U+FFFD and four digits, as in `oxc` and
    /// [`as_escaped`](Self::as_escaped).
    pub fn from_escaped(text: &str) -> Self {
        Self(text.into())
    }

    /// The string that an identifier is, in the same memory: no identifier contains U+FFFD.
    pub(crate) fn of_identifier(name: Name) -> Self {
        debug_assert!(!name.contains(ESCAPE), "an identifier has no escapes");
        Self(name.0)
    }

    /// The text, with lone surrogates written as U+FFFD and four digits.
    pub fn as_escaped(&self) -> &str {
        &self.0
    }

    /// The text, if it contains neither lone surrogates nor U+FFFD.
    pub fn as_str(&self) -> Option<&str> {
        (self.0.is_ascii() || !self.0.contains(ESCAPE)).then_some(&self.0)
    }

    /// Its code units.
    pub fn units(&self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.0.len());
        let mut chars = self.0.chars();
        while let Some(c) = chars.next() {
            let digits = chars.as_str().get(..4).filter(|_| c == ESCAPE);
            match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
                Some(unit) => {
                    units.push(unit);
                    chars.nth(3);
                }
                None => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
        units
    }

    /// The string of these code units.
    pub fn from_units(units: &[u16]) -> Self {
        let mut text = String::with_capacity(units.len());
        for decoded in char::decode_utf16(units.iter().copied()) {
            match decoded {
                Ok(ESCAPE) => text += "\u{FFFD}fffd",
                Ok(c) => text.push(c),
                Err(lone) => text += &format!("{ESCAPE}{:04x}", lone.unpaired_surrogate()),
            }
        }
        Self(text.into())
    }
}

/// By the text with escapes.
impl Borrow<str> for JsString {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for JsString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl From<&str> for JsString {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// A name: of a binding, of a property that is written as a name, of a private element with its `#`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// The name with this spelling.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// The same copy of the text.
impl From<&Name> for ssaphire_ir::Name {
    fn from(name: &Name) -> Self {
        name.0.clone().into()
    }
}

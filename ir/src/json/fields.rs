//! JSON, written as it goes.

use std::fmt::{self, Write};

/// The fields of a JSON object, being written.
///
/// A dialect writes the immediates of an operation and the content of a constant with it. Keys are to be
/// different from each other.
pub struct Fields<'a> {
    out: &'a mut dyn Write,
    is_first: bool,
}

impl Fields<'_> {
    /// An integer.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn integer(&mut self, key: &str, number: impl Into<i128>) -> fmt::Result {
        self.key(key)?;
        write!(self.out, "{}", number.into())
    }

    /// Integers, as an array.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn integers<N: Into<i128>>(&mut self, key: &str, numbers: impl IntoIterator<Item = N>) -> fmt::Result {
        self.list(key, numbers, |number, out| write!(out, "{}", number.into()))
    }

    /// A truth value.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn boolean(&mut self, key: &str, value: bool) -> fmt::Result {
        self.key(key)?;
        write!(self.out, "{value}")
    }

    /// A string.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn string(&mut self, key: &str, text: &str) -> fmt::Result {
        self.text(key, |out| out.write_str(text))
    }

    /// A string: what `write` writes.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn text(&mut self, key: &str, write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> fmt::Result {
        self.key(key)?;
        self.out.write_char('"')?;
        write(&mut Escaped(self.out))?;
        self.out.write_char('"')
    }

    /// Null, where something that could be there is not.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn null(&mut self, key: &str) -> fmt::Result {
        self.key(key)?;
        self.out.write_str("null")
    }

    /// An object.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn object(&mut self, key: &str, write: impl FnOnce(&mut Fields<'_>) -> fmt::Result) -> fmt::Result {
        self.key(key)?;
        object(self.out, write)
    }

    /// An index, or null.
    pub(super) fn index(&mut self, key: &str, index: Option<usize>) -> fmt::Result {
        match index {
            Some(index) => self.integer(key, index as u64),
            None => self.null(key),
        }
    }

    /// An array of objects.
    pub(super) fn objects<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(T, &mut Fields<'_>) -> fmt::Result,
    ) -> fmt::Result {
        self.list(key, items, |item, out| object(out, |fields| write(item, fields)))
    }

    fn list<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(T, &mut dyn Write) -> fmt::Result,
    ) -> fmt::Result {
        self.key(key)?;
        self.out.write_char('[')?;
        for (index, item) in items.into_iter().enumerate() {
            self.out.write_str(if index == 0 { "" } else { "," })?;
            write(item, self.out)?;
        }
        self.out.write_char(']')
    }

    fn key(&mut self, key: &str) -> fmt::Result {
        self.out.write_str(if self.is_first { "\"" } else { ",\"" })?;
        self.is_first = false;
        Escaped(self.out).write_str(key)?;
        self.out.write_str("\":")
    }
}

/// Writes an object with the fields that `write` writes.
pub(super) fn object(out: &mut dyn Write, write: impl FnOnce(&mut Fields<'_>) -> fmt::Result) -> fmt::Result {
    out.write_char('{')?;
    write(&mut Fields { out, is_first: true })?;
    out.write_char('}')
}

/// The inside of a JSON string.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        // What has to be escaped is ASCII, so a byte of it is a character.
        while let Some(place) = rest.bytes().position(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
            self.0.write_str(&rest[..place])?;
            match rest.as_bytes()[place] {
                byte @ (b'"' | b'\\') => write!(self.0, "\\{}", char::from(byte))?,
                byte => write!(self.0, "\\u{byte:04x}")?,
            }
            rest = &rest[place + 1..];
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    #[test]
    fn what_is_written_is_what_a_reader_reads() {
        let odd: String = (0..0x250).filter_map(char::from_u32).chain("\u{2028}𝄞".chars()).collect();
        let mut text = String::new();
        object(&mut text, |fields| {
            fields.integer(&odd, i64::MIN)?;
            fields.integer("most", u64::MAX)?;
            fields.integers("none", [0u8; 0])?;
            fields.integers("some", [1u32, 2])?;
            fields.boolean("is", true)?;
            fields.string("odd", &odd)?;
            fields.null("null")?;
            fields.object("empty", |_| Ok(()))?;
            fields.objects("list", ["a", "b"], |key, fields| fields.index(key, None))
        })
        .expect("a string takes everything");
        let expected = json!({
            &odd: i64::MIN, "most": u64::MAX, "none": [], "some": [1, 2], "is": true, "odd": odd, "null": null,
            "empty": {}, "list": [{ "a": null }, { "b": null }],
        });
        assert_eq!(serde_json::from_str::<Json>(&text).expect("it is JSON"), expected);
    }
}

//! Text under construction, with marks for line breaks and places.
//!
//! An expression may contain a whole function, and is built before its
//! indentation is known. So line breaks, changes of indentation and source
//! locations are marks in the text until the end. A mark begins with a
//! character that sources do not need; an occurrence in a source is marked
//! itself.

use std::borrow::Cow;

/// The first character of a mark.
const MARK: char = '\u{1}';
/// A line break, and the indentation of the place.
pub(super) const NEWLINE: &str = "\u{1}n";
/// One more level of indentation from the next line on.
pub(super) const INDENT: &str = "\u{1}+";
/// One level less.
pub(super) const DEDENT: &str = "\u{1}-";
/// The prefix of the names of helpers.
pub(super) const HELPER: &str = "\u{1}$";
/// The marked character itself.
const ITSELF: &str = "\u{1}=";

/// Deeper lines are indented no further.
const MAX_DEPTH: usize = 40;

/// A text of the source, as it may stand among marks.
pub(super) fn protect(text: &str) -> Cow<'_, str> {
    if text.contains(MARK) { Cow::Owned(text.replace(MARK, ITSELF)) } else { Cow::Borrowed(text) }
}

/// The mark of a place in the source.
pub(super) fn place(offset: u32) -> String {
    format!("{MARK}@{offset};")
}

/// The text without marks in front of it.
pub(super) fn without_marks(mut text: &str) -> &str {
    while let Some(rest) = text.strip_prefix(MARK) {
        text = match rest.as_bytes().first() {
            Some(b'@') => rest.split_once(';').map_or("", |(_, rest)| rest),
            Some(b'=' | b'$') | None => return text,
            Some(_) => &rest[1..],
        };
    }
    text
}

/// A place in the text that comes from a place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The byte of the text.
    pub written: u32,
    /// The byte of the source.
    pub source: u32,
}

/// The text without marks, and the source locations of its parts, in order. Names of helpers begin with `prefix`.
pub(super) fn render(text: &str, prefix: &str) -> (String, Vec<Mapping>) {
    let (mut out, mut mappings, mut depth) = (String::with_capacity(text.len()), Vec::new(), 0usize);
    let mut rest = text;
    while let Some((before, mark)) = rest.split_once(MARK) {
        out.push_str(before);
        let mut length = 1;
        match mark.as_bytes().first() {
            Some(b'n') => {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', 2 * depth.min(MAX_DEPTH)));
            }
            Some(b'+') => depth += 1,
            Some(b'-') => depth = depth.saturating_sub(1),
            Some(b'=') => out.push(MARK),
            Some(b'$') => out.push_str(prefix),
            Some(b'@') => {
                length = mark.find(';').map_or(mark.len(), |end| end + 1);
                if let Ok(source) = mark[1..length].trim_end_matches(';').parse() {
                    mappings.push(Mapping { written: out.len() as u32, source });
                }
            }
            _ => length = 0,
        }
        rest = &mark[length..];
    }
    out.push_str(rest);
    (out, mappings)
}

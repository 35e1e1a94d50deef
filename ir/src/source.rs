//! Source text with human-readable positions, lines and excerpts.
//!
//! Front ends that parse text use it to report the places of errors.

use std::fmt;

/// A part of a source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of its first byte.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
}

impl Span {
    /// The range from the beginning of `self` to the end of `end`.
    pub fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

/// A range of a source in human-readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the character in the line, from 1.
    pub column: usize,
    /// Its range in the source.
    pub span: Span,
    /// The line, without its terminator; of a long line, the part around the place.
    pub excerpt: String,
    /// Characters of `excerpt` before the place.
    pub indent: usize,
    /// Characters of `excerpt` in the place; at least 1.
    pub width: usize,
}

impl Place {
    /// The excerpt with its line number, and carets below the place.
    pub fn excerpt_lines(&self) -> String {
        struct Lines<'p>(&'p Place);
        impl fmt::Display for Lines<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt_excerpt(f)
            }
        }
        Lines(self).to_string()
    }

    /// Writes the excerpt with its line number, and carets below the place.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn fmt_excerpt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>5} | {}", self.line, self.excerpt)?;
        // Tabs stay tabs, so that the carets land below the place however wide they are.
        let indent = self.excerpt.chars().take(self.indent).map(|c| if c == '\t' { '\t' } else { ' ' });
        write!(f, "      | {}{}", indent.collect::<String>(), "^".repeat(self.width))
    }
}

/// A text with the offsets of its lines.
#[derive(Clone, Debug, Default)]
pub struct Source {
    text: String,
    line_starts: Vec<u32>,
    /// Number of characters before each [stride](Self::STRIDE) of bytes, because lines may be long and have many
    /// places.
    chars_before: Vec<u32>,
}

impl Source {
    /// What an editor may put in front of a text.
    pub const BYTE_ORDER_MARK: char = '\u{feff}';

    /// Characters of a long line that are shown on each side of a place.
    const WINDOW: usize = 60;

    /// Bytes of text that are counted again for a place.
    const STRIDE: usize = 256;

    /// A text of at most `u32::MAX` bytes.
    pub fn new(text: &str) -> Self {
        let first = text.len() - text.strip_prefix(Self::BYTE_ORDER_MARK).unwrap_or(text).len();
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(first).chain(newlines.map(|(at, _)| at + 1)).map(|at| at as u32).collect();
        let strides = text.as_bytes().chunks(Self::STRIDE).map(|bytes| count_chars(bytes) as u32);
        let ends = strides.scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        let chars_before = std::iter::once(0).chain(ends).collect();
        Self { text: text.to_owned(), line_starts, chars_before }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the range; empty if it is out of bounds.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Number of characters in that part of the text; 0 where there is none.
    fn num_chars(&self, span: Span) -> usize {
        if self.text.get(span.start as usize..span.end as usize).is_none() {
            return 0;
        }
        self.chars_up_to(span.end) - self.chars_up_to(span.start)
    }

    fn chars_up_to(&self, offset: u32) -> usize {
        let (offset, stride) = (offset as usize, offset as usize / Self::STRIDE);
        let counted = self.chars_before.get(stride).map_or(0, |&count| count as usize);
        counted + count_chars(&self.text.as_bytes()[stride * Self::STRIDE..offset])
    }

    /// Number of the line that `offset` is in, from 1.
    pub fn line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).max(1)
    }

    /// The human-readable form of the range.
    ///
    /// # Complexity
    /// O(log lines), however long the line is.
    pub fn place(&self, span: Span) -> Place {
        let line = self.line(span.start);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let end = self.line_starts.get(line).map_or(self.text.len() as u32, |next| next - 1);
        let text = self.slice(Span { start, end }).trim_end_matches('\r');
        let before = self.num_chars(Span { start, end: span.start });
        let inside = self.slice(Span { start: span.start, end: span.end.min(start + text.len() as u32) });
        let width = inside.chars().take(Self::WINDOW).count().max(1);
        // Where the line ends before the place, it lacks its last characters: of a line break.
        let at = text.len().min(span.start.saturating_sub(start) as usize);
        let missing = (span.start.saturating_sub(start) as usize) - at;
        let (excerpt, indent) = excerpt(text, at, before, missing);
        Place { line, column: before + 1, span, excerpt, indent, width }
    }
}

/// The part of `line` around the place at byte `at`, and how many characters of it are before the place.
///
/// `before` is the number of characters before the place, of which `missing` follow the end of the line.
fn excerpt(line: &str, at: usize, before: usize, missing: usize) -> (String, usize) {
    const DOTS: &str = "...";
    let skipped = before.saturating_sub(Source::WINDOW);
    let mut excerpt = if skipped > 0 { DOTS.to_owned() } else { String::new() };
    let indent = before - skipped + excerpt.len();
    let (above, below) = line.split_at_checked(at).unwrap_or(("", line));
    let shown = (before - skipped).saturating_sub(missing);
    let first = above.char_indices().rev().take(shown).last().map_or(above.len(), |(first, _)| first);
    excerpt.push_str(&above[first..]);
    let mut rest = below.chars();
    excerpt.extend(rest.by_ref().take(2 * Source::WINDOW - shown));
    if rest.next().is_some() {
        excerpt.push_str(DOTS);
    }
    (excerpt, indent)
}

/// Number of characters that begin in these bytes of a text.
fn count_chars(bytes: &[u8]) -> usize {
    // All bytes but the first one of a character begin with the bits 10.
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`Source::place`] says, by looking at the whole line.
    fn by_definition(text: &str, start: usize) -> (usize, usize, String) {
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let before = text[line_start..start].chars().count();
        let skipped = before.saturating_sub(Source::WINDOW);
        let shown: String = line.chars().skip(skipped).take(2 * Source::WINDOW).collect();
        let dots = |is_cut| if is_cut { "..." } else { "" };
        let is_longer = line.chars().count() > skipped + 2 * Source::WINDOW;
        let indent = before - skipped + dots(skipped > 0).len();
        (before + 1, indent, format!("{}{shown}{}", dots(skipped > 0), dots(is_longer)))
    }

    #[test]
    fn a_place_in_a_long_line_is_what_the_line_says() {
        for len in [0, 1, 59, 60, 61, 119, 120, 121, 255, 256, 257, 700] {
            for ends in ["", "\r", "\r\r"] {
                let line: String = (0..len).map(|at| ["a", "é", "\t", "€", "𝄞"][at * at % 5]).collect();
                let text = format!("x\n{line}{ends}\nend");
                let source = Source::new(&text);
                for start in (0..=text.len()).filter(|&start| text.is_char_boundary(start)) {
                    let place = source.place(Span { start: start as u32, end: start as u32 });
                    let found = (place.column, place.indent, place.excerpt);
                    assert_eq!(found, by_definition(&text, start), "{start} of {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_place_takes_a_stride_of_the_text() {
        let text = "é".repeat(100_000);
        let source = Source::new(&text);
        assert_eq!(source.chars_before.len(), text.len().div_ceil(Source::STRIDE) + 1);
        for start in (0..text.len() as u32).step_by(998) {
            assert_eq!(source.place(Span { start, end: start }).column, start as usize / 2 + 1);
        }
        // Between two characters only.
        assert_eq!(source.place(Span { start: 1, end: 2 }).column, 1);
    }
}

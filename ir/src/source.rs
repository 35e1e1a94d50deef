//! The text of a program as people see it: positions, lines, excerpts.
//!
//! Front ends that read text say with this where an error is.

use std::fmt;

/// A part of a source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of its first byte.
    pub start: u32,
    /// Offset behind its last byte.
    pub end: u32,
}

impl Span {
    /// From the beginning of this part to the end of that one.
    pub fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

/// A part of a source as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the character in the line, from 1.
    pub column: usize,
    /// Where in the source it is.
    pub span: Span,
    /// The line, without its end; of a long line the part around the place.
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

/// A text and where its lines begin.
#[derive(Clone, Debug, Default)]
pub struct Source {
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// What an editor may put in front of a text.
    pub const BYTE_ORDER_MARK: char = '\u{feff}';

    /// Characters of a long line that are shown on each side of a place.
    const WINDOW: usize = 60;

    /// A text of at most `u32::MAX` bytes.
    pub fn new(text: &str) -> Self {
        let first = text.len() - text.strip_prefix(Self::BYTE_ORDER_MARK).unwrap_or(text).len();
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(first).chain(newlines.map(|(at, _)| at + 1)).map(|at| at as u32).collect();
        Self { text: text.to_owned(), line_starts }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// That part of the text; nothing where there is none.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Number of the line that `offset` is in, from 1.
    pub fn line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).max(1)
    }

    /// That part of the text as people see it.
    pub fn place(&self, span: Span) -> Place {
        let line = self.line(span.start);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let end = self.line_starts.get(line).map_or(self.text.len() as u32, |next| next - 1);
        let text = self.slice(Span { start, end }).trim_end_matches('\r');
        let before = self.slice(Span { start, end: span.start }).chars().count();
        let inside = self.slice(Span { start: span.start, end: span.end.min(start + text.len() as u32) });
        let width = inside.chars().take(Self::WINDOW).count().max(1);
        let (excerpt, indent) = excerpt(text, before);
        Place { line, column: before + 1, span, excerpt, indent, width }
    }
}

/// The part of `line` around its character number `place`, and how many characters of it are before the place.
fn excerpt(line: &str, place: usize) -> (String, usize) {
    const DOTS: &str = "...";
    let skipped = place.saturating_sub(Source::WINDOW);
    let mut excerpt = if skipped > 0 { DOTS.to_owned() } else { String::new() };
    let indent = place - skipped + excerpt.len();
    let mut rest = line.chars().skip(skipped);
    excerpt.extend(rest.by_ref().take(2 * Source::WINDOW));
    if rest.next().is_some() {
        excerpt.push_str(DOTS);
    }
    (excerpt, indent)
}

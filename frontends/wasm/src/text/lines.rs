//! The lines of a text.

use std::fmt;

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the byte in the line, from 1.
    pub column: usize,
    /// The line, without its terminator.
    pub source: String,
}

/// The line, with a caret below the place.
impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, source } = self;
        writeln!(f, "{line:>5} | {source}")?;
        let before = source.get(..column - 1).unwrap_or(source);
        // Tabs stay tabs, so that the caret is below its column at any tab width.
        let indent = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' });
        write!(f, "      | {}^", indent.collect::<String>())
    }
}

/// A text with the offsets of its lines.
pub(crate) struct Lines {
    text: Box<str>,
    begins: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let begins = [0].into_iter().chain(ends.map(|(offset, _)| offset + 1)).collect();
        Self { text: text.into(), begins }
    }

    /// The place at that offset.
    pub(crate) fn place(&self, offset: usize) -> TextPlace {
        let line = self.begins.partition_point(|&begin| begin <= offset);
        let begin = self.begins[line - 1];
        let source = self.text.get(begin..).and_then(|rest| rest.lines().next()).unwrap_or("").to_owned();
        TextPlace { line, column: offset - begin + 1, source }
    }
}

//! Finding a piece of source text, however either is laid out.
//!
//! Whitespace counts only where it keeps two words apart, so a text is found
//! whether it stands on one line or on several.

use std::ops::Range;

/// A text without the whitespace that does not count.
pub(crate) struct Squeezed {
    bytes: Vec<u8>,
    /// By byte: where it is in the text.
    offset: Vec<usize>,
}

impl Squeezed {
    pub(crate) fn new(text: &str) -> Self {
        let mut squeezed = Self { bytes: Vec::with_capacity(text.len()), offset: Vec::with_capacity(text.len()) };
        let mut is_apart = false;
        for (offset, byte) in text.bytes().enumerate() {
            if byte.is_ascii_whitespace() {
                is_apart = true;
                continue;
            }
            if is_apart && is_word(byte) && squeezed.bytes.last().copied().is_some_and(is_word) {
                squeezed.push(b' ', offset);
            }
            is_apart = false;
            squeezed.push(byte, offset);
        }
        squeezed
    }

    fn push(&mut self, byte: u8, offset: usize) {
        self.bytes.push(byte);
        self.offset.push(offset);
    }

    /// All places of the text in which `piece` stands, as bytes of the text; none if there is nothing in it.
    pub(crate) fn places(&self, piece: &Self) -> Vec<Range<usize>> {
        let len = piece.bytes.len();
        if len == 0 {
            return Vec::new();
        }
        let starts = self.bytes.windows(len).enumerate().filter(|(_, bytes)| *bytes == piece.bytes);
        let places = starts.map(|(start, _)| start..start + len).filter(|place| self.is_whole(place));
        places.map(|place| self.offset[place.start]..self.offset[place.end - 1] + 1).collect()
    }

    /// Whether the place begins and ends at no word's middle.
    fn is_whole(&self, place: &Range<usize>) -> bool {
        let is_between = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| self.bytes.get(before)).copied();
            before.is_some_and(is_word) && self.bytes.get(at).copied().is_some_and(is_word)
        };
        !is_between(place.start) && !is_between(place.end)
    }
}

/// Whether the byte belongs to names and numbers; what is not ASCII does.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::Squeezed;

    fn found<'t>(text: &'t str, piece: &str) -> Vec<&'t str> {
        Squeezed::new(text).places(&Squeezed::new(piece)).into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn layout_does_not_count() {
        assert_eq!(found("a = b\n    .c( d,e )\n;", "b.c(d, e)"), ["b\n    .c( d,e )"]);
        assert_eq!(found("if x && !y {", " x&&!y\n"), ["x && !y"]);
    }

    #[test]
    fn words_are_whole_and_kept_apart() {
        assert_eq!(found("values; value; my_value; value2", "value"), ["value"]);
        assert_eq!(found("let mut a; letmut a;", "let mut a"), ["let mut a"]);
        assert_eq!(found("größe", "gr"), [""; 0]);
    }

    #[test]
    fn all_places_are_found_and_nothing_stands_nowhere() {
        assert_eq!(found("a + a", "a").len(), 2);
        assert_eq!(found("a + a", " \n"), [""; 0]);
    }
}

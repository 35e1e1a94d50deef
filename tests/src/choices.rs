//! Choices read from bytes, so that a fuzzer can make them.

use arbitrary::Unstructured;

/// Reads bytes as choices. When they are used up every choice is the first one, so that few bytes make small inputs.
#[derive(Debug)]
pub struct Choices<'a>(Unstructured<'a>);

impl<'a> Choices<'a> {
    /// Choices made by `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    /// Whether all bytes are used up.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number in `0..limit`; 0 if `limit` is.
    pub fn below(&mut self, limit: usize) -> usize {
        // Used up bytes are no error here: they give the smallest number.
        self.0.int_in_range(0..=limit.saturating_sub(1)).unwrap_or(0)
    }

    /// Whether something happens that happens for about `percent` of a hundred choices.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) + percent >= 100
    }

    /// One of `items`, of which there is one at least.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Choices;

    #[test]
    fn no_bytes_make_first_choices() {
        let mut choices = Choices::new(&[]);
        assert_eq!((choices.below(9), choices.chance(99), choices.pick(&[3, 4])), (0, false, 3));
        assert!(choices.is_empty());
    }

    #[test]
    fn choices_follow_from_bytes() {
        let choose = |bytes: &[u8]| {
            let mut choices = Choices::new(bytes);
            [choices.below(6), choices.below(6), choices.below(6)]
        };
        assert_eq!(choose(&[1, 5, 6]), [1, 5, 0]);
        assert_eq!(choose(&[1, 5, 6]), choose(&[7, 11, 0]));
    }
}

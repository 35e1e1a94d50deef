//! What code holds of a value: a number, nothing, or an array by its number.
//!
//! Two words: the second one says what the first one is. Running code looks at
//! the second word only where it has to know a number, which is where no array
//! can be: types are checked before anything is compiled.

use ssaphire_ir::basic::{Array, Datum};
use ssaphire_ir::interp::{Content, TrapKind};

/// Words that a value takes where code and host pass it to each other.
pub(super) const PER_VALUE: usize = 2;

/// The first word is a number.
const NUMBER: u64 = 0;

/// There is nothing: what the first word is does not matter.
pub(super) const UNDEFINED: u64 = 1;

/// The first word is the number of an array.
const ARRAY: u64 = 2;

/// The arrays that a run has made, by number.
#[derive(Default)]
pub(super) struct Arrays {
    arrays: Vec<Array>,
}

impl Arrays {
    /// What two words of code stand for.
    pub(super) fn content(&self, words: &[u64]) -> Result<Content<Datum>, TrapKind> {
        match *words {
            [number, NUMBER] => Ok(Content::Known(Datum::Number(number as i64))),
            [_, UNDEFINED] => Ok(Content::Undefined),
            [number, ARRAY] => {
                let array = self.arrays.get(number as usize).ok_or(TrapKind::Malformed)?;
                Ok(Content::Known(Datum::Array(array.clone())))
            }
            _ => Err(TrapKind::Malformed),
        }
    }

    /// The words by which code knows `content`.
    pub(super) fn words(&mut self, content: Content<Datum>) -> [u64; PER_VALUE] {
        match content {
            Content::Known(Datum::Number(number)) => [number as u64, NUMBER],
            Content::Undefined => [0, UNDEFINED],
            Content::Known(Datum::Array(array)) => {
                self.arrays.push(array);
                [self.arrays.len() as u64 - 1, ARRAY]
            }
        }
    }
}

//! The machine representation of a value: a number, undefined, or an array by its number.
//!
//! A value takes two words; the second one is the kind of the first. Running
//! code tests the second word only where it needs a number. No array can occur
//! there, since types are checked before compilation.

use ssaphire_ir::basic::{Array, Datum};
use ssaphire_ir::interp::{Content, TrapKind};

/// Words per value where code and host exchange values.
pub(super) const PER_VALUE: usize = 2;

/// The first word is a number.
const NUMBER: u64 = 0;

/// The value is undefined, and the first word is arbitrary.
pub(super) const UNDEFINED: u64 = 1;

/// The first word is the number of an array.
const ARRAY: u64 = 2;

/// The arrays that a run has made, by number.
#[derive(Default)]
pub(super) struct Arrays {
    arrays: Vec<Array>,
}

impl Arrays {
    /// The content that two words of code represent.
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

    /// The words that represent `content` in code.
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

//! A cache of the function's most recent constants.

use crate::dialect::Constant;
use ssaphire::Value;

/// The values of recently used constants.
///
/// A direct-mapped cache: the last constant with a hash takes its place. A miss only costs a lookup in the function's
/// own table.
#[derive(Default)]
pub(super) struct Constants {
    places: Vec<Place>,
    /// The number of the current function: entries of other functions are stale.
    function: u32,
}

#[derive(Clone, Copy)]
struct Place {
    key: Key,
    value: Value,
    function: u32,
}

/// The type of a number, and its bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key(u8, u64);

const PLACES: usize = 256;

impl Constants {
    /// Clears the cache. Called before each function.
    pub(super) fn clear(&mut self) {
        self.function = self.function.wrapping_add(1);
        if self.places.is_empty() || self.function == 0 {
            let place = Place { key: Key(0, 0), value: Value::new(0), function: 0 };
            self.places.clear();
            self.places.resize(PLACES, place);
            self.function = 1;
        }
    }

    /// The value of a constant; a miss calls `make`.
    #[inline]
    pub(super) fn get(&mut self, constant: Constant, make: impl FnOnce(Constant) -> Value) -> Value {
        let key = match constant {
            Constant::I32(number) => Key(0, number as u64),
            Constant::I64(number) => Key(1, number as u64),
            Constant::F32(bits) => Key(2, bits.into()),
            Constant::F64(bits) => Key(3, bits),
            Constant::V128(_) | Constant::Null(_) => return make(constant),
        };
        let Some(place) = self.places.get_mut(key.hash()) else { return make(constant) };
        if place.key != key || place.function != self.function {
            *place = Place { key, value: make(constant), function: self.function };
        }
        place.value
    }
}

impl Key {
    fn hash(self) -> usize {
        let mixed = (self.1 ^ u64::from(self.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 56) as usize % PLACES
    }
}

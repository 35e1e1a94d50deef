//! Dense ids: the library's own `u32` newtypes.
//!
//! Ids are dense per function: a function with `n` blocks uses `Block::new(0)`
//! to `Block::new(n - 1)`. The host allocates them; a host with ids of its own
//! costs nothing to convert, a host with pointers keeps a side table.

use crate::{IdError, IdKind};
use core::fmt;
use core::hash::Hash;
use core::marker::PhantomData;

/// A dense id: a number below a limit that can index a table.
///
/// Each kind of id is made of a `u32` or `usize` by `TryFrom`, and converts back by `From`.
///
/// # Examples
/// ```
/// use ssaphire::{Block, Value};
///
/// let block = Block::try_from(7_u32)?;
/// assert_eq!((u32::from(block), usize::from(block)), (7, 7));
/// // The top bit of a value is reserved.
/// let error = Value::try_from(1_u32 << 31).unwrap_err();
/// assert_eq!(error.to_string(), "v2147483648: exceeds the limit of 2147483648 values");
/// # Ok::<(), ssaphire::IdError>(())
/// ```
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display {
    /// One more than the largest index an id of this kind can have.
    const LIMIT: usize;

    /// The id with the given index.
    ///
    /// # Panics
    /// If `index` is not below [`Id::LIMIT`].
    #[track_caller]
    fn new(index: usize) -> Self;

    /// The id with the given index, or `None` if `index` is not below the limit.
    fn try_new(index: usize) -> Option<Self>;

    /// The position of this id in a table of its kind.
    fn index(self) -> usize;
}

/// Panics for an index without an id, at the line of the caller: in a `const fn`, so the words are put together by
/// hand.
#[cold]
#[track_caller]
const fn no_such_id(prefix: &str, index: usize, limit: usize) -> ! {
    let words = Words::NONE.text(prefix).number(index).text(": ids of this kind are below ").number(limit);
    panic!("{}", words.as_str())
}

/// A short ASCII text that constant code can write.
struct Words {
    bytes: [u8; 80],
    len: usize,
}

impl Words {
    const NONE: Self = Self { bytes: [0; 80], len: 0 };

    const fn text(mut self, text: &str) -> Self {
        let mut at = 0;
        while at < text.len() {
            self.bytes[self.len] = text.as_bytes()[at];
            (self.len, at) = (self.len + 1, at + 1);
        }
        self
    }

    const fn number(mut self, number: usize) -> Self {
        let mut unit = 1;
        while number / unit >= 10 {
            unit *= 10;
        }
        while unit > 0 {
            self.bytes[self.len] = b'0' + (number / unit % 10) as u8;
            (self.len, unit) = (self.len + 1, unit / 10);
        }
        self
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(words) => words,
            Err(_) => "no such id",
        }
    }
}

macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $limit:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// One more than the largest index an id of this kind can have.
            pub const LIMIT: usize = $limit;

            /// The id with the given index.
            ///
            /// # Panics
            /// If `index` is not below the limit of its kind.
            #[inline]
            #[track_caller]
            pub const fn new(index: usize) -> Self {
                match Self::try_new(index) {
                    Some(id) => id,
                    None => no_such_id($prefix, index, $limit),
                }
            }

            /// The id with the given index, or `None` where there is no such id.
            #[inline]
            pub const fn try_new(index: usize) -> Option<Self> {
                if index < $limit { Some(Self(index as u32)) } else { None }
            }

            /// The position of this id in a table of its kind.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The number of this id.
            #[inline]
            pub const fn as_u32(self) -> u32 {
                self.0
            }
        }

        impl From<$name> for u32 {
            #[inline]
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<$name> for usize {
            #[inline]
            fn from(id: $name) -> Self {
                id.index()
            }
        }

        impl TryFrom<usize> for $name {
            type Error = IdError;

            #[inline]
            fn try_from(index: usize) -> Result<Self, IdError> {
                Self::try_new(index).ok_or_else(|| IdError::no_such_id(IdKind::$name, index, $limit as u32))
            }
        }

        impl TryFrom<u32> for $name {
            type Error = IdError;

            #[inline]
            fn try_from(number: u32) -> Result<Self, IdError> {
                Self::try_from(number as usize)
            }
        }

        impl Id for $name {
            const LIMIT: usize = $limit;

            #[inline]
            #[track_caller]
            fn new(index: usize) -> Self {
                Self::new(index)
            }

            #[inline]
            fn try_new(index: usize) -> Option<Self> {
                Self::try_new(index)
            }

            #[inline]
            fn index(self) -> usize {
                self.index()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

define_id!(
    /// A basic block.
    #[doc(alias = "node")]
    #[doc(alias = "bb")]
    Block, "block", u32::MAX as usize
);
define_id!(
    /// A variable of the source program, which may be assigned many times.
    #[doc(alias = "local")]
    Variable, "x", u32::MAX as usize
);
define_id!(
    /// An SSA value, which has one definition. The top bit of its number is reserved for the library.
    Value, "v", 1 << 31
);
define_id!(
    /// One way from a terminator to a block; two edges may join the same blocks.
    #[doc(alias = "arc")]
    Edge, "edge", u32::MAX as usize
);

define_id!(
    /// An operation with its immediates; its arguments are not part of it.
    Operator, "op", u32::MAX as usize
);

/// An optional id of the same size as an id. None is ordered after all ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedOption<I> {
    /// The largest number stands for no id, and no id has it.
    index: u32,
    kind: PhantomData<I>,
}

impl<I: Id> PackedOption<I> {
    /// No id.
    pub const NONE: Self = Self { index: u32::MAX, kind: PhantomData };

    /// The id, or none.
    #[inline]
    pub fn expand(self) -> Option<I> {
        I::try_new(self.index as usize)
    }

    /// Whether there is no id.
    #[inline]
    pub fn is_none(self) -> bool {
        self.index == u32::MAX
    }

    /// Whether there is an id.
    #[inline]
    pub fn is_some(self) -> bool {
        !self.is_none()
    }

    /// The number of the id; for none, an index beyond the end of every table.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.index
    }

    /// Takes the id, and leaves `next` in its place.
    #[inline]
    pub fn replace(&mut self, next: I) -> Self {
        core::mem::replace(self, next.into())
    }
}

impl<I: Id> From<Option<I>> for PackedOption<I> {
    #[inline]
    fn from(id: Option<I>) -> Self {
        id.map_or(Self::NONE, Self::from)
    }
}

impl<I: Id> Default for PackedOption<I> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<I: Id> From<I> for PackedOption<I> {
    #[inline]
    fn from(id: I) -> Self {
        Self { index: id.index() as u32, kind: PhantomData }
    }
}

impl<I: Id> fmt::Debug for PackedOption<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expand().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn ids_print_as_in_the_text_format() {
        assert_eq!(format!("{} {:?} {}", Block::new(3), Value::new(7), Variable::new(0)), "block3 v7 x0");
    }

    #[test]
    fn the_top_bit_of_a_value_is_reserved() {
        assert_eq!(Value::try_new(1 << 31), None);
        assert_eq!(Value::try_new((1 << 31) - 1).map(Value::index), Some((1 << 31) - 1));
        assert_eq!(Block::try_new(u32::MAX as usize), None);
    }

    #[test]
    fn an_id_or_none_takes_the_room_of_an_id() {
        let mut last = PackedOption::NONE;
        assert_eq!((last.expand(), last.is_none(), size_of_val(&last)), (None, true, size_of::<Block>()));
        assert_eq!(last.replace(Block::new(7)), PackedOption::NONE);
        assert_eq!((last.expand(), last.is_some()), (Some(Block::new(7)), true));
    }
}

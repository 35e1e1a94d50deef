//! Dense ids: the library's own `u32` newtypes.
//!
//! Ids are dense per function: a function with `n` blocks uses `Block::new(0)`
//! to `Block::new(n - 1)`. The host allocates them; a host with ids of its own
//! converts for free, a host with pointers keeps a side table.

use core::fmt;
use core::hash::Hash;

/// A dense id: a number below a limit that can index a table.
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display {
    /// One more than the largest index an id of this kind can have.
    const LIMIT: usize;

    /// The id with the given index.
    ///
    /// # Panics
    /// If `index` is not below [`Id::LIMIT`].
    fn new(index: usize) -> Self;

    /// The position of this id in a table of its kind.
    fn index(self) -> usize;
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
            pub const fn new(index: usize) -> Self {
                assert!(index < $limit, "the index of an id is below its limit");
                Self(index as u32)
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
        }

        impl Id for $name {
            const LIMIT: usize = $limit;

            #[inline]
            fn new(index: usize) -> Self {
                Self::new(index)
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
    /// What the source program assigns many times.
    #[doc(alias = "local")]
    Variable, "x", u32::MAX as usize
);
define_id!(
    /// What is defined once. The top bit of its number is reserved for the library.
    Value, "v", 1 << 31
);
define_id!(
    /// One way from a terminator to a block; two edges may join the same blocks.
    #[doc(alias = "arc")]
    Edge, "edge", u32::MAX as usize
);

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
}

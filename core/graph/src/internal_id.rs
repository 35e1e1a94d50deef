//! Ids that no caller sees.

/// Defines an id, numbered below 2^31 - 1, so that the top bit of a table's word is free for another use; or below a
/// limit that is given.
///
/// `new` is for the index of an existing table entry; it checks the limit only in debug builds.
/// New entries are numbered by [`IdMap::push`](crate::IdMap::push), which panics when the ids run out.
#[doc(hidden)]
#[macro_export]
macro_rules! internal_id {
    ($(#[$doc:meta])* $vis:vis $name:ident, $prefix:literal) => {
        $crate::internal_id!($(#[$doc])* $vis $name, $prefix, (1 << 31) - 1);
    };
    ($(#[$doc:meta])* $vis:vis $name:ident, $prefix:literal, $limit:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        impl $crate::Id for $name {
            const LIMIT: usize = $limit;

            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(index < Self::LIMIT, "a table has numbered what is in it");
                Self(index as u32)
            }

            #[inline]
            fn try_new(index: usize) -> Option<Self> {
                (index < Self::LIMIT).then_some(Self(index as u32))
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}

//! The numbers of callbacks.

/// A callback of running code. Its first argument is the address of the context; all others are 64-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callback {
    /// Calls an imported function, by its number; returns 0 on success.
    Import,
    /// Grows the memory by this number of pages; returns the previous number of pages, or -1.
    Grow,
    /// Copies bytes in memory, with destination, source and length; returns 0 if they are in bounds.
    Copy,
    /// Fills bytes in memory, with start, byte and length; returns 0 if they are in bounds.
    Fill,
    /// Compiles the called function; returns the address of its code, or 0 if it has none.
    Compile,
}

//! Where values come from, as far as only the caller knows.

use super::Certified;
use ssaphire_construct::Observer;
use ssaphire_graph::{Block, IdError, Value};

impl<O: Observer> Certified<O> {
    /// Says that `value` has its content before control enters: a constant or a parameter. See [`Builder::try_global`](ssaphire_construct::Builder::try_global).
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn try_global(&mut self, value: Value) -> Result<(), IdError> {
        self.builder.try_global(value)?;
        if self.is_recording {
            self.begin();
            self.claims.globals.insert(value);
            self.journal.global(value);
        }
        Ok(())
    }

    /// Says that an instruction of `block` makes `value`.
    ///
    /// Without this or [`try_global`](Self::try_global) a value counts as made where it
    /// is first written, in order of calls. A value that is made earlier, say a
    /// constant kept in a table and written in several blocks, has to be told
    /// about, or a right result is refused.
    ///
    /// # Errors
    /// If the block or the value is not below its [limit](ssaphire_construct::Options::ids).
    #[inline]
    pub fn try_define(&mut self, block: Block, value: Value) -> Result<(), IdError> {
        let ids = self.builder.options().ids;
        ids.check_block(block)?;
        ids.check_value(value)?;
        if self.is_recording {
            self.begin();
            self.journal.define(block, value);
        }
        Ok(())
    }
}

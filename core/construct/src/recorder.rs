//! Records for a certificate, besides the calls of a builder.

use crate::error::CallError;
use crate::note::Note;
use ssaphire_graph::{Block, Value};

/// Records what a certificate states besides the calls of a builder: see [`SsaBuilder::recorder`].
///
/// The builder `Certified` implements it, while it records. Construction needs none of this.
///
/// [`SsaBuilder::recorder`]: crate::SsaBuilder::recorder
pub trait Recorder {
    /// Records that an instruction of `block` defines `value`.
    ///
    /// # Errors
    /// If the block or the value is not below its [limit](crate::Options::ids).
    fn record_definition(&mut self, block: Block, value: Value) -> Result<(), CallError>;

    /// Records an operation of `block` and its outcome: [`Folder`](crate::fold::Folder) makes this call.
    ///
    /// # Errors
    /// If the block or a value is not below its [limit](crate::Options::ids).
    fn record_note(&mut self, block: Block, note: Note<'_>) -> Result<(), CallError>;
}

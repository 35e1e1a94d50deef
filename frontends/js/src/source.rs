//! The only interface to the parser: everything else sees just its tree.

mod depth;
mod early;
mod error;
mod for_heads;
mod kind;
mod nesting;
mod parse;
pub(crate) mod regexp;

pub(crate) use early::WRAPPER_PARAMS;
pub use error::{SourceError, SourceErrors};
pub use kind::SourceKind;
pub(crate) use parse::has_stack_for;
pub use parse::{Parsed, with_parsed, with_parsed_here, with_types};
pub use ssaphire_ir::source::{Place, Source};

/// A range of bytes of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// No place.
    pub const NOWHERE: Self = Self { start: 0, end: 0 };

    /// The byte range, for indexing the source.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<oxc_span::Span> for Span {
    fn from(span: oxc_span::Span) -> Self {
        Self { start: span.start, end: span.end }
    }
}

impl From<Span> for ssaphire_ir::source::Span {
    fn from(Span { start, end }: Span) -> Self {
        Self { start, end }
    }
}

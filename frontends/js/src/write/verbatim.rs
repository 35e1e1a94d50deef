//! Functions that are written as they stand in the source, with those inside of them that need not be.

use super::code::{Code, Piece};
use crate::Program;
use crate::program::{FunctionId, FunctionKind};
use crate::source::Span;

/// The parts of a function as it stands in the source; `inner` are those in it, in their order.
pub(super) fn function(
    program: &Program,
    source: &str,
    id: FunctionId,
    (inner, codes): (&[FunctionId], &[Option<Code>]),
) -> Code {
    let js = &program.functions[id.index()];
    let span = if js.parent.is_none() { Span { start: 0, end: source.len() as u32 } } else { js.span };
    let mut pieces = Vec::new();
    let mut at = span.start;
    for &id in inner {
        let inner = &program.functions[id.index()];
        let is_plain = matches!(inner.kind, FunctionKind::Function | FunctionKind::Arrow);
        let is_written = matches!(codes.get(id.index()), Some(Some(_)));
        if !is_written || !is_plain && !inner.is_verbatim || inner.span.start < at {
            continue;
        }
        pieces.extend([Piece::Source(Span { start: at, end: inner.span.start }), Piece::Function(id)]);
        at = inner.span.end;
    }
    pieces.push(Piece::Source(Span { start: at, end: span.end }));
    Code::Source(pieces)
}

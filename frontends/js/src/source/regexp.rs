//! Regular expressions, whose syntax errors are those of the file.

use super::{SourceError, Span};
use oxc_allocator::Allocator;
use oxc_ast::ast::RegExpLiteral;
use oxc_regular_expression::{LiteralParser, Options};

/// Groups and classes may nest so deep: their parser recurses, and takes 16 KiB of stack for each level.
const DEEPEST: usize = 2_000;

/// What is wrong with a regular expression.
pub(crate) fn check(literal: &RegExpLiteral<'_>) -> Option<SourceError> {
    let pattern = literal.regex.pattern.text.as_str();
    let span = Span::from(literal.span);
    if pattern.bytes().filter(|&byte| matches!(byte, b'(' | b'[')).count() > DEEPEST {
        let message = format!("Invalid regular expression: more than {DEEPEST} groups and classes");
        return Some(SourceError { message, span });
    }
    let flags = literal.regex.flags.to_string();
    let allocator = Allocator::default();
    let options =
        Options { pattern_span_offset: span.start + 1, flags_span_offset: span.start + pattern.len() as u32 + 2 };
    let error = LiteralParser::new(&allocator, pattern, Some(&flags), options).parse().err()?;
    let span =
        error.labels.first().map_or(span, |label| Span { start: label.offset(), end: label.offset() + label.len() });
    Some(SourceError { message: error.message.to_string(), span })
}

//! How much stack a source can make the parser use.
//!
//! The parser recurses into what is nested, and so do the passes over its tree. Nothing nests without an opening bracket, an
//! operator or a keyword of its own. So their number bounds the depth, wherever they stand: what is counted
//! too much, in strings, comments and files that are long and flat, is address space that is never touched.

use super::{SourceErrors, Span};

/// Bytes of stack for a level of brackets: functions take most, about 3,900 by two of them without optimization.
const BY_BRACKET: usize = if cfg!(debug_assertions) { 4 << 10 } else { 3 << 10 };
/// Bytes of stack for a level of operators: assignments take most, about 1,400.
const BY_OPERATOR: usize = if cfg!(debug_assertions) { 3 << 9 } else { 1 << 10 };
/// Bytes of stack for anything.
const LEAST: usize = 8 << 20;
/// No more is asked for.
const MOST: usize = 12 << 30;

/// Words that nest what follows them.
const WORDS: &[&[u8]] = &[
    b"async",
    b"await",
    b"class",
    b"delete",
    b"do",
    b"else",
    b"extends",
    b"in",
    b"instanceof",
    b"new",
    b"typeof",
    b"void",
    b"yield",
];

/// Bytes of stack that are enough for `source`.
pub(super) fn stack_for(source: &str) -> Result<usize, SourceErrors> {
    let (mut brackets, mut operators) = (0, 0);
    let mut word = 0;
    for (at, byte) in source.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' {
            continue;
        }
        let ended = &source.as_bytes()[word..at];
        operators += usize::from(ended.len() > 1 && WORDS.contains(&ended));
        word = at + 1;
        match byte {
            b'(' | b'[' | b'{' => brackets += 1,
            b'!' | b'~' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'=' | b'>' | b'?' | b':'
            | b'.' | b'`' => operators += 1,
            _ => {}
        }
    }
    let bytes = LEAST + brackets * BY_BRACKET + operators * BY_OPERATOR;
    if bytes > MOST {
        let message = format!(
            "too large: with {brackets} brackets and {operators} operators it may be nested deeper than there is stack for"
        );
        return Err(SourceErrors::one(message, Span::NOWHERE));
    }
    Ok(bytes)
}

//! Reads modules in either format.

use super::Module;
use crate::error::Error;
use crate::pool::Pool;
use crate::text::{Lines, TextMap};
use wast::Wat;
use wast::lexer::{Lexer, TokenKind};
use wast::parser::{ParseBuffer, parse};

/// Reads a module in the binary format or, if it does not begin like one, in the text format. A byte-order mark before
/// text is skipped.
///
/// # Errors
/// The first error: with line and column in text, with a byte offset in binary.
pub fn load(bytes: impl Into<Vec<u8>>) -> Result<Module, Error> {
    load_with(bytes, &Pool::default())
}

/// [`load`], on the threads of `pool`.
///
/// # Errors
/// As [`load`].
pub fn load_with(bytes: impl Into<Vec<u8>>, pool: &Pool) -> Result<Module, Error> {
    let bytes = bytes.into();
    // Every binary module starts with a zero byte; no text does.
    if bytes.first().is_none_or(|&first| first == 0) {
        return Module::parse_with(bytes, pool);
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| not_utf8(&bytes, error.valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Module::parse_with(assemble(text)?, pool).map_err(|error| in_text(error, text))
}

/// The first `good` bytes are text.
fn not_utf8(bytes: &[u8], good: usize) -> Error {
    let text = String::from_utf8_lossy(&bytes[..good]);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let message = format!("expected WebAssembly text, found invalid UTF-8 at byte {good:#x}");
    Error::Text { message, place: Lines::new(text).place(text.len()) }
}

fn assemble(text: &str) -> Result<Vec<u8>, Error> {
    let assembled = ParseBuffer::new(text).and_then(|buffer| parse::<Wat<'_>>(&buffer)?.encode());
    assembled.map_err(|error| {
        if is_component(text) {
            return Error::Component;
        }
        Error::Text { message: error.message(), place: Lines::new(text).place(error.span().offset()) }
    })
}

/// Whether the text begins with `(component`, which `wast` does not parse: the feature is off.
fn is_component(text: &str) -> bool {
    let lexer = Lexer::new(text);
    let is_blank = |kind| matches!(kind, TokenKind::Whitespace | TokenKind::LineComment | TokenKind::BlockComment);
    let mut tokens = lexer.iter(0).map_while(Result::ok).filter(|token| !is_blank(token.kind));
    tokens.next().is_some_and(|token| token.kind == TokenKind::LParen)
        && tokens.next().is_some_and(|token| token.kind == TokenKind::Keyword && token.keyword(text) == "component")
}

/// Maps an error in an assembled module to its place in the text.
fn in_text(error: Error, text: &str) -> Error {
    let Error::Binary { message, offset } = error else { return error };
    let located = || TextMap::new(text)?.locate(&assemble(text).ok()?, offset);
    match located() {
        Some(located) => Error::Invalid { message, located },
        None => Error::Binary { message, offset },
    }
}

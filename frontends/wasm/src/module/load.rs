//! Modules from either format.

use super::Module;
use crate::error::Error;
use wast::Wat;
use wast::parser::{ParseBuffer, parse};

/// Reads a module in the binary format or, if it does not begin like one, in the text format.
/// A byte-order mark in front of text is skipped.
///
/// # Errors
/// What is wrong first: with line and column in text, with byte offset in binary.
pub fn load(bytes: impl Into<Vec<u8>>) -> Result<Module, Error> {
    let bytes = bytes.into();
    // No text begins with the zero byte that every binary module begins with.
    if bytes.first().is_none_or(|&first| first == 0) {
        return Module::parse(bytes);
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Module::parse(assemble(text.strip_prefix('\u{feff}').unwrap_or(text))?),
        Err(_) => Module::parse(bytes),
    }
}

fn assemble(text: &str) -> Result<Vec<u8>, Error> {
    let assembled = ParseBuffer::new(text).and_then(|buffer| parse::<Wat<'_>>(&buffer)?.encode());
    assembled.map_err(|error| {
        let (line, column) = error.span().linecol_in(text);
        let source = text.lines().nth(line).unwrap_or("").to_owned();
        Error::Text { message: error.message(), line: line + 1, column: column + 1, source }
    })
}

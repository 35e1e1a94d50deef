//! Where traces come from: the files named on the command line.

use crate::failure::Failure;
use crate::trace::{Trace, text, words};
use crate::wasm;
use std::fs;
use std::path::Path;

/// The trace in `path`, in either form, or recorded from the module there.
///
/// # Errors
/// If the file cannot be read or is neither.
pub fn load(path: &Path) -> Result<Trace, Failure> {
    let bytes = fs::read(path).map_err(Failure::file(path))?;
    if bytes.starts_with(&words::MAGIC) {
        return words::from_bytes(&bytes).map_err(|error| Failure::Words { path: path.to_owned(), error });
    }
    if let Some(text) = text_of(&bytes) {
        return text::parse(text).map_err(|error| Failure::Text { path: path.to_owned(), error });
    }
    let recorded =
        wasm::record(&bytes).map_err(|error| Failure::Module { path: path.to_owned(), error: Box::new(error) })?;
    Ok(recorded.trace)
}

/// The text in `bytes`, if it begins as a trace does.
fn text_of(bytes: &[u8]) -> Option<&str> {
    let keyword = text::VERSION_LINE.split(' ').next()?;
    bytes.starts_with(keyword.as_bytes()).then(|| str::from_utf8(bytes).ok()).flatten()
}

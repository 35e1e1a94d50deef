//! Where traces come from: the files named on the command line.

use crate::failure::Failure;
use crate::trace::Trace;
use crate::wasm;
use std::fs;
use std::path::Path;

/// The trace in `path`, recorded first if it is a module.
///
/// # Errors
/// If the file cannot be read or is neither.
pub fn load(path: &Path) -> Result<Trace, Failure> {
    let bytes = fs::read(path).map_err(Failure::file(path))?;
    let recorded =
        wasm::record(&bytes).map_err(|error| Failure::Module { path: path.to_owned(), error: Box::new(error) })?;
    Ok(recorded.trace)
}

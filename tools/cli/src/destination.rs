//! Where results go: standard output, or a file that is there at once or not at all.

use crate::diagnostic::Diagnostic;
use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process;

/// How standard output is named.
const STANDARD_OUTPUT: &str = "-";

/// Where results go.
pub(crate) struct Destination {
    /// What it is called in messages.
    name: String,
    sink: Sink,
}

enum Sink {
    Standard(StdoutLock<'static>),
    /// Standard output, which was closed when the process began.
    Closed,
    /// What is no file and cannot be replaced by one: a device, a pipe.
    Device(File),
    /// A file that takes its place when all is written.
    Replacement(Replacement),
}

impl Destination {
    /// Opens the file of that name; standard output where there is none.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn open(file: Option<&str>) -> Result<Self, Diagnostic> {
        match file.filter(|&name| name != STANDARD_OUTPUT) {
            None => Ok(Self { name: "standard output".to_owned(), sink: Sink::standard() }),
            Some(name) => match Sink::of_file(Path::new(name)) {
                Ok(sink) => Ok(Self { name: name.to_owned(), sink }),
                Err(error) => Err(Diagnostic::of_input(name, error.to_string())),
            },
        }
    }

    /// What it is called in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Standard output, if it goes there.
    pub(crate) fn standard_output(&self) -> Option<&StdoutLock<'static>> {
        match &self.sink {
            Sink::Standard(stdout) => Some(stdout),
            _ => None,
        }
    }

    /// Whether it is a file that appears only when all is written.
    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self.sink, Sink::Replacement(_))
    }

    /// Whether people read it as it is written.
    pub(crate) fn is_terminal(&self) -> bool {
        match &self.sink {
            Sink::Standard(stdout) => stdout.is_terminal(),
            Sink::Device(device) => device.is_terminal(),
            Sink::Replacement(_) | Sink::Closed => false,
        }
    }

    /// Says that everything is written: a file appears under its name.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self.sink {
            Sink::Replacement(replacement) => replacement.commit(),
            Sink::Standard(_) | Sink::Closed | Sink::Device(_) => Ok(()),
        }
    }

    fn writer(&mut self) -> io::Result<&mut dyn Write> {
        match &mut self.sink {
            Sink::Standard(stdout) => Ok(stdout),
            Sink::Closed => Err(closed()),
            Sink::Device(file) | Sink::Replacement(Replacement { file, .. }) => Ok(file),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        // Where nothing was written, nothing is lost.
        self.writer().map_or(Ok(()), Write::flush)
    }
}

/// The error of writing to a closed standard output.
pub(crate) fn closed() -> io::Error {
    io::Error::other("it is closed")
}

impl Sink {
    fn standard() -> Self {
        if ssaphire_streams::stdout_was_closed() { Self::Closed } else { Self::Standard(io::stdout().lock()) }
    }

    fn of_file(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            // The file that a link leads to is replaced, and not the link.
            Ok(metadata) if metadata.is_file() => {
                let replacement = Replacement::new(fs::canonicalize(path)?)?;
                replacement.file.set_permissions(metadata.permissions())?;
                Ok(Self::Replacement(replacement))
            }
            Ok(_) => Ok(Self::Device(File::options().write(true).open(path)?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::Replacement(Replacement::new(path.into())?)),
            Err(error) => Err(error),
        }
    }
}

/// A file beside the one it is going to replace. Unless that happens, it goes away.
struct Replacement {
    file: File,
    beside: PathBuf,
    path: PathBuf,
    is_committed: bool,
}

impl Replacement {
    fn new(path: PathBuf) -> io::Result<Self> {
        let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.tmp", process::id()));
        let beside = path.with_file_name(hidden);
        let file = File::create_new(&beside)?;
        Ok(Self { file, beside, path, is_committed: false })
    }

    fn commit(mut self) -> io::Result<()> {
        // A disk that is full may say so only now.
        self.file.sync_all()?;
        fs::rename(&self.beside, &self.path)?;
        self.is_committed = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_committed {
            // The run has failed already, and says why.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

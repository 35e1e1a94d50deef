//! `cargo xtask corpus`: pinned real programs, through the ordinary package clients.
//!
//! A file appears in the corpus complete and with the pinned checksum, or not
//! at all: it is fetched and verified in a temporary folder beside its place,
//! then renamed. What is there already and right needs no network.

use crate::failure::Failure;
use crate::programs::{PROGRAMS, Program, SCRIPTS, SUITE, Source};
use crate::workspace::{Workspace, could_not_start};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

/// Brings the given programs, or those of every check where none is given: one line each.
pub(crate) fn bring(workspace: &Workspace, programs: &[&'static Program]) -> Result<(), Failure> {
    let all: Vec<&Program> = PROGRAMS.iter().chain(SCRIPTS).chain(SUITE).collect();
    for program in if programs.is_empty() { &all } else { programs } {
        let file = ensure(workspace, program)?;
        println!("{:<24} {}", program.name, file.strip_prefix(workspace.root()).unwrap_or(&file).display());
    }
    Ok(())
}

/// The file of `program`, fetched unless it is there and is the pinned one.
pub(crate) fn ensure(workspace: &Workspace, program: &'static Program) -> Result<PathBuf, Failure> {
    let folder = workspace.corpus();
    let file = folder.join(program.file);
    if !is_pinned(&file, program)? {
        let temporary = Temporary::below(&folder, program)?;
        let fetched = fetch(program, temporary.path())?;
        install(&fetched, &file, program)?;
    }
    Ok(file)
}

fn is_pinned(file: &Path, program: &Program) -> Result<bool, Failure> {
    match checksum(file) {
        Ok(found) => Ok(found == program.sha256),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Failure::file(file)(error)),
    }
}

/// The SHA-256 of `file` in lower-case hexadecimal digits.
fn checksum(file: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(file)?, &mut Writer(&mut hasher))?;
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A hasher as a place to write to.
struct Writer<'a>(&'a mut Sha256);

impl io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Moves `fetched` to its place in the corpus if it is the pinned file.
fn install(fetched: &Path, file: &Path, program: &Program) -> Result<(), Failure> {
    let found = checksum(fetched).map_err(Failure::file(fetched))?;
    if found != program.sha256 {
        return Err(Failure::Checksum { program: program.name, expected: program.sha256, found });
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    }
    fs::rename(fetched, file).map_err(Failure::file(file))
}

/// Fetches `program` into `folder`: the file wanted.
fn fetch(program: &Program, folder: &Path) -> Result<PathBuf, Failure> {
    match program.source {
        Source::Npm { package, version, path } => {
            let name = format!("{package}@{version}");
            let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
            run(npm, &["pack", "--ignore-scripts", "--loglevel=error", &name], folder)?;
            let archive = archive_in(folder, &name)?;
            let member = format!("package/{path}");
            run("tar", &["-xzf", &archive, &member], folder)?;
            Ok(folder.join(member))
        }
    }
}

/// Runs `program` in `folder` and keeps its output for the case that it fails.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<(), Failure> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let output = command.output().map_err(|error| could_not_start(program, error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Failure::command(format!("{program} {}", arguments.join(" ")), &output))
}

/// The name of the one archive that `npm pack` left in `folder`.
fn archive_in(folder: &Path, package: &str) -> Result<String, Failure> {
    for entry in fs::read_dir(folder).map_err(Failure::file(folder))? {
        let path = entry.map_err(Failure::file(folder))?.path();
        if path.extension() == Some(OsStr::new("tgz"))
            && let Some(name) = path.file_name().and_then(OsStr::to_str)
        {
            return Ok(name.to_owned());
        }
    }
    Err(Failure::Answer { command: format!("npm pack {package}"), problem: "left no archive".to_owned() })
}

/// A folder that goes when its owner does.
struct Temporary(PathBuf);

impl Temporary {
    /// An empty folder below `folder`, which is made where it is absent.
    fn below(folder: &Path, program: &Program) -> Result<Self, Failure> {
        // The process id keeps two runs apart; a folder left by a killed run of the same id goes first.
        let path = folder.join(format!(".{}-{}", program.name, process::id()));
        if path.exists() {
            fs::remove_dir_all(&path).map_err(Failure::file(&path))?;
        }
        fs::create_dir_all(&path).map_err(Failure::file(&path))?;
        Ok(Self(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing depends on it: a folder that stays only takes room.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{Temporary, checksum, install, is_pinned};
    use crate::failure::Failure;
    use crate::programs::{Program, ShortCheck, Source};
    use std::env;
    use std::fs;

    /// The file of this program holds `abc`.
    const ABC: Program = Program {
        name: "abc",
        source: Source::Npm { package: "abc", version: "1.0.0", path: "abc" },
        file: "abc",
        sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        short_check: ShortCheck::None,
    };

    fn folder(name: &str) -> Temporary {
        Temporary::below(&env::temp_dir().join(format!("ssaphire-xtask-{name}")), &ABC).unwrap()
    }

    #[test]
    fn the_checksum_is_sha256() {
        let folder = folder("checksum");
        let file = folder.path().join("abc");
        fs::write(&file, "abc").unwrap();
        assert_eq!(checksum(&file).unwrap(), ABC.sha256);
    }

    #[test]
    fn the_pinned_file_is_moved_to_its_place() {
        let folder = folder("pinned");
        let (fetched, file) = (folder.path().join("fetched"), folder.path().join("abc"));
        assert!(!is_pinned(&file, &ABC).unwrap());
        fs::write(&fetched, "abc").unwrap();
        install(&fetched, &file, &ABC).unwrap();
        assert!(is_pinned(&file, &ABC).unwrap());
        assert!(!fetched.exists());
    }

    #[test]
    fn another_file_is_refused_and_what_was_there_stays() {
        let folder = folder("other");
        let (fetched, file) = (folder.path().join("fetched"), folder.path().join("abc"));
        fs::write(&file, "abc").unwrap();
        fs::write(&fetched, "abd").unwrap();
        let failure = install(&fetched, &file, &ABC).unwrap_err();
        assert_eq!(failure.status(), 1);
        let Failure::Checksum { expected, found, .. } = failure else { panic!("{failure}") };
        assert_eq!(expected, ABC.sha256);
        assert_eq!(found, checksum(&fetched).unwrap());
        assert_eq!(fs::read(&file).unwrap(), b"abc");
    }

    #[test]
    fn a_temporary_folder_goes_with_its_owner() {
        let folder = folder("temporary");
        let path = folder.path().to_owned();
        assert!(path.is_dir());
        drop(folder);
        assert!(!path.exists());
    }
}

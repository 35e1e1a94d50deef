//! The files of a folder.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// The files below `folder` that are `wanted`, in the order of their names; and the folders that cannot be read, with what
/// the system says.
///
/// Hidden ones are left out. So are links to folders, which may lead in
/// circles; links to files count as files.
pub(crate) fn files(folder: &Path, wanted: impl Fn(&Path) -> bool) -> (Vec<PathBuf>, Vec<(PathBuf, io::Error)>) {
    let (mut found, mut unread) = (Vec::new(), Vec::new());
    // What is still to be looked at, the next one last; and whether it is a folder.
    let mut left = vec![(folder.to_owned(), true)];
    while let Some((path, is_folder)) = left.pop() {
        if !is_folder {
            found.push(path);
            continue;
        }
        match entries(&path) {
            Ok(entries) => {
                left.extend(entries.into_iter().rev().filter(|(entry, is_folder)| *is_folder || wanted(entry)));
            }
            Err(error) => unread.push((path, error)),
        }
    }
    (found, unread)
}

/// Folders and files in a folder, by name, and which of them are folders.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if !entry.file_name().as_encoded_bytes().starts_with(b".") && is_followed(&path, kind) {
            entries.push((path, kind.is_dir()));
        }
    }
    entries.sort_unstable();
    Ok(entries)
}

/// Whether it is a folder, a file, or a link to what is no folder; one that leads nowhere is an error later.
fn is_followed(path: &Path, kind: FileType) -> bool {
    kind.is_dir() || kind.is_file() || (kind.is_symlink() && !path.is_dir())
}

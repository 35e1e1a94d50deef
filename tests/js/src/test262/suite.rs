//! A checkout of test262, and the tests in it.

use super::FrontMatter;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of tests of the language; the rest of the suite is about its library.
const FOLDERS: &[&str] = &["test/language", "test/annexB/language"];

/// One test.
#[derive(Debug)]
pub struct Test {
    /// Its path below the checkout, with slashes.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Its text.
    pub source: String,
    /// What it says of itself.
    pub matter: FrontMatter,
}

/// A checkout of test262.
#[derive(Debug)]
pub struct Suite {
    root: PathBuf,
    names: Vec<String>,
}

impl Suite {
    /// The checkout that the environment names, or `None` if it names none.
    ///
    /// # Errors
    /// If there is no test262 where it says.
    pub fn from_environment() -> Option<io::Result<Self>> {
        env::var_os(super::CHECKOUT).map(|root| Self::at(Path::new(&root)))
    }

    /// The checkout at `root`.
    ///
    /// # Errors
    /// If there is no test262.
    pub fn at(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let mut names = Vec::new();
        for folder in FOLDERS {
            for file in scripts_below(&root.join(folder))? {
                let Ok(path) = file.strip_prefix(&root) else { continue };
                let name = path.to_string_lossy().replace('\\', "/");
                if !name.contains("_FIXTURE") {
                    names.push(name);
                }
            }
        }
        names.sort();
        Ok(Self { root, names })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The paths of all tests of the language below the checkout, sorted.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The commit that is checked out, or `unknown`.
    pub fn revision(&self) -> String {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(["rev-parse", "HEAD"]);
        let output = command.output().ok().filter(|output| output.status.success());
        output.map_or("unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// The test called `name`, or `None` if the file is no test.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn test(&self, name: &str) -> io::Result<Option<Test>> {
        let file = self.root.join(name);
        let source = fs::read_to_string(&file)?;
        let matter = FrontMatter::of(&source);
        Ok(matter.map(|matter| Test { name: name.to_owned(), file, source, matter }))
    }
}

/// The files below `folder` that are JavaScript.
fn scripts_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "js") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// `count` of `names`, spread over all of them, or all if there are no more; the same ones each time.
pub(super) fn sample(names: &[String], count: Option<usize>) -> Vec<&String> {
    let count = count.unwrap_or(names.len()).min(names.len());
    (0..count).map(|index| &names[index * names.len() / count]).collect()
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn a_sample_is_spread_and_has_no_name_twice() {
        let names: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        assert_eq!(sample(&names, Some(3)), ["0", "3", "6"]);
        assert_eq!(sample(&names, Some(30)).len(), 10);
        assert_eq!(sample(&names, None).len(), 10);
        assert!(sample(&[], Some(3)).is_empty());
    }
}

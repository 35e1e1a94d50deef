//! The files of the repository, and what a rule says about them.

use std::fmt;
use std::fs;
use std::path::Path;

/// What tools make, at any depth; `.git` is a file in a linked work tree.
const MADE_BY_TOOLS: &[&str] = &[".git", "target", "node_modules"];

/// All text files, sorted by path.
pub(crate) struct Tree {
    files: Vec<File>,
    /// Files that are no text, too: a link may lead to them.
    others: Vec<String>,
}

/// A text file.
pub(crate) struct File {
    /// Relative to the repository, with `/` between its parts.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A breach of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) path: String,
    /// Counted from 1; 0 where the whole file is meant.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Tree {
    /// The files this test was built from.
    pub(crate) fn of_repository() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("..");
        let mut tree = Self { files: Vec::new(), others: Vec::new() };
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder)).expect("the folder can be read") {
                let entry = entry.expect("the entry can be read");
                let name = entry.file_name().into_string().expect("names are UTF-8");
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                if MADE_BY_TOOLS.contains(&name.as_str()) {
                    continue;
                }
                if entry.file_type().expect("the kind of entry is known").is_dir() {
                    folders.push(path);
                } else {
                    tree.add(path, fs::read(entry.path()).expect("the file can be read"));
                }
            }
        }
        tree.files.sort_by(|one, other| one.path.cmp(&other.path));
        tree
    }

    /// A tree of the given files, for tests of the rules.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self { files: Vec::new(), others: Vec::new() };
        for &(path, text) in files {
            tree.add(path.to_owned(), text.as_bytes().to_owned());
        }
        tree
    }

    fn add(&mut self, path: String, bytes: Vec<u8>) {
        match String::from_utf8(bytes) {
            Ok(text) => self.files.push(File { path, text }),
            Err(_) => self.others.push(path),
        }
    }

    /// All text files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }

    /// The text files whose name ends in `suffix`.
    pub(crate) fn ending(&self, suffix: &str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| file.path.ends_with(suffix))
    }

    /// The text file at `path`.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether `path` is a file or a folder; the empty path is the repository itself.
    pub(crate) fn exists(&self, path: &str) -> bool {
        let below = |file: &str| file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        path.is_empty() || self.files.iter().any(|file| below(&file.path)) || self.others.iter().any(|file| below(file))
    }
}

impl File {
    /// A breach in `line`, counted from 1.
    pub(crate) fn finding(&self, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, message: message.into() }
    }

    /// The lines, counted from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// What `rule` says about a tree of the given files, in lines.
pub(crate) fn findings(rule: fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
    rule(&Tree::of(files)).iter().map(Finding::to_string).collect()
}

#[test]
fn the_repository_holds_this_file_and_nothing_tools_made() {
    let tree = Tree::of_repository();
    assert!(tree.file("tests/tidy/tests/tidy/tree.rs").is_some());
    assert!(tree.files().all(|file| !file.path.starts_with("target/")));
}

#[test]
fn a_folder_exists_if_a_file_is_in_it() {
    let tree = Tree::of(&[("docs/book/start.md", "")]);
    assert!(tree.exists("docs/book"));
    assert!(tree.exists("docs/book/start.md"));
    assert!(!tree.exists("docs/boo"));
}

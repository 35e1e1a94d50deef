//! Published crates whose construction of SSA form is exchanged for ours: the folders of `ports`.
//!
//! A port is a folder with `port.toml`, which pins the crate; with one or more
//! lists of [`Edits`], each of which makes a copy of the crate by the list's
//! name; and with a program that is compiled with the published crate and all
//! copies, and compares them. What it prints is to be what `counts.txt` has.
//!
//! In these runs each function that the copy builds is judged: `port.toml`
//! lists how `Builder` becomes `Certified`, which the published change does not
//! have.
//!
//! All of it is compiled in workspaces of their own below `target`, with the
//! versions of the lock file that the crate was published with: what ports
//! depend on is no part of the project's.

use super::edits::Edits;
use super::manifest::parse;
use super::{copy_changed, read, write_changed};
use crate::corpus;
use crate::failure::Failure;
use crate::programs;
use crate::workspace::{Workspace, could_not_start, not_metadata};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use toml::Table;

/// The folder of ports, and that of the scratch workspaces.
const FOLDER: &str = "ports";
const SCRATCH: &str = "move-over";

/// The copy whose tests run; the others are made to be compared with it.
const MOVED: &str = "moved";

/// The program that compares, and the folder it is compiled in.
const COMPARE: &str = "compare";

/// How cargo compiles in both workspaces, beside the level of optimization. Assertions are on: nothing is timed.
const PROFILE: [(&str, &str); 1] = [("CARGO_PROFILE_DEV_DEBUG", "none")];

/// The names of all ports, sorted.
pub(super) fn names(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let folder = workspace.root().join(FOLDER);
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Failure::file(&folder))? {
        let path = entry.map_err(Failure::file(&folder))?.path();
        if path.join("port.toml").is_file() {
            names.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

/// Whether the port is run only where it is named.
pub(super) fn is_by_name(workspace: &Workspace, name: &str) -> Result<bool, Failure> {
    Ok(Port::read(workspace, name)?.is_by_name)
}

/// Moves one crate over, tests it, and compares it with the published one.
pub(super) fn run(workspace: &Workspace, name: &str, is_long: bool) -> Result<(), Failure> {
    let port = Port::read(workspace, name)?;
    let published = port.published(workspace)?;
    let mut copies = Vec::new();
    for (copy, edits) in port.copies()? {
        port.copy(&published, &copy, &edits)?;
        let (go, come) = edits.num_lines();
        println!("{name} {}, {copy}: {go} lines go, {come} come", port.version);
        copies.push(copy);
    }
    port.write_workspace(&published, &copies)?;
    // Most of the time goes into compiling, unless large programs are compared.
    let level = if is_long || port.is_by_name { "1" } else { "0" };
    port.test(workspace, level)?;
    port.compare(workspace, is_long, level)
}

/// A text of a file, which is there once, and what it becomes.
struct Replacement {
    file: PathBuf,
    from: String,
    to: String,
}

impl Replacement {
    fn apply(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.from).count() {
            1 => Ok(text.replace(&self.from, &self.to)),
            count => Err(format!("{} has `{}` {count} times", self.file.display(), self.from)),
        }
    }
}

/// A port, as its folder says.
struct Port {
    name: String,
    version: String,
    checksum: String,
    /// Programs of the corpus that are counted, and those that are if it may take long.
    programs: Vec<String>,
    long: Vec<String>,
    /// The crate's own tests that the copy is not to pass.
    skip: Vec<String>,
    /// It takes minutes to compile.
    is_by_name: bool,
    /// How the copy is changed further, so that each function is judged.
    judged: Vec<Replacement>,
    folder: PathBuf,
    scratch: PathBuf,
}

impl Port {
    fn read(workspace: &Workspace, name: &str) -> Result<Self, Failure> {
        let folder = workspace.root().join(FOLDER).join(name);
        let path = folder.join("port.toml");
        let table = parse(&read(&path)?).map_err(|problem| Failure::Manifest { path: path.clone(), problem })?;
        let text = |key: &str| {
            let problem = format!("no text `{key}`");
            let text = table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
            text.ok_or(Failure::Manifest { path: path.clone(), problem })
        };
        let (version, checksum) = (text("version")?, text("checksum")?);
        let scratch = workspace.root().join("target").join(SCRATCH).join(format!("{name}-{version}"));
        let is_by_name = table.get("by_name").and_then(toml::Value::as_bool).unwrap_or(false);
        let [programs, long, skip] = ["programs", "long", "skip"].map(|key| list(&table, key));
        let judged = replacements(&table).ok_or_else(|| {
            let problem = "`judged` is no list of tables with `file`, `from` and `to`".to_owned();
            Failure::Manifest { path: path.clone(), problem }
        })?;
        Ok(Self { name: name.to_owned(), version, checksum, programs, long, skip, is_by_name, judged, folder, scratch })
    }

    /// The folder of the published crate, which is fetched unless it is there.
    fn published(&self, workspace: &Workspace) -> Result<PathBuf, Failure> {
        let folder = self.scratch.join("published");
        let source = folder.join("src");
        fs::create_dir_all(&source).map_err(Failure::file(&source))?;
        write_changed(&source.join("lib.rs"), b"")?;
        let manifest = folder.join("Cargo.toml");
        let Self { name, version, checksum, .. } = self;
        let text = format!(
            "[package]\nname = \"published\"\nedition = \"2024\"\n\n[dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
        );
        write_changed(&manifest, text.as_bytes())?;
        let metadata = workspace.metadata(&["--manifest-path", &manifest.display().to_string()])?;
        let lock = read(&folder.join("Cargo.lock"))?;
        if !lock.contains(&format!("checksum = \"{checksum}\"")) {
            return Err(Failure::NotMoved(format!("{name} {version} is not the crate of checksum {checksum}")));
        }
        folder_of(&metadata, name).map_err(not_metadata)
    }

    /// The copies to make: name and changes.
    fn copies(&self) -> Result<Vec<(String, Edits)>, Failure> {
        let mut copies = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(Failure::file(&self.folder))? {
            let path = entry.map_err(Failure::file(&self.folder))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".edits"));
            if let Some(name) = name {
                let edits = Edits::parse(&read(&path)?);
                let edits = edits.map_err(|problem| Failure::Manifest { path: path.clone(), problem })?;
                copies.push((name.to_owned(), edits));
            }
        }
        copies.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(copies)
    }

    fn copy(&self, published: &Path, copy: &str, edits: &Edits) -> Result<(), Failure> {
        let target = self.scratch.join(copy);
        let edited: Vec<PathBuf> = edits.files.iter().map(|file| published.join(&file.path)).collect();
        copy_changed(published, &target, &|path| edited.iter().any(|file| file == path))?;
        for (file, source) in edits.files.iter().zip(&edited) {
            let text = file.apply(&read(source)?);
            let text =
                text.and_then(|text| if copy == MOVED { self.judging(Path::new(&file.path), text) } else { Ok(text) });
            let text = text.map_err(|problem| Failure::NotMoved(format!("{}, {copy}: {problem}", self.name)))?;
            write_changed(&target.join(&file.path), text.as_bytes())?;
        }
        Ok(())
    }

    /// The text of a file of the copy that is judged.
    fn judging(&self, file: &Path, text: String) -> Result<String, String> {
        self.judged.iter().filter(|change| change.file == file).try_fold(text, |text, change| change.apply(&text))
    }

    /// Writes the manifest of the workspace, and the program that compares.
    ///
    /// Its only member is that program: copies have one name, and one workspace cannot have both.
    fn write_workspace(&self, published: &Path, copies: &[String]) -> Result<(), Failure> {
        let compare = self.scratch.join(COMPARE);
        fs::create_dir_all(&compare).map_err(Failure::file(&compare))?;
        for (from, to) in [("compare.rs", "compare.rs"), ("compare.toml", "Cargo.toml")] {
            write_changed(&compare.join(to), read(&self.folder.join(from))?.as_bytes())?;
        }
        let manifest = format!("[workspace]\nresolver = \"2\"\nmembers = [\"{COMPARE}\"]\nexclude = {copies:?}\n");
        write_changed(&self.scratch.join("Cargo.toml"), manifest.as_bytes())?;
        // Cargo adds what else is needed, and keeps all versions.
        let lock = self.scratch.join("Cargo.lock");
        if lock.exists() {
            return Ok(());
        }
        write_changed(&lock, read(&published.join("Cargo.lock"))?.as_bytes())
    }

    /// A cargo command on the package in the folder `package`.
    fn cargo(&self, workspace: &Workspace, level: &str, command: &str, package: &str) -> Command {
        let mut cargo = workspace.cargo();
        cargo
            .envs(PROFILE)
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", level)
            .args([command, "--manifest-path"])
            .arg(self.scratch.join(package).join("Cargo.toml"));
        cargo.arg("--target-dir").arg(self.scratch.join("target"));
        cargo
    }

    /// Runs the crate's own tests.
    fn test(&self, workspace: &Workspace, level: &str) -> Result<(), Failure> {
        let start = Instant::now();
        let mut command = self.cargo(workspace, level, "test", MOVED);
        command.args(["--no-fail-fast", "--lib", "--tests", "--"]);
        command.args(self.skip.iter().flat_map(|test| ["--skip", test]));
        let status = command.status().map_err(|error| could_not_start("cargo", error))?;
        if !status.success() {
            return Err(Failure::NotMoved(format!("tests of {} fail", self.name)));
        }
        let but = if self.skip.is_empty() { String::new() } else { format!(" but for {}", self.skip.join(", ")) };
        println!("{}: its own tests pass{but}, {:.1} s", self.name, start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Runs the program that compares, and compares what it prints.
    fn compare(&self, workspace: &Workspace, is_long: bool, level: &str) -> Result<(), Failure> {
        let start = Instant::now();
        let names = self.programs.iter().chain(if is_long { &self.long[..] } else { &[] });
        let mut files = Vec::new();
        for name in names {
            let program = programs::named(name).map_err(Failure::NotMoved)?;
            files.push(format!("{name}={}", corpus::ensure(workspace, program)?.display()));
        }
        let mut command = self.cargo(workspace, level, "run", COMPARE);
        command.args(["--quiet", "--", "all"]).args(files);
        let output = command.stderr(std::process::Stdio::inherit()).output();
        let output = output.map_err(|error| could_not_start("cargo", error))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        println!("{}", printed.trim_end());
        if !output.status.success() {
            return Err(Failure::command(format!("compare of {}", self.name), &output));
        }
        let expected = read(&self.folder.join("counts.txt"))?;
        let left_out = if is_long { &[] } else { &self.long[..] };
        if let Some((expected, printed)) = first_difference(&expected, left_out, &printed) {
            let problem = format!("{}: counts.txt has `{expected}`, and now it is `{printed}`", self.name);
            return Err(Failure::NotMoved(problem));
        }
        println!("{}: as in counts.txt, {:.1} s", self.name, start.elapsed().as_secs_f64());
        Ok(())
    }
}

/// The texts that a manifest lists under `key`.
fn list(table: &Table, key: &str) -> Vec<String> {
    let values = table.get(key).and_then(toml::Value::as_array).into_iter().flatten();
    values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

/// The replacements that a manifest lists as `judged`.
fn replacements(table: &Table) -> Option<Vec<Replacement>> {
    let listed = table.get("judged").map_or(Some(&[][..]), |value| value.as_array().map(Vec::as_slice))?;
    let text = |value: &toml::Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
    let replacement = |value| {
        Some(Replacement { file: text(value, "file")?.into(), from: text(value, "from")?, to: text(value, "to")? })
    };
    listed.iter().map(replacement).collect()
}

/// The folder of the package `name`.
pub(super) fn folder_of(metadata: &Value, name: &str) -> Result<PathBuf, String> {
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let package = packages.iter().find(|package| package["name"] == name).ok_or(format!("no package {name}"))?;
    let manifest = package["manifest_path"].as_str().ok_or("a package has no manifest_path")?;
    Path::new(manifest).parent().map(Path::to_owned).ok_or("a manifest is in no folder".to_owned())
}

/// The first line expected that is not the one printed; an empty line where there is none. The programs `left_out` are
/// not expected: a line `NAME: ..`, and those below that are indented.
fn first_difference<'t>(expected: &'t str, left_out: &[String], printed: &'t str) -> Option<(&'t str, &'t str)> {
    let is_of = |line: &str, name: &String| line.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(':'));
    let mut is_expected = true;
    let expected = expected.lines().filter(|line| {
        if !line.starts_with(' ') {
            is_expected = !left_out.iter().any(|name| is_of(line, name));
        }
        is_expected
    });
    let (mut expected, mut printed) = (expected, printed.lines());
    loop {
        match (expected.next(), printed.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => return Some((one.unwrap_or_default(), other.unwrap_or_default())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{first_difference, folder_of, list, replacements};
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn what_is_printed_has_to_be_expected() {
        let (expected, long) = ("a\n  1\nlong: 2\n  2\nlonger: 3\n  3\n", ["long".to_owned()]);
        assert_eq!(first_difference(expected, &[], expected), None);
        assert_eq!(first_difference(expected, &long, "a\n  1\nlonger: 3\n  3\n"), None);
        assert_eq!(first_difference(expected, &long, "a\n  1\n"), Some(("longer: 3", "")));
        assert_eq!(first_difference(expected, &[], ""), Some(("a", "")));
        assert_eq!(first_difference("a\n", &[], "a\nb\n"), Some(("", "b")));
        assert_eq!(first_difference("a\n  1\n", &[], "a\n  2\n"), Some(("  1", "  2")));
    }

    #[test]
    fn the_published_crate_is_where_cargo_has_it() {
        let package = json!({ "name": "it", "manifest_path": "/sources/it-1.2.3/Cargo.toml" });
        let found = |name| folder_of(&json!({ "packages": [package] }), name);
        assert_eq!(found("it").unwrap(), Path::new("/sources/it-1.2.3"));
        assert_eq!(found("other").unwrap_err(), "no package other");
    }

    #[test]
    fn what_is_replaced_is_there_once() {
        let table = "judged = [{ file = 'a', from = 'b', to = 'c' }]".parse().unwrap();
        let [replacement] = &replacements(&table).unwrap()[..] else { panic!("one is listed") };
        assert_eq!(replacement.apply("abd").as_deref(), Ok("acd"));
        assert_eq!(replacement.apply("ad").unwrap_err(), "a has `b` 0 times");
        assert_eq!(replacement.apply("bb").unwrap_err(), "a has `b` 2 times");
        assert!(replacements(&"judged = [1]".parse().unwrap()).is_none());
        assert!(replacements(&"".parse().unwrap()).unwrap().is_empty());
    }

    #[test]
    fn a_list_may_be_absent() {
        let table = "programs = ['one', 'two']".parse().unwrap();
        assert_eq!(list(&table, "programs"), ["one", "two"]);
        assert!(list(&table, "long").is_empty());
    }
}

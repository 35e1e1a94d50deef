//! Sources of programs from Debian's source packages, prepared by their own makefiles.
//!
//! The machine lists packages of programs and perhaps none of sources, so `apt-get` gets a configuration of its own below
//! `target`: the machine's, with `deb` replaced by `deb-src`. Nothing is installed, and nothing else is changed.

use super::output;
use crate::failure::Failure;
use crate::workspace::could_not_start;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A source package.
pub(super) struct Package {
    pub(super) name: &'static str,
    /// The commands that write its headers and compile it with the machine's compiler, in its folder.
    pub(super) preparation: &'static [&'static [&'static str]],
}

impl Package {
    /// The folder with its sources, which are fetched and prepared if they are not there.
    pub(super) fn bring(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let root = folder.join(self.name);
        let sources = root.join("source");
        if version_file(&root).exists() {
            return Ok(sources);
        }
        // An attempt that was interrupted starts again.
        if root.exists() {
            fs::remove_dir_all(&root).map_err(Failure::file(&root))?;
        }
        let archives = root.join("archives");
        fs::create_dir_all(&archives).map_err(Failure::file(&archives))?;
        let apt = Apt::bring(&folder.join("apt"))?;
        let version = apt.download(self.name, &archives)?;
        unpack(&archives, &sources)?;
        for words in self.preparation {
            let Some((program, arguments)) = words.split_first() else { continue };
            output(Command::new(program).args(arguments).current_dir(&sources).stdin(Stdio::null()))?;
        }
        let file = version_file(&root);
        fs::write(&file, version).map_err(Failure::file(&file))?;
        Ok(sources)
    }

    /// Its version, after it was brought.
    pub(super) fn version(&self, folder: &Path) -> Result<String, Failure> {
        let file = version_file(&folder.join(self.name));
        fs::read_to_string(&file).map_err(Failure::file(&file))
    }
}

/// The file that is written last.
fn version_file(root: &Path) -> PathBuf {
    root.join("version")
}

/// Extracts the archive of a package as its authors have published it, without Debian's changes.
fn unpack(archives: &Path, target: &Path) -> Result<(), Failure> {
    let Some(archive) = entries(archives)?.into_iter().find(|path| {
        let name = name(path);
        name.contains(".orig.tar.") && !name.ends_with(".asc")
    }) else {
        let problem = "no archive of sources".to_owned();
        return Err(Failure::Answer { command: "apt-get source".to_owned(), problem });
    };
    let unpacked = target.with_file_name("unpacked");
    fs::create_dir_all(&unpacked).map_err(Failure::file(&unpacked))?;
    output(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(&unpacked))?;
    // Most archives have a folder with everything, some have none.
    let top = match &entries(&unpacked)?[..] {
        [only] if only.is_dir() => only.clone(),
        _ => unpacked,
    };
    fs::rename(&top, target).map_err(Failure::file(target))
}

/// `apt-get` with lists of sources.
struct Apt {
    options: Vec<String>,
}

/// Where Debian keeps the addresses of packages.
const ADDRESSES: &str = "/etc/apt";

impl Apt {
    /// Writes the configuration and fetches the lists, if they are not there.
    fn bring(folder: &Path) -> Result<Self, Failure> {
        let [parts, lists, cache] = ["parts", "lists", "cache"].map(|name| folder.join(name));
        let options = ["SourceList=/dev/null".to_owned(), format!("SourceParts={}", parts.display())];
        let mut options = options.map(|option| format!("Dir::Etc::{option}")).to_vec();
        options.push(format!("Dir::State::Lists={}", lists.display()));
        options.push(format!("Dir::Cache={}", cache.display()));
        let apt = Self { options };
        if parts.exists() {
            return Ok(apt);
        }
        for folder in [lists.join("partial"), cache.join("archives").join("partial"), parts.clone()] {
            fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        }
        let addresses = Path::new(ADDRESSES);
        let mut files = entries(&addresses.join("sources.list.d"))?;
        files.push(addresses.join("sources.list"));
        for file in files.iter().filter(|file| file.exists()) {
            let rewrite = match file.extension().and_then(|ending| ending.to_str()) {
                Some("sources") => of_sources,
                Some("list") => of_sources_in_lines,
                _ => continue,
            };
            let text = fs::read_to_string(file).map_err(Failure::file(file))?;
            let target = parts.join(name(file));
            fs::write(&target, rewrite(&text)).map_err(Failure::file(&target))?;
        }
        // It fails if one of the addresses has no sources; what matters is whether the package is found.
        let update = apt.command("apt-get").arg("update").output();
        update.map_err(|error| could_not_start("apt-get", error))?;
        Ok(apt)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for option in &self.options {
            command.args(["-o", option]);
        }
        command
    }

    /// Fetches the archives of a package into a folder, and returns its version.
    ///
    /// The newest version may be listed and not be there; then the others are tried.
    fn download(&self, package: &str, folder: &Path) -> Result<String, Failure> {
        let download = |package: &str| {
            let mut command = self.command("apt-get");
            output(command.args(["source", "--download-only", package]).current_dir(folder))
        };
        if let Err(failure) = download(package) {
            let listed = self.command("apt-cache").args(["madison", package]).output();
            let listed = listed.map_err(|error| could_not_start("apt-cache", error))?;
            let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
            let mut versions = listed.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim);
            if !versions.any(|version| download(&format!("{package}={version}")).is_ok()) {
                return Err(failure);
            }
        }
        let description =
            entries(folder)?.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "dsc"));
        let stem = description.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let version = stem.as_deref().and_then(|stem| stem.split_once('_')).map(|(_, version)| version.to_owned());
        let problem = "no description of the package".to_owned();
        version.ok_or(Failure::Answer { command: "apt-get source".to_owned(), problem })
    }
}

/// The addresses of sources for a file in paragraphs.
fn of_sources(text: &str) -> String {
    let line =
        |line: &str| if line.starts_with("Types:") { "Types: deb-src\n".to_owned() } else { format!("{line}\n") };
    text.lines().map(line).collect()
}

/// The addresses of sources for a file with an address in each line.
fn of_sources_in_lines(text: &str) -> String {
    let addresses = text.lines().filter_map(|line| line.trim_start().strip_prefix("deb "));
    addresses.map(|address| format!("deb-src {address}\n")).collect()
}

/// The paths in a folder, sorted; none if there is no such folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(Failure::file(folder))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = paths.map_err(Failure::file(folder))?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{of_sources, of_sources_in_lines};

    #[test]
    fn addresses_of_programs_become_addresses_of_sources() {
        let paragraph = "Types: deb\nURIs: u\nSuites: s\n\nTypes: deb deb-src\nURIs: v\n";
        assert_eq!(of_sources(paragraph), "Types: deb-src\nURIs: u\nSuites: s\n\nTypes: deb-src\nURIs: v\n");
        assert_eq!(of_sources_in_lines("# deb no\ndeb [a=b] u s main\ndeb-src u s\n"), "deb-src [a=b] u s main\n");
    }
}

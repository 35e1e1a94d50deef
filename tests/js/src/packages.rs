//! Packages of npm: each is used in the same way before and after the round trip of all its files, and prints the same.
//!
//! `packages/package.json` and its lock name the packages; `npm ci` brings them to `target/packages`. What uses them is
//! `packages/workloads.js`.

use crate::threads::on_threads;
use crate::{Transformation, workspace};
use ssaphire_js::source::SourceKind;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A list of packages: a folder of this name with `package.json` and its lock.
#[derive(Clone, Copy, Debug)]
pub struct List {
    name: &'static str,
}

/// The packages that are used by `packages/workloads.js`.
pub const USED: List = List { name: "packages" };

/// The packages that have tests of their own.
pub const TESTED: List = List { name: "tested" };

/// How long a package may be used.
const PATIENCE: Duration = Duration::from_secs(60);

/// Brings the packages, unless they are there. Their scripts do not run.
///
/// # Errors
/// If npm is not there, or fails.
pub fn install() -> io::Result<()> {
    USED.install()
}

impl List {
    /// The folder with the list of packages.
    fn folder(self) -> PathBuf {
        workspace().join("tests/js").join(self.name)
    }

    /// The folder of the packages that were transformed.
    pub(crate) fn folder_of(self, transformation: Transformation) -> PathBuf {
        let name = match transformation {
            Transformation::Identity => "as-they-are",
            _ => transformation.name(),
        };
        workspace().join("target").join(self.name).join(name)
    }

    /// Brings the packages, unless they are there. Their scripts do not run.
    ///
    /// # Errors
    /// If npm is not there, or fails.
    pub fn install(self) -> io::Result<()> {
        let folder = self.folder_of(Transformation::Identity);
        let lock = fs::read(self.folder().join("package-lock.json"))?;
        if fs::read(folder.join("package-lock.json")).is_ok_and(|there| there == lock) && folder.join("done").exists() {
            return Ok(());
        }
        fs::create_dir_all(&folder)?;
        fs::copy(self.folder().join("package.json"), folder.join("package.json"))?;
        fs::write(folder.join("package-lock.json"), lock)?;
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
        if !npm.status()?.success() {
            return Err(io::Error::other("npm ci fails"));
        }
        fs::write(folder.join("done"), "")
    }
}

/// The names of the packages that are used.
///
/// # Errors
/// If the list cannot be read.
pub fn names() -> io::Result<Vec<String>> {
    let text = fs::read_to_string(USED.folder().join("package.json"))?;
    let manifest: serde_json::Value = serde_json::from_str(&text)?;
    let names = manifest["dependencies"].as_object().map(|all| all.keys().cloned().collect());
    names.ok_or_else(|| io::Error::other("package.json has no dependencies"))
}

/// What came of the files.
#[derive(Debug, Default)]
pub struct Files {
    /// How many were transformed.
    pub written: usize,
    /// How many of these are their sources.
    pub unchanged: usize,
    /// How many call helpers.
    pub with_helpers: usize,
    /// By helper, how many have it.
    pub helpers: BTreeMap<String, usize>,
    /// Those that were refused, by their paths, and why.
    pub refused: Vec<(String, String)>,
}

/// Transforms all files of all packages, on `jobs` threads.
///
/// # Errors
/// If a file cannot be read or written.
pub fn transform(transformation: Transformation, jobs: usize) -> io::Result<Files> {
    transform_list(USED, transformation, |_| false, jobs)
}

/// Transforms the files of the packages of a list, on `jobs` threads; files for which `stays` holds are copied.
///
/// # Errors
/// If a file cannot be read or written.
pub fn transform_list(
    list: List,
    transformation: Transformation,
    stays: fn(&Path) -> bool,
    jobs: usize,
) -> io::Result<Files> {
    let (from, to) = (list.folder_of(Transformation::Identity), list.folder_of(transformation));
    match fs::remove_dir_all(&to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut scripts = Vec::new();
    mirror(&from.join("node_modules"), &to.join("node_modules"), &mut scripts)?;
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Files::default()));
    let work = || {
        while let Some((source, target)) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stays(source.strip_prefix(&from).unwrap_or(source)) {
                fs::copy(source, target)?;
                continue;
            }
            let text = fs::read_to_string(source)?;
            let name = || source.strip_prefix(&from).unwrap_or(source).display().to_string();
            let written = transformed(source, &text, transformation);
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match &written {
                Ok(written) => {
                    found.written += 1;
                    found.unchanged += usize::from(*written == text);
                    // A name of the source is none of a helper.
                    let is_new = |helper: &String| !text.contains(helper.as_str());
                    let helpers: Vec<String> = helpers(written).into_iter().filter(is_new).collect();
                    found.with_helpers += usize::from(!helpers.is_empty());
                    helpers.into_iter().for_each(|helper| *found.helpers.entry(helper).or_default() += 1);
                }
                Err(error) => found.refused.push((name(), error.clone())),
            }
            drop(found);
            fs::write(target, written.unwrap_or(text))?;
        }
        Ok(())
    };
    on_threads(jobs, work)?;
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.refused.sort();
    Ok(found)
}

/// The helpers with which a text begins, behind its directives.
fn helpers(text: &str) -> Vec<String> {
    let lines = text.lines().take(40).filter_map(|line| line.strip_prefix("var $").or(line.strip_prefix("const $")));
    lines.filter_map(|line| Some(format!("${}", line.split_once(" = ")?.0))).collect()
}

/// The folder of the packages that were transformed.
pub(crate) fn folder_of(transformation: Transformation) -> PathBuf {
    USED.folder_of(transformation)
}

/// Links all files of a folder into another one, but for scripts, which are listed with their places there.
fn mirror(from: &Path, to: &Path, scripts: &mut Vec<(PathBuf, PathBuf)>) -> io::Result<()> {
    let mut work = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = work.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (path, target) = (entry.path(), to.join(entry.file_name()));
            let is_script = path.extension().is_some_and(|end| end == "js" || end == "cjs" || end == "mjs");
            match entry.file_type()? {
                kind if kind.is_dir() => work.push((path, target)),
                kind if kind.is_file() && is_script => scripts.push((path, target)),
                kind if kind.is_file() => fs::hard_link(path, target)?,
                // Links to commands.
                _ => {}
            }
        }
    }
    Ok(())
}

/// What the command makes of a file: by its extension, or as a CommonJS module if that is what it is.
pub(crate) fn transformed(file: &Path, text: &str, transformation: Transformation) -> Result<String, String> {
    let extension = file.extension().and_then(|end| end.to_str()).unwrap_or("");
    let kind = SourceKind::from_extension(extension).ok_or("no JavaScript")?;
    let apply = |kind| {
        let run = AssertUnwindSafe(|| transformation.apply(text, kind));
        catch_unwind(run).unwrap_or_else(|_| Err("it panics".to_owned()))
    };
    apply(kind).or_else(|error| apply(SourceKind::COMMON_JS).map_err(|_| error))
}

/// What the workload of a package prints, when it uses the packages that were transformed so.
///
/// # Errors
/// If node cannot be started, or does not end.
pub fn run(name: &str, transformation: Transformation) -> io::Result<String> {
    let folder = folder_of(transformation);
    let output = folder.join(format!("{}.out", name.replace('/', "-")));
    let mut command = Command::new("node");
    command.arg("--no-warnings").arg(USED.folder().join("workloads.js")).arg(&folder).arg(name);
    let text = printed(command, &output)?;
    // Paths and ports are not the same.
    Ok(text.replace(&folder.display().to_string(), ""))
}

/// What a command prints, by way of a file.
pub(crate) fn printed(mut command: Command, output: &Path) -> io::Result<String> {
    command.stdin(Stdio::null()).stdout(File::create(output)?).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok("it does not end".to_owned());
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(String::from_utf8_lossy(&fs::read(output)?).into_owned())
}

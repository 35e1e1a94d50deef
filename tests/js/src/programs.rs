//! Real programs: a library is used in the same way before and after the round trip, and answers the same.
//!
//! The libraries are those of `cargo xtask corpus`. What uses them is in `drivers/`: programs for node that get the path of
//! a library, and print what they observe.

use crate::{Transformation, workspace};
use ssaphire_js::source::SourceKind;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a driver may run.
const PATIENCE: Duration = Duration::from_secs(300);

fn corpus() -> PathBuf {
    workspace().join("target/corpus")
}

/// The file of the corpus called `name`, or `None` if it is not there.
pub fn corpus_file(name: &str) -> Option<PathBuf> {
    Some(corpus().join(name)).filter(|file| file.exists())
}

/// All JavaScript files of the corpus, sorted.
///
/// # Errors
/// If the folder of the corpus cannot be read.
pub fn corpus_scripts() -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(corpus())? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "js"));
    files.sort();
    Ok(files)
}

/// The file that has the transformed text of `file`, a script or a module by its text.
///
/// # Errors
/// Why it is refused, or cannot be read or written.
pub fn transformed(file: &Path, transformation: Transformation) -> Result<PathBuf, String> {
    let said = |file: &Path| {
        let file = file.display().to_string();
        move |error: io::Error| format!("{file}: {error}")
    };
    let source = fs::read_to_string(file).map_err(said(file))?;
    let kind = SourceKind::from_extension("js").ok_or("there is no JavaScript")?;
    let text = transformation.apply(&source, kind).map_err(|error| format!("{}: {error}", file.display()))?;
    let name = file.strip_prefix(corpus()).unwrap_or(Path::new(file.file_name().unwrap_or_default()));
    let target = workspace().join("target/js-tests").join(transformation.name()).join(name);
    let folder = target.parent().unwrap_or(&target);
    fs::create_dir_all(folder).map_err(said(folder))?;
    fs::write(&target, text).map_err(said(&target))?;
    Ok(target)
}

/// What the driver called `name` prints when it is given `arguments`.
///
/// # Errors
/// That it fails, with what it says, or does not end.
pub fn run_driver(name: &str, arguments: &[String]) -> Result<String, String> {
    let folder = workspace().join("target/js-tests");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    // Files, and not pipes, so that nobody waits for a reader. The process and the thread keep runs apart.
    let run = format!("{name}-{}-{:?}", std::process::id(), thread::current().id()).replace(['(', ')'], "-");
    let paths = [folder.join(format!("{run}.out")), folder.join(format!("{run}.err"))];
    let result = run_into(name, arguments, &paths);
    let texts = paths.clone().map(|path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
    for path in &paths {
        // They are of no use any more.
        let _ = fs::remove_file(path);
    }
    let [output, complaint] = texts.map(Result::unwrap_or_default);
    match result.map_err(|error| error.to_string())? {
        true => Ok(output),
        false => Err(format!("{name}: {}", complaint.lines().take(30).collect::<Vec<_>>().join("\n"))),
    }
}

/// Whether the driver succeeds.
fn run_into(name: &str, arguments: &[String], paths: &[PathBuf; 2]) -> io::Result<bool> {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("drivers").join(format!("{name}.js"));
    let mut command = Command::new("node");
    // Transformed functions may need more stack than those that people write.
    command.arg("--stack-size=2000").arg("--max-old-space-size=4096").arg(driver).args(arguments);
    command.stdin(Stdio::null()).stdout(File::create(&paths[0])?).stderr(File::create(&paths[1])?);
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!("{name} does not end")));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The first line in which two outputs differ, in both of them.
pub fn first_difference(before: &str, after: &str) -> Option<(String, String)> {
    let (mut before, mut after) = (before.lines(), after.lines());
    loop {
        match (before.next(), after.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some((a.unwrap_or("nothing").to_owned(), b.unwrap_or("nothing").to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn outputs_are_compared_by_lines() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\n"), Some(("b".to_owned(), "nothing".to_owned())));
        assert_eq!(first_difference("", "x"), Some(("nothing".to_owned(), "x".to_owned())));
    }
}

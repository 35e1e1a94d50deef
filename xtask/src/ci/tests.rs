//! The test programs of one build, by package.

use crate::failure::Failure;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The name of the target, such as `it`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of its package, in which it runs.
    pub(crate) folder: PathBuf,
}

/// The test programs in the messages that `cargo test --no-run --message-format json` has left in `file`, by package.
pub(crate) fn programs(file: &Path) -> Result<BTreeMap<String, Vec<Program>>, Failure> {
    let text = fs::read_to_string(file).map_err(Failure::file(file))?;
    Ok(of_messages(&text))
}

fn of_messages(text: &str) -> BTreeMap<String, Vec<Program>> {
    let mut programs: BTreeMap<String, Vec<Program>> = BTreeMap::new();
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    for message in messages.filter(|message| message["reason"] == "compiler-artifact") {
        let is_test = message["profile"]["test"] == true;
        let words = |key: &str| message[key].as_str().map(str::to_owned);
        let (Some(path), Some(manifest), true) = (words("executable"), words("manifest_path"), is_test) else {
            continue;
        };
        let folder = Path::new(&manifest).parent().map(Path::to_owned).unwrap_or_default();
        let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
        let id = message["package_id"].as_str().unwrap_or_default();
        programs.entry(package_of(id)).or_default().push(Program { name, path: path.into(), folder });
    }
    programs.values_mut().for_each(|programs| programs.sort_by(|one, other| one.name.cmp(&other.name)));
    programs
}

/// The name of the package in an identifier: `path+file:///a/b#name@0.1.0`, or `path+file:///a/name#0.1.0`.
fn package_of(id: &str) -> String {
    let (path, fragment) = id.rsplit_once('#').unwrap_or(("", id));
    match fragment.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => path.rsplit('/').next().unwrap_or(path).to_owned(),
    }
}

#[cfg(test)]
mod unit_tests {
    use super::{of_messages, package_of};
    use std::path::Path;

    #[test]
    fn programs_are_found_in_messages() {
        let text = concat!(
            r#"{"reason":"compiler-artifact","package_id":"path+file:///w/ir#ssaphire-ir@0.1.0","manifest_path":"/w/ir/Cargo.toml","#,
            r#""target":{"name":"it"},"profile":{"test":true},"executable":"/w/target/it"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","package_id":"path+file:///w/ir#ssaphire-ir@0.1.0","manifest_path":"/w/ir/Cargo.toml","#,
            r#""target":{"name":"ssaphire_ir"},"profile":{"test":false},"executable":null}"#,
            "\nnot a message\n",
        );
        let programs = of_messages(text);
        assert_eq!(programs.len(), 1);
        let [program] = &programs["ssaphire-ir"][..] else { panic!("{programs:?}") };
        assert_eq!((program.name.as_str(), program.folder.as_path()), ("it", Path::new("/w/ir")));
    }

    #[test]
    fn an_identifier_names_its_package() {
        assert_eq!(package_of("path+file:///w/core/check#ssaphire-check@0.1.0"), "ssaphire-check");
        assert_eq!(package_of("path+file:///w/xtask#0.1.0"), "xtask");
    }
}

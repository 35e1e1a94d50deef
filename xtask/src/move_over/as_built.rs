//! The features that the build of CI has compiled packages with.
//!
//! Cargo compiles a package again for another set of features, and what depends on it, too. In the workspace of the moved
//! crate fewer packages ask for features than in the project. So a member without code asks for those of the project's
//! build, as far as its messages are there: then what depends on the moved crate is compiled, and nothing else.

use super::scratch::{AS_BUILT, table};
use super::{read, write_changed};
use crate::ci;
use crate::failure::Failure;
use crate::workspace::{Workspace, not_metadata};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use toml::Table;

/// The features of each package that was built for this machine, by the package's identifier.
type Features = BTreeMap<String, BTreeSet<String>>;

/// Writes the member into the workspace in `folder`, without dependencies.
pub(super) fn begin(folder: &Path) -> Result<(), Failure> {
    let source = folder.join(AS_BUILT).join("src");
    fs::create_dir_all(&source).map_err(Failure::file(&source))?;
    write_changed(&source.join("lib.rs"), b"")?;
    write(folder, Vec::new()).map(drop)
}

/// Lets the member ask for what was built of the packages in the workspace. What `metadata` says may be another answer then:
/// it is asked until it stays the same.
pub(super) fn ask(
    workspace: &Workspace,
    folder: &Path,
    mut metadata: impl FnMut() -> Result<Value, Failure>,
) -> Result<Value, Failure> {
    let messages = ci::messages(workspace);
    let built = if messages.is_file() { of_messages(&read(&messages)?) } else { Features::new() };
    loop {
        let found = metadata()?;
        if !write(folder, dependencies(&found, &built).map_err(not_metadata)?)? {
            return Ok(found);
        }
    }
}

/// Writes the manifest of the member; whether it has changed.
fn write(folder: &Path, dependencies: Vec<Table>) -> Result<bool, Failure> {
    let path = folder.join(AS_BUILT).join("Cargo.toml");
    let package = table([("name", AS_BUILT), ("version", "0.0.0"), ("edition", "2024")]);
    let dependencies = dependencies.into_iter().enumerate();
    let dependencies: Table =
        dependencies.map(|(number, dependency)| (format!("d{number}"), dependency.into())).collect();
    let manifest: Table =
        [("package".to_owned(), package), ("dependencies".to_owned(), dependencies.into())].into_iter().collect();
    let text = manifest.to_string();
    let has_changed = !path.is_file() || read(&path)? != text;
    write_changed(&path, text.as_bytes())?;
    Ok(has_changed)
}

/// What to ask for: each published library of the workspace that was built, with the features it was built with.
fn dependencies(metadata: &Value, built: &Features) -> Result<Vec<Table>, String> {
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let mut dependencies = Vec::new();
    for package in packages {
        let text = |key: &str| package[key].as_str().ok_or(format!("a package has no {key}"));
        // The project's own packages may be built with a rival that is not to be compiled here.
        let is_published = !package["source"].is_null();
        let (Some(features), true) = (built.get(text("id")?), is_published) else { continue };
        // What was built may be older than what is there.
        let has_feature = |feature: &&String| package["features"].get(feature).is_some();
        let features: Vec<toml::Value> = features.iter().filter(has_feature).map(|name| name.as_str().into()).collect();
        let mut dependency = Table::new();
        dependency.insert("package".to_owned(), text("name")?.into());
        dependency.insert("default-features".to_owned(), false.into());
        dependency.insert("features".to_owned(), features.into());
        dependency.insert("version".to_owned(), format!("={}", text("version")?).into());
        dependencies.push(dependency);
    }
    Ok(dependencies)
}

/// What was built, in cargo's messages; build scripts, macros and what they are made of are optimized for nothing.
fn of_messages(text: &str) -> Features {
    let mut built = Features::new();
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    for message in messages.filter(|message| message["reason"] == "compiler-artifact") {
        let is_library =
            message["target"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "lib"));
        let is_for_host = message["profile"]["opt_level"] == "0" || message["profile"]["test"] == true;
        let (Some(id), true, false) = (message["package_id"].as_str(), is_library, is_for_host) else { continue };
        let features = message["features"].as_array().into_iter().flatten();
        built.entry(id.to_owned()).or_default().extend(features.filter_map(Value::as_str).map(str::to_owned));
    }
    built
}

#[cfg(test)]
mod tests {
    use super::{dependencies, of_messages};
    use serde_json::{Value, json};

    fn artifact(id: &str, kind: &str, opt_level: &str, features: &[&str]) -> String {
        let (target, profile) = (json!({ "kind": [kind] }), json!({ "opt_level": opt_level, "test": false }));
        json!({ "reason": "compiler-artifact", "package_id": id, "target": target, "profile": profile, "features": features })
            .to_string()
    }

    fn package(id: &str, source: Option<&str>, features: &Value) -> Value {
        json!({
            "id": id, "name": id, "version": "1.2.3", "source": source, "features": features,
        })
    }

    #[test]
    fn what_was_built_is_asked_for_as_it_was_built() {
        let messages = [
            artifact("log", "lib", "1", &["std", "gone"]),
            artifact("log", "custom-build", "0", &["other"]),
            artifact("syn", "lib", "0", &["full"]),
            artifact("ours", "lib", "1", &[]),
            artifact("elsewhere", "lib", "1", &[]),
        ];
        let built = of_messages(&messages.join("\n"));
        assert_eq!(built.keys().map(String::as_str).collect::<Vec<_>>(), ["elsewhere", "log", "ours"]);
        let packages = [
            package("log", Some("registry"), &json!({ "std": [] })),
            package("ours", None, &json!({})),
            package("syn", Some("registry"), &json!({ "full": [] })),
        ];
        let found = dependencies(&json!({ "packages": packages }), &built).unwrap();
        let [log] = &found[..] else { panic!("{found:?}") };
        let expected = "package = \"log\"\ndefault-features = false\nfeatures = [\"std\"]\nversion = \"=1.2.3\"\n";
        assert_eq!(*log, expected.parse().unwrap());
    }
}

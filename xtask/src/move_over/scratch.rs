//! The workspace below `target` in which wasmtime is compiled with the moved crate.
//!
//! It is the project's, but for its members, the paths in it, and the moved
//! crate in place of the published one. So versions and profiles are those of the
//! project; with the features of its build, what is compiled serves both.

use super::manifest::parse;
use super::{MOVED, SUITE_FOLDER, as_built, read, write_changed};
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Value;

/// The member that is tested.
const MEMBER: &str = "suite";

/// The member that [asks for features](super::as_built).
pub(super) const AS_BUILT: &str = "as-built";

/// What cargo calls the registry where a manifest names none.
const REGISTRY: &str = "crates-io";

/// The tests of the suite: names and files.
const TESTS: [(&str, &str); 2] = [("rival", "rival/main.rs"), ("scripts", "scripts.rs")];

/// From the scratch workspace to the project.
const PROJECT: &str = "../..";

/// Writes the workspace into `folder`, where the moved crate is in the folder `moved`.
pub(super) fn write(project: &Path, folder: &Path, moved: &str) -> Result<(), Failure> {
    as_built::begin(folder)?;
    let member = folder.join(MEMBER);
    fs::create_dir_all(&member).map_err(Failure::file(&member))?;
    let changed = |source: PathBuf, target: PathBuf, change: &dyn Fn(&str) -> Result<String, String>| {
        let text = change(&read(&source)?).map_err(|problem| Failure::Manifest { path: source, problem })?;
        write_changed(&target, text.as_bytes())
    };
    changed(project.join("Cargo.toml"), folder.join("Cargo.toml"), &|text| workspace(text, moved))?;
    changed(project.join(SUITE_FOLDER).join("Cargo.toml"), member.join("Cargo.toml"), &suite)?;
    // Cargo removes what is not needed here, and keeps all versions.
    changed(project.join("Cargo.lock"), folder.join("Cargo.lock"), &|text| Ok(text.to_owned()))
}

/// The manifest of the workspace.
fn workspace(project: &str, moved: &str) -> Result<String, String> {
    let mut manifest = parse(project)?;
    let workspace = manifest.get_mut("workspace").and_then(Value::as_table_mut).ok_or("no [workspace]")?;
    workspace.remove("default-members");
    workspace.insert("members".to_owned(), vec![MEMBER, AS_BUILT].into());
    workspace.insert("exclude".to_owned(), vec![moved].into());
    let dependencies = workspace.get_mut("dependencies").and_then(Value::as_table_mut);
    for (_, dependency) in dependencies.ok_or("no [workspace.dependencies]")?.iter_mut() {
        if let Some(Value::String(path)) = dependency.get_mut("path") {
            *path = format!("{PROJECT}/{path}");
        }
    }
    // These are about packages that are not here.
    if let Some(profiles) = manifest.get_mut("profile").and_then(Value::as_table_mut) {
        profiles.remove("release");
        profiles.get_mut("thorough").and_then(Value::as_table_mut).and_then(|thorough| thorough.remove("package"));
    }
    manifest.insert("patch".to_owned(), table([(REGISTRY, table([(MOVED, table([("path", moved)]))]))]));
    Ok(manifest.to_string())
}

/// The manifest of the member: that of the tests, which stay where they are.
fn suite(tests: &str) -> Result<String, String> {
    let mut manifest = parse(tests)?;
    let test = |(name, file): (&str, &str)| {
        let path = format!("{PROJECT}/../{SUITE_FOLDER}/tests/{file}");
        table([("name", name), ("path", &path)])
    };
    manifest.insert("test".to_owned(), TESTS.map(test).to_vec().into());
    Ok(manifest.to_string())
}

/// A table of these keys.
pub(super) fn table<V: Into<Value>, const N: usize>(entries: [(&str, V); N]) -> Value {
    Value::Table(entries.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::{suite, workspace};
    use toml::{Table, toml};

    #[test]
    fn the_workspace_is_the_projects_with_another_member() {
        let project = "[workspace]\nmembers = ['core', 'tests']\ndefault-members = ['core']\nexclude = ['fuzz']\n\
            [workspace.dependencies]\ncore = { path = 'core/it' }\nlog = '=0.4.1'\n\
            [profile.dev]\nopt-level = 1\n[profile.release.package.bench]\ncodegen-units = 1\n\
            [profile.thorough.package.bench]\nopt-level = 0\n";
        let expected = toml! {
            [workspace]
            members = ["suite", "as-built"]
            exclude = ["moved-1.2.3"]
            [workspace.dependencies]
            core = { path = "../../core/it" }
            log = "=0.4.1"
            [profile.dev]
            opt-level = 1
            [profile.thorough]
            [patch.crates-io]
            wasmtime-internal-cranelift = { path = "moved-1.2.3" }
        };
        assert_eq!(workspace(project, "moved-1.2.3").unwrap().parse::<Table>().unwrap(), expected);
        assert_eq!(workspace("[package]", "moved-1.2.3").unwrap_err(), "no [workspace]");
    }

    #[test]
    fn the_tests_stay_where_they_are() {
        let tests = "[package]\nname = 'beside'\n[dev-dependencies]\nwasmtime = '48.0'\n";
        let expected = toml! {
            [package]
            name = "beside"
            [dev-dependencies]
            wasmtime = "48.0"
            [[test]]
            name = "rival"
            path = "../../../tests/wasmtime/tests/rival/main.rs"
            [[test]]
            name = "scripts"
            path = "../../../tests/wasmtime/tests/scripts.rs"
        };
        assert_eq!(suite(tests).unwrap().parse::<Table>().unwrap(), expected);
    }
}

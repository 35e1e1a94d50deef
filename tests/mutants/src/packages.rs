//! The packages that the copy has: those that the finder needs, and their manifests as they are there.

use super::Problem;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// The package whose tests look for each mutant.
const FINDER: &str = "tests/mutants/found";

/// The package that says which mutant is on.
const SWITCH: &str = "ssaphire-mutants-switch";

/// The packages of the copy.
pub(crate) struct Packages {
    /// The manifest of the workspace.
    root: Table,
    /// By folder, the manifest.
    manifests: BTreeMap<String, Table>,
}

impl Packages {
    /// The finder, and what it depends on.
    pub(crate) fn read(root: &Path) -> Result<Self, Problem> {
        let manifest = |folder: &str| -> Result<Table, Problem> {
            let path = Path::new(folder).join("Cargo.toml").to_string_lossy().into_owned();
            let text = match fs::read_to_string(root.join(&path)) {
                Ok(text) => text,
                Err(error) => return Err(Problem::Io { path, error }),
            };
            text.parse().map_err(|error| Problem::toml(&path, &error))
        };
        let mut packages = Self { root: manifest("")?, manifests: BTreeMap::new() };
        let mut work = vec![FINDER.to_owned()];
        while let Some(folder) = work.pop() {
            if packages.manifests.contains_key(&folder) {
                continue;
            }
            let manifest = manifest(&folder)?;
            work.extend(packages.dependencies(&manifest));
            packages.manifests.insert(folder, manifest);
        }
        Ok(packages)
    }

    /// The folders of the packages of the workspace that one with this manifest depends on.
    fn dependencies(&self, manifest: &Table) -> Vec<String> {
        let names = manifest.get("dependencies").and_then(Value::as_table).into_iter().flat_map(Table::keys);
        let known = self.root.get("workspace").and_then(|workspace| workspace.get("dependencies"));
        let folder = |name| known?.get(name)?.get("path")?.as_str().map(str::to_owned);
        names.filter_map(folder).collect()
    }

    /// The folders of the packages, in order.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        self.manifests.keys().map(String::as_str)
    }

    /// The manifest of the copy: it has these packages as members, and nobody minds its warnings.
    pub(crate) fn manifest_of_copy(&self) -> String {
        let members = self.folders().map(|folder| Value::String(folder.to_owned())).collect();
        let mut root = self.root.clone();
        if let Some(Value::Table(workspace)) = root.get_mut("workspace") {
            workspace.remove("exclude");
            workspace.remove("default-members");
            workspace.insert("members".to_owned(), Value::Array(members));
            workspace.insert("lints".to_owned(), table("rust", table("warnings", "allow")));
        }
        if let Some(Value::Table(profiles)) = root.get_mut("profile") {
            // Others speak of packages that are not there.
            profiles.retain(|name, _| name == "thorough");
        }
        root.to_string()
    }

    /// The manifest of a package in the copy: nothing for its own tests, and the switch if it has mutants.
    pub(crate) fn manifest(&self, folder: &str, has_mutants: bool) -> String {
        let mut manifest = self.manifests.get(folder).cloned().unwrap_or_default();
        manifest.remove("dev-dependencies");
        if has_mutants {
            let dependencies = manifest.entry("dependencies").or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(dependencies) = dependencies {
                dependencies.insert(SWITCH.to_owned(), table("workspace", true));
            }
        }
        manifest.to_string()
    }
}

/// A table with one entry.
fn table(key: &str, value: impl Into<Value>) -> Value {
    Value::Table(Table::from_iter([(key.to_owned(), value.into())]))
}

//! The packages that the copy has: those that look for mutants, what they need, and their manifests as they are there.

use super::Problem;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// The package whose test looks for mutants with its own list of properties.
const FINDER: &str = "tests/mutants/found";

/// Folders of sources, and the package whose own tests look for their mutants.
const TESTED: [(&str, &str); 6] = [
    ("frontends/js/src/", "frontends/js"),
    ("frontends/llvm/src/", "frontends/llvm"),
    ("frontends/wasm/src/", "frontends/wasm"),
    ("hosts/cranelift/src/", "hosts/cranelift"),
    ("ir/src/memory/", "ir"),
    ("ir/src/text/", "ir"),
];

/// The folder of the package whose own tests look for the mutants of `file`; `None` if `tests/mutants/found` does.
pub fn tester_of(file: &str) -> Option<&'static str> {
    TESTED.iter().find(|(sources, _)| file.starts_with(sources)).map(|&(_, package)| package)
}

fn is_tester(folder: &str) -> bool {
    TESTED.iter().any(|&(_, package)| package == folder)
}

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
    /// The packages that look for mutants, and what they depend on.
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
        work.extend(packages.members().filter(|member| is_tester(member)).map(str::to_owned));
        while let Some(folder) = work.pop() {
            if packages.manifests.contains_key(&folder) {
                continue;
            }
            let manifest = manifest(&folder)?;
            work.extend(packages.dependencies(&folder, &manifest));
            packages.manifests.insert(folder, manifest);
        }
        Ok(packages)
    }

    /// The folders of the members of the workspace.
    fn members(&self) -> impl Iterator<Item = &str> {
        let members = self.root.get("workspace").and_then(|workspace| workspace.get("members")?.as_array());
        members.into_iter().flatten().filter_map(Value::as_str)
    }

    /// The folders of the packages of the workspace that one with this folder and manifest depends on.
    fn dependencies(&self, folder: &str, manifest: &Table) -> Vec<String> {
        let kinds = if is_tester(folder) { &["dependencies", "dev-dependencies"][..] } else { &["dependencies"] };
        let tables = kinds.iter().filter_map(|&kind| manifest.get(kind)?.as_table());
        let names = tables.flat_map(Table::keys);
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
            if let Some(Value::Table(thorough)) = profiles.get_mut("thorough") {
                thorough.insert("package".to_owned(), Value::Table(self.unoptimized()));
            }
        }
        root.to_string()
    }

    /// Settings for the packages that take longer to optimize than they run here: those from outside, and those that the
    /// finder does not need.
    fn unoptimized(&self) -> Table {
        let testers = self.manifests.iter().filter(|(folder, _)| is_tester(folder) && *folder != "ir");
        let names = testers.filter_map(|(_, manifest)| manifest.get("package")?.get("name")?.as_str());
        names.chain(["*"]).map(|name| (name.to_owned(), table("opt-level", 0))).collect()
    }

    /// The manifest of a package in the copy: with the switch if it has mutants, and nothing for its own tests unless they
    /// look for mutants.
    pub(crate) fn manifest(&self, folder: &str, has_mutants: bool) -> String {
        let mut manifest = self.manifests.get(folder).cloned().unwrap_or_default();
        if !is_tester(folder) {
            manifest.remove("dev-dependencies");
        }
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

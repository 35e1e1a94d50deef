//! Manifests of our sources on a version of Cranelift: those of `hosts/cranelift` and of the workspace, with other versions.

use super::{THEIRS, Version};
use crate::failure::Failure;
use crate::move_over::{parse, read};
use std::fmt::Write as _;
use std::path::Path;
use toml::{Table, Value};

/// Where our sources are.
const HOST: &str = "hosts/cranelift";

/// The crate whose API differs from version to version.
const CODEGEN: &str = "cranelift-codegen";

/// What runs functions in tests.
const INTERPRETER: &str = "cranelift-interpreter";

/// The feature of it that the published crate turns on.
const UNWIND: &str = "unwind";

/// What our sources are told about older versions, each with the first line of which it is not true.
const OLDER: [(&str, u32); 2] = [("before_0_133", 133), ("before_0_134", 134)];

/// The file of the build script, if there is one.
pub(super) const BUILD_SCRIPT: &str = "build.rs";

/// What a package is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is named as theirs, to be patched in.
    Patch,
    /// It is named as ours and has its tests, which compare it with theirs.
    Test,
}

/// The files of a package.
#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) text: String,
    /// Where the sources have to be told something.
    pub(super) build_script: Option<String>,
}

impl Manifest {
    /// The package of our sources, which are below `root`.
    pub(super) fn of(root: &Path, version: Version, purpose: Purpose) -> Result<Self, Failure> {
        let path = root.join(HOST).join("Cargo.toml");
        let host = parse(&read(&path)?).map_err(|problem| Failure::Manifest { path: path.clone(), problem })?;
        let project = root.join("Cargo.toml");
        let project = parse(&read(&project)?).map_err(|problem| Failure::Manifest { path: project, problem })?;
        let table = Sources { root, host: &host, project: &project, version }.manifest(purpose);
        let text = table.map_err(|problem| Failure::Manifest { path, problem })?.to_string();
        Ok(Self { text, build_script: build_script(version) })
    }
}

/// The build script for `version`, if it is an older one.
fn build_script(version: Version) -> Option<String> {
    let mut told = OLDER.iter().filter(|(_, since)| version.minor < *since).peekable();
    told.peek()?;
    let mut text = "//! Tells the sources that this is an older version of Cranelift.\n\nfn main() {\n".to_owned();
    for (name, _) in told {
        let _ = writeln!(text, "    println!(\"cargo::rustc-cfg={name}\");");
    }
    Some(text + "}\n")
}

/// What manifests are made from.
struct Sources<'a> {
    root: &'a Path,
    host: &'a Table,
    project: &'a Table,
    version: Version,
}

impl Sources<'_> {
    fn manifest(&self, purpose: Purpose) -> Result<Table, String> {
        let mut manifest = Table::new();
        manifest.insert("package".to_owned(), self.package(purpose)?.into());
        manifest.insert("lib".to_owned(), self.lib(purpose).into());
        manifest.insert("features".to_owned(), at(self.host, &["features"])?.clone());
        manifest.insert("dependencies".to_owned(), self.dependencies("dependencies")?.into());
        if purpose == Purpose::Test {
            manifest.insert("dev-dependencies".to_owned(), self.dependencies("dev-dependencies")?.into());
            let tests = self.root.join(HOST).join("tests/it/main.rs").display().to_string();
            let test = Table::from_iter([("name", "it".into()), ("path", tests.into())].map(owned::<Value>));
            manifest.insert("test".to_owned(), vec![test].into());
        }
        let rust = at(self.project, &["workspace", "lints", "rust", "unexpected_cfgs"])?.clone();
        let rust = Table::from_iter([owned(("unexpected_cfgs", rust))]);
        manifest.insert("lints".to_owned(), Table::from_iter([owned(("rust", Value::from(rust)))]).into());
        // It is in no workspace that happens to be around it.
        manifest.insert("workspace".to_owned(), Table::new().into());
        Ok(manifest)
    }

    fn package(&self, purpose: Purpose) -> Result<Table, String> {
        let mut package = Table::new();
        let name = match purpose {
            Purpose::Patch => THEIRS.into(),
            Purpose::Test => at(self.host, &["package", "name"])?.clone(),
        };
        package.insert("name".to_owned(), name);
        package.insert("version".to_owned(), self.version.to_string().into());
        for key in ["edition", "rust-version", "license"] {
            package.insert(key.to_owned(), at(self.project, &["workspace", "package", key])?.clone());
        }
        package.insert("publish".to_owned(), false.into());
        Ok(package)
    }

    fn lib(&self, purpose: Purpose) -> Table {
        let path = self.root.join(HOST).join("src/lib.rs").display().to_string();
        let mut lib = Table::from_iter([owned(("path", Value::from(path)))]);
        if purpose == Purpose::Patch {
            // Examples in the documentation name our package.
            lib.insert("doctest".to_owned(), false.into());
        }
        lib
    }

    /// The dependencies under `key`: those of Cranelift in this version, others as the project has them.
    fn dependencies(&self, key: &str) -> Result<Table, String> {
        let named = at(self.host, &[key])?.as_table().ok_or(format!("{key} is no table"))?;
        let mut dependencies = Table::new();
        for (name, value) in named {
            let mut dependency = match value.get("workspace") {
                Some(_) => as_table(at(self.project, &["workspace", "dependencies", name])?),
                None => as_table(value),
            };
            if let Some(Value::String(path)) = dependency.get("path") {
                let path = self.root.join(path).display().to_string();
                dependency.insert("path".to_owned(), path.into());
                dependency.remove("version");
            }
            if let Some(version) = self.required(name) {
                dependency.insert("version".to_owned(), version.into());
            }
            if name == CODEGEN {
                dependency.insert("features".to_owned(), vec![UNWIND].into());
            }
            dependencies.insert(name.clone(), dependency.into());
        }
        Ok(dependencies)
    }

    /// The version that is required of a crate, if it is one of Cranelift's.
    fn required(&self, name: &str) -> Option<String> {
        match name {
            // Later ones of the line will do, as they do for theirs.
            CODEGEN => Some(self.version.to_string()),
            THEIRS | INTERPRETER => Some(format!("={}", self.version)),
            _ => None,
        }
    }
}

/// The value that the keys lead to.
fn at<'t>(table: &'t Table, keys: &[&str]) -> Result<&'t Value, String> {
    let (first, rest) = keys.split_first().ok_or("no key")?;
    let start = table.get(*first);
    let found = rest.iter().try_fold(start, |value, key| Some(value?.get(*key)));
    found.flatten().ok_or(format!("no `{}`", keys.join(".")))
}

/// A dependency in its long form.
fn as_table(dependency: &Value) -> Table {
    match dependency {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([owned(("version", version.clone()))]),
    }
}

fn owned<V>((key, value): (&str, V)) -> (String, V) {
    (key.to_owned(), value)
}

#[cfg(test)]
mod tests {
    use super::{Purpose, Sources, build_script};
    use crate::cranelift::Version;
    use std::path::Path;
    use toml::{Table, toml};

    const V132: Version = Version { minor: 132, patch: 3 };
    const V136: Version = Version { minor: 136, patch: 0 };

    fn manifest(purpose: Purpose) -> Table {
        let host = toml! {
            [package]
            name = "ours"
            [features]
            default = ["std"]
            std = ["cranelift-codegen/std"]
            [dependencies]
            ssaphire.workspace = true
            cranelift-codegen.workspace = true
            [dev-dependencies]
            cranelift-frontend.workspace = true
            cranelift-interpreter = "0.135"
            log = "0.4"
        };
        let project = toml! {
            [workspace.package]
            edition = "2024"
            rust-version = "1.95"
            license = "MIT"
            [workspace.lints.rust]
            unexpected_cfgs = { level = "warn", check-cfg = ["cfg(before_0_133)"] }
            [workspace.dependencies]
            ssaphire = { path = "core/ssaphire", version = "0.1.0" }
            cranelift-codegen = { version = "0.135", default-features = false }
            cranelift-frontend = { version = "0.135", default-features = false, features = ["std"] }
        };
        let sources = Sources { root: Path::new("/p"), host: &host, project: &project, version: V136 };
        sources.manifest(purpose).unwrap()
    }

    #[test]
    fn what_is_patched_in_is_named_as_theirs() {
        let expected = toml! {
            [package]
            name = "cranelift-frontend"
            version = "0.136.0"
            edition = "2024"
            rust-version = "1.95"
            license = "MIT"
            publish = false
            [lib]
            path = "/p/hosts/cranelift/src/lib.rs"
            doctest = false
            [features]
            default = ["std"]
            std = ["cranelift-codegen/std"]
            [dependencies]
            ssaphire = { path = "/p/core/ssaphire" }
            cranelift-codegen = { version = "0.136.0", default-features = false, features = ["unwind"] }
            [lints.rust]
            unexpected_cfgs = { level = "warn", check-cfg = ["cfg(before_0_133)"] }
            [workspace]
        };
        assert_eq!(manifest(Purpose::Patch), expected);
    }

    #[test]
    fn tests_compare_with_the_same_version() {
        let manifest = manifest(Purpose::Test);
        assert_eq!(manifest["package"]["name"].as_str(), Some("ours"));
        let expected = toml! {
            cranelift-frontend = { version = "=0.136.0", default-features = false, features = ["std"] }
            cranelift-interpreter = { version = "=0.136.0" }
            log = { version = "0.4" }
        };
        assert_eq!(manifest["dev-dependencies"].as_table(), Some(&expected));
        assert_eq!(manifest["test"][0]["path"].as_str(), Some("/p/hosts/cranelift/tests/it/main.rs"));
    }

    #[test]
    fn sources_are_told_about_older_versions_alone() {
        assert_eq!(build_script(V136), None);
        let text = build_script(V132).unwrap();
        assert!(
            text.contains("\"cargo::rustc-cfg=before_0_133\"") && text.contains("\"cargo::rustc-cfg=before_0_134\"")
        );
        let text = build_script(Version { minor: 133, patch: 0 }).unwrap();
        assert!(!text.contains("before_0_133") && text.contains("before_0_134"));
    }
}

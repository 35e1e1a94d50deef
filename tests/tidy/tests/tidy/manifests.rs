//! The workspace's manifests, and the rules on single ones.

use crate::tree::{File, Finding, Tree};
use toml::{Table, Value};

/// The manifest of a package.
pub(crate) struct Manifest<'a> {
    pub(crate) file: &'a File,
    /// The package's name.
    pub(crate) name: String,
    table: Table,
}

/// An entry of one of a manifest's dependency tables.
pub(crate) struct Dependency {
    /// The package's name, whatever this manifest calls it.
    pub(crate) package: String,
    /// For ordinary builds, and not optional.
    pub(crate) required: bool,
    /// For tests and examples, by path alone: what is published leaves it out.
    pub(crate) unpublished: bool,
}

/// The manifests of packages, without those that do not parse, which cargo refuses by itself.
pub(crate) fn manifests(tree: &Tree) -> Vec<Manifest<'_>> {
    let files = tree.files().filter(|file| file.path.rsplit('/').next() == Some("Cargo.toml"));
    let manifest = |file| {
        let table = parse(file)?;
        let name = table.get("package")?.get("name")?.as_str()?.to_owned();
        Some(Manifest { file, name, table })
    };
    files.filter_map(manifest).collect()
}

impl Manifest<'_> {
    /// The package's folder, relative to the repository.
    pub(crate) fn folder(&self) -> &str {
        self.file.path.strip_suffix("/Cargo.toml").unwrap_or("")
    }

    /// All dependencies: ordinary ones, those of tests and of build scripts, of every target.
    pub(crate) fn dependencies(&self) -> Vec<Dependency> {
        let targets = self.table.get("target").and_then(Value::as_table);
        let of_targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        let mut dependencies = Vec::new();
        for table in [&self.table].into_iter().chain(of_targets) {
            for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
                let entries = table.get(kind).and_then(Value::as_table).into_iter().flatten();
                dependencies.extend(entries.map(|(name, entry)| dependency(kind, name, entry)));
            }
        }
        dependencies
    }
}

fn parse(file: &File) -> Option<Table> {
    file.text.parse().ok()
}

fn dependency(kind: &str, name: &str, entry: &Value) -> Dependency {
    let package = entry.get("package").and_then(Value::as_str).unwrap_or(name).to_owned();
    let optional = entry.get("optional").and_then(Value::as_bool).unwrap_or(false);
    let (is_dev, has) = (kind == "dev-dependencies", |key| entry.get(key).is_some());
    let unpublished = is_dev && has("path") && !has("version");
    Dependency { package, required: !is_dev && !optional, unpublished }
}

/// The folders listed under `key` in the workspace's table.
fn listed(tree: &Tree, key: &str) -> Vec<String> {
    let root = tree.file("Cargo.toml").and_then(parse);
    let list = root.as_ref().and_then(|table| table.get("workspace")?.get(key)?.as_array());
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Every member of the workspace says `lints.workspace = true`, or repeats them and only allows itself `unsafe` by name.
pub(crate) fn members_inherit_lints(tree: &Tree) -> Vec<Finding> {
    let members = listed(tree, "members");
    let root = tree.file("Cargo.toml").and_then(parse);
    let shared = root.as_ref().and_then(|table| table.get("workspace")?.get("lints")).and_then(Value::as_table);
    let inherits = |manifest: &Manifest<'_>| {
        let lints = manifest.table.get("lints").and_then(Value::as_table);
        lints.is_some_and(|lints| lints.get("workspace").and_then(Value::as_bool) == Some(true))
            || (lints.is_some() && lints == with_unsafe_by_name(shared).as_ref())
    };
    let all = manifests(tree).into_iter().filter(|manifest| members.iter().any(|member| member == manifest.folder()));
    all.filter(|manifest| !inherits(manifest))
        .map(|manifest| manifest.file.finding(0, "does not inherit the workspace's lints"))
        .collect()
}

/// These lints, but for `unsafe` code: denied, so that each place that has it says why, instead of forbidden.
fn with_unsafe_by_name(lints: Option<&Table>) -> Option<Table> {
    let mut lints = lints?.clone();
    let level = lints.get_mut("rust")?.get_mut("unsafe_code")?;
    *level = Value::String("deny".to_owned());
    Some(lints)
}

/// Every package below the root is a member, or is excluded by name.
pub(crate) fn crates_are_members(tree: &Tree) -> Vec<Finding> {
    let known = [listed(tree, "members"), listed(tree, "exclude")].concat();
    let all = manifests(tree).into_iter().filter(|manifest| !known.iter().any(|folder| folder == manifest.folder()));
    all.map(|manifest| manifest.file.finding(0, "neither a member of the workspace nor excluded from it")).collect()
}

/// Every lock file lists what the repository's packages in it require: one of an excluded package stays behind
/// when a member gets a dependency, and nothing else notices before `cargo check --locked` there.
pub(crate) fn locks_are_current(tree: &Tree) -> Vec<Finding> {
    let manifests = manifests(tree);
    let mut all = Vec::new();
    for lock in tree.files().filter(|file| file.path.rsplit('/').next() == Some("Cargo.lock")) {
        let locked = locked(lock);
        for manifest in &manifests {
            let Some((_, listed)) = locked.iter().find(|(name, _)| *name == manifest.name) else { continue };
            let required = manifest.dependencies().into_iter().filter(|dependency| dependency.required);
            all.extend(required.filter(|dependency| !listed.contains(&dependency.package)).map(|dependency| {
                lock.finding(0, format!("`{}` of `{}` is missing", dependency.package, manifest.name))
            }));
        }
    }
    all
}

/// The packages in a lock file that come from the repository, with the names of what they depend on.
fn locked(lock: &File) -> Vec<(String, Vec<String>)> {
    let table = parse(lock);
    let packages = table.as_ref().and_then(|table| table.get("package")?.as_array());
    let own = packages.into_iter().flatten().filter(|package| package.get("source").is_none());
    own.filter_map(|package| {
        let name = package.get("name")?.as_str()?.to_owned();
        let dependencies = package.get("dependencies").and_then(Value::as_array);
        // An entry is a name, with a version behind it where several are locked.
        let names = dependencies.into_iter().flatten().filter_map(|entry| entry.as_str()?.split(' ').next());
        Some((name, names.map(str::to_owned).collect()))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{crates_are_members, locks_are_current, manifests, members_inherit_lints};
    use crate::tree::{Tree, findings};

    const ROOT: (&str, &str) = ("Cargo.toml", "[workspace]\nmembers = ['a', 'b']\nexclude = ['fuzz']");

    #[test]
    fn a_member_with_lints_of_its_own_is_found() {
        let a = ("a/Cargo.toml", "package.name = 'a'\nlints.workspace = true");
        let b = ("b/Cargo.toml", "package.name = 'b'\nlints.rust.missing_docs = 'allow'");
        let fuzz = ("fuzz/Cargo.toml", "package.name = 'fuzz'");
        let expected = ["b/Cargo.toml: does not inherit the workspace's lints"];
        assert_eq!(findings(members_inherit_lints, &[ROOT, a, b, fuzz]), expected);
    }

    #[test]
    fn a_member_may_allow_itself_unsafe_by_name_and_nothing_else() {
        let root = "[workspace]\nmembers = ['a', 'b']\n\
                    lints.rust = { unsafe_code = 'forbid', missing_docs = 'warn' }";
        let a = "package.name = 'a'\nlints.rust = { unsafe_code = 'deny', missing_docs = 'warn' }";
        let b = "package.name = 'b'\nlints.rust = { unsafe_code = 'allow', missing_docs = 'warn' }";
        let files = [("Cargo.toml", root), ("a/Cargo.toml", a), ("b/Cargo.toml", b)];
        let expected = ["b/Cargo.toml: does not inherit the workspace's lints"];
        assert_eq!(findings(members_inherit_lints, &files), expected);
    }

    #[test]
    fn a_package_outside_the_workspace_is_found() {
        let fuzz = ("fuzz/Cargo.toml", "package.name = 'fuzz'");
        let stray = ("core/stray/Cargo.toml", "package.name = 'stray'");
        let expected = ["core/stray/Cargo.toml: neither a member of the workspace nor excluded from it"];
        assert_eq!(findings(crates_are_members, &[ROOT, fuzz, stray]), expected);
    }

    #[test]
    fn a_lock_file_that_stayed_behind_is_found() {
        let a = ("a/Cargo.toml", "package.name = 'a'\ndependencies.one = '1'\ndependencies.two = '2'");
        let lock = "[[package]]\nname = 'a'\ndependencies = ['one 1.0.0']\n\
                    [[package]]\nname = 'one'\nsource = 'registry'";
        let expected = ["fuzz/Cargo.lock: `two` of `a` is missing"];
        assert_eq!(findings(locks_are_current, &[a, ("fuzz/Cargo.lock", lock)]), expected);
    }

    #[test]
    fn dependencies_of_every_kind_and_target_are_read() {
        let text = "package.name = 'a'\n\
                    dependencies.one.workspace = true\n\
                    dependencies.alias = { package = 'two', optional = true }\n\
                    dev-dependencies.three = '1'\n\
                    target.'cfg(unix)'.build-dependencies.four = '1'";
        let tree = Tree::of(&[("a/Cargo.toml", text)]);
        let mut found: Vec<_> = manifests(&tree)[0]
            .dependencies()
            .into_iter()
            .map(|dependency| (dependency.package, dependency.required))
            .collect();
        found.sort();
        let expected = [("four", true), ("one", true), ("three", false), ("two", false)];
        assert_eq!(found, expected.map(|(name, required)| (name.to_owned(), required)));
    }
}

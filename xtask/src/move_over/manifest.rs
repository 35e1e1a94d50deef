//! The change in a manifest that moves a crate over.
//!
//! Lines are exchanged, so that the rest stays as it was written; that this
//! has changed one dependency and nothing else is then seen on the values.

use toml::{Table, Value};

/// What the crate depends on before.
pub(super) const THEIRS: &str = "cranelift-frontend";

/// What it depends on afterwards, by the same name.
pub(super) const OURS: &str = "ssaphire-cranelift";

/// The versions whose names ours has.
const VERSIONS: &str = "0.135.";

/// Lines shown before and after those that change.
const CONTEXT: usize = 3;

/// A change of a manifest.
#[derive(Debug)]
pub(super) struct Edit {
    /// The manifest afterwards.
    pub(super) text: String,
    /// The change, as `diff -u` shows it.
    pub(super) diff: String,
}

impl Edit {
    /// The change that has a crate depend on ours, which is in the folder `host`.
    pub(super) fn of(manifest: &str, host: &str) -> Result<Self, String> {
        let mut wanted = parse(manifest)?;
        let dependency = wanted.get_mut("dependencies").and_then(|table| table.get_mut(THEIRS));
        let dependency = dependency.and_then(Value::as_table_mut).ok_or(format!("no [dependencies.{THEIRS}]"))?;
        if let Some(key) = dependency.keys().find(|key| *key != "version") {
            return Err(format!("{THEIRS} has `{key}`, and only a version is expected"));
        }
        let version = dependency.get("version").and_then(Value::as_str).unwrap_or("").to_owned();
        if !version.starts_with(VERSIONS) {
            return Err(format!("{THEIRS} is of version `{version}`, and {VERSIONS}x is expected"));
        }
        *dependency =
            Table::from_iter([("package", OURS), ("path", host)].map(|(key, value)| (key.to_owned(), value.into())));

        let lines: Vec<&str> = manifest.lines().collect();
        let header = format!("[dependencies.{THEIRS}]");
        let removed = format!("version = \"{version}\"");
        let place = lines.windows(2).position(|pair| pair == [&header, &removed]);
        let place = place.ok_or(format!("`{removed}` does not follow `{header}`"))? + 1;
        let added = [format!("package = \"{OURS}\""), format!("path = \"{host}\"")];
        let edit = Self { text: exchanged(&lines, place, &added), diff: diff(&lines, place, &added) };
        if parse(&edit.text)? == wanted { Ok(edit) } else { Err(format!("more than {THEIRS} would change")) }
    }
}

/// The values of a manifest.
pub(crate) fn parse(manifest: &str) -> Result<Table, String> {
    manifest.parse().map_err(|error: toml::de::Error| error.message().to_owned())
}

/// The lines, with others in place of the one at `place`.
fn exchanged(lines: &[&str], place: usize, added: &[String]) -> String {
    let added = added.iter().map(String::as_str);
    let all = lines[..place].iter().copied().chain(added).chain(lines[place + 1..].iter().copied());
    all.flat_map(|line| [line, "\n"]).collect()
}

fn diff(lines: &[&str], place: usize, added: &[String]) -> String {
    let first = place.saturating_sub(CONTEXT);
    let last = (place + CONTEXT + 1).min(lines.len());
    let (before, num_before) = (first + 1, last - first);
    let mut diff = format!(
        "--- Cargo.toml\n+++ Cargo.toml\n@@ -{before},{num_before} +{before},{} @@\n",
        num_before - 1 + added.len()
    );
    let mut add = |sign: char, line: &str| diff.extend([format!("{sign}{line}").trim_end(), "\n"]);
    lines[first..place].iter().for_each(|line| add(' ', line));
    add('-', lines[place]);
    added.iter().for_each(|line| add('+', line));
    lines[place + 1..last].iter().for_each(|line| add(' ', line));
    diff
}

/// The change that a page shows.
pub(super) fn shown(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("```diff\n")?;
    rest.split_once("```").map(|(diff, _)| diff)
}

#[cfg(test)]
mod tests {
    use super::{Edit, shown};

    const MANIFEST: &str = "[package]\n\
        name = \"compiler\"\n\
        # Kept as it is.\n\
        \n\
        [dependencies.cranelift-frontend]\n\
        version = \"0.135.8\"\n\
        \n\
        [dependencies.log]\n\
        version = \"0.4\"\n\
        features = []\n";

    #[test]
    fn one_dependency_changes() {
        let edit = Edit::of(MANIFEST, "../host").unwrap();
        let added = "package = \"ssaphire-cranelift\"\npath = \"../host\"\n";
        assert_eq!(edit.text, MANIFEST.replace("version = \"0.135.8\"\n", added));
        let expected = "--- Cargo.toml\n+++ Cargo.toml\n@@ -3,7 +3,8 @@\n\
            \x20# Kept as it is.\n\n [dependencies.cranelift-frontend]\n\
            -version = \"0.135.8\"\n+package = \"ssaphire-cranelift\"\n+path = \"../host\"\n\n\
            \x20[dependencies.log]\n version = \"0.4\"\n";
        assert_eq!(edit.diff, expected);
    }

    #[test]
    fn another_manifest_than_expected_is_refused() {
        let cases = [
            (MANIFEST.replace("frontend", "backend"), "no [dependencies.cranelift-frontend]"),
            (
                MANIFEST.replace("0.135.8", "0.136.0"),
                "cranelift-frontend is of version `0.136.0`, and 0.135.x is expected",
            ),
            (
                MANIFEST.replace("\"0.135.8\"\n", "\"0.135.8\"\ndefault-features = false\n"),
                "cranelift-frontend has `default-features`, and only a version is expected",
            ),
            (
                MANIFEST.replace("\"0.135.8\"\n", "'0.135.8'\n"),
                "`version = \"0.135.8\"` does not follow `[dependencies.cranelift-frontend]`",
            ),
            // What looks like the dependency is text elsewhere.
            (
                "about = '''\n[dependencies.cranelift-frontend]\nversion = \"0.135.8\"\n'''\n\
                 dependencies.cranelift-frontend.version = \"0.135.8\"\n"
                    .to_owned(),
                "more than cranelift-frontend would change",
            ),
        ];
        for (manifest, problem) in cases {
            assert_eq!(Edit::of(&manifest, "../host").unwrap_err(), problem, "{manifest}");
        }
    }

    /// What the page shows is what is done to the lines that it shows.
    #[test]
    fn the_page_shows_the_change() {
        let shown = shown(include_str!("../../../docs/move-from-cranelift.md")).unwrap();
        let mut lines = shown.lines().skip(2);
        let header = lines.next().unwrap();
        let first = header.strip_prefix("@@ -").and_then(|rest| rest.split_once(',')).unwrap().0;
        let mut manifest = "\n".repeat(first.parse::<usize>().unwrap() - 1);
        for line in lines.filter(|line| !line.starts_with('+')) {
            manifest.extend([line.get(1..).unwrap_or(""), "\n"]);
        }
        assert_eq!(Edit::of(&manifest, super::super::HOST).unwrap().diff, shown);
    }
}

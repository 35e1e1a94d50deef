//! Rules on the text of all files: corpus headers, paths, names of hosts, words.

use crate::tree::{File, Finding, Tree};

/// Top-level folders of machines, of which the repository knows nothing.
const MACHINE_FOLDERS: &[&str] =
    &["home", "root", "tmp", "mnt", "media", "opt", "srv", "var", "work", "workspace", "private", "Users", "Volumes"];

/// Hosts of package registries, in two parts so that this file names none.
const REGISTRIES: &[(&str, &str)] = &[
    ("crates", "io"),
    ("npmjs", "org"),
    ("npmjs", "com"),
    ("yarnpkg", "com"),
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("rubygems", "org"),
    ("static.rust-lang", "org"),
    ("deb.debian", "org"),
    ("proxy.golang", "org"),
];

/// Words for mistakes that are made on purpose: those live in `tests/mutants`.
const MISTAKES: &[&str] = &["fault", "faults"];

/// What cargo itself writes into a lock file for the registry it knows by name.
const CARGO_INDEX: &str = "source = \"registry+";

/// Sources whose widths and precisions in format strings have a small upper limit: indentation to a fixed depth, digits.
///
/// Formatting panics at widths and precisions beyond 16 bits, and names and lines of a program may be longer.
const SMALL_WIDTHS: &[&str] = &[
    "bench/src/growth.rs",
    "core/destruct/src/structure/text.rs",
    "frontends/while/src/print.rs",
    "frontends/while/src/write/steps.rs",
    "ir/src/analysis/dominator_tree.rs",
    "ir/src/cps/print.rs",
    "ir/src/cps/scheme.rs",
];

/// A corpus file opens with a comment that says why it exists.
pub(crate) fn corpus_headers(tree: &Tree) -> Vec<Finding> {
    let says_why = |file: &File| {
        let first = file.text.lines().next().unwrap_or("");
        first.strip_prefix(';').is_some_and(|comment| comment.contains(char::is_alphabetic))
    };
    let silent = tree.ending(".ssa").filter(|file| !says_why(file));
    silent.map(|file| file.finding(1, "does not open with a `;` comment")).collect()
}

/// No file names a path of some machine.
pub(crate) fn paths_stay_inside(tree: &Tree) -> Vec<Finding> {
    lines_with(tree, machine_path)
}

/// No file names the host of a package registry: the package clients know theirs.
pub(crate) fn no_registry_hosts(tree: &Tree) -> Vec<Finding> {
    lines_with(tree, registry)
}

/// No file of `core` speaks of mistakes that are made on purpose.
pub(crate) fn core_knows_no_mistakes(tree: &Tree) -> Vec<Finding> {
    lines_of(tree.files().filter(|file| file.path.starts_with("core/")), mistake)
}

/// No format string takes a width or precision from a variable that may be large.
pub(crate) fn widths_are_small(tree: &Tree) -> Vec<Finding> {
    let is_source = |file: &&File| file.path.ends_with(".rs") && file.path.contains("/src/");
    let sources = tree.files().filter(is_source).filter(|file| !SMALL_WIDTHS.contains(&&*file.path));
    lines_of(sources, |line| {
        let found =
            line.split('{').skip(1).any(|rest| rest.split_once('}').is_some_and(|(inside, _)| takes_width(inside)));
        found.then(|| "takes a width or precision from a variable: pad with `repeat`, or list the file".to_owned())
    })
}

/// Whether a placeholder with these contents takes its width or precision from an argument.
fn takes_width(inside: &str) -> bool {
    let Some((_, spec)) = inside.split_once(':') else { return false };
    let is_spec = spec.chars().all(|char| char.is_alphanumeric() || "_<^>+-#.$*?".contains(char));
    let is_named = |(at, _)| spec[..at].ends_with(|char: char| char.is_alphanumeric() || char == '_');
    is_spec && (spec.contains(".*") || spec.match_indices('$').any(is_named))
}

fn lines_with(tree: &Tree, problem: fn(&str) -> Option<String>) -> Vec<Finding> {
    lines_of(tree.files(), problem)
}

fn lines_of<'t>(files: impl Iterator<Item = &'t File>, problem: fn(&str) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for (line, text) in file.lines() {
            findings.extend(problem(text).map(|problem| file.finding(line, problem)));
        }
    }
    findings
}

fn machine_path(line: &str) -> Option<String> {
    let is_path = |(at, _): (usize, &str)| {
        let before = line[..at].chars().next_back();
        let starts_here = !before.is_some_and(|before| before.is_alphanumeric() || "_.-/}".contains(before));
        let (folder, _) = line[at + 1..].split_once('/')?;
        (starts_here && MACHINE_FOLDERS.contains(&folder)).then(|| format!("names a path in `/{folder}`"))
    };
    let is_root =
        |root: &&str| line.match_indices(*root).any(|(at, _)| line[at + root.len()..].starts_with(['/', '\\']));
    let root = || ["~", "C:"].into_iter().find(is_root).map(|root| format!("names a path in `{root}`"));
    line.match_indices('/').find_map(is_path).or_else(root)
}

fn registry(line: &str) -> Option<String> {
    let hosts = REGISTRIES.iter().map(|(name, domain)| format!("{name}.{domain}"));
    let is_lock_entry = line.starts_with(CARGO_INDEX);
    hosts.filter(|_| !is_lock_entry).find(|host| line.contains(host)).map(|host| format!("names the registry {host}"))
}

fn mistake(line: &str) -> Option<String> {
    let mut words = line.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.find(|word| MISTAKES.contains(&word.to_lowercase().as_str())).map(|word| format!("says `{word}`"))
}

#[cfg(test)]
mod tests {
    use super::{core_knows_no_mistakes, corpus_headers, no_registry_hosts, paths_stay_inside, widths_are_small};
    use crate::tree::findings;

    #[test]
    fn a_corpus_file_that_says_nothing_is_found() {
        let files = [
            ("corpus/a.ssa", "; A loop in a loop.\nfunction f"),
            ("corpus/b.ssa", "function f\n; Too late."),
            ("corpus/c.ssa", ";\nfunction f"),
            ("corpus/d.ssa", ""),
        ];
        let expected = ["b", "c", "d"].map(|name| format!("corpus/{name}.ssa:1: does not open with a `;` comment"));
        assert_eq!(findings(corpus_headers, &files), expected);
    }

    #[test]
    fn a_path_of_a_machine_is_found() {
        // Put together here, so that this file names none.
        let wrong = [["cd /", "home/me"], ["\"/", "tmp/x\""], ["=/", "root/.cargo"], ["(~", "/.cargo)"], ["C:", "\\x"]];
        for parts in wrong {
            assert_eq!(findings(paths_stay_inside, &[("a.sh", &parts.concat())]).len(), 1, "{}", parts.concat());
        }
        let fine =
            ["#!/usr/bin/env bash", "src/home/a", "https://host.test/home/", ">/dev/null", "$x/tmp/", "a /tmpl/"];
        for text in fine {
            assert!(findings(paths_stay_inside, &[("a.sh", text)]).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_mistake_made_on_purpose_in_core_is_found() {
        let text = "use crate::Fault;\n// By default, nobody is at fault.\nlet default_fault = 0;";
        let files = [("core/graph/src/lib.rs", text), ("ir/src/lib.rs", text)];
        let expected = ["core/graph/src/lib.rs:1: says `Fault`", "core/graph/src/lib.rs:2: says `fault`"];
        assert_eq!(findings(core_knows_no_mistakes, &files), expected);
    }

    #[test]
    fn a_width_from_a_variable_is_found() {
        let wrong = ["format!(\"{cell:<width$}\")", "write!(f, \"{:>1$} x\", a, b)", "format!(\"{x:.*}\", 2)"];
        for text in wrong {
            assert_eq!(findings(widths_are_small, &[("ir/src/a.rs", text)]).len(), 1, "{text}");
            assert!(findings(widths_are_small, &[("ir/tests/a.rs", text)]).is_empty(), "{text}");
        }
        for text in ["format!(\"{cell:>9}\")", "macro_rules! m { ($x:ident) => { $x } }", "{$x:ty}", "\"{a:?} {b}$\""] {
            assert!(findings(widths_are_small, &[("ir/src/a.rs", text)]).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_host_of_a_registry_is_found_but_for_cargo_s_own_lock_entries() {
        let host = ["crates", "io"].join(".");
        let named = format!("see https://{host}/x");
        let locked = format!("source = \"registry+https://github.com/rust-lang/{host}-index\"");
        let files = [("README.md", named.as_str()), ("Cargo.lock", locked.as_str())];
        assert_eq!(findings(no_registry_hosts, &files), [format!("README.md:1: names the registry {host}")]);
    }
}

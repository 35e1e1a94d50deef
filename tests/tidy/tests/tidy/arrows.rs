//! Crate arrows point down only: the top-level folder is the layer.
//!
//! Dependencies of tests count as edges, optional ones too. One exception: the examples in the documentation of
//! `core` name the facade, as users do, and nothing else there does.

use crate::manifests::{Manifest, manifests};
use crate::tree::{Finding, Tree};

/// The layers, lowest first; packages of one rank depend on each other only as listed below.
const LAYERS: &[&[&str]] = &[&["core"], &["ir"], &["hosts", "frontends"], &["backends"], &["tools"], &["tests"]];

/// What may depend on anything, and nothing on it.
const ABOVE_ALL: &[&str] = &["bench", "fuzz", "xtask"];

/// The arrows inside `core`. The judge must not be able to import what it judges.
const CORE: &[(&str, &[&str])] = &[
    ("core/graph", &[]),
    ("core/construct", &["core/graph"]),
    ("core/destruct", &["core/graph"]),
    ("core/literature", &["core/graph", "core/construct"]),
    ("core/check", &["core/graph"]),
    ("core/ssaphire", &["core/graph", "core/construct", "core/destruct", "core/check", "core/literature"]),
];

/// The arrows among `frontends`: React Compiler's HIR is a view of the tree that the front end of JavaScript parses.
const FRONTENDS: &[(&str, &[&str])] = &[("frontends/react", &["frontends/js"])];

/// What users see of `core`, and what they see of it there.
const FACADE: &str = "core/ssaphire";
const SHOWN_BY_FACADE: &[&str] = &["core/graph", "core/construct", "core/destruct", "core/check"];

/// The arrows among `tests`: what tests the tests lies above them.
const TESTS: &[(&str, &[&str])] = &[
    ("tests/mutants", &["tests"]),
    ("tests/mutants/found", &["tests", "tests/mutants/switch"]),
    ("tests/long", &["tests"]),
    ("tests/system", &["tests"]),
    ("tests/js", &["tests"]),
];

/// Every arrow between packages of this repository points down.
pub(crate) fn point_down(tree: &Tree) -> Vec<Finding> {
    let packages = manifests(tree);
    let mut findings = Vec::new();
    for from in &packages {
        if rank(from.folder()).is_none() {
            findings.push(from.file.finding(0, "is in no layer"));
        }
        for dependency in from.dependencies() {
            let to = packages.iter().find(|to| to.name == dependency.package);
            let is_shown = |to: &&Manifest<'_>| dependency.unpublished && shows(from.folder(), to.folder());
            if let Some(to) = to.filter(|to| !may_depend(from.folder(), to.folder()) && !is_shown(to)) {
                findings.push(from.file.finding(0, format!("depends on `{}`, which is not below it", to.name)));
            }
        }
    }
    findings
}

/// The position of `folder` in the order of layers, or `None` outside of them.
fn rank(folder: &str) -> Option<usize> {
    let layer = folder.split('/').next()?;
    let above = ABOVE_ALL.contains(&layer).then_some(LAYERS.len());
    LAYERS.iter().position(|layers| layers.contains(&layer)).or(above)
}

fn may_depend(from: &str, to: &str) -> bool {
    if rank(from) == rank(to) {
        let mut arrows = CORE.iter().chain(FRONTENDS).chain(TESTS);
        return arrows.any(|(source, targets)| *source == from && targets.contains(&to));
    }
    rank(to) < rank(from)
}

/// Whether the examples in the documentation of `from` may name `to`: users see these crates through the facade.
fn shows(from: &str, to: &str) -> bool {
    SHOWN_BY_FACADE.contains(&from) && to == FACADE
}

/// The crates below the facade name it in the examples of their documentation alone.
pub(crate) fn examples_alone_name_the_facade(tree: &Tree) -> Vec<Finding> {
    let is_below = |path: &str| SHOWN_BY_FACADE.iter().any(|folder| path.starts_with(&format!("{folder}/")));
    let is_example = |line: &str| ["///", "//!"].iter().any(|mark| line.trim_start().starts_with(mark));
    let mut findings = Vec::new();
    for file in tree.files().filter(|file| file.path.ends_with(".rs") && is_below(&file.path)) {
        let lines = (1..).zip(file.text.lines()).filter(|(_, line)| line.contains("ssaphire::") && !is_example(line));
        findings.extend(lines.map(|(number, _)| file.finding(number, "names the facade outside of an example")));
    }
    findings
}

/// The crates of `core` require nothing from outside; an option or a test may.
pub(crate) fn core_requires_only_core(tree: &Tree) -> Vec<Finding> {
    let (core, _): (Vec<_>, Vec<_>) =
        manifests(tree).into_iter().partition(|manifest| manifest.folder().starts_with("core/"));
    let foreign = |from: &Manifest<'_>| {
        let required = from.dependencies().into_iter().filter(|dependency| dependency.required);
        required.map(|dependency| dependency.package).filter(|name| core.iter().all(|to| to.name != *name)).collect()
    };
    let mut findings = Vec::new();
    for from in &core {
        let names: Vec<String> = foreign(from);
        findings.extend(names.iter().map(|name| from.file.finding(0, format!("requires `{name}`"))));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{core_requires_only_core, examples_alone_name_the_facade, may_depend, point_down};
    use crate::tree::findings;

    #[test]
    fn the_layers_are_those_of_the_map() {
        let fine = [
            ("core/ssaphire", "core/check"),
            ("core/ssaphire", "core/construct"),
            ("ir", "core/graph"),
            ("frontends/wasm", "ir"),
            ("frontends/react", "frontends/js"),
            ("hosts/cranelift", "core/ssaphire"),
            ("backends/jit", "frontends/wasm"),
            ("backends/jit", "hosts/cranelift"),
            ("tools/cli", "frontends/while"),
            ("tools/cli", "backends/jit"),
            ("tests", "tools/cli"),
            ("tests/mutants/found", "tests"),
            ("fuzz", "ir"),
            ("fuzz", "tests"),
            ("xtask", "tests"),
        ];
        let wrong = [
            ("core/check", "core/construct"),
            ("core/check", "core/destruct"),
            ("core/check", "core/ssaphire"),
            ("core/construct", "core/check"),
            ("core/graph", "core/construct"),
            ("core/construct", "ir"),
            ("ir", "frontends/while"),
            ("frontends/wasm", "frontends/while"),
            ("frontends/js", "frontends/react"),
            ("frontends/react", "frontends/wasm"),
            ("frontends/wasm", "hosts/llvm"),
            ("hosts/cranelift", "backends/jit"),
            ("tools/explorer", "tools/cli"),
            ("tools/cli", "tests"),
            ("tests", "xtask"),
            ("tests", "tests/mutants/switch"),
        ];
        for (from, to) in fine {
            assert!(may_depend(from, to), "{from} -> {to}");
        }
        for (from, to) in wrong {
            assert!(!may_depend(from, to), "{from} -> {to}");
        }
    }

    #[test]
    fn a_judge_that_imports_what_it_judges_is_found() {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies", "target.'cfg(unix)'.dev-dependencies"] {
            let check = format!("package.name = 'judge'\n{kind}.c = {{ package = 'builder', workspace = true }}");
            let files =
                [("core/check/Cargo.toml", check.as_str()), ("core/construct/Cargo.toml", "package.name = 'builder'")];
            let expected = ["core/check/Cargo.toml: depends on `builder`, which is not below it"];
            assert_eq!(findings(point_down, &files), expected, "{kind}");
        }
    }

    #[test]
    fn examples_may_name_the_facade_and_code_may_not() {
        let facade = ("core/ssaphire/Cargo.toml", "package.name = 'ssaphire'");
        let point = |dependency: &str| {
            let check = format!("package.name = 'judge'\n{dependency}");
            findings(point_down, &[("core/check/Cargo.toml", check.as_str()), facade]).len()
        };
        assert_eq!(point("dev-dependencies.ssaphire.path = '../ssaphire'"), 0);
        assert_eq!(point("dependencies.ssaphire.path = '../ssaphire'"), 1);
        assert_eq!(point("dev-dependencies.ssaphire = { path = '../ssaphire', version = '1' }"), 1);
        let code = "/// use ssaphire::Block;\nfn f() {\n    //! ssaphire::construct\n    ssaphire::construct();\n}\n";
        let files = [("core/check/src/lib.rs", code), ("core/ssaphire/tests/it.rs", code)];
        let expected = ["core/check/src/lib.rs:4: names the facade outside of an example"];
        assert_eq!(findings(examples_alone_name_the_facade, &files), expected);
    }

    #[test]
    fn a_package_in_no_layer_is_found() {
        let files = [("misc/Cargo.toml", "package.name = 'misc'")];
        assert_eq!(findings(point_down, &files), ["misc/Cargo.toml: is in no layer"]);
    }

    #[test]
    fn core_may_not_require_what_is_not_core() {
        let graph = "package.name = 'graph'\ndependencies.hashbrown = '1'\ndev-dependencies.proptest = '1'";
        let check = "package.name = 'check'\ndependencies.graph.path = '../graph'\n\
                     dependencies.serde = { version = '1', optional = true }";
        let files = [("core/graph/Cargo.toml", graph), ("core/check/Cargo.toml", check)];
        assert_eq!(findings(core_requires_only_core, &files), ["core/graph/Cargo.toml: requires `hashbrown`"]);
    }
}

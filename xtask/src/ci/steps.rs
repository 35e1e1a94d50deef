//! The list of steps.

use crate::failure::Failure;
use crate::workspace::{Workspace, not_metadata};
use serde_json::Value;

/// The file of cargo's messages about the build of the test programs.
pub(crate) const MESSAGES: &str = "messages.json";

/// A target without an operating system, and so without `std`.
const BARE: &str = "thumbv7em-none-eabi";

/// What the explorer runs on.
const WASM: &str = "wasm32-unknown-unknown";

/// The targets that steps compile for, besides that of the machine.
pub(crate) const TARGETS: [&str; 2] = [BARE, WASM];

/// Folders of the packages that are `no_std`.
const BARE_LAYERS: &[&str] = &["core"];

/// Folders of the packages that the explorer runs.
const WASM_LAYERS: &[&str] = &["core", "ir", "frontends"];

/// The features of the command that are off by default; one set for all steps, so that nothing is compiled twice.
pub(crate) const COMMAND_FEATURES: &str = "--features ssaphire-cli/jit,ssaphire-cli/js,ssaphire-cli/llvm";

/// The names of steps that others need.
const BUILD: &str = "build of the tests";
const LINTS: &str = "lints";

/// Build folders, in each of which one step builds at a time.
pub(crate) const DEBUG: &str = "target/debug";
const THOROUGH: &str = "target/thorough";
const RELEASE: &str = "target/release";

/// Packages whose tests run longest: they begin first.
const LONGEST: &[&str] = &["ssaphire-mutants", "ssaphire-js-tests", "ssaphire-long-tests", RANDOM];

/// Steps that compile another project, and the package of tests that does. They take turns: a commit is checked by one of the groups.
const IN_TURNS: [&[&str]; 3] =
    [&["wasmtime moves over", "ssaphire-wasmtime-tests"], &["waffle moves over"], &["versions of Cranelift"]];

/// Whether it is not the turn of a step.
fn waits(name: &str, turn: Option<u64>) -> bool {
    let group = IN_TURNS.iter().position(|group| group.contains(&name));
    group.zip(turn).is_some_and(|(group, turn)| group as u64 != turn % IN_TURNS.len() as u64)
}

/// What a step runs.
pub(crate) enum Work {
    /// Cargo, in the workspace.
    Cargo(Vec<String>),
    /// This program.
    Xtask(Vec<String>),
    /// Another program.
    Other(&'static str, Vec<String>),
    /// The test programs of a package, from the one build.
    Tests {
        package: String,
        /// Arguments to each program.
        arguments: Vec<String>,
    },
}

impl Work {
    /// The arguments of the command, or of each test program.
    pub(crate) fn arguments(&self) -> &[String] {
        let (Self::Cargo(arguments) | Self::Xtask(arguments) | Self::Other(_, arguments)) = self else {
            let Self::Tests { arguments, .. } = self else { return &[] };
            return arguments;
        };
        arguments
    }
}

/// A step of CI.
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) work: Work,
    /// Steps that have to end before this one begins, where they are run.
    pub(crate) needs: Vec<&'static str>,
    /// Build folders that this step writes to.
    pub(crate) folders: Vec<&'static str>,
    /// Environment variables.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// The file that keeps what the command prints to standard output, if that is data.
    pub(crate) messages: Option<&'static str>,
}

impl Step {
    pub(crate) fn new(name: &str, work: Work) -> Self {
        let (needs, folders, variables) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: name.to_owned(), work, needs, folders, variables, messages: None }
    }

    pub(crate) fn cargo(name: &str, arguments: &str, folder: &'static str) -> Self {
        Self { folders: vec![folder], ..Self::new(name, Work::Cargo(words(arguments))) }
    }

    fn xtask(name: &str, arguments: &str, folder: &'static str) -> Self {
        Self { folders: vec![folder], ..Self::new(name, Work::Xtask(words(arguments))) }
    }

    pub(crate) fn needs(mut self, name: &'static str) -> Self {
        self.needs.push(name);
        self
    }

    /// The command as one would type it.
    pub(crate) fn line(&self) -> String {
        let program = match &self.work {
            Work::Cargo(_) => "cargo".to_owned(),
            Work::Xtask(_) => "cargo xtask".to_owned(),
            Work::Other(program, _) => (*program).to_owned(),
            Work::Tests { package, .. } => format!("tests of {package}:"),
        };
        [&[program], self.work.arguments()].concat().join(" ")
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// Of its random tests, a plain `cargo test` runs a third.
const RANDOM: &str = "ssaphire-tests";

/// Under this variable, random tests take the part of their seeds that it names.
const SEEDS: &str = "SSAPHIRE_SEEDS";

/// The packages of the workspace.
struct Packages {
    /// Those that only a plain `cargo test` tests.
    usual: Vec<String>,
    /// Those that steps of CI test.
    others: Vec<String>,
    /// Those whose turn it is not.
    waiting: Vec<String>,
}

impl Packages {
    fn of(metadata: &Value) -> Result<Self, String> {
        let is_usual = |id: &Value| {
            let usual = metadata["workspace_default_members"].as_array();
            usual.is_some_and(|members| members.contains(id))
        };
        let mut packages = Self { usual: Vec::new(), others: Vec::new(), waiting: Vec::new() };
        for package in metadata["packages"].as_array().ok_or("no packages")? {
            let name = package["name"].as_str().ok_or("a package has no name")?.to_owned();
            let is_usual = is_usual(&package["id"]) && name != RANDOM;
            if is_usual { packages.usual.push(name) } else { packages.others.push(name) }
        }
        packages.others.sort_by_key(|name| LONGEST.iter().position(|long| long == name).unwrap_or(LONGEST.len()));
        Ok(packages)
    }
}

/// All steps; those that others wait for come first, then the longest. With `turn`, only one group of those that take turns.
pub(crate) fn all(workspace: &Workspace, is_long: bool, turn: Option<u64>) -> Result<Vec<Step>, Failure> {
    let mut packages = Packages::of(&workspace.metadata(&["--no-deps", "--locked"])?).map_err(not_metadata)?;
    packages.waiting.extend(packages.others.extract_if(.., |name| waits(name, turn)));
    let mut steps = builds(&packages);
    steps.extend(packages.others.iter().filter(|&name| name != "ssaphire-mutants-found").map(|name| tests_of(name)));
    steps.extend(programs(is_long));
    steps.extend(checks(workspace)?);
    steps.retain(|step| !waits(&step.name, turn));
    if is_long {
        steps.extend(long());
    }
    Ok(steps)
}

/// The steps that are named, and the builds that they need.
pub(crate) fn only(steps: Vec<Step>, names: &[String]) -> Result<Vec<Step>, Failure> {
    if names.is_empty() {
        return Ok(steps);
    }
    if let Some(name) = names.iter().find(|&name| steps.iter().all(|step| step.name != *name)) {
        let remedy = "`cargo xtask ci --list` lists them".to_owned();
        return Err(Failure::Missing { what: format!("a step `{name}`"), remedy });
    }
    let is_named = |step: &Step| names.contains(&step.name);
    let needed: Vec<&'static str> =
        steps.iter().filter(|step| is_named(step)).flat_map(|step| step.needs.clone()).collect();
    Ok(steps.into_iter().filter(|step| is_named(step) || needed.contains(&step.name.as_str())).collect())
}

/// The packages that the one build compiles, with the features that it compiles them with.
fn selection(packages: &Packages) -> String {
    let excluded = packages.usual.iter().chain(&packages.waiting);
    let excluded: Vec<String> = excluded.map(|name| format!("--exclude {name}")).collect();
    format!("--locked --profile thorough --workspace --exclude ssaphire-mutants-found {}", excluded.join(" "))
}

fn builds(packages: &Packages) -> Vec<Step> {
    let selection = selection(packages);
    let build = format!("test {selection} {COMMAND_FEATURES} --no-run --message-format json-render-diagnostics");
    let mut build = Step::cargo(BUILD, &build, THOROUGH);
    build.messages = Some(MESSAGES);
    // Without broken links; private items are documented, too.
    let docs = format!("doc --workspace {COMMAND_FEATURES} --no-deps --document-private-items --locked");
    let mut docs = Step::cargo("docs", &docs, DEBUG).needs(LINTS);
    docs.variables.push(("RUSTDOCFLAGS", "-D warnings".to_owned()));
    let lints = format!("clippy --workspace --all-targets {COMMAND_FEATURES} --locked -- -D warnings");
    let examples = format!("test {selection} {COMMAND_FEATURES} --doc");
    let refusals = format!("test {selection} --test command -- features:: run::");
    vec![
        build,
        Step::cargo("format", "fmt --all --check", "none"),
        Step::cargo(LINTS, &lints, DEBUG),
        docs,
        Step::cargo("examples in docs", &examples, THOROUGH).needs(BUILD),
        // Compiles the command again, and nothing else: after the steps that run it.
        Step::cargo("the command without features", &refusals, THOROUGH).needs("corpus").needs("ssaphire-cli"),
    ]
}

/// The tests of a package, with all their seeds.
fn tests_of(package: &str) -> Step {
    let work = Work::Tests { package: package.to_owned(), arguments: Vec::new() };
    let mut step = Step::new(package, work).needs(BUILD);
    step.variables.push((SEEDS, "1/1".to_owned()));
    step
}

/// Steps that take real programs.
fn programs(is_long: bool) -> Vec<Step> {
    let (corpus, versions) = match is_long {
        true => ("corpus-check --long --program target/thorough/ssaphire", "cranelift-versions"),
        false => ("corpus-check --program target/thorough/ssaphire", "cranelift-versions --short"),
    };
    vec![
        Step::xtask("corpus", corpus, "none").needs(BUILD),
        Step::xtask("wasmtime moves over", "move-over wasmtime", THOROUGH).needs("the command without features"),
        Step::xtask("waffle moves over", "move-over waffle", "target/move-over"),
        Step::xtask("versions of Cranelift", versions, "target/cranelift-versions"),
        Step::xtask("packages", "package", "target/packaged"),
    ]
}

fn checks(workspace: &Workspace) -> Result<Vec<Step>, Failure> {
    let bare = workspace.packages_of(BARE_LAYERS)?;
    let mut wasm = workspace.packages_of(WASM_LAYERS)?;
    // The tests of JavaScript's front ends build them for it, and run them.
    wasm.retain(|package| !["ssaphire-js", "ssaphire-react"].contains(&package.as_str()));
    let cranelift = format!(
        "check --lib --locked --target {BARE} --package ssaphire-cranelift --no-default-features --features core"
    );
    // Without libFuzzer, which takes a compiler for C++: nothing is linked here.
    let fuzz = "check --manifest-path fuzz/Cargo.toml --target-dir target --locked --no-default-features";
    let oldest = oldest(workspace)?;
    let mut old = format!("run {oldest} cargo check --locked --lib --target-dir target/oldest");
    bare.iter().for_each(|package| old += &format!(" --package {package}"));
    let oldest =
        Step { folders: vec!["target/oldest"], ..Step::new("the oldest Rust", Work::Other("rustup", words(&old))) };
    let facade = |name: &str, features: &str| {
        Step::cargo(name, &format!("check --lib --locked --package ssaphire {features}"), DEBUG).needs(LINTS)
    };
    Ok(vec![
        check_target("core without std", BARE, &bare),
        Step::cargo("the Cranelift host without std", &cranelift, DEBUG).needs(LINTS),
        check_target("front ends on WebAssembly", WASM, &wasm),
        Step::cargo("fuzz targets", fuzz, DEBUG).needs(LINTS),
        facade("the facade without features", "--no-default-features"),
        facade("the facade with all features", "--all-features"),
        oldest,
        Step::xtask("licenses", "licenses", "none"),
    ])
}

/// The oldest Rust that the crates of `core` name.
fn oldest(workspace: &Workspace) -> Result<String, Failure> {
    let metadata = workspace.metadata(&["--no-deps", "--locked"])?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let facade = packages.into_iter().find(|package| package["name"] == "ssaphire");
    let version = facade.and_then(|package| package["rust_version"].as_str());
    version.map(str::to_owned).ok_or_else(|| not_metadata("the facade names no Rust version".to_owned()))
}

fn check_target(name: &str, target: &str, packages: &[String]) -> Step {
    let mut arguments = format!("check --lib --locked --target {target}");
    packages.iter().for_each(|package| arguments += &format!(" --package {package}"));
    Step::cargo(name, &arguments, DEBUG).needs(LINTS)
}

/// The steps that `--long` adds.
fn long() -> Vec<Step> {
    let js = |name: &str, command: &str| {
        let run = format!("run --locked --profile thorough --package ssaphire-js-tests -- {command}");
        Step::cargo(name, &run, THOROUGH).needs(BUILD)
    };
    vec![
        Step::xtask("all small functions", "exhaustive", RELEASE),
        Step::xtask("all passes", "passes", RELEASE),
        Step::xtask("rows given up", "rows", RELEASE),
        Step::xtask("wasmer moves over", "move-over wasmer", "target/move-over"),
        Step::xtask("sway-ir moves over", "move-over sway-ir", "target/move-over"),
        js("random programs of JavaScript", "random"),
        js("test262", "test262"),
    ]
}

#[cfg(test)]
mod unit_tests {
    use super::waits;

    #[test]
    fn one_group_has_its_turn() {
        let steps =
            ["wasmtime moves over", "ssaphire-wasmtime-tests", "waffle moves over", "versions of Cranelift", "lints"];
        let waiting = |turn| steps.map(|step| waits(step, turn));
        assert_eq!(waiting(None), [false; 5]);
        assert_eq!(waiting(Some(3)), [false, false, true, true, false]);
        assert_eq!(waiting(Some(5)), [true, true, true, false, false]);
    }
}

//! Each mutant is found, in the copy that the build script has written.

mod build;
mod programs;
mod testers;

use build::{Built, build};
use ssaphire_mutants::{read_lists, tester_of};
use ssaphire_tests::{Part, SEEDS};
use std::env;
use std::path::Path;
use std::process::Command;
use testers::Tester;

/// Under this variable, only the mutants of some files are tried: paths relative to the workspace, separated by spaces.
const MUTANTS_OF: &str = "SSAPHIRE_MUTANTS_OF";

/// The package whose test has a list of properties.
const FINDER: &str = "tests/mutants/found";

/// A mutant that the tests of a package look for.
struct Tried {
    number: usize,
    name: String,
    /// The folder of the package.
    tester: &'static str,
}

#[test]
fn each_mutant_is_found() {
    let (has_finder, tried) = tried();
    let mut folders: Vec<&str> = tried.iter().map(|mutant| mutant.tester).collect();
    folders.extend(has_finder.then_some(FINDER));
    folders.sort_unstable();
    folders.dedup();
    if folders.is_empty() {
        return;
    }
    let built = build(&folders);
    if let Some(finder) = built.iter().find(|built| built.folder == FINDER) {
        run_finder(finder);
    }
    let mut testers: Vec<Tester> = built.into_iter().filter(|built| built.folder != FINDER).map(Tester::new).collect();
    let mut unfound = Vec::new();
    for mutant in tried {
        let tester = testers.iter_mut().find(|tester| tester.folder() == mutant.tester).expect("it is built");
        let found = tester.find(mutant.number);
        println!("{}: {found:?}", mutant.name);
        unfound.extend(found.is_none().then_some(mutant.name));
    }
    assert!(unfound.is_empty(), "these are not found: {unfound:?}");
}

/// Whether the finder is asked for any mutants; and those that the tests of packages look for, as the environment chooses.
fn tried() -> (bool, Vec<Tried>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the package lies in the workspace");
    let mutants = read_lists(root).expect("the build script has read them");
    let files = env::var(MUTANTS_OF).ok();
    let is_asked_for = |file: &str| files.as_ref().is_none_or(|files| files.split(' ').any(|one| one == file));
    let (mut has_finder, mut apart) = (false, Vec::new());
    for (number, mutant) in mutants.into_iter().enumerate().filter(|(_, mutant)| is_asked_for(mutant.file())) {
        match tester_of(mutant.file()) {
            None => has_finder = true,
            Some(tester) => apart.push(Tried { number, name: mutant.name, tester }),
        }
    }
    // A part has mutants of one package or two, for it is the packages that take minutes to compile.
    apart.sort_by_key(|mutant| mutant.tester);
    let run = Part::of_environment().run(apart.len());
    let tried = apart.drain(run).collect();
    (has_finder, tried)
}

fn run_finder(finder: &Built) {
    for program in &finder.programs {
        let mut command = Command::new(program);
        command.current_dir(finder.working_folder()).arg("--nocapture").env(SEEDS, "1/1");
        let status = command.status().expect("the program can be run");
        assert!(status.success(), "a mutant was not found: see above");
    }
}

//! Real programs do the same after the round trip.

use crate::has_node;
use ssaphire_js_tests::Transformation;
use ssaphire_js_tests::programs::{corpus_file, corpus_scripts, first_difference, run_driver, transformed};
use ssaphire_tests::{Part, skipped, skipped_without_checkout};
use std::env;
use std::path::{Path, PathBuf};

const ROUND_TRIPS: [Transformation; 4] = [
    Transformation::RoundTrip { passes: false },
    Transformation::RoundTrip { passes: true },
    Transformation::Keeping,
    Transformation::Half { odd: true },
];

/// The file of the corpus, unless it or node is not there.
pub(crate) fn library(name: &str) -> Option<PathBuf> {
    let file = corpus_file(name);
    if file.is_none() {
        skipped(&format!("no target/corpus/{name}: cargo xtask corpus"));
    }
    file.filter(|_| has_node())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// What the driver prints with `library` as it is, and that it prints the same with the transformed one.
fn prints_the_same(driver: &str, library: &Path, arguments: impl Fn(&Path) -> Vec<String>) -> String {
    let run = |file: &Path| run_driver(driver, &arguments(file)).unwrap_or_else(|error| panic!("{error}"));
    let before = run(library);
    for transformation in ROUND_TRIPS {
        let file = transformed(library, transformation).unwrap_or_else(|error| panic!("{error}"));
        if let Some((before, after)) = first_difference(&before, &run(&file)) {
            panic!("{driver}, {}:\n{before}\nand transformed:\n{after}", transformation.name());
        }
    }
    before
}

#[test]
fn acorn_yields_identical_trees() {
    let Some(acorn) = library("acorn.js") else { return };
    let files: Vec<String> = corpus_scripts().expect("the corpus can be read").iter().map(|file| text(file)).collect();
    assert!(files.len() >= 11, "the corpus has {files:?}");
    let trees = prints_the_same("acorn", &acorn, |acorn| [&[text(acorn)], &files[..]].concat());
    let trees: Vec<&str> = trees.lines().filter(|line| !line.contains(" up to ")).collect();
    assert_eq!(trees.len(), files.len());
    assert!(trees.iter().all(|line| line.contains(" tokens, ")), "{trees:?}");
}

#[test]
fn typescript_compiles_to_identical_text() {
    let Some(typescript) = library("typescript.js") else { return };
    let files = ["moment.js", "underscore.js", "jquery.js", "acorn.js"];
    let files: Vec<String> = files.iter().filter_map(|name| library(name)).map(|file| text(&file)).collect();
    let printed = prints_the_same("typescript", &typescript, |file| [&[text(file)], &files[..]].concat());
    assert!(printed.contains("--- /main.js for ES5") && printed.contains("/main.tsx:1301 2322 Type '\"hexagon\"'"));
}

#[test]
fn libraries_agree_on_generated_calls() {
    let libraries = ["underscore", "lodash", "d3", "moment"];
    // Two of them where tests run on parts.
    let part = Part::of_environment();
    let num_libraries = if part.is_whole() { libraries.len() } else { 2 };
    for &name in libraries.iter().cycle().skip(part.number).take(num_libraries) {
        let Some(library) = library(&format!("{name}.js")) else { return };
        for seed in ["1", "2"] {
            let arguments = |file: &Path| [name, &text(file), seed, "3"].map(str::to_owned).to_vec();
            let calls = prints_the_same("calls", &library, arguments);
            let (count, thrown) = (calls.lines().count(), calls.matches("-> threw ").count());
            assert!(count > 600 && thrown * 4 < count, "{name}: {thrown} of {count} calls throw");
        }
    }
}

/// The checkout that the environment variable names, unless it is not there.
fn checkout(variable: &str) -> Option<String> {
    let checkout = env::var(variable).ok();
    if checkout.is_none() {
        skipped_without_checkout(variable);
    }
    checkout
}

#[test]
fn acorn_passes_its_own_tests() {
    let Some((acorn, checkout)) = library("acorn.js").zip(checkout("SSAPHIRE_ACORN")) else { return };
    let printed = prints_the_same("acorn-suite", &acorn, |file| vec![checkout.clone(), text(file)]);
    assert!(num_passing(&printed) > 6000, "{printed}");
}

/// How many tests pass, if none fails.
fn num_passing(printed: &str) -> usize {
    let counts = printed.lines().map(|line| line.strip_suffix(" pass")?.split(": ").nth(1)?.parse::<usize>().ok());
    counts.sum::<Option<usize>>().unwrap_or_else(|| panic!("{printed}"))
}

#[test]
fn an_acorn_that_brings_its_tests_passes_them() {
    let Some((acorn, loose)) = library("acorn-0.11/acorn.js").zip(library("acorn-0.11/acorn_loose.js")) else { return };
    let Some(folder) = acorn.parent().map(text) else { return };
    for transformation in [Transformation::Identity].into_iter().chain(ROUND_TRIPS) {
        let files = [&acorn, &loose].map(|file| transformed(file, transformation).map(|file| text(&file)));
        let [acorn, loose] = files.map(|file| file.unwrap_or_else(|error| panic!("{error}")));
        let printed = run_driver("acorn-suite", &[folder.clone(), acorn, loose]);
        let printed = printed.unwrap_or_else(|error| panic!("{}: {error}", transformation.name()));
        assert_eq!(num_passing(&printed), 1679, "{}", transformation.name());
    }
}

#[test]
fn underscore_passes_its_own_tests() {
    let Some((underscore, checkout)) = library("underscore.js").zip(checkout("SSAPHIRE_UNDERSCORE")) else { return };
    let printed = prints_the_same("underscore-suite", &underscore, |file| vec![text(file), checkout.clone()]);
    let last = printed.lines().last().unwrap_or("").split(" of ").collect::<Vec<_>>().join(" ");
    let counts: Vec<usize> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(counts.len() == 2 && counts[0] == counts[1] && counts[0] > 200, "{printed}");
}

#[test]
fn a_wrong_transformation_is_found() {
    let Some(underscore) = library("underscore.js") else { return };
    let calls = |file: &Path| {
        let arguments = ["underscore", &text(file), "1", "3"].map(str::to_owned);
        run_driver("calls", &arguments).unwrap_or_default()
    };
    let before = calls(&underscore);
    let wrong = transformed(&underscore, Transformation::LooseEquality).expect("it can be written");
    assert!(first_difference(&before, &calls(&wrong)).is_some());
    let same = transformed(&underscore, Transformation::Identity).expect("it can be written");
    assert_eq!(first_difference(&before, &calls(&same)), None);
}

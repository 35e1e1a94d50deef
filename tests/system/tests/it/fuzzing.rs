//! The targets of `fuzz/` that take front ends, on inputs that follow from seeds, and on those that were findings.

use ssaphire::check::certificate::Reader;
use ssaphire::check::{Mode, judge};
use ssaphire::{Certified, Observed, Options};
use ssaphire_ir::cps::{Cps, ParameterCounter};
use ssaphire_system_tests::{TARGETS, llvm, modules, texts};
use ssaphire_tests::fuzzing::random_bytes;
use ssaphire_tests::{Rng, files_below};
use ssaphire_wasm::{TranslateOptions, Translator, load};
use std::fs;
use std::path::PathBuf;

#[test]
fn any_llvm_ir() {
    (0..200).for_each(|seed| llvm::check(&random_bytes(seed)));
}

#[test]
fn any_module() {
    let num_functions: usize = (0..200).map(|seed| modules::check_generated(&random_bytes(seed))).sum();
    assert!(num_functions > 100, "{num_functions}");
}

/// Some pieces of the text are gone, doubled or replaced by pieces of another.
fn damaged(text: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + rng.below(3) {
        let place = rng.below(text.len());
        let end = text.len().min(place + rng.below(12));
        let start = rng.below(other.len());
        let piece = &other[start..other.len().min(start + rng.below(12))];
        match rng.below(3) {
            0 => drop(text.drain(place..end)),
            1 => drop(text.splice(place..place, piece.iter().copied())),
            _ => drop(text.splice(place..end, piece.iter().copied())),
        }
        if text.is_empty() {
            break;
        }
    }
    text
}

#[test]
fn any_text() {
    let files: Vec<Vec<u8>> = files_below("corpus").iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(files.len() > 30, "the corpus is there");
    let mut rng = Rng::new(1);
    for file in &files {
        texts::check(file);
        for _ in 0..20 {
            texts::check(&damaged(file, &files[rng.below(files.len())], &mut rng));
        }
    }
}

#[test]
fn certificates_and_modules_of_the_corpus_are_accepted() {
    let (mut num_certificates, mut num_modules) = (0, 0);
    for path in files_below("corpus") {
        let text = || fs::read_to_string(&path).unwrap();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("cert") => {
                for program in Reader::new(text().lines()) {
                    let (name, program) = program.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                    assert!(judge(&program, Mode::Exact).is_accepted(), "{}: {name}", path.display());
                    num_certificates += 1;
                }
            }
            Some("wat") => {
                let module = load(text()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                modules::functions(&module, &mut Certified::default()).unwrap();
                num_modules += 1;
            }
            _ => {}
        }
    }
    assert!(num_certificates > 2 && num_modules > 1, "{num_certificates} certificates, {num_modules} modules");
}

/// Without `minimize`, what is taken back is so while the function is built.
#[test]
fn no_parameter_of_a_module_of_the_corpus_is_taken_back() {
    let is_module = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "wat");
    let files = [files_below("corpus"), files_below("examples")].concat();
    let mut created = 0;
    for path in files.into_iter().filter(is_module) {
        let module =
            load(fs::read_to_string(&path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut translator = Translator::new(&module, TranslateOptions::default());
        for index in module.defined_functions() {
            let options = Options::default().with_minimize(false);
            let mut ssa = Certified::with_observer(options, ParameterCounter::default());
            let function = translator.translate(index, &mut ssa).unwrap_or_else(|error| panic!("{error}"));
            let counter = ssa.observer();
            assert_eq!((counter.taken_back, counter.unreachable), (0, 0), "{}: {function}", path.display());
            let num_params = Cps::of(&function).unwrap_or_else(|error| panic!("{error}")).num_params();
            assert_eq!(counter.created - counter.unused, num_params as u64, "{}: {function}", path.display());
            created += counter.created;
        }
    }
    assert!(created > 10, "{created}");
}

/// Inputs that showed something wrong, by the name of their target.
const FOUND: &[(&str, &[u8])] = &[
    // A value used before it is defined, beside a variable: what it holds there has another number afterwards.
    (
        "texts",
        b"func f(%d.0) {\nblock0:\n  v = add 4, 4\n  %a.0 = add %c.0, 2\n  %c.0 = add %a.0, %d.0\n  return %c.0\n}\n",
    ),
];

#[test]
fn what_was_found_is_mended() {
    for (name, bytes) in FOUND {
        let (_, target) = TARGETS.iter().find(|(other, _)| other == name).expect("the target has that name");
        target(bytes);
    }
}

#[test]
fn few_bytes_make_small_inputs() {
    for (_, target) in TARGETS {
        target(&[]);
        (0..=255).for_each(|byte| target(&[byte]));
    }
}

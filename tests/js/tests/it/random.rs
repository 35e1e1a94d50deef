//! Some random programs.

use crate::has_node;
use ssaphire_js_tests::Transformation;
use ssaphire_js_tests::random::{Findings, generate, program_of, search, smallest};
use ssaphire_js_tests::syntax;
use ssaphire_tests::Part;
use std::collections::BTreeSet;
use std::ops::Range;

/// How many programs are compared here; the long command compares 10 000.
const PROGRAMS: u64 = 250;

/// How many syntax trees are compared here.
const TREES: u64 = 120;

fn find(transformation: Transformation, programs: Range<u64>) -> Option<Findings> {
    let find = || search(program_of, programs, transformation, 2).unwrap_or_else(|error| panic!("{error}"));
    has_node().then(find)
}

#[test]
fn programs_follow_from_their_seeds() {
    let programs: BTreeSet<String> = (0..100).map(generate).collect();
    assert_eq!(programs.len(), 100);
    assert_eq!(generate(7), generate(7));
}

#[test]
fn programs_log_the_same_after_the_round_trip() {
    let part = Part::of_environment();
    let num_programs = part.share(PROGRAMS);
    let first = part.number as u64 * num_programs;
    let round_trips = [false, true].map(|passes| (Transformation::RoundTrip { passes }, num_programs));
    let keeping = Transformation::KEEPING.iter().map(|&transformation| (transformation, num_programs.div_ceil(3)));
    for (transformation, num_programs) in round_trips.into_iter().chain(keeping) {
        let Some(findings) = find(transformation, first..first + num_programs) else { return };
        if let Some((seed, difference)) = findings.different.first() {
            let shrunk = smallest(program_of, *seed, transformation).unwrap_or_else(|error| panic!("{error}"));
            let (program, last) = shrunk.unwrap_or_else(|| (generate(*seed), difference.clone()));
            let count = findings.different.len();
            panic!("{count} programs differ; seed {seed}, made smaller, {last}\n{program}");
        }
    }
}

#[test]
fn syntax_trees_do_the_same_after_the_round_trip() {
    let part = Part::of_environment();
    let num_programs = part.share(TREES);
    let first = part.number as u64 * num_programs;
    let transformations = [false, true].map(|passes| Transformation::RoundTrip { passes });
    for &transformation in transformations.iter().chain(Transformation::KEEPING) {
        if !has_node() {
            return;
        }
        let seeds = first..first + num_programs;
        let findings = search(syntax::program_of, seeds, transformation, 2).unwrap_or_else(|error| panic!("{error}"));
        if let Some((seed, difference)) = findings.different.first() {
            panic!("{}: seed {seed} {difference}", transformation.name());
        }
        assert!(findings.useless.len() * 20 < findings.same, "{} programs are useless", findings.useless.len());
    }
}

/// Always on the same programs: a few drawn by lot may log little.
#[test]
fn programs_run_and_log_much() {
    let transformation = Transformation::RoundTrip { passes: false };
    let Some(findings) = find(transformation, 0..100) else { return };
    assert_eq!(findings.useless, [], "programs that do not run");
    assert!(findings.lines > 20 * findings.same, "programs log little: {findings:?}");
}

#[test]
fn mistakes_are_found_and_made_smaller() {
    // A loose equality differs from a strict one in few programs; test262 finds that one.
    let wrong = Transformation::WRONG.iter().filter(|&&wrong| wrong != Transformation::LooseEquality);
    for &transformation in wrong {
        let Some(findings) = find(transformation, 0..250) else { return };
        let Some((seed, _)) = findings.different.first() else {
            panic!("{} is not found", transformation.name());
        };
        let shrunk = smallest(program_of, *seed, transformation).unwrap_or_else(|error| panic!("{error}"));
        let (program, _) = shrunk.expect("the program still differs");
        let before = generate(*seed).lines().count();
        assert!(program.lines().count() * 2 < before + 10, "{}:\n{program}", transformation.name());
    }
}

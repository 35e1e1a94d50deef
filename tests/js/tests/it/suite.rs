//! Some tests of test262.

use crate::has_node;
use ssaphire_js_tests::test262::{CHECKOUT, Cache, Exceptions, Report, Suite, run_all};
use ssaphire_js_tests::{Transformation, workspace};
use ssaphire_tests::skipped_without_checkout;
use std::fs;

/// What some of the tests give under `transformations`, unless node or the suite is not there.
fn sample(transformations: &[Transformation], filter: &str, count: usize) -> Option<Report> {
    if !has_node() {
        return None;
    }
    let Some(suite) = Suite::from_environment() else {
        skipped_without_checkout(CHECKOUT);
        return None;
    };
    let suite = suite.unwrap_or_else(|error| panic!("{CHECKOUT}: {error}"));
    let report = run_all(&suite, &mut Cache::default(), transformations, (filter, Some(count)), 2);
    Some(report.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn tests_that_pass_as_they_are_pass_after_the_round_trip() {
    let both = [Transformation::RoundTrip { passes: false }, Transformation::RoundTrip { passes: true }];
    let Some(report) = sample(&both, "", 600) else { return };
    let counts = report.total();
    assert!(counts.runs > 900 && counts.passing * 100 > counts.runs * 95, "node passes few: {counts:?}");
    let record = fs::read_to_string(workspace().join("tests/js/records/test262.txt")).expect("the record is there");
    let exceptions = Exceptions::of(&record).expect("the record can be read");
    let failures: Vec<String> = report
        .failures()
        .into_iter()
        .filter(|(verdict, ..)| exceptions.get(&verdict.name).is_none())
        .map(|(verdict, transformation, failure)| {
            format!("{} ({}, {}): {failure}", verdict.name, verdict.mode.name(), transformation.name())
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_wrong_transformation_is_found() {
    let folders = [
        (Transformation::LetToVar, "statements/let/"),
        (Transformation::LooseEquality, "expressions/strict-equals/"),
        (Transformation::ForgetNegativeZero, "expressions/unary-minus/"),
        (Transformation::ForgetFinally, "statements/try/"),
        (Transformation::Nothing, "module-code/top-level-await/"),
    ];
    for (transformation, folder) in folders {
        let Some(report) = sample(&[transformation], folder, 200) else { return };
        assert!(!report.failures().is_empty(), "{}", transformation.name());
    }
}

#[test]
fn nothing_is_found_where_nothing_is_done() {
    let Some(report) = sample(&[Transformation::Identity], "", 300) else { return };
    assert_eq!(report.list(), "");
}

//! House rules a machine can hold, checked on every file of the repository.
//!
//! A rule is a function from a [`tree::Tree`] to its findings, so that its unit
//! test can hand it a bad tree; the tests below hand it the real one.

mod arrows;
mod exempt;
mod house;
mod limits;
mod manifests;
mod markdown;
mod module_docs;
mod rust;
mod shortcuts;
mod tree;

use tree::{Finding, Tree};

/// Fails with all findings of `rule` on the repository.
#[track_caller]
fn check(rule: fn(&Tree) -> Vec<Finding>) {
    let findings = rule(&Tree::of_repository());
    let lines: Vec<_> = findings.iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), lines.join("\n"));
}

#[test]
fn crate_arrows_point_down() {
    check(arrows::point_down);
}

#[test]
fn core_requires_only_core() {
    check(arrows::core_requires_only_core);
}

#[test]
fn examples_alone_name_the_facade() {
    check(arrows::examples_alone_name_the_facade);
}

#[test]
fn members_inherit_the_lints() {
    check(manifests::members_inherit_lints);
}

#[test]
fn crates_of_the_layers_are_members() {
    check(manifests::crates_are_members);
}

#[test]
fn lock_files_are_current() {
    check(manifests::locks_are_current);
}

#[test]
fn sources_parse() {
    check(rust::parses);
}

#[test]
fn modules_open_with_a_doc() {
    check(module_docs::present);
}

#[test]
fn modules_that_name_a_paper_list_their_departures() {
    check(module_docs::departures);
}

#[test]
fn files_are_short() {
    check(limits::files);
}

#[test]
fn functions_are_short() {
    check(limits::functions);
}

#[test]
fn exemptions_are_needed() {
    check(limits::exemptions_are_needed);
}

#[test]
fn core_is_no_std() {
    check(rust::core_is_no_std);
}

#[test]
fn core_keeps_to_its_msrv() {
    check(rust::core_keeps_to_its_msrv);
}

#[test]
fn no_test_is_ignored() {
    check(shortcuts::no_ignored_tests);
}

#[test]
fn nothing_is_left_to_do() {
    check(shortcuts::nothing_left_to_do);
}

#[test]
fn corpus_files_say_why_they_exist() {
    check(house::corpus_headers);
}

#[test]
fn no_path_leaves_the_repository() {
    check(house::paths_stay_inside);
}

#[test]
fn no_registry_is_named() {
    check(house::no_registry_hosts);
}

#[test]
fn core_knows_no_mistakes() {
    check(house::core_knows_no_mistakes);
}

#[test]
fn widths_in_format_strings_are_small() {
    check(house::widths_are_small);
}

#[test]
fn links_between_files_lead_somewhere() {
    check(markdown::links_lead_somewhere);
}

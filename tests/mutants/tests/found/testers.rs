//! Packages whose own tests look for mutants.

use crate::build::Built;
use crate::programs::{End, Program, Trace};
use std::collections::HashMap;

/// Tests that are left out: they take seconds, and others find the same.
const LEFT_OUT: &[&str] = &[
    "a_million_statements_in_a_row_are_lowered_on_a_small_stack",
    "nesting_and_length_take_no_stack_but_the_parsers",
    "arrays::a_million_updates_take_memory_and_time_in_proportion",
    "generated::damaged_modules_are_refused_or_built",
    "size::",
    "limits::",
];

/// Tests that come last: they take longest.
const LAST: &[&str] = &["generated::", "random::", "behavior::", "both::", "every_engine"];

/// The tests of `ir` that take texts and memory; all other tests of it look for no mutants.
const OF_IR: &[&str] = &[
    "agreement::",
    "arrays::",
    "files::files",
    "mem2reg_ends::",
    "memory::",
    "spellings::",
    "text::",
    "text_errors::",
    "text_rules::",
];

/// A package, and the tests that it has.
pub(crate) struct Tester {
    folder: String,
    programs: Vec<Program>,
    /// The program of each test, and its name.
    tests: Vec<(usize, String)>,
    /// By test, what it does in the correct sources.
    traces: HashMap<usize, Trace>,
}

impl Tester {
    pub(crate) fn new(built: Built) -> Self {
        let folder = built.working_folder();
        let programs: Vec<Program> =
            built.programs.into_iter().map(|path| Program { path, folder: folder.clone() }).collect();
        let named = programs
            .iter()
            .enumerate()
            .flat_map(|(number, program)| program.tests().into_iter().map(move |test| (number, test)));
        let is_any = |test: &str, of: &[&str]| of.iter().any(|start| test.starts_with(start));
        let is_tried = |test: &str| !is_any(test, LEFT_OUT) && (built.folder != "ir" || is_any(test, OF_IR));
        let mut tests: Vec<(usize, String)> = named.filter(|(_, test)| is_tried(test)).collect();
        tests.sort_by_key(|(_, test)| is_any(test, LAST));
        assert!(!tests.is_empty(), "{} has no tests", built.folder);
        Self { folder: built.folder, programs, tests, traces: HashMap::new() }
    }

    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// How the mutant is found.
    pub(crate) fn find(&mut self, mutant: usize) -> Option<String> {
        (0..self.tests.len()).find_map(|test| self.try_test(mutant, test))
    }

    fn try_test(&mut self, mutant: usize, test: usize) -> Option<String> {
        let (program, name) = &self.tests[test];
        let program = &self.programs[*program];
        let correct = self.traces.entry(test).or_insert_with(|| program.trace(name));
        if !correct.reached.contains(&mutant) {
            return None;
        }
        let what = match program.run(name, mutant, correct) {
            End::Passes => return None,
            End::Fails => "fails",
            End::Dies => "dies",
            End::Hangs => "does not end",
        };
        Some(format!("{name} {what}"))
    }
}

//! A real module to machine code by both builders: right, with no more block parameters, and with the same results.

use ssaphire_bench::native::{Comparison, FORMS, Way};
use std::io::Write;
use std::path::Path;
use std::{env, io};

/// Under this variable a test that would be skipped fails.
const NO_SKIP: &str = "SSAPHIRE_NO_SKIP";

#[test]
fn functions_of_both_builders_are_right_and_do_the_same() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/corpus/sql-wasm.wasm");
    if !file.exists() {
        let may_skip = env::var_os(NO_SKIP).is_none_or(|value| value.is_empty() || value == "0");
        assert!(may_skip, "no {}, and {NO_SKIP} is set", file.display());
        // Not `println!`, which the test runner keeps back when a test passes.
        writeln!(io::stderr(), "skipped: no sql-wasm.wasm").expect("standard error can be written");
        return;
    }
    let comparison = Comparison::measure("sql.js", &file, 1, false).unwrap();
    assert_eq!(comparison.findings(), Vec::<String>::new());
    let params = |form: usize, way| comparison.forms()[form].num_params(way);
    for form in 0..FORMS.len() {
        assert_eq!(params(form, Way::Cranelift), Some((12_777, 10_305)));
        assert_eq!(params(form, Way::Ours), Some((10_042, 9_667)));
    }
    assert!(comparison.execution().is_ok_and(|execution| execution.returned > 3_000), "{:?}", comparison.execution());
}

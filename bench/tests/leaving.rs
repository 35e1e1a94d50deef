//! Real programs leave SSA form: the judge accepts every function by each method, the copies are those that were published, and
//! structured programs do what their graphs do.

use ssaphire_bench::leaving::{Judged, judge};
use ssaphire_wasm::Module;
use std::io::Write;
use std::path::Path;
use std::{env, fs, io};

/// Under this variable a test that would be skipped fails.
const NO_SKIP: &str = "SSAPHIRE_NO_SKIP";

/// The module, or `None` where the corpus was not fetched.
fn module(file: &str) -> Option<Module> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/corpus").join(file);
    let Ok(bytes) = fs::read(path) else {
        let may_skip = env::var_os(NO_SKIP).is_none_or(|value| value.is_empty() || value == "0");
        assert!(may_skip, "no {file}, and {NO_SKIP} is set");
        writeln!(io::stderr(), "skipped: no {file}").expect("standard error can be written");
        return None;
    };
    Some(Module::parse_without_bodies(bytes).unwrap())
}

#[test]
fn sql_js_leaves_ssa_form_by_each_method() {
    if let Some(module) = module("sql-wasm.wasm") {
        let Judged { functions, irreducible, refused, copies } = judge(&module).unwrap();
        assert_eq!((functions, irreducible, refused), (1_968, 0, vec![]));
        let [naive, per_variable, coloring, coalescing] = copies;
        assert_eq!(naive, 25_899);
        assert!(
            coalescing < per_variable && per_variable < coloring && coloring < naive / 2,
            "{per_variable} {coloring}"
        );
    }
}

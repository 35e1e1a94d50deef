//! Every function of the packages has an SSA form that the judge accepts.

use crate::programs::library;
use ssaphire::check::Mode;
use ssaphire::{Builder, Certified, Options, SsaBuilder};
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_js::lower_with;
use ssaphire_js::source::{SourceKind, with_parsed};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fs;

/// The files, with the number of functions in each: methods, accessors, classes, fields and top-level code count.
const FILES: [(&str, usize); 11] = [
    ("underscore.js", 187),
    ("moment.js", 372),
    ("acorn.js", 361),
    ("jquery.js", 560),
    ("lodash.js", 693),
    ("d3.js", 2523),
    ("vue.js", 1449),
    ("three.module.js", 551),
    ("three.core.js", 1968),
    ("react-dom.js", 1235),
    ("typescript.js", 21689),
];

/// Builds every function of a file by one builder and judges it: how many there are.
fn judged<B: SsaBuilder>(file: &str, builder: impl FnOnce() -> B + Send, demands: Demands) -> Option<usize> {
    let source = fs::read_to_string(library(file)?).expect("a file of the corpus can be read");
    let kind = SourceKind::from_extension("js").expect("there is JavaScript");
    let built = with_parsed(&source, kind, |parsed| {
        let (mut inspector, mut ssa) = (Inspector::default(), Certified::with_builder(builder()));
        let program = lower_with(&parsed, &mut ssa, |function, ssa| {
            let refusals = inspector.judge(&function.body, ssa, demands).refusals;
            assert_eq!(refusals, [], "{file}: {} at {:?}", function.body.name(), function.span);
        });
        program.unwrap_or_else(|error| panic!("{file}: {error}")).functions.len()
    });
    Some(built.unwrap_or_else(|errors| panic!("{file}: {errors}")))
}

#[test]
fn every_function_of_ten_packages_is_built_and_accepted() {
    for (file, num_functions) in FILES {
        let demands = Demands::of(Mode::Exact, &Options::default());
        let Some(count) = judged(file, Builder::default, demands) else { return };
        assert_eq!(count, num_functions, "{file}");
    }
}

#[test]
fn every_engine_builds_every_function_of_two_packages() {
    for (file, num_functions) in &FILES[..2] {
        for &engine in Engine::ALL {
            let demands = Demands { mode: Mode::Exact, irredundant: false, pruned: false };
            let builder = || AnyBuilder::new(engine);
            let Some(count) = judged(file, builder, demands) else { return };
            assert_eq!(count, *num_functions, "{file}: {engine}");
        }
    }
}

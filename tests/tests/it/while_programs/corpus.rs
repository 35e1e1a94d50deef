//! The programs of `corpus/while` and `examples`: what their headers say holds, on every engine.
//!
//! The headers are those of the `.ssa` files, with `//` for `;`, and speak of
//! the first function. The SSA form of each lies beside the program as
//! `NAME.snap`; all engines give the same one. `BLESS=1` rewrites it.

use ssaphire::Certified;
use ssaphire::check::{Judge, Mode, Program as Certificate, isomorphic_by, quality, rules};
use ssaphire::graph::{DominatorTree, FlatCfg, LoopForest};
use ssaphire_ir::basic::BasicMachine;
use ssaphire_ir::interp::Limits;
use ssaphire_ir::text::{PrintOptions, to_string};
use ssaphire_ir::{Basic, Function};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::corpus::{Header, Run, parse_header};
use ssaphire_while::{Calls, Options, Program, build, interpret, parse};
use std::fs;
use std::path::{Path, PathBuf};

struct Case {
    path: PathBuf,
    header: Header,
    program: Program,
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    for folder in ["corpus/while", "corpus/while/strict", "examples"] {
        let entries = fs::read_dir(root.join(folder)).expect("the folder is readable");
        let found = entries.map(|entry| entry.expect("the folder is readable").path());
        paths.extend(found.filter(|path| path.extension().is_some_and(|extension| extension == "while")));
    }
    paths.sort();
    assert!(paths.len() > 20, "the corpus is there");
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Case {
    let source = fs::read_to_string(&path).expect("the file is readable");
    let comments = source.lines().map_while(|line| line.strip_prefix("//"));
    let header: String = comments.map(|comment| format!(";{comment}\n")).collect();
    let header = parse_header(&header).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
    let is_strict = path.parent().is_some_and(|folder| folder.ends_with("strict")) || path.ends_with("thesis.while");
    let options = if is_strict { Options::strict() } else { Options::default() };
    let program = parse(&source, &options).unwrap_or_else(|errors| panic!("{}:{}", path.display(), errors[0]));
    Case { path, header, program }
}

fn built(case: &Case, engine: Engine, options: ssaphire::Options) -> (Function<Basic>, Certificate) {
    let mut ssa = Certified::with_builder(AnyBuilder::with_options(engine, options));
    let built = build(&case.program, 0, &mut ssa).expect("there is no limit");
    let mut certificate = Certificate::new();
    ssa.certify(&mut certificate).expect("the function fits a certificate");
    (built.function, certificate)
}

fn num_phis(function: &Function<Basic>) -> usize {
    function.blocks().map(|block| function.block(block).phis().len()).sum()
}

/// Those that take the first function.
fn engines(case: &Case) -> Vec<Engine> {
    let (function, _) = built(case, Engine::Auto, ssaphire::Options::default());
    let cfg = FlatCfg::new(&function).expect("a function is a graph");
    let is_reducible = LoopForest::new(&cfg, &DominatorTree::new(&cfg)).is_reducible();
    Engine::ALL.iter().copied().filter(|engine| is_reducible || engine.takes_any_graph()).collect()
}

#[test]
fn every_engine_gives_what_the_header_says() {
    for case in cases() {
        for engine in engines(&case) {
            let at = format!("{engine} on {}", case.path.display());
            let (function, certificate) = built(&case, engine, ssaphire::Options::default());
            assert_eq!(Judge::new().judge(&certificate, Mode::Exact).violations, [], "{at}");
            assert_eq!((rules(&function), quality(&function)), (vec![], vec![]), "{at}");
            if let Some(phis) = case.header.phis {
                assert_eq!(num_phis(&function), phis, "{at}\n{function}");
            }
            if let Some(is_reducible) = case.header.is_reducible {
                let cfg = FlatCfg::new(&function).expect("a function is a graph");
                assert_eq!(LoopForest::new(&cfg, &DominatorTree::new(&cfg)).is_reducible(), is_reducible, "{at}");
            }
            for run in &case.header.runs {
                assert_run(&case, run, &function, &at);
            }
        }
    }
}

#[track_caller]
fn assert_run(case: &Case, run: &Run, function: &Function<Basic>, at: &str) {
    let machine = BasicMachine::new(0, run.input.clone());
    let of_tree = interpret(&case.program, 0, &run.args, machine, Limits::default(), Calls::Opaque);
    assert!(run.is_met_by(&of_tree), "tree, {at}: {:?}\n{of_tree}", run.args);
    assert_eq!(of_tree, run.behavior(function), "{at}: {:?}", run.args);
}

#[test]
fn engines_leave_what_the_header_says_before_minimize() {
    for case in cases() {
        for (name, phis) in &case.header.engine_phis {
            let engine: Engine = name.parse().expect("there is such an engine");
            let mut options = ssaphire::Options::default();
            options.minimize = false;
            assert_eq!(num_phis(&built(&case, engine, options).0), *phis, "{name} on {}", case.path.display());
        }
    }
}

#[test]
fn results_are_those_that_lie_beside_the_program() {
    let is_blessing = std::env::var_os("BLESS").is_some();
    for case in
        cases().into_iter().filter(|case| !case.path.parent().is_some_and(|folder| folder.ends_with("examples")))
    {
        let snapshot = case.path.with_extension("snap");
        let (first, _) = built(&case, Engine::Auto, ssaphire::Options::default());
        for engine in engines(&case) {
            let (function, _) = built(&case, engine, ssaphire::Options::default());
            if engine.decides_at_end() {
                // The phis of a block come by variable then, and not as they were asked for.
                let same = isomorphic_by(&first, &function, |_, _| true);
                assert_eq!(same, Ok(()), "{engine} on {}", case.path.display());
                continue;
            }
            let text = to_string(&function, PrintOptions::default());
            if is_blessing {
                fs::write(&snapshot, &text).expect("the file is writable");
            }
            let expected = fs::read_to_string(&snapshot).unwrap_or_default();
            assert_eq!(text, expected, "{engine} on {}: run with BLESS=1 and review", case.path.display());
        }
    }
}

//! The small programs of `corpus/`: what their headers say holds, on every engine.
//!
//! The SSA form of each lies beside it as `NAME.snap`, once per distinct
//! answer, under the names of the engines that give it; what passes make of that, as `NAME.passes.snap`, and what
//! is built with operations folded, as `NAME.folded.snap`. `BLESS=1` rewrites them.

use ssaphire::check::{Judge, Mode, Program, quality, rules};
use ssaphire::fold::FoldOptions;
use ssaphire::graph::{DominatorTree, FlatCfg, LoopForest};
use ssaphire::{Block, Certified, Options, SsaBuilder};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_ir::passes::PassOptions;
use ssaphire_ir::text::{PrintOptions, to_string};
use ssaphire_ir::{Basic, Function, to_ssa, to_ssa_folded};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::corpus::Case;
use ssaphire_tests::corpus_cases;
use ssaphire_tests::naive;
use std::fs;
use std::path::Path;

fn for_each_case(check: impl Fn(&Path, &Case)) {
    corpus_cases().iter().for_each(|(path, case)| check(path, case));
}

fn engines(case: &Case) -> impl Iterator<Item = Engine> {
    let is_reducible = naive::is_reducible(&FlatCfg::new(&case.function).unwrap());
    let takes = move |engine: &Engine| is_reducible || engine.takes_any_graph();
    Engine::ALL.iter().copied().filter(takes).filter(|engine| case.header.engines.contains(engine.name()))
}

fn build(case: &Case, engine: Engine, options: Options) -> (Function<Basic>, Program) {
    let mut ssa = Certified::with_builder(AnyBuilder::with_options(engine, options));
    let built = to_ssa(&case.function, &mut ssa).unwrap();
    let mut program = Program::new();
    ssa.certify(&mut program).unwrap();
    (built, program)
}

fn num_phis(function: &Function<Basic>) -> usize {
    function.blocks().map(|block| function.block(block).phis().len()).sum()
}

#[test]
fn every_engine_gives_what_the_header_says() {
    for_each_case(|path, case| {
        for engine in engines(case) {
            let at = format!("{engine} on {}", path.display());
            let (built, program) = build(case, engine, Options::default());
            assert_eq!(Judge::new().judge(&program, Mode::Exact).violations, [], "{at}");
            assert_eq!((rules(&built), quality(&built)), (vec![], vec![]), "{at}");
            if let Some(phis) = case.header.phis {
                assert_eq!(num_phis(&built), phis, "{at}:\n{}", to_string(&built, PrintOptions::default()));
            }
            for run in &case.header.runs {
                for form in [&case.function, &built] {
                    let behavior = run.behavior(form);
                    assert!(run.is_met_by(&behavior), "{at}: {:?}\n{behavior}", run.args);
                }
            }
        }
    });
}

#[test]
fn engines_leave_what_the_header_says_before_minimize() {
    for_each_case(|path, case| {
        for (name, phis) in &case.header.engine_phis {
            let engine: Engine = name.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut options = Options::default();
            options.minimize = false;
            assert_eq!(num_phis(&build(case, engine, options).0), *phis, "{name} on {}", path.display());
        }
    });
}

#[test]
fn graphs_are_what_the_header_says() {
    for_each_case(|path, case| {
        let at = path.display();
        let function = &case.function;
        let cfg = FlatCfg::new(function).unwrap();
        let tree = DominatorTree::new(&cfg);
        if let Some(is_reducible) = case.header.is_reducible {
            assert_eq!(LoopForest::new(&cfg, &tree).is_reducible(), is_reducible, "{at}");
            assert_eq!(naive::is_reducible(&cfg), is_reducible, "{at}");
        }
        let block = |label: &str| function.block_labeled(label).unwrap_or_else(|| panic!("{at}: {label}"));
        for (below, above) in &case.header.idoms {
            assert_eq!(tree.idom(block(below)), Some(block(above)), "{at}: {below}");
        }
        for (label, frontier) in &case.header.frontiers {
            let mut expected: Vec<Block> = frontier.iter().map(|label| block(label)).collect();
            expected.sort_unstable();
            let found: Vec<Block> = naive::dominance_frontier(&cfg, block(label)).into_iter().collect();
            assert_eq!(found, expected, "{at}: frontier of {label}");
        }
    });
}

#[test]
fn results_are_those_that_lie_beside_the_program() {
    let is_blessing = std::env::var_os("BLESS").is_some();
    for_each_case(|path, case| {
        let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
        for engine in engines(case) {
            let text = to_string(&build(case, engine, Options::default()).0, PrintOptions::default());
            match answers.iter_mut().find(|(answer, _)| *answer == text) {
                Some((_, names)) => names.push(engine.name()),
                None => answers.push((text, vec![engine.name()])),
            }
        }
        let list = |names: &[&str]| if names.len() == Engine::ALL.len() { "all".to_owned() } else { names.join(", ") };
        let answers: Vec<String> =
            answers.iter().map(|(text, names)| format!("; engines: {}\n{text}", list(names))).collect();
        let snapshot = path.with_extension("snap");
        if is_blessing {
            fs::write(&snapshot, answers.join("\n")).unwrap();
        }
        let expected = fs::read_to_string(&snapshot).unwrap_or_default();
        assert_eq!(answers.join("\n"), expected, "{}: run with BLESS=1 and review", path.display());
    });
}

/// The form that `engine` makes with these options, after the passes of the header.
fn after_passes(case: &Case, engine: Engine, options: Options) -> String {
    let mut function = build(case, engine, options).0;
    let mut pass_options = PassOptions::default();
    pass_options.phi_tags = case.header.phi_tags;
    for pass in &case.header.passes {
        pass.run(&mut function, pass_options).unwrap();
    }
    assert_eq!((function.check_form(), rules(&function)), (vec![], vec![]));
    for run in &case.header.runs {
        assert!(run.is_met_by(&run.behavior(&function)), "{:?}\n{function}", run.args);
    }
    function.canonicalize();
    function.to_string()
}

#[test]
fn what_passes_make_lies_beside_the_program() {
    let is_blessing = std::env::var_os("BLESS").is_some();
    for_each_case(|path, case| {
        if case.header.passes.is_empty() {
            return;
        }
        let mut keeps_dead_phis = Options::default();
        keeps_dead_phis.minimize = false;
        let minimal = after_passes(case, Engine::Cytron, keeps_dead_phis);
        let pruned = after_passes(case, Engine::default(), Options::default());
        let answer = match minimal == pruned {
            true => format!("; after the passes\n{pruned}"),
            false => format!("; after the passes, with dead phis before\n{minimal}\n; and in pruned form\n{pruned}"),
        };
        let snapshot = path.with_extension("passes.snap");
        if is_blessing {
            fs::write(&snapshot, &answer).unwrap();
        }
        let expected = fs::read_to_string(&snapshot).unwrap_or_default();
        assert_eq!(answer, expected, "{}: run with BLESS=1 and review", path.display());
    });
}

/// The form that `engine` makes with operations folded, judged, and how many phis it has made.
fn folded(case: &Case, engine: Engine) -> (Function<Basic>, u64) {
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    let mut folding = Folding::new(FoldOptions::ALL);
    let built = to_ssa_folded(&case.function, &mut ssa, &mut folding).unwrap();
    let demands = Demands::of(Mode::Exact, &Options::default());
    let judgement = Inspector::default().judge_folded(&built, &mut ssa, &folding, demands);
    assert_eq!(judgement.refusals, [], "{engine}\n{built}");
    (built, ssa.stats().phis_made)
}

#[test]
fn what_is_folded_by_any_engine_does_what_the_header_says() {
    for_each_case(|path, case| {
        for engine in engines(case) {
            let (built, _) = folded(case, engine);
            for run in &case.header.runs {
                let behavior = run.behavior(&built);
                let before = run.behavior(&case.function);
                assert!(behavior.refines(&before), "{engine} on {}: {:?}\n{built}", path.display(), run.args);
            }
        }
    });
}

#[test]
fn what_is_folded_lies_beside_the_program() {
    let is_blessing = std::env::var_os("BLESS").is_some();
    for_each_case(|path, case| {
        let Some(phis) = case.header.folded else { return };
        let (built, phis_made) = folded(case, Engine::default());
        assert_eq!(phis_made, phis as u64, "{}", path.display());
        let (answer, snapshot) = (built.to_string(), path.with_extension("folded.snap"));
        if is_blessing {
            fs::write(&snapshot, &answer).unwrap();
        }
        let expected = fs::read_to_string(&snapshot).unwrap_or_default();
        assert_eq!(answer, expected, "{}: run with BLESS=1 and review", path.display());
    });
}

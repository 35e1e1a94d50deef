//! Programs as continuations: the figure of the paper, parameters that are taken back, and names that stay readable.

use ssaphire::fold::FoldOptions;
use ssaphire::{Certified, Observed, Options};
use ssaphire_ir::cps::{Cps, Layout, ParameterCounter, to_string};
use ssaphire_ir::{Basic, to_ssa};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::fuzzing::cps::{check_program, program};
use ssaphire_tests::programs::Shape;
use ssaphire_tests::{Filling, Plan, Rng, Sealing, TestHost, drive, files_below, functions, generate, seeds, share};
use ssaphire_while::{Program, build, build_cps, parse};
use std::fs;

/// Fig. 8c, but for its line breaks.
const FIGURE_8: &str = "\
f(x : int, ret : int → ⊥) → ⊥ {
  let then := () → ⊥
        next(23)
      else := () → ⊥
        next(42)
      next := (a : int) → ⊥
        ret(a)
  in
  branch(x == 0, then, else)
}
";

/// The programs of `corpus/while`, by name.
fn corpus() -> Vec<(String, Program)> {
    let is_program = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "while");
    let programs = files_below("corpus/while").into_iter().filter(is_program).map(|path| {
        let source = fs::read_to_string(&path).expect("the file can be read");
        let is_strict = path.parent().is_some_and(|folder| folder.ends_with("strict"));
        let options = if is_strict { ssaphire_while::Options::strict() } else { ssaphire_while::Options::default() };
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        (name, parse(&source, &options).expect("the program is valid"))
    });
    let programs: Vec<_> = programs.collect();
    assert!(programs.len() >= 20, "the corpus is there");
    programs
}

/// The continuations of a function, and what was counted on the way.
fn counted(program: &Program, index: usize, options: Options) -> (Cps<Basic>, ParameterCounter) {
    let mut ssa = Certified::with_observer(options, ParameterCounter::default());
    let cps = build_cps(program, index, &mut ssa, None).expect("there is no limit");
    let counter = ssa.observer().clone();
    // Types are fixed once: all that was created is there, but for what was taken back before.
    let ParameterCounter { created, taken_back, unused, unreachable, .. } = counter;
    assert_eq!(created - taken_back - unused - unreachable, cps.num_params() as u64, "{program}");
    (cps, counter)
}

#[test]
fn figure_8_is_as_in_the_paper() {
    let (_, program) = corpus().into_iter().find(|(name, _)| name == "braun-fig8").expect("the figure is there");
    let (cps, counter) = counted(&program, 0, Options::default());
    assert_eq!(to_string(&cps, Layout::Nested), FIGURE_8);
    assert_eq!((counter.open, counter.created, counter.taken_back), (0, 1, 0));
}

#[test]
fn programs_of_the_corpus_are_the_same_in_both_ways() {
    for (_, program) in corpus() {
        for engine in [Engine::Auto, Engine::Marker] {
            check_program(&program, engine, None, 0);
            check_program(&program, engine, Some(FoldOptions::ALL), 0);
        }
    }
}

/// What is redundant is so because of copies.
#[test]
fn few_programs_of_the_corpus_have_parameters_that_minimize_takes_back() {
    let taken_back = corpus().into_iter().filter_map(|(name, program)| {
        let count = counted(&program, 0, Options::default()).1.taken_back;
        (count > 0).then_some((name, count))
    });
    let expected = [("braun-fig2-copies", 2)];
    assert_eq!(taken_back.collect::<Vec<_>>(), expected.map(|(name, count)| (name.to_owned(), count)));
}

/// Without `minimize`, what is taken back is so while the function is built.
#[test]
fn no_parameter_of_a_program_is_taken_back_while_it_is_built() {
    for shape in [Shape::Strict, Shape::Structured] {
        let (mut created, mut num_functions) = (0, 0);
        for seed in seeds(0..300) {
            let program = program(shape, 8 + seed as usize % 60, seed);
            for index in 0..program.functions().len() {
                let (cps, counter) = counted(&program, index, Options::default().with_minimize(false));
                let mut ssa: Certified = Certified::default();
                let function = build(&program, index, &mut ssa).expect("there is no limit").function;
                let heads = cps.continuations().filter_map(|of| cps.origin(of)).filter(|&(_, index)| index == 0);
                // Where code that nothing reaches leads into other code, what it passes does not count: that is known at the end.
                if heads.count() == function.num_blocks() {
                    assert_eq!((counter.taken_back, counter.unreachable), (0, 0), "{program}");
                    (created, num_functions) = (created + counter.created, num_functions + 1);
                }
            }
        }
        assert!(created > share(2_000) as u64 && num_functions > share(100), "{shape:?}: {created} in {num_functions}");
    }
}

/// The same of any graph, irreducible or not, if each write is of a new value and blocks are filled in order.
#[test]
fn no_parameter_is_taken_back_in_any_graph_without_copies() {
    let mut host = TestHost::default();
    for shape in ssaphire_tests::Shape::ALL {
        let mut created = 0;
        for seed in seeds(0..400) {
            let case = generate(shape, false, &mut Rng::new(seed)).with_pre_entry();
            if case.reachable().contains(&false) {
                continue;
            }
            let mut ssa = observed(Engine::Auto);
            let plan = Plan::new(&case, Filling::ReversePostorder, Sealing::Immediate, seed);
            drive(&case, &plan, &mut host, &mut ssa).expect("there is no limit");
            let counter = ssa.observer();
            assert_eq!((counter.taken_back, counter.unreachable), (0, 0), "{case:?}");
            created += counter.created;
        }
        let has_joins = !matches!(shape, ssaphire_tests::Shape::OneBlock | ssaphire_tests::Shape::Unreachable);
        assert!(!has_joins || created > share(300) as u64, "{shape:?}: {created}");
    }
}

fn observed(engine: Engine) -> Certified<AnyBuilder<ParameterCounter>> {
    let options = Options::default().with_minimize(false);
    Certified::with_builder(AnyBuilder::with_observer(engine, options, ParameterCounter::default()))
}

/// What the counter is there to show: other engines take parameters back, and labels that are sealed late make any do so.
#[test]
fn parameters_that_are_taken_back_are_counted() {
    for (engine, shape) in [(Engine::Braun, Shape::Structured), (Engine::Auto, Shape::Gotos)] {
        let mut taken_back = 0;
        for seed in 0..60 {
            let program = program(shape, 40, seed);
            let mut ssa = observed(engine);
            let cps = build_cps(&program, 0, &mut ssa, None).expect("there is no limit");
            let ParameterCounter { created, taken_back: count, unused, unreachable, .. } = *ssa.observer();
            assert_eq!(created - count - unused - unreachable, cps.num_params() as u64, "{engine}: {program}");
            taken_back += count;
        }
        assert!(taken_back > 20, "{engine}: {taken_back}");
    }
}

/// Names are short, and lines no longer than a wide screen, however deep continuations are nested.
#[test]
fn ten_thousand_blocks_stay_readable() {
    for shape in [functions::Shape::Structured, functions::Shape::Irreducible] {
        let source = functions::generate(shape, 10_000, 1);
        let mut ssa: Certified = Certified::default();
        let cps = Cps::of(&to_ssa(&source, &mut ssa).expect("there is no limit")).expect("it is in SSA form");
        assert!(cps.num_continuations() >= 10_000, "{shape:?}: {}", cps.num_continuations());
        for layout in [Layout::Nested, Layout::Flat] {
            let text = to_string(&cps, layout);
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert!(longest < Some(200), "{shape:?}, {layout:?}: {longest:?}");
            let names = text.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_');
            let name = names.max_by_key(|name| name.len()).unwrap_or_default();
            assert!(name.len() <= "choose.12345".len(), "{shape:?}, {layout:?}: {name}");
        }
    }
}

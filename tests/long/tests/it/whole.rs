//! Functions that are solved without a host, whole and in parts.

use ssaphire::check::{isomorphic_by, rules};
use ssaphire::{Certified, Options, SsaBuilder, Stopped};
use ssaphire_literature::whole::{Answers, Function, FunctionError, Part, SolveError};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::{Built, Case, Filling, Plan, Rng, Sealing, Shape, TestHost, drive, generate, is_reducible, walk};
use std::thread;

/// Functions of all shapes, with the engines that take them.
fn for_each(num_seeds: u64, mut check: impl FnMut(&Case, Engine, &mut Rng)) {
    let seeds = ssaphire_tests::Part::of_environment().cases(0..num_seeds);
    for (seed, shape) in seeds.flat_map(|seed| Shape::ALL.map(|shape| (seed, shape))) {
        let mut rng = Rng::new(seed);
        let mut case = generate(shape, seed % 2 == 0, &mut rng).with_pre_entry();
        case.merges.clear();
        let any = is_reducible(&case.cfg);
        for engine in Engine::AT_THE_END.iter().copied().filter(|engine| any || engine.takes_any_graph()) {
            check(&case, engine, &mut rng);
        }
    }
}

#[test]
fn answers_are_those_of_the_builder() {
    let (mut host, mut num_compared) = (TestHost::default(), 0);
    for_each(300, |case, engine, rng| {
        let answers = Function::new(case).unwrap().solve(engine).unwrap();
        let found = Built::of_answers(case, &answers);
        assert_eq!(rules(&found), [], "{engine}: {case:?}");
        walk::random_walks(case, &found, 3, rng).unwrap_or_else(|error| panic!("{engine}: {error}\n{case:?}"));
        let plan = Plan::new(case, rng.pick(&Filling::ALL), rng.pick(&Sealing::ALL), rng.next_u64());
        let mut ssa =
            Certified::with_builder(AnyBuilder::with_options(engine, Options::default().with_minimize(false)));
        drive(case, &plan, &mut host, &mut ssa).unwrap();
        // A read in the entry makes a variable global where it is not answered at once.
        if !case.has_unreachable_edges() && engine != Engine::SemiPruned {
            let built = Built::new(case, &host);
            isomorphic_by(&built, &found, |one, other| built.same_undefined(one, &found, other))
                .unwrap_or_else(|difference| panic!("{engine}: {difference}\n{case:?}"));
            assert_eq!(ssa.stats().phis_made, answers.num_placed(), "{engine}: {case:?}");
            num_compared += 1;
        }
    });
    assert!(num_compared > ssaphire_tests::Part::of_environment().at_least(5_000), "{num_compared}");
}

fn solve_by_threads(function: &Function, engine: Engine, count: usize) -> Answers {
    let parts: Vec<Part> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..count).map(|part| scope.spawn(move || function.solve_part(engine, part, count).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    function.merge(&parts)
}

#[test]
fn any_number_of_threads_gives_the_same_answers() {
    for_each(30, |case, engine, _| {
        let function = Function::new(case).unwrap();
        let answers = function.solve(engine).unwrap();
        for count in [1, 2, 3, 7, 16] {
            assert_eq!(solve_by_threads(&function, engine, count), answers, "{engine}, {count} threads: {case:?}");
        }
    });
}

#[test]
fn what_cannot_be_solved_is_said() {
    let mut rng = Rng::new(5);
    let case = generate(Shape::ALL[0], false, &mut rng).with_pre_entry();
    let function = Function::new(&case).unwrap();
    assert_eq!(function.solve(Engine::Auto), Err(SolveError::OnTheFly { engine: Engine::Auto }));
    let stopped = SolveError::Stopped(Stopped::OutOfWork { limit: 0 });
    assert_eq!(function.solve_within(Engine::Cytron, 0), Err(stopped));
    let looping = Case::of_graph(0, &[vec![0]], 1);
    let entry = looping.cfg.entry();
    assert_eq!(Function::new(&looping).err(), Some(FunctionError::EntryHasEdges { entry }));
    let crossed = Case::of_graph(0, &[vec![1, 2], vec![2], vec![1]], 1);
    let answers = Function::new(&crossed).unwrap().solve(Engine::Structured);
    assert!(matches!(answers, Err(SolveError::Irreducible { .. })), "{answers:?}");
}

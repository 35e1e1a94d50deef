//! What every engine builds is proved minimal and pruned, and a changed proof is refused.

use ssaphire::check::{Judge, Mode, Program, ProgramEvent, Rank, Verdict, Violation};
use ssaphire::{Certified, Options, Value};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::{Case, Filling, Plan, Rng, Sealing, Shape, TestHost, drive, generate, seeds, share};

/// Those that take every function.
fn all_engines() -> Vec<Engine> {
    Engine::ALL.iter().copied().filter(|engine| engine.takes_any_graph()).collect()
}

/// Builds functions in one memory, and judges their proofs.
struct Court {
    judge: Judge,
    program: Program,
    host: TestHost,
    builders: Vec<Certified<AnyBuilder>>,
    /// Programs judged, and phis in them.
    num_judged: usize,
    num_phis: usize,
}

impl Court {
    fn new(engines: Vec<Engine>, changes: fn(&mut Options)) -> Self {
        let builder = |engine| {
            let mut options = Options::default();
            changes(&mut options);
            Certified::with_builder(AnyBuilder::with_options(engine, options))
        };
        let builders = engines.into_iter().map(builder).collect();
        let (judge, program, host) = (Judge::new(), Program::new(), TestHost::default());
        Self { judge, program, host, builders, num_judged: 0, num_phis: 0 }
    }

    /// Builds the function in some way with every engine, and calls `check` with each program and its verdict.
    fn for_each_engine(
        &mut self,
        case: &Case,
        rng: &mut Rng,
        mut check: impl FnMut(&mut Program, Verdict, &mut Judge, &mut Rng),
    ) {
        self.host.shares_undefined = rng.chance(20);
        self.host.reports_uses = rng.chance(50);
        let plan = Plan::new(case, rng.pick(&Filling::ALL), rng.pick(&Sealing::ALL), rng.next_u64());
        for ssa in &mut self.builders {
            drive(case, &plan, &mut self.host, ssa).unwrap();
            let ranked = ssa.certify_ranked(&mut self.program).unwrap();
            let verdict = self.judge.judge(&self.program, Mode::Exact);
            assert_eq!(verdict.violations, [], "{case:?}");
            // What is not claimed is not proved, and what is claimed is.
            assert_eq!(verdict.minimal, ranked.minimal.is_ok().then_some(true), "{ranked}: {case:?}");
            assert_eq!(verdict.pruned, ranked.pruned.is_ok().then_some(true), "{ranked}: {case:?}");
            self.num_judged += 1;
            self.num_phis += self.program.num_phis();
            check(&mut self.program, verdict, &mut self.judge, rng);
        }
    }

    fn for_each_case(&mut self, num_seeds: u64, mut check: impl FnMut(&mut Program, Verdict, &mut Judge, &mut Rng)) {
        for (seed, shape) in seeds(0..num_seeds).flat_map(|seed| Shape::ALL.map(|shape| (seed, shape))) {
            let mut rng = Rng::new(seed);
            let case = generate(shape, seed % 2 == 0, &mut rng).with_pre_entry();
            self.for_each_engine(&case, &mut rng, &mut check);
        }
    }
}

#[test]
fn every_result_is_proved_minimal_and_pruned() {
    let mut court = Court::new(all_engines(), |_| {});
    court.for_each_case(150, |program, verdict, _, _| {
        assert_eq!((verdict.minimal, verdict.pruned), (Some(true), Some(true)), "{program:?}");
    });
    assert_eq!(court.num_judged, seeds(0..150).count() * Shape::ALL.len() * all_engines().len());
    assert!(court.num_phis > court.num_judged, "{}", court.num_phis);
}

/// With redundant phis left in, all that is missing is the claim that there are none.
#[test]
fn what_is_not_minimal_is_certified_without_that_claim() {
    let mut num_redundant = 0;
    Court::new(Engine::ON_THE_FLY.to_vec(), |options| options.minimize = false).for_each_case(
        200,
        |program, verdict, _, _| {
            num_redundant += usize::from(verdict.minimal.is_none());
            assert_eq!((verdict.pruned, verdict.is_accepted()), (Some(true), true), "{program:?}");
            assert_eq!(verdict.minimal.is_none(), program.num_phis() > 0 && program.number_list().is_empty());
        },
    );
    assert!(num_redundant > share(100), "{num_redundant}");
}

/// Changes one number or one rank in some way, which may happen to be right.
fn change(program: &mut Program, way: usize, rng: &mut Rng) {
    let (mut numbers, mut ranks) = (program.number_list().to_vec(), program.rank_list().to_vec());
    let (number, rank) = (rng.below(numbers.len()), rng.below(ranks.len()));
    match way {
        0 => numbers[number].1 = numbers[rng.below(numbers.len())].1,
        1 => numbers[number].1 = u32::MAX,
        2 => drop(numbers.remove(number)),
        3 => numbers.push(numbers[number]),
        4 => drop(ranks.remove(rank)),
        5 => ranks.push(ranks[rank]),
        6 => ranks[rank].rank += 1,
        7 => ranks[rank].user = ranks[rng.below(ranks.len())].user,
        8 => ranks[rank].user = Some(ranks[rank].phi),
        _ => ranks[rank] = Rank { phi: ranks[rank].phi, rank: 0, user: Some(Value::new(program.num_phis())) },
    }
    program.set_numbers(numbers);
    program.set_ranks(ranks);
}

/// By definition: whether each phi of the program is between two operands, and on a way to a use.
///
/// Programs here have no unreachable blocks.
fn is_right(program: &Program) -> (bool, bool) {
    let phis = || program.blocks().flat_map(|block| program.phi_list(block)).copied();
    let number = |value: Value| {
        let mut given = program.number_list().iter().filter(|(numbered, _)| *numbered == value);
        given.next().map(|&(_, number)| number).filter(|_| given.next().is_none())
    };
    let are_right = |value: Value, operands: &[Value]| {
        let own = number(value);
        own.is_some()
            && operands.iter().all(|&operand| number(operand).is_some())
            && operands.iter().any(|&operand| number(operand) < own)
            && operands.iter().any(|&operand| number(operand) > own)
    };
    let minimal = phis().all(|phi| are_right(phi.value, program.operand_list(phi)));
    let rank = |value: Value| {
        let mut given = program.rank_list().iter().filter(|rank| rank.phi == value);
        given.next().copied().filter(|_| given.next().is_none())
    };
    let uses = || program.blocks().flat_map(|block| program.event_list(block));
    let is_used = |value| uses().any(|event| matches!(*event, ProgramEvent::Use { value: used, .. } if used == value));
    let pruned = phis().all(|phi| {
        rank(phi.value).is_some_and(|given| match given.user {
            None => given.rank == 0 && is_used(phi.value),
            Some(user) => phis().any(|other| {
                other.value == user
                    && rank(user).is_some_and(|of_user| of_user.rank < given.rank)
                    && program.operand_list(other).contains(&phi.value)
            }),
        })
    });
    (minimal, pruned)
}

#[test]
fn a_changed_proof_is_refused_by_the_rule_it_breaks() {
    let mut broken = [0; 6];
    let shapes = [Shape::Structured, Shape::Irreducible, Shape::RepeatedEdges];
    let mut court = Court::new(all_engines(), |_| {});
    for (seed, shape) in seeds(0..250).flat_map(|seed| shapes.map(|shape| (seed, shape))) {
        let mut rng = Rng::new(seed);
        let case = generate(shape, true, &mut rng).with_pre_entry();
        if case.reachable().contains(&false) {
            continue;
        }
        court.for_each_engine(&case, &mut rng, |program, _, judge, rng| {
            if program.num_phis() == 0 {
                return;
            }
            let (numbers, ranks) = (program.number_list().to_vec(), program.rank_list().to_vec());
            for way in 0..10 {
                program.set_numbers(numbers.iter().copied());
                program.set_ranks(ranks.iter().copied());
                change(program, way, rng);
                let verdict = judge.judge(program, Mode::Exact);
                let claims = (!program.number_list().is_empty(), !program.rank_list().is_empty());
                let right = is_right(program);
                let expected = (claims.0.then_some(right.0), claims.1.then_some(right.1));
                assert_eq!((verdict.minimal, verdict.pruned), expected, "way {way}: {program:?}");
                count(&verdict, &mut broken);
            }
        });
    }
    assert!(broken.iter().all(|&count| count > share(100)), "{broken:?}");
}

/// Counts the rules broken, which are about proofs alone.
fn count(verdict: &Verdict, broken: &mut [usize; 6]) {
    for violation in &verdict.violations {
        let rule = match violation {
            Violation::Unnumbered { .. } => 0,
            Violation::BadNumber { .. } => 1,
            Violation::NumberedTwice { .. } => 2,
            Violation::Unranked { .. } => 3,
            Violation::BadRank { .. } => 4,
            Violation::RankedTwice { .. } => 5,
            other => panic!("{other}"),
        };
        broken[rule] += 1;
    }
}

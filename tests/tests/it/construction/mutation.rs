//! A result that was changed is refused, by the rule that it breaks, or does the same on all paths.

use super::mutants::{Draft, Mutation, mutants};
use ssaphire::check::{Mode, Program, Validator, Violation, judge, quality};
use ssaphire::{Access, Block, Certified, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::naive;
use ssaphire_tests::small::{Content, small_graphs};
use ssaphire_tests::{Case, Filling, Part, Plan, Rng, Sealing, Shape, TestHost, drive, generate, share};
use std::collections::{BTreeMap, BTreeSet};

/// So many mutants of random functions are compared with the reference, unless `SSAPHIRE_MUTANTS` says otherwise.
const MUTANTS: usize = 20_000;

fn certificate(case: &Case, engine: Engine) -> Program {
    let (mut ssa, mut program) = (Certified::with_builder(AnyBuilder::new(engine)), Program::new());
    let plan = Plan::new(case, Filling::ReversePostorder, Sealing::Immediate, 0);
    drive(case, &plan, &mut TestHost::default(), &mut ssa).unwrap();
    ssa.certify(&mut program).unwrap();
    program
}

/// The rules that the changed program breaks.
fn broken_rules(draft: &Draft) -> Vec<&'static str> {
    let program = draft.program();
    let verdict = judge(&program, Mode::Exact);
    let mut rules: Vec<&'static str> = verdict.violations.iter().map(|violation| violation.rule()).collect();
    if verdict.is_accepted() {
        // A right program is no good one if it has phis that could go.
        rules.extend(quality(&program).iter().map(|finding| finding.rule()));
    }
    rules
}

/// `x = ..; if (..) x = ..; use x; while (..) repeat x = ..; until (..); use x`, and a second variable that is
/// only read.
fn sample() -> Case {
    let (x, y) = (Variable::new(0), Variable::new(1));
    let targets = [vec![1, 2], vec![2], vec![3], vec![4, 5], vec![3, 4], vec![]];
    let mut case = Case::of_graph(0, &targets, 2);
    case.accesses[0].extend([Access::Write(x), Access::Write(y)]);
    case.accesses[1].push(Access::Write(x));
    case.accesses[2].push(Access::Read(x));
    case.accesses[4].extend([Access::Read(x), Access::Read(y), Access::Write(x)]);
    case.accesses[5].extend([Access::Read(x), Access::Read(y)]);
    case
}

#[test]
fn each_kind_of_change_breaks_its_rule() {
    // The values differ, so that each change of this sample is a wrong one.
    let expected: [(Mutation, &[&str]); 8] = [
        (Mutation::SwapOperands, &["wrong-value", "stale-value", "operand-not-dominated"]),
        (Mutation::ReplaceUse, &["wrong-value", "stale-value", "not-dominated", "used-before-defined"]),
        (Mutation::DropPhi, &["not-defined"]),
        (Mutation::StaleAlias, &["not-defined"]),
        (Mutation::Arity, &["operand-count"]),
        (Mutation::DoubleBinding, &["defined-twice"]),
        (Mutation::RedundantSet, &["redundant-phi"]),
        (Mutation::DeadPhi, &["dead-phi"]),
    ];
    for &engine in Engine::ALL {
        let draft = Draft::new(&certificate(&sample(), engine));
        assert_eq!(broken_rules(&draft), Vec::<&str>::new(), "{engine}");
        for (mutation, rules) in &expected {
            let mutants = mutants(&draft, *mutation);
            assert!(!mutants.is_empty(), "{mutation:?}");
            for mutant in mutants {
                let broken = broken_rules(&mutant);
                assert!(
                    broken.iter().any(|rule| rules.contains(rule)),
                    "{engine}, {mutation:?}: {broken:?} {mutant:?}"
                );
            }
        }
    }
}

/// How many mutants there are and how many are accepted, by kind.
type Tally = BTreeMap<Mutation, [usize; 2]>;

/// Judges every mutant of `case`.
fn check_mutants(case: &Case, tally: &mut Tally) {
    let draft = Draft::new(&certificate(case, Engine::default()));
    assert_eq!(draft.differs(max_blocks(case)), None, "{case:?}");
    for mutation in Mutation::ALL {
        for mutant in mutants(&draft, mutation) {
            let program = mutant.program();
            let verdict = judge(&program, Mode::Exact);
            let [made, accepted] = tally.entry(mutation).or_default();
            *made += 1;
            *accepted += usize::from(verdict.is_accepted());
            if !mutation.breaks_structure() {
                // Exact: accepted if and only if no path shows a difference.
                let differs = mutant.differs(max_blocks(case));
                assert_eq!(verdict.equivalent, differs.is_none(), "{mutation:?}: {differs:?} {mutant:?} {case:?}");
                // And if and only if the decision says so that visits every block on the way.
                let wrong = naive::wrong_uses(&program, Mode::Exact);
                assert_eq!(verdict.equivalent, wrong.is_empty(), "{mutation:?}: {wrong:?} {mutant:?} {case:?}");
            } else {
                assert!(!verdict.is_accepted() || mutant.differs(max_blocks(case)).is_none(), "{mutant:?} {case:?}");
            }
        }
    }
}

/// The mutants of a tally that were compared with the reference, which is asked of sound structure alone.
fn compared(tally: &Tally) -> usize {
    tally.iter().filter(|(mutation, _)| !mutation.breaks_structure()).map(|(_, [made, _])| made).sum()
}

fn max_blocks(case: &Case) -> usize {
    2 * case.cfg.num_blocks() + 2
}

#[test]
fn mutants_of_small_programs_are_refused_or_do_the_same_on_all_walks() {
    let mut tally = Tally::new();
    let mut number = 0usize;
    for num_blocks in 2..=4 {
        for graph in small_graphs(num_blocks).0 {
            for code in 0..1usize << (2 * num_blocks) {
                number += 1;
                // One in eight of four blocks, by lot, and fewer where not all seeds are taken.
                let lot = number.wrapping_mul(0x9e37_79b9) >> 7;
                if num_blocks == 4 && !lot.is_multiple_of(8 * Part::of_seeds().of) {
                    continue;
                }
                let contents: Vec<Content> =
                    (0..num_blocks).map(|block| Content::ALL[code >> (2 * block) & 3]).collect();
                if contents.iter().any(|content| content.reads()) {
                    check_mutants(&graph.case(&contents), &mut tally);
                }
            }
        }
    }
    println!("{tally:?}: {} compared", compared(&tally));
    for (mutation, [made, accepted]) in &tally {
        assert!(*made > share(1_000), "{mutation:?}: {made}");
        if !mutation.keeps_meaning() {
            assert!(accepted * 10 < *made, "{mutation:?}: {accepted} of {made} accepted");
        }
    }
}

#[test]
fn mutants_of_small_random_functions_with_copies_are_refused_or_do_the_same() {
    let mut tally = Tally::new();
    let mut rng = Rng::new(3);
    let mut num_cases = 0;
    while num_cases < 150 {
        let shape = rng.pick(&Shape::ALL);
        let case = generate(shape, true, &mut rng).with_pre_entry();
        let is_small = case.cfg.num_blocks() <= 4 && case.blocks().all(|block| case.cfg.targets(block).len() <= 2);
        if is_small {
            check_mutants(&case, &mut tally);
            num_cases += 1;
        }
    }
    println!("{tally:?}: {} compared", compared(&tally));
    assert!(tally.values().map(|[made, _]| made).sum::<usize>() > 2_000, "{tally:?}");
}

/// The reads that the judge names: by block, index of the event.
fn named_reads(violations: &[Violation]) -> BTreeSet<(Block, usize)> {
    let read = |violation: &Violation| match *violation {
        Violation::WrongValue { block, event, .. }
        | Violation::StaleValue { block, event, .. }
        | Violation::MissingValue { block, event, .. }
        | Violation::Uninitialized { block, event, .. } => (block, event),
        ref other => panic!("{other:?} is of no read"),
    };
    violations.iter().map(read).collect()
}

/// Has every mutant of `case` decided by the judge and by the reference, read by read.
fn compare_mutants(case: &Case, engine: Engine, validator: &mut Validator, tally: &mut Tally) {
    let draft = Draft::new(&certificate(case, engine));
    for mutation in Mutation::ALL.into_iter().filter(|mutation| !mutation.breaks_structure()) {
        for mutant in mutants(&draft, mutation) {
            let program = mutant.program();
            for mode in [Mode::Exact, Mode::Refine] {
                let found = named_reads(&validator.validate(&program, mode).err().unwrap_or_default());
                let expected = naive::wrong_uses(&program, mode);
                assert_eq!(found, expected, "{mode:?}, {mutation:?}: {mutant:?} {engine} {case:?}");
                if mode == Mode::Exact {
                    let [made, accepted] = tally.entry(mutation).or_default();
                    *made += 1;
                    *accepted += usize::from(found.is_empty());
                    assert_eq!(judge(&program, mode).equivalent, found.is_empty(), "{mutant:?} {engine} {case:?}");
                }
            }
        }
    }
}

#[test]
fn mutants_of_random_functions_are_decided_as_by_the_reference() {
    let wanted = std::env::var("SSAPHIRE_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTANTS);
    let (mut validator, mut tally) = (Validator::new(), Tally::new());
    let mut num_functions = 0;
    while compared(&tally) < wanted {
        let mut rng = Rng::new(num_functions);
        let (shape, engine) = (rng.pick(&Shape::ALL), rng.pick(Engine::ON_THE_FLY));
        let case = generate(shape, rng.chance(50), &mut rng).with_pre_entry();
        compare_mutants(&case, engine, &mut validator, &mut tally);
        num_functions += 1;
    }
    println!("{tally:?}: {} compared, of {num_functions} functions", compared(&tally));
    for mutation in Mutation::ALL.into_iter().filter(|mutation| !mutation.breaks_structure()) {
        // One for each function on average: not all forms have what a mutation needs.
        assert!(tally[&mutation][0] as u64 > num_functions, "{mutation:?}: {tally:?}");
    }
}

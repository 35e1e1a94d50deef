//! Dead code elimination on random functions: what can be seen of a run stays, and nothing is left to remove.

use ssaphire::{Certified, Options as BuildOptions, check, minimize};
use ssaphire_ir::basic::{BasicMachine, Behavior, BinaryOp, Op, Type, behavior};
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_ir::passes::{Options, Report, remove_dead_code};
use ssaphire_ir::{Action, Arg, Basic, Dest, Function, Inst, to_ssa};
use ssaphire_tests::functions::{self, Rng, Shape, maximal_ssa};
use ssaphire_tests::seeds;

/// Random functions tried.
const FUNCTIONS: u64 = 1200;

/// What all functions together have lost, and how their runs ended.
#[derive(Debug, Default)]
struct Totals {
    functions: u64,
    runs: u64,
    returned: u64,
    trapped: u64,
    blocks: usize,
    insts: usize,
    removed: Report,
}

/// Whether an instruction makes one number of one number.
fn is_of_a_number(function: &Function<Basic>, inst: &Inst<Basic>) -> bool {
    let is_number = |variable| *function.variable_type(variable) == Type::Number;
    match (&inst.results[..], &inst.args[..]) {
        (&[Dest::Variable(result)], &[Arg::Variable(arg)]) => is_number(result) && is_number(arg),
        (&[Dest::Variable(result)], [Arg::Value(_)]) => is_number(result),
        _ => false,
    }
}

/// Takes most effects out of a function in variable form, so that much of it is dead; some divisions become additions.
fn thin_out(function: &mut Function<Basic>, rng: &mut Rng) {
    let percent = rng.below(101);
    for block in function.blocks() {
        let mut insts = function.block(block).insts().to_vec();
        insts.retain(|inst| inst.action != Action::Op(Op::Print) || rng.below(100) >= percent);
        for inst in &mut insts {
            let divides = matches!(inst.action, Action::Op(Op::Binary(BinaryOp::Div | BinaryOp::Rem)));
            let calls = matches!(inst.action, Action::Op(Op::Call(_))) && inst.targets.is_empty();
            if divides && rng.below(100) < percent {
                inst.action = Action::Op(Op::Binary(BinaryOp::And));
            } else if calls && is_of_a_number(function, inst) && rng.below(200) < percent {
                inst.action = Action::Op(Op::Unary(ssaphire_ir::basic::UnaryOp::Not));
            }
        }
        function.set_insts(block, insts);
    }
    function.canonicalize();
}

fn ssa(seed: u64, rng: &mut Rng) -> Function<Basic> {
    let shape = Shape::ALL[seed as usize % Shape::ALL.len()];
    let mut function = functions::generate(shape, 1 + rng.below(14), seed);
    thin_out(&mut function, rng);
    if rng.below(2) == 0 {
        return maximal_ssa(&function);
    }
    let mut builder = Certified::with_options(BuildOptions::default());
    to_ssa(&function, &mut builder).unwrap_or_else(|error| panic!("{error}\n{function}"))
}

fn run(function: &Function<Basic>, seed: u64, steps: u64) -> Behavior {
    let args = vec![seed as i64 - 1; function.params().len()];
    let machine = BasicMachine::new(seed, vec![3, 1, 4]);
    behavior(function, &args, machine, Limits { steps, frames: 10 })
}

fn is_cut(behavior: &Behavior) -> bool {
    matches!(behavior.outcome, Err(TrapKind::OutOfSteps { .. }))
}

/// Whether the function that is left does the same as the one there was.
///
/// It takes no more steps, so that it comes to its end wherever the other does. Where that does not, what it did is the
/// beginning of what is done now; if loops are kept, there is an end now only if there is one later.
fn does_the_same(before: &Function<Basic>, after: &Function<Basic>, options: Options, totals: &mut Totals) -> bool {
    (0..4).all(|seed| {
        let (was, is) = (run(before, seed, 500), run(after, seed, 500));
        totals.runs += 1;
        totals.returned += u64::from(was.outcome.is_ok());
        totals.trapped += u64::from(was.outcome.is_err() && !is_cut(&was));
        let ends_later = || run(before, seed, 50_000) == is;
        match is_cut(&was) {
            false => was == is,
            true => was.agrees_with(&is) && (!options.keep_loops || is_cut(&is) || ends_later()),
        }
    })
}

fn check(seed: u64, totals: &mut Totals) {
    let mut rng = Rng::new(seed);
    let before = ssa(seed, &mut rng);
    let options = Options { keep_loops: rng.below(2) == 0, ..Options::default() };
    let mut after = before.clone();
    let report = remove_dead_code(&mut after, options).unwrap_or_else(|error| panic!("{error}"));
    totals.functions += 1;
    totals.blocks += before.num_blocks();
    totals.insts += before.blocks().map(|block| before.block(block).insts().len()).sum::<usize>();
    totals.removed = totals.removed.and(report);
    let shown = || format!("seed {seed}, {options:?}\n{before}\n{after}");
    assert_eq!(after.check_form(), [], "{}", shown());
    assert_eq!(check::rules(&after), [], "{}", shown());
    assert_eq!(minimize::redundant_phis(&after).as_deref(), Ok(&[][..]), "{}", shown());
    assert!(does_the_same(&before, &after, options, totals), "{}", shown());
    let mut again = after.clone();
    let second = remove_dead_code(&mut again, options).unwrap_or_else(|error| panic!("{error}"));
    assert!(second.is_empty() && again == after, "{second:?}\n{}\n{again}", shown());
}

#[test]
fn random_functions_do_the_same_without_their_dead_code() {
    let mut totals = Totals::default();
    seeds(0..FUNCTIONS).for_each(|seed| check(seed, &mut totals));
    println!("{totals:#?}");
    // Otherwise this test would show little.
    let removed = totals.removed;
    let each = totals.functions as usize;
    assert!(removed.dead_insts > each && removed.dead_branches > each / 10 && removed.empty_blocks > each / 2);
    assert!(totals.returned > totals.runs / 4 && totals.trapped > totals.runs / 50, "{totals:?}");
}

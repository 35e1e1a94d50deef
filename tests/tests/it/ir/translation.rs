//! Translation validation on random functions: right passes are proven right, and nothing wrong is.

use ssaphire::{Certified, check};
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior};
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_ir::judge::prove_translation;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::{Arg, Basic, Function, to_ssa};
use ssaphire_tests::functions::{self, Rng, Shape, maximal_ssa};
use ssaphire_tests::{seeds, share};

/// Random functions tried.
const FUNCTIONS: u64 = 700;

/// Passes that leave the graph as it is unless a branch is decided or goes.
const PASSES: [Pass; 7] = [
    Pass::Constants,
    Pass::Copies,
    Pass::ValueNumbering,
    Pass::LoopInvariants,
    Pass::DeadCode,
    Pass::RedundantPhis,
    Pass::Unused,
];

fn ssa(seed: u64, rng: &mut Rng) -> Function<Basic> {
    let shape = Shape::ALL[seed as usize % Shape::ALL.len()];
    let function = functions::generate(shape, 1 + rng.below(14), seed);
    if rng.below(2) == 0 {
        return maximal_ssa(&function);
    }
    let mut builder = Certified::new();
    to_ssa(&function, &mut builder).unwrap_or_else(|error| panic!("{error}\n{function}"))
}

fn run(function: &Function<Basic>, seed: u64) -> Behavior {
    let args = vec![seed as i64 - 1; function.params().len()];
    behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps: 500, frames: 10 })
}

/// Whether two forms do the same, as far as their runs show. What is undefined may be anything.
fn seem_the_same(before: &Function<Basic>, after: &Function<Basic>) -> bool {
    let is_cut = |behavior: &Behavior| matches!(behavior.outcome, Err(TrapKind::OutOfSteps { .. }));
    let has_undefined = before.to_string().contains("undef");
    has_undefined
        || (0..4).all(|seed| {
            let (was, is) = (run(before, seed), run(after, seed));
            if is_cut(&was) || is_cut(&is) { was.agrees_with(&is) || is.agrees_with(&was) } else { was == is }
        })
}

#[test]
fn what_passes_do_to_a_graph_that_stays_is_proven() {
    let (mut proven, mut changed) = ([0; PASSES.len()], [0; PASSES.len()]);
    for seed in seeds(0..FUNCTIONS) {
        let mut rng = Rng::new(seed);
        let before = ssa(seed, &mut rng);
        for (number, &pass) in PASSES.iter().enumerate() {
            let mut after = before.clone();
            let done = pass.run(&mut after, PassOptions::default()).unwrap_or_else(|error| panic!("{error}"));
            match prove_translation(&before, &after) {
                Ok(()) => proven[number] += usize::from(done > 0),
                Err(unproved) if unproved.is_graph() => changed[number] += 1,
                Err(unproved) => panic!("seed {seed}, {pass}: {unproved}\n{before}\n{after}"),
            }
        }
    }
    println!("{PASSES:?}: proven {proven:?}, with another graph {changed:?}");
    // There are no copies in these functions.
    let changing = PASSES.iter().zip(proven).filter(|(pass, _)| **pass != Pass::Copies);
    assert!(changing.into_iter().all(|(_, count)| count > share(50)), "{proven:?}");
}

/// One argument or operand exchanged for another value.
fn disturb(function: &mut Function<Basic>, rng: &mut Rng) {
    let values: Vec<_> = function.values().collect();
    let blocks: Vec<_> = function.blocks().collect();
    let (Some(&value), Some(&block)) = (rng.pick(&values), rng.pick(&blocks)) else { return };
    let num_phis = function.block(block).phis().len();
    if num_phis > 0 && rng.below(2) == 0 {
        let edges = function.block(block).incoming().len();
        function.set_operand(block, rng.below(num_phis), rng.below(edges), value);
        return;
    }
    let mut insts = function.block(block).insts().to_vec();
    let place = rng.below(insts.len());
    let inst = &mut insts[place];
    if !inst.args.is_empty() {
        let arg = rng.below(inst.args.len());
        inst.args[arg] = Arg::Value(value);
    } else if inst.targets.is_empty() {
        insts.remove(place);
    }
    function.set_insts(block, insts);
}

#[test]
fn what_is_proven_after_a_disturbance_does_the_same() {
    let (mut accepted, mut refused, mut caught) = (0, 0, 0);
    for seed in seeds(0..4 * FUNCTIONS) {
        let mut rng = Rng::new(!seed);
        let before = ssa(seed, &mut rng);
        let mut after = before.clone();
        let pass = PASSES[rng.below(PASSES.len())];
        pass.run(&mut after, PassOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        disturb(&mut after, &mut rng);
        if !after.check_form().is_empty() || !check::rules(&after).is_empty() {
            continue;
        }
        match prove_translation(&before, &after) {
            Ok(()) => {
                accepted += 1;
                assert!(seem_the_same(&before, &after), "seed {seed}, {pass}:\n{before}\n{after}");
            }
            Err(unproved) => {
                refused += 1;
                caught += usize::from(!unproved.is_graph() && !seem_the_same(&before, &after));
            }
        }
    }
    println!("accepted {accepted}, refused {refused}, of these seen to be wrong {caught}");
    assert!(accepted > share(100) && caught > share(100), "{accepted} {refused} {caught}");
}

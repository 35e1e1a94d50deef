//! Any passes of the reference IR, one after the other, on any function in SSA form.

use crate::choices::Choices;
use crate::rng::Rng;
use ssaphire::check::rules;
use ssaphire::{Certified, Options as BuildOptions, minimize};
use ssaphire_ir::basic::{BasicMachine, Behavior, Op, behavior};
use ssaphire_ir::generate::{self, Shape, maximal_ssa};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::passes::{
    Options, PhiTags, ThreadingOptions, number_values, propagate_constants, remove_dead_code, thread_jumps,
};
use ssaphire_ir::{Action, Basic, Function, Inst, Variable, to_ssa};

/// A pass, with the options that it is run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// [`propagate_constants`].
    Constants,
    /// [`thread_jumps`].
    Threading,
    /// [`number_values`], phis by block.
    Numbering,
    /// [`number_values`], phis by condition.
    NumberingByCondition,
    /// [`remove_dead_code`], which keeps loops.
    DeadCode,
}

impl Pass {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Constants, Self::Threading, Self::Numbering, Self::NumberingByCondition, Self::DeadCode];

    /// Runs it: how much it has done.
    ///
    /// # Panics
    /// If the graph breaks its contract.
    pub fn run(self, function: &mut Function<Basic>) -> usize {
        let done = match self {
            Self::Constants => propagate_constants(function).map(|report| report.constants + report.branches),
            Self::Threading => thread_jumps(function, ThreadingOptions::default()).map(|report| report.edges),
            Self::Numbering => number_values(function, PhiTags::Block).map(|report| report.phis + report.insts),
            Self::NumberingByCondition => {
                number_values(function, PhiTags::Condition).map(|report| report.phis + report.insts)
            }
            Self::DeadCode => remove_dead_code(function, Options { keep_loops: true }).map(|report| report.dead_insts),
        };
        done.expect("the graph keeps its contract")
    }
}

/// The function stays valid and does what it did, after each pass.
///
/// # Panics
/// If it does not.
pub fn check(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let function = decode(&mut choices);
    let passes: Vec<Pass> = (0..=choices.below(4)).map(|_| choices.pick(&Pass::ALL)).collect();
    check_passes(&function, &passes);
}

/// Runs passes one after the other: how much each has done.
///
/// # Panics
/// If the function does not stay valid, or does not do what it did.
pub fn check_passes(function: &Function<Basic>, passes: &[Pass]) -> Vec<usize> {
    let mut before = function.clone();
    let check = |&pass: &Pass| {
        let mut after = before.clone();
        let done = pass.run(&mut after);
        let fail = |what: &str| -> ! { panic!("{pass:?}: {what}\n{before}\n{after}") };
        if (after.check_form(), rules(&after)) != (vec![], vec![]) {
            fail("the result is not valid");
        }
        // Who has found nothing has not looked for redundant phis.
        if done > 0 && minimize::redundant_phis(&after).as_deref() != Ok(&[]) {
            fail("redundant phis are left");
        }
        for seed in 0..4 {
            let (was, is) = (run(&before, seed), run(&after, seed));
            if !was.agrees_with(&is) {
                fail(&format!("{was}\nbecomes\n{is}"));
            }
        }
        before = after;
        done
    };
    passes.iter().map(check).collect()
}

fn run(function: &Function<Basic>, seed: u64) -> Behavior {
    let args = vec![seed as i64 - 1; function.params().len()];
    behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps: 500, frames: 10 })
}

/// A function in SSA form, minimal or maximal.
pub fn decode(choices: &mut Choices<'_>) -> Function<Basic> {
    let (shape, num_blocks) = (choices.pick(Shape::ALL), 1 + choices.below(14));
    let seed = choices.below(1 << 16) as u64;
    let mut function = generate::function(shape, num_blocks, seed);
    settle(&mut function, choices, &mut Rng::new(seed));
    if choices.chance(50) {
        return maximal_ssa(&function);
    }
    let mut builder = Certified::new(BuildOptions::default());
    to_ssa(&function, &mut builder).unwrap_or_else(|error| panic!("{error}\n{function}"))
}

/// Makes some operations copies of small constants, so that much is decided, and lets others be computed twice.
fn settle(function: &mut Function<Basic>, choices: &mut Choices<'_>, rng: &mut Rng) {
    let (settled, repeated) = (choices.below(101), choices.below(101));
    let constants = [0, 1, 2].map(|number| function.constant(number));
    for block in function.blocks() {
        let mut insts = Vec::new();
        for inst in function.block(block).insts().to_vec() {
            let computes = matches!(inst.action, Action::Op(Op::Unary(_) | Op::Binary(_)));
            if let (true, [dest]) = (computes && rng.below(100) < settled, &inst.results[..]) {
                insts.push(Inst::copy(*dest, constants[rng.below(3)]));
                continue;
            }
            if computes && rng.below(100) < repeated {
                insts.push(inst.clone().with_results([Variable::new(rng.below(function.num_variables()))]));
            }
            insts.push(inst);
        }
        function.set_insts(block, insts);
    }
}

//! Any passes of the reference IR, one after the other, on any function in SSA form.

mod alike;

use crate::choices::Choices;
use crate::rng::Rng;
use ssaphire::check::rules;
use ssaphire::{Certified, Options as BuildOptions, minimize};
use ssaphire_ir::basic::{BasicMachine, Behavior, Op, behavior};
use ssaphire_ir::generate::{self, Shape, maximal_ssa};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::passes::{Options, Pass, PassOptions, PhiTags};
use ssaphire_ir::{Action, Arg, Basic, Function, Inst, Value, Variable, to_ssa};

/// The function stays valid and does what it did, after each pass.
///
/// # Panics
/// If it does not.
pub fn check(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let function = decode(&mut choices);
    let passes: Vec<Pass> = (0..=choices.below(4)).map(|_| choices.pick(Pass::ALL)).collect();
    let tags = choices.pick(&[PhiTags::Block, PhiTags::Loop, PhiTags::Condition, PhiTags::Loop]);
    check_passes(&function, &passes, tags);
}

/// Runs passes one after the other: how much each has done.
///
/// # Panics
/// If the function does not stay valid, or does not do what it did.
pub fn check_passes(function: &Function<Basic>, passes: &[Pass], tags: PhiTags) -> Vec<usize> {
    let mut options = PassOptions::default();
    // Otherwise a run that does not end may end.
    (options.dead_code, options.phi_tags) = (Options { keep_loops: true }, tags);
    let mut before = function.clone();
    let check = |&pass: &Pass| {
        let mut after = before.clone();
        let done = pass.run(&mut after, options).expect("the graph keeps its contract");
        let fail = |what: &str| -> ! { panic!("{pass:?}: {what}\n{before}\n{after}") };
        if (after.check_form(), rules(&after)) != (vec![], vec![]) {
            fail("the result is not valid");
        }
        let is_minimal = |function: &Function<Basic>| minimize::redundant_phis(function).as_deref() == Ok(&[]);
        // Whoever removes blocks alone leaves phis with fewer operands, and whoever moves code has no need to look at phis.
        let must_be_minimal = match pass {
            Pass::UnreachableBlocks | Pass::EmptyBlocks => false,
            Pass::LoopInvariants => is_minimal(&before),
            _ => done > 0 || is_minimal(&before),
        };
        if must_be_minimal && !is_minimal(&after) {
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
    let args: Vec<i64> = (0..).map(|index| seed as i64 - 1 + index % 2).take(function.params().len()).collect();
    behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps: 500, frames: 10 })
}

/// A function in SSA form, minimal or maximal.
pub fn decode(choices: &mut Choices<'_>) -> Function<Basic> {
    let (shape, num_blocks) = (choices.pick(Shape::ALL), 1 + choices.below(14));
    let seed = choices.below(1 << 16) as u64;
    let are_alike = choices.chance(25);
    let function = if are_alike {
        alike::function(seed)
    } else {
        let mut function = generate::function(shape, num_blocks, seed);
        settle(&mut function, choices, &mut Rng::new(seed));
        function
    };
    if choices.chance(50) {
        return maximal_ssa(&function);
    }
    let mut builder = Certified::new(BuildOptions::default());
    to_ssa(&function, &mut builder).unwrap_or_else(|error| panic!("{error}\n{function}"))
}

/// Makes some operations copies of small constants, so that much is decided, lets others be computed twice, perhaps
/// the second time of what does not change, and puts copies between them.
fn settle(function: &mut Function<Basic>, choices: &mut Choices<'_>, rng: &mut Rng) {
    let (settled, repeated) = (choices.below(101), choices.below(101));
    let constants = [0, 1, 2].map(|number| function.constant(number));
    let fixed: Vec<Value> = function.params().iter().map(|param| param.value).chain(constants).collect();
    for block in function.blocks() {
        let mut insts = Vec::new();
        for inst in function.block(block).insts().to_vec() {
            let computes = matches!(inst.action, Action::Op(Op::Unary(_) | Op::Binary(_)));
            if let (true, [dest]) = (computes && rng.below(100) < settled, &inst.results[..]) {
                insts.push(Inst::copy(*dest, constants[rng.below(3)]));
                continue;
            }
            if computes && rng.below(100) < repeated {
                let variable = Variable::new(rng.below(function.num_variables()));
                let mut again = inst.clone().with_results([variable]);
                if rng.below(2) == 0 {
                    again.args.iter_mut().for_each(|arg| *arg = Arg::Value(fixed[rng.below(fixed.len())]));
                }
                insts.push(again);
            }
            if computes && rng.below(300) < repeated {
                let [from, to] = [(); 2].map(|()| Variable::new(rng.below(function.num_variables())));
                let copied = function.new_version(from);
                insts.extend([Inst::copy(copied, from), Inst::copy(to, copied)]);
            }
            insts.push(inst);
        }
        function.set_insts(block, insts);
    }
}

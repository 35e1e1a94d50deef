//! Any passes of the reference IR, one after the other, on any function in SSA form.

mod alike;
mod step;
mod survey;

pub use step::Step;
pub use survey::Tally;

use crate::choices::Choices;
use crate::functions::{self, Shape, maximal_ssa};
use crate::rng::Rng;
use ssaphire::check::rules;
use ssaphire::{Certified, Options as BuildOptions, minimize};
use ssaphire_ir::basic::{BasicMachine, Behavior, Op, Type, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::passes::{Pass, PhiTags};
use ssaphire_ir::{Action, Arg, Basic, Function, Inst, Value, Variable, to_ssa};

/// The function stays valid and does what it did, after each step.
///
/// # Panics
/// If it does not.
pub fn check(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let function = decode(&mut choices);
    let mut step = || {
        // Tags by loop find something in few functions.
        if choices.chance(20) {
            return Step::Pass(Pass::ValueNumbering, PhiTags::Loop);
        }
        Step::number(choices.below(Step::COUNT), choices.below(1 << 16) as u64)
    };
    let steps: Vec<Step> = (0..3).map(|_| step()).collect();
    check_steps(&function, &steps);
}

/// Takes steps one after the other: how much each has done.
///
/// # Panics
/// If the function does not stay valid, or does not do what it did.
pub fn check_steps(function: &Function<Basic>, steps: &[Step]) -> Vec<usize> {
    let mut before = function.clone();
    let mut behaviors = behaviors(function);
    let check = |&step: &Step| {
        let mut after = before.clone();
        let done = step.run(&mut after);
        let fail = |what: &str| -> ! { panic!("{step}: {what}\n{before}\n{after}") };
        if (after.check_form(), rules(&after)) != (vec![], vec![]) {
            fail("the result is not valid");
        }
        if must_be_minimal(step, done, &before) && !is_minimal(&after) {
            fail("redundant phis are left");
        }
        let now = self::behaviors(&after);
        for (was, is) in behaviors.iter().zip(&now) {
            if !was.agrees_with(is) {
                fail(&format!("{was}\nbecomes\n{is}"));
            }
        }
        (before, behaviors) = (after, now);
        done
    };
    steps.iter().map(check).collect()
}

fn is_minimal(function: &Function<Basic>) -> bool {
    minimize::redundant_phis(function).as_deref() == Ok(&[])
}

/// Who removes blocks alone leaves phis with fewer operands, and who moves code, or removes what is unused, has no need to look at phis.
fn must_be_minimal(step: Step, done: usize, before: &Function<Basic>) -> bool {
    match step {
        Step::Pass(Pass::UnreachableBlocks | Pass::EmptyBlocks, _) => false,
        Step::Pass(Pass::LoopInvariants | Pass::Unused, _) | Step::Split(_) | Step::Rematerialize(_) => {
            is_minimal(before)
        }
        Step::Pass(..) => done > 0 || is_minimal(before),
    }
}

/// What a few calls of it do.
fn behaviors(function: &Function<Basic>) -> [Behavior; 4] {
    [0, 1, 2, 3].map(|seed| {
        let args = (0..).map(|index| seed as i64 - 1 + index % 2).take(function.params().len());
        let args: Vec<i64> = args.collect();
        behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps: 500, frames: 10 })
    })
}

/// A function in SSA form, minimal or maximal.
pub fn decode(choices: &mut Choices<'_>) -> Function<Basic> {
    let (shape, num_blocks) = (choices.pick(Shape::ALL), 1 + choices.below(14));
    let seed = choices.below(1 << 16) as u64;
    if choices.chance(25) {
        return to_form(&alike::function(seed), choices.chance(50));
    }
    let mut function = functions::generate(shape, num_blocks, seed);
    settle(&mut function, choices, &mut Rng::new(seed));
    to_form(&function, choices.chance(50))
}

fn to_form(function: &Function<Basic>, is_maximal: bool) -> Function<Basic> {
    if is_maximal {
        return maximal_ssa(function);
    }
    let mut builder = Certified::with_options(BuildOptions::default());
    to_ssa(function, &mut builder).unwrap_or_else(|error| panic!("{error}\n{function}"))
}

/// Makes some operations copies of small constants, so that much is decided, lets others be computed twice, perhaps
/// the second time of what does not change, and puts copies between them.
fn settle(function: &mut Function<Basic>, choices: &mut Choices<'_>, rng: &mut Rng) {
    let (settled, repeated) = (choices.below(101), choices.below(101));
    let constants = [0, 1, 2].map(|number| function.constant(number));
    let params = function.params().iter().map(|param| param.value);
    let fixed: Vec<Value> =
        params.filter(|&param| *function.value(param).ty == Type::Number).chain(constants).collect();
    for block in function.blocks() {
        let mut insts = Vec::new();
        for inst in function.block(block).insts().to_vec() {
            let computes = matches!(inst.action, Action::Op(Op::Unary(_) | Op::Binary(_) | Op::Access | Op::Update));
            let makes_array = inst.action == Action::Op(Op::Update);
            if let (true, [dest]) = (computes && rng.below(100) < settled && !makes_array, &inst.results[..]) {
                insts.push(Inst::copy(*dest, constants[rng.below(3)]));
                continue;
            }
            if computes && rng.below(100) < repeated {
                let ty = if makes_array { Type::Array } else { Type::Number };
                let variable = any_variable(function, ty, rng);
                let mut again = inst.clone().with_results([variable]);
                if rng.below(2) == 0 {
                    // The array that is read or updated stays.
                    let kept = usize::from(matches!(inst.action, Action::Op(Op::Access | Op::Update)));
                    again.args.iter_mut().skip(kept).for_each(|arg| *arg = Arg::Value(fixed[rng.below(fixed.len())]));
                }
                insts.push(again);
            }
            if computes && rng.below(300) < repeated {
                let ty = if makes_array { Type::Array } else { Type::Number };
                let [from, to] = [(); 2].map(|()| any_variable(function, ty, rng));
                let copied = function.new_version(from);
                insts.extend([Inst::copy(copied, from), Inst::copy(to, copied)]);
            }
            insts.push(inst);
        }
        function.set_insts(block, insts);
    }
}

/// A variable of that type, of which there is one.
fn any_variable(function: &Function<Basic>, ty: Type, rng: &mut Rng) -> Variable {
    let of_type: Vec<Variable> =
        function.variables().filter(|&variable| *function.variable_type(variable) == ty).collect();
    of_type[rng.below(of_type.len())]
}

//! Passes on random functions: what can be seen of a run stays, and so do the rules of SSA form.

use ssaphire::{Certified, Options, check, minimize};
use ssaphire_ir::basic::{BasicMachine, Behavior, Op, behavior};
use ssaphire_ir::generate::{self, Rng, Shape, maximal_ssa};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::{Action, Basic, Function, Inst, Variable, to_ssa};

/// So many functions are tried by each pass, unless `SSAPHIRE_PASSES` says otherwise.
const FUNCTIONS: u64 = 500;

/// Runs `pass`, which says whether it has changed anything, on random functions in SSA form: minimal or maximal ones.
///
/// What was changed is minimal afterwards.
pub(crate) fn check_unchanged(mut pass: impl FnMut(&mut Function<Basic>, &mut Rng) -> bool) {
    let wanted = std::env::var("SSAPHIRE_PASSES").ok().and_then(|count| count.parse().ok());
    for seed in 0..wanted.unwrap_or(FUNCTIONS) {
        let mut rng = Rng::new(seed);
        let before = ssa(seed, &mut rng);
        let mut after = before.clone();
        let is_changed = pass(&mut after, &mut rng);
        let shown = || format!("seed {seed}\n{before}\n{after}");
        assert_eq!((after.check_form(), check::rules(&after)), (vec![], vec![]), "{}", shown());
        if !is_changed {
            continue;
        }
        assert_eq!(minimize::redundant_phis(&after).as_deref(), Ok(&[][..]), "{}", shown());
        for seed in 0..4 {
            let (was, is) = (run(&before, seed), run(&after, seed));
            assert!(was.agrees_with(&is), "{was}\n{is}\n{}", shown());
        }
    }
}

fn run(function: &Function<Basic>, seed: u64) -> Behavior {
    let args = vec![seed as i64 - 1; function.params().len()];
    behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps: 500, frames: 10 })
}

fn ssa(seed: u64, rng: &mut Rng) -> Function<Basic> {
    let shape = Shape::ALL[seed as usize % Shape::ALL.len()];
    let mut function = generate::function(shape, 1 + rng.below(14), seed);
    settle(&mut function, rng);
    if rng.below(2) == 0 {
        return maximal_ssa(&function);
    }
    let mut builder = Certified::new(Options::default());
    to_ssa(&function, &mut builder).unwrap_or_else(|error| panic!("{error}\n{function}"))
}

/// Makes some operations copies of small constants, so that much is decided, and lets others be computed twice.
fn settle(function: &mut Function<Basic>, rng: &mut Rng) {
    let (settled, repeated) = (rng.below(101), rng.below(101));
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

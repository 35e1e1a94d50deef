//! Random functions do the same with their operations folded.

use ssaphire::check::Mode;
use ssaphire::fold::FoldOptions;
use ssaphire::{Certified, Options};
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::interp::Limits;
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_ir::{Basic, Function, to_ssa_folded};
use ssaphire_tests::functions::{self, Shape, maximal_ssa};
use ssaphire_tests::{seeds, share};

fn folded(function: &Function<Basic>, options: FoldOptions) -> Function<Basic> {
    let (mut ssa, mut folding) = (Certified::new(), Folding::new(options));
    let result = to_ssa_folded(function, &mut ssa, &mut folding).unwrap_or_else(|error| panic!("{error}\n{function}"));
    let demands = Demands::of(Mode::Exact, &Options::default());
    let judgement = Inspector::default().judge_folded(&result, &mut ssa, &folding, demands);
    assert_eq!(judgement.refusals, [], "{function}\n{result}");
    assert_eq!(ssa.num_trusted(), 0);
    result
}

fn run(function: &Function<Basic>, seed: u64) -> Behavior {
    let args = vec![seed as i64 - 1; function.params().len()];
    behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps: 1000, frames: 10 })
}

#[test]
fn functions_of_every_shape_do_what_they_did() {
    let mut is_smaller = 0;
    for &shape in Shape::ALL {
        for seed in seeds(0..25) {
            let function = functions::generate(shape, 1 + seed as usize % 13, seed);
            for function in [maximal_ssa(&function), function] {
                let mut options = FoldOptions::ALL;
                options.branches = seed % 3 != 0;
                let result = folded(&function, options);
                is_smaller += usize::from(result.num_blocks() < function.num_blocks());
                for seed in 0..4 {
                    let (before, after) = (run(&function, seed), run(&result, seed));
                    assert!(after.refines(&before), "{shape:?}\n{function}\n{before}\n{result}\n{after}");
                }
            }
        }
    }
    assert!(is_smaller > share(40), "{is_smaller}");
}

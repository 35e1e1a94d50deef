//! Live ranges of random functions, split anywhere.

use ssaphire::{Block, Certified, Value, check};
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::passes::{rematerialize, split_live_range};
use ssaphire_ir::{Basic, Function, to_ssa};
use ssaphire_tests::functions::{self, Rng, Shape};

fn run(function: &Function<Basic>, seed: u64) -> Behavior {
    let args = vec![seed as i64 - 1; function.params().len()];
    behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps: 500, frames: 10 })
}

#[test]
fn random_functions_do_the_same_after_any_split() {
    let (mut num_splits, mut num_phis, mut num_again) = (0, 0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let shape = Shape::ALL[seed as usize % Shape::ALL.len()];
        let function = functions::generate(shape, 2 + rng.below(12), seed);
        let before = to_ssa(&function, &mut Certified::new()).unwrap();
        let mut after = before.clone();
        for _ in 0..10 {
            let value = Value::new(rng.below(after.num_values()));
            let mut points: Vec<(Block, usize)> = (0..1 + rng.below(4))
                .map(|_| {
                    let block = Block::new(rng.below(after.num_blocks()));
                    (block, rng.below(after.block(block).insts().len()))
                })
                .collect();
            points.sort_unstable();
            points.dedup();
            let (block, inst) = points[0];
            num_again += usize::from(rematerialize(&mut after, value, block, inst).is_ok());
            if let Ok(split) = split_live_range(&mut after, value, &points) {
                num_splits += 1;
                num_phis += split.phis;
            }
            assert_eq!((after.check_form(), check::rules(&after)), (vec![], vec![]), "{before}\n{after}");
        }
        for seed in 0..4 {
            let (was, is) = (run(&before, seed), run(&after, seed));
            assert!(was.agrees_with(&is), "{was}\n{is}\n{before}\n{after}");
        }
    }
    assert!(num_splits > 500 && num_phis > 100 && num_again > 50, "{num_splits} {num_phis} {num_again}");
}

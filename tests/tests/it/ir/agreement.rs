//! Functions that are called the same do the same, on random functions with a value exchanged.

use ssaphire::check::rules;
use ssaphire::{Certified, Value};
use ssaphire_ir::basic::{BasicMachine, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::memory::{Agreement, OverMemory, agreement};
use ssaphire_ir::to_ssa;
use ssaphire_tests::functions::{self, Shape};
use ssaphire_tests::{seeds, share};

/// One value is used in place of another, everywhere: if that is said to do the same, it does.
#[test]
fn what_is_called_the_same_does_the_same() {
    let limits = Limits { steps: 2_000, frames: 100 };
    let (mut num_good, mut num_bad) = (0, 0);
    for &shape in Shape::ALL {
        for seed in seeds(0..16) {
            let source = functions::generate(shape, 2 + (seed as usize * 5) % 20, seed);
            let direct = to_ssa(&source, &mut Certified::default()).unwrap();
            let over = OverMemory::of(&source).unwrap();
            for step in 0..12 {
                let value =
                    |salt: usize| Value::new((seed as usize * 7 + step * salt) % over.function.num_values().max(1));
                let (old, new) = (value(13), value(29));
                let mut changed = over.function.clone();
                changed.map_uses(|used| if used == old { new } else { used });
                if !rules(&changed).is_empty() {
                    continue;
                }
                if let Agreement::Differs(_) = agreement(&direct, &changed).unwrap() {
                    num_bad += 1;
                    continue;
                }
                num_good += usize::from(changed != over.function);
                for arg in [0, 3] {
                    let args = vec![arg; source.params().len()];
                    let run =
                        |function| behavior(function, &args, BasicMachine::new(seed, vec![5, 0, 1, 2, 7, 1]), limits);
                    let (before, after) = (run(&direct), run(&changed));
                    assert!(after.refines(&before), "{shape:?} {seed}\n{direct}\n{changed}\n{before}\n{after}");
                }
            }
        }
    }
    assert!(num_good > share(20) && num_bad > share(200), "{num_good} {num_bad}");
}

//! Forms made over memory beside those made directly: what is called the same does the same.

use ssaphire::check::rules;
use ssaphire::{Certified, Value};
use ssaphire_ir::basic::{BasicMachine, behavior};
use ssaphire_ir::generate::{Shape, function};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::memory::{Agreement, OverMemory, agreement};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function, to_ssa};

fn read(text: &str) -> Function<Basic> {
    parse(text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Undefined values of several variables may be merged before they are read; over memory, a read takes the one or the other.
#[test]
fn a_phi_of_undefined_values_may_be_anything_that_is_there_in_time() {
    let functions = [
        "func f() {
         var v0, v1, v2, v3, c
         b0:
           v1 = lt v2, v3
           jump b14
         b13:
           v3 = v2
           branch c, b14, b0
         b14:
           branch v2, b13, b27
         b27:
           return v3
         }",
        "func f() {
         var v0, v1, c
         b0:
           jump b20
         b7:
           print v0
           jump b23
         b20:
           switch c, [b22, b7], b23
         b22:
           v0, v1 = v1, 3
           jump b7
         b23:
           v1 = 0
           print v0
           c = 0
           return
         }",
    ];
    for source in functions {
        let source = read(source);
        let direct = to_ssa(&source, &mut Certified::default()).unwrap();
        let over_memory = OverMemory::of(&source).unwrap().function;
        assert_eq!(agreement(&direct, &over_memory), Ok(Agreement::Refines), "{direct}\n{over_memory}");
    }
}

/// One value is used in place of another, everywhere: if that is said to do the same, it does.
#[test]
fn what_is_called_the_same_does_the_same() {
    let limits = Limits { steps: 2_000, frames: 100 };
    let (mut num_good, mut num_bad) = (0, 0);
    for &shape in Shape::ALL {
        for seed in 0..16 {
            let source = function(shape, 2 + (seed as usize * 5) % 20, seed);
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
    assert!(num_good > 20 && num_bad > 200, "{num_good} {num_bad}");
}

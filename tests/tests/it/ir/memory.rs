//! Random functions over memory, and back into values.

use super::memory_run::memory_behavior;
use ssaphire::Certified;
use ssaphire::check::rules;
use ssaphire_ir::basic::{BasicMachine, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::memory::{Agreement, Memory, OverMemory, Promotion, agreement, to_memory};
use ssaphire_ir::passes::remove_redundant_phis;
use ssaphire_ir::text::{parse, to_string};
use ssaphire_ir::{Basic, Function, to_ssa};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::functions::{self, Shape};

type MemoryFunction = Function<Memory<Basic>>;

#[test]
fn random_functions_take_the_detour_and_do_the_same() {
    let (limits, longer) = (Limits { steps: 2_000, frames: 100 }, Limits { steps: 100_000, frames: 100 });
    let mut sum = Promotion::default();
    let (mut num_redundant, mut num_refined) = (0, 0);
    for &shape in Shape::ALL {
        for seed in 0..40 {
            let source = functions::generate(shape, 1 + (seed as usize * 7) % 24, seed);
            let detour = to_memory(&source);
            assert_eq!(detour.check_form(), [], "{source}\n{detour}");
            assert!(!detour.has_accesses());
            let printed: MemoryFunction = parse(&to_string(&detour, Default::default())).unwrap();
            assert_eq!(printed.to_string(), detour.to_string());
            let args = vec![3; source.params().len()];
            let machine = || BasicMachine::new(seed, vec![5, 0, 1, 2, 0, 7, 1]);
            let before = behavior(&source, &args, machine(), limits);
            let through = memory_behavior(&detour, &args, machine(), longer);
            assert!(through.agrees_with(&before), "{shape:?} {seed}\n{source}\n{detour}\n{before}\n{through}");
            let OverMemory { function: built, promotion } = &OverMemory::from_slots(detour).unwrap();
            assert_eq!(promotion.kept, []);
            assert_eq!((built.check_form(), rules(built)), (vec![], vec![]), "{source}\n{built}");
            let after = behavior(built, &args, machine(), limits);
            assert!(after.refines(&before), "{shape:?} {seed}\n{source}\n{built}\n{before}\n{after}");
            let mut ssa = Certified::with_builder(AnyBuilder::new(Engine::Auto));
            let direct = to_ssa(&source, &mut ssa).unwrap();
            // The direct way leaves no redundant set; the detour folds undefined values, and a constant may come early.
            let agreement = agreement(&direct, built).unwrap();
            let may_differ = promotion.phis_folded + promotion.early_loads > 0;
            let is_good = agreement == Agreement::Same || agreement == Agreement::Refines && may_differ;
            assert!(is_good, "{agreement:?}\n{source}\n{built}\n{direct}");
            num_redundant += remove_redundant_phis(&mut built.clone()).unwrap();
            num_refined += usize::from(agreement == Agreement::Refines);
            sum += promotion;
        }
    }
    let cases = [sum.general, sum.single_store, sum.single_block, sum.unused, sum.early_loads, sum.phis_folded];
    assert!(cases.iter().all(|&count| count > 8), "{sum:?}");
    assert!(num_redundant > 20 && (3..200).contains(&num_refined), "{num_redundant} {num_refined}");
}

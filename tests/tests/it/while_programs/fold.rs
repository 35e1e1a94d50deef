//! Random programs that are folded while they are built.

use ssaphire::Certified;
use ssaphire::check::Mode;
use ssaphire::fold::{FoldOptions, FoldStats};
use ssaphire_ir::basic::{BasicMachine, behavior_of};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::interp::Limits;
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::programs::{self, Shape};
use ssaphire_tests::{seeds, share};
use ssaphire_while::{Calls, build_folded, interpret, parse};

fn machine(seed: u64) -> BasicMachine {
    BasicMachine::new(seed, vec![4, 1, 0, 7, 2, 9, -3, 5])
}

/// Options by the bits of a number.
fn options_of(bits: u64) -> FoldOptions {
    let has = |bit: u64| bits & (1 << bit) != 0;
    let mut options = FoldOptions::NONE;
    (options.constants, options.identities, options.common) = (has(0), has(1), has(2));
    (options.branches, options.late) = (has(3), has(4));
    options
}

#[test]
fn folded_programs_are_judged_and_do_what_they_did() {
    let mut sum = FoldStats::default();
    for seed in seeds(0..250) {
        let shape = Shape::ALL[seed as usize % 3];
        let source = programs::generate(shape, 8 + seed as usize % 40, seed);
        let parse_options =
            if shape == Shape::Strict { ssaphire_while::Options::strict() } else { ssaphire_while::Options::default() };
        let program = parse(&source, &parse_options).expect("the program is valid");
        let args = &[3, -2][..program.functions()[0].params.len()];
        let direct = interpret(&program, 0, args, machine(seed), Limits::default(), Calls::Direct);
        let options = if seed % 2 == 0 { FoldOptions::ALL } else { options_of(seed / 2) };
        // All of them on every eighth program, for time.
        let engines = if seed % 8 == 0 { Engine::ALL } else { &[Engine::Auto] };
        let engines = engines.iter().copied().filter(|engine| shape != Shape::Gotos || engine.takes_any_graph());
        for engine in engines {
            let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
            let (mut folding, mut inspector) = (Folding::new(options), Inspector::default());
            let mut functions = Vec::new();
            for index in 0..program.functions().len() {
                let built = build_folded(&program, index, &mut ssa, &mut folding).expect("there is no limit");
                let demands = Demands { mode: Mode::Exact, irredundant: false, pruned: false };
                let judgement = inspector.judge_folded(&built.function, &mut ssa, &folding, demands);
                assert_eq!(judgement.refusals, [], "{engine} {options:?}\n{program}\n{}", built.function);
                assert_eq!(ssa.num_trusted(), 0);
                let stats = folding.stats();
                sum.constants += stats.constants;
                sum.identities += stats.identities;
                sum.common += stats.common;
                sum.branches += stats.branches;
                sum.late += stats.late;
                functions.push(built.function);
            }
            let resolved = machine(seed).with_functions(&functions);
            let folded = behavior_of(&functions, 0, args, resolved, Limits::default());
            assert!(folded.refines(&direct), "{engine} {options:?}\n{program}\n{}\n{direct}\n{folded}", functions[0]);
        }
    }
    let all = [sum.constants, sum.identities, sum.common, sum.branches, sum.late];
    assert!(all.iter().all(|&count| count > share(50) as u64), "{all:?}");
}

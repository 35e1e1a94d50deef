//! Properties of random functions of every shape.

use super::json_form::json_says;
use super::spelled::check_spellings;
use super::support::{is_reducible, reachable, shuffle_edges};
use ssaphire::graph::FlatCfg;
use ssaphire_ir::basic::{BasicMachine, Type, behavior};
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_ir::memory::to_memory;
use ssaphire_ir::text::{NameStyle, PhiStyle, PrintOptions, parse, to_string};
use ssaphire_ir::{Basic, Block, Function, IncomingEdge, Inst, dot};
use ssaphire_tests::functions::{self, Rng, Shape, maximal_ssa};
use ssaphire_tests::{seeds, share};

fn each(mut check: impl FnMut(Shape, Function<Basic>)) {
    for &shape in Shape::ALL {
        for seed in 0..12 {
            let size = 1 + seed as usize % 13;
            check(shape, functions::generate(shape, size, seed));
        }
    }
}

#[test]
fn what_is_printed_reads_back_the_same_in_every_spelling() {
    let mut rng = Rng::new(1);
    each(|_, mut function| {
        check_spellings(&function);
        check_spellings(&to_memory(&function));
        check_spellings(&maximal_ssa(&function));
        shuffle_edges(&mut function, &mut rng);
        check_spellings(&function);
        let mut ssa = maximal_ssa(&function);
        shuffle_edges(&mut ssa, &mut rng);
        check_spellings(&ssa);
        check_spellings(&to_memory(&ssa));
    });
}

#[test]
fn index_names_read_back_but_for_the_names() {
    let read = |text: &str| parse::<Basic>(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    each(|_, function| {
        let ssa = maximal_ssa(&function);
        let nameless = read(&to_string(&ssa, PrintOptions { phis: PhiStyle::List, names: NameStyle::Index }));
        for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
            let options = PrintOptions { phis, names: NameStyle::Index };
            assert_eq!(read(&to_string(&ssa, options)), nameless);
            assert_eq!(read(&to_string(&nameless, options)), nameless);
        }
        let run = |function| {
            let args = vec![2; ssa.params().len()];
            behavior(function, &args, BasicMachine::new(0, vec![1]), Limits { steps: 200, frames: 1 })
        };
        assert_eq!(run(&nameless), run(&ssa));
    });
}

#[test]
fn both_forms_behave_the_same() {
    let limits = Limits { steps: 2000, frames: 10 };
    let mut returned = 0;
    each(|shape, function| {
        let ssa = maximal_ssa(&function);
        for seed in 0..4 {
            let args = vec![seed as i64; function.params().len()];
            let machine = BasicMachine::new(seed, vec![3, 1, 4]);
            let before = behavior(&function, &args, machine.clone(), limits);
            let after = behavior(&ssa, &args, machine, limits);
            assert!(before.agrees_with(&after), "{shape:?}\n{function}\n{before}\n{ssa}\n{after}");
            // A block in front of the entry is one more step; nothing else is.
            assert!(before == after || ssa.num_blocks() > function.num_blocks());
            returned += usize::from(before.outcome.is_ok());
            let is_odd = matches!(before.outcome, Err(TrapKind::Malformed | TrapKind::NotDefined(_)));
            assert!(!is_odd, "{function}");
            assert!(shape != Shape::NoExit || before.outcome.is_err());
        }
    });
    // The programs must get somewhere, or this test would compare nothing.
    assert!(returned > 300, "only {returned} runs returned");
}

#[test]
fn the_shapes_are_what_they_say() {
    each(|shape, function| {
        let flat = FlatCfg::new(&function).expect("a function is a graph");
        let blocks = function.blocks();
        let to = |block: Block| function.block(block).targets();
        let enters = !function.block(function.entry()).incoming().is_empty();
        assert_eq!(enters, shape == Shape::EntryLoop, "{shape:?}\n{function}");
        let reachable = reachable(&flat, None);
        let size = function.num_blocks();
        assert_eq!(reachable.iter().all(|&is| is), shape != Shape::Unreachable || size == 1, "{shape:?}\n{function}");
        match shape {
            Shape::OneBlock => assert_eq!(size, 1),
            Shape::Structured | Shape::Reducible | Shape::Exceptions => assert!(is_reducible(&flat), "{function}"),
            Shape::Irreducible => assert!(size < 3 || !is_reducible(&flat), "{function}"),
            Shape::NoExit => assert!(blocks.into_iter().all(|block| !to(block).is_empty())),
            _ => {}
        }
    });
    let count = |shape, has: fn(Block, &[Block]) -> bool| {
        let functions = (0..60).map(|seed| functions::generate(shape, 10, seed));
        functions.filter(|f| f.blocks().any(|block| has(block, f.block(block).targets()))).count()
    };
    assert!(count(Shape::SelfLoops, |block, targets| targets.contains(&block)) > 40);
    assert!(
        count(Shape::RepeatedEdges, |_, targets| (1..targets.len()).any(|i| targets[..i].contains(&targets[i]))) > 40
    );
    let throws = (0..60).map(|seed| functions::generate(Shape::Exceptions, 12, seed));
    let has_results = |f: &Function<Basic>| f.blocks().any(|block| !f.results_at_top(block).is_empty());
    assert!(throws.filter(has_results).count() > 20);
}

#[test]
fn the_same_seed_gives_the_same_function() {
    each(|shape, function| {
        let size = function.num_blocks();
        assert_eq!(functions::generate(shape, size, 7), functions::generate(shape, size, 7));
    });
}

#[test]
fn editing_keeps_functions_in_form() {
    let mut rng = Rng::new(5);
    each(|_, function| {
        let mut ssa = maximal_ssa(&function);
        for _ in 0..8 {
            let block = Block::new(rng.below(ssa.num_blocks()));
            let target = Block::new(rng.below(ssa.num_blocks()));
            match rng.below(4) {
                _ if ssa.block(block).terminator().is_some_and(|inst| !inst.results.is_empty()) => {}
                // The block in front may now be entered twice, which is fine; results at a top may not.
                _ if !ssa.results_at_top(target).is_empty() => {}
                0 | 1 if !ssa.block(block).targets().is_empty() => {
                    let slot = rng.below(ssa.block(block).targets().len()) as u32;
                    let position = ssa.redirect_edge(block, slot, target);
                    let edge = ssa.block(target).incoming()[position];
                    assert_eq!(edge, IncomingEdge { source: block, slot });
                }
                2 => ssa.set_terminator(block, Inst::jump(target)),
                _ => {
                    let kept = rng.below(2) == 0;
                    ssa.retain_phis(block, |phi| kept || phi.variable.is_none());
                    if !kept {
                        let gone: Vec<_> = ssa.values().filter(|&value| is_detached(&ssa, value)).collect();
                        let types: Vec<_> = ssa.values().map(|value| *ssa.value(value).ty).collect();
                        let undefined = [Type::Number, Type::Array].map(|ty| (ty, ssa.undefined_of_type(ty)));
                        let of_type = |ty| undefined.iter().find(|entry| entry.0 == ty).map(|entry| entry.1);
                        ssa.map_uses(|value| {
                            let is_gone = gone.contains(&value);
                            of_type(types[value.index()]).filter(|_| is_gone).unwrap_or(value)
                        });
                    }
                }
            }
            assert_eq!(ssa.check_form(), []);
        }
        ssa.canonicalize();
        check_spellings(&ssa);
    });
}

fn is_detached(function: &Function<Basic>, value: ssaphire_ir::Value) -> bool {
    function.value(value).kind == ssaphire_ir::ValueKind::Detached
}

#[test]
fn mutated_texts_are_read_or_refused_but_never_panic() {
    let marks = b"%.,:=()[]{}<-'\";\\ \n\t0579xv_$\xff\xc3";
    let mut refused = 0;
    for seed in seeds(0..4000) {
        let mut rng = Rng::new(seed);
        let shape = Shape::ALL[seed as usize % Shape::ALL.len()];
        let function = functions::generate(shape, 4, seed % 50);
        let mut bytes = if seed % 2 == 0 { function } else { maximal_ssa(&function) }.to_string().into_bytes();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, marks[rng.below(marks.len())]),
                2 => bytes[at] = marks[rng.below(marks.len())],
                _ => {
                    let end = (at + rng.below(40)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    let to = rng.below(bytes.len());
                    bytes.splice(to..to, part);
                }
            }
        }
        refused += usize::from(!read_whatever(&bytes));
    }
    assert!((share(1000)..share(4000)).contains(&refused), "{refused} refused");
    for seed in seeds(0..2000) {
        let mut rng = Rng::new(!seed);
        let bytes: Vec<u8> = (0..rng.below(200)).map(|_| marks[rng.below(marks.len())]).collect();
        read_whatever(&bytes);
        let bytes: Vec<u8> = (0..rng.below(80)).map(|_| rng.below(256) as u8).collect();
        read_whatever(&bytes);
    }
}

/// Whether the bytes are a function; one that is, is in form and reads back.
fn read_whatever(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match parse::<Basic>(&text) {
        Ok(function) => {
            check_spellings(&function);
            let limits = Limits { steps: 100, frames: 10 };
            let args = vec![1; function.params().len()];
            behavior(&function, &args, BasicMachine::new(0, vec![1]), limits);
            true
        }
        Err(errors) => {
            assert!(!errors.errors.is_empty() && !errors.to_string().is_empty());
            false
        }
    }
}

#[test]
fn every_style_of_printing_manages_every_function() {
    each(|_, function| {
        let ssa = maximal_ssa(&function);
        for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
            for names in [NameStyle::Source, NameStyle::Index, NameStyle::SsaVal] {
                let options = PrintOptions { phis, names };
                let lines = to_string(&ssa, options).lines().count();
                assert!(lines > ssa.num_blocks());
            }
        }
        let quotes = dot::to_dot(&ssa).matches('"').count();
        assert_eq!(quotes % 2, 0);
        json_says(&ssa);
        json_says(&to_memory(&function));
    });
}

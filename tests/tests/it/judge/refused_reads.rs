//! Wrong reads are refused, and no other ones.

use super::model::named_reads;
use super::random::Random;
use super::sources::{by_block_by_block, deep_source, maximal, mutate, random_source, simplify, validators};
use ssaphire::check::{Mode, Program, Validator};

/// Each read that is wrong on some path is refused, and no other one, in programs of any graph with copies and globals.
#[test]
pub(crate) fn wrong_reads_of_random_programs_are_refused() {
    let (mut program, mut validator, mut random) = (Program::new(), Validator::new(), Random(8));
    let mut counts = [0; 2];
    for round in 0..600 {
        let mut model = maximal(&random_source(&mut random));
        if round % 2 == 0 {
            simplify(&mut model);
        }
        if round % 3 == 0 {
            model.initial.pop();
        }
        for _ in 0..3 {
            model.write(&mut program);
            for mode in [Mode::Exact, Mode::Refine] {
                let expected = model.wrong_reads(mode == Mode::Refine);
                let found = validator.validate(&program, mode).err().unwrap_or_default();
                assert_eq!(named_reads(&found), expected, "{mode:?} {found:?}\n{model:?}\n{program:?}");
                counts[usize::from(expected.is_empty())] += 1;
            }
            mutate(&mut model, &mut random);
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

/// The same reads are refused as by going back block by block, in graphs that are deep enough to climb in.
#[test]
pub(crate) fn wrong_reads_of_deep_graphs_are_refused() {
    let (mut program, mut validators, mut random) = (Program::new(), validators(), Random(9));
    let mut counts = [0; 2];
    for round in 0..250 {
        let mut model = maximal(&deep_source(&mut random));
        if round % 4 > 0 {
            simplify(&mut model);
        }
        for _ in 0..3 {
            model.write(&mut program);
            for mode in [Mode::Exact, Mode::Refine] {
                let expected = by_block_by_block(&program, mode);
                for (number, validator) in validators.iter_mut().enumerate() {
                    let found = validator.validate(&program, mode).err().unwrap_or_default();
                    assert_eq!(named_reads(&found), expected, "{number} {mode:?}: {found:?}\n{program:?}");
                }
                counts[usize::from(expected.is_empty())] += 1;
            }
            mutate(&mut model, &mut random);
        }
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

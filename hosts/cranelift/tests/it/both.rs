//! One front end on both crates: the functions do the same, and ours have no more parameters.

use crate::common::{End, Numbers, Op, Program, empty_function, finalize, front_end, run, verify};
use cranelift_codegen::ir::{AbiParam, Block, ExtFuncData, ExternalName, Function, InstBuilder, Signature, types};
use cranelift_codegen::isa::CallConv;
use ssaphire::check::{Mode, Program as Record, Violation, judge, quality, rules};
use ssaphire_cranelift::CraneliftForm;

front_end!(build_here, ssaphire_cranelift);
front_end!(build_there, cranelift_frontend);

fn num_params(func: &Function) -> usize {
    func.layout.blocks().map(|block| func.dfg.num_block_params(block)).sum()
}

#[test]
fn random_programs_do_the_same_with_fewer_parameters() {
    let mut numbers = Numbers(1);
    let (mut here, mut there) = <(ssaphire_cranelift::FunctionBuilderContext, _)>::default();
    here.set_recording(true);
    let mut record = Record::new();
    let (mut num_here, mut num_there) = (0, 0);
    for index in 0..1_000 {
        let program = Program::random(&mut numbers);
        let [mut ours, mut theirs] = [empty_function(), empty_function()];
        build_here(&mut ours, &mut here, &program, false);
        build_there(&mut theirs, &mut there, &program, false);
        verify(&ours);
        record.clear();
        here.certify(&mut record).unwrap();
        let verdict = judge(&record, Mode::Exact);
        assert!(verdict.structurally_valid && verdict.equivalent, "{index}: {program:?}\n{verdict}");
        verify(&theirs);
        let form = CraneliftForm::new(&ours).unwrap();
        assert_eq!(rules(&form), [], "{index}: {program:?}\n{}", ours.display());
        // What a copy reads counts as used, whatever becomes of the copy.
        let is_serious = |found: &Violation| !matches!(found, Violation::DeadPhi { .. });
        let found: Vec<Violation> = quality(&form).into_iter().filter(is_serious).collect();
        assert_eq!(found, [], "{index}: {program:?}\n{}", ours.display());
        for number in [0, 1, 7] {
            assert_eq!(run(&ours, 30, number), run(&theirs, 30, number), "{index}: {program:?}\n{}", ours.display());
        }
        assert!(num_params(&ours) <= num_params(&theirs), "{index}: {program:?}\n{}", ours.display());
        num_here += num_params(&ours);
        num_there += num_params(&theirs);
    }
    assert!(num_here < num_there, "{num_here} and {num_there}");
}

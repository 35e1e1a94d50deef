//! The small programs of `corpus/`: machine code does what their headers say.

use ssaphire::Certified;
use ssaphire_ir::basic::{BasicMachine, Behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::to_ssa;
use ssaphire_jit::basic as jit;
use ssaphire_tests::corpus_cases;

#[test]
fn machine_code_does_what_the_header_says() {
    for (path, case) in corpus_cases() {
        let functions = [to_ssa(&case.function, &mut Certified::default()).unwrap()];
        let compiled = jit::Program::compile(&functions, &ssaphire_jit::Options::quick());
        let compiled = compiled.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for run in &case.header.runs {
            let mut machine = BasicMachine::new(0, run.input.clone());
            let outcome = compiled.run(&mut machine, 0, &run.args, Limits::default()).unwrap();
            let behavior = Behavior { trace: machine.trace().to_vec(), outcome: outcome.map_err(|trap| trap.kind) };
            assert_eq!(behavior, run.behavior(&functions[0]), "{}: {:?}", path.display(), run.args);
        }
    }
}

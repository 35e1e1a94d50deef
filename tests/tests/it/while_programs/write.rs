//! Random programs into SSA form, out of it again, and written: they parse, and do what they did.

use ssaphire::Certified;
use ssaphire::destruct::{DestructError, Method};
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior_of};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::{Basic, Function, LeaveError, leave_ssa};
use ssaphire_tests::programs::{self, Shape};
use ssaphire_tests::{seeds, share};
use ssaphire_while::{Options, Unwritable, build, parse, write};

fn built(source: &str) -> Vec<Function<Basic>> {
    let parsed = parse(source, &Options::default()).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let mut ssa = Certified::default();
    (0..parsed.functions().len()).map(|index| build(&parsed, index, &mut ssa).unwrap().function).collect()
}

fn run(functions: &[Function<Basic>], steps: u64) -> Behavior {
    let args: Vec<i64> = (0..functions[0].params().len() as i64).map(|place| 5 - 7 * place).collect();
    let machine = BasicMachine::new(7, vec![3, -1, 8]).with_functions(functions);
    behavior_of(functions, 0, &args, machine, Limits { steps, frames: 50 })
}

/// The functions, out of SSA form and written one after the other; none where one cannot be written.
fn written(functions: &[Function<Basic>], method: Method) -> Option<String> {
    let mut out = String::new();
    for function in functions {
        let left = match leave_ssa(function, method) {
            Ok(left) => left,
            // What an array held before a hidden update is needed behind it, under another name.
            Err(LeaveError::Destruct(DestructError::Storage { .. })) => return None,
            Err(error) => panic!("{error}\n{function}"),
        };
        match write(&left.function, false) {
            Ok(text) => out += &text,
            Err(error) if error.what == Unwritable::Irreducible => return None,
            Err(error) => panic!("{error}\n{}", left.function),
        }
    }
    Some(out)
}

#[test]
fn random_programs_are_written_as_programs_that_do_the_same() {
    let (mut num_written, mut num_refused, mut num_gotos) = (0, 0, 0);
    for seed in seeds(0..150) {
        let shape = Shape::ALL[seed as usize % Shape::ALL.len()];
        let source = programs::generate(shape, 10 + seed as usize % 40, seed);
        let mut functions = built(&source);
        if seed % 3 == 0 {
            for pass in [Pass::Constants, Pass::ValueNumbering, Pass::DeadCode] {
                for function in &mut functions {
                    pass.run(function, PassOptions::default()).unwrap();
                }
            }
        }
        for &method in Method::ALL {
            let Some(text) = written(&functions, method) else {
                num_refused += 1;
                continue;
            };
            num_written += 1;
            num_gotos += usize::from(text.contains("goto"));
            let again = built(&text);
            // An expression takes as many steps as its parts, and a jump less may be there.
            let [before, after] =
                [(&functions, 2_000), (&again, 6_000)].map(|(functions, steps)| run(functions, steps));
            assert!(before.agrees_with(&after), "seed {seed}, {method}\n{before}\nbecomes\n{after}\n{source}\n{text}");
        }
    }
    assert!(
        num_written > share(400) && num_refused > share(10) && num_gotos > share(10),
        "{num_written} {num_refused} {num_gotos}"
    );
}

//! Random programs behave as their trees say, whichever engine builds them, and the judge accepts all results.

use ssaphire::Certified;
use ssaphire::check::{self, Mode, Program as Certificate};
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior, behavior_of};
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_ir::{Basic, Function};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::programs::{self, Shape};
use ssaphire_tests::{functions::Rng, seeds, share};
use ssaphire_while::{Calls, Program, build, interpret, parse};

const ARGS: [i64; 2] = [3, -2];

fn parsed(source: &str, shape: Shape) -> Program {
    let options =
        if shape == Shape::Strict { ssaphire_while::Options::strict() } else { ssaphire_while::Options::default() };
    parse(source, &options).unwrap_or_else(|errors| panic!("{}\n{source}", errors[0]))
}

fn machine(seed: u64) -> BasicMachine {
    BasicMachine::new(seed, vec![4, 1, 0, 7, 2, 9, -3, 5])
}

/// All functions of `program`, judged.
fn built(program: &Program, engine: Engine) -> Vec<Function<Basic>> {
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    let mut certificate = Certificate::new();
    let build_and_judge = |index| {
        let built = build(program, index, &mut ssa).expect("there is no limit");
        assert_eq!(built.function.check_form(), [], "{engine}\n{program}");
        ssa.certify(&mut certificate).expect("the function fits a certificate");
        assert_eq!(check::validate(&certificate, Mode::Exact), Ok(()), "{engine}\n{program}");
        built.function
    };
    (0..program.functions().len()).map(build_and_judge).collect()
}

#[track_caller]
fn assert_same(tree: &Behavior, ssa: &Behavior, engine: Engine, program: &Program) {
    assert!(!matches!(tree.outcome, Err(TrapKind::OutOfSteps { .. })), "every run ends\n{program}");
    assert_eq!(tree.to_string(), ssa.to_string(), "{engine}\n{program}");
}

#[test]
fn trees_and_ssa_forms_behave_the_same() {
    let (mut ended, mut trapped) = (0, 0);
    for seed in seeds(0..150) {
        let shape = Shape::ALL[seed as usize % 3];
        let source = programs::generate(shape, 8 + seed as usize % 40, seed);
        let program = parsed(&source, shape);
        let args = &ARGS[..program.functions()[0].params.len()];
        let opaque = interpret(&program, 0, args, machine(seed), Limits::default(), Calls::Opaque);
        let direct = interpret(&program, 0, args, machine(seed), Limits::default(), Calls::Direct);
        *if direct.outcome.is_ok() { &mut ended } else { &mut trapped } += 1;
        for engine in Engine::ALL.iter().copied().filter(|engine| shape != Shape::Gotos || engine.takes_any_graph()) {
            let functions = built(&program, engine);
            assert_same(&opaque, &behavior(&functions[0], args, machine(seed), Limits::default()), engine, &program);
            let resolved = machine(seed).with_functions(&functions);
            assert_same(&direct, &behavior_of(&functions, 0, args, resolved, Limits::default()), engine, &program);
        }
    }
    // The programs would show little if most of them came to a sudden end.
    assert!(ended > share(45) && trapped > share(16), "{ended} ended, {trapped} trapped");
}

#[test]
fn printed_programs_are_parsed_to_the_same_tree() {
    for seed in seeds(0..600) {
        let shape = Shape::ALL[seed as usize % 3];
        let program = parsed(&programs::generate(shape, 60, seed), shape);
        let printed = program.to_string();
        let again = parsed(&printed, shape);
        assert!(program == again, "{printed}");
        assert_eq!(printed, again.to_string());
    }
}

#[test]
fn damaged_programs_are_parsed_or_refused() {
    const PIECES: [&str; 24] = [
        "{",
        "}",
        "(",
        ")",
        ";",
        ":",
        ":=",
        "=",
        "if",
        "else",
        "while",
        "repeat",
        "until",
        "func",
        "goto",
        "return",
        "-",
        "&&",
        "99999999999999999999",
        "/*",
        "é",
        "\r\n",
        "x",
        "\u{0}",
    ];
    let mut refused = 0;
    for seed in seeds(0..3000) {
        let mut rng = Rng::new(seed);
        let mut source = programs::generate(Shape::Gotos, 12, seed);
        for _ in 0..1 + rng.below(3) {
            let piece = PIECES[rng.below(PIECES.len())];
            damage(&mut source, &mut rng, piece);
        }
        match parse(&source, &ssaphire_while::Options::default()) {
            Err(errors) => {
                refused += 1;
                assert!(!errors.is_empty() && errors.is_sorted_by_key(|error| error.place.span), "{source}");
                assert!(errors.iter().all(|error| !error.to_string().is_empty()));
            }
            Ok(program) => {
                built(&program, Engine::default());
            }
        }
    }
    assert!(refused > share(1500), "{refused}");
}

/// Removes a few characters, or puts `piece` somewhere.
fn damage(source: &mut String, rng: &mut Rng, piece: &str) {
    let places: Vec<usize> = source.char_indices().map(|(place, _)| place).collect();
    let index = rng.below(places.len());
    let Some(&place) = places.get(index) else { return };
    if rng.chance(1, 2) {
        source.insert_str(place, piece);
    } else {
        let end = places.get(index + 1 + rng.below(6)).copied().unwrap_or(source.len());
        source.replace_range(place..end, "");
    }
}

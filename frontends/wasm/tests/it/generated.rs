//! Modules that nobody wrote.

use crate::judged;
use arbitrary::Unstructured;
use ssaphire::Certified;
use ssaphire_ir::Function;
use ssaphire_wasm::{FunctionError, Module, TranslateOptions, Translator, Wasm};
use wasm_smith::Config;

/// Numbers that follow from a seed alone.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

fn generated(seed: u64) -> Option<Vec<u8>> {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let bytes: Vec<u8> = (0..1 << 16).map(|_| numbers.next() as u8).collect();
    let config = Config { min_funcs: 10, max_instructions: 300, ..Config::default() };
    let module = wasm_smith::Module::new(config, &mut Unstructured::new(&bytes));
    module.ok().map(|module| module.to_bytes())
}

#[test]
fn generated_modules_are_built_and_judged() {
    let (mut modules, mut functions) = (0, 0);
    for bytes in (1..=80).filter_map(generated) {
        let module = Module::parse(bytes).unwrap_or_else(|error| panic!("{error}"));
        functions += judged::functions(&module).len();
        modules += 1;
    }
    assert!(modules >= 50 && functions >= 400, "{modules} modules, {functions} functions");
}

/// Modules with some bytes changed, or an end that is missing.
fn damaged() -> impl Iterator<Item = Vec<u8>> {
    let mut numbers = Numbers(7);
    let wholes = (1..=20).filter_map(generated);
    wholes.flat_map(|whole| std::iter::repeat_n(whole, 100)).map(move |mut bytes| {
        for _ in 0..1 + numbers.below(3) {
            let place = numbers.below(bytes.len());
            bytes[place] = numbers.next() as u8;
        }
        if numbers.below(4) == 0 {
            bytes.truncate(numbers.below(bytes.len()));
        }
        bytes
    })
}

#[test]
fn damaged_modules_are_refused_or_built() {
    let (mut refused, mut built) = (0, 0);
    for bytes in damaged() {
        match ssaphire_wasm::load(bytes) {
            Err(_) => refused += 1,
            Ok(module) => {
                judged::functions(&module);
                built += 1;
            }
        }
    }
    assert!(refused > 100 && built > 100, "{refused} refused, {built} built");
}

/// All functions, as the default engine builds them, or the first error.
fn translated(module: &Module, canonical: bool) -> Result<Vec<Function<Wasm>>, FunctionError> {
    let mut options = TranslateOptions::default();
    options.canonical = canonical;
    let mut translator = Translator::new(module, options);
    module.defined_functions().map(|index| translator.translate(index, &mut Certified::default())).collect()
}

#[test]
fn bodies_are_validated_before_or_as_they_are_translated() {
    let (mut in_bodies, mut valid) = (0, 0);
    for bytes in damaged() {
        let before = Module::parse(bytes.clone());
        let Ok(module) = Module::parse_without_bodies(bytes) else {
            assert!(before.is_err(), "what holds without bodies holds with them");
            continue;
        };
        let meanwhile = translated(&module, true);
        match before {
            Ok(module) => {
                assert_eq!(meanwhile, translated(&module, true));
                valid += 1;
            }
            Err(error) => {
                assert!(meanwhile.is_err(), "not found while translating: {error}");
                in_bodies += 1;
            }
        }
    }
    assert!(in_bodies > 100 && valid > 100, "{in_bodies} wrong in bodies, {valid} valid");
}

#[test]
fn values_may_be_numbered_later() {
    let mut renumbered = 0;
    for bytes in (1..=20).filter_map(generated) {
        let module = Module::parse(bytes).unwrap_or_else(|error| panic!("{error}"));
        let canonical = translated(&module, true).unwrap_or_else(|error| panic!("{error}"));
        let as_made = translated(&module, false).unwrap_or_else(|error| panic!("{error}"));
        for (canonical, mut function) in canonical.into_iter().zip(as_made) {
            assert_eq!(function.check_form(), []);
            renumbered += usize::from(function != canonical);
            function.canonicalize();
            assert_eq!(function, canonical);
        }
    }
    assert!(renumbered > 50, "{renumbered}");
}

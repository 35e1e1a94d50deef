//! Modules that nobody wrote.

mod judged;

use arbitrary::Unstructured;
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
        let module = ssaphire_wasm::Module::parse(bytes).unwrap_or_else(|error| panic!("{error}"));
        functions += judged::functions(&module).len();
        modules += 1;
    }
    assert!(modules >= 50 && functions >= 400, "{modules} modules, {functions} functions");
}

#[test]
fn damaged_modules_are_refused_or_built() {
    let mut numbers = Numbers(7);
    let (mut refused, mut built) = (0, 0);
    for seed in 1..=20 {
        let Some(whole) = generated(seed) else { continue };
        for _ in 0..100 {
            let mut bytes = whole.clone();
            for _ in 0..1 + numbers.below(3) {
                let place = numbers.below(bytes.len());
                bytes[place] = numbers.next() as u8;
            }
            if numbers.below(4) == 0 {
                bytes.truncate(numbers.below(bytes.len()));
            }
            match ssaphire_wasm::load(bytes) {
                Err(_) => refused += 1,
                Ok(module) => {
                    judged::functions(&module);
                    built += 1;
                }
            }
        }
    }
    assert!(refused > 100 && built > 100, "{refused} refused, {built} built");
}

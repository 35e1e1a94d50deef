//! Modules that nobody wrote: wasm-smith's, from a seed each.

use arbitrary::Unstructured;
use ssaphire_wasm::Module;
use wasm_smith::Config;

/// Numbers that follow from a seed alone.
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The numbers of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// How many bytes a module is made from; where they end, zeros follow.
const BYTES: usize = 1 << 16;

/// The module of that seed; with `fuel`, one that runs through so many loop headers and calls at most.
pub(crate) fn module(seed: u64, config: Config, fuel: Option<u32>) -> Module {
    let mut numbers = Numbers::new(seed);
    let bytes: Vec<u8> = (0..BYTES / 8).flat_map(|_| numbers.next().to_le_bytes()).collect();
    let module = wasm_smith::Module::new(config, &mut Unstructured::new(&bytes));
    let mut module = module.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    if let Some(fuel) = fuel {
        module.ensure_termination(fuel).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    Module::parse(module.to_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}"))
}

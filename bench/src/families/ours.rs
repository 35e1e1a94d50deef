//! The calls, made to our builder.

use super::Calls;
use ssaphire::{Block, PhiHost, SsaBuilder, SsaBuilderExt, Stats, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};

/// Values so far.
#[derive(Debug, Default)]
struct Numbers {
    values: u32,
}

impl Numbers {
    fn next(&mut self) -> Value {
        self.values += 1;
        Value::new(self.values as usize - 1)
    }
}

impl PhiHost for Numbers {
    fn new_phi(&mut self, _block: Block, _variable: Variable) -> Value {
        self.next()
    }

    fn undefined(&mut self, _variable: Variable) -> Value {
        self.next()
    }
}

/// A builder that takes calls.
#[derive(Debug)]
pub struct OurCalls<C = AnyBuilder> {
    builder: C,
    numbers: Numbers,
    blocks: u32,
    current: Block,
    targets: Vec<Block>,
}

impl<C: SsaBuilder> Calls for OurCalls<C> {
    fn block(&mut self) -> u32 {
        self.blocks += 1;
        self.blocks - 1
    }

    fn switch(&mut self, block: u32) {
        self.current = Block::new(block as usize);
    }

    fn seal(&mut self, block: u32) {
        self.builder.seal_block(&mut self.numbers, Block::new(block as usize));
    }

    fn write(&mut self, variable: u32) {
        let value = self.numbers.next();
        self.builder.write_variable(self.current, Variable::new(variable as usize), value);
    }

    fn read(&mut self, variable: u32) {
        self.builder.read_variable(&mut self.numbers, self.current, Variable::new(variable as usize));
    }

    fn end(&mut self, targets: &[u32]) {
        self.targets.clear();
        self.targets.extend(targets.iter().map(|&target| Block::new(target as usize)));
        self.builder.terminate(self.current, &self.targets);
    }
}

/// What our builder made of some calls.
#[derive(Clone, Copy, Debug)]
pub struct Built {
    /// The builder's counters.
    pub stats: Stats,
    /// The sum of the operands' numbers.
    pub sum: u64,
}

/// Makes the calls of `emit` to a new builder, and takes its phis over.
///
/// # Panics
/// If the builder refuses: whoever emits keeps the order of calls.
pub fn build(engine: Engine, emit: impl FnOnce(&mut OurCalls)) -> Built {
    let (builder, sum) = build_through(AnyBuilder::new(engine), emit);
    Built { stats: *builder.stats(), sum }
}

/// Makes the calls of `emit` to a new builder of any kind: that builder, and the sum of the operands' numbers.
///
/// # Panics
/// If the builder refuses.
pub(crate) fn build_through<C: SsaBuilder>(builder: C, emit: impl FnOnce(&mut OurCalls<C>)) -> (C, u64) {
    let mut calls =
        OurCalls { builder, numbers: Numbers::default(), blocks: 0, current: Block::new(0), targets: Vec::new() };
    emit(&mut calls);
    // So that taking the phis over is not nothing.
    let result = calls.builder.finish(&mut calls.numbers).unwrap_or_else(|error| panic!("{error}"));
    let sum = result.phis.iter().flat_map(|phi| phi.operands).map(|operand| operand.index() as u64).sum();
    (calls.builder, sum)
}

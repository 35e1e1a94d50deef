//! A trace replayed through the library, by the calls any front end makes.

use super::host::ReplayHost;
use crate::trace::{Calls, FunctionTrace, Type};
use ssaphire::{Block, SsaBuilder, SsaBuilderExt, Stats, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};

/// Replays functions through one builder, in one memory.
#[derive(Debug)]
pub struct EngineReplay<C = AnyBuilder> {
    construction: C,
    host: ReplayHost,
    /// What the calls gave, by number.
    values: Vec<Value>,
    targets: Vec<Block>,
}

impl EngineReplay {
    /// A replay through `engine` with the options that are there by default.
    pub fn new(engine: Engine) -> Self {
        Self::through(AnyBuilder::new(engine))
    }
}

impl<C: SsaBuilder> EngineReplay<C> {
    /// A replay through the given builder.
    pub fn through(construction: C) -> Self {
        Self { construction, host: ReplayHost::default(), values: Vec::new(), targets: Vec::new() }
    }

    /// Builds one function: what the builder counted.
    ///
    /// # Panics
    /// If the trace is not one that [`Trace::check`](crate::trace::Trace::check) accepts.
    #[inline(never)]
    pub fn replay(&mut self, function: FunctionTrace<'_>) -> &Stats {
        self.construction.clear();
        self.host.clear();
        self.values.clear();
        let Self { construction, host, values, targets } = self;
        function.replay(&mut Replay { construction, host, values, targets, current: Block::new(0) });
        let result = self.construction.finish(&mut self.host);
        self.host.write(&result.expect("a trace that was checked seals and fills every block"));
        self.construction.stats()
    }

    /// The host, which has what the last function became.
    pub fn host(&self) -> &ReplayHost {
        &self.host
    }

    /// The builder.
    pub fn construction_mut(&mut self) -> &mut C {
        &mut self.construction
    }

    /// What the calls of the last function gave, by number.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

/// One function on its way through the builder.
struct Replay<'a, C> {
    construction: &'a mut C,
    host: &'a mut ReplayHost,
    values: &'a mut Vec<Value>,
    targets: &'a mut Vec<Block>,
    current: Block,
}

#[inline(always)]
fn block(number: u32) -> Block {
    Block::new(number as usize)
}

#[inline(always)]
fn variable(number: u32) -> Variable {
    Variable::new(number as usize)
}

impl<C: SsaBuilder> Calls for Replay<'_, C> {
    /// Blocks are known by their first mention.
    #[inline(always)]
    fn new_block(&mut self) {}

    #[inline(always)]
    fn switch_to(&mut self, number: u32) {
        self.current = block(number);
    }

    #[inline(always)]
    fn seal(&mut self, number: u32) {
        self.construction.seal_block(self.host, block(number));
    }

    #[inline(always)]
    fn fresh(&mut self, _: Type) {
        let value = self.host.value();
        self.construction.define(self.current, value);
        self.values.push(value);
    }

    #[inline(always)]
    fn read(&mut self, number: u32) {
        let value = self.construction.read_variable(self.host, self.current, variable(number));
        self.values.push(value);
    }

    #[inline(always)]
    fn write(&mut self, number: u32, value: u32) {
        self.construction.write_variable(self.current, variable(number), self.values[value as usize]);
    }

    #[inline(always)]
    fn jump(&mut self, target: u32) {
        self.construction.terminate(self.current, &[block(target)]);
    }

    #[inline(always)]
    fn branch(&mut self, targets: [u32; 2]) {
        self.construction.terminate(self.current, &targets.map(block));
    }

    #[inline(always)]
    fn table(&mut self, targets: &[u32]) {
        self.targets.clear();
        self.targets.extend(targets.iter().copied().map(block));
        self.construction.terminate(self.current, self.targets);
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.construction.terminate(self.current, &[]);
    }
}

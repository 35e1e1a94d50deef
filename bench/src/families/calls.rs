//! What a front end asks of a builder, as far as the families need it.

/// Takes builder calls as they come. Blocks and variables go by number, from 0.
///
/// Block 0 is the entry. A new value is written at each write.
pub trait Calls {
    /// Makes a block: its number.
    fn block(&mut self) -> u32;
    /// Goes on in `block`.
    fn switch(&mut self, block: u32);
    /// Says that all edges into `block` are there.
    fn seal(&mut self, block: u32);
    /// Writes a new value.
    fn write(&mut self, variable: u32);
    /// Reads.
    fn read(&mut self, variable: u32);
    /// Ends the block with an edge to each target, in this order; with no target, the function.
    fn end(&mut self, targets: &[u32]);
}

/// Counts calls, and does nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Blocks so far.
    pub blocks: u32,
    /// Calls so far.
    pub events: u64,
}

impl Calls for Tally {
    fn block(&mut self) -> u32 {
        self.events += 1;
        self.blocks += 1;
        self.blocks - 1
    }

    fn switch(&mut self, _block: u32) {
        self.events += 1;
    }

    fn seal(&mut self, _block: u32) {
        self.events += 1;
    }

    fn write(&mut self, _variable: u32) {
        self.events += 1;
    }

    fn read(&mut self, _variable: u32) {
        self.events += 1;
    }

    fn end(&mut self, _targets: &[u32]) {
        self.events += 1;
    }
}

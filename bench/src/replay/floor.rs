//! What cannot be saved: reading the trace, and one table of what variables hold.

use crate::trace::{Calls, FunctionTrace, Type};

/// Reads the words of a trace and adds up what they say.
#[derive(Debug, Default)]
pub struct Decoder {
    sum: u64,
}

impl Decoder {
    /// Reads one function: the sum so far, so that the work is not optimised away.
    #[inline(never)]
    pub fn replay(&mut self, function: FunctionTrace<'_>) -> u64 {
        function.replay(self);
        self.sum
    }

    #[inline(always)]
    fn add(&mut self, number: u32) {
        self.sum = self.sum.wrapping_add(u64::from(number));
    }
}

impl Calls for Decoder {
    fn new_block(&mut self) {
        self.add(1);
    }
    fn switch_to(&mut self, block: u32) {
        self.add(block);
    }
    fn seal(&mut self, block: u32) {
        self.add(block);
    }
    fn fresh(&mut self, ty: Type) {
        self.add(ty as u32);
    }
    fn read(&mut self, variable: u32) {
        self.add(variable);
    }
    fn write(&mut self, variable: u32, value: u32) {
        self.add(variable ^ value);
    }
    fn jump(&mut self, target: u32) {
        self.add(target);
    }
    fn branch(&mut self, [first, second]: [u32; 2]) {
        self.add(first ^ second);
    }
    fn table(&mut self, targets: &[u32]) {
        self.add(targets.len() as u32);
    }
    fn leave(&mut self) {
        self.add(2);
    }
}

/// One table of what variables hold, and no control flow: wrong at the first join, and faster than anything right.
#[derive(Debug, Default)]
pub struct Floor {
    current: Vec<u32>,
    values: Vec<u32>,
    next: u32,
    sum: u64,
}

impl Floor {
    /// Replays one function: the sum so far of what else the words say.
    #[inline(never)]
    pub fn replay(&mut self, function: FunctionTrace<'_>) -> u64 {
        let variables = function.types().len();
        if self.current.len() < variables {
            self.current.resize(variables, 0);
        }
        self.values.clear();
        self.next = 0;
        function.replay(self);
        self.sum
    }

    #[inline(always)]
    fn add(&mut self, number: u32) {
        self.sum = self.sum.wrapping_add(u64::from(number));
    }
}

impl Calls for Floor {
    fn new_block(&mut self) {
        self.add(1);
    }
    fn switch_to(&mut self, block: u32) {
        self.add(block);
    }
    fn seal(&mut self, block: u32) {
        self.add(block);
    }
    #[inline(always)]
    fn fresh(&mut self, _: Type) {
        self.values.push(self.next);
        self.next += 1;
    }
    #[inline(always)]
    fn read(&mut self, variable: u32) {
        self.values.push(self.current[variable as usize]);
    }
    #[inline(always)]
    fn write(&mut self, variable: u32, value: u32) {
        self.current[variable as usize] = self.values[value as usize];
    }
    fn jump(&mut self, target: u32) {
        self.add(target);
    }
    fn branch(&mut self, [first, second]: [u32; 2]) {
        self.add(first ^ second);
    }
    fn table(&mut self, targets: &[u32]) {
        self.add(targets.len() as u32);
    }
    fn leave(&mut self) {
        self.add(2);
    }
}

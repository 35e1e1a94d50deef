//! Random programs, from a fixed seed.

use super::programs::{End, Program, Statement};

/// Numbers that look random and are the same each time.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

const NUM_VARIABLES: usize = 8;

fn statement(random: &mut Random) -> Statement {
    let target = random.below(NUM_VARIABLES);
    let mut same_width = || random.below(NUM_VARIABLES / 2) * 2 + target % 2;
    let (left, right) = (same_width(), same_width());
    match random.below(8) {
        0 | 1 => Statement::Constant(target, random.below(4) as i64),
        2 | 3 => Statement::Copy(target, left),
        4 | 5 => Statement::Add(target, left, right),
        _ => Statement::Print(target),
    }
}

fn statements(random: &mut Random) -> Vec<Statement> {
    (0..random.below(4)).map(|_| statement(random)).collect()
}

/// A variable that a switch can ask: a narrow one.
fn switched(random: &mut Random) -> usize {
    random.below(NUM_VARIABLES / 2) * 2 + 1
}

/// Any graph: irreducible, with unreachable parts, self-loops, repeated edges.
pub(crate) fn graph(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let num_blocks = 2 + random.below(12);
    let block = |_| {
        let statements = statements(random);
        let mut target = || 1 + random.below(num_blocks - 1);
        let targets = [target(), target(), target(), target()];
        let end = match random.below(8) {
            0 => End::Return,
            1 | 2 => End::Goto(targets[0]),
            3..6 => End::If(random.below(NUM_VARIABLES), targets[0], targets[1]),
            _ => End::Switch(switched(random), targets[..1 + random.below(4)].to_vec()),
        };
        (statements, end)
    };
    Program { blocks: (0..num_blocks).map(block).collect() }
}

/// Nested ifs, loops and switches; code after a return cannot be reached.
pub(crate) fn structured(seed: u64) -> Program {
    let mut writer = Writer { random: Random::new(seed), blocks: vec![(vec![], End::Return)] };
    let last = writer.sequence(0, 4);
    let prints = (0..NUM_VARIABLES).map(Statement::Print);
    writer.blocks[last].0.extend(prints);
    Program { blocks: writer.blocks }
}

struct Writer {
    random: Random,
    blocks: Vec<(Vec<Statement>, End)>,
}

impl Writer {
    fn block(&mut self) -> usize {
        self.blocks.push((vec![], End::Return));
        self.blocks.len() - 1
    }

    /// Writes statements from the end of block `at` on; the block where they end. `depth` bounds the recursion.
    fn sequence(&mut self, mut at: usize, depth: usize) -> usize {
        for _ in 0..=self.random.below(3) {
            let plain = statements(&mut self.random);
            self.blocks[at].0.extend(plain);
            at = match self.random.below(6) {
                0 | 1 if depth > 0 => self.if_(at, depth - 1),
                2 if depth > 0 => self.while_(at, depth - 1),
                3 if depth > 0 => self.repeat(at, depth - 1),
                4 if depth > 0 => self.switch(at, depth - 1),
                5 if self.random.below(8) == 0 => self.block(), // After a return.
                _ => at,
            };
        }
        at
    }

    fn if_(&mut self, at: usize, depth: usize) -> usize {
        let (then, otherwise, join) = (self.block(), self.block(), self.block());
        self.blocks[at].1 = End::If(self.random.below(NUM_VARIABLES), then, otherwise);
        for arm in [then, otherwise] {
            let end = self.sequence(arm, depth);
            self.blocks[end].1 = End::Goto(join);
        }
        join
    }

    fn while_(&mut self, at: usize, depth: usize) -> usize {
        let (header, body, after) = (self.block(), self.block(), self.block());
        self.blocks[at].1 = End::Goto(header);
        self.blocks[header].0 = statements(&mut self.random);
        self.blocks[header].1 = End::If(self.random.below(NUM_VARIABLES), body, after);
        let end = self.sequence(body, depth);
        self.blocks[end].1 = End::Goto(header);
        after
    }

    fn repeat(&mut self, at: usize, depth: usize) -> usize {
        let (body, after) = (self.block(), self.block());
        self.blocks[at].1 = End::Goto(body);
        let end = self.sequence(body, depth);
        self.blocks[end].1 = End::If(self.random.below(NUM_VARIABLES), after, body);
        after
    }

    /// Cases share their arms, or lead straight to the join.
    fn switch(&mut self, at: usize, depth: usize) -> usize {
        let (first, second, join) = (self.block(), self.block(), self.block());
        let choices = [first, second, join];
        let mut targets: Vec<usize> = (0..4).map(|_| choices[self.random.below(3)]).collect();
        targets.extend(choices);
        self.random.shuffle(&mut targets);
        self.blocks[at].1 = End::Switch(switched(&mut self.random), targets);
        for arm in [first, second] {
            let end = self.sequence(arm, depth);
            self.blocks[end].1 = End::Goto(join);
        }
        join
    }
}

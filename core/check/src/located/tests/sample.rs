//! Random functions in SSA form, with a phi for every variable at every join.

use alloc::vec;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, Value, ValueEvent};

/// A deterministic stream of numbers (xorshift).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub(super) fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }
}

/// A function in SSA form. Its first values are globals.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) cfg: FlatCfg,
    pub(super) num_values: usize,
    pub(super) num_globals: usize,
    /// By block: phis and their operands.
    pub(super) phis: Vec<Vec<(Value, Vec<Value>)>>,
    pub(super) events: Vec<Vec<ValueEvent>>,
}

const NUM_VARIABLES: usize = 3;

#[derive(Clone, Copy)]
enum Access {
    Read(usize),
    Write(usize),
    Copy(usize, usize),
}

impl Sample {
    /// A function, and the variable of each of its values. The globals are the contents of the variables at the entry;
    /// a copy leaves no event.
    pub(super) fn random(random: &mut Random) -> (Self, Vec<usize>) {
        let cfg = random_cfg(random);
        let with_copies = random.one_in(2);
        let accesses: Vec<Vec<Access>> = cfg.blocks().map(|_| random_accesses(random, with_copies)).collect();
        let (order, reachable) = in_order(&cfg);
        let mut variable_of: Vec<usize> = (0..NUM_VARIABLES).collect();
        let mut new_value = |variable: usize| {
            variable_of.push(variable);
            Value::new(variable_of.len() - 1)
        };
        let globals: Vec<Value> = (0..NUM_VARIABLES).map(Value::new).collect();
        let mut phis = vec![Vec::new(); cfg.num_blocks()];
        let mut events = vec![Vec::new(); cfg.num_blocks()];
        let mut at_end = vec![globals.clone(); cfg.num_blocks()];
        for block in order {
            let is_reachable = reachable[block.index()];
            // The source of a block's only edge comes before the block.
            let mut holds = match cfg.incoming(block) {
                &[edge] if is_reachable => at_end[cfg.source(edge).index()].clone(),
                [_, _, ..] if is_reachable => (0..NUM_VARIABLES).map(&mut new_value).collect(),
                _ => globals.clone(),
            };
            if is_reachable && cfg.incoming(block).len() > 1 {
                phis[block.index()] = holds.iter().map(|&phi| (phi, Vec::new())).collect();
            }
            for &access in &accesses[block.index()] {
                match access {
                    Access::Read(variable) => events[block.index()].push(ValueEvent::Use(holds[variable])),
                    Access::Write(variable) => {
                        holds[variable] = new_value(variable);
                        events[block.index()].push(ValueEvent::Def(holds[variable]));
                    }
                    Access::Copy(to, from) => holds[to] = holds[from],
                }
            }
            at_end[block.index()] = holds;
        }
        for block in cfg.blocks() {
            for (variable, (_, operands)) in phis[block.index()].iter_mut().enumerate() {
                operands.extend(cfg.incoming(block).iter().map(|&edge| at_end[cfg.source(edge).index()][variable]));
            }
        }
        (Self { cfg, num_values: variable_of.len(), num_globals: NUM_VARIABLES, phis, events }, variable_of)
    }
}

/// Two to seven blocks with at most two edges each, none to the entry; a few blocks may be unreachable.
fn random_cfg(random: &mut Random) -> FlatCfg {
    let num_blocks = 2 + random.below(6);
    let mut successors = vec![Vec::new(); num_blocks];
    for block in 1..num_blocks {
        let source = random.below(block);
        if successors[source].len() < 2 && !random.one_in(20) {
            successors[source].push(Block::new(block));
        }
    }
    for targets in &mut successors {
        while targets.len() < 2 && !random.one_in(3) {
            targets.push(Block::new(1 + random.below(num_blocks - 1)));
        }
    }
    FlatCfg::from_successors(Block::new(0), &successors).unwrap()
}

/// A few accesses to variables.
fn random_accesses(random: &mut Random, with_copies: bool) -> Vec<Access> {
    let access = |random: &mut Random| {
        let [one, other] = [(); 2].map(|()| random.below(NUM_VARIABLES));
        match random.below(if with_copies { 6 } else { 4 }) {
            0 | 1 => Access::Read(one),
            2 | 3 => Access::Write(one),
            _ => Access::Copy(one, other),
        }
    };
    (0..random.below(4)).map(|_| access(random)).collect()
}

/// All blocks, the reachable ones first and each after one that leads to it; by block, whether it is reachable.
fn in_order(cfg: &FlatCfg) -> (Vec<Block>, Vec<bool>) {
    let mut reachable = vec![false; cfg.num_blocks()];
    let (mut order, mut work) = (Vec::new(), vec![cfg.entry()]);
    while let Some(block) = work.pop() {
        if !core::mem::replace(&mut reachable[block.index()], true) {
            order.push(block);
            work.extend(cfg.targets(block));
        }
    }
    order.extend(cfg.blocks().filter(|block| !reachable[block.index()]));
    (order, reachable)
}

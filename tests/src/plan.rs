//! In which order the blocks of a function are filled and sealed.

use crate::FinishInto;
use crate::case::{Case, Group, Merge};
use crate::host::{Origin, TestHost};
use crate::rng::Rng;
use ssaphire::graph::Order;
use ssaphire::{Access, Block, Certified, FormHost, SsaBuilder, SsaBuilderExt, Strict, Value, Variable};
use std::error::Error;

/// When blocks are sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sealing {
    /// As soon as the last edge is there.
    Immediate,
    /// All at the end, in id order.
    AtEnd,
    /// All at the end, one by one, in any order.
    AtEndShuffled,
    /// Some time after the last edge is there.
    Sometime,
    /// By themselves: the graph is announced.
    Announced,
}

impl Sealing {
    /// All ways.
    pub const ALL: [Self; 5] = [Self::Immediate, Self::AtEnd, Self::AtEndShuffled, Self::Sometime, Self::Announced];
}

/// In which order blocks are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// In reverse post-order, unreachable blocks last.
    ReversePostorder,
    /// In any order.
    Shuffled,
    /// In any order in which some edge leads to each block before it is begun, as far as there are any.
    Reached,
    /// In any order, and up to three blocks side by side.
    Interleaved,
    /// In an order in which edges lead to blocks, and up to three blocks side by side.
    ReachedInterleaved,
}

impl Filling {
    /// All ways.
    pub const ALL: [Self; 5] =
        [Self::ReversePostorder, Self::Shuffled, Self::Reached, Self::Interleaved, Self::ReachedInterleaved];
}

/// How a function is told to a builder.
#[derive(Clone, Debug)]
pub struct Plan {
    /// When blocks are sealed.
    pub sealing: Sealing,
    /// The order in which blocks are begun.
    pub order: Vec<Block>,
    /// Number of blocks that are filled side by side.
    pub width: usize,
    /// Writes that a block begins with are made on the only edge into it, where that edge is known to be the only one.
    pub writes_on_edges: bool,
    /// Of writes that give the same, the host knows that, and all write one value; else it finds out later.
    pub knows_same: bool,
    /// For what the other fields leave open.
    pub seed: u64,
}

impl Plan {
    /// A plan for `case`.
    pub fn new(case: &Case, filling: Filling, sealing: Sealing, seed: u64) -> Self {
        let mut order: Vec<Block> = Order::new(&case.cfg).rpo().collect();
        let reachable = case.reachable();
        order.extend(case.blocks().filter(|block| !reachable[block.index()]));
        if filling != Filling::ReversePostorder {
            Rng::new(seed).shuffle(&mut order);
        }
        if matches!(filling, Filling::Reached | Filling::ReachedInterleaved) {
            order = reached_order(case, &order, &mut Rng::new(seed));
        }
        let width = if matches!(filling, Filling::Interleaved | Filling::ReachedInterleaved) { 3 } else { 1 };
        Self { sealing, order, width, writes_on_edges: false, knows_same: false, seed }
    }

    /// Blocks are filled in this order, and sealed as soon as the last edge is there.
    pub fn in_order(order: Vec<Block>) -> Self {
        Self { sealing: Sealing::Immediate, order, width: 1, writes_on_edges: false, knows_same: false, seed: 0 }
    }
}

/// The blocks in an order in which those before lead to each, if any do; else in the order given.
fn reached_order(case: &Case, order: &[Block], rng: &mut Rng) -> Vec<Block> {
    let mut is_in = vec![false; case.cfg.num_blocks()];
    let mut reached = Vec::new();
    for &root in [case.cfg.entry()].iter().chain(order) {
        let mut work = vec![root];
        while !work.is_empty() {
            let block = work.swap_remove(rng.below(work.len()));
            if !std::mem::replace(&mut is_in[block.index()], true) {
                reached.push(block);
                work.extend(case.cfg.targets(block));
            }
        }
    }
    reached
}

/// Tells `case` to `ssa` by the plan, up to `finish`; what it asks of the host is checked.
///
/// # Errors
/// What the builder refused, as text. Only a work budget is a reason.
pub fn drive<B: SsaBuilder>(
    case: &Case,
    plan: &Plan,
    host: &mut TestHost,
    ssa: &mut Certified<B>,
) -> Result<(), Box<dyn Error>> {
    host.begin(case);
    if plan.knows_same {
        host.know_same(case);
    }
    ssa.clear();
    let missing = case.blocks().map(|block| case.cfg.incoming(block).len()).collect();
    let mut strict = Strict::new(std::mem::take(host));
    let mut driver = Driver {
        case,
        plan,
        host: &mut strict,
        ssa,
        missing,
        num_done: vec![0; case.cfg.num_blocks()],
        waiting: Vec::new(),
        merges: Vec::new(),
        rng: Rng::new(plan.seed),
    };
    let result = driver.begin().and_then(|()| driver.fill_all()).and_then(|()| driver.end());
    *host = strict.into_inner();
    result
}

struct Driver<'a, B: SsaBuilder> {
    case: &'a Case,
    plan: &'a Plan,
    host: &'a mut Strict<TestHost>,
    ssa: &'a mut Certified<B>,
    /// By block, edges that are not there yet.
    missing: Vec<usize>,
    /// By block, groups of accesses that are done.
    num_done: Vec<usize>,
    /// Blocks that could be sealed and are not.
    waiting: Vec<Block>,
    /// What could be replaced and is not.
    merges: Vec<Merge>,
    rng: Rng,
}

impl<B: SsaBuilder> Driver<'_, B> {
    fn begin(&mut self) -> Result<(), Box<dyn Error>> {
        if self.plan.sealing == Sealing::Announced {
            return Ok(self.ssa.announce(&self.case.cfg)?);
        }
        self.ssa.set_entry(self.case.cfg.entry())?;
        for block in self.case.blocks() {
            if self.missing[block.index()] == 0 {
                self.is_complete(block)?;
            }
        }
        Ok(())
    }

    fn fill_all(&mut self) -> Result<(), Box<dyn Error>> {
        let mut later = self.plan.order.iter();
        let mut open: Vec<(Block, Vec<Group<'_>>)> = Vec::new();
        loop {
            while open.len() < self.plan.width {
                let Some(&block) = later.next() else { break };
                open.push((block, self.case.groups(block)));
            }
            if open.is_empty() {
                return Ok(());
            }
            let place = self.rng.below(open.len());
            let (block, ref groups) = open[place];
            match groups.get(self.num_done[block.index()]) {
                Some(group) => {
                    self.num_done[block.index()] += 1;
                    access(block, group, self.host, self.ssa)?;
                    self.note_merges(block, group);
                }
                None => {
                    open.remove(place);
                    self.terminate(block)?;
                }
            }
            // Late in half of the plans: by then there are phis of both values.
            self.replace_some(if self.plan.seed.is_multiple_of(2) { 30 } else { 2 })?;
        }
    }

    fn terminate(&mut self, block: Block) -> Result<(), Box<dyn Error>> {
        let case = self.case;
        self.ssa.try_terminate(block, case.cfg.targets(block))?;
        for &target in case.cfg.targets(block) {
            self.missing[target.index()] -= 1;
            if self.missing[target.index()] == 0 {
                self.is_complete(target)?;
            }
        }
        if self.plan.writes_on_edges {
            self.write_on_edges(block)?;
        }
        while self.plan.sealing == Sealing::Sometime && !self.waiting.is_empty() && self.rng.chance(40) {
            let place = self.rng.below(self.waiting.len());
            let block = self.waiting.swap_remove(place);
            self.ssa.try_seal_block(self.host, block)?;
        }
        Ok(())
    }

    /// Writes what the targets of `block` begin with, where this edge is their only one.
    fn write_on_edges(&mut self, block: Block) -> Result<(), Box<dyn Error>> {
        for (slot, &target) in (0..).zip(self.case.cfg.targets(block)) {
            let is_only = self.case.cfg.incoming(target).len() == 1 && self.ssa.builder().is_sealed(target);
            if !is_only || self.num_done[target.index()] > 0 || self.ssa.builder().is_filled(target) {
                continue;
            }
            for group in self.case.groups(target) {
                let &[Access::Write(variable)] = group.accesses else { break };
                let value = written(target, group.first, variable, self.host, self.ssa)?;
                self.ssa.try_write_on_edge(block, slot, variable, value)?;
                self.num_done[target.index()] += 1;
                self.note_merges(target, &group);
            }
        }
        Ok(())
    }

    fn note_merges(&mut self, block: Block, group: &Group<'_>) {
        if self.plan.knows_same {
            return;
        }
        let range = group.first..group.first + group.accesses.len();
        let is_here = |(at, index)| at == block && range.contains(&index);
        self.merges.extend(self.case.merges.iter().filter(|merge| is_here(merge.old)));
    }

    /// The host finds that values are the same, one after the other.
    fn replace_some(&mut self, percent: usize) -> Result<(), Box<dyn Error>> {
        while !self.merges.is_empty() && self.rng.chance(percent) {
            let place = self.rng.below(self.merges.len());
            let Merge { old, new } = self.merges[place];
            let (Some(old), Some(new)) = (self.host.found(old.0, old.1), self.host.found(new.0, new.1)) else { break };
            self.merges.swap_remove(place);
            self.ssa.try_replace(self.host, old, new)?;
        }
        Ok(())
    }

    /// The last edge of `block` is there.
    fn is_complete(&mut self, block: Block) -> Result<(), Box<dyn Error>> {
        match self.plan.sealing {
            Sealing::Immediate => Ok(self.ssa.try_seal_block(self.host, block)?),
            Sealing::AtEndShuffled | Sealing::Sometime => {
                self.waiting.push(block);
                Ok(())
            }
            Sealing::AtEnd | Sealing::Announced => Ok(()),
        }
    }

    fn end(&mut self) -> Result<(), Box<dyn Error>> {
        if self.plan.sealing == Sealing::AtEnd {
            self.ssa.try_seal_all_blocks(self.host)?;
        }
        self.rng.shuffle(&mut self.waiting);
        for &block in &self.waiting {
            self.ssa.try_seal_block(self.host, block)?;
        }
        self.replace_some(100)?;
        Ok(self.ssa.finish_into(self.host)?)
    }
}

/// Does what `group` says: all reads, then all writes.
fn access<B: SsaBuilder>(
    block: Block,
    group: &Group<'_>,
    host: &mut Strict<TestHost>,
    ssa: &mut Certified<B>,
) -> Result<(), Box<dyn Error>> {
    for (index, &access) in (group.first..).zip(group.accesses) {
        if let Access::Read(variable) | Access::Copy(_, variable) = access {
            let value = ssa.try_read_variable(host, block, variable)?;
            host.read(block, index, variable, value);
        }
    }
    for (index, &access) in (group.first..).zip(group.accesses) {
        let written = match access {
            Access::Write(variable) => Some((variable, written(block, index, variable, host, ssa)?)),
            Access::Copy(variable, _) => host.found(block, index).map(|value: Value| (variable, value)),
            Access::Read(_) | Access::Tuple(_) => None,
        };
        if let Some((variable, value)) = written {
            ssa.try_write_variable(block, variable, value)?;
        }
    }
    Ok(())
}

/// The value of a write. One that another access writes as well, which comes later, is defined there.
fn written<B: SsaBuilder>(
    block: Block,
    index: usize,
    variable: Variable,
    host: &mut Strict<TestHost>,
    ssa: &mut Certified<B>,
) -> Result<Value, Box<dyn Error>> {
    let num_values = host.inner().origins.len();
    let value = host.written(block, index, variable);
    match host.inner().origins.get(num_values) {
        Some(&Origin::Write(at, number)) if (at, number) != (block, index) => ssa.try_define(at, value)?,
        _ => {}
    }
    Ok(value)
}

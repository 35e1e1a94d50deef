//! Def-use chains: the writes of a variable that reach each read, and the reads that each write reaches.
//!
//! A write reaches a read if a path leads from it to the read on which the
//! variable is not written again. Chains link each read to the writes that
//! reach it, and each write to the reads it reaches (Cytron et al. 1991,
//! section 2: SSA form makes them as many as there are uses).
//!
//! # Complexity
//! O(*n* + *a*) for *a* accesses, plus for each variable, each block that reads it before writing it, and each block
//! from which that can be reached without a write: O(1 + its incoming edges). The chains themselves can be quadratic
//! in the accesses; memory is in proportion to them.
//!
//! # Departures
//! The paper takes the entry for a write of every variable. Here a read says
//! whether [nothing](DefUse::may_be_undefined) may have been written. Reads and
//! writes in unreachable blocks have no chains.

use crate::{
    Access, Block, FlatCfg, Id, IdLists, IdMap, Order, PackedOption, Variable, VariableForm, at_once, internal_id,
};
use alloc::vec::Vec;

/// One read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Site {
    /// The block.
    pub block: Block,
    /// The position among the accesses of the block; [`Access::Tuple`] is not counted.
    pub index: u32,
    /// The variable.
    pub variable: Variable,
}

/// The def-use chains of a function: reads and writes are numbered in block order.
///
/// Rebuilding reuses memory.
///
/// # Examples
/// ```
/// use ssaphire::graph::{DefUse, Order};
/// use ssaphire::{Access, Block, Cfg, FlatCfg, Variable, VariableForm};
///
/// /// `if .. { x = .. } ; use x`
/// struct Conditional(FlatCfg);
///
/// impl Cfg for Conditional {
///     fn num_blocks(&self) -> usize {
///         self.0.num_blocks()
///     }
///     fn entry(&self) -> Block {
///         self.0.entry()
///     }
///     fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
///         self.0.successors(block)
///     }
///     fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
///         self.0.predecessors(block)
///     }
/// }
///
/// impl VariableForm for Conditional {
///     fn num_variables(&self) -> usize {
///         1
///     }
///     fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
///         let x = Variable::new(0);
///         [None, Some(Access::Write(x)), Some(Access::Read(x))][block.index()].into_iter()
///     }
/// }
///
/// let [entry, then, after] = [0, 1, 2].map(Block::new);
/// let function = Conditional(FlatCfg::from_successors(entry, &[vec![then, after], vec![after], vec![]]).unwrap());
/// let chains = DefUse::new(&function, &function.0, &Order::new(&function.0));
/// assert_eq!((chains.reads()[0].block, chains.writes()[0].block), (after, then));
/// assert_eq!(chains.writes_of(0), [0]);
/// assert!(chains.may_be_undefined(0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct DefUse {
    reads: Vec<Site>,
    writes: Vec<Site>,
    /// By read: the writes that reach it.
    writes_of: IdLists<SiteId, u32>,
    /// By write: the reads it reaches.
    reads_of: IdLists<SiteId, u32>,
    /// By read: whether a path from the entry leads to it without a write.
    undefined: Vec<bool>,
    scratch: Scratch,
}

internal_id!(
    /// Number of a read, or of a write.
    SiteId, "site", u32::MAX as usize
);

#[derive(Clone, Debug, Default)]
struct Scratch {
    /// The last write of each variable in a block: by variable, ordered by block.
    last_writes: Vec<(Variable, Block, u32)>,
    /// Reads that no write in their block precedes.
    exposed: Vec<(Variable, Block, u32)>,
    /// By variable: the block in which it was written last, and the write.
    latest: IdMap<Variable, (PackedOption<Block>, u32)>,
    /// Writes of a tuple, which happen when it is complete.
    pending: Vec<(Variable, u32)>,
    marks: IdMap<Block, Marks>,
    num_searches: u32,
    work: Vec<Block>,
    /// Chains found: the read and the write.
    found: Vec<(u32, u32)>,
}

/// The marks of a block, tagged with variable and search, so that none needs to be cleared.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// The variable whose last write in the block this is.
    variable: PackedOption<Variable>,
    write: u32,
    /// The search that came by last; they count from 1.
    search: u32,
}

impl DefUse {
    /// The chains of `function`, whose flat copy is `cfg`, walked in `order`.
    pub fn new(function: &impl VariableForm, cfg: &FlatCfg, order: &Order) -> Self {
        let mut chains = Self::default();
        chains.rebuild(function, cfg, order);
        chains
    }

    /// Recomputes the chains for `function`, and reuses its memory.
    pub fn rebuild(&mut self, function: &impl VariableForm, cfg: &FlatCfg, order: &Order) {
        self.reads.clear();
        self.writes.clear();
        self.undefined.clear();
        let Scratch { last_writes, exposed, latest, found, .. } = &mut self.scratch;
        last_writes.clear();
        exposed.clear();
        found.clear();
        latest.reset(function.num_variables(), (PackedOption::NONE, 0));
        for block in cfg.blocks().filter(|&block| order.is_reachable(block)) {
            self.look_through(block, function.accesses(block));
        }
        self.scratch.marks.reset(cfg.num_blocks(), Marks::default());
        self.scratch.num_searches = 0;
        self.search(cfg, order);
        let found = &mut self.scratch.found;
        found.sort_unstable();
        let (reads, writes) = (self.reads.len(), self.writes.len());
        self.writes_of.rebuild(reads, found.iter().map(|&(read, write)| (SiteId(read), write)));
        self.reads_of.rebuild(writes, found.iter().map(|&(read, write)| (SiteId(write), read)));
    }

    /// The reads, ordered by block and position. Those of unreachable blocks are left out.
    pub fn reads(&self) -> &[Site] {
        &self.reads
    }

    /// The writes, ordered by block and position. Those of unreachable blocks are left out.
    pub fn writes(&self) -> &[Site] {
        &self.writes
    }

    /// The writes that reach read number `read`, in order.
    pub fn writes_of(&self, read: usize) -> &[u32] {
        SiteId::try_new(read).map_or(&[], |read| self.writes_of.of(read))
    }

    /// The reads that write number `write` reaches, in order.
    pub fn reads_of(&self, write: usize) -> &[u32] {
        SiteId::try_new(write).map_or(&[], |write| self.reads_of.of(write))
    }

    /// Whether a path leads from the entry to read number `read` on which its variable is not written.
    pub fn may_be_undefined(&self, read: usize) -> bool {
        self.undefined.get(read).copied().unwrap_or(false)
    }

    /// Number of chains: pairs of a write and a read it reaches.
    pub fn size(&self) -> usize {
        self.writes_of.members().len()
    }

    /// Numbers the accesses of a block, and links those reads that a write in it precedes.
    fn look_through(&mut self, block: Block, accesses: impl Iterator<Item = Access>) {
        let first_write = self.writes.len();
        for (index, (access, is_last)) in at_once(accesses).enumerate() {
            let site = |variable| Site { block, index: index as u32, variable };
            match access {
                Access::Read(variable) => self.read(site(variable)),
                Access::Write(variable) => self.write(site(variable)),
                Access::Copy(to, from) => {
                    self.read(site(from));
                    self.write(site(to));
                }
                Access::Tuple(_) => {}
            }
            if is_last {
                self.settle(block);
            }
        }
        for write in first_write..self.writes.len() {
            let variable = self.writes[write].variable;
            if self.scratch.latest[variable] == (block.into(), write as u32) {
                self.scratch.last_writes.push((variable, block, write as u32));
            }
        }
    }

    fn read(&mut self, site: Site) {
        let read = self.reads.len() as u32;
        self.reads.push(site);
        self.undefined.push(false);
        match self.scratch.latest.get(site.variable) {
            Some(&(block, write)) if block == site.block.into() => self.scratch.found.push((read, write)),
            _ => self.scratch.exposed.push((site.variable, site.block, read)),
        }
    }

    fn write(&mut self, site: Site) {
        self.scratch.pending.push((site.variable, self.writes.len() as u32));
        self.writes.push(site);
    }

    /// Performs the pending writes of a tuple.
    fn settle(&mut self, block: Block) {
        for (variable, write) in self.scratch.pending.drain(..) {
            self.scratch.latest.grow_to(variable, (PackedOption::NONE, 0));
            self.scratch.latest[variable] = (block.into(), write);
        }
    }

    /// Links the reads that no write in their block precedes: backwards from each block, variable by variable.
    fn search(&mut self, cfg: &FlatCfg, order: &Order) {
        let mut exposed = core::mem::take(&mut self.scratch.exposed);
        let mut last_writes = core::mem::take(&mut self.scratch.last_writes);
        exposed.sort_unstable();
        last_writes.sort_unstable();
        let mut writes = last_writes.iter().peekable();
        let mut reads = exposed.iter().peekable();
        while let Some(&&(variable, block, first)) = reads.peek() {
            while let Some(&(of, at, write)) = writes.next_if(|&&(of, ..)| of <= variable) {
                let marks = &mut self.scratch.marks[at];
                (marks.variable, marks.write) = (of.into(), write);
            }
            let begin = self.scratch.found.len();
            let is_undefined = self.search_from(cfg, order, variable, block, first);
            // Reads of one block see the same.
            let end = self.scratch.found.len();
            while let Some(&(_, _, read)) = reads.next_if(|&&(of, at, _)| (of, at) == (variable, block)) {
                self.undefined[read as usize] = is_undefined;
                if read != first {
                    for place in begin..end {
                        let (_, write) = self.scratch.found[place];
                        self.scratch.found.push((read, write));
                    }
                }
            }
        }
        (self.scratch.exposed, self.scratch.last_writes) = (exposed, last_writes);
    }

    /// Links `read` to the writes that reach the top of `block`; returns whether the entry reaches it, too.
    fn search_from(&mut self, cfg: &FlatCfg, order: &Order, variable: Variable, block: Block, read: u32) -> bool {
        let Scratch { marks, num_searches, work, found, .. } = &mut self.scratch;
        *num_searches += 1;
        let search = *num_searches;
        let mut is_undefined = false;
        work.push(block);
        while let Some(top) = work.pop() {
            is_undefined |= top == cfg.entry();
            let sources = cfg.incoming(top).iter().map(|&edge| cfg.source(edge));
            for source in sources.filter(|&source| order.is_reachable(source)) {
                let marks = &mut marks[source];
                if core::mem::replace(&mut marks.search, search) == search {
                    continue;
                }
                if marks.variable == variable.into() {
                    found.push((read, marks.write));
                } else {
                    work.push(source);
                }
            }
        }
        is_undefined
    }
}

#[cfg(test)]
mod tests;

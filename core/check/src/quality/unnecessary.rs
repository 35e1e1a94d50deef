//! Phis where no two definitions of their variable meet.
//!
//! | paper | here |
//! |---|---|
//! | Braun et al. 2013, Definition 2; Cytron et al. 1991, section 4.3 | [`unnecessary_phis`] |
//! | Sreedhar and Gao 1995, iterated frontier by one walk | `Joins::find` |
//!
//! # Departures
//! The entry counts as a definition of every variable in the papers; here that
//! definition is before the entry, which makes no difference unless
//! the entry has incoming edges.
//! Sreedhar and Gao keep one list of blocks per level; here it is a heap.

use crate::Violation;
use crate::reach::Reachable;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use ssaphire_graph::{Access, Block, DominatorTree, FlatCfg, IdMap, Value, Variable, VariableForm};

/// The phis, given with block and variable, that are not necessary: Braun et al. 2013, Definition 2.
///
/// A phi is necessary where paths from two definitions of its variable
/// converge. Every variable counts as defined before the entry, too, so an
/// entry with incoming edges may need phis. A form without unnecessary
/// phis is *minimal* in the sense of Cytron et al. 1991; it may still have
/// dead phis, and redundant ones where variables were copied.
/// Phis in unreachable blocks are ignored. Sorted by block, then value.
///
/// # Complexity
/// Dominators, plus per variable that has phis at most O(*n* + *e* + *k* log
/// *k*) for *k* definitions and phis.
pub fn unnecessary_phis(form: &impl VariableForm, phis: &[(Block, Variable, Value)]) -> Vec<Violation> {
    let mut joins = Joins::new(form);
    let definitions = Definitions::new(form, &joins.reachable);
    let mut by_variable: Vec<_> = phis.iter().filter(|phi| joins.reachable.contains(phi.0)).collect();
    by_variable.sort_unstable_by_key(|phi| phi.1);
    let mut found = Vec::new();
    for of_one in by_variable.chunk_by(|one, other| one.1 == other.1) {
        let variable = of_one[0].1;
        joins.find(definitions.of(variable));
        let unnecessary = of_one.iter().filter(|phi| !joins.contains(phi.0));
        found.extend(unnecessary.map(|&&(block, _, phi)| Violation::UnnecessaryPhi { block, phi, variable }));
    }
    found.sort_unstable();
    found
}

/// The reachable blocks that define each variable.
struct Definitions {
    /// Sorted.
    defined: Vec<(Variable, Block)>,
}

impl Definitions {
    fn new(form: &impl VariableForm, reachable: &Reachable) -> Self {
        let mut defined = Vec::new();
        for block in reachable.iter() {
            let written = form.accesses(block).filter_map(|access| match access {
                Access::Write(variable) | Access::Copy(variable, _) => Some(variable),
                Access::Read(_) | Access::Tuple(_) => None,
            });
            defined.extend(written.map(|variable| (variable, block)));
        }
        defined.sort_unstable();
        defined.dedup();
        Self { defined }
    }

    fn of(&self, variable: Variable) -> impl Iterator<Item = Block> + '_ {
        let first = self.defined.partition_point(|definition| definition.0 < variable);
        self.defined[first..].iter().take_while(move |definition| definition.0 == variable).map(|&(_, block)| block)
    }
}

/// The iterated dominance frontier of a set of definitions, which is the set of blocks where they meet.
///
/// Computed on the graph with one more block before the entry. That block
/// defines every variable, and needs no walk: its frontier is empty.
struct Joins {
    graph: FlatCfg,
    dominators: DominatorTree,
    reachable: Reachable,
    /// The blocks still to walk below, deepest in the dominator tree first.
    queue: BinaryHeap<(usize, Block)>,
    work: Vec<Block>,
    /// The number of the last search in which a block was queued, walked, found.
    queued: IdMap<Block, u32>,
    walked: IdMap<Block, u32>,
    found: IdMap<Block, u32>,
    search: u32,
}

impl Joins {
    fn new(form: &impl VariableForm) -> Self {
        let reachable = Reachable::new(form);
        let num_blocks = form.num_blocks();
        let front = Block::new(num_blocks);
        let exists = |&(_, target): &(Block, Block)| target.index() < num_blocks;
        let targets_of = |source| form.successors(source).map(move |target| (source, target)).filter(exists);
        let edges = reachable.iter().flat_map(targets_of);
        let to_entry = Some((front, form.entry())).filter(exists);
        let mut graph = FlatCfg::default();
        let built = graph.rebuild_from_edges(num_blocks + 1, front, edges.chain(to_entry));
        debug_assert_eq!(built, Ok(()), "the edges come by source, and their ends exist");
        let dominators = DominatorTree::new(&graph);
        let never = || IdMap::filled(num_blocks + 1, 0);
        let (queued, walked, found) = (never(), never(), never());
        let (queue, work) = (BinaryHeap::new(), Vec::new());
        Self { graph, dominators, reachable, queue, work, queued, walked, found, search: 0 }
    }

    fn contains(&self, block: Block) -> bool {
        self.found[block] == self.search
    }

    /// Finds the blocks where the given definitions and the one before the entry meet.
    ///
    /// Roots are taken deepest first, and the blocks found are no deeper than
    /// the current root: a block walked once need not be walked again.
    fn find(&mut self, definitions: impl Iterator<Item = Block>) {
        self.search += 1;
        for block in definitions {
            self.enqueue(block);
        }
        while let Some((level, root)) = self.queue.pop() {
            self.enter(root);
            while let Some(block) = self.work.pop() {
                self.leave_subtree(block, level);
                for place in 0..self.dominators.children(block).len() {
                    self.enter(self.dominators.children(block)[place]);
                }
            }
        }
    }

    /// Finds the targets of `block`'s edges that lead out of the subtree of the root at `level`.
    ///
    /// They are no deeper than the root, while the blocks that the root strictly dominates are deeper.
    fn leave_subtree(&mut self, block: Block, level: usize) {
        for edge in self.graph.outgoing(block) {
            let target = self.graph.target(edge);
            let leaves = self.dominators.level(target).is_some_and(|depth| depth <= level);
            if leaves && self.found[target] != self.search {
                self.found[target] = self.search;
                self.enqueue(target);
            }
        }
    }

    fn enqueue(&mut self, block: Block) {
        if self.queued[block] != self.search {
            self.queued[block] = self.search;
            self.queue.extend(self.dominators.level(block).map(|level| (level, block)));
        }
    }

    fn enter(&mut self, block: Block) {
        if self.walked[block] != self.search {
            self.walked[block] = self.search;
            self.work.push(block);
        }
    }
}

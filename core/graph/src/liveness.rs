//! Liveness: the variables or values that are live-in and live-out of each block.
//!
//! Each variable or value is explored alone, backward from its uses to its
//! definitions, and every block visited is recorded. For a
//! [`VariableForm`] the keys are variables; for an [`SsaForm`] they are values, a
//! phi is defined at the top of its block and its operands are used at the
//! end of the blocks their edges leave.
//!
//! | Appel and Palsberg 2002, chapter 19, liveness in SSA form | here |
//! |---|---|
//! | from each use of a value back to its definition | `Exploration::explore` |
//! | live-in at a block: live-out at its predecessors | `Exploration::reach_top` |
//! | live-out at a block: live-in, unless defined there | `Exploration::reach_end` |
//! | statements within a block | `Occurrences` |
//! | a phi uses its operand at the end of the predecessor | [`Liveness::of_values`] |
//!
//! # Complexity
//! Time O(*n* + *v* + *a* + *s*), where *v* counts variables or values, *a*
//! accesses or events and phi operands, and *s* sums, over all blocks, the size
//! of the live-in set times one more than the number of incoming edges: a
//! block is expanded once for each member of its live-in set. Memory O(*n* +
//! *v* + *a*) and in proportion to the sets themselves; no bit matrix.
//!
//! # Departures
//! Exploration keeps a work list where the book recurses. It stops at blocks,
//! not at statements: uses that a definition in the same block precedes are
//! left out beforehand. It also applies to variables, where several blocks
//! define the same one.

mod exploration;
mod occurrences;

use crate::{Block, FlatCfg, Id, IdLists, Order, SsaForm, Value, ValueEvent, Variable, VariableForm};
use exploration::Exploration;
use occurrences::Occurrences;

/// The variables or values that are live at the top and at the end of each block.
///
/// Blocks that are not reachable from the entry have empty sets: neither their
/// reads nor the phi operands of their edges make anything live.
///
/// A variable with a read that some path reaches without a write, such as a
/// global, a parameter or a variable without an initial value, is live at the
/// top of the entry. A use counts even if its own result is never used.
/// Repeated edges change nothing. Rebuilding reuses memory.
///
/// # Examples
/// ```
/// use ssaphire::graph::{Liveness, Order};
/// use ssaphire::{Access, Block, Cfg, FlatCfg, Variable, VariableForm};
///
/// /// `x0 := ...; do use x0 while ...`
/// struct Loop(FlatCfg);
///
/// impl Cfg for Loop {
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
/// impl VariableForm for Loop {
///     fn num_variables(&self) -> usize {
///         1
///     }
///     fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
///         let x = Variable::new(0);
///         [if block == self.entry() { Access::Write(x) } else { Access::Read(x) }].into_iter()
///     }
/// }
///
/// let [entry, body] = [0, 1].map(Block::new);
/// let function = Loop(FlatCfg::from_successors(entry, &[[body], [body]]).unwrap());
/// let live = Liveness::of_variables(&function, &function.0, &Order::new(&function.0));
/// assert!(live.live_in(entry).is_empty());
/// assert_eq!(live.live_out(body), [Variable::new(0)]);
/// ```
#[derive(Clone, Debug)]
pub struct Liveness<K: Id> {
    live_in: IdLists<Block, K>,
    live_out: IdLists<Block, K>,
    occurrences: Occurrences<K>,
    exploration: Exploration<K>,
}

impl<K: Id> Default for Liveness<K> {
    fn default() -> Self {
        Self {
            live_in: IdLists::new(),
            live_out: IdLists::new(),
            occurrences: Occurrences::default(),
            exploration: Exploration::default(),
        }
    }
}

impl Liveness<Variable> {
    /// The live variables of `function`, whose flat copy is `cfg`, walked in `order`.
    pub fn of_variables(function: &impl VariableForm, cfg: &FlatCfg, order: &Order) -> Self {
        let mut live = Self::default();
        live.rebuild_of_variables(function, cfg, order);
        live
    }

    /// Recomputes the live variables for `function`, and reuses its memory.
    pub fn rebuild_of_variables(&mut self, function: &impl VariableForm, cfg: &FlatCfg, order: &Order) {
        self.occurrences.begin(function.num_variables());
        for &block in order.postorder() {
            self.occurrences.record_accesses(block, function.accesses(block));
        }
        self.explore(cfg, order);
    }
}

impl Liveness<Value> {
    /// The live values of `function`, whose flat copy is `cfg`, walked in `order`.
    pub fn of_values(function: &impl SsaForm, cfg: &FlatCfg, order: &Order) -> Self {
        let mut live = Self::default();
        live.rebuild_of_values(function, cfg, order);
        live
    }

    /// Recomputes the live values for `function`, and reuses its memory.
    ///
    /// Operands beyond the incoming edges of the phi's block are ignored.
    pub fn rebuild_of_values(&mut self, function: &impl SsaForm, cfg: &FlatCfg, order: &Order) {
        self.rebuild_of_values_that(function, cfg, order, |_| true);
    }

    /// Recomputes the live values that `counts` accepts, for example without constants that need no location.
    pub fn rebuild_of_values_that(
        &mut self,
        function: &impl SsaForm,
        cfg: &FlatCfg,
        order: &Order,
        counts: impl Fn(Value) -> bool,
    ) {
        self.occurrences.begin(function.num_values());
        for &block in order.postorder() {
            let counted = |event: &ValueEvent| match *event {
                ValueEvent::Def(value) | ValueEvent::Use(value) => counts(value),
            };
            self.occurrences.record_values(block, function.phis(block), function.events(block).filter(counted));
            for phi in function.phis(block) {
                for (operand, &edge) in function.operands(block, phi).zip(cfg.incoming(block)) {
                    if counts(operand) && order.is_reachable(cfg.source(edge)) {
                        self.occurrences.use_at_end(operand, cfg.source(edge));
                    }
                }
            }
        }
        self.explore(cfg, order);
    }
}

impl<K: Id> Liveness<K> {
    /// The live-in set of `block`, in id order: live after its phi operands are read, without the phis of the block.
    pub fn live_in(&self, block: Block) -> &[K] {
        self.live_in.of(block)
    }

    /// The live-out set of `block`, in id order, phi operands of its outgoing edges included.
    pub fn live_out(&self, block: Block) -> &[K] {
        self.live_out.of(block)
    }

    /// Whether `key` is live at the top of `block`. O(log of the size of the set).
    pub fn is_live_in(&self, block: Block, key: K) -> bool {
        self.live_in(block).binary_search(&key).is_ok()
    }

    /// Whether `key` is live at the end of `block`. O(log of the size of the set).
    pub fn is_live_out(&self, block: Block, key: K) -> bool {
        self.live_out(block).binary_search(&key).is_ok()
    }

    fn explore(&mut self, cfg: &FlatCfg, order: &Order) {
        self.exploration.begin(cfg.num_blocks());
        for key in (0..self.occurrences.num_keys()).map(K::new) {
            self.exploration.explore(key, &self.occurrences, cfg, order);
        }
        // Found in the order of the keys, which stays.
        self.live_in.rebuild(cfg.num_blocks(), self.exploration.found_at_top().iter().copied());
        self.live_out.rebuild(cfg.num_blocks(), self.exploration.found_at_end().iter().copied());
    }
}

#[cfg(test)]
mod tests;

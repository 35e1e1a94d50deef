//! Checks invariants 1 to 4 against the dominators of `graph`: for tests, after each seal.

use super::Builder;
use super::bloom::{NUM_BITS, VariableMask};
use super::current_def::Held;
use super::node_id::NodeId;
use super::phis::State as PhiState;
use crate::observe::Event;
use crate::protocol::State;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, Id, IdSet, Value, Variable};

/// The graph so far: a block that is not sealed may be entered from anywhere, so control enters there, too.
struct Known {
    cfg: FlatCfg,
    tree: DominatorTree,
}

impl Known {
    /// Whether `above` dominates the block, whatever edges are added later. Any block dominates one that stays
    /// unreachable.
    fn dominates(&self, above: Block, block: Block) -> bool {
        !self.tree.is_reachable(block) || self.tree.dominates(above, block)
    }

    /// The blocks on the ways from below `dominator` to the top of `block`.
    fn blocks_between(&self, dominator: Block, block: Block) -> Vec<Block> {
        let (mut between, mut seen): (Vec<Block>, IdSet<Block>) = (Vec::new(), IdSet::new());
        let mut next = 0;
        let mut at = block;
        loop {
            for source in self.cfg.incoming(at).iter().map(|&edge| self.cfg.source(edge)) {
                if self.tree.is_reachable(source) && source != dominator && seen.insert(source) {
                    between.push(source);
                }
            }
            let Some(&other) = between.get(next) else { return between };
            (at, next) = (other, next + 1);
        }
    }
}

impl Builder<Vec<Event>> {
    /// Holds invariants 1 to 4 against the edges and writes so far, whether there are rows or not.
    /// O((*n* + *e*) (*n* + variables log *n*)).
    pub(super) fn check_invariants(&mut self) {
        let known = self.known();
        for node in (0..self.tree.len()).map(NodeId::new) {
            let block = self.tree.block(node);
            if let Some(up) = self.tree.dominator(node) {
                assert!(up < node, "{block} is newer than its dominator");
                let above = self.tree.block(up);
                assert!(known.dominates(above, block), "{above} dominates {block}");
                if known.tree.is_reachable(block) {
                    self.check_mask(&known, above, block, node);
                }
            }
            self.check_tops(&known, node);
        }
        self.check_values(&known);
    }

    fn known(&self) -> Known {
        let num_blocks = self.blocks.ids().count();
        let mut successors: Vec<Vec<Block>> = (0..=num_blocks).map(|_| Vec::new()).collect();
        for edge in self.blocks.edges() {
            successors[edge.origin.source.index()].push(edge.target);
        }
        let is_open = |&block: &Block| !self.blocks.get(block).state.has(State::SEALED);
        successors[num_blocks].extend(self.blocks.mentioned().filter(is_open));
        successors[num_blocks].push(self.blocks.entry());
        let Ok(cfg) = FlatCfg::from_successors(Block::new(num_blocks), &successors) else {
            unreachable!("all targets are blocks")
        };
        let tree = DominatorTree::new(&cfg);
        Known { cfg, tree }
    }

    /// Invariant 3: the mask has all that is written between the block and the one above it.
    fn check_mask(&self, known: &Known, above: Block, block: Block, node: NodeId) {
        let mut written = VariableMask::EMPTY;
        for other in known.blocks_between(above, block) {
            let own = self.node_of(other).filter(|&node| self.tree.block(node) == other);
            if let Some(node) = own {
                written.add(self.tree.written(node));
            }
        }
        assert!(
            self.tree.between(node).has_all(written),
            "{block} below {above}: {:?} of {written:?}",
            self.tree.between(node)
        );
    }

    /// Invariant 4: a node that a cell names is this one, or dominates it with nothing written in between.
    ///
    /// A variable that shares its bit may have got its cells after another had been written.
    fn check_tops(&mut self, known: &Known, node: NodeId) {
        for variable in (0..self.defs.max_variables().min(NUM_BITS)).map(Variable::new) {
            let Held::Top(top) = self.defs.held(&mut self.tree, node, variable) else { continue };
            let mut at = node;
            while at != top {
                let block = self.tree.block(at);
                let Some(up) = self.tree.dominator(at) else { panic!("{top} is above {block}") };
                let is_unwritten = !self.tree.between(at).may_have(variable) || {
                    let others = known.blocks_between(self.tree.block(up), block);
                    self.defs.is_sparse() && !others.into_iter().any(|other| self.writes(other, variable))
                };
                assert!(is_unwritten, "{variable} is open at the top of {block}");
                at = up;
            }
        }
    }

    fn writes(&self, block: Block, variable: Variable) -> bool {
        self.observer.iter().any(|event| matches!(*event, Event::Write { block: at, variable: written, .. } if (at, written) == (block, variable)))
    }

    /// Invariant 4: a block holds what it has written last. If it has written nothing, and holds no phi of its own, it
    /// holds what each of its sources holds, as far as that is decided, and but for redundant phis.
    fn check_values(&mut self, known: &Known) {
        let mut written: BTreeMap<(Block, Variable), Value> = BTreeMap::new();
        for event in &self.observer {
            if let Event::Write { block, variable, value } = *event {
                written.insert((block, variable), value);
            }
        }
        let variables: BTreeSet<Variable> = written.keys().map(|&(_, variable)| variable).collect();
        let blocks: Vec<Block> = self.blocks.mentioned().filter(|&block| self.node_of(block).is_some()).collect();
        for &block in blocks.iter().filter(|&&block| known.tree.is_reachable(block)) {
            for &variable in &variables {
                let found = self.decided(block, variable);
                if let Some(&value) = written.get(&(block, variable)) {
                    assert_eq!(found, Some(self.values.resolve(value)), "{variable} is written in {block}");
                    continue;
                }
                let Some(value) = found else { continue };
                let phi = self.values.phi(value).map(|phi| &self.phis.table[phi]);
                if phi.is_some_and(|phi| (phi.block, phi.variable) == (block, variable)) {
                    continue;
                }
                for source in known.cfg.incoming(block).iter().map(|&edge| known.cfg.source(edge)) {
                    let is_block = source.index() + 1 < known.cfg.num_blocks();
                    if is_block && known.tree.is_reachable(source) {
                        let above = self.decided(source, variable).unwrap_or(value);
                        let is_same =
                            self.only_merges_to(known, above, value) || self.only_merges_to(known, value, above);
                        assert!(is_same, "{variable}: {above} at the end of {source}, {value} in {block}");
                    }
                }
            }
        }
    }

    /// Whether `phi` is `value`, or in a redundant set of phis that merges only that, without edges from unreachable
    /// blocks.
    fn only_merges_to(&mut self, known: &Known, phi: Value, value: Value) -> bool {
        let (mut seen, mut work) = (BTreeSet::from([phi]), Vec::from([phi]));
        while let Some(next) = work.pop() {
            if next == value {
                continue;
            }
            match self.holder(next) {
                (at, None) if at == next => {}
                (at, None) => {
                    work.push(at);
                    continue;
                }
                (_, open) if open == self.holder(value).1 => continue,
                _ => return false,
            }
            let Some(id) = self.values.phi(next) else { return false };
            let data = self.phis.table[id];
            if data.state != PhiState::Complete {
                return false;
            }
            let own = self.blocks.get(data.block);
            let edges = &self.joins.edges[own.own.first_edge as usize..][..own.num_in as usize];
            for (&operand, edge) in self.phis.operands[data.first_operand as usize..].iter().zip(edges) {
                let operand = self.values.resolve(operand);
                if known.tree.is_reachable(edge.source) && seen.insert(operand) {
                    work.push(operand);
                }
            }
        }
        true
    }

    /// The value that a deferred phi is equal to; or, with its variable, the top of the open block where that has this
    /// value, as for an incomplete phi there.
    fn holder(&mut self, value: Value) -> (Value, Option<(NodeId, Variable)>) {
        let mut at = value;
        while let Some(phi) = self.values.phi(at).map(|phi| self.phis.table[phi]) {
            let Some(top) = self.node_of(phi.block) else { unreachable!("a block with phis has a node") };
            let held = match phi.state {
                PhiState::Incomplete => Held::Top(top),
                PhiState::Deferred => {
                    let Some(up) = self.tree.dominator(top) else { unreachable!("its block is linked") };
                    self.defs.held(&mut self.tree, up, phi.variable)
                }
                PhiState::Complete | PhiState::Dead => break,
            };
            match held {
                Held::Value(value) => at = self.values.resolve(value),
                Held::Top(top) => return (at, Some((top, phi.variable))),
            }
        }
        (at, None)
    }

    /// The value that the variable holds at the end of the block, unless that is still to be decided.
    fn decided(&mut self, block: Block, variable: Variable) -> Option<Value> {
        let node = self.node_of(block)?;
        match self.defs.held(&mut self.tree, node, variable) {
            Held::Value(value) => Some(self.values.resolve(value)),
            Held::Top(_) => None,
        }
    }
}

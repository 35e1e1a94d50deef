//! The blocks of one query: from the one asked for back to those whose values are known.

use super::Clearing;
use ssaphire::graph::IdMap;
use ssaphire::{Block, FlatCfg, Value};
use std::ops::Range;

/// A block of the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) block: Block,
    /// What the variable holds at its end, where that is known, or of a phi.
    pub(super) value: Option<Value>,
    /// Whether nothing before it is listed: its value is known, or nothing leads there.
    pub(super) is_root: bool,
    /// Whether its value is a phi that is to be inserted.
    pub(super) is_new: bool,
    /// The phi that has to fit here if another one fits that is being looked at.
    pub(super) mark: Option<Value>,
    idom: usize,
    /// The block that holds what this one holds at its end: a root, or one that needs a phi.
    holder: usize,
}

/// The node before all roots.
const TOP: usize = 0;

/// Not yet.
const UNKNOWN: usize = usize::MAX;

/// The list, in reverse post-order behind a node that comes before all roots.
pub(super) struct BlockList {
    pub(super) nodes: Vec<Node>,
    /// The nodes that are marked.
    pub(super) marked: Vec<usize>,
    /// By block: its node; while the list is made, its number among `found`.
    number: IdMap<Block, Option<usize>>,
    found: Vec<Node>,
    order: Vec<usize>,
    steps: Vec<Step>,
}

/// A step of the walk from the roots along the edges.
#[derive(Clone, Copy, Debug)]
enum Step {
    Enter(usize),
    Leave(usize),
}

impl BlockList {
    pub(super) fn new(num_blocks: usize) -> Self {
        Self {
            nodes: Vec::new(),
            marked: Vec::new(),
            number: IdMap::filled(num_blocks, None),
            found: Vec::new(),
            order: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The nodes, but for the one before all.
    pub(super) fn numbers(&self) -> Range<usize> {
        TOP + 1..self.nodes.len()
    }

    /// The node of a block that is listed.
    pub(super) fn number(&self, block: Block) -> usize {
        self.number[block].expect("a query asks for blocks that it has listed")
    }

    pub(super) fn holder(&self, number: usize) -> usize {
        self.nodes[number].holder
    }

    /// What the variable holds at the end of a block.
    pub(super) fn held(&self, number: usize) -> Value {
        self.nodes[self.holder(number)].value.expect("what needs a phi has got one")
    }

    /// Whether a block needs a phi and has none yet.
    pub(super) fn needs_value(&self, number: usize) -> bool {
        self.holder(number) == number && self.nodes[number].value.is_none()
    }

    pub(super) fn mark(&mut self, number: usize, phi: Value) {
        self.nodes[number].mark = Some(phi);
        self.marked.push(number);
    }

    pub(super) fn clear_marks(&mut self, clearing: Clearing) {
        match clearing {
            Clearing::Marked => self.marked.iter().for_each(|&number| self.nodes[number].mark = None),
            Clearing::Listed => self.nodes.iter_mut().for_each(|node| node.mark = None),
        }
        self.marked.clear();
    }

    pub(super) fn forget(&mut self) {
        for node in &self.nodes[TOP + 1..] {
            self.number[node.block] = None;
        }
    }

    /// Lists the blocks from `block` back to those of which something is recorded.
    pub(super) fn walk_back(&mut self, cfg: &FlatCfg, recorded: &IdMap<Block, Option<Value>>, block: Block) {
        self.found.clear();
        self.find(block, None);
        let mut next = 0;
        while let Some(&Node { block, is_root, .. }) = self.found.get(next) {
            if !is_root {
                for source in cfg.incoming(block).iter().map(|&edge| cfg.source(edge)) {
                    if self.number[source].is_none() {
                        self.find(source, recorded[source]);
                    }
                }
                self.found[next].is_root = cfg.incoming(block).is_empty();
            }
            next += 1;
        }
        self.put_in_order(cfg);
    }

    fn find(&mut self, block: Block, value: Option<Value>) {
        self.number[block] = Some(self.found.len());
        let is_root = value.is_some();
        self.found.push(Node { block, value, is_root, is_new: false, mark: None, idom: UNKNOWN, holder: UNKNOWN });
    }

    /// Reverse post-order from the roots; what they do not lead to is unreachable, and a root as well.
    fn put_in_order(&mut self, cfg: &FlatCfg) {
        self.order.clear();
        // While the list is put in order, the holder of a block that has been entered is itself.
        for root in 0..self.found.len() {
            if self.found[root].is_root {
                self.post_order(cfg, root);
            }
        }
        for other in 0..self.found.len() {
            if self.found[other].holder == UNKNOWN {
                (self.found[other].is_root, self.found[other].holder) = (true, other);
                self.order.push(other);
            }
        }
        self.nodes.clear();
        let top = Node { is_root: true, idom: TOP, holder: TOP, ..self.found[0] };
        self.nodes.push(top);
        for &found in self.order.iter().rev() {
            let number = self.nodes.len();
            let node = self.found[found];
            let (idom, holder) = if node.is_root { (TOP, number) } else { (UNKNOWN, UNKNOWN) };
            self.number[node.block] = Some(number);
            self.nodes.push(Node { idom, holder, ..node });
        }
    }

    fn post_order(&mut self, cfg: &FlatCfg, root: usize) {
        self.steps.push(Step::Enter(root));
        while let Some(step) = self.steps.pop() {
            let found = match step {
                Step::Leave(found) => {
                    self.order.push(found);
                    continue;
                }
                Step::Enter(found) if self.found[found].holder != UNKNOWN => continue,
                Step::Enter(found) => found,
            };
            self.found[found].holder = found;
            self.steps.push(Step::Leave(found));
            for &target in cfg.targets(self.found[found].block).iter().rev() {
                if let Some(target) = self.number[target].filter(|&target| !self.found[target].is_root) {
                    self.steps.push(Step::Enter(target));
                }
            }
        }
    }

    /// The listed sources of the edges into a block that is no root.
    fn sources(&self, cfg: &FlatCfg, number: usize) -> impl Iterator<Item = usize> {
        let incoming = cfg.incoming(self.nodes[number].block).iter();
        incoming.map(|&edge| self.number(cfg.source(edge)))
    }

    /// Dominators, by going through the list until nothing changes.
    pub(super) fn find_dominators(&mut self, cfg: &FlatCfg) {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for number in self.numbers() {
                if self.nodes[number].is_root {
                    continue;
                }
                let known = self.sources(cfg, number).filter(|&source| self.nodes[source].idom != UNKNOWN);
                let idom = known.reduce(|one, other| self.intersect(one, other)).unwrap_or(UNKNOWN);
                is_changed |= idom != self.nodes[number].idom;
                self.nodes[number].idom = idom;
            }
        }
    }

    /// What dominates both.
    fn intersect(&self, mut one: usize, mut other: usize) -> usize {
        while one != other {
            if one > other {
                one = self.nodes[one].idom;
            } else {
                other = self.nodes[other].idom;
            }
        }
        one
    }

    /// Finds the blocks that need a phi, by going through the list until nothing changes.
    pub(super) fn place_phis(&mut self, cfg: &FlatCfg) {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for number in self.numbers() {
                if self.nodes[number].holder == number {
                    continue;
                }
                let idom = self.nodes[number].idom;
                let needs_phi = self.sources(cfg, number).any(|source| self.has_holder_below(source, idom));
                let holder = if needs_phi { number } else { self.holder(idom) };
                is_changed |= holder != self.holder(number);
                self.nodes[number].holder = holder;
            }
        }
    }

    /// Whether a root or a block that needs a phi is on the way up the dominator tree from a block to one that dominates it.
    fn has_holder_below(&self, mut number: usize, dominator: usize) -> bool {
        while number != dominator {
            if self.holder(number) == number {
                return true;
            }
            number = self.nodes[number].idom;
        }
        false
    }
}

//! Loops as value numbering sees them: which have one way in, one way round and one way out, and which are around a
//! place.

use crate::dialect::Semantics;
use crate::function::{Action, Arg, Function};
use ssaphire::graph::{DominatorTree, FlatCfg, IdMap, LoopForest};
use ssaphire::{Block, Edge, Value};

/// A loop with one entering edge, one back edge, and one edge that leaves it, by a test of each iteration.
#[derive(Debug)]
pub(super) struct SimpleLoop<'f, D: Semantics> {
    /// Operand index of the entering edge at the header.
    pub(super) entering: usize,
    /// Operand index of the back edge there.
    pub(super) back: usize,
    /// The block of the test, which each iteration passes once.
    pub(super) test: Block,
    /// What tests.
    pub(super) op: &'f D::Op,
    pub(super) condition: Value,
    /// The slot of the edge that leaves the loop.
    pub(super) slot: u32,
}

/// The loops of a function.
pub(super) struct Loops<'f, D: Semantics> {
    pub(super) forest: LoopForest,
    /// By header.
    simple: IdMap<Block, Option<SimpleLoop<'f, D>>>,
}

impl<'f, D: Semantics> Loops<'f, D> {
    pub(super) fn new(function: &'f Function<D>, cfg: &FlatCfg, dominators: &DominatorTree) -> Self {
        let forest = LoopForest::new(cfg, dominators);
        let exits = Exits::new(cfg, dominators, &forest);
        let simple = |header| SimpleLoop::of(function, cfg, dominators, &forest, header, exits.only(header)?);
        let simple = cfg.blocks().map(simple).collect();
        Self { forest, simple }
    }

    /// The loop of `header`, if it is such a one.
    pub(super) fn simple(&self, header: Block) -> Option<&SimpleLoop<'f, D>> {
        self.simple[header].as_ref()
    }
}

impl<'f, D: Semantics> SimpleLoop<'f, D> {
    fn of(
        function: &'f Function<D>,
        cfg: &FlatCfg,
        dominators: &DominatorTree,
        forest: &LoopForest,
        header: Block,
        exit: Edge,
    ) -> Option<Self> {
        let &[one, other] = cfg.incoming(header) else { return None };
        let is_back = |edge| dominators.dominates(header, cfg.source(edge));
        let (entering, back) = match (is_back(one), is_back(other)) {
            (false, true) => (one, other),
            (true, false) => (other, one),
            _ => return None,
        };
        let test = cfg.source(exit);
        let terminator = function.block(test).terminator()?;
        let (Action::Op(op), &[Arg::Value(condition)]) = (terminator.action, terminator.args) else { return None };
        let is_passed = dominators.dominates(test, cfg.source(back)) && !forest.is_irreducible(header);
        (is_passed && D::properties(op).only_branches).then(|| Self {
            entering: cfg.operand_index(entering),
            back: cfg.operand_index(back),
            test,
            op,
            condition,
            slot: cfg.slot(exit),
        })
    }
}

/// The edges that leave loops.
struct Exits {
    /// By header: how many edges leave the loop.
    num: IdMap<Block, u32>,
    /// By header: the last one from a block that is in no loop inside of it.
    own: IdMap<Block, Option<Edge>>,
}

impl Exits {
    fn new(cfg: &FlatCfg, dominators: &DominatorTree, forest: &LoopForest) -> Self {
        // An edge counts for the innermost loop around its source, and for the loops around that one up to its target:
        // not for those from the innermost one around both ends on.
        let mut num: IdMap<Block, i64> = IdMap::filled(cfg.num_blocks(), 0);
        let mut own = IdMap::filled(cfg.num_blocks(), None);
        let mut nest = Nest::default();
        for block in preorder(dominators, forest) {
            nest.enter(forest, block);
            let Some(header) = forest.innermost(block) else { continue };
            for edge in cfg.outgoing(block) {
                let target = cfg.target(edge);
                if !forest.contains(header, target) {
                    own[header] = Some(edge);
                    num[header] += 1;
                    if let Some(common) = nest.around(forest, &[target]) {
                        num[common] -= 1;
                    }
                }
            }
        }
        let headers: Vec<Block> = forest.headers().collect();
        for &header in headers.iter().rev() {
            if let Some(parent) = forest.parent(header) {
                num[parent] += num[header];
            }
        }
        Self { num: num.values().map(|&num| num as u32).collect(), own }
    }

    /// The one edge that leaves the loop of `header`, if no other does and it does not leave a loop inside of it, too.
    fn only(&self, header: Block) -> Option<Edge> {
        self.own[header].filter(|_| self.num[header] == 1)
    }
}

/// The reachable blocks: first those in no loop, then loop by loop, outer loops before what they contain.
pub(super) fn preorder(dominators: &DominatorTree, forest: &LoopForest) -> impl Iterator<Item = Block> {
    let outside = dominators.preorder().iter().copied().filter(|&block| forest.innermost(block).is_none());
    let outermost = forest.headers().filter(|&header| forest.parent(header).is_none());
    outside.chain(outermost.flat_map(|header| forest.blocks(header).iter().copied()))
}

/// The headers of the loops around a block, from the outermost to the innermost.
#[derive(Debug, Default)]
pub(super) struct Nest {
    headers: Vec<Block>,
}

impl Nest {
    /// Goes on to the next block in [`preorder`]. O(1), amortized.
    pub(super) fn enter(&mut self, forest: &LoopForest, block: Block) {
        while self.headers.pop_if(|header| !forest.contains(*header, block)).is_some() {}
        if forest.is_header(block) {
            self.headers.push(block);
        }
    }

    /// The innermost loop around the block at hand that contains `blocks`, too. O(log *depth*).
    pub(super) fn around(&self, forest: &LoopForest, blocks: &[Block]) -> Option<Block> {
        let contains = |header: &Block| blocks.iter().all(|&block| forest.contains(*header, block));
        self.headers[..self.headers.partition_point(contains)].last().copied()
    }
}

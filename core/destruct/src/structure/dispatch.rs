//! Irreducible regions become loops that begin with a fork on a variable.
//!
//! A *region* is an irreducible loop that no irreducible loop contains as one of its own, and the irreducible loops
//! below it in the forest of loops with no reducible loop between.
//! It gets one dispatcher. To it lead the edges that enter a loop of the region from outside of that loop, and those
//! from inside to the header of such a loop; each sets the variable before, to the number of its old target.
//! LLVM's pass `FixIrreducible` redirects the same edges, with a dispatcher for each loop.
//!
//! The result is reducible:
//! 1. A dispatcher dominates its region, since all edges that enter the region pass it. So it dominates the cycles in
//!    the region that pass it.
//! 2. A cycle that passes no dispatcher was there before, and it passes the header of the smallest loop around it. That
//!    loop is reducible: of an irreducible one, the edge to the header has been redirected. So the header dominated the
//!    cycle. It still does, since the dispatcher of a region around leads to no other node of the loop: an edge from
//!    outside of a reducible loop enters it at its header.
//! 3. Any other cycle leaves each region whose dispatcher it passes, but for the outermost one if it lies in that.
//!    With the other regions taken for single nodes, it is a cycle of the first two kinds.
//!
//! One variable is enough for all regions, nested ones too. Between a place that sets it and the fork of the
//! dispatcher, no block is executed and it is not set again, and after the fork nothing reads what it was set to.
//!
//! One dispatcher for a region makes the result linear in the graph. With one for each loop, an edge into the innermost
//! of many loops would take a fork for each.

use super::graph::{Action, Graph, Shape};
use super::report::{Handling, Region, Report};
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, Id, IdLists, IdMap, PackedOption, internal_id};

internal_id!(
    /// Number of a region, in the order of headers.
    RegionId, "region"
);

/// Makes `graph`, which has that shape, reducible.
pub(super) fn dispatch(graph: &mut Graph<'_>, shape: &Shape, report: &mut Report) {
    let cfg = graph.cfg();
    let regions = Regions::new(cfg, shape);
    let mut redirected = Redirected::new(cfg.num_blocks(), regions.headers.len());
    for source in cfg.blocks() {
        for &target in cfg.targets(source) {
            let region = if shape.dominators.is_reachable(source) { regions.entered(source, target) } else { None };
            let node = region.map_or(target, |region| redirected.setter(source, target, region));
            redirected.edges.push((source, node));
        }
    }
    for (region, &header) in regions.headers.iter() {
        let num_targets = redirected.targets[region];
        report.regions.push(Region {
            header: graph.block(header),
            num_blocks: shape.loops.blocks(header).len(),
            handling: Handling::Dispatched { num_targets },
        });
    }
    report.work += cfg.num_edges() as u64;
    redirected.finish(graph);
}

/// The regions of a graph.
struct Regions<'s> {
    shape: &'s Shape,
    /// The header of the outermost loop of each.
    headers: IdMap<RegionId, Block>,
    /// By header of an irreducible loop.
    of_loop: IdMap<Block, PackedOption<RegionId>>,
}

impl<'s> Regions<'s> {
    fn new(cfg: &FlatCfg, shape: &'s Shape) -> Self {
        let mut headers = IdMap::new();
        let mut of_loop: IdMap<Block, PackedOption<RegionId>> = IdMap::filled(cfg.num_blocks(), PackedOption::NONE);
        // Outer loops come first.
        for header in shape.loops.headers().filter(|&header| shape.loops.is_irreducible(header)) {
            let outer = shape.loops.parent(header).and_then(|parent| of_loop[parent].expand());
            of_loop[header] = outer.unwrap_or_else(|| headers.push(header)).into();
        }
        Self { shape, headers, of_loop }
    }

    /// The region whose dispatcher the edge has to pass, if there is one: `source` is reachable.
    fn entered(&self, source: Block, target: Block) -> Option<RegionId> {
        let loops = &self.shape.loops;
        if let Some(region) = self.of_loop[target].expand() {
            return Some(region);
        }
        // If the edge enters any irreducible loop, it enters the innermost one.
        let around = loops.parent(target)?;
        self.of_loop[around].expand().filter(|_| !loops.contains(around, source))
    }
}

/// The graph in the making. Its nodes are those there were, then the dispatchers, then what sets the variable.
struct Redirected {
    num_nodes: usize,
    /// By region, how many targets its dispatcher has.
    targets: IdMap<RegionId, usize>,
    /// By node, its number among those.
    number: IdMap<Block, Option<u32>>,
    /// By node that is a target: the last source of edges to it, and what sets the variable on these.
    last: IdMap<Block, (PackedOption<Block>, PackedOption<Block>)>,
    /// Edges of the dispatchers.
    arms: Vec<(RegionId, Block)>,
    setters: Vec<(u32, RegionId)>,
    /// Edges of the nodes there were.
    edges: Vec<(Block, Block)>,
}

impl Redirected {
    fn new(num_nodes: usize, num_regions: usize) -> Self {
        Self {
            num_nodes,
            targets: IdMap::filled(num_regions, 0),
            number: IdMap::filled(num_nodes, None),
            last: IdMap::filled(num_nodes, (PackedOption::NONE, PackedOption::NONE)),
            arms: Vec::new(),
            setters: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// The node that sets the variable on edges from `source` to `target`.
    fn setter(&mut self, source: Block, target: Block, region: RegionId) -> Block {
        let (last_source, last_setter) = self.last[target];
        if let Some(setter) = last_setter.expand().filter(|_| last_source == source.into()) {
            return setter;
        }
        let number = self.number(target, region);
        let setter = Block::new(self.num_nodes + self.targets.len() + self.setters.len());
        self.setters.push((number, region));
        self.last[target] = (source.into(), setter.into());
        setter
    }

    /// The number of `target` at the dispatcher of its region.
    fn number(&mut self, target: Block, region: RegionId) -> u32 {
        *self.number[target].get_or_insert_with(|| {
            let number = self.targets[region];
            self.targets[region] += 1;
            self.arms.push((region, target));
            number as u32
        })
    }

    fn dispatcher(&self, region: RegionId) -> Block {
        Block::new(self.num_nodes + region.index())
    }

    fn finish(self, graph: &mut Graph<'_>) {
        let mut arms = IdLists::new();
        arms.rebuild(self.targets.len(), self.arms.iter().copied());
        let dispatchers = self.targets.keys().map(|_| Action::Dispatch);
        let setters = self.setters.iter().map(|&(number, _)| Action::SetDispatch(number));
        let actions = dispatchers.chain(setters).collect();
        let arms = self.targets.keys().flat_map(|region| {
            let dispatcher = self.dispatcher(region);
            arms.of(region).iter().map(move |&target| (dispatcher, target))
        });
        let first_setter = self.num_nodes + self.targets.len();
        let setters = (first_setter..).map(Block::new).zip(&self.setters);
        let setters = setters.map(|(setter, &(_, region))| (setter, self.dispatcher(region)));
        graph.replace(actions, self.edges.iter().copied().chain(arms).chain(setters));
    }
}

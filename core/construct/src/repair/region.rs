//! The region of the uses: the blocks at whose tops the variable is live, and the definitions that flow into them.

use super::{Held, PhiData, Repair, RepairError, Top, UNDEFINED, Use, flowing};
use crate::value_flow::{NodeId, Source};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Cfg, Id, IdMap, PackedOption};

/// The definitions and the top of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// One more than the number of its last definition, by block and position; 0 without one.
    after_last: u32,
    top: PackedOption<Top>,
}

/// The top of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct TopData {
    pub(super) block: Block,
    /// Its node in the flow, while that is being decided.
    node: PackedOption<NodeId>,
    /// The content of the variable here, once it is decided; none if no path from the entry leads here.
    held: PackedOption<Held>,
}

/// Memory for collecting regions.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    steps: Vec<Step>,
    /// The blocks whose tops are new, in post-order against the edges; then, by node of the flow, in reverse.
    blocks: Vec<Block>,
    /// By node of the flow: its phi.
    phi: IdMap<NodeId, PackedOption<Held>>,
}

/// A step of the walk against the edges.
#[derive(Clone, Copy, Debug)]
enum Step {
    Enter(Block),
    Leave(Block),
}

/// The reaching definition at a place, as far as it is known without looking at incoming edges.
#[derive(Clone, Copy)]
enum Reaching {
    Definition(Held),
    Top(Block),
}

impl Repair {
    /// Checks the blocks of the definitions and of the undecided uses; the first call sorts and numbers the
    /// definitions.
    pub(super) fn begin_uses(&mut self, cfg: &impl Cfg) -> Result<(), RepairError> {
        let num_blocks = cfg.num_blocks();
        let definitions = self.definitions.iter().map(|definition| definition.block);
        let uses = self.uses.as_slice()[self.num_decided..].iter().map(|asked| asked.block);
        if let Some(block) = definitions.chain(uses).find(|block| block.index() >= num_blocks) {
            return Err(RepairError::NoSuchBlock { block, num_blocks });
        }
        if !self.is_sorted {
            return self.sort_definitions();
        }
        // Definitions that were added before the first decision have numbers.
        let late = self.definitions.iter().find(|definition| definition.held == UNDEFINED);
        late.map_or(Ok(()), |late| Err(RepairError::DefinedLate { block: late.block }))
    }

    fn sort_definitions(&mut self) -> Result<(), RepairError> {
        // One number for each value, however many definitions it has.
        self.definitions.sort_unstable_by_key(|definition| definition.value);
        self.values.reset(1, None);
        for index in 0..self.definitions.len() {
            let value = self.definitions[index].value;
            let is_same = index > 0 && self.definitions[index - 1].value == value;
            let held = if is_same { self.definitions[index - 1].held } else { self.values.push(Some(value)) };
            self.definitions[index].held = held;
        }
        self.definitions.sort_unstable_by_key(|definition| (definition.block, definition.position));
        let place = |index: usize| (self.definitions[index].block, self.definitions[index].position);
        if let Some(index) = (1..self.definitions.len()).find(|&index| place(index) == place(index - 1)) {
            let (block, position) = place(index);
            return Err(RepairError::DefinedTwice { block, position });
        }
        for (definition, after) in self.definitions.iter().zip(1..) {
            self.places.grow_to(definition.block, Place::default());
            self.places[definition.block].after_last = after;
        }
        self.is_sorted = true;
        Ok(())
    }

    fn place(&self, block: Block) -> Place {
        self.places.get(block).copied().unwrap_or_default()
    }

    /// The definition that a use sees.
    fn reaching(&self, use_: Use) -> Reaching {
        let asked = self.uses[use_];
        let up_to_here = &self.definitions[..self.place(asked.block).after_last as usize];
        let num_seen = up_to_here
            .partition_point(|definition| definition.block < asked.block || asked.position.sees(definition.position));
        let seen = up_to_here[..num_seen].last().filter(|definition| definition.block == asked.block);
        seen.map_or(Reaching::Top(asked.block), |definition| Reaching::Definition(definition.held))
    }

    /// The definition that reaches the end of a block.
    fn at_end(&self, block: Block) -> Reaching {
        match self.place(block).after_last {
            0 => Reaching::Top(block),
            after => Reaching::Definition(self.definitions[after as usize - 1].held),
        }
    }

    fn undecided_uses(&self) -> impl Iterator<Item = Use> + use<> {
        (self.num_decided..self.uses.len()).map(Use::new)
    }

    /// Walks from the undecided uses against the edges, up to definitions and to tops that are known.
    pub(super) fn collect_region(&mut self, cfg: &impl Cfg) -> Result<(), RepairError> {
        let first_top = self.tops.len();
        self.region.blocks.clear();
        for use_ in self.undecided_uses() {
            if let Reaching::Top(block) = self.reaching(use_) {
                self.region.steps.push(Step::Enter(block));
                if let Err(error) = self.walk(cfg) {
                    self.forget_tops_since(first_top);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn walk(&mut self, cfg: &impl Cfg) -> Result<(), RepairError> {
        while let Some(step) = self.region.steps.pop() {
            let block = match step {
                Step::Enter(block) => block,
                Step::Leave(block) => {
                    self.region.blocks.push(block);
                    continue;
                }
            };
            self.places.grow_to(block, Place::default());
            if self.places[block].top.is_some() {
                continue;
            }
            self.places[block].top = Top::new(self.tops.len()).into();
            self.tops.push(TopData { block, node: PackedOption::NONE, held: PackedOption::NONE });
            if block == cfg.entry() && cfg.predecessors(block).next().is_some() {
                return Err(RepairError::EntryHasPredecessors { entry: block });
            }
            self.region.steps.push(Step::Leave(block));
            for source in cfg.predecessors(block) {
                if let Reaching::Top(source) = self.at_end(source) {
                    self.region.steps.push(Step::Enter(source));
                }
            }
        }
        Ok(())
    }

    /// Undoes the changes of a refused call.
    fn forget_tops_since(&mut self, first: usize) {
        self.region.steps.clear();
        for top in self.tops.drain(first..) {
            self.places[top.block].top = PackedOption::NONE;
        }
    }

    /// Decides the content of the variable at the tops of the region.
    pub(super) fn decide_region(&mut self, cfg: &impl Cfg) {
        self.list_flow(cfg);
        self.flow.decide();
        let first_phi = self.phis.len();
        self.number_phis();
        self.list_operands(first_phi);
        for node in self.flow.nodes() {
            let held = self.region.held(self.flow.stands_for(node));
            let top = self.top_mut(self.region.block(node));
            (top.held, top.node) = (held, PackedOption::NONE);
        }
    }

    /// Makes each new top a node. In reverse post-order a node comes before its sources, unless there is a cycle: that
    /// is the order in which the flow is decided fastest.
    fn list_flow(&mut self, cfg: &impl Cfg) {
        self.flow.clear();
        self.region.blocks.reverse();
        for index in 0..self.region.blocks.len() {
            let node = self.flow.push_node();
            self.top_mut(self.region.blocks[index]).node = node.into();
        }
        for node in self.flow.nodes() {
            let block = self.region.block(node);
            self.flow.begin_sources(node);
            for source in cfg.predecessors(block) {
                let source = self.source(self.at_end(source));
                self.flow.push_source(node, source);
            }
            if block == cfg.entry() {
                self.flow.push_source(node, flowing(Some(UNDEFINED)));
            }
        }
    }

    /// The source that flows from a place.
    fn source(&self, reaching: Reaching) -> Source {
        match reaching {
            Reaching::Definition(held) => flowing(Some(held)),
            Reaching::Top(block) => {
                let top = self.top(block);
                top.node.expand().map_or_else(|| flowing(top.held.expand()), Source::Node)
            }
        }
    }

    /// Gives the nodes that stand for themselves a phi each, sources first where there is no cycle.
    fn number_phis(&mut self) {
        self.region.phi.reset(self.flow.num_nodes(), PackedOption::NONE);
        for node in self.flow.nodes().rev() {
            if self.flow.stands_for(node) == Source::Node(node) {
                let held = self.values.push(None);
                self.region.phi[node] = held.into();
                let block = self.region.block(node);
                self.phis.push(PhiData { block, held, operands: 0..0, is_reused: false });
            }
        }
    }

    /// Lists the operands of the phis made last, in their order.
    fn list_operands(&mut self, first_phi: usize) {
        let Self { flow, region, phis, operands, .. } = self;
        let needed = flow.nodes().rev().filter(|&node| region.phi[node].is_some());
        for (phi, node) in phis[first_phi..].iter_mut().zip(needed) {
            let first = operands.len();
            operands.extend(flow.sources(node).iter().map(|&source| region.held(flow.resolve(source))));
            phi.operands = first..operands.len();
        }
    }

    /// The top of a block whose top has been asked for.
    fn top(&self, block: Block) -> &TopData {
        let top = self.places[block].top.expand().expect("the region has the tops that it is asked for");
        &self.tops[top.index()]
    }

    fn top_mut(&mut self, block: Block) -> &mut TopData {
        let top = self.places[block].top.expand().expect("the region has the tops that it is asked for");
        &mut self.tops[top.index()]
    }

    /// Answers the undecided uses.
    pub(super) fn answer_uses(&mut self) {
        for use_ in self.undecided_uses() {
            self.uses[use_].held = match self.reaching(use_) {
                Reaching::Definition(held) => held.into(),
                Reaching::Top(block) => self.top(block).held,
            };
        }
        self.num_decided = self.uses.len();
    }
}

impl Region {
    /// The content that the flow's answer is.
    fn held(&self, source: Source) -> PackedOption<Held> {
        match source {
            Source::Nothing => PackedOption::NONE,
            Source::Value(value) => Held::new(value.index()).into(),
            Source::Node(node) => self.phi[node],
        }
    }

    fn block(&self, node: NodeId) -> Block {
        self.blocks[node.index()]
    }
}

//! Lookups by regions: the value flow between all blocks that a lookup reaches, decided at once.
//!
//! The *region* of a lookup is the open blocks (see `boundary`) that it reaches
//! backwards. Values flow into it from its boundary and along its edges. If all
//! paths of this flow into a block pass one node, the block holds the value of
//! that node; else different values meet in the block for the first time, and it
//! needs a phi. The region is read into a graph of nodes with their sources, and
//! no phi is created before all of it is decided.
//!
//! Incomplete phis of blocks that are sealed together are nodes as well, over
//! all variables. One that is not needed is forwarded without operands.
//!
//! | Braun et al. 2013, section 3.3 | here |
//! |---|---|
//! | phis only where different values enter | [`ValueFlow::decide`], `make_region_phis` |
//! | operands by another lookup | `complete_region_phis`: the final values of the sources |
//! | Algorithm 4, `sealBlock` | `seal_region` |
//!
//! # Complexity
//! O(blocks + edges of the region), plus one computation of dominators
//! (Semi-NCA) if there are cycles that several values enter. Every block of
//! the region stores its value, so all lookups of a variable in sealed code
//! together follow each edge once.
//! Memory: one definition for each block passed.
//!
//! # Departures
//! The paper uses the SCC algorithm for this, see `scc`; dominators of the
//! value flow are our own, and give the same phis without its levels. If
//! several blocks are sealed together, the paper completes one phi after another.

use crate::driven::phis::State;
use crate::driven::{Driven, Strategy};
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_construct::PhiHost;
use ssaphire_construct::Stopped;
use ssaphire_construct::parts::{NodeId, PhiId, Source, ValueFlow};
use ssaphire_construct::{Event, Observer, Reason};
use ssaphire_graph::{Block, Id, IdMap, PackedOption, Value, Variable, internal_id};

internal_id!(
    /// Number of an incomplete phi, in the order in which they were found.
    PendingIndex, "pending phi"
);

/// Lookups by regions.
#[derive(Clone, Debug, Default)]
pub struct Region {
    nodes: IdMap<NodeId, Node>,
    /// The values that flow into the nodes; a node that stands for itself is or gets a phi.
    flow: ValueFlow,
    /// By block: its node, while the region of one variable is collected.
    node_of_block: IdMap<Block, PackedOption<NodeId>>,
    /// By value: the node of the incomplete phi it is, while that is being completed.
    node_of_phi: IdMap<Value, PackedOption<NodeId>>,
    /// Incomplete phis being completed, by variable.
    pending: Vec<Pending>,
    /// By variable: the first of its incomplete phis, while they are being completed.
    rank: IdMap<Variable, PackedOption<PendingIndex>>,
    /// Sources of the block being collected.
    sources: Vec<Block>,
    operands: Vec<Value>,
    /// Phis that have been forwarded since the region was decided.
    removed: Vec<PhiId>,
}

/// An incomplete phi of a block that is being sealed; ordered by variable, then as they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pending {
    /// The first of its variable.
    rank: PendingIndex,
    place: PendingIndex,
    phi: PhiId,
}

/// A node of the value flow: an open block, or an incomplete phi at the top of a block.
#[derive(Clone, Copy, Debug)]
struct Node {
    block: Block,
    variable: Variable,
    phi: PackedOption<PhiId>,
    is_open: bool,
}

impl Strategy for Region {
    fn clear(&mut self) {
        self.nodes.clear();
        self.node_of_block.clear();
        self.node_of_phi.clear();
        self.pending.clear();
        self.rank.clear();
        self.removed.clear();
    }

    fn look_up<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        builder.look_up_region(host, block, variable)
    }

    fn seal_together<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        blocks: &[Block],
    ) -> Result<(), Stopped> {
        builder.seal_region(host, blocks)
    }
}

impl Region {
    /// Adds a node, here and to the flow.
    fn push_node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.flow.push_node()
    }

    /// The node of a block in the region of the current variable.
    fn block_node(&self, block: Block) -> Option<NodeId> {
        self.node_of_block.get(block)?.expand()
    }

    /// The node of an incomplete phi that is being completed.
    fn phi_node(&self, value: Value) -> Option<NodeId> {
        self.node_of_phi.get(value)?.expand()
    }

    /// Adds an incomplete phi. Variables keep their order of first mention, in which phis are created.
    fn push_pending(&mut self, variable: Variable, phi: PhiId) {
        self.rank.grow_to(variable, PackedOption::NONE);
        let place = PendingIndex::new(self.pending.len());
        let rank = self.rank[variable].expand().unwrap_or(place);
        self.rank[variable] = rank.into();
        self.pending.push(Pending { rank, place, phi });
    }

    /// Adds a node for an open block.
    fn push_open_block(&mut self, block: Block, variable: Variable) -> NodeId {
        let node = self.push_node(Node { block, variable, phi: PackedOption::NONE, is_open: true });
        self.node_of_block.grow_to(block, PackedOption::NONE);
        self.node_of_block[block] = node.into();
        node
    }
}

impl<O: Observer> Driven<Region, O> {
    /// The value of `variable` at the end of `block`, which has no definition of it.
    pub(crate) fn look_up_region(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        if let Some(value) = self.boundary(host, block, variable)? {
            return Ok(value);
        }
        self.strategy.pending.clear();
        self.resolve_region(host, Some((block, variable)))?;
        let value = self.definition(block, variable).expect("every block of the region is decided");
        Ok(self.values.resolve(value))
    }

    /// Seals the blocks of the group, then decides all their incomplete phis as one region.
    pub(crate) fn seal_region(&mut self, host: &mut dyn PhiHost, group: &[Block]) -> Result<(), Stopped> {
        self.strategy.pending.clear();
        for &block in group {
            if self.blocks.get(block).is_sealed() {
                continue;
            }
            self.blocks.seal(block);
            self.incoming.list(&self.blocks, block);
            let mut next = self.blocks.get(block).own.first_incomplete;
            self.observer.event(Event::Sealed { block });
            while let Some(phi) = next.expand() {
                let data = self.phis.get_mut(phi);
                data.state = State::InProgress;
                next = data.next_incomplete;
                self.strategy.push_pending(data.variable, phi);
            }
        }
        if self.strategy.pending.is_empty() {
            return Ok(());
        }
        self.strategy.pending.sort_unstable();
        self.resolve_region(host, None)
    }

    /// Collects the region of `start` and of the incomplete phis, decides it, and creates its phis and definitions.
    fn resolve_region(&mut self, host: &mut dyn PhiHost, start: Option<(Block, Variable)>) -> Result<(), Stopped> {
        self.start_region();
        self.collect_pending(host)?;
        if let Some((block, variable)) = start {
            let first = self.strategy.nodes.len();
            self.strategy.push_open_block(block, variable);
            self.collect_flow(host, variable, first..first)?;
        }
        let num_steps = self.strategy.flow.decide();
        self.spend(num_steps as u64)?;
        self.make_region_phis(host)?;
        self.define_region(host)?;
        self.complete_region_phis(host)?;
        self.end_region(host)
    }

    /// Makes the incomplete phis the first nodes.
    fn start_region(&mut self) {
        let Self { strategy: region, phis, .. } = self;
        region.nodes.clear();
        region.flow.clear();
        region.removed.clear();
        for place in 0..region.pending.len() {
            let Pending { phi, .. } = region.pending[place];
            let data = phis.get(phi);
            let (block, variable, phi) = (data.block, data.variable, phi.into());
            let node = region.push_node(Node { block, variable, phi, is_open: false });
            region.node_of_phi.grow_to(data.value, PackedOption::NONE);
            region.node_of_phi[data.value] = node.into();
            region.rank[variable] = PackedOption::NONE;
        }
    }

    /// Collects the value flow into the incomplete phis, variable by variable.
    fn collect_pending(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        let mut first = 0;
        while let Some(&Pending { rank, phi, .. }) = self.strategy.pending.get(first) {
            let variable = self.phis.get(phi).variable;
            let of_variable = self.strategy.pending[first..].iter().take_while(|other| other.rank == rank);
            let end = first + of_variable.count();
            self.collect_flow(host, variable, first..end)?;
            first = end;
        }
        Ok(())
    }

    /// Collects the value flow into the incomplete phis with these numbers, or into the open block that is the last
    /// node.
    fn collect_flow(&mut self, host: &mut dyn PhiHost, variable: Variable, phis: Range<usize>) -> Result<(), Stopped> {
        let first_open = if phis.is_empty() { phis.start } else { self.strategy.nodes.len() };
        let Node { block, .. } = self.strategy.nodes[NodeId::new(phis.start)];
        for phi in phis.clone() {
            self.collect_sources(host, NodeId::new(phi))?;
        }
        let mut next = first_open;
        while next < self.strategy.nodes.len() {
            self.collect_sources(host, NodeId::new(next))?;
            next += 1;
        }
        for node in &self.strategy.nodes.as_slice()[first_open..] {
            self.strategy.node_of_block[node.block] = PackedOption::NONE;
        }
        let blocks = (phis.len() + next - first_open) as u32;
        if blocks > 1 {
            self.observer.event(Event::Region { block, variable, blocks });
        }
        Ok(())
    }

    fn collect_sources(&mut self, host: &mut dyn PhiHost, node: NodeId) -> Result<(), Stopped> {
        let Node { block, variable, .. } = self.strategy.nodes[node];
        self.strategy.flow.begin_sources(node);
        self.strategy.sources.clear();
        self.strategy.sources.extend(self.incoming.of(block).iter().map(|edge| edge.source));
        for index in 0..self.strategy.sources.len() {
            let source = self.strategy.sources[index];
            let source = match self.boundary(host, source, variable)? {
                Some(value) => self.strategy.phi_node(value).map_or(Source::Value(value), Source::Node),
                None => {
                    let node = self.strategy.block_node(source);
                    Source::Node(node.unwrap_or_else(|| self.strategy.push_open_block(source, variable)))
                }
            };
            self.strategy.flow.push_source(node, source);
        }
        Ok(())
    }

    /// Creates the phis of open blocks, in the order in which the blocks were found.
    fn make_region_phis(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for node in self.strategy.nodes.keys() {
            let Node { block, variable, is_open, .. } = self.strategy.nodes[node];
            if is_open && self.strategy.flow.stands_for(node) == Source::Node(node) {
                let phi = self.make_phi(host, block, variable, State::InProgress)?;
                self.strategy.nodes[node].phi = phi.into();
                self.define(block, variable, self.phis.get(phi).value);
            }
        }
        Ok(())
    }

    /// Defines the values of the other open blocks, and forwards incomplete phis that are not needed.
    fn define_region(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for node in self.strategy.nodes.keys() {
            let Node { block, variable, is_open, phi, .. } = self.strategy.nodes[node];
            let stands_for = self.strategy.flow.stands_for(node);
            if stands_for == Source::Node(node) {
                continue;
            }
            let value = self.region_value(host, variable, stands_for)?;
            if is_open {
                self.define(block, variable, value);
            } else if let Some(phi) = phi.expand() {
                let reason = if stands_for == Source::Nothing { Reason::Unreachable } else { Reason::Redundant };
                self.stats.trivial_phis += 1;
                self.phis.get_mut(phi).state = State::Dead;
                self.forward(host, self.phis.get(phi).value, value, reason);
                self.strategy.removed.push(phi);
            }
        }
        Ok(())
    }

    /// The value for which a node stands.
    fn region_value(
        &mut self,
        host: &mut dyn PhiHost,
        variable: Variable,
        stands_for: Source,
    ) -> Result<Value, Stopped> {
        match stands_for {
            Source::Nothing => self.undefined(host, variable),
            Source::Value(value) => Ok(self.values.resolve(value)),
            Source::Node(node) => {
                let phi = self.strategy.nodes[node].phi.expand();
                let phi = phi.expect("what stands for itself has a phi");
                Ok(self.phis.get(phi).value)
            }
        }
    }

    fn complete_region_phis(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for node in self.strategy.nodes.keys() {
            let Node { variable, phi, .. } = self.strategy.nodes[node];
            let phi = phi.expand().filter(|_| self.strategy.flow.stands_for(node) == Source::Node(node));
            let Some(phi) = phi else { continue };
            let mut operands = core::mem::take(&mut self.strategy.operands);
            operands.clear();
            for place in 0..self.strategy.flow.sources(node).len() {
                let source = self.strategy.flow.resolve(self.strategy.flow.sources(node)[place]);
                operands.push(self.region_value(host, variable, source)?);
            }
            self.give_operands(phi, &operands)?;
            self.strategy.operands = operands;
        }
        Ok(())
    }

    /// Phis that were complete before may have become trivial.
    fn end_region(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for index in 0..self.strategy.pending.len() {
            let Pending { phi, .. } = self.strategy.pending[index];
            self.strategy.node_of_phi[self.phis.get(phi).value] = PackedOption::NONE;
        }
        for index in 0..self.strategy.removed.len() {
            let phi = self.strategy.removed[index];
            let value = self.phis.get(phi).value;
            let same = self.values.resolve(value);
            self.queue_users_of(phi, same)?;
        }
        self.examine_waiting(host)
    }
}

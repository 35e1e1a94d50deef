//! The end of a function: nothing is written before all is known to be right.

use super::Builder;
use super::phis::{PhiId, State};
use crate::error::{FinishError, Stopped, UnsealedBlock};
use crate::host::{PhiHost, Uses};
use crate::minimize::{Minimizer, PhiGraph};
use crate::observe::{Event, Observer, Reason};
use crate::result::{Forwarding, IncomingEdge, KeptEntry, KeptPhis};
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdSet, Value};

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) reachable: IdSet<Block>,
    pub(super) work: Vec<Block>,
    pub(super) graph: PhiGraph,
    pub(super) minimizer: Minimizer,
    /// Phis that something uses, by number.
    used: Vec<bool>,
    work_phis: Vec<PhiId>,
    kept: Vec<KeptEntry>,
    operands: Vec<Value>,
    edges: Vec<IncomingEdge>,
    edge_start: Vec<u32>,
    unused: Vec<Value>,
    ordered: Vec<PhiId>,
    place: Vec<u32>,
}

impl<O: Observer> Builder<O> {
    /// Ends the function: hands the phis that stay, and what other values stand for, to the host.
    ///
    /// Looks first, then writes: the host gets a result only when nothing but
    /// the host can refuse any more. Afterwards the builder only accepts [`clear`](Self::clear).
    ///
    /// # Errors
    /// If a block is not sealed or not filled (all of them are listed; the
    /// builder goes on as before), the work budget is used up, a hint was
    /// wrong, or the host refuses.
    ///
    /// # Complexity
    /// O(*n* + *e* + phis made + their operands), plus one dominator computation where `minimize` finds work.
    pub fn finish(&mut self, host: &mut dyn PhiHost) -> Result<(), FinishError> {
        self.running()?;
        self.check_blocks()?;
        self.settle(host)?;
        self.find_reachable();
        self.look_behind_hints(host)?;
        let has_unreachable_edges = self.forward_unreachable(host);
        if self.stats.replaced > 0 {
            self.examine_all(host)?;
        }
        let minimizes = self.options.minimize || has_unreachable_edges;
        if minimizes {
            self.minimize(host)?;
        }
        self.check_hints(minimizes)?;
        self.collect_edges();
        self.find_used(host)?;
        self.collect_phis(host)?;
        self.values.settle();
        if self.options.report_undefined_reads {
            self.report_undefined_reads();
        }
        self.hand_over(host)
    }

    fn check_blocks(&mut self) -> Result<(), FinishError> {
        let mentioned = || self.blocks.ids().filter(|&block| self.blocks.get(block).is_mentioned);
        let unsealed = mentioned().filter(|&block| !self.blocks.get(block).is_closed() && block != self.entry);
        let unsealed: Vec<UnsealedBlock> = unsealed.map(|block| self.describe_unsealed(block)).collect();
        let unfilled: Vec<Block> = mentioned().filter(|&block| !self.blocks.get(block).is_filled).collect();
        if !unsealed.is_empty() || !unfilled.is_empty() {
            return Err(FinishError::Unfinished { unsealed, unfilled });
        }
        self.stats.blocks = mentioned().count() as u64;
        Ok(())
    }

    fn describe_unsealed(&self, block: Block) -> UnsealedBlock {
        let data = self.blocks.get(block);
        let (edges, incomplete_phis) = (data.num_in, data.num_incomplete);
        UnsealedBlock { block, edges, expected: data.expected(), incomplete_phis }
    }

    fn find_reachable(&mut self) {
        let mut work = core::mem::take(&mut self.finish.work);
        self.finish.reachable.clear();
        if self.blocks.len() > self.entry.index() {
            self.finish.reachable.insert(self.entry);
            work.push(self.entry);
        }
        while let Some(block) = work.pop() {
            for edge in self.blocks.outgoing(block) {
                if self.finish.reachable.insert(edge.target) {
                    work.push(edge.target);
                }
            }
        }
        self.finish.work = work;
    }

    /// Phis of unreachable blocks become undefined: whether an edge leads from unreachable code into a reachable block.
    fn forward_unreachable(&mut self, host: &mut dyn PhiHost) -> bool {
        for phi in self.phis.ids() {
            let data = *self.phis.get(phi);
            if data.state == State::Complete && !self.finish.reachable.contains(data.block) {
                let undefined = self.undefined(host, data.variable);
                self.phis.get_mut(phi).state = State::Dead;
                self.stats.unreachable_phis += 1;
                self.forward(host, data.value, undefined, Reason::Unreachable);
            }
        }
        let edges = (0..self.blocks.num_edges() as u32).map(|edge| self.blocks.edge(edge));
        let reachable = &self.finish.reachable;
        edges.into_iter().any(|edge| !reachable.contains(edge.source) && reachable.contains(edge.target))
    }

    /// Values of the host have been merged: any phi may have become trivial.
    fn examine_all(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for phi in self.phis.ids() {
            self.remove_if_trivial(host, phi)?;
        }
        Ok(())
    }

    /// Collects the phis with their operands. Edges from unreachable blocks are ignored.
    pub(super) fn collect_phi_graph(&mut self) {
        let Self { finish, phis, blocks, values, .. } = self;
        finish.graph.clear();
        for phi in phis.ids() {
            let data = phis.get(phi);
            if data.state != State::Complete {
                continue;
            }
            finish.graph.begin_phi(data.value);
            let sources = blocks.incoming(data.block).map(|edge| edge.source);
            for (place, source) in phis.operand_range(phi).zip(sources) {
                if finish.reachable.contains(source) {
                    finish.graph.push_operand(values.resolve(phis.operands[place]));
                }
            }
        }
    }

    /// Removes redundant sets of phis.
    fn minimize(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        self.collect_phi_graph();
        let graph = core::mem::take(&mut self.finish.graph);
        let work = graph.num_operands() as u64;
        let mut minimizer = core::mem::take(&mut self.finish.minimizer);
        for &(phi, stands_for) in minimizer.dominated(&graph) {
            let Some(id) = self.values.phi(phi) else { continue };
            let (to, reason) = match stands_for {
                Some(value) => (value, Reason::Redundant),
                None => (self.undefined(host, self.phis.get(id).variable), Reason::Unreachable),
            };
            self.phis.get_mut(id).state = State::Dead;
            self.stats.redundant_phis += 1;
            self.forward(host, phi, to, reason);
        }
        self.finish.minimizer = minimizer;
        self.finish.graph = graph;
        self.spend(work)
    }

    /// Marks the phis that a use reaches through operands.
    fn find_used(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        let Self { finish, values, phis, .. } = self;
        finish.used.clear();
        finish.used.resize(phis.ids().count(), false);
        finish.work_phis.clear();
        let mut visit = |value: Value| {
            values.mention(value);
            let value = values.resolve(value);
            if let Some(phi) = values.phi(value) {
                if !core::mem::replace(&mut finish.used[phi.number() as usize], true) {
                    finish.work_phis.push(phi);
                }
            }
        };
        if host.visit_uses(&mut visit) == Uses::EveryRead {
            let handed_out = core::mem::take(&mut self.values.handed_out);
            for value in handed_out.iter() {
                self.mark_used(value);
            }
            self.values.handed_out = handed_out;
        }
        while let Some(phi) = self.finish.work_phis.pop() {
            let range = self.phis.operand_range(phi);
            self.spend(range.len() as u64)?;
            let first_edge = self.finish.edge_start[self.phis.get(phi).block.index()] as usize;
            for (place, edge) in range.zip(first_edge..) {
                // An edge from unreachable code needs nothing: its operand will be undefined.
                if self.finish.reachable.contains(self.finish.edges[edge].source) {
                    self.mark_used(self.phis.operands[place]);
                }
            }
        }
        Ok(())
    }

    fn mark_used(&mut self, value: Value) {
        let value = self.values.resolve(value);
        if let Some(phi) = self.values.phi(value) {
            if !core::mem::replace(&mut self.finish.used[phi.number() as usize], true) {
                self.finish.work_phis.push(phi);
            }
        }
    }

    /// Lists the incoming edges of each block by operand index.
    fn collect_edges(&mut self) {
        let Self { finish, blocks, .. } = self;
        finish.edges.clear();
        finish.edge_start.clear();
        finish.edge_start.push(0);
        for block in blocks.ids() {
            let edges = blocks.incoming(block);
            finish.edges.extend(edges.map(|edge| IncomingEdge { source: edge.source, slot: edge.slot }));
            finish.edge_start.push(finish.edges.len() as u32);
        }
    }

    /// Lists the phis that stay by block and creation, with their operands by edge.
    fn collect_phis(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        self.order_phis();
        self.finish.kept.clear();
        self.finish.operands.clear();
        for index in 0..self.finish.ordered.len() {
            let phi = self.finish.ordered[index];
            let data = *self.phis.get(phi);
            let first_operand = self.finish.operands.len() as u32;
            let entry = KeptEntry { value: data.value, block: data.block, variable: data.variable, first_operand };
            self.finish.kept.push(entry);
            self.observer.event(Event::Kept { phi: data.value });
            let first_edge = self.finish.edge_start[data.block.index()] as usize;
            let range = self.phis.operand_range(phi);
            self.spend(range.len() as u64)?;
            for (place, edge) in range.zip(first_edge..) {
                let is_reachable = self.finish.reachable.contains(self.finish.edges[edge].source);
                let operand = match is_reachable {
                    true => self.values.resolve(self.phis.operands[place]),
                    false => self.undefined(host, data.variable),
                };
                self.finish.operands.push(operand);
            }
        }
        self.stats.phis_kept = self.finish.kept.len() as u64;
        self.stats.operands_kept = self.finish.operands.len() as u64;
        Ok(())
    }

    /// Orders the used phis by block, stably, by counting; lists the unused ones.
    fn order_phis(&mut self) {
        let Self { finish, phis, blocks, observer, stats, .. } = self;
        finish.unused.clear();
        finish.ordered.clear();
        finish.place.clear();
        finish.place.resize(blocks.len() + 1, 0);
        let mut num_kept = 0;
        for phi in phis.ids() {
            let data = phis.get(phi);
            match data.state {
                State::Complete if finish.used[phi.number() as usize] => {
                    finish.place[data.block.index() + 1] += 1;
                    num_kept += 1;
                }
                State::Complete => {
                    finish.unused.push(data.value);
                    stats.dropped_phis += 1;
                    observer.event(Event::Dropped { phi: data.value });
                }
                _ => {}
            }
        }
        for index in 0..blocks.len() {
            finish.place[index + 1] += finish.place[index];
        }
        let Some(any) = phis.ids().next() else { return };
        finish.ordered.resize(num_kept, any);
        for phi in phis.ids() {
            let data = phis.get(phi);
            if data.state == State::Complete && finish.used[phi.number() as usize] {
                let place = &mut finish.place[data.block.index()];
                finish.ordered[*place as usize] = phi;
                *place += 1;
            }
        }
    }

    fn hand_over(&mut self, host: &mut dyn PhiHost) -> Result<(), FinishError> {
        let finish = &self.finish;
        let kept = KeptPhis {
            phis: &finish.kept,
            operands: &finish.operands,
            edges: &finish.edges,
            edge_start: &finish.edge_start,
            unused: &finish.unused,
            reachable: &finish.reachable,
        };
        let stands_for = Forwarding { roots: self.values.roots(), forwarded: &self.values.forwarded };
        let result = host.finish(&kept, &stands_for);
        self.stop(Stopped::Finished);
        result.map_err(FinishError::Host)
    }
}

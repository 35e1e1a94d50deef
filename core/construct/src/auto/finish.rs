//! The end of a function: no result is returned before all checks have passed.

use super::Builder;
use super::phis::State;
use crate::error::{CallErrorKind, Stopped};
use crate::host::{PhiHost, Uses};
use crate::minimize::{Minimizer, PhiGraph};
use crate::observe::{Event, Observer, Reason, UndefinedRead};
use crate::protocol;
use crate::result::{IncomingEdge, IncomingEdges, Kept, Ssa};
use crate::used_phis::UsedPhis;
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdSet, Value};

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) graph: PhiGraph,
    pub(super) minimizer: Minimizer,
    /// Phis that may be redundant.
    pub(super) suspects: Vec<PhiId>,
    pub(super) is_suspect: IdSet<PhiId>,
    pub(super) blocks: Vec<Block>,
    used: UsedPhis,
    unused: Vec<Value>,
    /// The unused phis, in the same order.
    dropped: Vec<Kept>,
    kept: Vec<Kept>,
}

impl Scratch {
    /// Whether the phi, which is not forwarded, is one of the result.
    pub(super) fn is_kept(&self, phi: PhiId) -> bool {
        self.used.contains(phi)
    }
}

impl<O: Observer> Builder<O> {
    /// Ends the function. Returns the phis that stay, and the final value of each value.
    pub(super) fn finish_function(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallErrorKind> {
        self.running()?;
        self.check_blocks()?;
        self.seal_ready(host)?;
        self.leave_current();
        self.give_up_waiting(host)?;
        self.blocks.find_reachable(&mut self.finish.blocks);
        let has_unreachable_edges = self.forward_unreachable(host)?;
        if self.stats.replaced > 0 {
            self.examine_all(host)?;
        }
        let minimizes = self.options.minimize || has_unreachable_edges;
        if minimizes {
            self.minimize(host, has_unreachable_edges)?;
        }
        self.find_used(host, has_unreachable_edges)?;
        self.collect_phis(host)?;
        self.values.resolve_all();
        if self.options.report_undefined_reads {
            self.report_undefined_reads();
        }
        self.stop(Stopped::Finished);
        Ok(self.result())
    }

    fn check_blocks(&mut self) -> Result<(), CallErrorKind> {
        let num_incomplete = |own: &super::BlockOwn| self.num_incomplete(own.last_phi) as u32;
        self.blocks.check_complete(num_incomplete)?;
        self.stats.blocks = self.blocks.num_mentioned() as u64;
        Ok(())
    }

    /// Forwards phis of unreachable blocks to undefined values. Returns whether an edge leads from unreachable code to
    /// a reachable block.
    fn forward_unreachable(&mut self, host: &mut dyn PhiHost) -> Result<bool, Stopped> {
        if !self.blocks.has_doubtful_edges {
            return Ok(false);
        }
        for phi in (0..self.phis.table.len()).map(PhiId::new) {
            let data = self.phis.table[phi];
            if data.state == State::Complete && !self.blocks.is_reachable(data.block) {
                let undefined = self.undefined(host, data.variable)?;
                self.stats.unreachable_phis += 1;
                self.remove_phi(host, phi, undefined, Reason::Unreachable);
            }
        }
        Ok(self.blocks.has_edges_from_unreachable())
    }

    /// Reports the reads with a site number that may see an undefined variable.
    fn report_undefined_reads(&mut self) {
        let Self { sited_reads, values, phis, blocks, joins, observer, .. } = self;
        if sited_reads.are_defined(values) {
            return;
        }
        let is_reachable = |block: Block| blocks.is_reachable(block);
        let operands = phis.table.iter().filter(|(_, data)| data.state == State::Complete).flat_map(|(phi, data)| {
            let block = blocks.get(data.block);
            let edges = &joins.edges[block.own.first_edge as usize..][..block.num_in as usize];
            let operands = phis.operands[data.first_operand as usize..].iter().zip(edges);
            operands.filter(|(_, edge)| is_reachable(edge.source)).map(move |(&operand, _)| (phi, operand))
        });
        sited_reads.report(values, is_reachable, phis.table.len(), operands);
        for &UndefinedRead { site, block, variable, certainty } in sited_reads.undefined() {
            observer.event(Event::UndefinedRead { site, block, variable, certainty });
        }
    }

    /// Marks the phis that a use reaches through operands.
    ///
    /// Where every read counts as a use, each phi was made for one, directly or
    /// as an operand of another: all of them are used, unless an operand does not count.
    fn find_used(&mut self, host: &mut dyn PhiHost, has_unreachable_edges: bool) -> Result<(), Stopped> {
        let Self { finish: Scratch { used, .. }, values, phis, .. } = self;
        used.clear();
        if phis.table.is_empty() {
            return Ok(());
        }
        if used.mark_uses(host, values) == Uses::EveryRead {
            if !has_unreachable_edges {
                used.mark_all(phis.table.len());
                return Ok(());
            }
            phis.table.iter().filter(|(_, data)| data.is_returned).for_each(|(_, data)| used.mark(values, data.value));
        }
        while let Some(phi) = self.finish.used.take() {
            let Self { finish, values, phis, blocks, joins, .. } = self;
            let data = &phis.table[phi];
            let own = blocks.get(data.block);
            let edges = &joins.edges[own.own.first_edge as usize..][..own.num_in as usize];
            for (&operand, edge) in phis.operands[data.first_operand as usize..].iter().zip(edges) {
                // An edge from unreachable code needs nothing: its operand will be undefined.
                if blocks.is_reachable(edge.source) {
                    finish.used.mark(values, operand);
                }
            }
            let num_in = u64::from(own.num_in);
            self.spend(num_in)?;
        }
        Ok(())
    }

    /// Lists the phis that stay by block and creation, and makes their operands final.
    fn collect_phis(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        let Self { finish, phis, blocks, observer, stats, .. } = self;
        finish.kept.clear();
        finish.unused.clear();
        finish.dropped.clear();
        if phis.table.is_empty() {
            return Ok(());
        }
        let (mut num_operands, mut num_left) = (0, phis.table.len());
        for (block, data) in blocks.iter() {
            if data.own.last_phi.is_none() {
                continue;
            }
            let first = finish.kept.len();
            for phi in phis.list(data.own.last_phi) {
                num_left -= 1;
                let phi_data = &phis.table[phi];
                if phi_data.state == State::Complete && finish.used.contains(phi) {
                    let (value, variable, first_operand) = (phi_data.value, phi_data.variable, phi_data.first_operand);
                    finish.kept.push(Kept { value, block, variable, first_operand, num_operands: data.num_in });
                    num_operands += u64::from(data.num_in);
                }
            }
            finish.kept[first..].reverse();
            if num_left == 0 {
                break;
            }
        }
        for (phi, data) in phis.table.iter().skip(finish.used.num_all()) {
            if data.state == State::Complete && !finish.used.contains(phi) {
                finish.unused.push(data.value);
                let (value, block, variable, first_operand) =
                    (data.value, data.block, data.variable, data.first_operand);
                let num_operands = blocks.get(block).num_in;
                finish.dropped.push(Kept { value, block, variable, first_operand, num_operands });
                observer.event(Event::Dropped { phi: data.value });
            }
        }
        stats.dropped_phis += finish.unused.len() as u64;
        stats.operands_kept = num_operands;
        stats.phis_kept = finish.kept.len() as u64;
        self.spend(num_operands)?;
        self.settle_operands(host)
    }

    /// Resolves the operands of phis that stay; those on edges from unreachable blocks become undefined.
    fn settle_operands(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        if O::HEARS {
            self.finish.kept.iter().for_each(|phi| self.observer.event(Event::Kept { phi: phi.value }));
        }
        if self.blocks.has_doubtful_edges {
            self.cut_operands(host)?;
        }
        let Self { finish, phis, values, .. } = self;
        if !values.forwarded.is_empty() {
            for phi in &finish.kept {
                for operand in &mut phis.operands[phi.first_operand as usize..][..phi.num_operands as usize] {
                    *operand = values.resolve(*operand);
                }
            }
        }
        Ok(())
    }

    /// Lets the operands on edges from unreachable blocks be undefined.
    #[cold]
    fn cut_operands(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for index in 0..self.finish.kept.len() {
            let Kept { block, variable, first_operand, num_operands, .. } = self.finish.kept[index];
            let first_edge = self.blocks.get(block).own.first_edge as usize;
            for place in 0..num_operands as usize {
                if !self.blocks.is_reachable(self.joins.edges[first_edge + place].source) {
                    self.phis.operands[first_operand as usize + place] = self.undefined(host, variable)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn result(&self) -> Ssa<'_> {
        let Self { finish, phis, values, sited_reads, .. } = self;
        let listed = (&*finish.kept, &*phis.operands, &*finish.unused, &*finish.dropped);
        Ssa::of(values, self, listed, sited_reads.undefined())
    }
}

impl<O: Observer> IncomingEdges for Builder<O> {
    fn incoming(&self, block: Block) -> &[IncomingEdge] {
        let Some(data) = self.blocks.find(block) else { return &[] };
        let num_in = data.num_in as usize;
        if num_in > 1 && data.state.has(protocol::State::SEALED) {
            return &self.joins.edges[data.own.first_edge as usize..][..num_in];
        }
        self.blocks.only_edge(block).map_or(&[], core::slice::from_ref)
    }

    fn is_reachable(&self, block: Block) -> bool {
        self.blocks.is_reachable(block)
    }
}

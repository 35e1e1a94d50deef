//! The end of a function: nothing is written before all is known to be right.

use super::blocks::BlockOwn;
use super::phis::{Phi, State};
use super::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::minimize::{Minimizer, PhiGraph};
use ssaphire_construct::parts::{InCall, IncomingEdges, Kept, PhiId, UsedPhis, Values};
use ssaphire_construct::{Call, CallError, CallErrorKind, Stopped};
use ssaphire_construct::{Event, Observer, Reason, UndefinedRead};
use ssaphire_construct::{IncomingEdge, Ssa};
use ssaphire_construct::{PhiHost, Uses};
use ssaphire_graph::{Block, Id, IdLists, IdMap, Value};

#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) work: Vec<Block>,
    pub(crate) graph: PhiGraph,
    pub(crate) minimizer: Minimizer,
    used: UsedPhis,
    unused: Vec<Value>,
    /// The unused phis, in the same order.
    dropped: Vec<Kept>,
    ordered: Vec<PhiId>,
    kept: Vec<Kept>,
    by_block: IdLists<Block, PhiId>,
    /// Phis that may be redundant, and by phi whether it is one of them.
    pub(crate) suspects: Vec<PhiId>,
    is_suspect: IdMap<PhiId, bool>,
}

/// Whether two different values among the operands are no suspects.
fn has_two_anchors(values: &mut Values, is_suspect: &IdMap<PhiId, bool>, operands: &[Value]) -> bool {
    let mut first = None;
    for &operand in operands {
        let operand = values.resolve(operand);
        if values.phi(operand).is_some_and(|phi| is_suspect[phi]) {
            continue;
        }
        if first.is_some_and(|first| first != operand) {
            return true;
        }
        first = Some(operand);
    }
    false
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Ends the function: returns the remaining phis, and the replacements of all other values.
    pub(crate) fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallError> {
        self.finish_function(host).in_call(Call::Finish)?;
        Ok(self.result())
    }

    fn finish_function(&mut self, host: &mut dyn PhiHost) -> Result<(), CallErrorKind> {
        self.running()?;
        self.check_blocks()?;
        self.seal_ready(host)?;
        self.blocks.find_reachable(&mut self.finish.work);
        S::decide_at_end(self, host)?;
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
        Ok(())
    }

    fn check_blocks(&mut self) -> Result<(), CallErrorKind> {
        let count = |own: &BlockOwn| {
            let next = |&phi: &PhiId| self.phis.get(phi).next_incomplete.expand();
            core::iter::successors(own.first_incomplete.expand(), next).count() as u32
        };
        self.blocks.check_complete(count)?;
        self.stats.blocks = self.blocks.num_mentioned() as u64;
        Ok(())
    }

    /// Phis of unreachable blocks become undefined: whether an edge leads from unreachable code into a reachable block.
    fn forward_unreachable(&mut self, host: &mut dyn PhiHost) -> Result<bool, Stopped> {
        if !self.blocks.has_doubtful_edges {
            // Phis have incoming edges, and these have made their blocks reachable.
            return Ok(false);
        }
        for phi in self.phis.ids() {
            let data = *self.phis.get(phi);
            if data.state == State::Complete && !self.blocks.is_reachable(data.block) {
                let undefined = self.undefined(host, data.variable)?;
                self.phis.get_mut(phi).state = State::Dead;
                self.stats.unreachable_phis += 1;
                self.forward(host, data.value, undefined, Reason::Unreachable);
            }
        }
        Ok(self.blocks.has_edges_from_unreachable())
    }

    /// Values of the host have been merged: any phi may have become trivial.
    fn examine_all(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for phi in self.phis.ids() {
            self.remove_if_trivial(host, phi)?;
        }
        Ok(())
    }

    /// Collects the phis with their operands. Edges from unreachable blocks are ignored.
    fn collect_phi_graph(&mut self) {
        self.finish.suspects.clear();
        self.finish.suspects.extend(self.phis.ids().filter(|&phi| self.phis.get(phi).state == State::Complete));
        self.collect_suspects();
    }

    pub(crate) fn collect_suspects(&mut self) {
        let Self { finish, phis, blocks, incoming, values, .. } = self;
        finish.graph.clear();
        for &phi in &finish.suspects {
            let data = phis.get(phi);
            finish.graph.begin_phi(data.value);
            let range = phis.operand_range(phi);
            for (operand, edge) in phis.operands[range].iter().zip(incoming.of(data.block)) {
                if !blocks.has_doubtful_edges || blocks.is_reachable(edge.source) {
                    finish.graph.push_operand(values.resolve(*operand));
                }
            }
        }
    }

    /// Removes redundant sets of phis.
    fn minimize(&mut self, host: &mut dyn PhiHost, has_unreachable_edges: bool) -> Result<(), Stopped> {
        if has_unreachable_edges {
            self.collect_phi_graph();
        } else {
            self.suspect_phis();
            if self.finish.suspects.is_empty() {
                return Ok(());
            }
            self.collect_suspects();
        }
        let graph = core::mem::take(&mut self.finish.graph);
        let work = graph.num_operands() as u64;
        let mut minimizer = core::mem::take(&mut self.finish.minimizer);
        for &(phi, stands_for) in minimizer.dominated(&graph) {
            let Some(id) = self.values.phi(phi) else { continue };
            let (to, reason) = match stands_for {
                Some(value) => (value, Reason::Redundant),
                None => (self.undefined(host, self.phis.get(id).variable)?, Reason::Unreachable),
            };
            self.phis.get_mut(id).state = State::Dead;
            self.stats.redundant_phis += 1;
            self.forward(host, phi, to, reason);
        }
        self.finish.minimizer = minimizer;
        self.finish.graph = graph;
        self.spend(work)
    }

    /// Lists the phis that may be redundant: all others have two operands that keep them apart from any set.
    ///
    /// The ones with two different anchored operands are not, and so on (see `minimize::dominated`).
    fn suspect_phis(&mut self) {
        let Self { finish, phis, values, .. } = self;
        finish.suspects.clear();
        finish.is_suspect.reset(phis.len(), false);
        let may_be = |&phi: &PhiId| phis.get(phi).state == State::Complete;
        finish.suspects.extend(phis.ids().filter(may_be));
        finish.suspects.iter().for_each(|&phi| finish.is_suspect[phi] = true);
        // As long as it pays: `minimize` finds the same anchors in linear time.
        let mut num_before = usize::MAX;
        while finish.suspects.len() < num_before - num_before / 4 {
            num_before = finish.suspects.len();
            let Scratch { suspects, is_suspect, .. } = finish;
            suspects.retain(|&phi| {
                let operands = &phis.operands[phis.operand_range(phi)];
                let is_left = !has_two_anchors(values, is_suspect, operands);
                is_suspect[phi] = is_left;
                is_left
            });
        }
    }

    /// Reports the reads with a site number that may see an undefined variable.
    fn report_undefined_reads(&mut self) {
        let Self { sited_reads, values, phis, blocks, incoming, observer, .. } = self;
        if sited_reads.are_defined(values) {
            return;
        }
        let is_reachable = |block: Block| blocks.is_reachable(block);
        let complete = phis.ids().filter(|&phi| phis.get(phi).state == State::Complete);
        let operands = complete.flat_map(|phi| {
            let operands = phis.operands[phis.operand_range(phi)].iter().zip(incoming.of(phis.get(phi).block));
            operands.filter(|(_, edge)| is_reachable(edge.source)).map(move |(&operand, _)| (phi, operand))
        });
        sited_reads.report(values, is_reachable, phis.len(), operands);
        for &UndefinedRead { site, block, variable, certainty, .. } in sited_reads.undefined() {
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
        let decides_at_end = S::DECIDES_AT_END;
        if decides_at_end && !self.options.minimize {
            used.mark_all(phis.len());
            return Ok(());
        }
        if used.mark_uses(host, values) == Uses::EveryRead {
            if !has_unreachable_edges && !decides_at_end {
                used.mark_all(phis.len());
                return Ok(());
            }
            phis.ids()
                .map(|phi| phis.get(phi))
                .filter(|phi| phi.is_returned)
                .for_each(|phi| used.mark(values, phi.value));
        }
        while let Some(phi) = self.finish.used.take() {
            let range = self.phis.operand_range(phi);
            self.spend(range.len() as u64)?;
            let edges = self.incoming.of(self.phis.get(phi).block);
            for (place, edge) in range.zip(edges) {
                // An edge from unreachable code needs nothing: its operand will be undefined.
                if self.blocks.is_reachable(edge.source) {
                    self.finish.used.mark(&mut self.values, self.phis.operands[place]);
                }
            }
        }
        Ok(())
    }

    /// Lists the phis that stay by block and creation, and makes their operands final.
    fn collect_phis(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        self.order_phis();
        for index in 0..self.finish.ordered.len() {
            let phi = self.finish.ordered[index];
            self.observer.event(Event::Kept { phi: self.phis.get(phi).value });
            let range = self.phis.operand_range(phi);
            self.stats.operands_kept += range.len() as u64;
            self.spend(range.len() as u64)?;
            if self.blocks.has_doubtful_edges {
                self.cut_unreachable(host, phi)?;
            }
            if !self.values.forwarded.is_empty() {
                for operand in &mut self.phis.operands[range] {
                    *operand = self.values.resolve(*operand);
                }
            }
        }
        self.stats.phis_kept = self.finish.ordered.len() as u64;
        Ok(())
    }

    /// Operands on edges from unreachable blocks are undefined.
    fn cut_unreachable(&mut self, host: &mut dyn PhiHost, phi: PhiId) -> Result<(), Stopped> {
        let Phi { block, variable, .. } = *self.phis.get(phi);
        for (index, place) in self.phis.operand_range(phi).enumerate() {
            if !self.blocks.is_reachable(self.incoming.of(block)[index].source) {
                self.phis.operands[place] = self.undefined(host, variable)?;
            }
        }
        Ok(())
    }

    /// Orders the used phis by block, stably; lists the unused ones.
    fn order_phis(&mut self) {
        let Self { finish, phis, observer, stats, .. } = self;
        finish.unused.clear();
        finish.ordered.clear();
        let mut last = 0;
        let mut is_ordered = true;
        for phi in phis.ids() {
            let data = phis.get(phi);
            if data.state != State::Complete {
                continue;
            }
            if finish.used.contains(phi) {
                finish.ordered.push(phi);
                is_ordered &= last <= data.block.index();
                last = data.block.index();
            } else {
                finish.unused.push(data.value);
                stats.dropped_phis += 1;
                observer.event(Event::Dropped { phi: data.value });
            }
        }
        if is_ordered {
            return;
        }
        if self.finish.ordered.len() <= self.options.thresholds.compared_phis {
            let Self { finish, phis, .. } = self;
            finish.ordered.sort_unstable_by_key(|&phi| (phis.get(phi).block, phi.index()));
        } else {
            self.order_by_counting();
        }
    }

    /// Orders the phis by block, stably, in one step for each block and phi.
    fn order_by_counting(&mut self) {
        let Self { finish: Scratch { by_block, ordered, .. }, phis, blocks, .. } = self;
        by_block.rebuild(blocks.num_ids(), ordered.iter().map(|&phi| (phis.get(phi).block, phi)));
        ordered.copy_from_slice(by_block.members());
    }

    fn result(&mut self) -> Ssa<'_> {
        let Self { finish, phis, values, .. } = self;
        let in_result = |phi: PhiId| {
            let &Phi { value, block, variable, .. } = phis.get(phi);
            let range = phis.operand_range(phi);
            let (first_operand, num_operands) = (range.start as u32, range.len() as u32);
            Kept { value, block, variable, first_operand, num_operands }
        };
        finish.kept.clear();
        finish.kept.extend(finish.ordered.iter().map(|&phi| in_result(phi)));
        finish.dropped.clear();
        finish.dropped.extend(finish.unused.iter().filter_map(|&phi| values.phi(phi)).map(in_result));
        let Self { finish, phis, values, sited_reads, .. } = &*self;
        let listed = (&*finish.kept, &*phis.operands, &*finish.unused, &*finish.dropped);
        Ssa::of(values, self, listed, sited_reads.undefined())
    }
}

impl<S: Strategy, O: Observer> IncomingEdges for Driven<S, O> {
    fn incoming(&self, block: Block) -> &[IncomingEdge] {
        self.incoming.of(block)
    }

    fn is_reachable(&self, block: Block) -> bool {
        self.blocks.is_reachable(block)
    }
}

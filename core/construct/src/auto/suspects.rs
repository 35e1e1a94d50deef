//! Which phis may be redundant.
//!
//! A phi is made exactly where a variable's writes need it (see `dominators`), as long as all blocks
//! with phis are linked and no two variables share a bit: then only the phis of variables that hold copies can
//! be redundant (see `copies`).

use super::Builder;
use super::bloom::NUM_BITS;
use super::phis::{Phi, State};
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::{Observer, Reason};
use crate::values::{PhiId, Values};
use ssaphire_graph::{Id, IdSet, Value, Variable};

/// Whether two different operands are not suspects themselves.
fn has_two_anchors(values: &mut Values, is_suspect: &IdSet<PhiId>, operands: &[Value]) -> bool {
    let mut first = None;
    for &operand in operands {
        let operand = values.resolve(operand);
        // The phi itself is a suspect, too, so its own value is no anchor.
        if values.phi(operand).is_some_and(|phi| is_suspect.contains(phi)) {
            continue;
        }
        if first.is_some_and(|first| first != operand) {
            return true;
        }
        first = Some(operand);
    }
    false
}

impl<O: Observer> Builder<O> {
    /// Removes redundant sets of phis.
    pub(super) fn minimize(&mut self, host: &mut dyn PhiHost, has_unreachable_edges: bool) -> Result<(), Stopped> {
        // Operands on edges from unreachable blocks do not count, but phis may have been made because of them: any
        // phi may be redundant.
        if has_unreachable_edges {
            let complete = self.phis.table.iter().filter(|(_, data)| data.state == State::Complete);
            self.finish.suspects.clear();
            self.finish.suspects.extend(complete.map(|(phi, _)| phi));
        } else {
            self.find_suspects();
        }
        if self.finish.suspects.is_empty() {
            return Ok(());
        }
        self.collect_suspects();
        let graph = core::mem::take(&mut self.finish.graph);
        let work = graph.num_operands() as u64;
        let mut minimizer = core::mem::take(&mut self.finish.minimizer);
        for &(phi, stands_for) in minimizer.dominated(&graph) {
            let Some(id) = self.values.phi(phi) else { continue };
            let (to, reason) = match stands_for {
                Some(value) => (value, Reason::Redundant),
                None => (self.undefined(host, self.phis.table[id].variable)?, Reason::Unreachable),
            };
            self.stats.redundant_phis += 1;
            self.remove_phi(host, id, to, reason);
        }
        self.finish.minimizer = minimizer;
        self.finish.graph = graph;
        self.spend(work)
    }

    /// Lists the phis that may be redundant.
    ///
    /// Of these the ones with two different anchored operands are not, and so on (see `minimize::dominated`).
    fn find_suspects(&mut self) {
        let Self { finish, phis, values, copies, blocks, defs, is_exact, .. } = self;
        let num_variables = defs.max_variables();
        finish.suspects.clear();
        let are_bits_shared = num_variables > NUM_BITS;
        if *is_exact && copies.is_empty() && !are_bits_shared {
            return;
        }
        let shares_bit = |variable: Variable| {
            are_bits_shared && (variable.index() >= NUM_BITS || variable.index() + NUM_BITS < num_variables)
        };
        let may_be = |phi: &Phi| {
            let is_needed = *is_exact && !copies.contains(phi.variable) && !shares_bit(phi.variable);
            phi.state == State::Complete && !is_needed
        };
        finish.is_suspect.clear();
        for (phi, _) in phis.table.iter().filter(|&(_, data)| may_be(data)) {
            finish.suspects.push(phi);
            finish.is_suspect.insert(phi);
        }
        // As long as it pays: `minimize` finds the same anchors in linear time.
        let mut num_before = usize::MAX;
        // A pass follows only if the one before removed more than a quarter, so all passes together examine at most
        // four times the number of suspects.
        while finish.suspects.len() < num_before - num_before / 4 {
            num_before = finish.suspects.len();
            let super::finish::Scratch { suspects, is_suspect, .. } = finish;
            suspects.retain(|&phi| {
                let data = &phis.table[phi];
                let operands = &phis.operands[data.first_operand as usize..][..blocks.get(data.block).num_in as usize];
                let is_left = !has_two_anchors(values, is_suspect, operands);
                // At once: from here on the phi is an anchor itself.
                if !is_left {
                    is_suspect.remove(phi);
                }
                is_left
            });
        }
    }

    /// Collects the suspects with their operands. Edges from unreachable blocks are ignored.
    pub(super) fn collect_suspects(&mut self) {
        let Self { finish, phis, blocks, joins, values, .. } = self;
        finish.graph.clear();
        for &phi in &finish.suspects {
            let data = &phis.table[phi];
            finish.graph.begin_phi(data.value);
            let own = blocks.get(data.block);
            let edges = &joins.edges[own.own.first_edge as usize..][..own.num_in as usize];
            for (&operand, edge) in phis.operands[data.first_operand as usize..].iter().zip(edges) {
                if blocks.is_reachable(edge.source) {
                    finish.graph.push_operand(values.resolve(operand));
                }
            }
        }
    }

    /// Values of the host have been merged: any phi may have become trivial.
    pub(super) fn examine_all(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for phi in (0..self.phis.table.len()).map(PhiId::new) {
            let mut next = Some(phi);
            // The phi that this one is forwarded to may have had it as an operand, and be trivial now. Other users
            // are left to `minimize`.
            while let Some(phi) = next {
                next = self.remove_if_trivial(host, phi)?;
            }
        }
        Ok(())
    }

    /// Removes the phi if it is trivial. Returns the phi that it has been forwarded to, if it is one.
    fn remove_if_trivial(&mut self, host: &mut dyn PhiHost, phi: PhiId) -> Result<Option<PhiId>, Stopped> {
        let Self { phis, blocks, values, .. } = self;
        let data = phis.table[phi];
        if data.state != State::Complete {
            return Ok(None);
        }
        let num_in = blocks.get(data.block).num_in as usize;
        let operands = phis.operands[data.first_operand as usize..][..num_in].iter();
        let mut others = operands.map(|&operand| values.resolve(operand)).filter(|&operand| operand != data.value);
        let same = others.next();
        if others.any(|operand| Some(operand) != same) {
            return Ok(None);
        }
        self.spend(num_in as u64)?;
        let (value, reason) = match same {
            Some(value) => (value, Reason::Trivial),
            None => (self.undefined(host, data.variable)?, Reason::Unreachable),
        };
        self.stats.trivial_phis += 1;
        self.remove_phi(host, phi, value, reason);
        Ok(self.values.phi(value))
    }
}

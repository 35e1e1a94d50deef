//! Which reads may see a variable that was not written.

use super::Builder;
use super::phis::State;
use crate::observe::{Certainty, Event, Observer, UndefinedRead};
use crate::values::{PhiId, Values};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, Value, Variable};

/// A read that carried a site number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) site: u32,
    pub(super) block: Block,
    pub(super) variable: Variable,
    pub(super) value: Value,
}

/// What can flow into a phi.
#[derive(Clone, Copy, Default)]
struct Flow {
    undefined: bool,
    defined: bool,
}

impl Flow {
    /// What is not a phi.
    fn of_leaf(values: &Values, value: Value) -> Self {
        let undefined = values.undefined.contains(value);
        Self { undefined, defined: !undefined }
    }
}

impl<O: Observer> Builder<O> {
    /// Reports the sited reads in reachable blocks whose value is, or through phis may be, undefined.
    ///
    /// The values of `PhiHost::undefined` are what counts as undefined: a host
    /// that answers with a constant it also writes gets reports for that too.
    pub(super) fn report_undefined_reads(&mut self) {
        if self.sites.is_empty() || self.values.undefined.is_empty() {
            return;
        }
        let flows = self.flows();
        for index in 0..self.sites.len() {
            let Site { site, block, variable, value } = self.sites[index];
            if !self.blocks.is_reachable(block) {
                continue;
            }
            let value = self.values.resolve(value);
            let flow = match self.values.phi(value) {
                Some(phi) => flows[phi.index()],
                None => Flow::of_leaf(&self.values, value),
            };
            if flow.undefined {
                let certainty = if flow.defined { Certainty::MayBe } else { Certainty::Is };
                self.observer.event(Event::UndefinedRead { site, block, variable, certainty });
                self.undefined_reads.push(UndefinedRead { site, block, variable, certainty });
            }
        }
    }

    /// What can flow into each phi, by number: spreads from the other values along operands.
    fn flows(&mut self) -> Vec<Flow> {
        let mut flows = alloc::vec![Flow::default(); self.phis.table.len()];
        let mut users: Vec<(PhiId, PhiId)> = Vec::new();
        let mut work = Vec::new();
        for (phi, data) in self.phis.table.iter() {
            if data.state != State::Complete {
                continue;
            }
            let own = self.blocks.get(data.block);
            let edges = &self.joins.edges[own.own.first_edge as usize..][..own.num_in as usize];
            for (&operand, edge) in self.phis.operands[data.first_operand as usize..].iter().zip(edges) {
                if !self.blocks.is_reachable(edge.source) {
                    continue;
                }
                let operand = self.values.resolve(operand);
                match self.values.phi(operand) {
                    Some(used) => users.push((used, phi)),
                    None => work.push((phi, Flow::of_leaf(&self.values, operand))),
                }
            }
        }
        users.sort_unstable();
        while let Some((phi, flow)) = work.pop() {
            let known = &mut flows[phi.index()];
            let grown = Flow { undefined: known.undefined | flow.undefined, defined: known.defined | flow.defined };
            if grown.undefined == known.undefined && grown.defined == known.defined {
                continue;
            }
            *known = grown;
            let start = users.partition_point(|&(used, _)| used < phi);
            let of_phi = users[start..].iter().take_while(|&&(used, _)| used == phi);
            work.extend(of_phi.map(|&(_, user)| (user, grown)));
        }
        flows
    }
}

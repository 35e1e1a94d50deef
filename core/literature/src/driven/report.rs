//! Which reads may see a variable that was not written.

use super::phis::State;
use super::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Certainty, Event, Observer, UndefinedRead};
use ssaphire_graph::{Block, IdMap, Value, Variable};

/// A read that carried a site number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) site: u32,
    pub(crate) block: Block,
    pub(crate) variable: Variable,
    pub(crate) value: Value,
}

/// What can flow into a phi.
#[derive(Clone, Copy, Default)]
struct Flow {
    undefined: bool,
    defined: bool,
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// After `finish`: the sited reads that may see an undefined variable, in the order of the reads.
    pub(crate) fn undefined_reads(&self) -> &[UndefinedRead] {
        &self.undefined_reads
    }

    /// Reports the sited reads in reachable blocks whose value is, or through phis may be, undefined.
    ///
    /// The values of `PhiHost::undefined` are what counts as undefined: a host
    /// that answers with a constant it also writes gets reports for that too.
    pub(crate) fn report_undefined_reads(&mut self) {
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
                Some(phi) => flows[phi],
                None => self.leaf(value),
            };
            if flow.undefined {
                let certainty = if flow.defined { Certainty::MayBe } else { Certainty::Is };
                self.observer.event(Event::UndefinedRead { site, block, variable, certainty });
                self.undefined_reads.push(UndefinedRead::new(site, block, variable, certainty));
            }
        }
    }

    fn leaf(&self, value: Value) -> Flow {
        let undefined = self.values.undefined.contains(value);
        Flow { undefined, defined: !undefined }
    }

    /// What can flow into each phi, by number: spreads from the other values along operands.
    fn flows(&mut self) -> IdMap<PhiId, Flow> {
        let mut flows = IdMap::filled(self.phis.len(), Flow::default());
        let mut users: Vec<(PhiId, PhiId)> = Vec::new();
        let mut work = Vec::new();
        for phi in self.phis.ids() {
            let data = *self.phis.get(phi);
            if data.state != State::Complete {
                continue;
            }
            let sources = self.blocks.incoming(data.block).iter().map(|edge| edge.source);
            for (place, source) in self.phis.operand_range(phi).zip(sources) {
                if !self.blocks.is_reachable(source) {
                    continue;
                }
                let operand = self.values.resolve(self.phis.operands[place]);
                match self.values.phi(operand) {
                    Some(used) => users.push((used, phi)),
                    None => work.push((phi, self.leaf(operand))),
                }
            }
        }
        users.sort_unstable();
        while let Some((phi, flow)) = work.pop() {
            let known = &mut flows[phi];
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

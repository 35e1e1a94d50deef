//! The reads that may see a variable that was not written.

use crate::observe::{Certainty, UndefinedRead};
use crate::values::{PhiId, Values};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdLists, Value, Variable};

/// Reads that carried a site number, and, after `finish`, those of them that may see an undefined variable.
#[derive(Clone, Debug, Default)]
pub struct SitedReads {
    sites: Vec<Site>,
    undefined: Vec<UndefinedRead>,
}

#[derive(Clone, Copy, Debug)]
struct Site {
    site: u32,
    block: Block,
    variable: Variable,
    value: Value,
}

/// The kinds of values that can flow into a phi.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Flow {
    undefined: bool,
    defined: bool,
}

impl Flow {
    /// The flow of a value that is not a phi.
    fn of_leaf(values: &Values, value: Value) -> Self {
        let undefined = values.undefined.contains(value);
        Self { undefined, defined: !undefined }
    }

    fn or(self, other: Self) -> Self {
        Self { undefined: self.undefined | other.undefined, defined: self.defined | other.defined }
    }
}

impl SitedReads {
    /// Forgets the function; keeps memory.
    pub fn clear(&mut self) {
        self.sites.clear();
        self.undefined.clear();
    }

    /// Notes the read with the number `site`, which returned `value`.
    #[inline]
    pub fn note(&mut self, site: u32, block: Block, variable: Variable, value: Value) {
        self.sites.push(Site { site, block, variable, value });
    }

    /// The reads that may see an undefined variable, in the order of the reads.
    pub fn undefined(&self) -> &[UndefinedRead] {
        &self.undefined
    }

    /// Whether no read may see an undefined variable, whatever the operands are.
    pub fn are_defined(&self, values: &Values) -> bool {
        self.sites.is_empty() || values.undefined.is_empty()
    }

    /// Finds the reads in reachable blocks whose value is, or through phis may be, undefined.
    ///
    /// `operands` has, for each phi that is left, its operands on edges from reachable blocks. The values that
    /// `PhiHost::undefined` returned count as undefined: a host that returns a constant it also writes gets reports for
    /// that constant, too. O(*r* + *o*) for *r* reads and *o* operands.
    pub fn report(
        &mut self,
        values: &mut Values,
        is_reachable: impl Fn(Block) -> bool,
        num_phis: usize,
        operands: impl Iterator<Item = (PhiId, Value)>,
    ) {
        let flows = flows(values, num_phis, operands);
        for &Site { site, block, variable, value } in self.sites.iter().filter(|site| is_reachable(site.block)) {
            let value = values.resolve(value);
            let flow = match values.phi(value) {
                Some(phi) => flows[phi.index()],
                None => Flow::of_leaf(values, value),
            };
            if flow.undefined {
                let certainty = if flow.defined { Certainty::MayBe } else { Certainty::Is };
                self.undefined.push(UndefinedRead { site, block, variable, certainty });
            }
        }
    }
}

/// The kinds of values that can flow into each phi, by number: spread from the other values along operands.
fn flows(values: &mut Values, num_phis: usize, operands: impl Iterator<Item = (PhiId, Value)>) -> Vec<Flow> {
    let mut flows = alloc::vec![Flow::default(); num_phis];
    let mut uses: Vec<(PhiId, PhiId)> = Vec::new();
    let mut work = Vec::new();
    for (phi, operand) in operands {
        let operand = values.resolve(operand);
        match values.phi(operand) {
            Some(used) => uses.push((used, phi)),
            None => work.push((phi, Flow::of_leaf(values, operand))),
        }
    }
    let mut users = IdLists::new();
    users.rebuild(num_phis, uses.iter().copied());
    while let Some((phi, flow)) = work.pop() {
        let known = &mut flows[phi.index()];
        let grown = known.or(flow);
        if grown == *known {
            continue;
        }
        *known = grown;
        work.extend(users.of(phi).iter().map(|&user| (user, grown)));
    }
    flows
}
